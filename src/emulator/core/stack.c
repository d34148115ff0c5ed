/* alloca: room of a size known at run time, taken from the top of a part of local memory that nothing else uses, down;
 * a function gives back on return what it took. Source: PTX ISA 9.0, 9.7.18. */
#include "emulator/decode/decode.h"

enum { STACK_BYTES = 32 << 10, ALIGNMENT = 8 };

const struct op *stack_take(struct warp *w, const struct op *op)
{
    EACH_LANE(l, w->mask)
    {
        uint64_t bytes = lane_get(w, op->a, op->combine, l);
        if (bytes > w->stack[l])
            return fault_at(w, op, l, "stack overflow", w->stack[l],
                            "alloca of %llu bytes, of %u that a thread has for it %u are left",
                            (unsigned long long)bytes, w->worker->machine->stack_bytes, w->stack[l]);
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
        if (place > w->worker->machine->stack_bytes)
            return fault_at(w, op, l, "invalid stack pointer", place, "stackrestore of what no stacksave gave");
        w->stack[l] = (uint32_t)place;
    }
    return op + 1;
}

bool decode_stack(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    unsigned size = (unsigned)ptx_type_size(i->types[0]);
    bool take = i->opcode == PTX_OP_alloca, restore = i->opcode == PTX_OP_stackrestore;
    uint64_t alignment = take && i->operand_count > 2 ? i->operands[2].bits : ALIGNMENT;
    if ((size != 4 && size != 8) || alignment == 0 || alignment > STACK_BYTES || (alignment & (alignment - 1)))
        return false;
    uint32_t target = restore ? 0 : decode_target(d, &i->operands[0], size);
    uint32_t source = take      ? decode_source(d, &i->operands[1], size)
                      : restore ? decode_source(d, &i->operands[0], size)
                                : 0;
    struct op *op = decode_emit(d, take ? stack_take : restore ? stack_restore : stack_save);
    op->d = target, op->a = source;
    op->combine = (uint8_t)size;
    op->immediate = alignment;
    d->machine->stack_bytes = STACK_BYTES;
    return true;
}
