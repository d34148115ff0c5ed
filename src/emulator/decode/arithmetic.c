/* Chooses the operation of lanes.def for an arithmetic, bit or comparison instruction, by type and modifiers. */
#include "emulator/decode/decode.h"
#include "emulator/lanes/numeric.h"

enum { NO = -1 };

/* By width, where the sign makes no difference: 16, 32, 64 bits. */
static int by_size(enum ptx_type type, int n16, int n32, int n64)
{
    switch (type) {
    case PTX_B16:
    case PTX_U16:
    case PTX_S16:
        return n16;
    case PTX_B32:
    case PTX_U32:
    case PTX_S32:
        return n32;
    case PTX_B64:
    case PTX_U64:
    case PTX_S64:
        return n64;
    default:
        return NO;
    }
}

/* By type: u16, s16, u32, s32, u64, s64. */
static int by_type(enum ptx_type type, int u16, int s16, int u32, int s32, int u64, int s64)
{
    bool is_signed = type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
    return is_signed ? by_size(type, s16, s32, s64) : by_size(type, u16, u32, u64);
}
#define TYPES(name)                                                                                                    \
    LANES_##name##_u16, LANES_##name##_s16, LANES_##name##_u32, LANES_##name##_s32, LANES_##name##_u64,                \
        LANES_##name##_s64
#define SIZES(name) LANES_##name##_16, LANES_##name##_32, LANES_##name##_64

static bool lanes_if(struct decoder *d, int operation)
{
    if (operation == NO)
        return false;
    decode_lanes(d, (enum lanes_operation)operation);
    return true;
}

static bool lanes_flags(struct decoder *d, enum lanes_operation operation, unsigned flags)
{
    decode_lanes(d, operation)->immediate = flags;
    return true;
}

unsigned decode_flags(const struct decoder *d)
{
    unsigned flags = decode_has(d, PTX_MOD_rz)   ? ROUND_ZERO
                     : decode_has(d, PTX_MOD_rm) ? ROUND_DOWN
                     : decode_has(d, PTX_MOD_rp) ? ROUND_UP
                                                 : ROUND_NEAREST;
    return flags | (decode_has(d, PTX_MOD_ftz) ? FLAG_FTZ : 0) | (decode_has(d, PTX_MOD_sat) ? FLAG_SAT : 0) |
           (decode_has(d, PTX_MOD_relu) ? FLAG_RELU : 0);
}

static enum ptx_type type_of(const struct decoder *d)
{
    return d->instruction->types[0];
}

/* Returns the operation of lanes.def for a function of halves without flags, or LANES_COUNT. */
static enum lanes_operation plain_half(enum numeric_function function, bool bfloat, bool pair)
{
#define FORMS(name)                                                                                                    \
    {                                                                                                                  \
        {LANES_##name##_f16, LANES_##name##_f16x2},                                                                    \
        {                                                                                                              \
            LANES_##name##_bf16, LANES_##name##_bf16x2                                                                 \
        }                                                                                                              \
    }
    static const struct {
        enum numeric_function function;
        enum lanes_operation operation[2][2]; /* of bfloat16; of a pair */
    } plain[] = {
        {FUNCTION_ADD, FORMS(add)}, {FUNCTION_SUB, FORMS(sub)}, {FUNCTION_MUL, FORMS(mul)}, {FUNCTION_FMA, FORMS(fma)}};
#undef FORMS
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i].function == function)
            return plain[i].operation[bfloat][pair];
    return LANES_COUNT;
}

/* Half precision: where flags are set, and for other functions, one operation of lanes.def serves all; op->immediate
 * says which. */
static bool half(struct decoder *d, enum numeric_function function, unsigned flags)
{
    enum ptx_type type = type_of(d);
    bool const pair = type == PTX_F16X2 || type == PTX_BF16X2, bfloat = type == PTX_BF16 || type == PTX_BF16X2;
    enum lanes_operation const plain = flags ? LANES_COUNT : plain_half(function, bfloat, pair);
    if (plain != LANES_COUNT)
        return lanes_if(d, (int)plain);
    flags |= bfloat ? FLAG_BF16 : 0;
    return lanes_flags(d, pair ? LANES_half_16x2 : LANES_half_16, flags | (unsigned)function << FLAG_SHIFT);
}

