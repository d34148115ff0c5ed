#include "emulator/run/endless.h"
#include <stdlib.h>

enum { FIRST = 1 << 20 };   /* instructions of a block before the first look */
enum { STEPS_MOST = 4096 }; /* ops that a look takes */

void endless_start(struct worker *worker)
{
    worker->endless.from = FIRST;
    worker->endless.warp = NULL;
}

/* Returns whether the op depends on, and changes, nothing but registers of the lane that runs it. */
static bool is_own(const struct op *op)
{
    handler const run = op->run[FOR_ALL];
    if (run == control_guard)
        return is_own(op + 1);
    return (op->class == PTX_CLASS_ARITHMETIC && run != warp_clock) || run == control_branch ||
           run == control_branch_uniform || run == control_join;
}

static bool is_same(const struct endless *then, const struct warp *w)
{
    return w->pc == then->pc && w->frame == then->frame && w->active == then->active && w->carry == then->carry &&
           memcmp(w->rows, then->rows, w->frame->code->constant_start) == 0;
}

static bool keep(struct endless *then, const struct warp *w)
{
    size_t const bytes = w->frame->code->constant_start;
    if (bytes > then->capacity) {
        free(then->rows);
        then->rows = malloc(bytes);
        then->capacity = then->rows ? bytes : 0;
    }
    if (then->rows)
        memcpy(then->rows, w->rows, bytes);
    then->pc = w->pc;
    then->frame = w->frame;
    then->active = w->active;
    then->carry = w->carry;
    return then->rows;
}

bool endless_look(struct warp *w)
{
    struct endless *then = &w->worker->endless;
    uint64_t const ran = w->block->instructions;
    if (ran >= then->from) {
        then->warp = w;
        then->from = 2 * ran;
        then->steps = 0;
        then->renew = 1;
    }
    if (then->steps && is_same(then, w))
        return true;
    bool kept = true;
    if (++then->steps == then->renew) { /* the loop may begin later, or have a longer round */
        kept = keep(then, w);
        then->renew *= 2;
    }
    if (!kept || then->steps > STEPS_MOST || !is_own(w->pc))
        then->warp = NULL;
    return false;
}
