/* alloca: memory of a size known at run time. It comes from a part of local memory that nothing else uses, from the
 * top down. A function releases on return what it took. Source: PTX ISA 9.0, 9.7.18. */
#include "emulator/check/fault.h"
#include "emulator/core/emulation.h"

const struct op *stack_take(struct warp *w, const struct op *op)
{
    EACH_LANE(l, w->mask)
    {
        uint64_t bytes = lane_get(w, op->a, op->combine, l);
        if (bytes > w->stack[l])
            return fault_at(
                w, op, l,
                &(struct finding){
                    .form = FINDING_STACK_ALLOCA,
                    .address = w->stack[l],
                    .stack = {.wanted = bytes, .size = w->worker->emulation->stack_bytes, .left = w->stack[l]}});
        w->stack[l] = (w->stack[l] - (uint32_t)bytes) & ~((uint32_t)op->immediate - 1);
        lane_set(w, op->d, op->combine, l, w->stack[l]);
    }
    return op + 1;
}

const struct op *stack_save(struct warp *w, const struct op *op)
{
    EACH_LANE(l, w->mask) lane_set(w, op->d, op->combine, l, w->stack[l]);
    return op + 1;
}

const struct op *stack_restore(struct warp *w, const struct op *op)
{
    EACH_LANE(l, w->mask)
    {
        uint64_t place = lane_get(w, op->a, op->combine, l);
        if (place > w->worker->emulation->stack_bytes)
            return fault_at(w, op, l, &(struct finding){.form = FINDING_STACK_RESTORE, .address = place});
        w->stack[l] = (uint32_t)place;
    }
    return op + 1;
}
