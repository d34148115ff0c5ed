/* What kernels and whole programs share of a compilation with clang: the compiler, its PTX, the keys of the cache. */
#ifndef LANESCOPE_COMPILE_CLANG_H
#define LANESCOPE_COMPILE_CLANG_H
#include "compile/compile.h"

/* Errors of clang that are warnings of nvcc: `return;` where a value is due, narrowing in braces; and the end of a
 * function without its `return` is no trap. */
#define CLANG_LIBERTIES "-Wno-error=return-type", "-fno-strict-return", "-Wno-error=c++11-narrowing"

/* clang_find fills a status quickly, without running a program; clang_version runs clang for its version, until
 * `cancel` becomes true (NULL: never). */
void clang_find(struct compiler_status *status);
void clang_version(struct compiler_status *status, const atomic_bool *cancel);
/* Returns the option, for -Xclang, by which a value that only some lanes set may be passed on: otherwise clang takes an
 * argument that is not set on every path as a promise, and drops the condition of
 * `if (lane == 0) r = atomicAdd(p, n); r = __shfl_sync(m, r, 0);`. NULL: this version promises nothing, or is not
 * known. clang 14 has one name for it, later versions another. */
const char *clang_unset_option(const struct compiler_status *status);
/* Returns the PTX with folders removed from every .file, so that its text is the same on every computer, with bit
 * fields that clang got wrong mended, and for sm_90 if it has registers of 128 bits. */
char *ptx_with_plain_files(struct arena *arena, const char *ptx);

/* Text that grows, for options, keys and headers. The caller frees items. */
struct text {
    char *items;
    size_t count, capacity;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the names of a folder's files and the digests of their contents. */
void text_add_folder(struct text *text, struct arena *arena, const char *folder);
#endif
