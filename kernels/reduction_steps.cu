// The sum of each block's floats, halved step by step, in five ways. Every way adds the same numbers; they differ in who
// adds which two of them.

// Neighbours first: the threads whose number is a multiple of 2, then of 4, of 8 ... add. The mask keeps the remainder of
// a division by 2 * step, a power of two; `%` would take some 20 instructions for it.
extern "C" __global__ void reduce_divergent(float *sums, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        if ((t & (2 * step - 1)) == 0)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// The same pairs, added by threads side by side.
extern "C" __global__ void reduce_strided(float *sums, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int i = 2 * step * t;
        if (i < blockDim.x)
            part[i] += part[i + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// The first half of the numbers takes the second half.
extern "C" __global__ void reduce_sequential(float *sums, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// As soon as 32 numbers are left, one warp adds them up: its lanes pass registers to each other.
extern "C" __global__ void reduce_shuffle(float *sums, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t < 32) {
        float sum = part[t];
        for (int half = 16; half > 0; half /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, half);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
}

// Every thread brings the sum of two elements, so half the blocks do.
extern "C" __global__ void reduce_two(float *sums, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    int first = blockIdx.x * 2 * blockDim.x + t;
    part[t] = in[first] + in[first + blockDim.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t < 32) {
        float sum = part[t];
        for (int half = 16; half > 0; half /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, half);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
}

// Wrong: no barrier between one step and the next.
extern "C" __global__ void reduce_early(float *sums, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2)
        if (t < half)
            part[t] = part[t] + part[t + half];
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
