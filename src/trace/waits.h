/* Branches that wait for barrier objects (mbarrier), in the table of sites. */
#ifndef LANESCOPE_TRACE_WAITS_H
#define LANESCOPE_TRACE_WAITS_H
#include "trace/trace.h"

/* Sets the space of the function's waiting branches to the space of the object, PTX_SPACE_SHARED. sites: by number. */
void trace_mark_waits(const struct ptx_function *function, struct trace_site *sites);
#endif
