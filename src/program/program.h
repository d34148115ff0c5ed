/* Whole CUDA programs: built with clang and our runtime (src/cudart), run as a child process with limits, and read back
 * as a list of calls and launches. docs/programs.md */
#ifndef LANESCOPE_PROGRAM_PROGRAM_H
#define LANESCOPE_PROGRAM_PROGRAM_H
#include "base/arena.h"
#include "base/error.h"
#include "compile/compile.h"
#include "model/counts.h"
#include "program/mistakes.h"
#include "ptx/variables.h"
#include "run/file.h"
#include "trace/trace.h"
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>

/* ---- building ---- */

struct program_build_request {
    const char *const *files; /* .cu, .cpp, .cc, .cxx, .c, .o and .a */
    size_t file_count;
    const struct compile_define *defines;
    size_t define_count;
    const char *const *flags; /* of the user: for the compiler and the linker, also nvcc's */
    size_t flag_count;
    const char *output;        /* path of the program; NULL: in the cache */
    const atomic_bool *cancel; /* ends the compiler when it becomes true; NULL: nothing does */
};
struct program_built {
    const char *path;
    const char *compiler_name; /* "clang 14.0.6" */
    const char *log;           /* the compiler's warnings */
};
/* Returns true when the text defines a function main: the file is a whole program. */
/* Returns true when the request names a whole program and no launch, so that the program is run, not its kernel. */
bool program_is_asked(const struct run_file_request *launch);
bool program_build(struct arena *arena, const struct program_build_request *request, struct program_built *built,
                   struct error *error);
/* Reads the headers that come before every program's text once, for all builds with these flags that follow, also in
 * other processes. Without it each of those that has no cache needs twice the time. */
void program_prepare(struct arena *arena, const char *const *flags, size_t flag_count, const atomic_bool *cancel);
/* Returns the folder in which that is kept, or NULL. In the environment of a build, this variable names it. Then none
 * is written. */
#define HEADERS_VARIABLE "LANESCOPE_HEADERS"
const char *program_headers_folder(struct arena *arena);
/* Returns the folder of liblanescope_cudart.so, or NULL when the library is not there. */
const char *program_library_folder(struct arena *arena);
/* Returns whether liblanescope_cublas.so lies there. */
bool program_has_cublas(struct arena *arena);

/* ---- running ---- */

struct program_limits {
    uint64_t memory_bytes; /* of the host; 0: 16 GiB */
    uint64_t device_bytes; /* of cudaMalloc; 0: 8 GiB */
    uint64_t output_bytes; /* printed; 0: 64 MiB */
    double seconds;        /* from start to end; 0: 600 */
};
struct program_run_request {
    const char *path; /* of the program */
    const char *const *arguments;
    size_t argument_count;
    const char *folder; /* that it runs in; NULL: the current one */
    struct launch_checks checks;
    struct launch_blocks blocks;
    bool record_all;
    uint64_t record_launch;    /* from 1; 0: none */
    const char *record_kernel; /* NULL: none */
    const char *gpu;           /* of the model clock */
    bool caches;               /* the record says where sectors came from, which takes time */
    bool rows;                 /* the record counts bursts and rows of DRAM, which takes time */
    bool on_gpu;               /* it runs on this computer's GPU, not on the emulator */
    uint64_t budget;
    struct program_limits limits;
    bool terminal; /* it may read from this process's terminal, as its foreground; otherwise a terminal is no input */
    bool show;     /* the program's output also goes to this process's streams as it comes */
    const atomic_bool *cancel;
    /* Called ten times a second while a kernel runs on the emulator, and once with NULL before other output; NULL: it
     * is not. */
    void (*progress)(void *context, const char *kernel, const struct executor_progress *at);
    void *progress_context;
};

enum program_end {
    PROGRAM_EXITED,
    PROGRAM_SIGNALLED, /* `signal` ended it */
    PROGRAM_TIME,      /* it ran longer than the limit */
    PROGRAM_OUTPUT,    /* it printed more than the limit */
    PROGRAM_CANCELLED
};

