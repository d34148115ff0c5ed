// Mistakes with memory, synchronisation and errors, and correct programs that look like them.
#include "cases.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

__global__ void count_up(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

__global__ void talk()
{
    printf("thread %d\n", threadIdx.x);
}

static int const n = 1000;
static size_t const bytes = n * sizeof(int);
static volatile int seen;

static int *device()
{
    int *out;
    cudaMalloc(&out, bytes);
    cudaMemset(out, 0, bytes);
    return out;
}

static int *managed()
{
    int *out;
    cudaMallocManaged(&out, bytes);
    return out;
}

static int *pinned()
{
    int *out;
    cudaMallocHost(&out, bytes);
    return out;
}

static void launch(int *out)
{
    count_up<<<4, 256>>>(out, n);
}

// ---- faulty ----

static void freed_twice()
{
    int *out = device();
    cudaFree(out);
    cudaFree(out);
}

static void freed_through_two_names()
{
    int *out = device(), *same = out;
    cudaFree(out);
    cudaFree(same);
}

static void freed_inside()
{
    int *out = device();
    cudaFree(out + 10);
}

static void freed_host_memory()
{
    int *out = (int *)malloc(bytes);
    cudaFree(out);
    free(out);
}

static void pinned_freed_as_device()
{
    cudaFree(pinned());
}

static void device_freed_as_pinned()
{
    cudaFreeHost(device());
}

static void leaked()
{
    launch(device());
    cudaDeviceSynchronize();
}

static void leaked_in_a_loop()
{
    for (int i = 0; i < 3; i++)
        device();
}

static void leaked_pinned()
{
    pinned();
}

static void device_read()
{
    int *out = device();
    seen = out[3];
}

static void device_written()
{
    int *out = device();
    for (int i = 0; i < n; i++)
        out[i] = i;
}

static void device_written_by_memcpy()
{
    int *out = device(), values[4] = {0}; // one vector: a longer memcpy may begin anywhere
    memcpy(out, values, sizeof values + seen);
}

static void device_filled_by_a_template()
{
    int *out = device();
    std::fill(out, out + n, 1);
}

static void device_freed_by_free()
{
    int *out = device();
    free(out);
}

static void managed_used_after_free()
{
    int *out = managed();
    cudaFree(out);
    seen = out[7];
}

static void pinned_used_after_free()
{
    int *out = pinned();
    cudaFreeHost(out);
    out[7] = 1;
}

static void managed_read_early()
{
    int *out = managed();
    launch(out);
    seen = out[5];
    cudaFree(out);
}

static void managed_written_early()
{
    int *out = managed();
    launch(out);
    launch(out);
    out[9] = 4;
    cudaFree(out);
}

static void pinned_read_early()
{
    int *out = device(), *host = pinned();
    cudaMemcpyAsync(host, out, bytes, cudaMemcpyDeviceToHost, 0);
    launch(out);
    seen = host[1];
    cudaFree(out);
    cudaFreeHost(host);
}

static void pinned_written_early()
{
    int *out = device(), *host = pinned();
    memset(host, 0, bytes);
    cudaMemcpyAsync(out, host, bytes, cudaMemcpyHostToDevice, 0);
    host[2] = 1;
    cudaFree(out);
    cudaFreeHost(host);
}

static void time_read_early()
{
    cudaEvent_t start, stop;
    float time;
    int *out = device();
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    launch(out);
    cudaEventRecord(stop);
    cudaEventElapsedTime(&time, start, stop);
    cudaFree(out);
}

static void free_in_a_host_function()
{
    int *out;
    cudaMalloc(&out, bytes);
    cudaLaunchHostFunc(nullptr, [](void *pointer) { cudaFree(pointer); }, out);
    cudaDeviceSynchronize();
    cudaFree(out);
}

static void allocation_failed_unseen()
{
    int *out;
    cudaMalloc(&out, (size_t)1 << 45);
    launch(out);
    cudaDeviceSynchronize();
}

static void no_such_device()
{
    int *out;
    cudaSetDevice(3);
    cudaMalloc(&out, bytes);
    cudaFree(out);
}

static void the_first_of_two()
{
    cudaEvent_t never = nullptr;
    cudaEventRecord(never, 0);
    cudaSetDevice(3);
}

static void output_lost()
{
    talk<<<1, 4>>>();
}

// ---- correct ----

static void freed_once()
{
    int *out = device();
    launch(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}

static void freed_and_allocated_again()
{
    int *out = device();
    cudaFree(out);
    out = device();
    cudaFree(out);
}

static void freed_null()
{
    cudaFree(nullptr);
    cudaFreeHost(nullptr);
}

static void freed_by_a_reset()
{
    device();
    cudaDeviceReset();
}

static struct owner {
    int *memory = nullptr;
    ~owner()
    {
        cudaFree(memory);
    }
} owner;

static void freed_by_a_destructor()
{
    owner.memory = device();
}

static void managed_after_synchronization()
{
    int *out = managed();
    out[0] = 1;
    launch(out);
    cudaDeviceSynchronize();
    seen = out[5];
    cudaFree(out);
}

static void managed_that_no_launch_uses()
{
    int *out = managed(), *other = managed();
    launch(out);
    other[0] = 1;
    seen = other[0];
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(other);
}

static void pinned_after_its_stream()
{
    cudaStream_t stream;
    int *out = device(), *host = pinned();
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(host, out, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    seen = host[1];
    cudaStreamDestroy(stream);
    cudaFree(out);
    cudaFreeHost(host);
}

static void pinned_part_that_is_done()
{
    int *out = device(), *host = pinned();
    cudaMemcpyAsync(host, out, bytes / 2, cudaMemcpyDeviceToHost, 0);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(host + n / 2, out + n / 2, bytes / 2, cudaMemcpyDeviceToHost, 0);
    seen = host[1];
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFreeHost(host);
}

static void pinned_read_while_it_is_sent()
{
    int *out = device(), *host = pinned();
    memset(host, 0, bytes);
    cudaMemcpyAsync(out, host, bytes, cudaMemcpyHostToDevice, 0);
    seen = host[2];
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFreeHost(host);
}

static void time_after_synchronization()
{
    cudaEvent_t start, stop;
    float time;
    int *out = device();
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    launch(out);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&time, start, stop);
    cudaFree(out);
}

static void free_behind_a_host_function()
{
    static bool told;
    int *out;
    cudaMalloc(&out, bytes);
    cudaLaunchHostFunc(nullptr, [](void *) { told = cudaPeekAtLastError() == cudaSuccess; }, nullptr);
    cudaDeviceSynchronize();
    if (told)
        cudaFree(out);
}

static void smaller_when_it_fails()
{
    int *out;
    if (cudaMalloc(&out, (size_t)1 << 45) != cudaSuccess)
        cudaMalloc(&out, bytes);
    cudaFree(out);
}

static void error_in_a_variable()
{
    cudaError_t error;
    error = cudaSetDevice(3);
    printf("%s\n", cudaGetErrorString(error));
}

static void error_asked_for_later()
{
    cudaSetDevice(3);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

#define TRY(call)                                                                                                      \
    if ((call) != cudaSuccess)                                                                                         \
    puts(#call)

static void error_in_a_macro()
{
    TRY(cudaSetDevice(3));
}

static void output_shown()
{
    talk<<<1, 4>>>();
    cudaDeviceSynchronize();
}

static void output_shown_by_a_copy()
{
    int *out = device();
    talk<<<1, 2>>>();
    int first;
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    cudaFree(out);
}

static const a_case faulty[] = {CASE(freed_twice),
                               CASE(freed_through_two_names),
                               CASE(freed_inside),
                               CASE(freed_host_memory),
                               CASE(pinned_freed_as_device),
                               CASE(device_freed_as_pinned),
                               CASE(leaked),
                               CASE(leaked_in_a_loop),
                               CASE(leaked_pinned),
                               CASE(device_read),
                               CASE(device_written),
                               CASE(device_written_by_memcpy),
                               CASE(device_filled_by_a_template),
                               CASE(device_freed_by_free),
                               CASE(managed_used_after_free),
                               CASE(pinned_used_after_free),
                               CASE(managed_read_early),
                               CASE(managed_written_early),
                               CASE(pinned_read_early),
                               CASE(pinned_written_early),
                               CASE(time_read_early),
                               CASE(free_in_a_host_function),
                               CASE(allocation_failed_unseen),
                               CASE(no_such_device),
                               CASE(the_first_of_two),
                               CASE(output_lost)};
static const a_case correct[] = {CASE(freed_once),
                                CASE(freed_and_allocated_again),
                                CASE(freed_null),
                                CASE(freed_by_a_reset),
                                CASE(freed_by_a_destructor),
                                CASE(managed_after_synchronization),
                                CASE(managed_that_no_launch_uses),
                                CASE(pinned_after_its_stream),
                                CASE(pinned_part_that_is_done),
                                CASE(pinned_read_while_it_is_sent),
                                CASE(time_after_synchronization),
                                CASE(free_behind_a_host_function),
                                CASE(smaller_when_it_fails),
                                CASE(error_in_a_variable),
                                CASE(error_asked_for_later),
                                CASE(error_in_a_macro),
                                CASE(output_shown),
                                CASE(output_shown_by_a_copy)};

MAIN(faulty, correct)
