/* Modules and launches on the GPU. The driver compiles the same PTX that the emulator runs. */
#include "cudart/backend/gpu.h"
#include "cudart/layer/launch_line.h"
#include "cudart/layer/line.h"
#include "cudart/layer/xorwow.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    const struct ptx_module *ptx_module = module->ptx_module;
    module->variables = arena_array(&module->arena, struct launch_variable, (size_t)ptx_module->variable_count + 1);
    for (uint32_t i = 0; i < ptx_module->variable_count; i++) {
        const struct ptx_variable *v = &ptx_module->variables[i];
        uint64_t address = 0;
        size_t size = 0;
        if (!trace_is_buffer(v) || gpu_api()->module_variable(&address, &size, module->driver, v->name) ||
            size < v->size)
            continue;
        module->variables[i].address = address;
        space_forget_freed(address, v->size);
        space_place(
            (struct allocation){.address = address, .size = v->size, .kind = ALLOCATION_VARIABLE, .name = v->name});
        if (module_is_jumps(v) && !fill_jumps(v, address))
            return error_set(&module->error, ERROR_MISSING, "the GPU's variables cannot be filled");
    }
    return true;
}

bool gpu_load(struct module *module)
{
    if (module_calls(module, "lanescope_launch"))
        return error_set(&module->error, ERROR_MISSING,
                         "kernels that launch kernels run on the emulator alone: --on emulator");
    gpu_status(cuda_api_load_module(gpu_api(), module->ptx_module->text, 0, &module->driver, &module->error));
    return module->driver && place_variables(module);
}

void gpu_unload(struct module *module)
{
    if (module->driver)
        gpu_status(gpu_api()->module_unload(module->driver));
    module->driver = NULL;
}

void *gpu_kernel(struct kernel *kernel)
{
    if (!kernel->driver && gpu_status(gpu_api()->module_kernel(&kernel->driver, kernel->module->driver, kernel->name)))
        kernel->driver = NULL;
    return kernel->driver;
}

/* ---- launches, with probes and without ---- */

/* Closes standard output to the driver while kernels run that will run again. Returns what unmute needs. */
static int mute(const struct module *module)
{
    if (!module_calls(module, "vprintf"))
        return -1;
    fflush(stdout);
    int const kept = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nothing >= 0)
        dup2(nothing, STDOUT_FILENO);
    if (nothing >= 0)
        close(nothing);
    return kept;
}

static void unmute(int kept)
{
    if (kept < 0)
        return;
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
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

/* What the tracer needs to know of a launch, and the error with which the kernel ended. */
struct probing {
    struct kernel_launch *launch;
    enum status failure;
};

/* Makes the trace of the launch for execute(). The launch itself is still to be made. */
static bool trace_launch(void *context, struct launch_blocks recorded, bool values,
                         const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    struct probing *probing = context;
    const struct kernel_launch *p = probing->launch;
    int code = 0;
    if (module_calls(p->kernel->module, "malloc") || module_calls(p->kernel->module, "free"))
        return error_set(error, ERROR_INPUT,
                         "kernels that use malloc and free are not counted on a GPU, because they cannot run twice");
    struct cuda_place *places = malloc((runtime.allocations.count + 1) * sizeof *places);
    if (!places)
        return error_set(error, ERROR_MISSING, "there is not enough memory");
    struct cuda_here const here = {.api = gpu_api(),
                                   .driver_module = p->kernel->module->driver,
                                   .kernel = gpu_kernel(p->kernel),
                                   .module = p->kernel->module->ptx_module,
                                   .launch = &p->launch,
                                   .arguments = p->pointers,
                                   .cooperative = p->cooperative,
                                   .memory = places,
                                   .memory_count = live_memory(places),
                                   .device = gpu_backend.gpu,
                                   .driver = gpu_driver()};
    bool const good = cuda_trace_here(&here, recorded, values, listener, trace, &code, error);
    if (gpu_is_lasting(code))
        probing->failure = (enum status)code;
    free(places);
    return good;
}

/* Runs the launch with probes, and records its counts. A fault of the kernel is delivered by the next call that
 * synchronises. */
static void probe_kernel(struct kernel_launch *p, bool recorded)
{
    struct run *run = launch_run(p);
    struct error error = {0};
    char text[1200];
    if (!run)
        return;
    struct probing probing = {.launch = p};
    struct execute_tracer const tracer = {trace_launch, &probing};
    struct execute_request request = launch_request(p, recorded);
    request.options.executor = EXECUTOR_GPU;
    request.tracer = &tracer;
    int const kept = mute(p->kernel->module);
    bool const good = execute(run, &request, &error);
    unmute(kept);
    if (good) {
        launch_line_counts(p->arena, run);
        launch_line_trace(run, recorded);
    } else if (probing.failure) {
        runtime.pending = probing.failure;
        line_number("faulted", 1);
    } else {
        line_text("uncounted", error_line(&error, text, sizeof text));
    }
    launch_release_run(run);
}

static enum status run(const struct kernel_launch *p)
{
    const struct cuda_api *api = gpu_api();
    void *kernel = gpu_kernel(p->kernel), *stream = p->stream->driver;
    const uint32_t *g = p->launch.grid, *b = p->launch.block;
    uint32_t const shared = p->launch.shared_bytes;
    if (!kernel)
        return STATUS_INVALID_DEVICE_FUNCTION;
    gpu_measure_begin(p->stream);
    int const code =
        p->cooperative
            ? api->launch_cooperative(kernel, g[0], g[1], g[2], b[0], b[1], b[2], shared, stream, p->pointers)
            : api->launch(kernel, g[0], g[1], g[2], b[0], b[1], b[2], shared, stream, p->pointers, NULL);
    gpu_measure_end(p->stream);
    return gpu_status(code);
}

enum status gpu_launch(struct kernel_launch *p)
{
    const struct options *options = &runtime.options;
    bool const recorded = line_is_open() && launch_is_chosen(p);
    bool const first = line_is_open() && (options->memory || options->races) && !p->kernel->counted;
    if (first)
        p->kernel->counted = true;
    for (uint32_t i = 0; i < p->launch.argument_count; i++) { /* what is known about them makes shorter probes */
        struct launch_argument *a = &p->arguments[i];
        memcpy(&a->bits, a->bytes, a->size < sizeof a->bits ? a->size : sizeof a->bits);
    }
    if (recorded || first) {
        enum status const earlier = gpu_wait();
        if (earlier)
            return earlier;
        probe_kernel(p, recorded);
    }
    enum status const status = runtime.pending ? STATUS_SUCCESS : run(p);
    line_number("ran", !status);
    return status;
}
