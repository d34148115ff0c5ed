/* The parts of a build. Only the files of this folder include it. */
#ifndef LANESCOPE_PROGRAM_BUILD_BUILD_H
#define LANESCOPE_PROGRAM_BUILD_BUILD_H
#include "compile/clang.h"
#include "program/program.h"

struct words { /* of a command; whoever fills them frees the items */
    const char **items;
    size_t count, capacity;
};

struct build {
    struct arena *arena;
    const struct program_build_request *request;
    struct compiler_status clang;
    const char *folder;    /* where the parts are written */
    const char *libraries; /* where our runtime lies */
    const char *overlay;   /* for -ivfsoverlay; NULL: none */
    const char *named;     /* for __FILE__: the file's folder as the user named it */
    struct words compile, link, objects;
    const char *log;
    const char *tools; /* what build_tools_key returned; NULL: not asked yet */
};

void words_add(struct words *words, const char *word);
void words_add_all(struct words *words, const char *const *list, size_t count);
/* Returns whether a name begins with one of the words. */
bool begins_with_one(const char *name, const char *const *words, size_t count);

/* Sorts the user's flags. Options of nvcc that choose a GPU or its code have no meaning here; -Xcompiler and -Xlinker
 * hand theirs on. */
void build_sort_flags(struct build *build);
/* Compiles a file of the request, or takes it as the object that it is; adds its object to those that are linked. */
bool build_compile(struct build *build, size_t index, struct error *error);
/* Runs clang with these words, which it frees. Returns its exit status or a code of process_compile, and what it
 * printed. */
int build_run(struct build *build, struct words *words, const char **log);
/* Keeps the warnings of clang, and says why it failed if it did. */
bool build_ended(struct build *build, int code, const char *log, const char *file, struct error *error);
/* Compiles one half of a .cu: with the options `half`, our headers before the user's text, and the words `rest`. The
 * headers come precompiled out of the cache where clang can take them so; the result is the same. Frees both. */
bool build_half(struct build *build, struct words *half, struct words *rest, const char *file, struct error *error);
/* Returns our headers as clang reads them fastest with the options of a half, or NULL when it must read their text. */
const char *build_headers(struct build *build, const struct words *half);
/* Makes them for both halves, if they are not there. */
void build_prepare(struct build *build);
/* Says why clang failed, from what it printed; returns false. */
bool build_failed(struct build *build, const char *file, const char *log, int code, struct error *error);

/* Returns the part of a key that stands for clang and for our headers, or NULL when clang is gone. */
const char *build_tools_key(struct build *build);
/* Returns the path of the program in the cache, or NULL when it is not cached: a source with headers of its own or from
 * folders of the user's is built every time. */
const char *build_cached_path(struct build *build);
/* Returns the place of a program that is built every time: one for each file, so that two of one name do not meet. */
const char *build_last_path(struct build *build);
#endif
