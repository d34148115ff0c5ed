// A block goes along a long array, tile by tile. Each thread brings one float4 of a tile to shared memory and reads the
// float4 at the mirrored place, which another thread has brought. `work` is the number of rounds of arithmetic on it.
// Needs sm_80

// The instructions behind __pipeline_memcpy_async, __pipeline_commit and __pipeline_wait_prior.
#define COPY_ASYNC(to, from)                                                                                           \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)  \
                 : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_FOR_ALL_BUT(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

// Adds `work` to each of the four floats, one at a time, and returns their sum.
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

// The load goes through registers, and every thread waits for it there.
extern "C" __global__ void pipeline_plain(float *out, const float4 *in, int tiles, int work, float one)
{
    extern __shared__ float4 buffer[];
    int n = blockDim.x, t = threadIdx.x, mirror = n - 1 - t;
    const float4 *from = in + blockIdx.x * tiles * n + t;
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        buffer[t] = from[k * n];
        __syncthreads(); // the tile is complete
        sum += compute(buffer[mirror], work, one);
        __syncthreads(); // nobody needs it any more
    }
    out[blockIdx.x * n + t] = sum;
}

// The same with an asynchronous copy into one buffer.
extern "C" __global__ void pipeline_single(float *out, const float4 *in, int tiles, int work, float one)
{
    extern __shared__ float4 buffer[];
    int n = blockDim.x, t = threadIdx.x, mirror = n - 1 - t;
    const float4 *from = in + blockIdx.x * tiles * n + t;
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        COPY_ASYNC(&buffer[t], &from[k * n]);
        COMMIT();
        WAIT_FOR_ALL_BUT(0);
        __syncthreads(); // the tile is complete
        sum += compute(buffer[mirror], work, one);
        __syncthreads(); // nobody needs it any more
    }
    out[blockIdx.x * n + t] = sum;
}

// BUFFERS tiles are on their way or in use. LEFT: the groups that may still be in flight after a wait.
template <int BUFFERS, int LEFT>
static __device__ void run_pipeline(float *out, const float4 *in, int tiles, int work, float one)
{
    extern __shared__ float4 buffer[];
    int n = blockDim.x, t = threadIdx.x, mirror = n - 1 - t;
    const float4 *from = in + blockIdx.x * tiles * n + t;
    float sum = 0;
    for (int k = 0; k < BUFFERS - 1; k++) {
        if (k < tiles)
            COPY_ASYNC(&buffer[k * n + t], &from[k * n]); // the first tiles
        COMMIT();
    }
    for (int k = 0; k < tiles; k++) {
        int next = k + BUFFERS - 1;
        if (next < tiles)
            COPY_ASYNC(&buffer[next % BUFFERS * n + t], &from[next * n]);
        COMMIT(); // without a copy, too: the wait counts groups
        WAIT_FOR_ALL_BUT(LEFT);
        __syncthreads(); // tile k is complete
        sum += compute(buffer[k % BUFFERS * n + mirror], work, one);
        __syncthreads(); // nobody needs it any more
    }
    out[blockIdx.x * n + t] = sum;
}

extern "C" __global__ void pipeline_two(float *out, const float4 *in, int tiles, int work, float one)
{
    run_pipeline<2, 1>(out, in, tiles, work, one);
}

extern "C" __global__ void pipeline_four(float *out, const float4 *in, int tiles, int work, float one)
{
    run_pipeline<4, 3>(out, in, tiles, work, one);
}

// The wait leaves nothing in flight.
extern "C" __global__ void pipeline_strict(float *out, const float4 *in, int tiles, int work, float one)
{
    run_pipeline<2, 0>(out, in, tiles, work, one);
}
