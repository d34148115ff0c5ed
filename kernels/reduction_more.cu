// Two more ways to add up a block's floats: one that many old programs still have, and one that leaves a single sum.

// The last warp adds in shared memory. Its lanes are not ordered.
extern "C" __global__ void reduce_unrolled(float *sums, const float *in)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        if (t < half)
            part[t] = part[t] + part[t + half];
        __syncthreads();
    }
    if (t < 32)
        for (int half = 16; half > 0; half /= 2)
            if (t < half)
                part[t] = part[t] + part[t + half];
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// Two loads a thread and shuffles; then each block adds its sum to that of the whole array.
extern "C" __global__ void reduce_all(float *sums, const float *in)
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
            atomicAdd(&sums[0], sum);
    }
}
