/* Launches. A kernel runs on the emulator at once, because nothing else runs meanwhile; its errors are delivered as on
 * a GPU: those of the launch itself by cudaGetLastError, those of the kernel by the next call that synchronises. */
#include "base/file.h"
#include "cudart/device.h"
#include "cudart/gpu.h"
#include "cudart/graph.h"
#include "cudart/launch_record.h"
#include "cudart/module.h"
#include "cudart/record.h"
#include "model/gpu.h"
#include "run/execute.h"
#include "run/signature.h"
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIGURATIONS = 32 };

/* The configuration between <<<>>> and the call of the kernel's stub; nested when an argument launches, too. */
static __thread struct shape configurations[CONFIGURATIONS];
static __thread unsigned configuration_count;
static __thread const void *launch_from;

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, cudaStream_t stream)
{
    if (configuration_count >= CONFIGURATIONS)
        return 1;
    configurations[configuration_count++] = (struct shape){grid, block, shared, stream, __builtin_return_address(0)};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream)
{
    if (!configuration_count)
        return cudaErrorMissingConfiguration;
    const struct shape *shape = &configurations[--configuration_count];
    *grid = shape->grid;
    *block = shape->block;
    *shared = shape->shared;
    memcpy(stream, &shape->stream, sizeof shape->stream);
    launch_from = shape->from;
    return cudaSuccess;
}

/* Returns the error of a launch that the hardware would refuse. */
static cudaError_t refused(const struct kernel *kernel, const struct ptx_function *function, const struct shape *shape)
{
    const struct dim3 *g = &shape->grid, *b = &shape->block;
    switch (launch_check(function, (uint32_t[]){g->x, g->y, g->z}, (uint32_t[]){b->x, b->y, b->z}, shape->shared)) {
    case LAUNCH_FITS:
    case LAUNCH_STATIC_SHARED: /* the emulator says so */
        return shape->shared > kernel->max_dynamic_shared ? cudaErrorInvalidValue : cudaSuccess;
    case LAUNCH_SHARED:
        return cudaErrorInvalidValue;
    case LAUNCH_BOUNDS:
        return cudaErrorLaunchOutOfResources;
    default:
        return cudaErrorInvalidConfiguration;
    }
}

/* ---- the launch as the emulator takes it ---- */

struct prepared {
    struct arena *arena;
    struct kernel *kernel;
    const struct ptx_function *function;
    void **arguments;
    struct signature_parameter *parameters; /* as the source names them */
    size_t parameter_count;
    struct launch launch;
};

static uint64_t argument_word(const struct prepared *p, uint32_t index, size_t offset)
{
    uint64_t value = 0;
    if (p->function->parameters[index].size >= offset + sizeof value)
        memcpy(&value, (const uint8_t *)p->arguments[index] + offset, sizeof value);
    return value;
}

static bool own_variable(const struct module *module, const struct allocation *a)
{
    for (uint32_t i = 0; i < module->program->variable_count; i++)
        if (module->variables[i].address && module->variables[i].address == a->address)
            return true;
    return false;
}

/* Every allocation is a buffer, because a kernel may reach it through any pointer. One that a parameter points to has
 * the parameter's name and type. */
static void add_buffers(struct prepared *p)
{
    p->launch.buffers = arena_array(p->arena, struct launch_buffer, runtime.allocations.count + 1);
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (a->freed || !a->size || own_variable(p->kernel->module, a))
            continue;
        struct launch_buffer *buffer = &p->launch.buffers[p->launch.buffer_count++];
        *buffer = (struct launch_buffer){.name = a->name,
                                         .type = PTX_U8,
                                         .count = a->size,
                                         .data = a->data,
                                         .address = a->address,
                                         .written = a->written};
        for (uint32_t k = 0; k < p->function->parameter_count && !buffer->name; k++) {
            uint64_t const value = argument_word(p, k, 0);
            if (p->function->parameters[k].size != sizeof value || value - a->address >= a->size ||
                p->parameter_count != p->function->parameter_count || !p->parameters[k].pointer)
                continue;
            buffer->name = p->parameters[k].name;
            size_t const size = p->parameters[k].type == PTX_TYPE_NONE ? 0 : ptx_type_size(p->parameters[k].type);
            if (!size || a->size % size)
                continue;
            buffer->type = p->parameters[k].type;
            buffer->count = a->size / size;
        }
        if (!buffer->name)
            buffer->name = arena_format(p->arena, "allocation %u", a->number);
    }
}

