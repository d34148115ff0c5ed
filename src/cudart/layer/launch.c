/* Launches: their checks, their arguments and buffers, and their record. Errors of the launch itself are returned,
 * those of the kernel by the next call that synchronises. */
#include "cudart/layer/launch.h"
#include "base/file.h"
#include "base/mangled.h"
#include "cudart/backend/backend.h"
#include "cudart/layer/device.h"
#include "cudart/layer/graph.h"
#include "cudart/layer/line.h"
#include "cudart/layer/virtual.h"
#include "source/kernel.h"
#include <string.h>

/* Returns the error of a launch that the hardware would refuse. */
static enum status limit_error(const struct kernel *kernel, const struct ptx_function *function,
                               const struct shape *shape)
{
    const struct dim3 *g = &shape->grid, *b = &shape->block;
    switch (launch_check(function, (uint32_t[]){g->x, g->y, g->z}, (uint32_t[]){b->x, b->y, b->z}, shape->shared)) {
    case LAUNCH_FITS:
    case LAUNCH_STATIC_SHARED: /* the emulator says so */
        return shape->shared > kernel->max_dynamic_shared ? STATUS_INVALID_VALUE : STATUS_SUCCESS;
    case LAUNCH_SHARED:
    case LAUNCH_OTHER_BLOCK:
        return STATUS_INVALID_VALUE;
    case LAUNCH_BOUNDS:
        return STATUS_LAUNCH_OUT_OF_RESOURCES;
    default:
        return STATUS_INVALID_CONFIGURATION;
    }
}

/* ---- the launch as an executor takes it ---- */

static uint64_t argument_word(const struct kernel_launch *p, uint32_t index, size_t offset)
{
    uint64_t value = 0;
    if (p->function->parameters[index].size >= offset + sizeof value)
        memcpy(&value, (const uint8_t *)p->pointers[index] + offset, sizeof value);
    return value;
}

static bool own_variable(const struct module *module, const struct allocation *a)
{
    for (uint32_t i = 0; i < module->ptx_module->variable_count; i++)
        if (module->variables[i].address && module->variables[i].address == a->address)
            return true;
    return false;
}

/* Returns what the bytes of an allocation are known by where memory is mapped twice, else NULL. */
static const void *memory_behind(const struct kernel_launch *p, const struct allocation *a)
{
    const struct virtual_mapping *mapping = p->launch.overlaps && a->is_mapping ? virtual_mapping_at(a->address) : NULL;
    return mapping ? mapping->physical : NULL;
}

/* Every allocation is a buffer, because a kernel may reach it through any pointer. One that a parameter points to has
 * the parameter's name and type. */
static void add_buffers(struct kernel_launch *p)
{
    p->launch.overlaps = virtual_overlaps();
    p->launch.buffers = arena_array(p->arena, struct launch_buffer, runtime.allocations.count + 1);
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (a->freed || !a->size || a->kind == ALLOCATION_ARRAY || own_variable(p->kernel->module, a))
            continue;
        struct launch_buffer *buffer = &p->launch.buffers[p->launch.buffer_count++];
        *buffer = (struct launch_buffer){.name = a->name,
                                         .type = PTX_U8,
                                         .count = a->size,
                                         .data = a->data,
                                         .read_only = a->read_only,
                                         .address = a->address,
                                         .written = a->written,
                                         .memory = memory_behind(p, a)};
        for (uint32_t k = 0; k < p->function->parameter_count && !buffer->name; k++) {
            uint64_t const value = argument_word(p, k, 0);
            if (p->function->parameters[k].size != sizeof value || value - a->address >= a->size ||
                !p->kernel->parameters || !p->kernel->parameters[k].pointer)
                continue;
            enum ptx_type const type = p->kernel->parameters[k].type;
            buffer->name = p->kernel->parameters[k].name;
            size_t const size = type == PTX_TYPE_NONE ? 0 : ptx_type_size(type);
            if (!size || a->size % size)
                continue;
            buffer->type = type;
            buffer->count = a->size / size;
        }
        if (!buffer->name)
            buffer->name = arena_format(p->arena, "allocation %u", a->number);
        if (a->read_only)
            buffer->name = arena_format(p->arena, "%s (cuMemSetAccess)", buffer->name);
    }
}

static void add_arguments(struct kernel_launch *p)
{
    p->arguments = arena_array(p->arena, struct launch_argument, (size_t)p->function->parameter_count + 1);
    for (uint32_t i = 0; i < p->function->parameter_count; i++)
        p->arguments[i] = (struct launch_argument){
            .bytes = p->pointers[i], .size = (uint32_t)p->function->parameters[i].size, .type = PTX_B8};
    p->launch.arguments = p->arguments;
    p->launch.argument_count = p->function->parameter_count;
}

