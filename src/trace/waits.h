/* Branches that wait for barrier objects (mbarrier), as the table of sites has them. */
#ifndef LANESCOPE_TRACE_WAITS_H
#define LANESCOPE_TRACE_WAITS_H
#include "trace/trace.h"

/* Gives the function's branches that wait the space in which the object lies, PTX_SPACE_SHARED. sites: by number. */
void trace_mark_waits(const struct ptx_function *function, struct trace_site *sites);
static inline bool trace_waits(const struct trace_site *site)
{
    return site->operation == TRACE_BRANCH && site->space == PTX_SPACE_SHARED;
}
#endif