static bool is_half(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;
}

/* add.f32.f16 and the like, of later chips; .oob makes a NaN of one kind a zero. */
static bool mixes_types(const struct decoder *d)
{
    return d->instruction->type_count > 1 || decode_has(d, PTX_MOD_oob);
}

bool decode_add(struct decoder *d)
{
    bool sub = d->instruction->opcode == PTX_OP_sub, sat = decode_has(d, PTX_MOD_sat);
    unsigned flags = decode_flags(d);
    enum ptx_type type = type_of(d);
    if (mixes_types(d))
        return false;
    if (decode_has(d, PTX_MOD_cc))
        return decode_carry(d);
    if (is_half(type))
        return half(d, sub ? FUNCTION_SUB : FUNCTION_ADD, flags);
    if (type == PTX_U16X2 || type == PTX_S16X2)
        return !sub && !sat && decode_integer_pair(d);
    if (type == PTX_F32) {
        if (flags == 0)
            return lanes_if(d, sub ? LANES_sub_f32 : LANES_add_f32);
        if (flags == FLAG_FTZ)
            return lanes_if(d, sub ? LANES_sub_ftz_f32 : LANES_add_ftz_f32);
        return lanes_flags(d, LANES_add_flags_f32, flags | (sub ? FLAG_NEGATE : 0));
    }
    if (type == PTX_F64) {
        if (flags == 0)
            return lanes_if(d, sub ? LANES_sub_f64 : LANES_add_f64);
        return lanes_flags(d, LANES_add_flags_f64, flags | (sub ? FLAG_NEGATE : 0));
    }
    if (sat)
        return type == PTX_S32 && lanes_if(d, sub ? LANES_sub_sat_s32 : LANES_add_sat_s32);
    return lanes_if(d, sub ? by_size(type, SIZES(sub)) : by_size(type, SIZES(add)));
}

bool decode_mul(struct decoder *d)
{
    unsigned flags = decode_flags(d);
    enum ptx_type type = type_of(d);
    if (is_half(type))
        return half(d, FUNCTION_MUL, flags);
    if (type == PTX_F32) {
        if (flags == 0 || flags == FLAG_FTZ)
            return lanes_if(d, flags ? LANES_mul_ftz_f32 : LANES_mul_f32);
        return lanes_flags(d, LANES_mul_flags_f32, flags);
    }
    if (type == PTX_F64)
        return flags == 0 ? lanes_if(d, LANES_mul_f64) : lanes_flags(d, LANES_mul_flags_f64, flags);
    if (decode_has(d, PTX_MOD_wide))
        return lanes_if(
            d, by_type(type, LANES_mul_wide_u16, LANES_mul_wide_s16, LANES_mul_wide_u32, LANES_mul_wide_s32, NO, NO));
    if (decode_has(d, PTX_MOD_hi))
        return lanes_if(d, by_type(type, TYPES(mul_hi)));
    return lanes_if(d, by_size(type, SIZES(mul_lo)));
}

bool decode_mad(struct decoder *d)
{
    enum ptx_type type = type_of(d);
    if (type == PTX_F32 || type == PTX_F64)
        return decode_fma(d);
    if (decode_has(d, PTX_MOD_cc))
        return decode_carry(d);
    if (decode_has(d, PTX_MOD_sat))
        return type == PTX_S32 && decode_has(d, PTX_MOD_hi) && lanes_if(d, LANES_mad_hi_sat_s32);
    if (decode_has(d, PTX_MOD_wide))
        return lanes_if(
            d, by_type(type, LANES_mad_wide_u16, LANES_mad_wide_s16, LANES_mad_wide_u32, LANES_mad_wide_s32, NO, NO));
    if (decode_has(d, PTX_MOD_hi))
        return lanes_if(d, by_type(type, TYPES(mad_hi)));
    return lanes_if(d, by_size(type, SIZES(mad_lo)));
}

bool decode_fma(struct decoder *d)
{
    unsigned flags = decode_flags(d);
    enum ptx_type type = type_of(d);
    if (mixes_types(d))
        return false;
    if (is_half(type))
        return half(d, FUNCTION_FMA, flags);
    if (type == PTX_F32) {
        if (flags == 0 || flags == FLAG_FTZ)
            return lanes_if(d, flags ? LANES_fma_ftz_f32 : LANES_fma_f32);
        return lanes_flags(d, LANES_fma_flags_f32, flags);
    }
    if (type != PTX_F64)
        return false;
    return flags == 0 ? lanes_if(d, LANES_fma_f64) : lanes_flags(d, LANES_fma_flags_f64, flags);
}