static void add_arguments(struct prepared *p)
{
    struct launch_argument *arguments =
        arena_array(p->arena, struct launch_argument, (size_t)p->function->parameter_count + 1);
    for (uint32_t i = 0; i < p->function->parameter_count; i++) {
        arguments[i] = (struct launch_argument){
            .bytes = p->arguments[i], .size = (uint32_t)p->function->parameters[i].size, .type = PTX_B8};
        if (gpu_on()) /* what is known about them makes shorter probes */
            memcpy(&arguments[i].bits, p->arguments[i],
                   arguments[i].size < sizeof arguments[i].bits ? arguments[i].size : sizeof arguments[i].bits);
    }
    p->launch.arguments = arguments;
    p->launch.argument_count = p->function->parameter_count;
}

/* Managed memory that an argument leads to is closed to the host until it synchronises, or opened for the kernel. */
static void close_managed(const struct prepared *p)
{
    for (uint32_t i = 0; i < p->function->parameter_count; i++)
        for (size_t at = 0; at + 8 <= p->function->parameters[i].size; at += 8) {
            struct allocation *a = space_find(argument_word(p, i, at));
            if (a && a->kind == ALLOCATION_MANAGED)
                space_close(a, 0, a->size, true);
        }
}

/* ---- the record of a launch ---- */

static void record_arguments(const struct prepared *p)
{
    line_open_list("arguments");
    for (uint32_t i = 0; i < p->function->parameter_count; i++) {
        const struct ptx_variable *parameter = &p->function->parameters[i];
        bool const known = p->parameter_count == p->function->parameter_count;
        uint64_t value = 0;
        memcpy(&value, p->arguments[i], parameter->size < sizeof value ? parameter->size : sizeof value);
        line_open_object(NULL);
        if (known)
            line_text("name", p->parameters[i].name);
        if (known && p->parameters[i].type != PTX_TYPE_NONE)
            line_text("type", ptx_type_name(p->parameters[i].type));
        line_number("bytes", parameter->size);
        const struct allocation *a = parameter->size == sizeof value ? space_find(value) : NULL;
        if (a || (known && p->parameters[i].pointer)) {
            union {
                uint64_t bits;
                const void *pointer;
            } const word = {value};
            line_pointer("pointer", word.pointer);
        } else {
            line_number("bits", value);
        }
        line_close();
    }
    line_close();
}

/* ---- running ---- */

static bool wanted(const struct options *options, uint64_t number, const char *name, const char *symbol)
{
    const char *kernel = options->record_kernel;
    if (options->record_launch)
        return number == options->record_launch;
    if (kernel)
        return strcmp(kernel, name) == 0 || strcmp(kernel, symbol) == 0 ||
               (strncmp(kernel, name, strlen(kernel)) == 0 && name[strlen(kernel)] == '<');
    return options->record_all;
}

static cudaError_t error_of(const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        if (finding_class_of(&trace->findings[i]) != FINDING_FAULT)
            continue;
        switch (trace->findings[i].kind) {
        case FINDING_OUT_OF_BOUNDS:
        case FINDING_NULL_POINTER:
        case FINDING_READ_ONLY:
            return cudaErrorIllegalAddress;
        case FINDING_MISALIGNED:
            return cudaErrorMisalignedAddress;
        case FINDING_ASSERTION:
            return cudaErrorAssert;
        case FINDING_ENDLESS_LOOP:
        case FINDING_DEADLOCK:
            return cudaErrorLaunchTimeout;
        case FINDING_PROGRAM_COUNTER:
            return cudaErrorInvalidPc;
        default:
            return cudaErrorLaunchFailure;
        }
    }
    return cudaSuccess;
}

static void keep_printed(const char *text)
{
    size_t const length = strlen(text);
    if (!length)
        return;
    size_t const end = runtime.printed.count + length;
    runtime.printed.items = array_grow(runtime.printed.items, &runtime.printed.capacity, end + 1, 1);
    memcpy(runtime.printed.items + runtime.printed.count, text, length + 1);
    runtime.printed.count = end;
}

static void say(const char *kernel, const struct error *error)
{
    char text[1200];
    fflush(stdout);
    fprintf(stderr, "lanescope: kernel %s cannot run: %s\n", kernel, error_line(error, text, sizeof text));
}

static struct run *run_of(const struct prepared *p)
{
    struct run *run = run_new();
    if (!run)
        return NULL;
    run->dram_preset = "hbm3";
    run->source = p->kernel->module->source;
    run->source_name = p->kernel->module->source_name;
    run->compiler_name = p->kernel->module->compiler;
    run->launch = p->launch;
    return run;
}

static void release_run(struct run *run)
{
    memset(&run->launch, 0, sizeof run->launch); /* its buffers are the program's */
    run_free(run);
}

static struct execute_request request_of(struct prepared *p, bool recorded)
{
    const struct options *options = &runtime.options;
    return (struct execute_request){
        .program = p->kernel->module->program,
        .launch = &p->launch,
        .options = {.executor = EXECUTOR_EMULATOR,
                    .recorded = options->blocks,
                    .no_recording = !recorded,
                    .checks = {.memory = options->memory, .races = options->races, .values = options->values},
                    .budget = options->budget},
        .clock = device_clock(),
        .dram_of_all_blocks = true};
}