struct program_call {
    const char *name; /* "cuMemAlloc" */
    const char *as;   /* the runtime's call that does the same: "cudaMalloc"; otherwise the name */
    struct program_place at;
    int error;
    double begin_s, end_s; /* host seconds */
    uint64_t printed;      /* bytes of output before it ended */
    double measured_us;    /* of its work on the GPU, between two events; 0: not measured */
    uint32_t launch;       /* index in launches, or PTX_NO_INDEX */
    const json_t *record;  /* the whole line: docs/program-record.md */
};
struct program_launch {
    uint64_t number;   /* from 1 */
    uint64_t launcher; /* the launch whose kernel asked for it; 0: the host */
    uint64_t same_as;  /* the earlier launch that it repeats, and that was executed for both; 0: it was itself */
    uint32_t call;
    const char *kernel, *symbol;
    uint32_t grid[3], block[3], shared_bytes;
    bool ran;
    const char *problem; /* why it could not run; NULL */
    uint32_t faults, hazards;
    double model_us;
    double measured_us;     /* as in program_call */
    const char *uncounted;  /* why it has no counts on the GPU; NULL */
    const char *trace_path; /* NULL: none was kept */
    bool recorded;          /* the trace holds blocks, not findings alone */
    const json_t *record;
};

struct program_run {
    struct arena arena;
    const char *folder;            /* of record and traces, removed by program_run_free */
    const struct workplace *place; /* the same: compile/process.h */
    enum program_end end;
    int status, signal;
    const char *kernel;          /* that ran when the program was ended; NULL: none, or unknown */
    struct executor_progress at; /* then: where it was */
    bool starved;                /* it read its input to the end, and was given none */
    bool left;                   /* it started others that were still there at its end */
    double seconds;
    const char *output, *errors; /* what it printed; `output` may have zeros */
    size_t output_size;
    bool has_record;    /* false: the program does not use our runtime */
    bool ended;         /* the runtime saw the program's end */
    const char *device; /* the GPU that it ran on; NULL: the emulator */
    struct program_call *calls;
    uint32_t call_count;
    struct program_launch *launches;
    uint32_t launch_count;
    const struct program_call *crash; /* of a signal: which access, and where; NULL */
    struct mistake *mistakes;         /* of host code */
    uint32_t mistake_count;
    json_t *lines;
};
bool program_run(const struct program_run_request *request, struct program_run **run, struct error *error);
void program_run_free(struct program_run *run);
/* Reads the trace of a launch; the caller frees it. */
bool program_launch_trace(const struct program_launch *launch, struct trace **trace, struct error *error);
/* Fills the counts of a recorded launch's sites over all blocks, in the arena. Without them in the record they are
 * those of the recorded blocks, and it returns false. */
bool program_launch_counts(struct arena *arena, const struct program_launch *launch, const struct trace *trace,
                           struct counts *counts);
/* Returns what the L1 held for the sites of a recorded launch, and for its local loads, in the arena, with no other
 * field set. NULL: the run did not follow the caches. */
const struct caches *program_launch_caches(struct arena *arena, const struct program_launch *launch,
                                           const struct trace *trace);
/* Returns the variables of the launch's kernel, in the arena; none where the record has none. defines: those that the
 * program was built with. */
struct ptx_placed *program_launch_variables(struct arena *arena, const struct program_launch *launch,
                                            const struct trace *trace, const struct compile_define *defines,
                                            size_t define_count, uint32_t *count);

/* place.c: lines of a program by address, from its debug information. */
struct places;
struct places *places_open(const char *path);
struct program_place places_find(struct arena *arena, struct places *places, uint64_t address);
void places_close(struct places *places);

/* calls.c, for start.c: fills calls and launches from folder/program.record. */
void program_read_calls(struct program_run *run, const char *path);
#endif