bool decode_div(struct decoder *d)
{
    enum ptx_type type = type_of(d);
    if (d->instruction->opcode == PTX_OP_rem)
        return lanes_if(d, by_type(type, TYPES(rem)));
    unsigned flags = decode_flags(d) | (decode_has(d, PTX_MOD_approx) ? FLAG_APPROX : 0);
    if (type == PTX_F32)
        return flags == 0 ? lanes_if(d, LANES_div_f32) : lanes_flags(d, LANES_div_flags_f32, flags);
    if (type == PTX_F64)
        return flags == 0 ? lanes_if(d, LANES_div_f64) : lanes_flags(d, LANES_div_flags_f64, flags);
    return lanes_if(d, by_type(type, TYPES(div)));
}

bool decode_sign(struct decoder *d)
{
    bool neg = d->instruction->opcode == PTX_OP_neg, ftz = decode_has(d, PTX_MOD_ftz);
    enum ptx_type type = type_of(d);
    if (is_half(type))
        return half(d, neg ? FUNCTION_NEG : FUNCTION_ABS, ftz ? FLAG_FTZ : 0);
    if (type == PTX_F32 && ftz)
        return lanes_if(d, neg ? LANES_neg_ftz_f32 : LANES_abs_ftz_f32);
    if (type == PTX_F32)
        return lanes_if(d, neg ? LANES_neg_f32 : LANES_abs_f32);
    if (type == PTX_F64)
        return lanes_if(d, neg ? LANES_neg_f64 : LANES_abs_f64);
    return lanes_if(d, neg ? by_size(type, SIZES(neg)) : by_size(type, LANES_abs_s16, LANES_abs_s32, LANES_abs_s64));
}

bool decode_minmax(struct decoder *d)
{
    bool maximum = d->instruction->opcode == PTX_OP_max;
    enum ptx_type type = type_of(d);
    unsigned flags = (decode_flags(d) & ~(unsigned)ROUND_MASK) | (decode_has(d, PTX_MOD_NaN) ? FLAG_NAN : 0) |
                     (decode_has(d, PTX_MOD_xorsign) ? FLAG_XORSIGN : 0) | (maximum ? FLAG_MAX : 0) |
                     (d->instruction->operand_count > 3 ? FLAG_THREE : 0);
    if (is_half(type))
        return !(flags & FLAG_THREE) && half(d, FUNCTION_MINMAX, flags);
    if (type == PTX_U16X2 || type == PTX_S16X2)
        return decode_integer_pair(d);
    if (type == PTX_F32) {
        if ((flags & ~(unsigned)FLAG_MAX) == 0)
            return lanes_if(d, maximum ? LANES_max_f32 : LANES_min_f32);
        return lanes_flags(d, LANES_minmax_flags_f32, flags);
    }
    if (flags & FLAG_THREE)
        return false;
    if (type == PTX_F64)
        return lanes_if(d, maximum ? LANES_max_f64 : LANES_min_f64);
    if (flags & FLAG_RELU)
        return type == PTX_S32 && lanes_if(d, maximum ? LANES_max_relu_s32 : LANES_min_relu_s32);
    return lanes_if(d, maximum ? by_type(type, TYPES(max)) : by_type(type, TYPES(min)));
}

bool decode_integer(struct decoder *d)
{
    const struct ptx_instruction *instruction = d->instruction;
    bool is_signed = type_of(d) == PTX_S32, hi = decode_has(d, PTX_MOD_hi);
    unsigned flags = (is_signed ? 1 : 0) | (instruction->types[1] == PTX_S32 ? 2 : 0) | (hi ? 4 : 0);
    switch (instruction->opcode) {
    case PTX_OP_sad:
        return lanes_if(d, by_type(type_of(d), TYPES(sad)));
    case PTX_OP_dp4a:
        return lanes_flags(d, LANES_dp4a, flags & 3);
    case PTX_OP_dp2a:
        return lanes_flags(d, LANES_dp2a, flags);
    case PTX_OP_mul24:
        if (hi)
            return lanes_if(d, is_signed ? LANES_mul24_hi_s32 : LANES_mul24_hi_u32);
        return lanes_if(d, is_signed ? LANES_mul24_lo_s32 : LANES_mul24_lo_u32);
    default:
        if (decode_has(d, PTX_MOD_sat))
            return is_signed && hi && lanes_if(d, LANES_mad24_hi_sat_s32);
        if (hi)
            return lanes_if(d, is_signed ? LANES_mad24_hi_s32 : LANES_mad24_hi_u32);
        return lanes_if(d, is_signed ? LANES_mad24_lo_s32 : LANES_mad24_lo_u32);
    }
}

