#include <cuda_runtime.h>

__device__ float warp_sum(float value)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__global__ void reduce_shuffle(float *total, const float *in, int n)
{
    __shared__ float partial[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / warpSize ? partial[lane] : 0.0f);
        if (lane == 0)
            atomicAdd(total, sum);
    }
}

__global__ void reduce_tree(double *out, const double *in)
{
    extern __shared__ double tile[];
    tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            tile[threadIdx.x] += tile[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = tile[0];
}

__global__ void reduce_other_shuffles(double *d, long long *l, unsigned *u)
{
    d[threadIdx.x] = __shfl_xor_sync(0xffffffff, d[threadIdx.x], 1);
    l[threadIdx.x] = __shfl_up_sync(0xffffffffu, l[threadIdx.x], 2, 16);
    u[threadIdx.x] = __shfl_sync(0xffffffff, u[threadIdx.x], 0);
}
