// Loads from constant memory: of several widths, in loops, by parts of a warp, and through a pointer that may also lead
// to global memory. With a step of 0 all lanes of a load have one address.
__constant__ float table[1024] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
__constant__ double2 pairs[64] = {{1, 2}, {3, 4}, {5, 6}};
__constant__ unsigned char letters[256] = "constant memory serves one address a pass";
__constant__ int2 points[128] = {{1, 0}, {0, 1}, {7, 9}};

extern "C" __global__ void constant_lookup(float *out, int step, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = table[threadIdx.x * step & 1023];
}

extern "C" __global__ void constant_widths(float *out, int step, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int k = threadIdx.x * step;
    double2 pair = pairs[k & 63];
    int2 point = points[k & 127];
    out[i] = (float)(pair.x + pair.y) + (float)(point.x - point.y) + letters[k & 255];
}

// A filter: all lanes read the same weights, and each its own.
extern "C" __global__ void constant_rounds(float *out, int step, int count, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += table[(threadIdx.x * step + k) & 1023] * (float)letters[k * step & 255];
    if (i < count)
        out[i] = sum;
}

// Two sides of a branch read different tables.
extern "C" __global__ void constant_parts(float *out, int step, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value;
    if (threadIdx.x % 3)
        value = table[threadIdx.x * step & 1023] + 1;
    else
        value = (float)points[threadIdx.x * step & 127].x * 2;
    if (i < count)
        out[i] = value;
}

// The address is generic, because some threads read global memory.
extern "C" __global__ void constant_generic(float *out, const float *in, int step, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *from = i % 2 ? table : in;
    if (i < count)
        out[i] = from[threadIdx.x * step & 1023];
}
