/* A browser starts no program: it has no compiler, no folder for one, and uses the PTX that is shipped or dropped. What
 * a compiler made elsewhere of mine.cu is mine.ptx beside it: that stands for clang's. */
#include "base/words.h"
#include "compile/backend.h"
#include "compile/process.h"
#include <string.h>

bool compiler_missing(const struct unit *unit, enum compiler wanted, const struct compiler_status *status,
                      struct error *error)
{
    (void)wanted;
    (void)status;
    error_at(error, ERROR_MISSING, unit->path, 0, 0, "cannot be compiled in a browser");
    return error_remedy(error, "open it with Lanescope on a computer, or drop it here together with its .ptx file");
}

void nvrtc_find(struct compiler_status *status)
{
    *status = (struct compiler_status){.compiler = COMPILER_NVRTC};
}

void clang_find(struct compiler_status *status)
{
    *status = (struct compiler_status){.compiler = COMPILER_CLANG, .present = true};
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
    char *text = NULL;
    size_t size = 0;
    const char *dot = strrchr(unit->path, '.');
    const char *beside = dot ? arena_format(arena, "%.*s.ptx", (int)(dot - unit->path), unit->path) : "";
    if (!file_read(arena, beside, &text, &size, NULL))
        return nvrtc_compile(arena, unit, status, result, error);
    *result = (struct compile_result){
        .ptx = text, .ptx_size = size, .compiler = COMPILER_CLANG, .compiler_name = path_name(beside), .log = ""};
    return OUTCOME_DONE;
}
