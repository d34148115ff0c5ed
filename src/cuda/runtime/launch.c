/* Modules, buffers and launches through the runtime API. cudaLibraryLoadData gives PTX to the driver's compiler, and a
 * cudaKernel_t starts like any kernel, so events can time it. */
#include "cuda/runtime/gpu.h"
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool gpu_load(const char *ptx, const char *kernel, uint32_t threads, struct gpu_module *module, struct error *error)
{
    char log[2048] = "";
    uint32_t const registers_at_once = 65536, most = 255, step = 8;
    uint32_t const fit = threads ? registers_at_once / ((threads + 31) / 32 * 32) / step * step : most;
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
        return error_set(error, ERROR_INPUT, "the GPU's driver rejects the PTX of %s: %.300s", kernel, log);
    return gpu_failed((int)code, "loading the kernel", error);
}

uint32_t gpu_threads_at_once(const struct gpu_module *module, const struct job *job)
{
    uint32_t const threads = (job->block[0] * job->block[1] * job->block[2] + 31) / 32 * 32;
    int blocks = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, module->kernel, (int)threads, job->shared_bytes) !=
        cudaSuccess)
        cudaGetLastError();
    return (uint32_t)blocks * threads;
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
    error_set(error, ERROR_MISSING, "the GPU has no room for %s: %" PRIu64 " MiB needed, %zu of %zu MiB free", what,
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
        return error_set(error, ERROR_INPUT,
                         "wrong number of arguments: kernel %s takes %" PRIu32 ", but the launch gives %" PRIu32,
                         kernel->name, kernel->parameter_count, launch->argument_count);
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        if (argument->is_buffer && argument->buffer >= launch->buffer_count)
            return error_set(error, ERROR_INPUT, "argument %" PRIu32 " of kernel %s names a buffer that does not exist",
                             i, kernel->name);
        size_t const size = launch_argument_size(argument);
        if (size != kernel->parameters[i].size)
            return error_set(error, ERROR_INPUT,
                             "wrong size of argument %" PRIu32
                             " of kernel %s: it takes %zu B, but the launch gives %zu B",
                             i, kernel->name, kernel->parameters[i].size, size);
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
                         "a block of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " threads is too large: the limit is 1024",
                         launch->block[0], launch->block[1], launch->block[2]);
    return check_arguments(*kernel, launch, error);
}

bool gpu_to_device(uint64_t address, const void *bytes, size_t size, struct error *error)
{
    cudaError_t const code = cudaMemcpy((void *)(uintptr_t)address, bytes, size, cudaMemcpyHostToDevice);
    return code == cudaSuccess || gpu_failed((int)code, "copying to the GPU", error);
}

bool gpu_to_host(void *bytes, uint64_t address, size_t size, struct error *error)
{
    cudaError_t const code = cudaMemcpy(bytes, (const void *)(uintptr_t)address, size, cudaMemcpyDeviceToHost);
    return code == cudaSuccess || gpu_failed((int)code, "copying from the GPU", error);
}

bool gpu_arguments_write(struct job *job, const struct gpu_arguments *arguments, struct error *error)
{
    const struct job_buffer *buffers = job_at(job, job->buffers);
    for (uint32_t i = 0; i < job->buffer_count; i++)
        if (!gpu_to_device(arguments->addresses[i], job_at(job, buffers[i].at), buffers[i].bytes, error))
            return false;
    return true;
}

bool gpu_arguments_new(struct job *job, struct gpu_arguments *arguments, struct error *error)
{
    const struct launch_argument *given = job_at(job, job->arguments);
    struct job_buffer *buffers = job_at(job, job->buffers);
    *arguments = (struct gpu_arguments){.buffer_count = job->buffer_count};
    arguments->addresses = arena_array(&arguments->arena, uint64_t, job->buffer_count);
    arguments->pointers = arena_array(&arguments->arena, void *, job->argument_count + 1);
    for (uint32_t i = 0; i < job->buffer_count; i++) {
        if (!gpu_allocate(buffers[i].bytes, "a buffer", &arguments->addresses[i], error))
            return false;
        buffers[i].address = arguments->addresses[i];
    }
    for (uint32_t i = 0; i < job->argument_count; i++) {
        uint64_t *bits = arena_new(&arguments->arena, uint64_t);
        *bits = given[i].is_buffer ? arguments->addresses[given[i].buffer] : given[i].bits;
        /* Little-endian: the low bytes hold a scalar. For a structure, the bits say where its bytes lie in the job. */
        arguments->pointers[i] = given[i].bytes ? job_at(job, given[i].bits) : bits;
    }
    return gpu_arguments_write(job, arguments, error);
}

bool gpu_arguments_read(struct job *job, const struct gpu_arguments *arguments, struct error *error)
{
    const struct job_buffer *buffers = job_at(job, job->buffers);
    for (uint32_t i = 0; i < job->buffer_count; i++)
        if (!buffers[i].read_only &&
            !gpu_to_host(job_at(job, buffers[i].at), arguments->addresses[i], buffers[i].bytes, error))
            return false;
    return true;
}

void gpu_arguments_free(struct gpu_arguments *arguments)
{
    for (uint32_t i = 0; arguments->addresses && i < arguments->buffer_count; i++)
        gpu_release(arguments->addresses[i]);
    arena_free(&arguments->arena);
    *arguments = (struct gpu_arguments){0};
}

bool gpu_start(void *kernel, const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes, void **pointers,
               struct error *error)
{
    size_t const without_asking = 48 << 10;
    cudaError_t code = cudaSuccess;
    if (shared_bytes > without_asking)
        code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
    if (code != cudaSuccess) {
        cudaGetLastError();
        error_set(error, ERROR_INPUT,
                  "this GPU cannot give a block the %" PRIu32 " bytes of shared memory that it needs", shared_bytes);
        return error_remedy(error, "choose a smaller tile");
    }
    dim3 const blocks = {grid[0], grid[1], grid[2]}, threads = {block[0], block[1], block[2]};
    code = cudaLaunchKernel(kernel, blocks, threads, pointers, shared_bytes, NULL);
    return code == cudaSuccess || gpu_failed((int)code, "starting the kernel", error);
}
