/* DRAM bursts of a whole launch, without keeping its trace: blocks in their order, and in each its accesses in the
 * order they were made, whichever worker ran it and when. Only of blocks that wait for one another, and are put aside
 * meanwhile, what they do afterwards counts when it is heard, so that there, with several workers, counts may vary. */
#ifndef LANESCOPE_LESSON_BURSTS_H
#define LANESCOPE_LESSON_BURSTS_H
#include "model/dram.h"
#include "trace/trace.h"

struct bursts;
/* Hears events for `next` too, so that one listener serves both. first: the first block that runs. */
struct bursts *bursts_new(const struct trace_site *sites, uint32_t site_count, const struct dram_preset *preset,
                          uint64_t first, struct trace_listener next);
struct trace_listener bursts_listener(struct bursts *bursts);
/* What was heard, all blocks done. */
const struct dram *bursts_sum(struct bursts *bursts);
void bursts_free(struct bursts *bursts);
#endif
