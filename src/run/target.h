/* The loader of targets: a .cu is compiled, a .ptx is read. Every client loads here: lessons, files, `inspect`. */
#ifndef LANESCOPE_RUN_TARGET_H
#define LANESCOPE_RUN_TARGET_H
#include "compile/compile.h"
#include <stdatomic.h>

struct target_request {
    const char *path;
    const char *source; /* in place of the text of a .cu; NULL: the file's */
    const struct compile_define *defines;
    size_t define_count;
    enum compiler compiler;
    unsigned seconds;          /* before the compiler is ended; 0: the usual ones */
    const atomic_bool *cancel; /* ends the compiler when it becomes true; NULL: nothing does */
    unsigned architecture;     /* 75 for sm_75; 0 for the one of shipped PTX */
};
struct target {                       /* all in the arena passed to the loader */
    const char *source, *source_name; /* the text of the source, "" when it is missing, and the name of its file */
    const char *compiler_name;
    const char *ptx;
    size_t ptx_size;
    struct ptx_module *module; /* NULL after target_read */
    bool late;                 /* of a failure: the compiler was ended at its limit of time */
};
/* Returns whether the path ends in .cu or .ptx. */
bool target_is_file(const char *path);
/* Returns the architecture for which a file is compiled: that of this computer's GPU, from sm_75 to sm_90, and sm_90
 * without a GPU. Older ones lack instructions that courses use, and implement cuda::barrier with plain atomics, which
 * look like races. */
unsigned target_architecture(void);
/* Loads source and PTX without parsing the PTX. */
bool target_read(struct arena *arena, const struct target_request *request, struct target *target, struct error *error);
/* Loads and parses. */
bool target_load(struct arena *arena, const struct target_request *request, struct target *target, struct error *error);
#endif
