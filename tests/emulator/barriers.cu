// Barrier objects, pipelines and asynchronous copies of CUDA C++, with a host reference in
// tests/unit/emulator/barriers.c. Regenerate barriers_90.ptx with
//   nvcc -ptx -std=c++17 -arch=sm_90 -diag-suppress 20054 -o barriers_90.ptx barriers.cu
// and barriers_80.ptx with 80, because these objects wait and copy differently before sm_90.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// bulk copies and an mbarrier, as the programming guide has them
extern "C" __global__ void bulk(int *out, const int *in) {
    alignas(16) __shared__ int tile[256];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    if (threadIdx.x == 0) { init(&bar, blockDim.x); cuda::device::experimental::fence_proxy_async_shared_cta(); }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in + blockIdx.x * 256, sizeof tile, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else token = bar.arrive();
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i] += 1;
    cuda::device::experimental::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_shared_to_global(out + blockIdx.x * 256, tile, sizeof tile);
        cuda::device::experimental::cp_async_bulk_commit_group();
        cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
    }
}
#endif
extern "C" __global__ void pipeline(int *out, const int *in, int n) {
    __shared__ int stage[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int i = 0, j = 0; i < n; i++) {
        for (; j < n && j < i + 2; j++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[j % 2], in + j * 128, sizeof(int) * 128, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[i % 2][127 - threadIdx.x] * (i + 1);
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void thread_pipeline(int *out, const int *in, int n) {
    __shared__ int stage[4][64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int sum = 0, j = 0;
    for (int i = 0; i < n; i++) {
        for (; j < n && j < i + 4; j++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[j % 4][threadIdx.x], &in[j * 64 + threadIdx.x], cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[i % 4][threadIdx.x] * (i + 1);
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void groups(int *out, const int *in) {
    __shared__ int tile[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in + blockIdx.x * 128, sizeof tile);
    cg::wait(block);
    out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}
extern "C" __global__ void phases(int *out, const int *in, int n) {
    __shared__ int x[64];
    __shared__ barrier full, empty;
    if (threadIdx.x == 0) { init(&full, 64); init(&empty, 64); }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i < n; i++) {
            empty.arrive_and_wait();
            x[threadIdx.x] = in[i * 32 + threadIdx.x];
            (void)full.arrive();
        }
    } else {
        int sum = 0;
        (void)empty.arrive();
        for (int i = 0; i < n; i++) {
            full.arrive_and_wait();
            sum += x[threadIdx.x - 32] * (i + 1);
            if (i + 1 < n) (void)empty.arrive();
        }
        out[threadIdx.x - 32] = sum;
    }
}
extern "C" __global__ void async(int *out, const int *in) {
    __shared__ int tile[128];
    __shared__ barrier bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in + blockIdx.x * 128, cuda::aligned_size_t<16>(sizeof tile), bar);
    bar.arrive_and_wait();
    out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
    bar.arrive_and_drop();
}
