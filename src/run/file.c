/* Runs a .cu or .ptx file with a launch given by hand. */
#include "run/file.h"
#include "base/file.h"
#include "base/mangled.h"
#include "base/words.h"
#include "model/gpu.h"
#include "ptx/element.h"
#include "run/execute.h"
#include "run/fill.h"
#include "run/kernel_words.h"
#include "source/kernel.h"
#include <stdlib.h>
#include <string.h>

struct run_file_request run_file_copy(struct arena *arena, const struct run_file_request *from)
{
    struct run_file_request copy = *from;
    const char **arguments = arena_array(arena, const char *, from->argument_count);
    struct compile_define *defines = arena_array(arena, struct compile_define, from->define_count);
    for (size_t i = 0; i < from->argument_count; i++)
        arguments[i] = arena_text(arena, from->arguments[i]);
    for (size_t i = 0; i < from->define_count; i++)
        defines[i] = (struct compile_define){arena_text(arena, from->defines[i].name),
                                             from->defines[i].value ? arena_text(arena, from->defines[i].value) : NULL};
    copy.path = arena_text(arena, from->path);
    copy.kernel = from->kernel ? arena_text(arena, from->kernel) : NULL;
    copy.arguments = arguments;
    copy.defines = defines;
    return copy;
}

struct target_request file_target(const struct run_file_request *request)
{
    return (struct target_request){.path = request->path,
                                   .source = request->source,
                                   .defines = request->defines,
                                   .define_count = request->define_count,
                                   .compiler = request->compiler,
                                   .cancel = request->options.cancel,
                                   .architecture = target_architecture()};
}

static bool load_module(struct run *run, const struct run_file_request *request, struct ptx_module **module,
                        struct error *error)
{
    struct target target;
    struct target_request const wanted = file_target(request);
    if (!target_load(&run->arena, &wanted, &target, error))
        return false;
    run->source = target.source;
    run->source_name = target.source_name;
    run->compiler_name = target.compiler_name;
    *module = target.module;
    return true;
}

static const struct ptx_function *find_kernel(struct arena *arena, const struct run_file_request *request,
                                              const char *source, const struct ptx_module *module, struct error *error)
{
    const struct ptx_function *kernel = kernel_chosen(arena, module, request->kernel);
    if (kernel)
        return kernel;
    const char *all = "";
    unsigned count = 0;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_kernel && module->functions[i].has_body)
            all = arena_format(arena, "%s%s%s", all, count++ ? ", " : "",
                               kernel_words(arena, module, &module->functions[i]));
    if (count == 0) {
        error_at(error, ERROR_INPUT, request->path, 0, 0, "holds no kernel");
        const char *template = source ? source_template(arena, source) : NULL;
        if (template)
            error_remedy(error,
                         "%s is a template: name an instance of it, such as `template __global__ void %s<float>(...);`",
                         template, template);
        else
            error_remedy(error, "a kernel is a function marked __global__");
    } else if (request->kernel) {
        error_at(error, ERROR_INPUT, request->path, 0, 0, "holds no kernel \"%s\"", request->kernel);
        error_remedy(error, "it holds %s", all);
    } else {
        error_at(error, ERROR_INPUT, request->path, 0, 0, "holds %u kernels", count);
        error_remedy(error, "choose one with --kernel: %s", all);
    }
    return NULL;
}

static bool wrong_arguments(struct run *run, const struct ptx_function *kernel, const char *what, struct error *error)
{
    struct arena *arena = &run->arena;
    const char *list = "", **each = kernel_parameters(arena, run->source, kernel);
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        list = arena_format(arena, "%s%s%u %s", list, i ? ", " : "", i, each[i]);
    error_set(error, ERROR_INPUT, "%s; kernel %s takes %u (%s)", what, mangled_name(arena, kernel->name),
              kernel->parameter_count, kernel->parameter_count ? list : _("none"));
    return error_remedy(error, "give one --arg for each, in order");
}

/* Returns whether a parameter of this type holds bits that can be any number of their size: compilers pass halves and
 * smaller numbers so. */
static bool is_untyped(enum ptx_type type)
{
    return type == PTX_B8 || type == PTX_U8 || type == PTX_B16 || type == PTX_U16 || type == PTX_B32 || type == PTX_B64;
}

