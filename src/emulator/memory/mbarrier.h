/* Barrier objects and bulk copies: see mbarrier.c. All but the copies have a struct access as op->extra, for the
 * object's space; op->a is the row of its address. */
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

const struct op *mbarrier_init(struct warp *w, const struct op *op); /* op->b: count; 0: inval */
/* op->combine: the action; op->b: count or bytes, 0: one; op->d: what the object was before, or 0 */
const struct op *mbarrier_act(struct warp *w, const struct op *op);
const struct op *mbarrier_pending(struct warp *w, const struct op *op); /* op->a: an object's state */
/* op->b: the state, or with op->combine the parity; op->d: predicate */
const struct op *mbarrier_wait(struct warp *w, const struct op *op);
const struct op *mbarrier_after_copies(struct warp *w, const struct op *op); /* op->flip: .noinc */

struct bulk_copy {
    struct access access;
    enum ptx_space from, to;
    bool wide_from, wide_object, completes;
    uint64_t offset_from, offset_object;
};
/* op->a: to, op->b: from, op->c: bytes, op->e: the object */
const struct op *bulk_copy(struct warp *w, const struct op *op);

/* Nobody in the block can go on: those who wait for objects look again; false when there are none, or it was in vain.
 */
bool mbarrier_idle(struct worker *worker);
/* What a parked fragment waits for. */
void mbarrier_describe(const struct warp *w, const struct fragment *f, char *text, size_t size);
#endif