bool decode_carry(struct decoder *d)
{
    enum ptx_opcode opcode = d->instruction->opcode;
    bool in = opcode == PTX_OP_addc || opcode == PTX_OP_subc || opcode == PTX_OP_madc;
    unsigned flags = (in ? 1u : 0u) | (decode_has(d, PTX_MOD_cc) ? 2u : 0u);
    bool hi = decode_has(d, PTX_MOD_hi);
    int operation;
    if (opcode == PTX_OP_add || opcode == PTX_OP_addc)
        operation = by_size(type_of(d), NO, LANES_addc_32, LANES_addc_64);
    else if (opcode == PTX_OP_sub || opcode == PTX_OP_subc)
        operation = by_size(type_of(d), NO, LANES_subc_32, LANES_subc_64);
    else if (hi)
        operation =
            by_type(type_of(d), NO, NO, LANES_madc_hi_u32, LANES_madc_hi_s32, LANES_madc_hi_u64, LANES_madc_hi_s64);
    else
        operation = by_size(type_of(d), NO, LANES_madc_lo_32, LANES_madc_lo_64);
    return operation != NO && lanes_flags(d, (enum lanes_operation)operation, flags);
}

bool decode_function(struct decoder *d)
{
    static const uint8_t functions[PTX_OPCODE_COUNT] = {
        [PTX_OP_rcp] = FUNCTION_RCP, [PTX_OP_sqrt] = FUNCTION_SQRT, [PTX_OP_rsqrt] = FUNCTION_RSQRT,
        [PTX_OP_sin] = FUNCTION_SIN, [PTX_OP_cos] = FUNCTION_COS,   [PTX_OP_lg2] = FUNCTION_LG2,
        [PTX_OP_ex2] = FUNCTION_EX2, [PTX_OP_tanh] = FUNCTION_TANH};
    unsigned function = functions[d->instruction->opcode], flags = decode_flags(d);
    if (is_half(type_of(d)))
        return half(d, (enum numeric_function)function, flags);
    if (type_of(d) == PTX_F32) {
        if (flags == 0 && (function == FUNCTION_RCP || function == FUNCTION_SQRT))
            return lanes_if(d, function == FUNCTION_RCP ? LANES_rcp_f32 : LANES_sqrt_f32);
        return lanes_flags(d, LANES_function_f32, flags | function << FLAG_SHIFT);
    }
    return type_of(d) == PTX_F64 && lanes_flags(d, LANES_function_f64, flags | function << FLAG_SHIFT);
}

bool decode_copysign(struct decoder *d)
{
    return lanes_if(d, type_of(d) == PTX_F64 ? LANES_copysign_f64 : LANES_copysign_f32);
}

bool decode_logic(struct decoder *d)
{
    enum ptx_opcode opcode = d->instruction->opcode;
    const struct ptx_operand *operands = d->instruction->operands;
    enum ptx_type type = type_of(d);
    if (type == PTX_PRED) {
        enum lanes_operation operation = opcode == PTX_OP_and   ? LANES_and_pred
                                         : opcode == PTX_OP_or  ? LANES_or_pred
                                         : opcode == PTX_OP_xor ? LANES_xor_pred
                                                                : LANES_not_pred;
        uint32_t target = decode_predicate(d, &operands[0], NULL), a = decode_predicate(d, &operands[1], NULL);
        uint32_t b = d->instruction->operand_count > 2 ? decode_predicate(d, &operands[2], NULL) : a;
        decode_lanes_rows(d, operation, target, a, b, 0, 0);
        return true;
    }
    switch (opcode) {
    case PTX_OP_and:
        return lanes_if(d, by_size(type, SIZES(and)));
    case PTX_OP_or:
        return lanes_if(d, by_size(type, SIZES(or)));
    case PTX_OP_xor:
        return lanes_if(d, by_size(type, SIZES(xor)));
    case PTX_OP_not:
        return lanes_if(d, by_size(type, SIZES(not )));
    default:
        return lanes_if(d, by_size(type, SIZES(cnot)));
    }
}

