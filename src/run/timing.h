/* Measures a launch now: a kernel with CUDA events, a loop of the host with the processor's clock. */
#ifndef LANESCOPE_RUN_TIMING_H
#define LANESCOPE_RUN_TIMING_H
#include "base/error.h"
#include "trace/launch.h"
#include "trace/time.h"

/* Sets all of `time` but `what`. beyond_cache: copies of the buffers take turns, so that no launch finds its input in
 * the L2. The error says what this computer lacks. */
bool time_kernel(const struct ptx_module *module, const struct launch *launch, bool beyond_cache,
                 struct measured_time *time, struct error *error);
/* Does the same for a loop of the host, given by its name in run/reference.h. */
bool time_loop(const char *loop, const struct launch *launch, struct measured_time *time, struct error *error);
/* Returns false, with the reason, when this computer cannot time kernels. Call it before large buffers are filled. */
bool time_possible(struct error *error);
/* Launches the kernel on the GPU once, without warm-up, under a profiler. */
bool launch_once(const struct ptx_module *module, const struct launch *launch, struct error *error);
#endif
