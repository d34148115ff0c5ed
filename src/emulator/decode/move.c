/* Decodes comparisons, selections, moves and address instructions. */
#include "emulator/decode/decode.h"
#include "emulator/lanes/numeric.h"

enum { SCRATCH_PREDICATE = 8 }; /* in the first bytes of a frame, which no register uses */

static const struct {
    enum ptx_modifier modifier;
    uint8_t comparison;
} comparisons[] = {{PTX_MOD_eq, COMPARE_EQ},
                   {PTX_MOD_ne, COMPARE_NE},
                   {PTX_MOD_lt, COMPARE_LT},
                   {PTX_MOD_le, COMPARE_LE},
                   {PTX_MOD_gt, COMPARE_GT},
                   {PTX_MOD_ge, COMPARE_GE},
                   {PTX_MOD_lo, COMPARE_LT},
                   {PTX_MOD_ls, COMPARE_LE},
                   {PTX_MOD_hi, COMPARE_GT},
                   {PTX_MOD_hs, COMPARE_GE},
                   {PTX_MOD_equ, COMPARE_EQ | COMPARE_UNORDERED},
                   {PTX_MOD_neu, COMPARE_NE | COMPARE_UNORDERED},
                   {PTX_MOD_ltu, COMPARE_LT | COMPARE_UNORDERED},
                   {PTX_MOD_leu, COMPARE_LE | COMPARE_UNORDERED},
                   {PTX_MOD_gtu, COMPARE_GT | COMPARE_UNORDERED},
                   {PTX_MOD_geu, COMPARE_GE | COMPARE_UNORDERED},
                   {PTX_MOD_num, COMPARE_NUM},
                   {PTX_MOD_nan, COMPARE_NAN}};

#define ORDERS(type)                                                                                                   \
    {                                                                                                                  \
        LANES_lt_##type, LANES_le_##type, LANES_gt_##type, LANES_ge_##type                                             \
    }

static bool integer_comparison(enum ptx_type type, unsigned comparison, enum lanes_operation *operation)
{
    static const uint16_t orders[6][4] = {ORDERS(u16), ORDERS(s16), ORDERS(u32), ORDERS(s32), ORDERS(u64), ORDERS(s64)};
    static const uint16_t equals[3][2] = {
        {LANES_eq_u16, LANES_ne_u16}, {LANES_eq_u32, LANES_ne_u32}, {LANES_eq_u64, LANES_ne_u64}};
    size_t size = ptx_type_size(type);
    bool is_signed = type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
    unsigned row = size == 2 ? 0 : size == 4 ? 1 : 2;
    if (size < 2 || size > 8 || comparison > COMPARE_GE || type == PTX_F16X2 || type == PTX_BF16X2)
        return false;
    *operation =
        comparison <= COMPARE_NE ? equals[row][comparison] : orders[2 * row + is_signed][comparison - COMPARE_LT];
    return true;
}

static unsigned comparison_of(const struct decoder *d)
{
    unsigned comparison = PTX_MODIFIER_COUNT;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (decode_has(d, comparisons[i].modifier))
            comparison = comparisons[i].comparison;
    return comparison;
}

/* By enum numeric_comparison, then those that hold of NaNs as well. */
static const uint16_t singles[] = {LANES_eq_f32,  LANES_ne_f32,  LANES_lt_f32,  LANES_le_f32,  LANES_gt_f32,
                                   LANES_ge_f32,  LANES_num_f32, LANES_nan_f32, LANES_equ_f32, LANES_neu_f32,
                                   LANES_ltu_f32, LANES_leu_f32, LANES_gtu_f32, LANES_geu_f32};
static const uint16_t doubles[] = {LANES_eq_f64,  LANES_ne_f64,  LANES_lt_f64,  LANES_le_f64,  LANES_gt_f64,
                                   LANES_ge_f64,  LANES_num_f64, LANES_nan_f64, LANES_equ_f64, LANES_neu_f64,
                                   LANES_ltu_f64, LANES_leu_f64, LANES_gtu_f64, LANES_geu_f64};

