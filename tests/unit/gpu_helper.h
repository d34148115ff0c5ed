/* Runs or times one small kernel on the GPU, for tests of failures there. */
#ifndef LANESCOPE_TESTS_GPU_HELPER_H
#define LANESCOPE_TESTS_GPU_HELPER_H
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <string.h>

#define KERNEL(body)                                                                                                   \
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<4>;\n"          \
    ".reg .b32 %r<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n" body "ret;\n}\n"

/* words: the kernel's only argument, 32 of them. */
static inline bool gpu_run(const char *text, bool timed, uint32_t words[32], struct error *error)
{
    struct arena arena = {0};
    struct launch_buffer buffer = {.name = "out", .type = PTX_U32, .count = 32, .data = words};
    struct launch_argument const argument = {.is_buffer = true};
    struct launch const launch = {.kernel = "k",
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .arguments = &argument,
                                  .argument_count = 1,
                                  .buffers = &buffer,
                                  .buffer_count = 1};
    struct ptx_module *module;
    struct trace *trace = NULL;
    struct cuda_time time;
    *error = (struct error){0};
    bool const good = ptx_parse(&arena, "test", text, strlen(text), &module, error) &&
                      (timed ? cuda_time_kernel(module, &launch, &(struct cuda_timing){.runs = 30}, &time, error)
                             : cuda_trace(module, &launch, LAUNCH_ALL_BLOCKS, NULL, &trace, error));
    trace_free(trace);
    arena_free(&arena);
    return good;
}
#endif
