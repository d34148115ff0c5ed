/* Modules, buffers and launches through the runtime API: cudaLibraryLoadData gives PTX to the driver's compiler, and a
 * cudaKernel_t starts like any kernel, so that events time it. */
#include "cuda/gpu.h"
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool gpu_load(const char *ptx, const char *kernel, uint32_t threads, struct gpu_module *module, struct error *error)
{
    char log[2048] = "";
    uint32_t const registers_of_a_block = 65536, most = 255, step = 8;
    uint32_t const fit = threads ? registers_of_a_block / ((threads + 31) / 32 * 32) / step * step : most;
    enum cudaJitOption options[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes, cudaJitMaxRegisters};
    void *values[] = {log, (void *)sizeof log, (void *)(uintptr_t)(fit < most ? fit : most)};
    cudaLibrary_t library = NULL;
    cudaKernel_t found = NULL;
    cudaError_t code = cudaLibraryLoadData(&library, ptx, options, values, threads ? 3 : 2, NULL, NULL, 0);
    *module = (struct gpu_module){.library = library};
    if (code == cudaSuccess)
        code = cudaLibraryGetKernel(&found, library, kernel);
    module->kernel = found;
    if (code == cudaSuccess)
        return true;
    gpu_unload(module);
    log[strcspn(log, "\n")] = '\0';
    if (code == cudaErrorInvalidPtx && log[0])
        return error_set(error, ERROR_INPUT, "the GPU's driver refuses the PTX of %s: %.300s", kernel, log);
    return gpu_failed((int)code, "loading the kernel", error);
}

void gpu_unload(struct gpu_module *module)
{
    if (module->library)
        cudaLibraryUnload(module->library);
    *module = (struct gpu_module){0};
}

bool gpu_allocate(uint64_t bytes, const char *what, uint64_t *address, struct error *error)
{
    void *memory = NULL;
    cudaError_t const code = cudaMalloc(&memory, bytes ? bytes : 1);
    *address = (uint64_t)(uintptr_t)memory;
    if (code == cudaSuccess)
        return true;
    *address = 0;
    size_t available = 0, total = 0;
    cudaGetLastError();
    if (code != cudaErrorMemoryAllocation || cudaMemGetInfo(&available, &total) != cudaSuccess)
        return gpu_failed((int)code, what, error);
    error_set(error, ERROR_MISSING, "the GPU has no room for %s: %" PRIu64 " MiB wanted, %zu of %zu MiB free", what,
              (bytes >> 20) + 1, available >> 20, total >> 20);
    return error_remedy(error, "choose a smaller size, or close other programs that use the GPU");
}

void gpu_release(uint64_t address)
{
    if (address)
        cudaFree((void *)(uintptr_t)address);
}

static bool check_arguments(const struct ptx_function *kernel, const struct launch *launch, struct error *error)
{
    if (launch->argument_count != kernel->parameter_count)
        return error_set(error, ERROR_INPUT, "kernel %s takes %" PRIu32 " arguments, %" PRIu32 " were given",
                         kernel->name, kernel->parameter_count, launch->argument_count);
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        if (argument->is_buffer && argument->buffer >= launch->buffer_count)
            return error_set(error, ERROR_INPUT, "argument %" PRIu32 " of kernel %s names a buffer that is not there",
                             i, kernel->name);
        size_t const size = argument->is_buffer ? sizeof(uint64_t) : ptx_type_size(argument->type);
        if (size < kernel->parameters[i].size)
            return error_set(error, ERROR_INPUT, "argument %" PRIu32 " of kernel %s needs %zu bytes, %zu were given", i,
                             kernel->name, kernel->parameters[i].size, size);
    }
    return true;
}

bool gpu_check_launch(const struct ptx_program *program, const struct launch *launch,
                      const struct ptx_function **kernel, struct error *error)
{
    *kernel = ptx_kernel(program, launch->kernel);
    if (!*kernel)
        return error_set(error, ERROR_INPUT, "there is no kernel %s", launch->kernel ? launch->kernel : "to run");
    for (unsigned i = 0; i < 3; i++)
        if (!launch->grid[i] || !launch->block[i])
            return error_set(error, ERROR_INPUT, "a grid and a block need at least 1 in each direction");
    if ((uint64_t)launch->block[0] * launch->block[1] * launch->block[2] > 1024)
        return error_set(error, ERROR_INPUT,
                         "a block of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " threads is too large: at most 1024",
                         launch->block[0], launch->block[1], launch->block[2]);
    return check_arguments(*kernel, launch, error);
}

static size_t bytes_of(const struct launch_buffer *buffer)
{
    return buffer->count * ptx_type_size(buffer->type);
}

bool gpu_arguments_new(const struct launch *launch, struct gpu_arguments *arguments, struct error *error)
{
    *arguments = (struct gpu_arguments){.buffer_count = launch->buffer_count};
    arguments->addresses = arena_array(&arguments->arena, uint64_t, launch->buffer_count);
    arguments->pointers = arena_array(&arguments->arena, void *, launch->argument_count + 1);
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
        const struct launch_buffer *buffer = &launch->buffers[i];
        if (!gpu_allocate(bytes_of(buffer), buffer->name ? buffer->name : "a buffer", &arguments->addresses[i], error))
            return false;
        cudaError_t const code = cudaMemcpy((void *)(uintptr_t)arguments->addresses[i], buffer->data, bytes_of(buffer),
                                            cudaMemcpyHostToDevice);
        if (code != cudaSuccess)
            return gpu_failed((int)code, "copying the buffers to the GPU", error);
    }
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        uint64_t *bits = arena_new(&arguments->arena, uint64_t);
        *bits = argument->is_buffer ? arguments->addresses[argument->buffer] : argument->bits;
        arguments->pointers[i] = bits; /* little-endian: a scalar is in its low bytes */
    }
    return true;
}

bool gpu_arguments_read(const struct launch *launch, const struct gpu_arguments *arguments, struct error *error)
{
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
        const struct launch_buffer *buffer = &launch->buffers[i];
        if (buffer->read_only)
            continue;
        cudaError_t const code = cudaMemcpy(buffer->data, (void *)(uintptr_t)arguments->addresses[i], bytes_of(buffer),
                                            cudaMemcpyDeviceToHost);
        if (code != cudaSuccess)
            return gpu_failed((int)code, "copying the results from the GPU", error);
    }
    return true;
}

void gpu_arguments_free(struct gpu_arguments *arguments)
{
    for (uint32_t i = 0; arguments->addresses && i < arguments->buffer_count; i++)
        gpu_release(arguments->addresses[i]);
    arena_free(&arguments->arena);
    *arguments = (struct gpu_arguments){0};
}

bool gpu_start(void *kernel, const struct launch *launch, void **pointers, struct error *error)
{
    size_t const without_asking = 48 << 10;
    cudaError_t code = cudaSuccess;
    if (launch->shared_bytes > without_asking)
        code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)launch->shared_bytes);
    if (code != cudaSuccess) {
        cudaGetLastError();
        error_set(error, ERROR_INPUT,
                  "this GPU gives a block less than the %" PRIu32 " bytes of shared memory asked for",
                  launch->shared_bytes);
        return error_remedy(error, "choose a smaller tile");
    }
    dim3 const grid = {launch->grid[0], launch->grid[1], launch->grid[2]};
    dim3 const block = {launch->block[0], launch->block[1], launch->block[2]};
    code = cudaLaunchKernel(kernel, grid, block, pointers, launch->shared_bytes, NULL);
    return code == cudaSuccess || gpu_failed((int)code, "starting the kernel", error);
}
