/* Chooses the operation of lanes.def for a cvt. Common conversions have one each; one more serves all others. */
#include "emulator/decode/decode.h"
#include "emulator/lanes/numeric.h"

static const struct {
    enum ptx_type to, from;
    enum lanes_operation operation;
} quick[] = {{PTX_U16, PTX_U32, LANES_cvt_u16_u32}, {PTX_U16, PTX_S32, LANES_cvt_u16_u32},
             {PTX_S16, PTX_S32, LANES_cvt_u16_u32}, {PTX_S16, PTX_U32, LANES_cvt_u16_u32},
             {PTX_U32, PTX_U16, LANES_mov_32},      {PTX_S32, PTX_U16, LANES_mov_32},
             {PTX_S32, PTX_S16, LANES_cvt_s32_s16}, {PTX_U32, PTX_S16, LANES_cvt_s32_s16},
             {PTX_U32, PTX_U8, LANES_cvt_u32_u8},   {PTX_S32, PTX_U8, LANES_cvt_u32_u8},
             {PTX_U16, PTX_U8, LANES_cvt_u32_u8},   {PTX_S16, PTX_U8, LANES_cvt_u32_u8},
             {PTX_S32, PTX_S8, LANES_cvt_s32_s8},   {PTX_U32, PTX_S8, LANES_cvt_s32_s8},
             {PTX_S16, PTX_S8, LANES_cvt_s16_s8},   {PTX_U16, PTX_S8, LANES_cvt_s16_s8},
             {PTX_U64, PTX_U32, LANES_cvt_u64_u32}, {PTX_S64, PTX_U32, LANES_cvt_u64_u32},
             {PTX_S64, PTX_S32, LANES_cvt_s64_s32}, {PTX_U64, PTX_S32, LANES_cvt_s64_s32},
             {PTX_U64, PTX_U16, LANES_cvt_u64_u16}, {PTX_S64, PTX_U16, LANES_cvt_u64_u16},
             {PTX_S64, PTX_S16, LANES_cvt_s64_s16}, {PTX_U64, PTX_S16, LANES_cvt_s64_s16},
             {PTX_U32, PTX_U64, LANES_cvt_u32_u64}, {PTX_S32, PTX_S64, LANES_cvt_u32_u64},
             {PTX_U32, PTX_S64, LANES_cvt_u32_u64}, {PTX_S32, PTX_U64, LANES_cvt_u32_u64},
             {PTX_U16, PTX_U64, LANES_cvt_u16_u64}, {PTX_S16, PTX_S64, LANES_cvt_u16_u64},
             {PTX_F32, PTX_S32, LANES_cvt_f32_s32}, {PTX_F32, PTX_U32, LANES_cvt_f32_u32},
             {PTX_F64, PTX_S32, LANES_cvt_f64_s32}, {PTX_F64, PTX_U32, LANES_cvt_f64_u32},
             {PTX_F64, PTX_F32, LANES_cvt_f64_f32}, {PTX_F32, PTX_F64, LANES_cvt_f32_f64},
             {PTX_F32, PTX_S64, LANES_cvt_f32_s64}, {PTX_F32, PTX_U64, LANES_cvt_f32_u64},
             {PTX_F64, PTX_S64, LANES_cvt_f64_s64}, {PTX_F64, PTX_U64, LANES_cvt_f64_u64},
             {PTX_F32, PTX_F16, LANES_cvt_f32_f16}, {PTX_F32, PTX_BF16, LANES_cvt_f32_bf16},
             {PTX_F16, PTX_F32, LANES_cvt_f16_f32}, {PTX_BF16, PTX_F32, LANES_cvt_bf16_f32}};

