/* The caches of a launch: which GPU's, and whether they can be told. */
#ifndef LANESCOPE_RUN_CACHES_H
#define LANESCOPE_RUN_CACHES_H
#include "run/execute.h"

/* Returns the state of a listener that follows the caches through a whole launch (model/caches.h), which passes every
 * event on to `next`. Returns NULL, and leaves the reason in run->caches_unknown, when the caches of this kernel or GPU
 * cannot be told. */
struct caches_run *run_caches_new(struct run *run, const struct execute_request *request,
                                  const struct trace_site *sites, uint32_t site_count, struct trace_listener next);
/* Returns why the caches of a recorded block cannot be told; NULL: they can (model/origins.h). module: whose sites the
 * trace has; NULL: it is not known. gpu: as in run_options. */
const char *run_caches_unknown(const struct trace *trace, const struct ptx_module *module, const char *gpu);
#endif
