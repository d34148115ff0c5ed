/* For src/compile only: NVRTC as one function, which runs in this process or in a child. */
#ifndef LANESCOPE_COMPILE_NVRTC_H
#define LANESCOPE_COMPILE_NVRTC_H
#include "base/arena.h"
#include "base/error.h"
#include <stdatomic.h>

/* Loads the newest version found and fills its path, of `size` bytes, and its version. Returns false without one. */
bool nvrtc_load(char *path, size_t size, int *major, int *minor);

enum { NVRTC_SUCCESS = 0, NVRTC_INVALID_OPTION = 5, NVRTC_COMPILATION = 6 }; /* values of nvrtcResult */
enum { NVRTC_ABSENT = 100 };                                                 /* the library is unusable */

struct nvrtc_job {
    const char *library;     /* path */
    const char *name, *text; /* of the source */
    const char *const *options;
    int option_count;
    unsigned seconds;          /* of the child; 0: the usual ones */
    const atomic_bool *cancel; /* ends the child; NULL: nothing does */
};
struct nvrtc_answer {
    int code; /* an nvrtcResult or NVRTC_ABSENT; of a child also what process_run returns for one that was ended */
    const char *ptx, *log; /* "" when there is none */
};

/* Compiles in this process. */
void nvrtc_compile_here(struct arena *arena, const struct nvrtc_job *job, struct nvrtc_answer *answer);
/* Compiles in a child process when compile_serve has been called, else in this one. Returns false and fills the error
 * when no child can be started. */
bool nvrtc_compile_apart(struct arena *arena, const struct nvrtc_job *job, struct nvrtc_answer *answer,
                         struct error *error);
#endif