/* To a whole number, with the flags of the rounding. */
static const struct {
    enum ptx_type to, from;
    enum lanes_operation operation;
    unsigned flags;
} whole[] = {{PTX_S32, PTX_F32, LANES_cvt_rzi_s32_f32, FLAG_INTEGER | ROUND_ZERO},
             {PTX_U32, PTX_F32, LANES_cvt_rzi_u32_f32, FLAG_INTEGER | ROUND_ZERO},
             {PTX_S64, PTX_F32, LANES_cvt_rzi_s64_f32, FLAG_INTEGER | ROUND_ZERO},
             {PTX_U64, PTX_F32, LANES_cvt_rzi_u64_f32, FLAG_INTEGER | ROUND_ZERO},
             {PTX_S32, PTX_F64, LANES_cvt_rzi_s32_f64, FLAG_INTEGER | ROUND_ZERO},
             {PTX_U32, PTX_F64, LANES_cvt_rzi_u32_f64, FLAG_INTEGER | ROUND_ZERO},
             {PTX_S64, PTX_F64, LANES_cvt_rzi_s64_f64, FLAG_INTEGER | ROUND_ZERO},
             {PTX_U64, PTX_F64, LANES_cvt_rzi_u64_f64, FLAG_INTEGER | ROUND_ZERO},
             {PTX_F32, PTX_F32, LANES_cvt_rzi_f32, FLAG_INTEGER | ROUND_ZERO},
             {PTX_F32, PTX_F32, LANES_cvt_rmi_f32, FLAG_INTEGER | ROUND_DOWN},
             {PTX_F32, PTX_F32, LANES_cvt_rpi_f32, FLAG_INTEGER | ROUND_UP},
             {PTX_F32, PTX_F32, LANES_cvt_rni_f32, FLAG_INTEGER},
             {PTX_F64, PTX_F64, LANES_cvt_rzi_f64, FLAG_INTEGER | ROUND_ZERO},
             {PTX_F64, PTX_F64, LANES_cvt_rmi_f64, FLAG_INTEGER | ROUND_DOWN},
             {PTX_F64, PTX_F64, LANES_cvt_rpi_f64, FLAG_INTEGER | ROUND_UP},
             {PTX_F64, PTX_F64, LANES_cvt_rni_f64, FLAG_INTEGER}};

/* Returns the operation for a conversion that has one of its own, or LANES_COUNT. */
static enum lanes_operation quick_operation(enum ptx_type to, enum ptx_type from, unsigned flags)
{
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
        if (quick[i].to == to && quick[i].from == from && flags == 0)
            return quick[i].operation;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (whole[i].to == to && whole[i].from == from && whole[i].flags == flags)
            return whole[i].operation;
    return LANES_COUNT;
}

static unsigned conversion_flags(const struct decoder *d)
{
    bool integer = decode_has(d, PTX_MOD_rni) || decode_has(d, PTX_MOD_rzi) || decode_has(d, PTX_MOD_rmi) ||
                   decode_has(d, PTX_MOD_rpi);
    unsigned flags = decode_flags(d) | (integer ? FLAG_INTEGER : 0);
    if (decode_has(d, PTX_MOD_rzi))
        flags |= ROUND_ZERO;
    if (decode_has(d, PTX_MOD_rmi))
        flags |= ROUND_DOWN;
    if (decode_has(d, PTX_MOD_rpi))
        flags |= ROUND_UP;
    if (decode_has(d, PTX_MOD_rna))
        flags |= ROUND_AWAY;
    return flags | (decode_has(d, PTX_MOD_satfinite) ? FLAG_SATFINITE : 0);
}

static uint32_t register_bytes(const struct decoder *d, const struct ptx_operand *operand, enum ptx_type type)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        return (uint32_t)ptx_type_size(d->function->registers[operand->index].type);
    return (uint32_t)ptx_type_size(type);
}

/* cvt.rn.f16x2.f32 d, a, b: a in the upper half. */
static bool decode_pair(struct decoder *d, unsigned flags)
{
    const struct ptx_operand *operands = d->instruction->operands;
    enum ptx_type to = d->instruction->types[0];
    if ((to != PTX_F16X2 && to != PTX_BF16X2) || d->instruction->types[1] != PTX_F32)
        return false;
    if (!flags) {
        decode_lanes(d, to == PTX_F16X2 ? LANES_cvt_f16x2_f32 : LANES_cvt_bf16x2_f32);
        return true;
    }
    struct conversion *conversion = arena_new(d->arena, struct conversion);
    *conversion = (struct conversion){to == PTX_F16X2 ? PTX_F16 : PTX_BF16, PTX_F32, flags, 2};
    uint32_t low = d->scratch, high = d->scratch + 4 * WARP_LANES;
    uint32_t a = decode_source(d, &operands[1], 4), b = decode_source(d, &operands[2], 4);
    uint32_t target = decode_target(d, &operands[0], 4);
    decode_lanes_rows(d, LANES_cvt_32_32, low, b, b, 0, 0)->extra = conversion;
    decode_lanes_rows(d, LANES_cvt_32_32, high, a, a, 0, 0)->extra = conversion;
    decode_lanes_rows(d, LANES_pack_16_16, target, low, high, low, low);
    return true;
}