/* Returns the comparison of operands 1 and 2 for this type. */
static struct op *emit_comparison(struct decoder *d, enum ptx_type type, uint32_t target)
{
    unsigned comparison = comparison_of(d);
    if (comparison == PTX_MODIFIER_COUNT)
        return NULL;
    const struct ptx_operand *operands = d->instruction->operands;
    enum lanes_operation operation;
    unsigned flags = comparison << FLAG_SHIFT | (decode_has(d, PTX_MOD_ftz) ? FLAG_FTZ : 0),
             size = (unsigned)ptx_type_size(type);
    if (type == PTX_F32) {
        operation = flags & FLAG_FTZ ? LANES_flags_f32 : singles[comparison];
    } else if (type == PTX_F64) {
        operation = doubles[comparison];
    } else if (type == PTX_F16 || type == PTX_BF16) {
        operation = LANES_flags_f16;
        flags |= type == PTX_BF16 ? FLAG_BF16 : 0;
    } else if (!integer_comparison(type, comparison, &operation)) {
        return NULL;
    }
    uint32_t a = decode_source(d, &operands[1], size), b = decode_source(d, &operands[2], size);
    struct op *op = decode_lanes_rows(d, operation, target, a, b, 0, 0);
    op->immediate = flags;
    return op;
}

static bool combine(struct decoder *d, struct op *op)
{
    if (d->instruction->operand_count < 4)
        return true;
    op->combine = decode_has(d, PTX_MOD_and)   ? COMBINE_AND
                  : decode_has(d, PTX_MOD_or)  ? COMBINE_OR
                  : decode_has(d, PTX_MOD_xor) ? COMBINE_XOR
                                               : COMBINE_NONE;
    size_t index = d->ops.count - 1;
    uint32_t flip, c = decode_predicate(d, &d->instruction->operands[3], &flip);
    d->ops.items[index].c = c;
    d->ops.items[index].flip = flip;
    return op->combine != COMBINE_NONE;
}

/* The lower halves' comparison and the upper halves' (0: not wanted), each combined. */
static bool compare_pair(struct decoder *d, enum ptx_type type, uint32_t lower, uint32_t upper)
{
    const struct ptx_operand *operands = d->instruction->operands;
    unsigned comparison = comparison_of(d);
    if (comparison == PTX_MODIFIER_COUNT)
        return false;
    unsigned flags =
        comparison << FLAG_SHIFT | (decode_has(d, PTX_MOD_ftz) ? FLAG_FTZ : 0) | (type == PTX_BF16X2 ? FLAG_BF16 : 0);
    uint32_t a = decode_source(d, &operands[1], 4), b = decode_source(d, &operands[2], 4);
    uint32_t upper_a = d->scratch, upper_b = d->scratch + 4 * WARP_LANES;
    struct op *op = decode_lanes_rows(d, LANES_flags_f16, lower, a, b, 0, 0);
    op->immediate = flags;
    if (!combine(d, op))
        return false;
    if (!upper)
        return true;
    decode_lanes_rows(d, LANES_half_high, upper_a, a, a, 0, 0);
    decode_lanes_rows(d, LANES_half_high, upper_b, b, b, 0, 0);
    op = decode_lanes_rows(d, LANES_flags_f16, upper, upper_a, upper_b, 0, 0);
    op->immediate = flags;
    return combine(d, op);
}

/* p|q; p last, as the predicate to combine with may be p. */
static bool decode_setp_pair(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    uint32_t first = decode_predicate(d, &operands[0], NULL), second = decode_second(d, &operands[0]);
    if (!compare_pair(d, d->instruction->types[0], SCRATCH_PREDICATE, second))
        return false;
    decode_lanes_rows(d, LANES_mov_pred, first, SCRATCH_PREDICATE, SCRATCH_PREDICATE, 0, 0);
    return true;
}

bool decode_setp(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    if (d->instruction->types[0] == PTX_F16X2 || d->instruction->types[0] == PTX_BF16X2)
        return decode_setp_pair(d);
    uint32_t target = decode_predicate(d, &operands[0], NULL);
    struct op *op = emit_comparison(d, d->instruction->types[0], target);
    if (!op)
        return false;
    op->e = decode_second(d, &operands[0]);
    return combine(d, op);
}

