/* A browser reaches no GPU by CUDA. */
#include "cuda/cuda.h"

static bool refuse(struct error *error)
{
    return error_set(error, ERROR_MISSING, "a browser cannot run kernels on a GPU");
}

bool cuda_device(struct cuda_device *device, struct error *error)
{
    *device = (struct cuda_device){.name = ""};
    return refuse(error);
}

bool cuda_trace(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    (void)module;
    (void)launch;
    (void)recorded;
    (void)listener;
    *trace = NULL;
    return refuse(error);
}

bool cuda_trace_values(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                       const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    return cuda_trace(module, launch, recorded, listener, trace, error);
}
