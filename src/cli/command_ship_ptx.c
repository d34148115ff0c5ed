/* `ship-ptx`: what the build target ptx-assets runs. Every set of defines a lesson can ask for, compiled with NVRTC
 * into assets/ptx, so that a machine without a compiler runs the same lessons. */
#include "cli/cli.h"
#include "lesson/plan.h"
#include <stdio.h>
#include <unistd.h>

int command_ship_ptx(struct cli_options *options)
{
    struct error error;
    const char **names;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_names(&options->arena, &names, &errors, &error_count);
    const char *folder = data_path(&options->arena, "assets/ptx");
    char **old;
    size_t const old_count = folder_list(&options->arena, folder, &old);
    for (size_t i = 0; i < old_count; ++i)
        if (cli_has_suffix(old[i], ".ptx"))
            unlink(arena_format(&options->arena, "%s/%s", folder, old[i]));
    for (size_t i = 0; i < count; ++i) {
        struct lesson *lesson;
        if (!lesson_load(names[i], &lesson, &error))
            return cli_fail(&error);
        struct compile_request *requests;
        size_t const request_count = lesson_compilations(lesson, &options->arena, &requests);
        for (size_t k = 0; k < request_count; ++k)
            if (!compile_ship(&requests[k], folder, &error)) {
                lesson_free(lesson);
                return cli_fail(&error);
            }
        printf("%s: %zu files\n", names[i], request_count);
        lesson_free(lesson);
    }
    return CLI_FINE;
}
