/* The GPU executor: the same PTX with probes added gives the trace; the kernel untouched, between two CUDA events,
 * gives the time. All through the CUDA runtime API, linked statically: a program built with it starts without a driver,
 * and one built without the toolkit has cuda_absent.c in its place, where everything answers ERROR_MISSING. */
#ifndef LANESCOPE_CUDA_CUDA_H
#define LANESCOPE_CUDA_CUDA_H
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
 * branch, in the arena. Pure text work: needs no GPU. */
bool cuda_add_probes(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel,
                     char **ptx, struct error *error);

/* Runs the probed kernel and collects the trace of the recorded blocks. Results are copied back into launch buffers.
 * The listener (or NULL) is told of every recorded event, also of those the trace has no room for. Lanes that the
 * hardware runs together make one event, also where two calls of one function met in it. A kernel that faults is
 * ERROR_RUN, and closes the GPU to this process: whoever must live on runs this in a child process. */
bool cuda_trace(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                const struct trace_listener *listener, struct trace **trace, struct error *error);

/* Microseconds of the kernel as it is: warm-up, then runs launches (at least 30), each between its own pair of events.
 */
struct cuda_time {
    double median, p25, p75, minimum;
    unsigned runs;
};
bool cuda_time_kernel(const struct ptx_program *program, const struct launch *launch, unsigned runs,
                      struct cuda_time *time, struct error *error);
#endif