/* Managed memory that an argument leads to is closed to the host until it synchronises, or opened for the kernel. */
static void close_managed(const struct kernel_launch *p)
{
    for (uint32_t i = 0; i < p->function->parameter_count; i++)
        for (size_t at = 0; at + 8 <= p->function->parameters[i].size; at += 8) {
            struct allocation *a = space_find(argument_word(p, i, at));
            if (a && a->kind == ALLOCATION_MANAGED)
                space_close(a, 0, a->size, true);
        }
}

/* ---- the record of a launch ---- */

static void record_arguments(const struct kernel_launch *p)
{
    line_open_list("arguments");
    for (uint32_t i = 0; i < p->function->parameter_count; i++) {
        const struct ptx_variable *parameter = &p->function->parameters[i];
        const struct source_parameter *named = p->kernel->parameters ? &p->kernel->parameters[i] : NULL;
        uint64_t value = 0;
        memcpy(&value, p->pointers[i], parameter->size < sizeof value ? parameter->size : sizeof value);
        line_open_object(NULL);
        if (named)
            line_text("name", named->name);
        if (named && named->type != PTX_TYPE_NONE)
            line_text("type", ptx_type_name(named->type));
        line_number("bytes", parameter->size);
        const struct allocation *a = parameter->size == sizeof value ? space_find(value) : NULL;
        if (a || (named && named->pointer)) {
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

/* ---- what the back ends share ---- */

bool launch_is_chosen(const struct kernel_launch *p)
{
    const struct options *options = &runtime.options;
    const char *kernel = options->record_kernel;
    if (options->record_launch)
        return runtime.launches == options->record_launch;
    if (kernel)
        return strcmp(kernel, p->name) == 0 || strcmp(kernel, p->kernel->name) == 0 ||
               (strncmp(kernel, p->name, strlen(kernel)) == 0 && p->name[strlen(kernel)] == '<');
    return options->record_all;
}

void launch_say(const char *kernel, const struct error *error)
{
    char text[1200];
    fflush(stdout);
    fprintf(stderr, "lanescope: kernel %s cannot run: %s\n", kernel, error_line(error, text, sizeof text));
}

struct run *launch_run(const struct kernel_launch *p)
{
    struct run *run = run_new();
    if (!run)
        return NULL;
    run->dram_preset = runtime.options.rows ? "hbm3" : NULL;
    run->source = p->kernel->module->source;
    run->source_name = p->kernel->module->source_name;
    run->compiler_name = p->kernel->module->compiler;
    run->launch = p->launch;
    return run;
}

void launch_release_run(struct run *run)
{
    memset(&run->launch, 0, sizeof run->launch); /* its buffers are the program's */
    run_free(run);
}

/* Returns the tokens of a module's source. A module without one shows its PTX as such, which is no C++. */
static const struct source *tokens_of(const struct module *module)
{
    static const struct source_token end = {.text = "", .kind = SOURCE_END};
    static const struct source none = {.text = "", .tokens = &end};
    return module->source == module->ptx ? &none : module->tokens;
}

struct execute_request launch_request(struct kernel_launch *p, bool recorded)
{
    const struct options *options = &runtime.options;
    return (struct execute_request){
        .module = p->kernel->module->ptx_module,
        .launch = &p->launch,
        .tokens = tokens_of(p->kernel->module),
        .options = {.executor = EXECUTOR_EMULATOR,
                    .recorded = options->blocks,
                    .no_recording = !recorded,
                    .checks = {.memory = options->memory, .races = options->races, .values = options->values},
                    .caches = options->caches,
                    .gpu = device_path(),
                    .budget = options->budget},
        .clock = device_clock(),
        .dram_of_all_blocks = options->rows};
}

/* Returns the error of a cooperative launch whose blocks cannot all be resident at once. */
static enum status cooperative_error(const struct kernel_launch *p, const struct shape *shape)
{
    const struct dim3 *g = &shape->grid, *b = &shape->block;
    int blocks = 0;
    enum status const status =
        runtime.backend->blocks_at_once(&blocks, p->kernel, (int)(b->x * b->y * b->z), shape->shared);
    uint64_t const most = (uint64_t)blocks * (uint64_t)device_fact("multiprocessors", 1);
    return status ? status : (uint64_t)g->x * g->y * g->z > most ? STATUS_COOPERATIVE_LAUNCH_TOO_LARGE : STATUS_SUCCESS;
}

/* Returns the parameters of a kernel by a source in C++, which is read once for all kernels of its module. */
static const struct source_parameter *parameters_in(struct module *module, const char *text, const struct source **read,
                                                    const struct ptx_function *kernel)
{
    if (!*text || text == module->ptx)
        return NULL;
    if (!*read)
        *read = source_read(&module->arena, text, NULL, 0, SOURCE_TAKEN);
    return kernel->parameter_count ? source_kernel_find(*read, kernel).parameters : NULL;
}

static enum status launch(struct kernel_launch *p, const struct shape *shape)
{
    struct module *module = p->kernel->module;
    if (!p->kernel->launched)
        p->kernel->parameters = parameters_in(module, module->source, &module->tokens, p->function);
    if (!p->kernel->launched && !p->kernel->parameters)
        p->kernel->parameters = parameters_in(module, module->included, &module->included_tokens, p->function);
    p->kernel->launched = true;
    p->launch = (struct launch){.kernel = p->kernel->name,
                                .grid = {shape->grid.x, shape->grid.y, shape->grid.z},
                                .block = {shape->block.x, shape->block.y, shape->block.z},
                                .shared_bytes = (uint32_t)shape->shared,
                                .variables = module->variables};
    line_number("launch", ++runtime.launches);
    line_number("stream", p->stream->number);
    line_number("shared_bytes", p->function->shared_bytes + shape->shared);
    record_arguments(p);
    space_pause();
    add_arguments(p);
    add_buffers(p);
    module_move_managed(false);
    enum status const status = runtime.backend->launch(p);
    module_move_managed(true);
    space_resume();
    close_managed(p);
    return status;
}

bool launch_has_arguments(const struct ptx_function *function, void *const *pointers)
{
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (!pointers || !pointers[i])
            return false;
    return true;
}

static enum status check(struct kernel_launch *p, const struct shape *shape)
{
    if (!p->kernel)
        return STATUS_INVALID_DEVICE_FUNCTION;
    if (!p->stream)
        return STATUS_INVALID_RESOURCE_HANDLE;
    if (!module_load(p->kernel->module)) {
        launch_say(p->kernel->name, &p->kernel->module->error);
        return STATUS_INVALID_KERNEL_IMAGE;
    }
    p->function = ptx_kernel(p->kernel->module->ptx_module, p->kernel->name);
    enum status const status = !p->function ? STATUS_INVALID_DEVICE_FUNCTION
                               : !launch_has_arguments(p->function, p->pointers)
                                   ? STATUS_INVALID_VALUE
                                   : limit_error(p->kernel, p->function, shape);
    return status || !p->cooperative ? status : cooperative_error(p, shape);
}

struct work work_of_child(struct arena *arena, const struct work_children *children, const struct launch_child *child)
{
    const struct ptx_module *module = children->module->ptx_module;
    const struct ptx_function *function = &module->functions[child->function];
    const uint32_t *g = child->grid, *b = child->block;
    struct work work = {.kind = WORK_KERNEL,
                        .kernel = {.function = module_entry(children->module, function->name)->host,
                                   .shape = {{g[0], g[1], g[2]}, {b[0], b[1], b[2]}, child->shared_bytes},
                                   .arguments = arena_array(arena, void *, (size_t)function->parameter_count + 1),
                                   .launcher = children->launcher,
                                   .launcher_file = child->file < module->file_count ? module->files[child->file] : "",
                                   .launcher_line = child->line}};
    for (uint32_t i = 0; i < function->parameter_count; i++)
        work.kernel.arguments[i] = children->list.bytes.items + child->arguments + function->parameters[i].offset;
    return work;
}

enum status work_launch(const struct work *work, struct stream *stream, struct work_children *children)
{
    const struct shape *shape = &work->kernel.shape;
    struct arena arena = {0};
    struct kernel *kernel = module_kernel(work->kernel.function);
    if (stream && stream->capture)
        return capture_work(work, NULL, stream);
    enum status const refusal = stream ? capture_refuses_work(stream) : STATUS_SUCCESS;
    if (refusal)
        return refusal;
    line_shape("grid", (uint32_t[]){shape->grid.x, shape->grid.y, shape->grid.z});
    line_shape("block", (uint32_t[]){shape->block.x, shape->block.y, shape->block.z});
    line_number("dynamic_shared_bytes", shape->shared);
    struct kernel_launch launched = {.arena = &arena,
                                     .kernel = kernel,
                                     .name = kernel ? mangled_whole_name(&arena, kernel->name) : NULL,
                                     .pointers = work->kernel.arguments,
                                     .stream = stream,
                                     .cooperative = work->kernel.cooperative,
                                     .children = &children->list};
    enum status status = runtime.sticky;
    if (work->kernel.launcher) {
        line_number("launcher", work->kernel.launcher);
        line_text("launcher_file", path_name(work->kernel.launcher_file));
        line_number("launcher_line", work->kernel.launcher_line);
    }
    if (kernel) {
        line_text("kernel", launched.name);
        line_text("symbol", kernel->name);
    }
    if (!status && !runtime.pending)
        status = check(&launched, shape);
    if (kernel && kernel->module->failed)
        line_text("problem", kernel->module->error.message);
    if (!status && !runtime.pending && stream && launched.function)
        status = launch(&launched, shape);
    children->module = kernel ? kernel->module : NULL;
    children->launcher = runtime.launches;
    arena_free(&arena);
    return status;
}
