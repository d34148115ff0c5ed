/* Finds loops that provably never end, long before the budget does: lanes that come back to the same instruction with
 * the same registers, and that ran only instructions of their own registers since, go round for ever. No other thread
 * can change that, so no loop that may end is taken for one. */
#ifndef LANESCOPE_EMULATOR_RUN_ENDLESS_H
#define LANESCOPE_EMULATOR_RUN_ENDLESS_H
#include "emulator/core/emulation.h"

/* Looks for no loop of this block yet: only a long one is worth it. */
void endless_start(struct worker *worker);
/* Returns whether the warp is to run op by op, with endless_look before each. */
static inline bool endless_is_due(const struct warp *w)
{
    const struct endless *endless = &w->worker->endless;
    return w->block->instructions >= endless->from || endless->warp == w;
}
/* Begins or continues to watch the warp before its next op. Returns whether its loop never ends. It stops watching at
 * an op of another kind, or after some thousand ops. */
bool endless_look(struct warp *w);
#endif
