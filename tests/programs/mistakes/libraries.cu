// Mistakes in the memory that a library's call is given, and correct calls.
#include "cases.h"
#include <curand.h>

static int const n = 1000;

static void fill(float *memory, size_t count)
{
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    if (curandGenerateUniform(generator, memory, count) != CURAND_STATUS_SUCCESS)
        fprintf(stderr, "no numbers\n");
    curandDestroyGenerator(generator);
}

// ---- faulty ----

static void beyond()
{
    float *memory;
    cudaMalloc(&memory, n);
    fill(memory, n);
    cudaFree(memory);
}

static void host_pointer()
{
    static float memory[n];
    fill(memory, n);
}

static void freed()
{
    float *memory;
    cudaMalloc(&memory, n * sizeof *memory);
    cudaFree(memory);
    fill(memory, n);
}

// ---- correct ----

static void device()
{
    float *memory;
    cudaMalloc(&memory, n * sizeof *memory);
    fill(memory + 1, n - 1);
    cudaFree(memory);
}

static void managed()
{
    float *memory;
    cudaMallocManaged(&memory, n * sizeof *memory);
    fill(memory, n);
    cudaFree(memory);
}

static const a_case faulty[] = {CASE(beyond), CASE(host_pointer), CASE(freed)};
static const a_case correct[] = {CASE(device), CASE(managed)};
MAIN(faulty, correct)
