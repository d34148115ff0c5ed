/* Barrier objects (mbarrier) and bulk copies. The handlers have in op->a the row of the object's address, with
 * op->immediate as offset, and in op->extra a struct access for its space:
 *   mbarrier_init: op->b the row of the count; 0: inval
 *   mbarrier_act: op->combine the action; op->b count or bytes, 0: one; op->d the object's former state, or 0
 *   mbarrier_wait: op->b the state, or with op->combine the parity; op->d the predicate
 *   mbarrier_after_copies (cp.async.mbarrier.arrive): op->flip for .noinc
 *   mbarrier_pending: op->a the row of an object's state
 *   bulk_copy: op->a to, op->b from, op->c bytes, op->e the object; op->extra a struct bulk_copy */
#ifndef LANESCOPE_EMULATOR_MEMORY_MBARRIER_H
#define LANESCOPE_EMULATOR_MEMORY_MBARRIER_H
#include "emulator/memory/memory.h"
#include <stdio.h>

enum mbarrier_action {
    MBARRIER_ARRIVE,
    MBARRIER_ARRIVE_EXPECT,
    MBARRIER_DROP,
    MBARRIER_DROP_EXPECT,
    MBARRIER_EXPECT,
    MBARRIER_COMPLETE
};

struct bulk_copy {
    struct access access;
    enum ptx_space from, to;
    bool wide_from, wide_object, completes;
    uint64_t offset_from, offset_object;
};

/* No thread of the block can continue: those that wait for objects look again. False when there are none, or when
 * they did so too often in vain. */
bool mbarrier_idle(struct worker *worker);
/* Returns the state of the object that a parked fragment waits for. */
struct finding_mbarrier mbarrier_measure(const struct warp *w, const struct fragment *f);
#endif