static cudaError_t run_kernel(struct prepared *p, const char *name, double *model_us)
{
    struct run *run = run_of(p);
    struct error error = {0};
    cudaError_t result = cudaSuccess;
    if (!run)
        return cudaErrorMemoryAllocation;
    bool const recorded = wanted(&runtime.options, runtime.launches, name, p->kernel->name);
    struct execute_request const request = request_of(p, recorded);
    if (execute(run, &request, &error)) {
        *model_us = model_launch_us(run);
        launch_record_counts(p->arena, run);
        line_number("faults", trace_faults(run->trace));
        line_number("hazards", trace_hazards(run->trace));
        line_number("printed_bytes", strlen(run->output));
        keep_printed(run->output);
        launch_record_trace(run, recorded);
        result = error_of(run->trace);
        if (run->trace->finding_count && !line_is_open())
            fprintf(stderr, "lanescope: kernel %s: %u findings; `lanescope exec` reports them\n", name,
                    run->trace->finding_count);
        runtime.pending = runtime.pending ? runtime.pending : result;
        result = cudaSuccess;
    } else {
        char text[1200];
        line_text("problem", error_line(&error, text, sizeof text));
        say(name, &error);
        result = cudaErrorNotSupported;
    }
    release_run(run);
    return result;
}

/* ---- running on a GPU ---- */