/* Returns the value that `set` writes for true. */
static bool truth_of(enum ptx_type to, uint64_t *truth)
{
    switch (to) {
    case PTX_F32:
        *truth = 0x3f800000;
        return true;
    case PTX_F16:
    case PTX_F16X2:
        *truth = 0x3c00;
        return true;
    case PTX_BF16:
    case PTX_BF16X2:
        *truth = 0x3f80;
        return true;
    case PTX_U16:
    case PTX_S16:
        *truth = UINT16_MAX;
        return true;
    case PTX_U32:
    case PTX_S32:
        *truth = UINT32_MAX;
        return true;
    default:
        return false;
    }
}

/* Each half by itself, also of a u32 or s32 result. */
static bool decode_set_pair(struct decoder *d, enum ptx_type to, enum ptx_type from)
{
    const struct ptx_operand *operands = d->instruction->operands;
    uint64_t truth;
    if (ptx_type_size(to) != 4 || to == PTX_F32 || !truth_of(to, &truth) ||
        !compare_pair(d, from, SCRATCH_PREDICATE, SCRATCH_PREDICATE + 4))
        return false;
    uint32_t target = decode_target(d, &operands[0], 4);
    uint32_t yes = decode_constant(d, truth & UINT16_MAX, 4), no = decode_constant(d, 0, 4);
    uint32_t low = d->scratch, high = d->scratch + 4 * WARP_LANES;
    decode_lanes_rows(d, LANES_selp_32, low, yes, no, SCRATCH_PREDICATE, 0);
    decode_lanes_rows(d, LANES_selp_32, high, yes, no, SCRATCH_PREDICATE + 4, 0);
    decode_lanes_rows(d, LANES_pack_16_16, target, low, high, low, low);
    return true;
}

bool decode_set(struct decoder *d)
{
    enum ptx_type to = d->instruction->types[0], from = d->instruction->types[1];
    uint64_t truth;
    if (from == PTX_F16X2 || from == PTX_BF16X2)
        return decode_set_pair(d, to, from);
    if (!truth_of(to, &truth) || to == PTX_F16X2 || to == PTX_BF16X2)
        return false;
    struct op *op = emit_comparison(d, from, SCRATCH_PREDICATE);
    if (!op || !combine(d, op))
        return false;
    uint32_t target = decode_target(d, &d->instruction->operands[0], 4);
    uint32_t yes = decode_constant(d, truth, 4), no = decode_constant(d, 0, 4);
    decode_lanes_rows(d, LANES_selp_32, target, yes, no, SCRATCH_PREDICATE, 0);
    return true;
}

bool decode_testp(struct decoder *d)
{
    static const enum ptx_modifier classes[] = {PTX_MOD_finite,     PTX_MOD_infinite, PTX_MOD_number,
                                                PTX_MOD_notanumber, PTX_MOD_normal,   PTX_MOD_subnormal};
    bool wide = d->instruction->types[0] == PTX_F64;
    for (unsigned i = 0; i < 6; i++) {
        if (!decode_has(d, classes[i]))
            continue;
        uint32_t target = decode_predicate(d, &d->instruction->operands[0], NULL);
        uint32_t a = decode_source(d, &d->instruction->operands[1], wide ? 8 : 4);
        decode_lanes_rows(d, wide ? LANES_testp_f64 : LANES_testp_f32, target, a, a, 0, 0)->immediate = i << FLAG_SHIFT;
        return true;
    }
    return false;
}

bool decode_selp(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    unsigned size = (unsigned)ptx_type_size(d->instruction->types[0]);
    uint32_t flip, target = decode_target(d, &operands[0], size), a = decode_source(d, &operands[1], size);
    uint32_t b = decode_source(d, &operands[2], size), c = decode_predicate(d, &operands[3], &flip);
    decode_lanes_rows(d, size == 8 ? LANES_selp_64 : LANES_selp_32, target, a, b, c, 0)->flip = flip;
    return true;
}

bool decode_slct(struct decoder *d)
{
    bool wide = ptx_type_size(d->instruction->types[0]) == 8, single = d->instruction->types[1] == PTX_F32;
    if (decode_has(d, PTX_MOD_ftz))
        decode_lanes(d, wide ? LANES_slct_ftz_64 : LANES_slct_ftz_32);
    else
        decode_lanes(d, wide ? (single ? LANES_slct_64_f32 : LANES_slct_64_s32)
                             : (single ? LANES_slct_32_f32 : LANES_slct_32_s32));
    return true;
}

