/* `ship-ptx`, which the build target ptx-assets runs: compiles every set of defines of a lesson, and the samples of the
 * first screen, with NVRTC into assets/ptx, so that a computer without a compiler runs the same. */
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

/* Ships the other kernels of a folder, without defines. */
static bool ship_folder(struct cli_options *options, const char *from, const char *folder,
                        const struct cli_list *shipped, struct error *error)
{
    char **kernels;
    size_t const count = folder_list(&options->arena, data_path(&options->arena, "%s", from), &kernels);
    for (size_t i = 0; i < count; i++) {
        struct compile_request const request = {.path = data_path(&options->arena, "%s/%s", from, kernels[i])};
        if (path_ends_with(kernels[i], ".cu") &&
            !is_shipped(shipped, arena_format(&options->arena, "/%s", kernels[i])) &&
            !compile_ship(&request, folder, error))
            return false;
    }
    return true;
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
    if (!ship_folder(options, "kernels", folder, &shipped, &error) ||
        !ship_folder(options, "assets/samples", folder, &shipped, &error))
        return cli_fail(&error);
    return CLI_FINE;
}
