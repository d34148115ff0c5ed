/* Inside compile/: what compile.c and the ways to get PTX (nvrtc.c, clang.c, shipped.c) say to one another. */
#ifndef LANESCOPE_COMPILE_BACKEND_H
#define LANESCOPE_COMPILE_BACKEND_H
#include "base/file.h"
#include "compile/compile.h"

/* One source file with all that decides what it compiles to. */
struct unit {
    const char *path;   /* as the caller named it: what errors show */
    const char *name;   /* "banks.cu": what .file in the PTX shows, the same on every machine */
    const char *folder; /* where its #include "..." are looked for */
    const char *text;
    const struct compile_define *defines;
    size_t define_count;
    unsigned target; /* 75 for compute_75 */
};

enum outcome {
    OUTCOME_DONE,
    OUTCOME_REFUSED, /* the source has an error: no other compiler would help */
    OUTCOME_UNUSABLE /* this compiler cannot be used here: another may do */
};

bool unit_prepare(struct arena *arena, const struct compile_request *request, struct unit *unit, struct error *error);
/* "-DNAME" or "-DNAME=VALUE" for each define, count of them. */
const char **unit_define_options(struct arena *arena, const struct unit *unit);

/* find fills a status without running anything that takes time; clang's version comes from clang_version. */
void nvrtc_find(struct compiler_status *status);
enum outcome nvrtc_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error);
void clang_find(struct compiler_status *status);
void clang_version(struct compiler_status *status);
enum outcome clang_compile(struct arena *arena, const struct unit *unit, const struct compiler_status *status,
                           struct compile_result *result, struct error *error);

/* Headers that both compilers are given, so that a course's kernel compiles with no CUDA Toolkit: assets/cuda. */
const char *prelude_folder(struct arena *arena);
const char *prelude_path(struct arena *arena);
const char *prelude_include_folder(struct arena *arena);

/* The first error in a compiler's log, with its place; false when the log has none. Places in the unit's own file are
 * given its path. */
bool log_first_error(const struct unit *unit, const char *log, struct error *error);
/* Makes every .file of the PTX a name without folders, so that it is the same text on every machine. */
char *ptx_with_plain_files(struct arena *arena, const char *ptx);

/* Shipped PTX in any folder. read: false when it is not there or not fresh. */
const char *shipped_path(struct arena *arena, const struct unit *unit, const char *folder);
bool shipped_read(struct arena *arena, const struct unit *unit, const char *folder, struct compile_result *result);
bool shipped_write(struct arena *arena, const struct unit *unit, const char *folder,
                   const struct compile_result *result, struct error *error);
/* Whether a file of a shipped folder was made from what `sources` (a folder such as kernels/) holds now; reason says
 * why not. */
bool shipped_file_fresh(struct arena *arena, const char *path, const char *sources, const char **reason);

/* Text that grows: options, keys, headers. */
struct text {
    char *items;
    size_t count, capacity;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif
