/* Totals of a run and counts of each source site, by the names of Nsight Compute. They come from a trace_listener over
 * every block that runs (one tally per worker, summed at the end) or from a recorded trace; both give the same
 * numbers. */
#ifndef LANESCOPE_MODEL_COUNTS_H
#define LANESCOPE_MODEL_COUNTS_H
#include "trace/trace.h"

struct site_counts {
    uint64_t requests;                                            /* warp-level executions with an active lane */
    uint64_t global_requests, shared_requests, constant_requests; /* parts of them, by the space of the addresses */
    uint64_t lanes;                                               /* active lanes, summed over requests */
    uint64_t sectors, sectors_ideal;                              /* global memory, 32 bytes each */
    uint64_t wavefronts, wavefronts_ideal;                        /* shared memory */
    uint64_t constant_passes, constant_passes_ideal;              /* constant memory */
    uint64_t divergent;                                           /* executions of a branch in which lanes diverged */
    uint64_t pair_lines; /* of copies that pass by the L1: what the hardware counts in the place of sectors */
};

struct counts {
    struct site_counts *sites; /* one for each site of the trace */
    uint32_t site_count;
    /* Branches are counted from events. Instructions make no events: after a tally their totals are 0, and the caller
     * copies them from the totals of the executor's trace. */
    struct trace_totals totals;
};

/* Returns the memory that a site accesses, which its instruction names or its addresses show. */
enum ptx_space counts_space(const struct trace_site *site, const struct site_counts *counts);
/* Returns whether two sites are the same access at one place of the source, in the same memory. */
bool counts_same_place(const struct trace_site *a, enum ptx_space a_space, const struct trace_site *b,
                       enum ptx_space b_space);
void counts_add(struct site_counts *to, const struct site_counts *from);
/* Adds an event to the counts of its site. */
void counts_event(const struct trace_site *site, struct site_counts *counts, const struct trace_event *event,
                  const uint64_t *addresses);

/* A tally counts while a kernel runs: counts_tally_new, a run with counts_listener, counts_tally_sum. Workers have the
 * numbers 0 to COUNTS_WORKERS_MAX - 1 and never wait for each other. sites must outlive the tally. The caller frees
 * it. */
enum { COUNTS_WORKERS_MAX = 256 };
struct counts_tally;
struct counts_tally *counts_tally_new(const struct trace_site *sites, uint32_t site_count);
struct trace_listener counts_listener(struct counts_tally *tally);
void counts_tally_sum(struct counts_tally *tally, struct arena *arena, struct counts *counts);
void counts_tally_free(struct counts_tally *tally);
/* Counts a recorded trace. The sites count the recorded blocks; the totals are the trace's, over all blocks that
 * ran. */
void counts_of_trace(const struct trace *trace, struct arena *arena, struct counts *counts);

/* Returns the number of counters in the command line's JSON, and the counters, in its order, in the arena. Names are
 * Nsight Compute's, where it has the counter. They cover loads and stores only, because Nsight Compute has separate
 * counters for atomics and reductions. Its idc__requests is no counterpart of constant_passes for a whole kernel,
 * because it includes the machine code's loads of parameters; they make no replays. */
struct counter {
    const char *name;
    uint64_t value;
};
size_t counts_counters(const struct counts *counts, const struct trace_site *sites, struct arena *arena,
                       struct counter **counters);
#endif