static bool decode_pack(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    const struct ptx_operand *elements = operands[1].elements;
    unsigned size = (unsigned)ptx_type_size(d->instruction->types[0]), count = operands[1].count,
             part = size / (count ? count : 1);
    uint32_t rows[4] = {0};
    for (unsigned i = 0; i < count && i < 4; i++)
        rows[i] = decode_source(d, &elements[i], part);
    uint32_t target = decode_target(d, &operands[0], size);
    enum lanes_operation operation;
    if (size == 2 && count == 2)
        operation = LANES_pack_8_8;
    else if (size == 4 && count == 4)
        operation = LANES_pack_8x4;
    else if (size == 4 && count == 2)
        operation = LANES_pack_16_16;
    else if (size == 8 && count == 2)
        operation = LANES_pack_32_32;
    else if (size == 8 && count == 4)
        operation = LANES_pack_16x4;
    else
        return false;
    decode_lanes_rows(d, operation, target, rows[0], rows[1], rows[2], rows[3]);
    return true;
}

static bool decode_unpack(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    unsigned size = (unsigned)ptx_type_size(d->instruction->types[0]), count = operands[0].count;
    bool bytes = count && size == count, halves = size == 2 * count, words = size == 4 * count;
    if (count < 2 || count > 4 || count == 3 || !(bytes || halves || (words && size == 8)))
        return false;
    uint32_t source = decode_source(d, &operands[1], size);
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *element = &operands[0].elements[i];
        enum lanes_operation operation = bytes       ? LANES_byte
                                         : size == 4 ? (i ? LANES_half_high : LANES_half_low)
                                         : words     ? (i ? LANES_word_high : LANES_word_low)
                                                     : LANES_quarter;
        if (element->kind == PTX_OPERAND_SINK)
            continue;
        decode_lanes_rows(d, operation, decode_target(d, element, size / count), source, source, 0, 0)->immediate =
            bytes ? 8 * i : 16 * i;
    }
    return true;
}

/* 16 bytes: a register of two rows, or two registers in braces. */
static bool decode_mov_wide(struct decoder *d)
{
    uint32_t rows[2][2];
    for (unsigned k = 0; k < 2; k++) {
        const struct ptx_operand *operand = &d->instruction->operands[k];
        bool pair = operand->kind == PTX_OPERAND_VECTOR;
        if (pair && operand->count != 2)
            return false;
        for (unsigned i = 0; i < 2; i++) {
            const struct ptx_operand *part = pair ? &operand->elements[i] : operand;
            unsigned size = pair ? 8 : 16;
            rows[k][i] = k ? decode_source(d, part, size) : decode_target(d, part, size);
            rows[k][i] += pair ? 0 : i * 8 * WARP_LANES;
        }
    }
    for (unsigned i = 0; i < 2; i++)
        decode_lanes_rows(d, LANES_mov_64, rows[0][i], rows[1][i], rows[1][i], 0, 0);
    return true;
}

static bool is_clock(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_SPECIAL && operand->index >= PTX_SR_clock &&
           operand->index <= PTX_SR_globaltimer_hi;
}

bool decode_mov(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    enum ptx_type type = d->instruction->types[0];
    unsigned size = (unsigned)ptx_type_size(type);
    if (type == PTX_B128)
        return decode_mov_wide(d);
    if (operands[1].kind == PTX_OPERAND_VECTOR)
        return decode_pack(d);
    if (operands[0].kind == PTX_OPERAND_VECTOR)
        return decode_unpack(d);
    if (type == PTX_PRED) {
        uint32_t target = decode_predicate(d, &operands[0], NULL), a = decode_predicate(d, &operands[1], NULL);
        decode_lanes_rows(d, LANES_mov_pred, target, a, a, 0, 0);
        return true;
    }
    uint32_t target = decode_target(d, &operands[0], size);
    if (is_clock(&operands[1])) {
        struct op *op = decode_emit(d, OP_warp_clock);
        op->d = target;
        op->immediate = operands[1].index;
        op->combine = size == 8 ? 8 : 4;
        return true;
    }
    uint32_t a = decode_source(d, &operands[1], size);
    decode_lanes_rows(d, size == 8 ? LANES_mov_64 : LANES_mov_32, target, a, a, 0, 0);
    return true;
}

