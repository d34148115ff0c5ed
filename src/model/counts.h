/* Totals of a run, by the names Nsight Compute gives them, and by source site. Fed by a trace_listener over every block
 * that runs (one tally a worker, summed at the end), or from a recorded trace: the same numbers. */
#ifndef LANESCOPE_MODEL_COUNTS_H
#define LANESCOPE_MODEL_COUNTS_H
#include "trace/trace.h"

struct site_counts {
    uint64_t requests;                     /* warp-level executions with any lane active */
    uint64_t lanes;                        /* sum of active lanes */
    uint64_t sectors, sectors_ideal;       /* global, 32 bytes each */
    uint64_t wavefronts, wavefronts_ideal; /* shared */
    uint64_t divergent;                    /* of a branch: executions in which lanes parted */
};

struct counts {
    struct site_counts *sites; /* trace.site_count of them */
    uint32_t site_count;
    struct trace_totals totals;
};

/* A tally that listens: counts_new, run with counts_listener, then counts_sum. Up to 256 workers. */
struct counts_tally;
struct counts_tally *counts_tally_new(const struct trace_site *sites, uint32_t site_count);
struct trace_listener counts_listener(struct counts_tally *tally);
void counts_tally_sum(struct counts_tally *tally, struct arena *arena, struct counts *counts);
void counts_tally_free(struct counts_tally *tally);
/* From a recorded trace. */
void counts_of_trace(const struct trace *trace, struct arena *arena, struct counts *counts);

/* The counters of the command line's JSON, in its order, by Nsight Compute's names. */
struct counter {
    const char *name;
    uint64_t value;
};
size_t counts_counters(const struct counts *counts, const struct trace_site *sites, struct arena *arena,
                       struct counter **counters);
#endif
