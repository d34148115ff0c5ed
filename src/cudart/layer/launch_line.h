/* What the line of a launch in the record says of its run: docs/program-record.md. */
#ifndef LANESCOPE_CUDART_LAUNCH_LINE_H
#define LANESCOPE_CUDART_LAUNCH_LINE_H
#include "run/run.h"

/* Adds the counters, the sites, the DRAM and the blocks to the open line. */
void launch_line_counts(struct arena *arena, const struct run *run);
/* Writes the trace of a launch that is to be recorded or has findings, and names it in the open line. */
void launch_line_trace(const struct run *run, bool recorded);
#endif
