// The paths of an `if`: the lanes of a warp that disagree run one path after the other.
// A path does `work` rounds of arithmetic. `#pragma unroll 1` keeps each round visible as a step.

extern "C" __global__ void paths_warps(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (threadIdx.x / 32 % 2 == 0) {
#pragma unroll 1
        for (int a = 0; a < work; a++)
            value = value * 3 + 1;
    } else {
#pragma unroll 1
        for (int b = 0; b < work; b++)
            value = value * 5 + 2;
    }
    out[i] = value;
}

// Even elements take the one path, odd elements the other.
extern "C" __global__ void paths_parity(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (i % 2 == 0) {
#pragma unroll 1
        for (int a = 0; a < work; a++)
            value = value * 3 + 1;
    } else {
#pragma unroll 1
        for (int b = 0; b < work; b++)
            value = value * 5 + 2;
    }
    out[i] = value;
}

// The same for the elements of swapped neighbours.
extern "C" __global__ void paths_swapped(int *out, const int *in, int n, int work, int ways)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) ^ 1;
    int value = in[i];
    if (i % 2 == 0) {
#pragma unroll 1
        for (int a = 0; a < work; a++)
            value = value * 3 + 1;
    } else {
#pragma unroll 1
        for (int b = 0; b < work; b++)
            value = value * 5 + 2;
    }
    out[i] = value;
}

// The same, with the even elements given to one warp and the odd elements to the next.
extern "C" __global__ void paths_sorted(int *out, const int *in, int n, int work, int ways)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x / 64 * 64;
    int i = first + threadIdx.x % 32 * 2 + threadIdx.x / 32 % 2;
    int value = in[i];
    if (i % 2 == 0) {
#pragma unroll 1
        for (int a = 0; a < work; a++)
            value = value * 3 + 1;
    } else {
#pragma unroll 1
        for (int b = 0; b < work; b++)
            value = value * 5 + 2;
    }
    out[i] = value;
}

extern "C" __global__ void paths_nested(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (i % 2 == 0) {
        if (i % 4 == 0) {
#pragma unroll 1
            for (int a = 0; a < work; a++)
                value = value * 3 + 1;
        } else {
#pragma unroll 1
            for (int b = 0; b < work; b++)
                value = value * 5 + 2;
        }
    } else {
#pragma unroll 1
        for (int c = 0; c < work; c++)
            value = value * 7 + 3;
    }
    out[i] = value;
}

// The lanes of a warp part into `ways` groups with a path each.
extern "C" __global__ void paths_many(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    int path = threadIdx.x % ways;
#pragma unroll 1
    for (int turn = 0; turn < ways; turn++)
        if (path == turn) {
#pragma unroll 1
            for (int a = 0; a < work; a++)
                value = value * 3 + 1;
        }
    out[i] = value;
}

// Eight different lengths: the longest loop has twice `work` rounds.
extern "C" __global__ void paths_loops(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    int rounds = (threadIdx.x % 8 + 1) * work / 4;
#pragma unroll 1
    for (int a = 0; a < rounds; a++)
        value = value * 3 + 1;
    out[i] = value;
}

extern "C" __global__ void paths_edge(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 3 + 1;
}

// A short `if` without a load or a store in it.
extern "C" __global__ void paths_select(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (i % 2 == 0)
        value = value + 100;
    out[i] = value;
}

// A short `if` with a load in it, which only lanes that take the path may make.
extern "C" __global__ void paths_guard(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (i % 2 == 0)
        value = value + in[i + 1];
    out[i] = value;
}

extern "C" __global__ void paths_unguarded(int *out, const int *in, int n, int work, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 3 + 1;
}
