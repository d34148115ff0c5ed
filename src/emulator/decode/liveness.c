/* Finds registers that may be read before they are written: those live at a function's entry. Goes backwards over
 * the instructions until nothing changes. One thread suffices, because a lane reads only its own registers. */
#include "emulator/decode/decode.h"

struct liveness {
    const struct ptx_function *function;
    uint32_t words;
    uint64_t *live; /* before each instruction, words of bits; the last row: at the end */
};

static void set_bit(uint64_t *set, uint32_t index, bool value)
{
    uint64_t bit = UINT64_C(1) << index % 64;
    set[index / 64] = value ? set[index / 64] | bit : set[index / 64] & ~bit;
}

static void mark(uint64_t *set, const struct ptx_operand *operand, bool value)
{
    if (operand->kind == PTX_OPERAND_REGISTER ||
        (operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_REGISTER && value))
        set_bit(set, operand->index, value);
    if (operand->second)
        set_bit(set, operand->second - 1, value);
    for (uint32_t k = 0; k < operand->count; k++)
        mark(set, &operand->elements[k], value);
}

static void mark_sources(const struct ptx_instruction *i, uint64_t *set)
{
    for (uint32_t k = ptx_writes_first(i) ? 1 : 0; k < i->operand_count; k++)
        mark(set, &i->operands[k], true);
    for (uint32_t k = 0; k < i->call_argument_count; k++)
        mark(set, &i->call_arguments[k], true);
    if (i->predicate != PTX_NO_INDEX)
        set_bit(set, i->predicate, true);
}

static void step_back(const struct ptx_instruction *i, uint64_t *live)
{
    bool sure = i->predicate == PTX_NO_INDEX;
    if (sure && ptx_writes_first(i))
        mark(live, &i->operands[0], false);
    if (sure)
        for (uint32_t k = 0; k < i->call_result_count; k++)
            mark(live, &i->call_results[k], false);
    mark_sources(i, live);
}

static void join_sets(uint64_t *set, const uint64_t *other, uint32_t words)
{
    for (uint32_t k = 0; k < words; k++)
        set[k] |= other[k];
}

/* Computes the registers live before an instruction; returns true when there are more than before. */
static bool update(const struct liveness *l, uint32_t index, uint64_t *scratch)
{
    const struct ptx_instruction *i = &l->function->instructions[index];
    uint32_t words = l->words, target_count;
    const uint32_t *targets = ptx_targets(i, &target_count);
    enum ptx_kind const kind = ptx_opcode_kind(i->opcode);
    bool const branch = kind == PTX_KIND_BRANCH, ends = kind == PTX_KIND_END;
    bool falls = i->predicate != PTX_NO_INDEX || !(branch || ends), grew = false;
    memset(scratch, 0, words * sizeof *scratch);
    if (falls)
        join_sets(scratch, l->live + (size_t)(index + 1) * words, words);
    for (uint32_t k = 0; k < target_count; k++)
        join_sets(scratch, l->live + (size_t)targets[k] * words, words);
    step_back(i, scratch);
    uint64_t *live = l->live + (size_t)index * words;
    for (uint32_t k = 0; k < words; k++) {
        grew |= (scratch[k] & ~live[k]) != 0;
        live[k] |= scratch[k];
    }
    return grew;
}

bool decode_reads_unwritten(const struct ptx_function *function)
{
    enum { BITS_MAX = 1 << 28 }; /* beyond this, clearing is cheaper than knowing */
    struct liveness l = {.function = function, .words = (function->register_count + 63) / 64};
    uint32_t count = function->instruction_count;
    if ((uint64_t)(count + 1) * l.words * 64 > BITS_MAX)
        return true;
    if (function->parameter_count && function->parameter_registers)
        for (uint32_t k = 0; k < function->parameter_count; k++)
            if (function->parameter_registers[k] != PTX_NO_INDEX)
                return true; /* the caller writes them; clearing costs little there */
    struct arena scratch = {0};
    l.live = arena_array(&scratch, uint64_t, (size_t)(count + 1) * l.words + 1);
    uint64_t *work = arena_array(&scratch, uint64_t, l.words + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count; i-- > 0;)
            changed |= update(&l, i, work);
    }
    bool any = false;
    for (uint32_t k = 0; count && k < l.words; k++)
        any |= l.live[k] != 0;
    arena_free(&scratch);
    return any;
}

static const uint64_t *find_read(struct decoder *d)
{
    const struct ptx_function *function = d->function;
    uint64_t *read = arena_array(d->arena, uint64_t, function->register_count / 64 + 1);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        mark_sources(&function->instructions[i], read);
    for (uint32_t k = 0; k < function->result_count && function->result_registers; k++)
        if (function->result_registers[k] != PTX_NO_INDEX)
            set_bit(read, function->result_registers[k], true);
    return read;
}

bool decode_is_read(struct decoder *d, const struct ptx_operand *target)
{
    if (!d->read)
        d->read = find_read(d);
    for (uint32_t k = 0; k < target->count; k++)
        if (decode_is_read(d, &target->elements[k]))
            return true;
    return target->kind == PTX_OPERAND_REGISTER && d->read[target->index / 64] >> target->index % 64 & 1;
}