/* Returns NULL when the argument fits its parameter, otherwise the reason, in the arena. */
static const char *misfit(struct arena *arena, uint32_t index, const char *text, const struct ptx_variable *parameter,
                          const struct argument_text *argument)
{
    size_t const size = argument->is_buffer   ? sizeof(uint64_t)
                        : argument->structure ? argument->size
                                              : ptx_type_size(argument->type);
    bool const untyped = parameter->size > ptx_type_size(parameter->type) || is_untyped(parameter->type);
    bool const structure = argument->structure || parameter->size > ptx_type_size(parameter->type);
    if (size != parameter->size && (structure || parameter->size < 4))
        return arena_format(arena, _("argument %u, %s, has %zu B, but its parameter takes %zu B"), index, text, size,
                            parameter->size);
    bool const alike =
        argument->structure || ptx_is_real(parameter->type) == (!argument->is_buffer && ptx_is_real(argument->type));
    if (size == parameter->size && (alike || (untyped && !argument->is_buffer)))
        return NULL;
    return arena_format(arena, _("argument %u, %s, does not fit its parameter"), index, text);
}

/* The arguments in the making: the buffers with their fills. */
struct making {
    struct arena *arena;
    struct launch *launch;
    struct fill *fills;
};

static uint32_t add_buffer(struct making *making, const char *name, const struct argument_inner *given)
{
    struct launch *launch = making->launch;
    launch->buffers[launch->buffer_count] = (struct launch_buffer){.name = name,
                                                                   .type = given->type,
                                                                   .count = given->count,
                                                                   .shape = given->shape,
                                                                   .unwritten = given->fill.kind == FILL_NONE};
    making->fills[launch->buffer_count] = given->fill;
    return launch->buffer_count++;
}

/* Returns the name of a buffer in a structure: "p.x" where the source shows the member, the structure's own where it is
 * the only one, else "arg0.1" with its number. */
static const char *inner_name(struct arena *arena, const char *name, const struct ptx_layout *layout,
                              const struct argument_text *given, uint32_t index)
{
    for (uint32_t i = 0; layout && i < layout->field_count; i++)
        if (layout->fields[i].offset == given->inner[index].offset)
            return arena_format(arena, "%s.%s", name, layout->fields[i].name);
    return given->inner_count == 1 ? name : arena_format(arena, "%s.%u", name, index);
}

static void make_argument(struct making *making, struct launch_argument *argument, const struct argument_text *given,
                          const char *name, const struct ptx_layout *layout)
{
    *argument =
        (struct launch_argument){.type = given->type, .bits = given->bits, .bytes = given->bytes, .size = given->size};
    if (given->is_buffer) {
        struct argument_inner const buffer = {0, given->type, given->count, given->shape, given->fill};
        argument->is_buffer = true;
        argument->buffer = add_buffer(making, name, &buffer);
    }
    struct launch_inner *inner = arena_array(making->arena, struct launch_inner, given->inner_count);
    argument->inner = inner;
    argument->inner_count = given->inner_count;
    for (uint32_t i = 0; i < given->inner_count; i++)
        inner[i] = (struct launch_inner){
            given->inner[i].offset,
            add_buffer(making, inner_name(making->arena, name, layout, given, i), &given->inner[i])};
}

/* Returns how many buffers the arguments have, those in structures included; false: an argument is malformed. */
static bool count_buffers(struct arena *arena, const struct run_file_request *request, size_t *count,
                          struct error *error)
{
    struct argument_text given;
    *count = 0;
    for (size_t i = 0; i < request->argument_count; i++) {
        if (!argument_parse(arena, request->arguments[i], &given, error))
            return false;
        *count += given.is_buffer + given.inner_count;
    }
    return true;
}

static bool make_arguments(struct run *run, const struct run_file_request *request, const struct ptx_function *kernel,
                           struct error *error)
{
    struct launch *launch = &run->launch;
    struct arena *arena = &run->arena;
    struct argument_text given;
    size_t buffers;
    if (!count_buffers(arena, request, &buffers, error)) /* reported before a wrong number of arguments */
        return false;
    if (request->argument_count != kernel->parameter_count)
        return wrong_arguments(run, kernel,
                               arena_format(arena,
                                            request->argument_count == 1 ? _("%zu argument is given")
                                                                         : _("%zu {argument is|arguments are} given"),
                                            request->argument_count),
                               error);
    struct launch_argument *arguments = arena_array(arena, struct launch_argument, request->argument_count);
    launch->arguments = arguments;
    launch->argument_count = (uint32_t)request->argument_count;
    launch->buffers = arena_array(arena, struct launch_buffer, buffers);
    struct making making = {arena, launch, arena_array(arena, struct fill, buffers)};
    const struct source_parameter *named = source_parameters(arena, run->source, kernel);
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        argument_parse(arena, request->arguments[i], &given, error);
        const char *wrong = misfit(arena, i, request->arguments[i], &kernel->parameters[i], &given);
        if (wrong)
            return wrong_arguments(run, kernel, wrong, error);
        make_argument(&making, &arguments[i], &given, named ? named[i].name : arena_format(arena, "arg%u", i),
                      named ? named[i].layout : NULL);
    }
    if (!launch_buffers_allocate(launch, error))
        return false;
    for (uint32_t i = 0; i < launch->buffer_count; i++)
        if (!fill_buffer(&making.fills[i], &launch->buffers[i], error))
            return false;
    return true;
}