/* Closes standard output to the driver while kernels run that will run again. Returns what unmute needs. */
static int mute(const struct module *module)
{
    if (!gpu_prints(module))
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

/* Runs the launch with probes, and records its counts. A fault of the kernel is delivered by the next call that
 * synchronises. */
static void probe_kernel(struct prepared *p, struct gpu_launch *launch, bool recorded)
{
    struct run *run = run_of(p);
    struct error error = {0};
    char text[1200];
    if (!run)
        return;
    struct execute_tracer const tracer = {gpu_trace, launch};
    struct execute_request request = request_of(p, recorded);
    request.options.executor = EXECUTOR_GPU;
    request.tracer = &tracer;
    int const kept = mute(p->kernel->module);
    bool const good = execute(run, &request, &error);
    unmute(kept);
    if (good) {
        launch_record_counts(p->arena, run);
        launch_record_trace(run, recorded);
    } else if (launch->failed) {
        runtime.pending = launch->failed;
        line_number("faulted", 1);
    } else {
        line_text("uncounted", error_line(&error, text, sizeof text));
    }
    release_run(run);
}

static cudaError_t run_on_gpu(struct prepared *p, const char *name, const struct stream *stream, bool cooperative)
{
    const struct options *options = &runtime.options;
    struct gpu_launch launch = {.kernel = p->kernel,
                                .launch = &p->launch,
                                .arguments = p->arguments,
                                .stream = stream,
                                .cooperative = cooperative};
    bool const recorded = line_is_open() && wanted(options, runtime.launches, name, p->kernel->name);
    bool const counted = line_is_open() && (options->memory || options->races) && gpu_counts(p->kernel);
    if (recorded || counted) {
        cudaError_t const before = gpu_wait(); /* of earlier work */
        if (before)
            return before;
        probe_kernel(p, &launch, recorded);
    }
    cudaError_t const error = runtime.pending ? cudaSuccess : gpu_run(&launch);
    line_number("ran", !error);
    return error;
}

/* The heap of the kernels' malloc, where the launch may use it. */
static struct launch_heap *heap_of(const struct module *module)
{
    bool const made =
        (!module_calls(module, "malloc") && !module_calls(module, "free")) || space_make_heap(device_heap_limit());
    return made && runtime.heap.data && (runtime.heap.live || module_calls(module, "malloc")) ? &runtime.heap : NULL;
}

static cudaError_t execute_launch(struct prepared *p, const char *name, struct stream *stream, bool cooperative)
{
    double model_us = 0;
    if (gpu_on())
        return run_on_gpu(p, name, stream, cooperative);
    p->launch.heap = heap_of(p->kernel->module);
    cudaError_t const error = run_kernel(p, name, &model_us);
    line_real("model_us", model_us);
    stream_add(stream, model_us);
    return error;
}

cudaError_t work_launch(const struct call *call, const struct work *work, struct stream *stream)
{
    const struct shape *shape = &work->kernel.shape;
    struct arena arena = {0};
    struct kernel *kernel = module_kernel(work->kernel.function);
    void **arguments = work->kernel.arguments;
    bool const cooperative = work->kernel.cooperative;
    if (stream && stream->capture)
        return capture_work(call, work, stream);
    cudaError_t const refusal = stream ? capture_refuses_work(stream) : cudaSuccess;
    if (refusal)
        return call_end(call, refusal);
    line_shape("grid", (uint32_t[]){shape->grid.x, shape->grid.y, shape->grid.z});
    line_shape("block", (uint32_t[]){shape->block.x, shape->block.y, shape->block.z});
    line_number("dynamic_shared_bytes", shape->shared);
    cudaError_t error = runtime.sticky                ? runtime.sticky
                        : runtime.pending             ? cudaSuccess
                        : !kernel                     ? cudaErrorInvalidDeviceFunction
                        : !stream                     ? cudaErrorInvalidResourceHandle
                        : module_load(kernel->module) ? cudaSuccess
                                                      : cudaErrorInvalidKernelImage;
    if (kernel) {
        line_text("kernel", module_kernel_name(&arena, kernel->name));
        line_text("symbol", kernel->name);
    }
    if (kernel && kernel->module->failed)
        line_text("problem", kernel->module->error.message);
    if (error || runtime.pending || !kernel || !stream) {
        if (kernel && error == cudaErrorInvalidKernelImage)
            say(kernel->name, &kernel->module->error);
        arena_free(&arena);
        return call_end(call, error);
    }
    struct prepared p = {.arena = &arena,
                         .kernel = kernel,
                         .function = ptx_kernel(kernel->module->program, kernel->name),
                         .arguments = arguments};
    error = !p.function ? cudaErrorInvalidDeviceFunction : refused(kernel, p.function, shape);
    if (!error && cooperative && gpu_on())
        error = gpu_cooperative_fits(kernel, &shape->grid, &shape->block, shape->shared);
    else if (!error && cooperative)
        error = device_cooperative_fits(p.function, &shape->grid, &shape->block, shape->shared);
    if (!error) {
        p.parameter_count = signature_parameters(&arena, kernel->module->source, kernel->name, &p.parameters);
        p.launch = (struct launch){.kernel = kernel->name,
                                   .grid = {shape->grid.x, shape->grid.y, shape->grid.z},
                                   .block = {shape->block.x, shape->block.y, shape->block.z},
                                   .shared_bytes = (uint32_t)shape->shared,
                                   .variables = kernel->module->variables};
        line_number("launch", ++runtime.launches);
        line_number("stream", stream->number);
        line_number("shared_bytes", p.function->shared_bytes + shape->shared);
        record_arguments(&p);
        space_pause();
        add_arguments(&p);
        add_buffers(&p);
        module_managed_to_device();
        error = execute_launch(&p, module_kernel_name(&arena, kernel->name), stream, cooperative);
        module_managed_to_host();
        space_resume();
        close_managed(&p);
    }
    arena_free(&arena);
    return call_end(call, error);
}

static cudaError_t launch(const struct call *call, const void *function, struct shape shape, void **arguments,
                          bool cooperative)
{
    struct work const work = {WORK_KERNEL, call->from, .kernel = {function, shape, arguments, cooperative}};
    return work_launch(call, &work, stream_of(shape.stream));
}

cudaError_t cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream)
{
    struct call const call = call_begin("cudaLaunchKernel", launch_from ? launch_from : __builtin_return_address(0));
    launch_from = NULL;
    return launch(&call, function, (struct shape){grid, block, shared, stream, NULL}, arguments, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream)
{
    CALL_BEGIN(cudaLaunchCooperativeKernel);
    return launch(&call, function, (struct shape){grid, block, shared, stream, NULL}, arguments, true);
}

/* cudaLaunchConfig_t, and an attribute of it with its first numbers. */
struct configuration {
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const struct launch_attribute {
        int id, pad;
        union {
            int values[16];
        } value;
    } * attributes;
    unsigned attribute_count;
};

cudaError_t cudaLaunchKernelExC(const struct configuration *c, const void *function, void **arguments)
{
    enum { COOPERATIVE = 2, CLUSTER = 4 };
    CALL_BEGIN(cudaLaunchKernelExC);
    bool cooperative = false;
    if (!c)
        return call_end(&call, cudaErrorInvalidValue);
    for (unsigned i = 0; i < c->attribute_count; i++) {
        const int *values = c->attributes[i].value.values;
        if (c->attributes[i].id == CLUSTER && (values[0] > 1 || values[1] > 1 || values[2] > 1)) {
            fprintf(stderr, "lanescope: cudaLaunchKernelExC: clusters of several blocks are not supported\n");
            return call_end(&call, cudaErrorNotSupported);
        }
        cooperative = cooperative || (c->attributes[i].id == COOPERATIVE && values[0]);
    }
    return launch(&call, function, (struct shape){c->grid, c->block, c->shared, c->stream, NULL}, arguments,
                  cooperative);
}

/* What host code of nvcc 13 calls in place of cudaLaunchKernel: a kernel's handle is its host address. */
cudaError_t __cudaGetKernel(const void **kernel, const void *function)
{
    *kernel = function;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
