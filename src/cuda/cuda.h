/* The GPU executor. The kernel's PTX with probes added gives the trace. The unchanged kernel, between two CUDA events,
 * gives the time. Everything goes through the functions of NVIDIA's driver (api/api.def), which is loaded at run
 * time: no CUDA header or library is needed to build, and the program also starts on a computer without a driver. */
#ifndef LANESCOPE_CUDA_CUDA_H
#define LANESCOPE_CUDA_CUDA_H
#include "trace/time.h"
#include "trace/trace.h"

struct cuda_device {
    char name[128];
    char driver[32];  /* "580.159.04" when it is known, else the CUDA version it supports, such as "CUDA 13.0" */
    int cuda;         /* the version that the driver supports, such as 13000 */
    int major, minor; /* compute capability */
    int multiprocessors, clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes;
    size_t memory_bytes, shared_bytes_block, shared_bytes_block_optin;
};
/* Finds the GPU. Returns false when no GPU can be used; the error says what is missing and how to install it. */
bool cuda_device(struct cuda_device *device, struct error *error);

/* Returns the pitch in bytes that the driver gives rows of row_bytes. */
bool cuda_pitch(uint64_t row_bytes, uint64_t *pitch, struct error *error);

/* Measures a copy (cuMemcpy) between two events: the median of 31, after five. */
struct cuda_copy {
    enum cuda_way { CUDA_TO_DEVICE, CUDA_FROM_DEVICE, CUDA_WITHIN_DEVICE } way;
    bool pinned; /* the host's memory is that of cuMemHostAlloc, not of malloc */
    uint64_t bytes;
};
bool cuda_copy_time(const struct cuda_copy *copy, double *microseconds, struct error *error);

/* Writes the kernel's PTX with a probe before every access to memory but parameters, every barrier and every
 * conditional branch, into the arena. This is text work that needs no GPU. Some accesses cannot be recorded (matrices
 * behind descriptors, tensor maps); they are ERROR_INPUT, with the line and the reason. */
bool cuda_add_probes(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                     char **ptx, struct error *error);

/* Runs the probed kernel and collects the trace of the recorded blocks. Results are copied back into the launch's
 * buffers. With a listener all blocks are probed, and the listener hears them all, from several threads; the trace
 * still keeps only the recorded ones. If the GPU's memory has no room for all records, further launches from the same
 * inputs bring the rest, so trace.lost counts only events without room in the trace itself. Lanes that the hardware
 * runs together make one event, even when they meet in a function from two calls. trace.totals are not counted. A fault
 * of the kernel, a kernel that does not end and a driver that dies are ERROR_RUN. */
bool cuda_trace(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                const struct trace_listener *listener, struct trace **trace, struct error *error);

/* Does the same and also records the values that each lane read or wrote (trace.values). This is slower and its records
 * take more memory. */
bool cuda_trace_values(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                       const struct trace_listener *listener, struct trace **trace, struct error *error);

/* The cost of a trace on the GPU. */
struct cuda_cost {
    unsigned repeats;    /* each launch is made once unmeasured, then so many times; 0: once, measured */
    double microseconds; /* of all launches of the probed kernel, between CUDA events; with repeats, their medians added
                            up */
    double fastest, slowest;
    double alone; /* with repeats: one launch of the unchanged kernel, made in turn with the probed launches */
    uint64_t launches, record_bytes; /* of one round of launches */
};
bool cuda_trace_cost(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                     const struct trace_listener *listener, struct trace **trace, struct cuda_cost *cost,
                     struct error *error);

/* Microseconds of the unchanged kernel. After a warm-up come `runs` launches (at least 30), each between its own pair
 * of events. */
struct cuda_time {
    double median, p25, p75, minimum;
    unsigned runs;
    unsigned input_sets; /* copies of the buffers that took turns; 1: every launch used the same buffers */
    bool beyond_cache;   /* together the copies fill the L2 twice, so no run finds data of an earlier one there */
    struct gpu_state state;
};
struct cuda_timing {
    unsigned runs;
    bool beyond_cache; /* buffers take turns, in as many copies as fill the L2 twice, at most 64 */
    bool read_back;    /* the results of the last launch are copied back */
    bool once;         /* a single launch without warm-up, for a profiler; runs is ignored */
};
bool cuda_time_kernel(const struct ptx_module *module, const struct launch *launch, const struct cuda_timing *timing,
                      struct cuda_time *time, struct error *error);

/* A program's main calls this before anything else. In the child process that works on the GPU it does that work and
 * returns true once the parent is gone; main then ends. Otherwise it returns false, and from then on this process
 * leaves the GPU to such a child, so neither a faulting kernel nor a dying driver can end this process. A program that
 * never calls it (a test) works on the GPU itself. */
bool cuda_serve(int argc, char **argv);
/* Sets the time after which a launch counts as endless, unless LANESCOPE_GPU_SECONDS sets it. The default is 20
 * seconds. Call it before the first run. */
void cuda_wait_at_most(double seconds);
#endif
