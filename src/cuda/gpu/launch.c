/* Kernels, buffers and launches. */
#include "cuda/gpu/gpu.h"
#include <inttypes.h>
#include <string.h>

static uint32_t whole_warps(uint32_t threads)
{
    return (threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
}

bool cuda_kernel_load(const struct cuda_api *api, const char *ptx, const char *name, uint32_t threads,
                      struct cuda_kernel *kernel, struct error *error)
{
    uint32_t const most = LAUNCH_REGISTERS_MAX, step = 8;
    uint32_t const fit = threads ? LAUNCH_BLOCK_REGISTERS_MAX / whole_warps(threads) / step * step : 0;
    *kernel = (struct cuda_kernel){0};
    if (cuda_api_load_module(api, ptx, fit < most ? fit : most, &kernel->module, error))
        return false;
    if (cuda_api_did(api, api->module_kernel(&kernel->kernel, kernel->module, name), "loading the kernel", error))
        return true;
    cuda_kernel_unload(api, kernel);
    return false;
}

void cuda_kernel_unload(const struct cuda_api *api, struct cuda_kernel *kernel)
{
    if (kernel->module)
        api->module_unload(kernel->module);
    *kernel = (struct cuda_kernel){0};
}

uint32_t cuda_threads_at_once(const struct cuda_api *api, const struct cuda_start *start)
{
    uint32_t const threads = whole_warps(start->block[0] * start->block[1] * start->block[2]);
    int blocks = 0;
    return api->blocks_at_once(&blocks, start->kernel, (int)threads, start->shared_bytes) ? 0
                                                                                          : (uint32_t)blocks * threads;
}

bool cuda_start(const struct cuda_api *api, const struct cuda_start *start, struct error *error)
{
    const uint32_t *g = start->grid, *b = start->block, shared = start->shared_bytes;
    if (shared > LAUNCH_STATIC_SHARED_MAX && api->kernel_set(start->kernel, CUDA_API_DYNAMIC_SHARED, (int)shared)) {
        error_set(error, ERROR_INPUT,
                  "this GPU cannot give a block the %" PRIu32 " bytes of shared memory that it needs", shared);
        return error_remedy(error, "choose a smaller tile");
    }
    int const code =
        start->cooperative
            ? api->launch_cooperative(start->kernel, g[0], g[1], g[2], b[0], b[1], b[2], shared, NULL, start->arguments)
            : api->launch(start->kernel, g[0], g[1], g[2], b[0], b[1], b[2], shared, NULL, start->arguments, NULL);
    return cuda_api_did(api, code, "starting the kernel", error);
}

bool cuda_to_device(const struct cuda_api *api, uint64_t address, const void *bytes, size_t size, struct error *error)
{
    return !size ||
           cuda_api_did(api, api->copy(address, (uint64_t)(uintptr_t)bytes, size), "copying to the GPU", error);
}

bool cuda_to_host(const struct cuda_api *api, void *bytes, uint64_t address, size_t size, struct error *error)
{
    return !size ||
           cuda_api_did(api, api->copy((uint64_t)(uintptr_t)bytes, address, size), "copying from the GPU", error);
}

void cuda_release(const struct cuda_api *api, uint64_t address)
{
    if (address)
        api->release(address);
}

bool job_arguments_write(const struct cuda_api *api, struct job *job, const struct job_arguments *arguments,
                         struct error *error)
{
    const struct job_buffer *buffers = job_at(job, job->buffers);
    for (uint32_t i = 0; i < job->buffer_count; i++)
        if (!cuda_to_device(api, arguments->addresses[i], job_at(job, buffers[i].at), buffers[i].bytes, error))
            return false;
    return true;
}

/* Writes the addresses of the buffers in a structure into its bytes, behind which the job has their places. */
static void put_addresses(uint8_t *bytes, const struct launch_argument *argument, const uint64_t *addresses)
{
    const struct launch_inner *inner = (const void *)(bytes + job_inner_at(argument));
    for (uint32_t i = 0; i < argument->inner_count; i++)
        memcpy(bytes + inner[i].offset, &addresses[inner[i].buffer], sizeof *addresses);
}

bool job_arguments_new(const struct cuda_api *api, struct job *job, struct job_arguments *arguments,
                       struct error *error)
{
    const struct launch_argument *given = job_at(job, job->arguments);
    struct job_buffer *buffers = job_at(job, job->buffers);
    *arguments = (struct job_arguments){.buffer_count = job->buffer_count};
    arguments->addresses = arena_array(&arguments->arena, uint64_t, job->buffer_count);
    arguments->pointers = arena_array(&arguments->arena, void *, job->argument_count + 1);
    for (uint32_t i = 0; i < job->buffer_count; i++) {
        if (!cuda_api_allocate(api, buffers[i].bytes, "a buffer", &arguments->addresses[i], error))
            return false;
        buffers[i].address = arguments->addresses[i];
    }
    for (uint32_t i = 0; i < job->argument_count; i++) {
        uint64_t *bits = arena_new(&arguments->arena, uint64_t);
        *bits = given[i].is_buffer ? arguments->addresses[given[i].buffer] : given[i].bits;
        if (given[i].bytes)
            put_addresses(job_at(job, given[i].bits), &given[i], arguments->addresses);
        /* Little-endian: the low bytes hold a scalar. For a structure, the bits say where its bytes lie in the job. */
        arguments->pointers[i] = given[i].bytes ? job_at(job, given[i].bits) : bits;
    }
    return job_arguments_write(api, job, arguments, error);
}

bool job_arguments_read(const struct cuda_api *api, struct job *job, const struct job_arguments *arguments,
                        struct error *error)
{
    const struct job_buffer *buffers = job_at(job, job->buffers);
    for (uint32_t i = 0; i < job->buffer_count; i++)
        if (!buffers[i].read_only &&
            !cuda_to_host(api, job_at(job, buffers[i].at), arguments->addresses[i], buffers[i].bytes, error))
            return false;
    return true;
}

void job_arguments_free(const struct cuda_api *api, struct job_arguments *arguments)
{
    for (uint32_t i = 0; arguments->addresses && i < arguments->buffer_count; i++)
        cuda_release(api, arguments->addresses[i]);
    arena_free(&arguments->arena);
    *arguments = (struct job_arguments){0};
}
