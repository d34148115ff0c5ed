/* liblanescope: run PTX inside another program, without a GPU.
 *
 * Everything belongs to an instance, which lanescope_new makes. The library has no global state: several threads may
 * each use their own instance at the same time. One instance is for one thread at a time; a launch itself uses as many
 * threads as it is given.
 *
 * Memory. A kernel's global memory is the memory of this process: the address that a kernel uses is the pointer that
 * the program uses. A kernel reaches what the instance knows: memory that lanescope_allocate gave, and memory of the
 * program that lanescope_share names. An access elsewhere is a finding and ends the launch; it never reaches memory
 * that nobody named.
 *
 * Errors are values: each function that can fail returns an enum lanescope_status, and lanescope_error says why in a
 * sentence. Nothing is printed and nothing ends the process. A mistake of a kernel is no error but a finding of its
 * run. */
#ifndef LANESCOPE_H
#define LANESCOPE_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LANESCOPE_API __attribute__((visibility("default")))
#else
#define LANESCOPE_API
#endif

enum lanescope_status {
    LANESCOPE_OK = 0,
    LANESCOPE_WRONG =
        1, /* what the program asked for cannot be done: PTX that is not valid, a size that does not fit */
    LANESCOPE_MISSING = 2 /* the machine has not enough memory, or a file could not be written */
};

/* ---- instances ---- */

struct lanescope;
/* Returns a new instance; NULL: there is no memory. lanescope_free releases it with its modules, runs and memory. */
LANESCOPE_API struct lanescope *lanescope_new(void);
LANESCOPE_API void lanescope_free(struct lanescope *instance);
/* Returns why the last call that failed did, in English; "" before any did. Valid until the next call that fails. */
LANESCOPE_API const char *lanescope_error(const struct lanescope *instance);
/* Returns the version of the library: "0.1.0". */
LANESCOPE_API const char *lanescope_version(void);

/* ---- memory ---- */

/* Allocates zeroed memory, at a multiple of 256 as CUDA's. Bytes count as uninitialized until lanescope_write or a
 * kernel writes them, or the whole memory is shared. */
LANESCOPE_API enum lanescope_status lanescope_allocate(struct lanescope *instance, size_t bytes, void **memory);
/* Lets kernels use memory of the program, which counts as initialized. It must stay valid until lanescope_release.
 * Shared and allocated memory must not overlap. name: for findings; NULL: "memory". */
LANESCOPE_API enum lanescope_status lanescope_share(struct lanescope *instance, void *memory, size_t bytes,
                                                    const char *name);
/* Forgets shared memory, or frees allocated memory, that begins here. */
LANESCOPE_API enum lanescope_status lanescope_release(struct lanescope *instance, void *memory);
/* Copies into allocated memory, and marks the bytes as initialized. The program may also read and write through the
 * pointer itself; the check of uninitialized reads does not see such writes. */
LANESCOPE_API enum lanescope_status lanescope_write(struct lanescope *instance, void *to, const void *from,
                                                    size_t bytes);

/* ---- modules ---- */

struct lanescope_module;
/* Reads PTX. bytes: of the text, without a NUL. Its global variables live as long as the module. */
LANESCOPE_API enum lanescope_status lanescope_load(struct lanescope *instance, const char *ptx, size_t bytes,
                                                   struct lanescope_module **module);
LANESCOPE_API void lanescope_unload(struct lanescope_module *module);

struct lanescope_kernel {
    const char *name;
    size_t argument_bytes; /* of the block of arguments */
    uint32_t parameter_count;
    uint32_t shared_bytes;      /* static */
    uint32_t required_block[3]; /* .reqntid; 0: any */
};
struct lanescope_parameter {
    const char *name;
    size_t offset, bytes; /* in the block of arguments */
};
/* Return the number of kernels, one of them, and one of its parameters. NULL: there is no such one. The texts live as
 * long as the module. */
LANESCOPE_API size_t lanescope_kernel_count(const struct lanescope_module *module);
LANESCOPE_API const struct lanescope_kernel *lanescope_kernel(const struct lanescope_module *module, size_t index);
LANESCOPE_API const struct lanescope_parameter *lanescope_parameter(const struct lanescope_kernel *kernel,
                                                                    size_t index);
