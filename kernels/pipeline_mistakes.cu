// Two mistakes with asynchronous copies in two buffers: see pipeline.cu.
// Needs sm_80
#define COPY_ASYNC(to, from)                                                                                           \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)  \
                 : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_FOR_ALL_BUT(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

static __device__ float compute(float4 v, int work, float one)
{
#pragma unroll 4
    for (int round = 0; round < work; round++) {
        v.x = v.x * one + one;
        v.y = v.y * one + one;
        v.z = v.z * one + one;
        v.w = v.w * one + one;
    }
    return v.x + v.y + v.z + v.w;
}

// There is no barrier between the wait and the tile.
extern "C" __global__ void pipeline_alone(float *out, const float4 *in, int tiles, int work, float one)
{
    extern __shared__ float4 buffer[];
    int n = blockDim.x, t = threadIdx.x, mirror = n - 1 - t;
    const float4 *from = in + blockIdx.x * tiles * n + t;
    float sum = 0;
    COPY_ASYNC(&buffer[t], &from[0]);
    COMMIT();
    for (int k = 0; k < tiles; k++) {
        int next = k + 1;
        if (next < tiles)
            COPY_ASYNC(&buffer[next % 2 * n + t], &from[next * n]);
        COMMIT();
        WAIT_FOR_ALL_BUT(1);
        sum += compute(buffer[k % 2 * n + mirror], work, one);
        __syncthreads();
    }
    out[blockIdx.x * n + t] = sum;
}

// The wait counts one group too many.
extern "C" __global__ void pipeline_another(float *out, const float4 *in, int tiles, int work, float one)
{
    extern __shared__ float4 buffer[];
    int n = blockDim.x, t = threadIdx.x, mirror = n - 1 - t;
    const float4 *from = in + blockIdx.x * tiles * n + t;
    float sum = 0;
    COPY_ASYNC(&buffer[t], &from[0]);
    COMMIT();
    for (int k = 0; k < tiles; k++) {
        int next = k + 1;
        if (next < tiles)
            COPY_ASYNC(&buffer[next % 2 * n + t], &from[next * n]);
        COMMIT();
        WAIT_FOR_ALL_BUT(2);
        __syncthreads();
        sum += compute(buffer[k % 2 * n + mirror], work, one);
        __syncthreads();
    }
    out[blockIdx.x * n + t] = sum;
}
