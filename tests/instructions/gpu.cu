// Runs every form on the GPU. Prints the line of results.txt for each and writes the
// results themselves, INPUT_RESULTS * INPUT_THREADS words each, to a file.
//   gpu FORMS RESULTS COUNT MODULE...     the modules that modules.c and ptxas made of FORMS, COUNT kernels each
#include "instructions.h"
#include <cstdlib>
#include <cuda_runtime.h>

int main(int argc, char **argv)
{
    static char line[1024], name[32], kinds[INPUT_OPERANDS + 1];
    static uint64_t in[INPUT_OPERANDS * INPUT_THREADS], out[INPUT_RESULTS * INPUT_THREADS];
    FILE *forms = argc > 4 ? fopen(argv[1], "r") : NULL, *results = argc > 4 ? fopen(argv[2], "wb") : NULL;
    if (!forms || !results)
        return 2;
    unsigned const in_module = (unsigned)atoi(argv[3]);
    uint64_t *d_in, *d_out, *d_scratch;
    if (cudaMalloc(&d_in, sizeof in) || cudaMalloc(&d_out, sizeof out) || cudaMalloc(&d_scratch, sizeof out))
        return 1;
    cudaLibrary_t library = NULL;
    for (unsigned at = 0; fgets(line, sizeof line, forms); at++) {
        line[strcspn(line, "\n")] = 0;
        if (at % in_module == 0) {
            cudaError_t error = at / in_module + 4 < (unsigned)argc
                                    ? cudaLibraryLoadFromFile(&library, argv[at / in_module + 4], 0, 0, 0, 0, 0, 0)
                                    : cudaErrorFileNotFound;
            if (error)
                return fprintf(stderr, "module %u: %s\n", at / in_module, cudaGetErrorString(error)), 1;
        }
        if (strncmp(kinds, line, INPUT_OPERANDS) != 0) {
            memcpy(kinds, line, INPUT_OPERANDS);
            input_fill(kinds, in);
            cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
        }
        cudaKernel_t kernel;
        snprintf(name, sizeof name, "k%u", at);
        void *arguments[3] = {&d_out, &d_in, &d_scratch};
        cudaError_t error = cudaLibraryGetKernel(&kernel, library, name);
        if (!error)
            error = cudaMemset(d_out, 0, sizeof out);
        if (!error)
            error = cudaLaunchKernel((const void *)kernel, dim3(INPUT_THREADS / INPUT_BLOCK), dim3(INPUT_BLOCK),
                                     arguments, 0, 0);
        if (!error)
            error = cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
        if (error)
            return fprintf(stderr, "%s: %s\n", line, cudaGetErrorString(error)), 1;
        printf("%016llx %s\n", (unsigned long long)result_hash(line, out), line);
        fwrite(out, sizeof out, 1, results);
    }
    return fclose(results) != 0;
}
