/* The SIMT emulator: runs a kernel's PTX 32 lanes a step, with active masks, a reconvergence stack and barriers, and
 * tells a listener every access. Blocks run independently, on as many threads as asked. */
#ifndef LANESCOPE_EMULATOR_EMULATOR_H
#define LANESCOPE_EMULATOR_EMULATOR_H
#include "trace/trace.h"
#include <stdatomic.h>

struct emulator_options {
    struct launch_blocks recorded;  /* appended to the trace */
    struct trace_listener listener; /* also told events of all blocks that run; event NULL: nobody */
    struct trace_timer timer;       /* model time of recorded blocks; all zero: every instruction takes a cycle */
    struct launch_blocks run;       /* which blocks run at all; {0,0} with run_some false: all of them */
    bool run_some;
    uint64_t watched; /* bytes of global memory to look for races in, those used first; 0: 64 MiB */
    struct launch_checks checks;
    uint64_t budget;           /* warp instructions before "endless loop"; 0: 10^10 */
    unsigned threads;          /* 0: one for each processor; where blocks may learn from one another, one does it all */
    uint64_t resident;         /* blocks in flight at most, when they wait for each other; 0: as an H200 holds */
    const atomic_bool *cancel; /* set by another thread or a signal: the run ends with totals so far */
    /* Called from one thread, often, also while a block takes long. */
    void (*progress)(void *context, uint64_t blocks_done, uint64_t blocks);
    void *progress_context;
};

struct emulator_result {
    struct trace *trace;         /* owned by the caller: trace_free */
    const char *output;          /* what printf wrote, in the trace's arena */
    uint64_t blocks, blocks_run; /* that were to run, and that ran to their end */
    bool cancelled;              /* and so some did not */
    struct unchecked unchecked;  /* what a check that was asked for did not cover */
};

/* False only when nothing could run: a launch the hardware refuses, an instruction that is not supported, no memory.
 * A fault of the kernel is a result: trace->findings. */
bool emulator_run(const struct ptx_program *program, const struct launch *launch,
                  const struct emulator_options *options, struct emulator_result *result, struct error *error);

/* Every instruction of the kernel (and what it calls) that the emulator cannot run, for `inspect`: as ptx_survey. */
#include "ptx/parse.h"
size_t emulator_unsupported(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel,
                            struct ptx_unknown **unknown);

/* The instruction set its handlers are compiled for: "portable", "x86-64-v3" or "x86-64-v4", the best this machine can
 * run. LANESCOPE_LANES in the environment names one that it shall not go beyond. */
const char *emulator_lanes(void);

/* Where the emulator puts things, so that an address says its space: a buffer starts at a multiple of 256 from
 * EMULATOR_GLOBAL_BASE, shared memory at EMULATOR_SHARED_BASE (in generic addresses), local at EMULATOR_LOCAL_BASE;
 * what the kernel's malloc gives lies from EMULATOR_HEAP_BASE on, behind all buffers. */
#define EMULATOR_HEAP_BASE UINT64_C(0x00007fc000000000)
#define EMULATOR_GLOBAL_BASE UINT64_C(0x00007f0000000000)
#define EMULATOR_SHARED_BASE UINT64_C(0x00007e0000000000)
#define EMULATOR_LOCAL_BASE UINT64_C(0x00007d0000000000)
#define EMULATOR_CODE_BASE UINT64_C(0x00007c0000000000) /* functions, 16 bytes apart */
#define EMULATOR_PARAMETER_BASE                                                                                        \
    UINT64_C(0x00007b0000000000) /* the kernel's parameters, for code that takes their address */
#endif
