/* Totals of a run, by the names Nsight Compute gives them, and by source site. Fed by a trace_listener over every block
 * that runs (one tally a worker, summed at the end), or from a recorded trace: the same numbers. */
#ifndef LANESCOPE_MODEL_COUNTS_H
#define LANESCOPE_MODEL_COUNTS_H
#include "trace/trace.h"

struct site_counts {
    uint64_t requests;                         /* warp-level executions with any lane active */
    uint64_t global_requests, shared_requests; /* of them, by the space the addresses were in */
    uint64_t lanes;                            /* sum of active lanes */
    uint64_t sectors, sectors_ideal;           /* global, 32 bytes each */
    uint64_t wavefronts, wavefronts_ideal;     /* shared */
    uint64_t divergent;                        /* of a branch: executions in which lanes parted */
};

struct counts {
    struct site_counts *sites; /* trace.site_count of them */
    uint32_t site_count;
    /* Branches are counted from the events. Instructions make no events: from a tally they are 0, and the caller copies
     * them from the totals of the trace that the executor made. */
    struct trace_totals totals;
};

/* A tally that listens: counts_tally_new, run with counts_listener, then counts_tally_sum. Workers are numbered from 0
 * to COUNTS_WORKERS_MAX - 1 and do not wait for one another. sites must outlive the tally. */
enum { COUNTS_WORKERS_MAX = 256 };
struct counts_tally;
struct counts_tally *counts_tally_new(const struct trace_site *sites, uint32_t site_count);
struct trace_listener counts_listener(struct counts_tally *tally);
void counts_tally_sum(struct counts_tally *tally, struct arena *arena, struct counts *counts);
void counts_tally_free(struct counts_tally *tally);
/* From a recorded trace: the sites count the recorded blocks, the totals are the trace's, of all blocks that ran. */
void counts_of_trace(const struct trace *trace, struct arena *arena, struct counts *counts);

/* The counters of the command line's JSON, in its order, by Nsight Compute's names. Loads and stores only: atomics and
 * reductions have counters of their own there. */
struct counter {
    const char *name;
    uint64_t value;
};
size_t counts_counters(const struct counts *counts, const struct trace_site *sites, struct arena *arena,
                       struct counter **counters);
#endif
