/* A program's kernels and variables, registered as compiled host code does it. */
#ifndef LANESCOPE_TESTS_CUDART_HELPER_H
#define LANESCOPE_TESTS_CUDART_HELPER_H
#include "cudart/calls/api.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PTX_HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"

/* The block of bytes that `lanescope build` writes, for a source without text. It lives as long as the process. */
static inline void **registered(const char *ptx)
{
    struct wrapper {
        int magic, version;
        char *data;
        void *unused;
    };
    size_t const size = strlen(ptx) + 100;
    struct wrapper wrapper = {.data = malloc(size)};
    snprintf(wrapper.data, size, "lanescope program 1 0 %zu\ntest.cu\nclang\n%s", strlen(ptx), ptx);
    return __cudaRegisterFatBinary(&wrapper);
}

/* host: the address that the program knows the kernel by. */
static inline void registered_kernel(void **module, const char *host, const char *name)
{
    __cudaRegisterFunction(module, host, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static inline cudaError_t launched(const char *host, struct dim3 grid, struct dim3 block, void **arguments)
{
    return cudaLaunchKernel(host, grid, block, arguments, 0, NULL);
}
#endif