/* ---- addresses ---- */

bool decode_cvta(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    enum ptx_space space = d->instruction->space;
    if (ptx_type_size(d->instruction->types[0]) != 8)
        return false;
    uint64_t base = space == PTX_SPACE_SHARED  ? EMULATOR_SHARED_BASE
                    : space == PTX_SPACE_LOCAL ? EMULATOR_LOCAL_BASE
                                               : 0;
    if (decode_has(d, PTX_MOD_to))
        base = 0 - base;
    uint32_t target = decode_target(d, &operands[0], 8), a = decode_source(d, &operands[1], 8);
    if (base == 0)
        decode_lanes_rows(d, LANES_mov_64, target, a, a, 0, 0);
    else
        decode_lanes_rows(d, LANES_add_64, target, a, decode_constant(d, base, 8), 0, 0);
    return true;
}

static bool decode_isspacep_const(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    const struct ptx_module *module = d->emulation->module;
    uint32_t target = decode_predicate(d, &operands[0], NULL), a = decode_source(d, &operands[1], 8), found = 0;
    for (uint32_t i = 0; i <= module->variable_count; i++) { /* the last is none: false where there is no variable */
        bool last = i == module->variable_count;
        if (!last && module->variables[i].space != PTX_SPACE_CONST)
            continue;
        uint32_t size = decode_constant(d, last ? 0 : module->variables[i].size, 8);
        struct op *op = decode_lanes_rows(d, LANES_in_range_u64, target, a, size, target, 0);
        op->immediate = last ? 0 : d->emulation->variable_address[i];
        op->combine = found++ ? COMBINE_OR : COMBINE_NONE;
    }
    return true;
}

bool decode_isspacep(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    enum ptx_space space = d->instruction->space;
    if (space == PTX_SPACE_CONST)
        return decode_isspacep_const(d);
    uint64_t base = space == PTX_SPACE_SHARED  ? EMULATOR_SHARED_BASE
                    : space == PTX_SPACE_LOCAL ? EMULATOR_LOCAL_BASE
                    : space == PTX_SPACE_PARAM ? EMULATOR_PARAMETER_BASE
                                               : EMULATOR_WINDOWS_END;
    /* Global memory is all that lies outside the windows: from its base on, around to the base of local memory. */
    uint64_t size = space == PTX_SPACE_GLOBAL  ? EMULATOR_LOCAL_BASE - EMULATOR_WINDOWS_END
                    : space == PTX_SPACE_PARAM ? EMULATOR_PLACED_BASE - EMULATOR_PARAMETER_BASE
                                               : UINT64_C(1) << 40;
    uint32_t target = decode_predicate(d, &operands[0], NULL), a = decode_source(d, &operands[1], 8);
    decode_lanes_rows(d, LANES_in_range_u64, target, a, decode_constant(d, size, 8), 0, 0)->immediate = base;
    return true;
}

/* The block is a cluster of its own: an address in its only block is the address. */
bool decode_mapa(struct decoder *d)
{
    bool wide = ptx_type_size(d->instruction->types[0]) == 8;
    const struct ptx_operand *operands = d->instruction->operands;
    unsigned size = wide ? 8 : 4;
    uint32_t target = decode_target(d, &operands[0], size), a = decode_source(d, &operands[1], size);
    decode_lanes_rows(d, wide ? LANES_mov_64 : LANES_mov_32, target, a, a, 0, 0);
    return true;
}

/* A cluster has one block, so its rank is 0; a cache policy is a number without effect. */
bool decode_zero(struct decoder *d)
{
    unsigned size = (unsigned)ptx_type_size(d->instruction->types[0]);
    uint32_t target = decode_target(d, &d->instruction->operands[0], size), zero = decode_constant(d, 0, size);
    decode_lanes_rows(d, size == 8 ? LANES_mov_64 : LANES_mov_32, target, zero, zero, 0, 0);
    return true;
}
