/* Integer division by zero: hardware gives a number without a fault. Where memory is checked, an op before each
 * division looks at the divisors. */
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/decode/decode.h"

static enum check_start start(struct emulation *emulation)
{
    (void)emulation;
    return CHECK_ACTIVE;
}

/* op->b: the row of the divisor; op->immediate: its bytes. */
static const struct op *check_divisors(struct warp *w, const struct op *op)
{
    unsigned bytes = (unsigned)op->immediate;
    uint64_t all = bytes == 2 ? UINT16_MAX : UINT64_MAX;
    EACH_LANE(l, w->mask)
    {
        if (lane_get(w, op->b, bytes, l) & all)
            continue;
        fault_note(w, op, l, &(struct finding){.form = FINDING_DIVISION_BY_ZERO});
        break;
    }
    return op + 1;
}

static void instruction(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool const divides = i->opcode == PTX_OP_div || i->opcode == PTX_OP_rem;
    if (!divides || i->types[0] == PTX_F32 || i->types[0] == PTX_F64 || i->operand_count < 3 ||
        i->operands[2].kind == PTX_OPERAND_IMMEDIATE)
        return;
    uint32_t const row = decode_source(d, &i->operands[2], (unsigned)ptx_type_size(i->types[0]));
    struct op *op = decode_check(d, check_divisors);
    op->b = row;
    op->immediate = ptx_type_size(i->types[0]);
}

const struct checker check_division = {.start = start, .instruction = instruction};
