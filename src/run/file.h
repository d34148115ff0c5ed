/* A .cu or .ptx file with a launch given by hand: `lanescope run`, or a file dropped on the window. */
#ifndef LANESCOPE_RUN_FILE_H
#define LANESCOPE_RUN_FILE_H
#include "run/options.h"
#include "run/run.h"
#include "run/target.h"

struct run_file_request {
    const char *path, *kernel;
    const char *source;         /* in place of the file's text; NULL: the file's */
    bool first_kernel;          /* without a name, of several kernels the first */
    uint32_t grid[3], block[3]; /* 0: not given; 1 block, of 32 threads or those that the kernel requires */
    uint32_t shared_bytes;
    bool shared_said; /* by --shared or the comment of run/launch_words.h */
    const struct compile_define *defines;
    size_t define_count;
    const char *const *arguments; /* as on the command line: "i32=5", "f32[1024]=iota" */
    size_t argument_count;
    enum compiler compiler;
    struct run_options options;
    struct launch_buffer **buffers; /* out, when not NULL: the launch's buffers, in the run's arena */
    uint32_t *buffer_count;
};
/* Returns a deep copy in the arena. */
struct run_file_request run_file_copy(struct arena *arena, const struct run_file_request *from);
/* Returns the request's target for the loader. */
struct target_request file_target(const struct run_file_request *request);
bool run_file(const struct run_file_request *request, struct run **run, struct error *error);
/* Does the same up to the launch: run->launch has filled buffers, and nothing is executed. */
bool run_file_prepare(const struct run_file_request *request, struct run **run, const struct ptx_module **module,
                      struct error *error);
#endif
