/* Whether a file is a whole program or a kernel that is launched alone. */
#include "base/file.h"
#include "program/program.h"
#include "run/launch_words.h"
#include "source/kernel.h"

bool program_is_asked(const struct run_file_request *launch)
{
    char *source;
    struct arena arena = {0};
    if (!path_ends_with(launch->path, ".cu") || launch->argument_count || launch->grid[0] || launch->block[0] ||
        launch->shared_said)
        return false;
    bool whole = file_read(&arena, launch->path, &source, NULL, NULL) && source_has_main(source);
    if (whole) { /* a launch in a comment of the file stands for the kernel alone */
        struct run_file_request request = *launch;
        struct error error;
        bool found = false;
        whole = !launch_comment(&arena, &request, &found, &error) || !found;
    }
    arena_free(&arena);
    return whole;
}
