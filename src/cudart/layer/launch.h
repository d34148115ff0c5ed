/* A launch of a kernel with its arguments, as the back ends take it. */
#ifndef LANESCOPE_CUDART_LAUNCH_H
#define LANESCOPE_CUDART_LAUNCH_H
#include "cudart/layer/state.h"
#include "run/execute.h"

struct kernel_launch {
    struct arena *arena;
    struct kernel *kernel;
    const char *name; /* in the source */
    const struct ptx_function *function;
    void **pointers;                   /* to the arguments, as the program gives them */
    struct launch_argument *arguments; /* the same for the executor */
    struct launch launch;
    struct stream *stream;
    bool cooperative;
    struct launch_children *children; /* the back end appends what the kernel launched */
};

/* Returns whether each of the kernel's parameters has an argument. */
bool launch_has_arguments(const struct ptx_function *function, void *const *pointers);
/* Returns whether the program's user asked for a record of the launch. */
bool launch_is_chosen(const struct kernel_launch *launch);
/* Returns a run for the launch, or NULL, and the request that executes it on the emulator. */
struct run *launch_run(const struct kernel_launch *launch);
struct execute_request launch_request(struct kernel_launch *launch, bool recorded);
void launch_release_run(struct run *run);
/* Prints why a kernel cannot run. */
void launch_say(const char *kernel, const struct error *error);
#endif
