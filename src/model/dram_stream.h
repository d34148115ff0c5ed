/* DRAM bursts of a whole launch, without keeping its trace: blocks in their order, and in each its accesses in the
 * order they were made, whichever worker ran it and when, and whatever other blocks it had to wait for meanwhile. */
#ifndef LANESCOPE_MODEL_DRAM_STREAM_H
#define LANESCOPE_MODEL_DRAM_STREAM_H
#include "model/dram.h"
#include "trace/trace.h"

struct bursts;
/* Hears events for `next` too, so that one listener serves both. What is kept grows with the blocks in flight, not with
 * the grid, as long as the executor says which blocks have ended. NULL: no memory. */
struct bursts *bursts_new(const struct trace_site *sites, uint32_t site_count, const struct dram_preset *preset,
                          struct trace_listener next);
struct trace_listener bursts_listener(struct bursts *bursts);
/* The sums of what was heard, all blocks done; of its banks it says nothing. NULL: there was not enough memory. */
const struct dram *bursts_sum(struct bursts *bursts);
void bursts_free(struct bursts *bursts);
#endif
