/* `ship-ptx`, which the build target ptx-assets runs: compiles every set of defines of a lesson with NVRTC into
 * assets/ptx, so that a computer without a compiler runs the same lessons. */
#include "cli/cli.h"
#include "lesson/lesson.h"

static bool ship_lesson(struct cli_options *options, const char *name, const char *folder, struct cli_list *shipped,
                        struct error *error)
{
    struct lesson *lesson;
    if (!lesson_load(name, &lesson, error))
        return false;
    struct compile_request *requests;
    size_t const count = lesson_compilations(lesson, &options->arena, &requests);
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        fine = compile_ship(&requests[i], folder, error);
        if (shipped->count < CLI_LIST_MAX)
            shipped->items[shipped->count++] = arena_text(&options->arena, requests[i].path);
    }
    lesson_free(lesson);
    return fine;
}

static bool is_shipped(const struct cli_list *shipped, const char *name)
{
    for (int i = 0; i < shipped->count; i++)
        if (path_ends_with(shipped->items[i], name))
            return true;
    return false;
}

int command_ship_ptx(struct cli_options *options)
{
    if (options->targets.count)
        return cli_usage("ship-ptx takes no arguments, but '%s' was given", options->targets.items[0]);
    struct error error;
    const char **names;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_names_installed(&options->arena, &names, &errors, &error_count);
    const char *folder = data_path(&options->arena, "assets/ptx");
    struct cli_list shipped = {0};
    for (size_t i = 0; i < count; i++)
        if (!ship_lesson(options, names[i], folder, &shipped, &error))
            return cli_fail(&error);
    char **kernels;
    size_t const kernel_count = folder_list(&options->arena, data_path(&options->arena, "kernels"), &kernels);
    for (size_t i = 0; i < kernel_count; i++) {
        struct compile_request const request = {.path = data_path(&options->arena, "kernels/%s", kernels[i])};
        if (path_ends_with(kernels[i], ".cu") &&
            !is_shipped(&shipped, arena_format(&options->arena, "/%s", kernels[i])) &&
            !compile_ship(&request, folder, &error))
            return cli_fail(&error);
    }
    return CLI_FINE;
}
