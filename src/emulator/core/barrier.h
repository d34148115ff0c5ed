/* Barriers of a block (bar.sync, bar.arrive, bar.red) and of a warp (bar.warp.sync), and deadlocks at them. */
#ifndef LANESCOPE_EMULATOR_CORE_BARRIER_H
#define LANESCOPE_EMULATOR_CORE_BARRIER_H
#include "emulator/core/warp.h"

enum { BARRIERS = LAUNCH_BARRIERS_MAX + 1 };                               /* and one for the cluster */
enum barrier_kind { BARRIER_SYNC, BARRIER_POPC, BARRIER_AND, BARRIER_OR }; /* op->immediate of a barrier */
struct barrier {
    uint32_t arrived, expected; /* threads; expected 0: all that have not ended */
    uint32_t any, all, sum;     /* bar.red: of the threads that arrived */
    const struct op *first;     /* where threads wait; NULL: none does */
    bool several;               /* they wait at several ops */
};

/* True when all lanes of `wanted` that still live are here. Otherwise parks the current lanes until they are. */
bool barrier_gather(struct warp *w, const struct op *op, uint32_t wanted);
/* Releases the barriers that are complete now that threads have ended: of the block, and of one warp. */
void barrier_check(struct block *block, struct worker *worker);
void barrier_warp_check(struct warp *w);
/* Reports a deadlock of the block as its fault. */
void barrier_deadlock(struct worker *worker);
/* Returns the first fragment of the block that waits (in warp *warp), or NULL, and puts all waits into the finding. */
const struct fragment *barrier_waiting(struct worker *worker, struct finding *finding, uint32_t *warp);
#endif
