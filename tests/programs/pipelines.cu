// Barriers with arrival and wait apart, copies that run while the kernel computes, pipelines of a thread and of a block,
// groups of lanes by label, shuffles of large values.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

constexpr int THREADS = 128, STEPS = 6;

__global__ void arrive_and_wait_later(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int values[THREADS];
    int const i = threadIdx.x;
    if (i == 0)
        init(&bar, THREADS);
    __syncthreads();
    int sum = 0;
    for (int round = 1; round <= 3; round++) {
        values[i] = i * round;
        auto token = bar.arrive();
        sum += 1; // meanwhile
        bar.wait(std::move(token));
        sum += values[THREADS - 1 - i];
        bar.arrive_and_wait();
    }
    out[i] = sum;
}

__global__ void copy_by_barrier(const float4 *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float4 part[THREADS];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, part, in, sizeof part, bar);
    bar.arrive_and_wait();
    float4 const other = part[THREADS - 1 - threadIdx.x];
    out[threadIdx.x] = other.x + other.w;
}

// Each thread reads what it copied itself, two steps later.
__global__ void pipeline_of_a_thread(const int *in, int *out)
{
    __shared__ int stages[3][THREADS];
    auto pipe = cuda::make_pipeline();
    int sum = 0, begun = 0;
    for (int step = 0; step < STEPS; step++) {
        for (; begun < step + 3 && begun < STEPS; begun++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stages[begun % 3][threadIdx.x], in + begun * THREADS + threadIdx.x,
                               cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = sum * 3 + stages[step % 3][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// The first warp copies, the others add up.
__global__ void pipeline_of_a_block(const int *in, int *out)
{
    __shared__ int stages[2][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    bool const produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state,
                                    produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int step = 0; step < STEPS; step++)
        if (produces) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < THREADS; i += 32)
                cuda::memcpy_async(&stages[step % 2][i], in + step * THREADS + i, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = sum * 3 + stages[step % 2][THREADS - 1 - (threadIdx.x - 32)];
            pipe.consumer_release();
        }
    out[threadIdx.x] = sum;
}

__global__ void primitives(const int4 *in, int *out)
{
    __shared__ int4 part[THREADS];
    __pipeline_memcpy_async(&part[threadIdx.x], in + threadIdx.x, 16, threadIdx.x % 2 ? 4 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = part[threadIdx.x].x + part[threadIdx.x].w;
}

__global__ void labels(int *out)
{
    int const label = (int)threadIdx.x % 5;
    auto same = cg::labeled_partition(cg::coalesced_threads(), label);
    int const most = cg::reduce(same, (int)threadIdx.x, cg::greater<int>());
    struct big {
        int values[5];
    } const mine = {{label, 1, 2, 3, (int)threadIdx.x}};
    big const other = __shfl_sync(0xffffffff, mine, 7);
    out[threadIdx.x] = most * 1000 + same.size() * 100 + other.values[4] * 10 + other.values[0];
}

static int *out;
static void show(const char *name)
{
    cudaError_t const error = cudaDeviceSynchronize();
    printf("%s: %s, %d %d %d %d\n", name, cudaGetErrorName(error), out[0], out[31], out[32], out[THREADS - 1]);
}

int main()
{
    int *in;
    cudaMallocManaged(&in, STEPS * THREADS * sizeof *in);
    cudaMallocManaged(&out, THREADS * sizeof *out);
    for (int i = 0; i < STEPS * THREADS; i++)
        in[i] = i % 97;
    arrive_and_wait_later<<<1, THREADS>>>(out);
    show("barrier");
    pipeline_of_a_thread<<<1, THREADS>>>(in, out);
    show("thread");
    int wanted = 0;
    for (int step = 0; step < STEPS; step++)
        wanted = wanted * 3 + in[step * THREADS + 31];
    printf("wanted %d\n", wanted);
    pipeline_of_a_block<<<1, THREADS>>>(in, out);
    show("block");
    primitives<<<1, THREADS>>>((const int4 *)in, out);
    show("primitives");
    labels<<<1, 32>>>(out);
    show("labels");
    float *floats, *result;
    cudaMallocManaged(&floats, 4 * THREADS * sizeof *floats);
    cudaMallocManaged(&result, THREADS * sizeof *result);
    for (int i = 0; i < 4 * THREADS; i++)
        floats[i] = i;
    copy_by_barrier<<<1, THREADS>>>((const float4 *)floats, result);
    cudaDeviceSynchronize();
    printf("copy: %g %g\n", result[0], result[THREADS - 1]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(floats);
    cudaFree(result);
}
