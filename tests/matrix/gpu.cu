// Runs every form on the GPU. Prints the line of results.txt for each. Writes the results of the first blocks, at most
// KEEP of them, 32 * 32 words each, to a file.
//   gpu FORMS RESULTS KEEP COUNT MODULE...     the modules that modules.c and ptxas made of FORMS, COUNT kernels each
#include "matrix.h"
#include <cuda_runtime.h>

int main(int argc, char **argv)
{
    static char line[1024], name[32];
    FILE *forms = argc > 5 ? fopen(argv[1], "r") : NULL, *results = argc > 5 ? fopen(argv[2], "wb") : NULL;
    if (!forms || !results)
        return 2;
    unsigned const keep = (unsigned)atoi(argv[3]), in_module = (unsigned)atoi(argv[4]);
    size_t const most = (size_t)BLOCK_WORDS * 4 * 1024;
    uint32_t *in = (uint32_t *)malloc(most), *out = (uint32_t *)malloc(most), *d_in, *d_out;
    if (!in || !out || cudaMalloc(&d_in, most) || cudaMalloc(&d_out, most))
        return 1;
    cudaLibrary_t library = NULL;
    char kinds[4] = "";
    unsigned filled = 0;
    for (unsigned at = 0; fgets(line, sizeof line, forms); at++) {
        struct form form;
        line[strcspn(line, "\n")] = 0;
        if (!form_read(line, &form))
            return 2;
        if (at % in_module == 0) {
            cudaError_t error = at / in_module + 5 < (unsigned)argc
                                    ? cudaLibraryLoadFromFile(&library, argv[at / in_module + 5], 0, 0, 0, 0, 0, 0)
                                    : cudaErrorFileNotFound;
            if (error)
                return fprintf(stderr, "module %u: %s\n", at / in_module, cudaGetErrorString(error)), 1;
        }
        size_t const size = (size_t)BLOCK_WORDS * 4 * form.blocks;
        if (strcmp(kinds, form.kinds) != 0 || filled < form.blocks) {
            strcpy(kinds, form.kinds);
            filled = form.blocks;
            input_fill(kinds, form.blocks, in);
            cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice);
        }
        cudaKernel_t kernel;
        snprintf(name, sizeof name, "k%u", at);
        void *arguments[2] = {&d_out, &d_in};
        cudaError_t error = cudaLibraryGetKernel(&kernel, library, name);
        if (!error)
            error = cudaMemset(d_out, 0, size);
        if (!error)
            error = cudaLaunchKernel((const void *)kernel, dim3(form.blocks), dim3(LANES), arguments, 0, 0);
        if (!error)
            error = cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);
        if (error)
            return fprintf(stderr, "%s: %s\n", line, cudaGetErrorString(error)), 1;
        printf("%016llx %s\n", (unsigned long long)result_hash(out, size / 4), line);
        fwrite(out, BLOCK_WORDS * 4, form.blocks < keep ? form.blocks : keep, results);
    }
    return fclose(results) != 0;
}
