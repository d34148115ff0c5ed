/* Stands in for the runtime in a program that is built without the CUDA Toolkit: every call answers ERROR_MISSING. */
#include "cuda/cuda.h"

static bool absent(struct error *error)
{
    error_set(error, ERROR_MISSING, "this lanescope was built without the CUDA Toolkit, so it cannot use a GPU");
    return error_remedy(error, "install the CUDA Toolkit 13 and build again, or use --on emulator");
}

bool cuda_device(struct cuda_device *device, struct error *error)
{
    *device = (struct cuda_device){0};
    return absent(error);
}

bool cuda_pitch(uint64_t row_bytes, uint64_t *pitch, struct error *error)
{
    (void)row_bytes;
    *pitch = 0;
    return absent(error);
}

bool cuda_copy_time(const struct cuda_copy *copy, double *microseconds, struct error *error)
{
    (void)copy;
    *microseconds = 0;
    return absent(error);
}

bool cuda_trace(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    (void)program;
    (void)launch;
    (void)recorded;
    (void)listener;
    *trace = NULL;
    return absent(error);
}

bool cuda_trace_values(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                       const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    return cuda_trace(program, launch, recorded, listener, trace, error);
}

bool cuda_trace_cost(const struct ptx_program *program, const struct launch *launch, struct launch_blocks recorded,
                     const struct trace_listener *listener, struct trace **trace, struct cuda_cost *cost,
                     struct error *error)
{
    *cost = (struct cuda_cost){0};
    return cuda_trace(program, launch, recorded, listener, trace, error);
}

bool cuda_time_kernel_as(const struct ptx_program *program, const struct launch *launch,
                         const struct cuda_timing *timing, struct cuda_time *time, struct error *error)
{
    (void)program;
    (void)launch;
    (void)timing;
    *time = (struct cuda_time){0};
    return absent(error);
}

bool cuda_time_kernel(const struct ptx_program *program, const struct launch *launch, unsigned runs,
                      struct cuda_time *time, struct error *error)
{
    return cuda_time_kernel_as(program, launch, &(struct cuda_timing){.runs = runs}, time, error);
}

bool cuda_serve(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return false;
}

void cuda_wait_at_most(double seconds)
{
    (void)seconds;
}
