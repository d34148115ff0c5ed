/* Refuses a command line whose output would take the place of a file that the same command reads. */
#include "cli/cli.h"
#include "lesson/lesson.h"
#include "program/sources.h"
#include "run/fill.h"
#include "run/launch_words.h"
#include "run/target.h"
#include <string.h>
#include <sys/stat.h>

struct output_file {
    const char *path;
    struct stat found;
};

static bool is_file(const char *path, struct stat *found)
{
    return path && stat(path, found) == 0 && S_ISREG(found->st_mode);
}

/* Returns true when the path leads to another file, or to none. */
static bool apart(const struct output_file *output, const char *path, struct error *error)
{
    struct stat found;
    if (!is_file(path, &found) || found.st_dev != output->found.st_dev || found.st_ino != output->found.st_ino)
        return true;
    return error_at(error, ERROR_INPUT, output->path, 0, 0,
                    "is a file that this command reads: give the output another name");
}

static bool apart_from_folder(const struct output_file *output, struct arena *arena, const char *folder,
                              struct error *error)
{
    static const char *const endings[] = {".yaml", ".md", ".cu", ".cuh", ".h", ".ptx"};
    char **names;
    size_t const count = folder_list(arena, folder, &names);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
            if (path_ends_with(names[i], endings[k]) &&
                !apart(output, arena_format(arena, "%s/%s", folder, names[i]), error))
                return false;
    return true;
}

/* The files that fill the buffers of a launch. */
static bool apart_from_fills(const struct output_file *output, struct arena *arena,
                             const struct run_file_request *launch, struct error *error)
{
    for (size_t i = 0; i < launch->argument_count; i++) {
        const char *argument = launch->arguments[i], *at = argument, *path;
        for (size_t length; (path = argument_file(argument, at, &length)); at = path + length)
            if (!apart(output, arena_text_n(arena, path, length), error))
                return false;
    }
    return true;
}

static bool apart_from_source(const struct output_file *output, struct arena *arena, const char *path,
                              struct error *error)
{
    struct run_file_request commented = {.path = path};
    struct program_sources sources;
    bool found;
    program_sources_find(arena, path, &sources);
    for (size_t i = 0; i < sources.count; i++)
        if (!apart(output, sources.paths[i], error))
            return false;
    return !launch_comment(arena, &commented, &found, NULL) || apart_from_fills(output, arena, &commented, error);
}

static bool is_source(const char *path)
{
    return target_is_file(path) || path_ends_with(path, ".cpp") || path_ends_with(path, ".c");
}

static bool apart_from_lesson(const struct output_file *output, struct arena *arena, const char *name,
                              struct error *error)
{
    struct lesson *lesson;
    if (!lesson_exists(name) || !lesson_load(name, &lesson, NULL))
        return true;
    bool const fine = apart_from_folder(output, arena, lesson->folder, error) &&
                      apart_from_folder(output, arena, data_path(arena, "kernels"), error);
    lesson_free(lesson);
    return fine;
}

static bool apart_from_all(const struct output_file *output, struct arena *arena, const struct cli_options *options,
                           struct error *error)
{
    for (int i = 0; i < options->targets.count; i++) {
        const char *target = options->targets.items[i];
        if (!apart(output, target, error) || (is_source(target) && !apart_from_source(output, arena, target, error)) ||
            !apart_from_lesson(output, arena, target, error))
            return false;
    }
    return apart(output, options->launch.options.gpu, error) &&
           apart_from_fills(output, arena, &options->launch, error);
}

bool cli_outputs_apart(const struct cli_options *options, struct error *error)
{
    struct arena arena = {0};
    const char *paths[CLI_LIST_MAX + 2] = {options->trace, options->output};
    for (int i = 0; i < options->dumps.count; i++)
        paths[2 + i] = strchr(options->dumps.items[i], '=') + 1;
    bool fine = true;
    for (int i = 0; i < 2 + options->dumps.count && fine; i++) {
        struct output_file output = {.path = paths[i]};
        if (is_file(paths[i], &output.found))
            fine = apart_from_all(&output, &arena, options, error);
    }
    arena_free(&arena);
    return fine;
}
