// Kernels whose lanes part in every way that PTX can write, and meet again at a store. Blocks of whole warps; a and b
// have one element a thread. Counted on a GPU by tests/silicon, and compared between the emulator and a GPU.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void both_sides(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    int x;
    if (a[t] & 1)
        x = b[t] * 3;
    else
        x = b[31 - t % 32] + a[t ^ 1];
    out[t] = x;
}

extern "C" __global__ void one_side_stores(int *out, const int *a, int *b)
{
    const int t = THREAD;
    if (a[t] % 3 == 0)
        b[t] = a[t] + 1;
    out[t] = b[t];
}

extern "C" __global__ void nested(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    int x = 0;
    if (a[t] & 1) {
        x = b[t];
        if (x & 2)
            x += a[t ^ 1];
        else if (x & 4)
            x -= b[t ^ 2];
        out[t] = x;
    } else if (a[t] & 4) {
        x = b[t ^ 3];
    }
    out[t] = out[t ^ 1] + x;
}

// The lanes make different numbers of rounds.
extern "C" __global__ void unequal_rounds(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < a[t] % 9; i++)
        sum += b[(t + i) % 64];
    out[t] = sum;
}

extern "C" __global__ void leaves_and_goes_on(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 12; i++) {
        const int x = b[(t + i) % 64];
        if (x % 7 == 3)
            continue;
        if (sum > 4 * a[t])
            break;
        sum += x + a[(t + i) % 64];
        out[t] = sum;
    }
    out[t] += sum;
}

extern "C" __global__ void loop_in_loop(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 1 + t % 3; i++) {
#pragma unroll 1
        for (int k = 0; k < a[(t + i) % 64] % 4; k++)
            sum += b[(t + k) % 64];
        out[t] = sum;
    }
    out[t] += a[t];
}

// Some lanes return between the place where the paths part and the place where they meet.
extern "C" __global__ void some_return(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    if (t % 5 == 0) {
        if (a[t] & 2)
            return;
        out[t] = b[t];
        if (b[t] & 4)
            return;
    }
    out[t] = out[t] + a[t];
}

extern "C" __global__ void cases(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    int x = 0;
    switch (a[t] % 8) {
    case 0:
        x = b[t];
        break;
    case 1:
        x = b[t ^ 1] * 7;
        out[t] = x;
        break;
    case 2:
        x = a[t ^ 1] ^ b[t];
        break;
    case 3:
        out[t] = 5;
    case 4:
        x = a[t ^ 2] - b[t ^ 2];
        break;
    case 5:
        x = -b[t ^ 4];
        break;
    case 6:
        return;
    }
    out[t] = x;
}

extern "C" __global__ void conditions(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    if ((a[t] > 20 && b[t] > 30) || (a[t ^ 1] & 1 && b[t ^ 1] & 2))
        out[t] = b[t ^ 2];
    else
        out[t ^ 64] = a[t ^ 2];
    out[t] = a[t] + b[t];
}

__device__ __noinline__ int early(const int *a, int t)
{
    if (a[t] & 1)
        return a[t ^ 1];
    if (a[t] & 2)
        return a[t ^ 2] * 3;
    return a[t ^ 3] + a[t ^ 4];
}
extern "C" __global__ void returns_early(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    out[t] = early(a, t);
    if (b[t] & 1)
        out[t] += early(b, t);
    out[t ^ 1] = b[t];
}

// Atomics in a branch and in a loop that ends by itself: no lane waits for another one.
extern "C" __global__ void atomics_apart(int *out, const int *a, int *b)
{
    const int t = THREAD;
    int last = 0;
    if (a[t] & 1)
        last = atomicAdd(&b[t % 64], 2);
#pragma unroll 1
    for (int i = 0; i < a[t] % 5; i++)
        atomicAdd(&b[64 + i], last);
    out[t] = last;
}

// Two ways into one loop.
extern "C" __global__ void two_entries(int *out, const int *a, const int *b)
{
    const int t = THREAD;
    int i = 0, x = a[t];
    if (x & 1)
        goto middle;
start:
    x += b[(t + i) % 64];
middle:
    out[t] = x;
    if (++i < 1 + t % 4)
        goto start;
    out[t] = x + i;
}

// Lanes shuffle inside a branch, among those that are there.
extern "C" __global__ void shuffle_apart(int *out, const int *a)
{
    const int t = THREAD;
    int x = a[t];
    if (t % 32 < 16)
        x += __shfl_xor_sync(0xffff, x, 1);
    out[t] = x;
}

// Each round has its own parting, and all lanes of the block wait at its end.
extern "C" __global__ void rounds(int *out, const int *a)
{
    __shared__ int tile[128];
    const int t = threadIdx.x;
    tile[t] = a[THREAD];
    __syncthreads();
#pragma unroll 1
    for (int step = 1; step < blockDim.x; step *= 2) {
        int x = 0;
        if (t >= step && (tile[t] & 1))
            x = tile[t - step];
        __syncthreads();
        tile[t] += x;
        __syncthreads();
    }
    out[THREAD] = tile[t];
}
