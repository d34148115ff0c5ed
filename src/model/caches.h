/* Where the sectors of a launch come from: the L1 of a multiprocessor, the L2 or the DRAM. The counts are those of a
 * whole launch that begins with empty caches, or with what a launch before left in the L2 (caches_launch_again). They
 * do not depend on the number of processors that run it. Rules, their evidence and their limits: docs/model.md#caches.
 */
#ifndef LANESCOPE_MODEL_CACHES_H
#define LANESCOPE_MODEL_CACHES_H
#include "model/counts.h"
#include "model/dram.h"
#include "trace/trace.h"

/* The GPU and the launch. */
struct caches_machine {
    uint32_t multiprocessors;
    uint64_t l2_bytes;              /* that hold data */
    uint64_t blocks;                /* of the launch */
    uint32_t resident;              /* of them on a multiprocessor at a time, at least 1 */
    uint32_t l1_room;               /* bytes of each L1 that hold data beside shared memory: l1_room */
    bool measured;                  /* the rules were found on a GPU of its compute capability */
    const struct dram_preset *dram; /* whose rows are counted; NULL: none are */
};

/* A count of which more than this share is in doubt is not known. */
#define CACHES_DOUBT_MOST 0.03

/* Sectors of one site, of loads and stores in global memory that go through the L1. */
struct caches_site {
    uint64_t sectors, l1_hits;
};

struct caches {
    uint64_t load_hits, store_hits; /* in the L1, of the sectors of global loads and stores */
    uint64_t local_loads, local_load_hits, local_stores;
    /* Sectors of loads and stores that the multiprocessors ask the L2 for. Loads of the same sectors by several
     * multiprocessors may become one request on the way. How many do is a matter of cycles, and of which
     * multiprocessors of the one GPU are neighbours. l2_reads: if none do, l2_reads_least: if all do that can. shared:
     * the two are more than CACHES_DOUBT_MOST apart, so that neither the reads nor the hits are known.
     * l2_read_late: sectors that the DRAM had been asked for together with others; whether they had arrived, and are
     * hits beside l2_read_hits, is a matter of cycles, too. */
    uint64_t l2_reads, l2_reads_least, l2_read_hits, l2_read_late, l2_writes;
    bool shared;
    uint64_t dram_reads; /* sectors; without code and parameters, which every launch reads */
    /* How they find the rows of caches_machine.dram, in the order in which the L2 asks for them: what it writes back is
     * not among them. 0 without dram. */
    uint64_t row_hits, row_misses, row_conflicts;
    bool measured;                   /* as in caches_machine */
    const struct caches_site *sites; /* one for each site, in the arena of caches_sum */
    uint32_t site_count;
};

struct caches_run;
/* Returns a listener's state, or NULL without memory. Its listener passes every event on to `next`. It keeps the
 * accesses of the blocks that are on the multiprocessors together. sites must outlive it. */
struct caches_run *caches_new(const struct trace_site *sites, uint32_t site_count, const struct caches_machine *machine,
                              struct trace_listener next);
struct trace_listener caches_listener(struct caches_run *run);
/* Returns the sums after the run, in the arena, or NULL. overflowed: memory ran out, or a block made more accesses than
 * can be kept; where it is false, NULL means that not all blocks ended. */
const struct caches *caches_sum(struct caches_run *run, struct arena *arena, bool *overflowed);
void caches_free(struct caches_run *run);
/* Begins with a second launch of the kernel, behind the first: the L2 holds what it held, all else is empty. What was
 * counted is forgotten. The listener passes every event on to `next`. Returns false without memory. */
bool caches_launch_again(struct caches_run *run, struct trace_listener next);

/* Returns whether the hits of reads in the L2 are known: else they are from l2_read_hits to that + l2_read_late, or,
 * where the reads are not known, not known at all. */
bool caches_l2_hits_known(const struct caches *caches);
/* Lists the counters by the names of Nsight Compute, in the arena. One that is not known is CACHES_UNKNOWN. */
#define CACHES_UNKNOWN UINT64_MAX
#define CACHES_L2_READ_HITS "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"
#define CACHES_L2_READS "lts__t_sectors_srcunit_tex_op_read.sum" /* where not known: l2_reads_least to l2_reads */
size_t caches_counters(const struct caches *caches, struct arena *arena, struct counter **counters);
#endif
