// Runs every kernel of features.ptx and both of math.ptx on the GPU. Prints the lines of features.txt: the name or
// number of each kernel or function, and a hash of its results. The results themselves go to a third file.
//   nvcc -o features_gpu features_gpu.cu && ./features_gpu features.ptx math.ptx results.bin >features.txt
#include "features.h"
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

static cudaError_t launch(cudaKernel_t kernel, unsigned blocks, unsigned threads, const void *in, size_t in_size, int n,
                          std::vector<char> &results)
{
    void *d_out, *d_in, *arguments[3] = {&d_out, &d_in, &n};
    cudaError_t error = cudaMalloc(&d_out, results.size());
    if (!error)
        error = cudaMalloc(&d_in, in_size + 8);
    if (!error)
        error = cudaMemset(d_out, 0, results.size());
    if (!error && in)
        error = cudaMemcpy(d_in, in, in_size, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaLaunchKernel((const void *)kernel, dim3(blocks), dim3(threads), arguments, 0, 0);
    if (!error)
        error = cudaMemcpy(results.data(), d_out, results.size(), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    return error;
}

static cudaError_t run_features(const char *path, FILE *file)
{
    cudaLibrary_t library;
    unsigned count = 0;
    const char *name;
    cudaError_t error = cudaLibraryLoadFromFile(&library, path, 0, 0, 0, 0, 0, 0);
    if (!error)
        error = cudaLibraryGetKernelCount(&count, library);
    std::vector<cudaKernel_t> kernels(count);
    if (!error)
        error = cudaLibraryEnumerateKernels(kernels.data(), count, library);
    for (unsigned i = 0; i < count && !error; i++) {
        std::vector<char> results(8 * FEATURE_WORDS);
        error = launch(kernels[i], FEATURE_BLOCKS, FEATURE_THREADS, NULL, 0, 0, results);
        if (!error)
            error = cudaFuncGetName(&name, (const void *)kernels[i]);
        if (!error)
            printf("%016llx %s\n", (unsigned long long)feature_hash(results.data(), FEATURE_WORDS), name);
        fprintf(file, "%-64s", name);
        fwrite(results.data(), results.size(), 1, file);
    }
    return error;
}

static cudaError_t run_math(const char *path, FILE *file)
{
    static double pairs[2 * MATH_INPUTS];
    static float singles[2 * MATH_INPUTS];
    math_fill(pairs);
    for (unsigned i = 0; i < 2 * MATH_INPUTS; i++)
        singles[i] = (float)pairs[i];
    cudaLibrary_t library;
    cudaError_t error = cudaLibraryLoadFromFile(&library, path, 0, 0, 0, 0, 0, 0);
    for (unsigned wide = 0; wide < 2 && !error; wide++) {
        cudaKernel_t kernel;
        size_t words = MATH_INPUTS * (wide ? 8 : 4) / 8, functions = wide ? MATH_DOUBLES : MATH_SINGLES;
        std::vector<char> results(8 * words * functions);
        error = cudaLibraryGetKernel(&kernel, library, wide ? "doubles" : "singles");
        if (!error)
            error = launch(kernel, MATH_INPUTS / MATH_THREADS, MATH_THREADS, wide ? (void *)pairs : (void *)singles,
                           wide ? sizeof pairs : sizeof singles, MATH_INPUTS, results);
        for (unsigned f = 0; f < functions && !error; f++)
            printf("%016llx %s %u\n", (unsigned long long)feature_hash(results.data() + 8 * words * f, words),
                   wide ? "doubles" : "singles", f);
        fwrite(results.data(), results.size(), 1, file);
    }
    return error;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 4 ? fopen(argv[3], "wb") : NULL;
    if (!file)
        return 2;
    cudaError_t error = run_features(argv[1], file);
    if (!error)
        error = run_math(argv[2], file);
    if (error)
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return fclose(file) != 0 || error != cudaSuccess;
}