/* Formats that are no types of registers: tf32, and pairs of 8 bits. */
static bool decode_narrow(struct decoder *d, unsigned flags)
{
    const struct ptx_instruction *i = d->instruction;
    bool from_float = i->types[0] == PTX_F32, e5m2 = decode_has(d, PTX_MOD_e5m2x2);
    enum lanes_operation operation;
    if (decode_has(d, PTX_MOD_tf32)) {
        operation = LANES_cvt_tf32;
    } else if (from_float) {
        operation = LANES_cvt_fp8x2_f32;
    } else {
        if (flags & FLAG_SATFINITE) { /* to 8 bits; it is never written for the way back */
            uint32_t high = d->scratch, target = decode_target(d, &i->operands[0], 2);
            uint32_t a = decode_source(d, &i->operands[1], 4);
            decode_lanes_rows(d, LANES_half_high, high, a, a, 0, 0);
            decode_lanes_rows(d, LANES_cvt_fp8x2_f16, target, high, a, 0, 0)->immediate =
                flags | (e5m2 ? FLAG_BF16 : 0);
            return true;
        }
        operation = LANES_cvt_f16x2_fp8;
    }
    decode_lanes(d, operation)->immediate = flags | (e5m2 ? FLAG_BF16 : 0);
    return true;
}

/* cvt.pack.sat.u8.s32.b32 d, a, b, c; to 16 bits without c. */
static bool decode_cvt_pack(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    bool nibble = decode_has(d, PTX_MOD_s4) || decode_has(d, PTX_MOD_u4);
    enum ptx_type to = i->types[0];
    unsigned bits = nibble ? 4 : 8 * (unsigned)ptx_type_size(to);
    bool is_signed = nibble ? decode_has(d, PTX_MOD_s4) : to == PTX_S8 || to == PTX_S16;
    if (bits > 16)
        return false;
    decode_lanes(d, is_signed ? LANES_cvt_pack_s32 : LANES_cvt_pack_u32)->immediate = bits;
    return true;
}

static bool convertible(enum ptx_type type)
{
    size_t size = ptx_type_size(type);
    return type != PTX_PRED && size >= 1 && size <= 8 && type != PTX_F16X2 && type != PTX_BF16X2;
}

bool decode_cvt(struct decoder *d)
{
    const struct ptx_operand *operands = d->instruction->operands;
    enum ptx_type to = d->instruction->types[0], from = d->instruction->types[1];
    unsigned flags = conversion_flags(d);
    if (decode_has(d, PTX_MOD_rs) || decode_has(d, PTX_MOD_scaled))
        return false;
    if (decode_has(d, PTX_MOD_pack))
        return decode_cvt_pack(d);
    if (decode_has(d, PTX_MOD_tf32) || decode_has(d, PTX_MOD_e4m3x2) || decode_has(d, PTX_MOD_e5m2x2))
        return decode_narrow(d, flags);
    if (d->instruction->operand_count == 3)
        return decode_pair(d, flags);
    if (!convertible(to) || !convertible(from))
        return false;
    uint32_t target_bytes = register_bytes(d, &operands[0], to), source_bytes = register_bytes(d, &operands[1], from);
    bool exact = target_bytes == ptx_type_size(to) && (source_bytes == 8) == (ptx_type_size(from) == 8);
    exact = exact && (source_bytes == ptx_type_size(from) || ptx_type_size(from) == 1);
    enum lanes_operation const own = exact ? quick_operation(to, from, flags) : LANES_COUNT;
    if (own != LANES_COUNT) {
        decode_lanes(d, own);
        return true;
    }
    struct conversion *conversion = arena_new(d->arena, struct conversion);
    *conversion = (struct conversion){to, from, flags, (uint8_t)(target_bytes < 2 ? 2 : target_bytes)};
    bool wide_to = target_bytes == 8, wide_from = source_bytes == 8;
    enum lanes_operation operation =
        wide_to ? (wide_from ? LANES_cvt_64_64 : LANES_cvt_64_32) : (wide_from ? LANES_cvt_32_64 : LANES_cvt_32_32);
    uint32_t target = decode_target(d, &operands[0], wide_to ? 8 : 4),
             a = decode_source(d, &operands[1], wide_from ? 8 : 4);
    decode_lanes_rows(d, operation, target, a, a, 0, 0)->extra = conversion;
    return true;
}
