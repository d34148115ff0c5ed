// Mistakes in launches, and correct ones that look like them.
#include "cases.h"
#include <cstring>
#include <vector>

__global__ void twice(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2;
}

__global__ void count_up(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

__global__ void count_up_by_fours(int *out, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = 0; k < 4; k++)
        if (i + k < n)
            out[i + k] = i + k;
}

__global__ void count_up_striding(int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = i;
}

__global__ void add_if_there(float *data, const float *more, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && more)
        data[i] += more[i];
}

__global__ void only_even(int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0)
        out[atomicAdd(count, 1)] = i;
}

__global__ void with_shared(int *out)
{
    extern __shared__ int part[];
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(128) bounded(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static int const n = 1000;
static float host[n];
static int back[n];

static float *floats()
{
    float *data;
    cudaMalloc(&data, n * sizeof(float));
    cudaMemset(data, 0, n * sizeof(float));
    return data;
}

static int *integers()
{
    int *out;
    cudaMalloc(&out, n * sizeof(int));
    return out;
}

static void finish(int *out)
{
    cudaMemcpy(back, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
}

// ---- faulty ----

static void array_of_the_host()
{
    twice<<<4, 256>>>(host, n);
    cudaDeviceSynchronize();
}

static void vector_of_the_host()
{
    std::vector<float> values(n);
    twice<<<4, 256>>>(values.data(), n);
    cudaDeviceSynchronize();
}

static void pointer_without_memory()
{
    float *never = (float *)0x123450;
    twice<<<4, 256>>>(never, n);
    cudaDeviceSynchronize();
}

static void freed_before_the_launch()
{
    float *data = floats();
    cudaFree(data);
    twice<<<4, 256>>>(data, n);
    cudaDeviceSynchronize();
}

static void no_blocks()
{
    float *data = floats();
    int const few = 100;
    twice<<<few / 256, 256>>>(data, few);
    cudaFree(data);
}

static void no_threads()
{
    float *data = floats();
    twice<<<4, 0>>>(data, n);
    cudaFree(data);
}

static void two_thousand_threads()
{
    float *data = floats();
    twice<<<1, 2000>>>(data, n);
    cudaFree(data);
}

static void square_block()
{
    float *data = floats();
    twice<<<1, dim3(64, 64)>>>(data, n);
    cudaFree(data);
}

static void swapped_and_refused()
{
    float *data = floats();
    twice<<<256, 4000>>>(data, n);
    cudaFree(data);
}

static void deep_block()
{
    float *data = floats();
    twice<<<1, dim3(1, 1, 100)>>>(data, n);
    cudaFree(data);
}

static void tall_grid()
{
    float *data = floats();
    twice<<<dim3(1, 70000), 32>>>(data, n);
    cudaFree(data);
}

static void beyond_launch_bounds()
{
    int *out = integers();
    bounded<<<1, 256>>>(out);
    cudaFree(out);
}

static void much_shared_memory()
{
    int *out = integers();
    with_shared<<<1, 256, 100000>>>(out);
    cudaFree(out);
}

static void swapped_names()
{
    int const threads = 250, blocks = 4;
    int *out = integers();
    count_up<<<threads, blocks>>>(out, n);
    finish(out);
}

static void swapped_dimensions()
{
    dim3 grid(5), block(200);
    int *out = integers();
    count_up<<<block, grid>>>(out, n);
    finish(out);
}

static void rounded_down()
{
    int *out = integers();
    count_up<<<n / 256, 256>>>(out, n);
    finish(out);
}

static void one_block()
{
    int *out = integers();
    count_up<<<1, 512>>>(out, n);
    finish(out);
}

static void too_few_by_fours()
{
    int *out = integers();
    count_up_by_fours<<<1, 128>>>(out, n);
    finish(out);
}

// ---- correct ----

static void pinned_memory()
{
    float *data;
    cudaMallocHost(&data, n * sizeof(float));
    memset(data, 0, n * sizeof(float));
    twice<<<4, 256>>>(data, n);
    cudaDeviceSynchronize();
    cudaFreeHost(data);
}

static void registered_memory()
{
    cudaHostRegister(host, sizeof host, 0);
    twice<<<4, 256>>>(host, n);
    cudaDeviceSynchronize();
    cudaHostUnregister(host);
}

static void null_that_is_not_used()
{
    float *data = floats();
    add_if_there<<<4, 256>>>(data, nullptr, n);
    cudaDeviceSynchronize();
    cudaFree(data);
}

static void host_pointer_that_is_not_used()
{
    float *data = floats();
    add_if_there<<<4, 256>>>(data, host, 0);
    cudaDeviceSynchronize();
    cudaFree(data);
}

static void rounded_up()
{
    int *out = integers();
    count_up<<<(n + 255) / 256, 256>>>(out, n);
    finish(out);
}

static void one_block_that_strides()
{
    int *out = integers();
    count_up_striding<<<1, 128>>>(out, n);
    finish(out);
}

static void enough_by_fours()
{
    int *out = integers();
    count_up_by_fours<<<2, 128>>>(out, n);
    finish(out);
}

static void one_thousand_and_twenty_four_threads()
{
    int *out = integers();
    count_up<<<1, 1024>>>(out, n);
    finish(out);
}

static void deepest_block()
{
    int *out = integers();
    count_up<<<1000, dim3(1, 1, 64)>>>(out, n);
    finish(out);
}

static void part_of_the_output()
{
    int *out = integers(), *count, even;
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    only_even<<<4, 256>>>(out, count, n);
    cudaMemcpy(&even, count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(back, out, even * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(count);
    cudaFree(out);
}

static void allowed_shared_memory()
{
    int *out = integers();
    cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    with_shared<<<1, 256, 100000>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}

static void within_launch_bounds()
{
    int *out = integers();
    bounded<<<2, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}

static void names_in_order()
{
    int const threadsPerBlock = 250, blocksPerGrid = 4;
    int *out = integers();
    count_up<<<blocksPerGrid, threadsPerBlock>>>(out, n);
    finish(out);
}

static void as_many_blocks_as_threads()
{
    int const numBlocks = 32, numThreads = 32;
    int *out = integers();
    count_up<<<numBlocks, numThreads>>>(out, n);
    finish(out);
}

static void blocks_of_threads_by_division()
{
    int const threads = n, block = 250;
    int *out = integers();
    count_up<<<threads / block, block>>>(out, n);
    finish(out);
}

static const a_case faulty[] = {CASE(array_of_the_host),
                               CASE(vector_of_the_host),
                               CASE(pointer_without_memory),
                               CASE(freed_before_the_launch),
                               CASE(no_blocks),
                               CASE(no_threads),
                               CASE(two_thousand_threads),
                               CASE(square_block),
                               CASE(swapped_and_refused),
                               CASE(deep_block),
                               CASE(tall_grid),
                               CASE(beyond_launch_bounds),
                               CASE(much_shared_memory),
                               CASE(swapped_names),
                               CASE(swapped_dimensions),
                               CASE(rounded_down),
                               CASE(one_block),
                               CASE(too_few_by_fours)};
static const a_case correct[] = {CASE(pinned_memory),
                                CASE(registered_memory),
                                CASE(null_that_is_not_used),
                                CASE(host_pointer_that_is_not_used),
                                CASE(rounded_up),
                                CASE(one_block_that_strides),
                                CASE(enough_by_fours),
                                CASE(one_thousand_and_twenty_four_threads),
                                CASE(deepest_block),
                                CASE(part_of_the_output),
                                CASE(allowed_shared_memory),
                                CASE(within_launch_bounds),
                                CASE(names_in_order),
                                CASE(as_many_blocks_as_threads),
                                CASE(blocks_of_threads_by_division)};

MAIN(faulty, correct)