/* Returns the place and the size of a global variable; NULL: the module has none of this name. */
LANESCOPE_API void *lanescope_variable(const struct lanescope_module *module, const char *name, size_t *bytes);

/* ---- launches ---- */

enum lanescope_checks {
    LANESCOPE_CHECK_MEMORY = 1, /* reads of bytes that nothing has written; bounds and alignment are always checked */
    LANESCOPE_CHECK_RACES = 2,
    LANESCOPE_KEEP_VALUES = 4 /* the trace keeps what each lane read or wrote */
};
struct lanescope_launch {
    const char *kernel; /* NULL: the only one of the module */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; /* dynamic */
    /* The block of arguments, as a driver takes it: each parameter at its offset. */
    const void *arguments;
    size_t argument_bytes;
    unsigned checks;                     /* enum lanescope_checks, added */
    uint64_t record_first, record_count; /* blocks whose accesses the trace keeps, by number; count 0: none */
    uint64_t budget;                     /* instructions of a warp after which a loop counts as endless; 0: 4 * 10^9 */
    unsigned threads;                    /* of this computer; 0: one for each processor */
};

struct lanescope_run;
/* Runs a kernel to its end. The run is made also where the kernel made a mistake: see its findings. */
LANESCOPE_API enum lanescope_status lanescope_launch(struct lanescope_module *module,
                                                     const struct lanescope_launch *launch, struct lanescope_run **run);
LANESCOPE_API void lanescope_run_free(struct lanescope_run *run);

/* Counters of all blocks, under the names that Nsight Compute uses where it has the counter. */
struct lanescope_counter {
    const char *name;
    uint64_t value;
};
LANESCOPE_API size_t lanescope_counter_count(const struct lanescope_run *run);
LANESCOPE_API const struct lanescope_counter *lanescope_counter(const struct lanescope_run *run, size_t index);

enum lanescope_severity {
    LANESCOPE_FAULT, /* the launch ended here, as on a GPU */
    LANESCOPE_NOTE,  /* the kernel went on */
    LANESCOPE_HAZARD /* two accesses that nothing orders */
};
struct lanescope_place {
    const char *file; /* of .loc; "kernel.ptx" for PTX without any; "": not known */
    uint32_t line;    /* 0: not known */
    uint64_t block;   /* number */
    uint32_t thread[3];
};
struct lanescope_finding {
    const char *kind; /* "out of bounds", "race", "uninitialized read", ... */
    enum lanescope_severity severity;
    const char *message; /* one sentence in English */
    uint64_t address;    /* of the access, where it is one */
    struct lanescope_place at;
    struct lanescope_place first; /* of a race: the access before; else like `at` */
};
LANESCOPE_API size_t lanescope_finding_count(const struct lanescope_run *run);
LANESCOPE_API const struct lanescope_finding *lanescope_finding(const struct lanescope_run *run, size_t index);

/* Returns what the kernel's printf wrote. */
LANESCOPE_API const char *lanescope_output(const struct lanescope_run *run);
/* Writes the trace of the recorded blocks (docs/trace-format.md): into a file, or into memory that belongs to the run.
 */
LANESCOPE_API enum lanescope_status lanescope_trace_write(struct lanescope_run *run, const char *path);
LANESCOPE_API enum lanescope_status lanescope_trace_bytes(struct lanescope_run *run, const void **bytes, size_t *count);

/* ---- for drivers that stand in for CUDA's ---- */

/* Runs the only kernel of a PTX text, as mock drivers do. Each of args is the value of a parameter: a pointer, or a
 * number in its low bytes. Kernels reach all memory of the process that can be read and written and that an argument
 * points into: the whole mapping, so that mistakes inside it are not found. Returns 0, or an enum lanescope_status;
 * also LANESCOPE_WRONG where the launch ended with a fault. */
LANESCOPE_API int lanescope_ptx_run(struct lanescope *instance, const char *source, int n_args, void *args[], int bx,
                                    int by, int bz, int gx, int gy, int gz, int shared);
/* The same without an instance; a failure's sentence is written to the standard error. */
LANESCOPE_API int ptx_run(const char *source, int n_args, void *args[], int bx, int by, int bz, int gx, int gy, int gz,
                          int shared);

#ifdef __cplusplus
}
#endif
#endif
