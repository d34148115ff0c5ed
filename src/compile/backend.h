/* For src/compile only: the interface between compile.c and the sources of PTX (nvrtc.c, clang.c, shipped.c). */
#ifndef LANESCOPE_COMPILE_BACKEND_H
#define LANESCOPE_COMPILE_BACKEND_H
#include "base/file.h"
#include "compile/clang.h"
#include "compile/log.h"

/* One source file with everything that decides its PTX. */
struct unit {
    const char *path;   /* path as the caller named it, for errors */
    const char *name;   /* "banks.cu": the name in the PTX's .file, the same on every computer */
    const char *folder; /* folder of its #include "..." files */
    const char *text;
    const struct compile_define *defines;
    size_t define_count;
    unsigned target;  /* 75 for compute_75 */
    unsigned seconds; /* for the compiler; 0: the usual ones */
    const atomic_bool *cancel;
};

enum { COMPILE_LEAST_TARGET = 75 };
/* Returns the least target that a source needs: the one in its comment `// Needs sm_80`, else COMPILE_LEAST_TARGET. */
unsigned unit_least_target(const char *text);

enum outcome {
    OUTCOME_DONE,
    OUTCOME_REFUSED, /* the source has an error, which every compiler would report */
    OUTCOME_UNUSABLE /* this compiler does not work here or for this source; another may */
};

/* Fills a unit from a request and reads the source when the request has only a path. Texts are in the arena. */
bool unit_prepare(struct arena *arena, const struct compile_request *request, struct unit *unit, struct error *error);
/* Returns "-DNAME" or "-DNAME=VALUE" for each of the unit's define_count defines. */
const char **unit_define_options(struct arena *arena, const struct unit *unit);

/* Fills a status quickly, without running a program. */
void nvrtc_find(struct compiler_status *status);
enum outcome nvrtc_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error);
enum outcome clang_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error);

/* Says that no compiler is there for the unit, or not the wanted one, and returns false. */
bool compiler_missing(const struct unit *unit, enum compiler wanted, const struct compiler_status *status,
                      struct error *error);

/* Return the folder, the prelude and the include folder in assets/cuda, which let a course's kernel compile without the
 * CUDA Toolkit. clang includes the prelude; both compilers search the include folder. */
const char *prelude_folder(struct arena *arena);
const char *prelude_path(struct arena *arena);
const char *prelude_include_folder(struct arena *arena);

/* Shipped PTX in any folder. shipped_read returns false when the file is absent or not fresh. */
const char *shipped_path(struct arena *arena, const struct unit *unit, const char *folder);
bool shipped_read(struct arena *arena, const struct unit *unit, const char *folder, struct compile_result *result);
bool shipped_write(struct arena *arena, const struct unit *unit, const char *folder,
                   const struct compile_result *result, struct error *error);
#endif
