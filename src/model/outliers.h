/* Where a launch wastes memory traffic: its instructions and its warps, the most wasteful first. Where the caches are
 * known, what the L1 held does not count for the order. */
#ifndef LANESCOPE_MODEL_OUTLIERS_H
#define LANESCOPE_MODEL_OUTLIERS_H
#include "model/caches.h"

/* What was wasted, in bytes of the way between the lanes and their data: 32 for each sector above the least, and 128,
 * the words of the 32 banks, for each pass above the least. */
struct outlier_cost {
    uint64_t requests, sectors, sectors_ideal, passes, passes_ideal; /* passes: of shared and of constant memory */
    uint64_t wasted;
    uint64_t beyond; /* of it, without the sectors that the L1 held, which cost no bandwidth of the L2 and the DRAM */
};
/* An instruction of the source: sites of the same line, column and kind, as a compiler copies them in unrolling. */
struct outlier_site {
    const struct trace_site *site;
    enum ptx_space space;
    unsigned copies;
    struct outlier_cost cost;
    bool cached;        /* loads from global memory, where the caches are known */
    uint64_t l1_hits;   /* of them: sectors that were in the L1 */
    uint64_t divergent; /* of a branch: how often lanes diverged at it */
    size_t event;       /* in trace.events: its most wasteful access; SIZE_MAX: none was recorded */
};
struct outlier_warp {
    uint64_t block;
    uint32_t warp;
    struct outlier_cost cost;
    size_t event; /* in trace.events: its most wasteful access */
};
struct outliers {
    const struct trace *trace;
    struct outlier_site *sites; /* accesses to memory, then branches at which lanes diverged */
    size_t site_count;
    struct outlier_warp *warps; /* of the recorded blocks */
    size_t warp_count;
    bool cached;                                       /* of the sites, `beyond` is known; of warps it is `wasted` */
    uint64_t sites_wasted, sites_beyond, warps_wasted; /* by all of them, in bytes */
};
/* Returns both lists, in the arena, sorted by `beyond`, then by `wasted`. counts: of the trace's sites, possibly over
 * more blocks than were recorded. caches: of the same sites; NULL: not known. */
struct outliers *outliers_new(struct arena *arena, const struct trace *trace, const struct counts *counts,
                              const struct caches *caches);
#endif
