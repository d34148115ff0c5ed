/* CUDA C source to PTX: NVRTC (loaded at run time) if present, else clang with a prelude of ours, else the PTX shipped
 * in assets/ptx. A lesson's own kernel whose shipped PTX is fresh (same source, same defines) uses that first: the same
 * picture on every machine, and no compiler in the way of a knob. Results are cached in folder_cache()/ptx. */
#ifndef LANESCOPE_COMPILE_COMPILE_H
#define LANESCOPE_COMPILE_COMPILE_H
#include "base/arena.h"
#include "base/error.h"

enum compiler { COMPILER_ANY, COMPILER_NVRTC, COMPILER_CLANG, COMPILER_SHIPPED };

struct compile_define {
    const char *name, *value;
};

struct compile_request {
    const char *path;   /* for messages, .loc and relative #include; a file in kernels/ may have shipped PTX */
    const char *source; /* NUL-terminated; NULL: read from path */
    const struct compile_define *defines;
    size_t define_count;
    enum compiler compiler; /* COMPILER_ANY: the order above */
    unsigned target;        /* 75 for compute_75; 0: 75 */
    bool no_cache;
};

struct compile_result {
    const char *ptx; /* NUL-terminated, in the arena */
    size_t ptx_size;
    enum compiler compiler;
    const char *compiler_name; /* "NVRTC 13.0", "clang 14.0.6", "shipped (NVRTC 13.0)" */
    const char *log;           /* warnings; "" when none */
    bool cached;
};

/* Errors in the source come back with file, line, column and the compiler's text; all of them in log. */
bool compile_cuda(struct arena *arena, const struct compile_request *request, struct compile_result *result,
                  struct error *error);

/* For `doctor`: which compilers this machine has. version is "" when absent, and why says what to install. */
struct compiler_status {
    enum compiler compiler;
    bool present;
    char version[64], path[256], why[256];
};
void compile_status(struct compiler_status status[2]); /* [0] NVRTC, [1] clang */

/* assets/ptx: NAME.HASH.ptx for one kernel file and one set of defines; HASH covers source, defines, target and format
 * (see compile/shipped.c). Writes the file; the build target `ptx` calls this through `lanescope ship-ptx`. */
bool compile_ship(const struct compile_request *request, const char *folder, struct error *error);
/* Whether the shipped PTX of this request is there and fresh; path is where it is or would be. */
bool compile_shipped_fresh(struct arena *arena, const struct compile_request *request, const char **path);
#endif
