/* Which blocks are in flight. */
#ifndef LANESCOPE_EMULATOR_RUN_RESIDENT_H
#define LANESCOPE_EMULATOR_RUN_RESIDENT_H
#include "emulator/core/emulation.h"

enum resident_next { RESIDENT_NONE, RESIDENT_NEW, RESIDENT_RESUMED };
/* Whether the worker begins a block (*number), continues one that was put aside, or is done. */
enum resident_next resident_next(struct worker *worker, uint64_t *number);
/* Memory for a block and for so many of its warps; false: there is none. */
bool resident_room(struct worker *worker);
bool resident_warps(struct worker *worker, uint32_t count);
bool resident_put_aside(struct worker *worker); /* false: no memory */
bool resident_resume(struct worker *worker);    /* false: no block is aside */
void resident_free(struct worker *worker);
/* Blocks that a GPU would hold at once. */
uint64_t resident_most(const struct emulation *emulation);
/* True when no block can make progress any more and this is the lowest of them. */
bool resident_deadlock(const struct worker *worker);
#endif
