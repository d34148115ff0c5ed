/* run/ runs a launch: it lays out, decodes, takes blocks in order, gives warps their turns, and records.
 * This header: which warp of a block runs next. */
#ifndef LANESCOPE_EMULATOR_RUN_SCHEDULE_H
#define LANESCOPE_EMULATOR_RUN_SCHEDULE_H
#include "emulator/core/emulation.h"

/* SLICE: instructions that a fragment runs before others have their turn. A poll costs POLL_COST of them; a fence, a
 * nap, or a read that may be a poll costs PAUSE_COST. */
enum { SLICE = 65536, POLL_COST = SLICE / 64, PAUSE_COST = POLL_COST / 16 };
/* While no block in flight makes progress, polls cost so many times as much: memory cannot change until another
 * block has its turn, and thousands of blocks may have to look once more before a deadlock is certain. */
enum { STUCK_COST = 16 };
static inline int64_t schedule_cost(const struct worker *worker, int64_t cost)
{
    return worker->stuck ? STUCK_COST * cost : cost;
}

/* Model cycles from one instruction of a warp to its next. */
uint32_t schedule_instruction(const struct emulation *emulation);
void schedule_start(struct worker *worker);
/* Runs the block until it ends: true; or until its warps do nothing but poll: false. */
bool schedule_run(struct worker *worker);
#endif
