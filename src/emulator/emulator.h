/* The SIMT emulator runs a kernel's PTX 32 lanes at a time, with active masks, a reconvergence stack and barriers,
 * and reports every access to a listener. Blocks run independently, on as many threads as asked for. This is the
 * only header of emulator/ for other rooms. */
#ifndef LANESCOPE_EMULATOR_EMULATOR_H
#define LANESCOPE_EMULATOR_EMULATOR_H
#include "trace/trace.h"
#include <stdatomic.h>

/* Makes machine code for this processor of C, and keeps it. Code makes a launch faster and changes nothing else. */
struct emulator_native {
    void *context;
    bool always; /* every launch asks before its first block, and waits */
    /* Returns the table that the code of a unit exports (emulator/tier/calls.h), valid until the process ends; NULL:
     * there is none yet, or it is not worth making. done, ahead: warp instructions since the unit was last asked for,
     * and those that follow. *hopeless: there will be none. Called from any thread. */
    const void *(*find)(void *context, const char *text, size_t size, uint64_t done, uint64_t ahead, bool *hopeless);
};

/* Returns a unit without any code of a kernel, of *size bytes, which the caller frees; NULL: this emulator makes none,
 * since there was no clang when it was built. */
char *emulator_native_least(size_t *size);
#define EMULATOR_NATIVE_SYMBOL "lanescope_tier" /* the table's name in the code */

struct emulator_options {
    struct launch_blocks recorded;  /* appended to the trace */
    struct trace_listener listener; /* gets the events of all blocks that run; event NULL: no listener */
    struct trace_timer timer;       /* model time of recorded blocks; all zero: every instruction takes a cycle */
    struct launch_blocks run;       /* with run_some, only these blocks run */
    bool run_some;
    bool run_enough;  /* only the recorded blocks run, unless a block may depend on another: see result.blocks */
    uint64_t watched; /* bytes of global memory to look for races in, those used first; 0: 64 MiB */
    struct launch_checks checks;
    bool follow;        /* look for races access by access from the start: the same findings, and slower */
    uint64_t budget;    /* warp instructions of a block before "endless loop"; 0: 4 * 10^9 */
    uint64_t most_work; /* the run ends early after this many warp instructions in all; a block counts as 256 at least,
                           a recorded one as 8192; 0: no limit */
    const struct emulator_native *native; /* NULL: the launch is interpreted */
    unsigned threads;          /* 0: one for each processor; a launch whose blocks depend on each other runs on one */
    uint64_t resident;         /* blocks in flight at most, when they wait for each other; 0: as an H200 holds */
    const atomic_bool *cancel; /* set by another thread or a signal: the run ends with totals so far */
    /* Called from one thread, often, also while a block takes long. */
    void (*progress)(void *context, const struct executor_progress *progress);
    void *progress_context;
};

struct emulator_result {
    struct trace *trace; /* owned by the caller: trace_free */
    const char *output;  /* the text that printf wrote, in the trace's arena */
    /* How often warps executed each instruction, by function and instruction of the module, in the trace's arena. NULL
     * for a function that the kernel does not reach. The sum is the trace's total of warp instructions. */
    const uint64_t *const *executed;
    uint64_t blocks, blocks_run; /* that were to run, and that ran to their end */
    bool cancelled;              /* before all of them had run */
    struct executor_progress at; /* then: where it was */
    bool exhausted;              /* it was cancelled by most_work */
    struct unchecked unchecked;  /* the part of memory that a check could not cover */
    /* What it did with buffers and variables, by address, in the trace's arena; none where buffers have bytes in
     * common. */
    const struct launch_use *uses;
    uint32_t use_count;
    bool proved; /* there are no races, and it was not necessary to follow every access */
};

/* Returns false only when nothing could run: the hardware refuses the launch, an instruction is not supported, or
 * memory is short. A fault of the kernel is a result: trace->findings. */
bool emulator_run(const struct ptx_module *module, const struct launch *launch, const struct emulator_options *options,
                  struct emulator_result *result, struct error *error);

/* Returns the number of instructions, in the kernel and the functions that it calls, that the emulator cannot run,
 * and lists them as ptx_survey does. */
#include "ptx/parse.h"
size_t emulator_unsupported(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                            struct ptx_unknown **unknown);

/* Returns the instruction set of the handlers in use: "portable", "x86-64-v3" or "x86-64-v4", the best that this
 * computer can run. The environment variable LANESCOPE_LANES names an upper limit. */
const char *emulator_lanes(void);

/* Writes the initial values of variables into their places (launch.variables), with the addresses in them. */
void emulator_fill_variables(const struct ptx_module *module, const struct launch_variable *variables);

/* Address ranges, by which an address shows its space. Generic addresses of local memory start at EMULATOR_LOCAL_BASE,
 * those of shared memory at EMULATOR_SHARED_BASE and end before EMULATOR_WINDOWS_END; all others are global memory. The
 * kernel's malloc takes memory from EMULATOR_HEAP_BASE on.
 * A process has its program from 0x5500... on and its libraries, stacks and large allocations anywhere from 0x6f00...
 * to 0x7fff...: Linux moves their top down by up to 2^32 pages (Documentation/admin-guide/sysctl/vm.rst,
 * "mmap_rnd_bits"). ThreadSanitizer and AddressSanitizer take what lies below 0x3400..., the latter also 0x5000... to
 * 0x6400... (LLVM, tsan_platform.h, asan_allocator.h); V8 places its heaps below 0x4000... Between 0x4000... and
 * 0x5000... lies nobody's memory, so what a program shares with a kernel can never lie in these ranges. */
#define EMULATOR_CODE_BASE UINT64_C(0x00004c0000000000)      /* functions, 16 bytes apart */
#define EMULATOR_PARAMETER_BASE UINT64_C(0x00004c4000000000) /* the kernel's parameters */
#define EMULATOR_PLACED_BASE UINT64_C(0x00004c8000000000)    /* buffers whose place the launch chooses, if it can */
#define EMULATOR_PLACED_END EMULATOR_LOCAL_BASE
#define EMULATOR_LOCAL_BASE UINT64_C(0x00004d0000000000)
#define EMULATOR_SHARED_BASE UINT64_C(0x00004e0000000000)
#define EMULATOR_WINDOWS_END UINT64_C(0x00004f0000000000)
#define EMULATOR_HEAP_BASE UINT64_C(0x00004fc000000000)
/* Buffers and variables whose place nobody chose: from here on, at multiples of 256. Such a launch is on no memory of
 * the program. */
#define EMULATOR_GLOBAL_BASE UINT64_C(0x00007f0000000000)
#endif
