/* Compiles CUDA C to PTX with NVRTC (loaded at run time) if present, else with clang and the prelude in assets/cuda. A
 * lesson's own kernel comes from the PTX shipped in assets/ptx while that file is fresh (same source, same defines), so
 * that every computer shows the same picture and turning a knob needs no compiler. Results are cached in
 * folder_cache()/ptx. */
#ifndef LANESCOPE_COMPILE_COMPILE_H
#define LANESCOPE_COMPILE_COMPILE_H
#include "base/arena.h"
#include "base/define.h"
#include "base/error.h"
#include <stdatomic.h>

enum compiler { COMPILER_ANY, COMPILER_NVRTC, COMPILER_CLANG, COMPILER_SHIPPED };

struct compile_request {
    const char *path;   /* for messages, .loc and relative #include; a file in kernels/ may have shipped PTX */
    const char *source; /* NUL-terminated; NULL: read from path */
    const struct compile_define *defines;
    size_t define_count;
    enum compiler compiler; /* COMPILER_ANY: fresh shipped PTX, then NVRTC, then clang */
    unsigned target; /* compute capability times 10: 75 for compute_75. The least one is 75, or 80 for a source with the
                        comment `// Needs sm_80` */
    bool no_cache;
    unsigned seconds;          /* before the compiler is ended; 0: the usual ones */
    const atomic_bool *cancel; /* ends the compiler when it becomes true; NULL: nothing does */
};

struct compile_result {
    const char *ptx; /* NUL-terminated, in the arena */
    size_t ptx_size;
    enum compiler compiler;
    const char *compiler_name; /* "NVRTC 13.0", "clang 14.0.6", "shipped (NVRTC 13.0)" */
    const char *log;           /* the compiler's warnings; "" when none */
    bool cached;
    bool late; /* of a failure: the compiler was ended at its limit of time */
};

/* Compiles a source; the result is in the arena. An error in the source comes back with file, line, column and the
 * compiler's text of the first error; result->log has all of them. */
bool compile_cuda(struct arena *arena, const struct compile_request *request, struct compile_result *result,
                  struct error *error);

/* A compiler on this computer, for `doctor`. When it is absent, version is "" and why names the package to install. */
struct compiler_status {
    enum compiler compiler;
    bool present;
    char version[64], path[4096], why[256];
};
/* [0] NVRTC, [1] clang, which runs until `cancel` becomes true (NULL: never) */
void compile_status(struct compiler_status status[2], const atomic_bool *cancel);

/* A program's main calls this before anything else. In the child process that runs NVRTC it compiles and returns true,
 * with the exit status for main. Otherwise it returns false, and from then on this process leaves NVRTC to such
 * children, one for each source, so that a source on which NVRTC hangs or crashes is an error. A program that never
 * calls it (a test) runs NVRTC itself. */
bool compile_serve(int argc, char **argv, int *status);

/* Compiles with NVRTC and writes the PTX to folder/NAME.HASH.ptx, one file for each kernel file and set of defines.
 * HASH covers source, defines, target and format (compile/shipped.c). The build target `ptx` calls this through
 * `lanescope ship-ptx`. */
bool compile_ship(const struct compile_request *request, const char *folder, struct error *error);
#endif