bool decode_shift(struct decoder *d)
{
    enum ptx_type type = type_of(d);
    if (d->instruction->opcode == PTX_OP_shl)
        return lanes_if(d, by_size(type, SIZES(shl)));
    if (d->instruction->opcode == PTX_OP_shr)
        return lanes_if(d, by_type(type, TYPES(shr)));
    bool clamp = decode_has(d, PTX_MOD_clamp);
    if (decode_has(d, PTX_MOD_l))
        return lanes_if(d, clamp ? LANES_shf_l_clamp : LANES_shf_l_wrap);
    return lanes_if(d, clamp ? LANES_shf_r_clamp : LANES_shf_r_wrap);
}

static bool decode_lop3(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    unsigned count = d->instruction->operand_count;
    decode_lanes(d, LANES_lop3)->immediate = (unsigned)operands[4].bits & 255;
    if (count == 5)
        return true;
    /* d|p: p is "d is not 0", and or or with a predicate */
    uint32_t flip, row = decode_target(d, &operands[0], 4), zero = decode_constant(d, 0, 4);
    uint32_t other = decode_predicate(d, &operands[5], &flip);
    struct op *op = decode_lanes_rows(d, LANES_ne_u32, decode_second(d, &operands[0]), row, zero, other, 0);
    op->combine = decode_has(d, PTX_MOD_and) ? COMBINE_AND : COMBINE_OR;
    op->flip = flip;
    return true;
}

static bool decode_prmt(struct decoder *d)
{
    static const enum ptx_modifier modes[6] = {PTX_MOD_f4e, PTX_MOD_b4e, PTX_MOD_rc8,
                                               PTX_MOD_ecl, PTX_MOD_ecr, PTX_MOD_rc16};
    for (unsigned i = 0; i < 6; i++)
        if (decode_has(d, modes[i]))
            return lanes_flags(d, LANES_prmt_mode, i);
    return lanes_if(d, LANES_prmt);
}

bool decode_bits(struct decoder *d)
{
    enum ptx_type type = type_of(d);
    bool wide = ptx_type_size(type) == 8;
    switch (d->instruction->opcode) {
    case PTX_OP_lop3:
        return decode_lop3(d);
    case PTX_OP_prmt:
        return decode_prmt(d);
    case PTX_OP_bfe:
        return lanes_if(d, by_type(type, NO, NO, LANES_bfe_u32, LANES_bfe_s32, LANES_bfe_u64, LANES_bfe_s64));
    case PTX_OP_bfi:
        return lanes_if(d, wide ? LANES_bfi_64 : LANES_bfi_32);
    case PTX_OP_bfind:
        if (decode_has(d, PTX_MOD_shiftamt))
            return lanes_if(d, by_type(type, NO, NO, LANES_bfind_shift_u32, LANES_bfind_shift_s32,
                                       LANES_bfind_shift_u64, LANES_bfind_shift_s64));
        return lanes_if(d, by_type(type, NO, NO, LANES_bfind_u32, LANES_bfind_s32, LANES_bfind_u64, LANES_bfind_s64));
    case PTX_OP_bmsk:
        return lanes_if(d, decode_has(d, PTX_MOD_wrap) ? LANES_bmsk_wrap : LANES_bmsk_clamp);
    case PTX_OP_szext:
        return lanes_flags(d, LANES_szext_u32, (type == PTX_S32 ? 1u : 0u) | (decode_has(d, PTX_MOD_wrap) ? 2u : 0u));
    case PTX_OP_brev:
        return lanes_if(d, wide ? LANES_brev_64 : LANES_brev_32);
    case PTX_OP_clz:
        return lanes_if(d, wide ? LANES_clz_64 : LANES_clz_32);
    case PTX_OP_popc:
        return lanes_if(d, wide ? LANES_popc_64 : LANES_popc_32);
    default:
        return lanes_if(d, LANES_fns);
    }
}
