/* mbarrier, cp.async.mbarrier.arrive and cp.async.bulk. */
#include "emulator/memory/mbarrier.h"
#include "emulator/decode/decode.h"
#include "emulator/memory/memory.h"

static bool emit(struct decoder *d, enum operation operation, const struct ptx_operand *address, struct access *access)
{
    uint64_t offset;
    bool wide;
    if (access->space != PTX_SPACE_SHARED && access->space != PTX_SPACE_GENERIC)
        return false;
    access->cache = decode_cache(d, USE_BOTH);
    uint32_t base = decode_base(d, address, access->space, &offset, &wide);
    access->wide = wide;
    struct op *op = decode_emit(d, operation);
    op->a = base;
    op->immediate = offset;
    op->extra = access;
    return true;
}

static struct op *last(struct decoder *d)
{
    return &d->ops.items[d->ops.count - 1];
}

static struct access *object_access(struct decoder *d)
{
    struct access *access = arena_new(d->arena, struct access);
    access->space = d->instruction->space;
    access->bytes = access->total = 8;
    access->elements = 1;
    access->store = access->silent = true;
    return access;
}

static bool decode_arrive(struct decoder *d, enum mbarrier_action action)
{
    const struct ptx_instruction *i = d->instruction;
    unsigned const at = i->operands[0].kind == PTX_OPERAND_ADDRESS ? 0 : 1;
    bool const state = at && i->operands[0].kind != PTX_OPERAND_SINK;
    uint32_t const target = state ? decode_target(d, &i->operands[0], 8) : 0;
    uint32_t const operand = i->operand_count > at + 1u ? decode_source(d, &i->operands[at + 1], 4) : 0;
    if (!emit(d, OP_mbarrier_act, &i->operands[at], object_access(d)))
        return false;
    struct op *op = last(d);
    op->combine = (uint8_t)action;
    op->b = operand, op->d = target;
    return operand || action == MBARRIER_ARRIVE || action == MBARRIER_DROP;
}

static bool decode_wait(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool const parity = decode_has(d, PTX_MOD_parity);
    uint32_t const target = decode_predicate(d, &i->operands[0], NULL);
    uint32_t const awaited = decode_source(d, &i->operands[2], parity ? 4 : 8);
    d->emulation->waits = true;
    if (!emit(d, OP_mbarrier_wait, &i->operands[1], object_access(d)))
        return false;
    struct op *op = last(d);
    op->combine = parity;
    op->b = awaited, op->d = target;
    return true;
}

bool decode_mbarrier(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool const expects = decode_has(d, PTX_MOD_expect_tx);
    d->emulation->meets = true;
    if (decode_has(d, PTX_MOD_pending_count)) {
        uint32_t target = decode_target(d, &i->operands[0], 4), state = decode_source(d, &i->operands[1], 8);
        struct op *op = decode_emit(d, OP_mbarrier_pending);
        op->d = target, op->a = state;
        return true;
    }
    if (decode_has(d, PTX_MOD_test_wait) || decode_has(d, PTX_MOD_try_wait))
        return decode_wait(d);
    if (decode_has(d, PTX_MOD_init) || decode_has(d, PTX_MOD_inval)) {
        uint32_t count = i->operand_count > 1 ? decode_source(d, &i->operands[1], 4) : 0;
        if (!emit(d, OP_mbarrier_init, &i->operands[0], object_access(d)))
            return false;
        last(d)->b = count;
        return decode_has(d, PTX_MOD_init) == (count != 0);
    }
    if (decode_has(d, PTX_MOD_arrive))
        return decode_arrive(d, expects ? MBARRIER_ARRIVE_EXPECT : MBARRIER_ARRIVE);
    if (decode_has(d, PTX_MOD_arrive_drop))
        return decode_arrive(d, expects ? MBARRIER_DROP_EXPECT : MBARRIER_DROP);
    if (decode_has(d, PTX_MOD_complete_tx))
        return decode_arrive(d, MBARRIER_COMPLETE);
    return expects && decode_arrive(d, MBARRIER_EXPECT);
}

/* cp.async.mbarrier.arrive */
static bool decode_after_copies(struct decoder *d)
{
    if (!emit(d, OP_mbarrier_after_copies, &d->instruction->operands[0], object_access(d)))
        return false;
    last(d)->combine = MBARRIER_ARRIVE;
    last(d)->flip = decode_has(d, PTX_MOD_noinc);
    return true;
}

static bool decode_bulk_copy(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool const completes = decode_has(d, PTX_MOD_mbarrier_complete_tx_bytes);
    struct bulk_copy *copy = arena_new(d->arena, struct bulk_copy);
    copy->to = i->space, copy->from = i->source_space, copy->completes = completes;
    bool const inwards =
        copy->to == PTX_SPACE_SHARED && completes && (copy->from == PTX_SPACE_GLOBAL || copy->from == PTX_SPACE_SHARED);
    bool const outwards =
        copy->to == PTX_SPACE_GLOBAL && copy->from == PTX_SPACE_SHARED && decode_has(d, PTX_MOD_bulk_group);
    struct access *access = &copy->access;
    access->space = PTX_SPACE_SHARED; /* of the object; copies name their spaces */
    access->bytes = access->total = 16;
    access->elements = 1;
    access->store = outwards;
    access->cache = decode_cache(d, USE_BOTH);
    uint64_t offset;
    uint32_t to = decode_base(d, &i->operands[0], copy->to, &offset, &access->wide);
    uint32_t from = decode_base(d, &i->operands[1], copy->from, &copy->offset_from, &copy->wide_from);
    uint32_t size = decode_source(d, &i->operands[2], 4), object = 0;
    if (completes)
        object = decode_base(d, &i->operands[3], PTX_SPACE_SHARED, &copy->offset_object, &copy->wide_object);
    struct op *op = decode_emit(d, OP_bulk_copy);
    op->a = to, op->b = from, op->c = size, op->e = object;
    op->immediate = offset;
    op->extra = copy;
    bool const wide =
        (copy->to != PTX_SPACE_GLOBAL || access->wide) && (copy->from != PTX_SPACE_GLOBAL || copy->wide_from);
    return (inwards || outwards) && wide;
}

bool decode_bulk(struct decoder *d)
{
    static const enum ptx_modifier refused[] = {PTX_MOD_tensor, PTX_MOD_reduce, PTX_MOD_multicast_cluster};
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        if (decode_has(d, refused[i]))
            return false;
    if (!decode_has(d, PTX_MOD_bulk))
        return decode_after_copies(d);
    if (decode_has(d, PTX_MOD_commit_group) || decode_has(d, PTX_MOD_wait_group) || decode_has(d, PTX_MOD_prefetch))
        return decode_nothing(d); /* copies are made at once */
    return decode_bulk_copy(d);
}
