/* Modules and launches on the GPU. The driver compiles the same PTX that the emulator runs. */
#include "cudart/gpu.h"
#include "cudart/module.h"
#include "cudart/xorwow.h"
#include <stdlib.h>
#include <string.h>

static bool fill_jumps(const struct ptx_variable *variable, uint64_t address)
{
    uint32_t *table = malloc(variable->size);
    if (!table)
        return false;
    xorwow_fill(table);
    bool const good = !gpu_api()->copy(address, (uint64_t)(uintptr_t)table, variable->size);
    free(table);
    return good;
}

/* Variables that the driver left out, because nothing uses them, have no place. */
static bool place_variables(struct module *module)
{
    const struct ptx_program *program = module->program;
    module->variables = arena_array(&module->arena, struct launch_variable, (size_t)program->variable_count + 1);
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const struct ptx_variable *v = &program->variables[i];
        uint64_t address = 0;
        size_t size = 0;
        if (!trace_is_buffer(v) || gpu_api()->module_variable(&address, &size, module->driver, v->name) ||
            size < v->size)
            continue;
        module->variables[i].address = address;
        space_place(ALLOCATION_VARIABLE, address, v->size, v->name);
        if (module_is_jumps(v) && !fill_jumps(v, address))
            return error_set(&module->error, ERROR_MISSING, "the GPU's variables cannot be filled");
    }
    return true;
}

bool gpu_load(struct module *module)
{
    gpu_error(cuda_api_load_module(gpu_api(), module->program->text, 0, &module->driver, &module->error));
    return module->driver && place_variables(module);
}

void *gpu_kernel(struct kernel *kernel)
{
    if (!kernel->driver && gpu_error(gpu_api()->module_kernel(&kernel->driver, kernel->module->driver, kernel->name)))
        kernel->driver = NULL;
    return kernel->driver;
}

/* ---- launches with probes ---- */

bool gpu_counts(struct kernel *kernel)
{
    bool const first = !kernel->counted;
    kernel->counted = true;
    return first;
}

bool gpu_prints(const struct module *module)
{
    return module_calls(module, "vprintf");
}

static size_t live_memory(struct cuda_place *places)
{
    size_t count = 0;
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (!a->freed && a->size)
            places[count++] = (struct cuda_place){a->address, a->size};
    }
    return count;
}

bool gpu_trace(void *context, struct launch_blocks recorded, bool values, const struct trace_listener *listener,
               struct trace **trace, struct error *error)
{
    struct gpu_launch *launch = context;
    const struct ptx_program *program = launch->kernel->module->program;
    int code = 0;
    if (module_calls(launch->kernel->module, "malloc") || module_calls(launch->kernel->module, "free"))
        return error_set(error, ERROR_INPUT,
                         "kernels that use malloc and free are not counted on a GPU, because they cannot run twice");
    struct cuda_place *places = malloc((runtime.allocations.count + 1) * sizeof *places);
    if (!places)
        return error_set(error, ERROR_MISSING, "there is not enough memory");
    struct cuda_here const here = {.api = gpu_api(),
                                   .module = launch->kernel->module->driver,
                                   .kernel = gpu_kernel(launch->kernel),
                                   .program = program,
                                   .launch = launch->launch,
                                   .arguments = launch->arguments,
                                   .cooperative = launch->cooperative,
                                   .memory = places,
                                   .memory_count = live_memory(places),
                                   .device = gpu_name(),
                                   .driver = gpu_driver()};
    bool const good = cuda_trace_here(&here, recorded, values, listener, trace, &code, error);
    if (gpu_is_lasting(code))
        launch->failed = code;
    free(places);
    return good;
}

cudaError_t gpu_cooperative_fits(struct kernel *kernel, const struct dim3 *grid, const struct dim3 *block,
                                 size_t shared)
{
    enum { MULTIPROCESSORS = 16 };
    int blocks = 0;
    if (!gpu_kernel(kernel))
        return cudaErrorInvalidDeviceFunction;
    cudaError_t const error =
        gpu_error(gpu_api()->blocks_at_once(&blocks, kernel->driver, (int)(block->x * block->y * block->z), shared));
    uint64_t const most = (uint64_t)blocks * (uint64_t)gpu_attribute(MULTIPROCESSORS);
    return error                                          ? error
           : (uint64_t)grid->x * grid->y * grid->z > most ? cudaErrorCooperativeLaunchTooLarge
                                                          : cudaSuccess;
}

cudaError_t gpu_run(const struct gpu_launch *launch)
{
    const struct cuda_api *api = gpu_api();
    void *kernel = gpu_kernel(launch->kernel), *stream = launch->stream->driver;
    const uint32_t *g = launch->launch->grid, *b = launch->launch->block;
    uint32_t const shared = launch->launch->shared_bytes;
    if (!kernel)
        return cudaErrorInvalidDeviceFunction;
    gpu_measure_begin(launch->stream);
    int const code =
        launch->cooperative
            ? api->launch_cooperative(kernel, g[0], g[1], g[2], b[0], b[1], b[2], shared, stream, launch->arguments)
            : api->launch(kernel, g[0], g[1], g[2], b[0], b[1], b[2], shared, stream, launch->arguments, NULL);
    gpu_measure_end(launch->stream);
    return gpu_error(code);
}
