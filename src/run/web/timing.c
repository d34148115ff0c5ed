/* A page measures nothing: its clock is coarse, its code is WebAssembly, and it reaches no GPU. */
#include "run/timing.h"

static bool refuse(struct error *error)
{
    return error_set(error, ERROR_MISSING, "a page in a browser measures no times");
}

bool time_loop(const char *loop, const struct launch *launch, struct measured_time *time, struct error *error)
{
    (void)loop;
    (void)launch;
    *time = (struct measured_time){.source = TIME_NONE};
    return refuse(error);
}

bool time_kernel(const struct ptx_module *module, const struct launch *launch, bool beyond_cache,
                 struct measured_time *time, struct error *error)
{
    (void)module;
    (void)launch;
    (void)beyond_cache;
    *time = (struct measured_time){.source = TIME_NONE};
    return refuse(error);
}

bool time_possible(struct error *error)
{
    return refuse(error);
}

bool launch_once(const struct ptx_module *module, const struct launch *launch, struct error *error)
{
    (void)module;
    (void)launch;
    return refuse(error);
}
