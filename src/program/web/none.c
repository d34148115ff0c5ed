/* A browser starts no program: whole programs are for the desktop. */
#include "program/program.h"

bool program_build(struct arena *arena, const struct program_build_request *request, struct program_built *built,
                   struct error *error)
{
    (void)arena;
    *built = (struct program_built){.path = ""};
    error_at(error, ERROR_MISSING, request->file_count ? request->files[0] : "", 0, 0,
             "is a whole program, which a browser cannot start");
    return error_remedy(error, "open it with Lanescope on a computer, or drop the .ptx file of a kernel here");
}

void program_run_free(struct program_run *run)
{
    (void)run; /* there is none */
}

bool program_run(const struct program_run_request *request, struct program_run **run, struct error *error)
{
    *run = NULL;
    return error_at(error, ERROR_MISSING, request->path, 0, 0, "is a whole program, which a browser cannot start");
}
