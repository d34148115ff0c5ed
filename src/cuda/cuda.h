/* The GPU executor: the same PTX with probes added gives the trace; the kernel untouched, between two CUDA events,
 * gives the time. All through the CUDA runtime API, linked statically: a program built with it starts without a driver,
 * and one built without the toolkit has cuda_absent.c in its place, where everything answers ERROR_MISSING. */
#ifndef LANESCOPE_CUDA_CUDA_H
#define LANESCOPE_CUDA_CUDA_H
#include "trace/time.h"
#include "trace/trace.h"

struct cuda_device {
    char name[128];
    char driver[32];  /* "580.159.04" when it can be had, else the CUDA version it supports, "CUDA 13.0" */
    int runtime;      /* 13000 */
    int major, minor; /* compute capability */
    int multiprocessors, clock_khz, memory_clock_khz, l2_bytes;
    size_t memory_bytes, shared_bytes_block, shared_bytes_block_optin;
};
/* False, with what is missing and what to install, when there is no usable GPU. */
bool cuda_device(struct cuda_device *device, struct error *error);

/* The PTX with a probe before every access to global, shared or generic memory, every barrier and every conditional
 * branch, in the arena. Pure text work: needs no GPU. An instruction whose accesses no probe can know (matrices behind
 * descriptors, tensor maps) is ERROR_INPUT, with its line and the reason. */
bool cuda_add_probes(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel,
                     char **ptx, struct error *error);

/* Runs the probed kernel and collects the trace of the recorded blocks. Results are copied back into launch buffers.
 * With a listener all blocks are probed and it hears them all, from several threads; the trace still keeps only the
 * recorded ones. Records that find no room in the GPU's memory are had by further launches from the same inputs, so
 * that trace.lost counts what the trace itself has no room for. Lanes that the hardware runs together make one event,
 * also where two calls of one function met in it. trace.totals are not counted. A fault of the
 * kernel, a kernel that does not end and a driver that dies are ERROR_RUN. */
bool cuda_trace(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                const struct trace_listener *listener, struct trace **trace, struct error *error);

/* The same with what each lane read or wrote (trace.values): slower, and more memory for records. */
bool cuda_trace_values(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                       const struct trace_listener *listener, struct trace **trace, struct error *error);

/* What a trace cost on the GPU. */
struct cuda_cost {
    unsigned repeats;    /* asked for: each launch is made once unmeasured and so often again; 0: once, measured */
    double microseconds; /* of the probed kernel, all launches, between CUDA events; where repeated, the medians */
    double fastest, slowest;
    double alone; /* where repeated: one launch of the kernel untouched, in turn with the others and made like them */
    uint64_t launches, record_bytes; /* of one round */
};
bool cuda_trace_cost(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                     const struct trace_listener *listener, struct trace **trace, struct cuda_cost *cost,
                     struct error *error);

/* Microseconds of the kernel as it is: warm-up, then runs launches (at least 30), each between its own pair of events.
 */
struct cuda_time {
    double median, p25, p75, minimum;
    unsigned runs;
    unsigned input_sets; /* copies of the buffers that took turns; 1: the same ones each time */
    bool beyond_cache;   /* together they fill the L2 twice, so that no run finds the last's */
    struct gpu_state state;
};
struct cuda_timing {
    unsigned runs;
    bool beyond_cache; /* buffers take turns, in as many copies as fill the L2 twice, or 64 */
    bool read_back;    /* what the last launch left in the buffers comes back */
    bool once;         /* a single launch without warm-up, for a profiler to look at; runs is ignored */
};
bool cuda_time_kernel(const struct ptx_program *program, const struct launch *launch, unsigned runs,
                      struct cuda_time *time, struct error *error);
bool cuda_time_kernel_as(const struct ptx_program *program, const struct launch *launch,
                         const struct cuda_timing *timing, struct cuda_time *time, struct error *error);

/* A program's main calls this before anything else. In the process that was started to work on the GPU it does that
 * work, and answers true once the parent is gone: main ends then. Else false, and from then on this process leaves the
 * GPU to such a child, so that neither a faulting kernel nor a dying driver takes it down. A program that never calls
 * it (a test) does the work itself. */
bool cuda_serve(int argc, char **argv);
/* After how long a launch is taken for endless, where LANESCOPE_GPU_SECONDS does not say: 20 seconds unless this is
 * called, before the first run. */
void cuda_wait_at_most(double seconds);
#endif
