// Wrong uses of barrier objects, and matrices, with inline PTX where CUDA C++ has no function. Regenerate objects.ptx with
//   nvcc -ptx -arch=sm_90 -lineinfo objects.cu
#include <mma.h>
#include <cuda_fp16.h>
#include <stdint.h>
using namespace nvcuda;

__device__ uint32_t offset_of(const void *shared) { return (uint32_t)__cvta_generic_to_shared(shared); }

__device__ void init(uint64_t *object, uint32_t count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(offset_of(object)), "r"(count) : "memory");
}

__device__ void arrive(uint64_t *object)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(offset_of(object)) : "memory");
}

__device__ void wait(uint64_t *object, uint32_t parity)
{
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(
                     offset_of(object)),
                 "r"(parity)
                 : "memory");
}

extern "C" __global__ void never(int *out)
{
    __shared__ uint64_t object;
    if (threadIdx.x == 0)
        init(&object, 64);
    __syncthreads();
    if (threadIdx.x != 40)
        arrive(&object);
    wait(&object, 0); // thread 40 never arrived
    out[threadIdx.x] = 1;
}

extern "C" __global__ void too_many(int *out)
{
    __shared__ uint64_t object;
    if (threadIdx.x == 0)
        init(&object, 3);
    __syncthreads();
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0], 2; }" ::"r"(offset_of(&object)) : "memory");
    out[threadIdx.x] = 1;
}

extern "C" __global__ void no_init(int *out)
{
    __shared__ uint64_t object;
    object = 7;
    __syncthreads();
    arrive(&object);
    out[threadIdx.x] = 1;
}

__device__ void copy(void *to, const void *from, uint32_t bytes, uint64_t *object)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(offset_of(object)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     offset_of(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(offset_of(object))
                 : "memory");
}

extern "C" __global__ void not_waited(int *out, const int *in, int wait_for_it)
{
    __shared__ alignas(16) int tile[256];
    __shared__ uint64_t object;
    if (threadIdx.x == 0) {
        init(&object, 2);
        copy(tile, in, sizeof tile, &object);
        arrive(&object);
    }
    __syncwarp();
    if (wait_for_it)
        wait(&object, 0);
    out[threadIdx.x] = tile[threadIdx.x + 200];
}

extern "C" __global__ void past_the_end(int *out, const int *in)
{
    __shared__ alignas(16) int tile[256];
    __shared__ uint64_t object;
    if (threadIdx.x == 0) {
        init(&object, 1);
        copy(tile, in + 128, sizeof tile, &object);
    }
    __syncthreads();
    wait(&object, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

// one warp: c = 2 a b + 1, 16 by 16, staged through shared memory
extern "C" __global__ void product(float *c, const half *a, const half *b)
{
    __shared__ alignas(32) half tile[16 * 24];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i / 16 * 24 + i % 16] = a[i];
    __syncwarp();
    wmma::load_matrix_sync(left, tile, 24);
    wmma::load_matrix_sync(right, b, 16);
    wmma::fill_fragment(sum, 0.0f);
    wmma::mma_sync(sum, left, right, sum);
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] = 2 * sum.x[i] + 1;
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

extern "C" __global__ void rows(uint32_t *out, int lanes)
{
    __shared__ alignas(16) uint32_t tile[8 * 20];
    for (int i = threadIdx.x; i < 8 * 20; i += 32)
        tile[i] = i;
    __syncwarp();
    if (threadIdx.x < lanes) {
        uint32_t x, y;
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" // rows of 80 bytes
                     : "=r"(x), "=r"(y)
                     : "r"(offset_of(&tile[threadIdx.x % 8 * 20 + threadIdx.x / 8 % 2 * 4])));
        out[threadIdx.x] = x;
        out[threadIdx.x + 32] = y;
    }
}

__device__ void copy_back(void *to, const void *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                 "r"(offset_of(from)), "r"(bytes)
                 : "memory");
}

// every third lane copies a part of its own, 80 bytes further from lane to lane; one lane copies all of it back
extern "C" __global__ void parts(int *out, const int *in)
{
    __shared__ alignas(16) int tile[2240];
    __shared__ uint64_t object;
    int const part = threadIdx.x / 3, first = part * (part + 1) / 2 * 20;
    if (threadIdx.x == 0) {
        init(&object, 14);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x % 3 == 1 && part < 14)
        copy(tile + first, in + first, (part + 1) * 80, &object);
    wait(&object, 0);
    for (int i = threadIdx.x; i < 2100; i += blockDim.x)
        tile[i] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 37) {
        copy_back(out, tile, 2100 * 4);
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// the lanes of a warp diverge before they load rows together
extern "C" __global__ void apart(uint32_t *out, const uint32_t *in)
{
    __shared__ alignas(16) uint32_t tile[64];
    uint32_t x, y = 0;
    for (int i = threadIdx.x; i < 64; i += 32)
        tile[i] = in[i];
    __syncwarp();
    if (threadIdx.x % 4 == 1)
        y = in[64 + threadIdx.x] + tile[threadIdx.x];
    else if (threadIdx.x % 4 == 2)
        y = in[96 + threadIdx.x];
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(x)
                 : "r"(offset_of(&tile[threadIdx.x % 8 * 4])));
    out[threadIdx.x] = x + y;
}
