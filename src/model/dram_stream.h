/* DRAM bursts of a whole launch without its trace. They count in the order of the blocks and, within a block, in the
 * order of its accesses, whichever worker ran the block, whenever it ran, and whatever other blocks it waited for. */
#ifndef LANESCOPE_MODEL_DRAM_STREAM_H
#define LANESCOPE_MODEL_DRAM_STREAM_H
#include "model/dram.h"
#include "trace/trace.h"

struct bursts;
/* Returns a counter of bursts, or NULL without memory. Its listener passes every event on to `next`, so that one
 * listener serves both. Memory grows with the blocks in flight, not with the grid, as long as the executor reports the
 * end of each block. */
struct bursts *bursts_new(const struct trace_site *sites, uint32_t site_count, const struct dram_preset *preset,
                          struct trace_listener next);
struct trace_listener bursts_listener(struct bursts *bursts);
/* Returns the sums over all blocks, without the state of the banks, after the run. Returns NULL when memory ran out. */
const struct dram *bursts_sum(struct bursts *bursts);
void bursts_free(struct bursts *bursts);
#endif
