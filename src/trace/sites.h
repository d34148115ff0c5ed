/* The table of sites of a trace, for the readers of trace files. */
#ifndef LANESCOPE_TRACE_SITES_H
#define LANESCOPE_TRACE_SITES_H
#include "trace/trace.h"

/* Sets the fields of sites that follow from their text. Files hold nothing else of an instruction. */
void trace_sites_read(struct trace_site *sites, uint32_t count);
#endif
