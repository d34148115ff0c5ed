// Mistakes in copies and fills, and correct ones that look like them.
#include "cases.h"
#include <cstring>
#include <vector>

__global__ void twice(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2;
}

__global__ void letters(char *text, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        text[i] += 1;
}

static int const n = 1024;
static float host[n], back[n];
static float *device;

static void allocate()
{
    cudaMalloc(&device, n * sizeof(float));
    cudaMemset(device, 0, n * sizeof(float));
}

static void run()
{
    twice<<<n / 256, 256>>>(device, n);
    cudaDeviceSynchronize();
}

// ---- faulty ----

static void elements_up()
{
    allocate();
    cudaMemcpy(device, host, n, cudaMemcpyHostToDevice);
    run();
}

static void elements_down()
{
    allocate();
    run();
    cudaMemcpy(back, device, n, cudaMemcpyDeviceToHost);
}

static void elements_filled()
{
    allocate();
    cudaMemset(device, 0, n);
    run();
}

static void elements_of_a_name()
{
    int const count = 32 + 992;
    allocate();
    run();
    cudaMemcpy(back, device, count, cudaMemcpyDeviceToHost);
}

static void elements_as_a_number()
{
    allocate();
    run();
    cudaMemcpyAsync(back, device, 1024, cudaMemcpyDeviceToHost, 0);
}

static void elements_allocated()
{
    cudaMalloc(&device, n);
    cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice);
}

static void beyond()
{
    allocate();
    cudaMemcpy(device, host, n * sizeof(float) + 100, cudaMemcpyHostToDevice);
}

static void beyond_from_the_middle()
{
    allocate();
    cudaMemcpy(back, device + 100, n * sizeof(float), cudaMemcpyDeviceToHost);
}

static void beyond_by_a_fill()
{
    allocate();
    cudaMemset(device, 0, n * sizeof(double) - 8);
}

static void beyond_by_rows()
{
    size_t pitch;
    cudaMallocPitch(&device, &pitch, 100, 4);
    cudaMemcpy2D(device, pitch, host, 100, 100, 6, cudaMemcpyHostToDevice);
}

static void down_for_up()
{
    allocate();
    cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost);
}

static void arguments_swapped()
{
    allocate();
    run();
    cudaMemcpy(device, back, sizeof back, cudaMemcpyDeviceToHost);
}

static void within_for_up()
{
    allocate();
    cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToDevice);
}

static void host_for_down()
{
    allocate();
    cudaMemcpy(back, device, sizeof back, cudaMemcpyHostToHost);
}

static void freed_before_the_copy()
{
    allocate();
    run();
    cudaFree(device);
    cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
}

static void freed_before_the_fill()
{
    allocate();
    cudaFree(device);
    cudaMemset(device, 0, n);
}

static void repeated_in_a_loop()
{
    allocate();
    for (int i = 0; i < 5; i++)
        cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost);
}

// ---- correct ----

static void whole()
{
    size_t const bytes = n * sizeof(float);
    allocate();
    cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
    run();
    cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
    cudaFree(device);
}

static void a_quarter()
{
    allocate();
    run();
    cudaMemcpy(back, device, n / 4 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
}

static void in_four_parts()
{
    allocate();
    int const part = n * sizeof(float) / 4;
    for (int i = 0; i < 4; i++)
        cudaMemcpy((char *)device + i * part, (char *)host + i * part, part, cudaMemcpyHostToDevice);
    run();
    cudaFree(device);
}

static void the_first_element()
{
    cudaMalloc(&device, 4 * sizeof(float));
    cudaMemset(device, 0, 4 * sizeof(float));
    twice<<<1, 4>>>(device, 4);
    cudaMemcpy(back, device, 4, cudaMemcpyDeviceToHost);
    cudaFree(device);
}

static void letters_are_bytes()
{
    char *text, words[n];
    memset(words, 'a', n);
    cudaMalloc(&text, n);
    cudaMemcpy(text, words, n, cudaMemcpyHostToDevice);
    letters<<<4, 256>>>(text, n);
    cudaMemcpy(words, text, n, cudaMemcpyDeviceToHost);
    cudaFree(text);
}

static void size_of_a_vector()
{
    std::vector<float> values(n / 4, 1.0f);
    allocate();
    cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    run();
    cudaFree(device);
}

static void size_given_by_the_caller(int size)
{
    allocate();
    cudaMemcpy(device, host, size, cudaMemcpyHostToDevice);
    run();
    cudaFree(device);
}

static void a_given_size()
{
    size_given_by_the_caller(n);
}

static void by_default()
{
    allocate();
    cudaMemcpy(device, host, sizeof host, cudaMemcpyDefault);
    cudaMemcpy(back, device, sizeof back, cudaMemcpyDefault);
    cudaFree(device);
}

static void managed_in_any_direction()
{
    float *shared;
    cudaMallocManaged(&shared, n * sizeof(float));
    cudaMemcpy(shared, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(back, shared, sizeof back, cudaMemcpyDeviceToHost);
    cudaMemcpy(back, shared, sizeof back, cudaMemcpyHostToHost);
    cudaFree(shared);
}

static void from_the_middle()
{
    allocate();
    cudaMemcpy(back, device + 100, (n - 100) * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
}

static void all_rows()
{
    size_t pitch;
    cudaMallocPitch(&device, &pitch, 100, 4);
    cudaMemcpy2D(device, pitch, host, 100, 100, 4, cudaMemcpyHostToDevice);
    cudaMemcpy2D(back, 100, device, pitch, 100, 4, cudaMemcpyDeviceToHost);
    cudaFree(device);
}

static void nothing()
{
    allocate();
    cudaMemcpy(back, device, 0, cudaMemcpyDeviceToHost);
    cudaFree(device);
}

// ---- faulty: no type has two bytes here ----

static void twice_as_much()
{
    allocate();
    cudaMemcpy(device, host, 2 * n * sizeof(float), cudaMemcpyHostToDevice);
}

static const a_case faulty[] = {CASE(elements_up),
                               CASE(elements_down),
                               CASE(elements_filled),
                               CASE(elements_of_a_name),
                               CASE(elements_as_a_number),
                               CASE(elements_allocated),
                               CASE(beyond),
                               CASE(beyond_from_the_middle),
                               CASE(beyond_by_a_fill),
                               CASE(beyond_by_rows),
                               CASE(down_for_up),
                               CASE(arguments_swapped),
                               CASE(within_for_up),
                               CASE(host_for_down),
                               CASE(freed_before_the_copy),
                               CASE(freed_before_the_fill),
                               CASE(repeated_in_a_loop),
                               CASE(twice_as_much)};
static const a_case correct[] = {CASE(whole),
                                CASE(a_quarter),
                                CASE(in_four_parts),
                                CASE(the_first_element),
                                CASE(letters_are_bytes),
                                CASE(size_of_a_vector),
                                CASE(a_given_size),
                                CASE(by_default),
                                CASE(managed_in_any_direction),
                                CASE(from_the_middle),
                                CASE(all_rows),
                                CASE(nothing)};

MAIN(faulty, correct)
