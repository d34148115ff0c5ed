/* A kernel dropped on the window says nothing of its launch, so a plain one is assumed and said: 4 blocks of 256
 * threads, every pointer a buffer of 4096 floats 0, 1, 2, ..., every whole number 1024 (the threads there are). The
 * command line gives any other. */
#include "app/state.h"
#include "base/file.h"
#include "ptx/parse.h"
#include <string.h>

static const struct ptx_function *first_kernel(const struct ptx_program *program)
{
    for (uint32_t i = 0; i < program->function_count; i++)
        if (program->functions[i].is_kernel && program->functions[i].has_body)
            return &program->functions[i];
    return NULL;
}

static const char *assumed(const struct ptx_variable *parameter)
{
    switch (parameter->type) {
    case PTX_F32:
        return "f32=1";
    case PTX_F64:
        return "f64=1";
    default:
        return parameter->size >= 8 ? "f32[4096]=iota" : "i32=1024";
    }
}

static bool read_program(struct arena *arena, const char *path, struct ptx_program **program, struct error *error)
{
    size_t length = strlen(path), size = 0;
    char *text = NULL;
    if (length > 4 && strcmp(path + length - 4, ".ptx") == 0)
        return file_read(arena, path, &text, &size, error) && ptx_parse(arena, path, text, size, program, error);
    struct compile_request const request = {.path = path};
    struct compile_result result;
    return compile_cuda(arena, &request, &result, error) &&
           ptx_parse(arena, path, result.ptx, result.ptx_size, program, error);
}

static bool run_assumed(struct app *app, struct arena *arena, const char *path, struct run **run, struct error *error)
{
    struct ptx_program *program = NULL;
    if (!read_program(arena, path, &program, error))
        return false;
    const struct ptx_function *kernel = first_kernel(program);
    if (!kernel)
        return error_set(error, ERROR_INPUT, _("%s holds no kernel; mark one with __global__"), path);
    const char **arguments = arena_array(arena, const char *, kernel->parameter_count + 1);
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        arguments[i] = assumed(&kernel->parameters[i]);
    struct run_file_request const request = {.path = path,
                                             .kernel = kernel->name,
                                             .grid = {4, 1, 1},
                                             .block = {256, 1, 1},
                                             .arguments = arguments,
                                             .argument_count = kernel->parameter_count,
                                             .recorded = LAUNCH_ALL_BLOCKS,
                                             .check_memory = true,
                                             .check_races = true,
                                             .executor = app->executor,
                                             .budget = 50000000}; /* a second or two: the window waits for it */
    return run_file(&request, run, error);
}

void app_open_kernel(struct app *app, const char *path)
{
    struct arena arena = {0};
    struct run *run = NULL;
    struct error error;
    bool ran = run_assumed(app, &arena, path, &run, &error);
    if (!ran)
        app_say_error(app, &error);
    else if (run) {
        app_show_file_run(app, run, path);
        if (!app->notice_bad)
            app_say(app,
                    _("%s: 4 blocks of 256 threads and buffers of 4096 floats were assumed; lanescope run --help says "
                      "how to give others"),
                    run->trace->kernel);
    }
    arena_free(&arena);
}