/* Loads the program, finds the kernel and makes its arguments, all in the run. */
static bool prepare(struct run *run, const struct run_file_request *request, const struct ptx_module **module,
                    struct error *error)
{
    struct ptx_module *loaded;
    if (!load_module(run, request, &loaded, error))
        return false;
    const struct ptx_function *kernel = find_kernel(&run->arena, request, run->source, loaded, error);
    if (!kernel || !make_arguments(run, request, kernel, error))
        return false;
    struct launch *launch = &run->launch;
    launch->kernel = kernel->name;
    static const uint32_t one_block[3] = {1, 1, 1}, one_warp[3] = {32, 1, 1};
    memcpy(launch->grid, request->grid[0] ? request->grid : one_block, sizeof launch->grid);
    const uint32_t *usual = kernel->required_threads[0] ? kernel->required_threads : one_warp;
    memcpy(launch->block, request->block[0] ? request->block : usual, sizeof launch->block);
    launch->shared_bytes = request->shared_bytes;
    *module = loaded;
    return true;
}

bool run_file_prepare(const struct run_file_request *request, struct run **run, const struct ptx_module **module,
                      struct error *error)
{
    *run = run_new();
    if (!*run)
        return error_set(error, ERROR_MISSING, "no memory for a run");
    if (prepare(*run, request, module, error))
        return true;
    run_free(*run);
    return false;
}

static bool run_request(struct run *run, const struct run_file_request *request, struct error *error)
{
    const struct ptx_module *module;
    struct run_options options = request->options;
    if (options.executor == EXECUTOR_RECORDING)
        return error_set(error, ERROR_INPUT, "%s has no recording: --on recording is for lessons", request->path);
    if (!execute_choose(&options.executor, error) || !prepare(run, request, &module, error))
        return false;
    struct clock_figures clock = {0};
    if (!gpu_clock(&run->arena, options.gpu, &clock, error) && options.executor == EXECUTOR_EMULATOR)
        return false;
    run->latencies = clock;
    options.most_work = run_most_work(options.budget);
    struct execute_request const execution = {.module = module,
                                              .launch = &run->launch,
                                              .defines = request->defines,
                                              .define_count = request->define_count,
                                              .options = options,
                                              .clock = &clock,
                                              .dram_of_all_blocks = true};
    return execute(run, &execution, error);
}

bool run_dram_known(const char *name, struct error *error)
{
    struct arena arena = {0};
    const char *all = "";
    if (dram_preset(name))
        return true;
    for (const struct dram_preset *const *preset = dram_presets(); *preset; preset++)
        all = arena_format(&arena, "%s%s%s", all, *all ? ", " : "", (*preset)->name);
    error_set(error, ERROR_INPUT, "there is no DRAM model \"%s\"", name);
    error_remedy(error, "choose one of %s", all);
    arena_free(&arena);
    return false;
}

bool run_file(const struct run_file_request *request, struct run **out, struct error *error)
{
    double const begin = clock_seconds();
    struct run *run = run_new();
    *out = NULL;
    if (!run)
        return error_set(error, ERROR_MISSING, "no memory for a run");
    run->dram_preset = request->options.dram ? request->options.dram : DRAM_OF_FILES;
    if (!run_dram_known(run->dram_preset, error) || !run_request(run, request, error)) {
        run_free(run);
        return false;
    }
    if (request->buffers)
        *request->buffers = run->launch.buffers;
    if (request->buffer_count)
        *request->buffer_count = run->launch.buffer_count;
    run->seconds = clock_seconds() - begin;
    *out = run;
    return true;
}
