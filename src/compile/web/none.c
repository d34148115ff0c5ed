/* A browser starts no program: it has no compiler, no folder for one, and uses the PTX that is shipped or dropped. */
#include "base/words.h"
#include "compile/backend.h"
#include "compile/process.h"

bool compiler_missing(const struct unit *unit, enum compiler wanted, const struct compiler_status *status,
                      struct error *error)
{
    (void)wanted;
    (void)status;
    error_at(error, ERROR_MISSING, unit->path, 0, 0, "cannot be compiled in a browser");
    return error_remedy(error, "open it with Lanescope on a computer, or drop its .ptx file here");
}

void nvrtc_find(struct compiler_status *status)
{
    *status = (struct compiler_status){.compiler = COMPILER_NVRTC};
}

void clang_find(struct compiler_status *status)
{
    *status = (struct compiler_status){.compiler = COMPILER_CLANG};
}

void clang_version(struct compiler_status *status, const atomic_bool *cancel)
{
    (void)status;
    (void)cancel;
}

enum outcome nvrtc_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error)
{
    (void)arena;
    (void)result;
    compiler_missing(unit, COMPILER_ANY, status, error);
    return OUTCOME_UNUSABLE;
}

enum outcome clang_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error)
{
    return nvrtc_compile(arena, unit, status, result, error);
}
