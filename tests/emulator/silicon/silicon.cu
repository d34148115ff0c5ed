// Runs every form of forms.txt on the GPU: a hash of the results for each on standard output (silicon.txt), the results
// themselves in the file named by the first argument.
//   nvcc -o silicon silicon.cu -lcuda && ./silicon results.bin < forms.txt > silicon.txt
#include "silicon.h"
#include <cuda.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char line[1024], text[8192];
    static uint64_t in[3 * SILICON_COUNT], out[SILICON_COUNT];
    FILE *results = argc > 1 ? fopen(argv[1], "wb") : NULL;
    CUdevice device;
    CUcontext context;
    CUdeviceptr d_in, d_out;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cuMemAlloc(&d_in, sizeof in);
    cuMemAlloc(&d_out, sizeof out);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        memset(out, 0, sizeof out);
        if (line[0] == '#')
            continue;
        CUmodule module;
        CUfunction function;
        silicon_ptx(text, sizeof text, line[2], line + 4);
        silicon_inputs(line[0], in);
        cuMemcpyHtoD(d_in, in, sizeof in);
        cuMemsetD8(d_out, 0, sizeof out);
        void *arguments[2] = {&d_out, &d_in};
        if (cuModuleLoadData(&module, text) == CUDA_SUCCESS && cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS &&
            cuLaunchKernel(function, (SILICON_COUNT + 63) / 64, 1, 1, 64, 1, 1, 0, 0, arguments, NULL) == CUDA_SUCCESS &&
            cuMemcpyDtoH(out, d_out, sizeof out) == CUDA_SUCCESS) {
            printf("%016llx %s\n", (unsigned long long)silicon_hash(out), line);
            cuModuleUnload(module);
        } else {
            printf("refused %s\n", line);
        }
        if (results)
            fwrite(out, sizeof out, 1, results);
    }
    return 0;
}
