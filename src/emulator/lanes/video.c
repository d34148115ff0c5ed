/* Video instructions: two halves or four bytes of a word at once, and scalar ones, on a part of a word.
 * Source: PTX ISA 9.0, 9.7.16 and 9.7.17. */
#include "emulator/decode/decode.h"
#include "emulator/lanes/numeric.h"

enum {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_AVRG,
    VIDEO_ABSDIFF,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_SET, /* below: scalar only */
    VIDEO_SHL,
    VIDEO_SHR,
    VIDEO_MAD
};
enum { /* op->immediate: the function in the low bits, a comparison above them, and */
       VIDEO_BYTES = 16,
       VIDEO_SIGNED_A = 32,
       VIDEO_SIGNED_B = 64,
       VIDEO_SIGNED_D = 128,
       VIDEO_SAT = 256,
       VIDEO_SUM = 512,
       VIDEO_COMPARISON = 10,
       VIDEO_RELU = 8192
};

static int32_t part_of(uint32_t word, unsigned at, unsigned bits, bool is_signed)
{
    uint32_t part = word >> at & ((1u << bits) - 1);
    return is_signed && part >> (bits - 1) ? (int32_t)part - (1 << bits) : (int32_t)part;
}

static int64_t compute(unsigned function, int64_t a, int64_t b, unsigned comparison)
{
    switch (function) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_AVRG:
        return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_ABSDIFF:
        return a > b ? a - b : b - a;
    case VIDEO_MIN:
        return a < b ? a : b;
    case VIDEO_MAX:
        return a > b ? a : b;
    default:
        return numeric_compare((double)a, (double)b, comparison << FLAG_SHIFT);
    }
}

uint32_t video(uint32_t x, uint32_t y, uint32_t z, uint64_t what)
{
    unsigned bits = what & VIDEO_BYTES ? 8 : 16;
    int32_t low = what & VIDEO_SIGNED_D ? -(1 << (bits - 1)) : 0, high = low + (1 << bits) - 1, sum = 0;
    uint32_t result = 0;
    for (unsigned at = 0; at < 32; at += bits) {
        int32_t const a = part_of(x, at, bits, what & VIDEO_SIGNED_A), b = part_of(y, at, bits, what & VIDEO_SIGNED_B);
        int32_t part = (int32_t)compute(what & 15, a, b, (unsigned)(what >> VIDEO_COMPARISON));
        sum += part;
        if (what & VIDEO_SAT)
            part = part < low ? low : part > high ? high : part;
        if (what & VIDEO_RELU && part < 0)
            part = 0;
        result |= ((uint32_t)part & ((1u << bits) - 1)) << at;
    }
    return what & VIDEO_SUM ? z + (uint32_t)sum : result;
}

static unsigned comparison_of(const struct decoder *d)
{
    static const enum ptx_modifier comparisons[] = {PTX_MOD_eq, PTX_MOD_ne, PTX_MOD_lt,
                                                    PTX_MOD_le, PTX_MOD_gt, PTX_MOD_ge};
    unsigned found = 0;
    for (unsigned k = 0; k < 6; k++)
        if (decode_has(d, comparisons[k]))
            found = k;
    return found;
}

bool decode_video(struct decoder *d)
{
    static const struct {
        enum ptx_opcode opcode;
        unsigned what;
    } table[] = {{PTX_OP_vadd2, VIDEO_ADD},
                 {PTX_OP_vsub2, VIDEO_SUB},
                 {PTX_OP_vavrg2, VIDEO_AVRG},
                 {PTX_OP_vabsdiff2, VIDEO_ABSDIFF},
                 {PTX_OP_vmin2, VIDEO_MIN},
                 {PTX_OP_vmax2, VIDEO_MAX},
                 {PTX_OP_vset2, VIDEO_SET},
                 {PTX_OP_vadd4, VIDEO_ADD | VIDEO_BYTES},
                 {PTX_OP_vsub4, VIDEO_SUB | VIDEO_BYTES},
                 {PTX_OP_vavrg4, VIDEO_AVRG | VIDEO_BYTES},
                 {PTX_OP_vabsdiff4, VIDEO_ABSDIFF | VIDEO_BYTES},
                 {PTX_OP_vmin4, VIDEO_MIN | VIDEO_BYTES},
                 {PTX_OP_vmax4, VIDEO_MAX | VIDEO_BYTES},
                 {PTX_OP_vset4, VIDEO_SET | VIDEO_BYTES}};
    const struct ptx_instruction *i = d->instruction;
    uint64_t what = 0;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].opcode == i->opcode)
            what = table[k].what;
    bool set = (what & 15) == VIDEO_SET; /* its types are those of a and b only */
    unsigned first = set ? 0 : 1;
    if (i->type_count < first + 2)
        return false;
    what |= i->types[first] == PTX_S32 ? VIDEO_SIGNED_A : 0;
    what |= i->types[first + 1] == PTX_S32 ? VIDEO_SIGNED_B : 0;
    what |= !set && i->types[0] == PTX_S32 ? VIDEO_SIGNED_D : 0;
    what |= decode_has(d, PTX_MOD_sat) ? VIDEO_SAT : 0;
    what |= decode_has(d, PTX_MOD_add) ? VIDEO_SUM : 0;
    what |= set ? (uint64_t)comparison_of(d) << VIDEO_COMPARISON : 0;
    decode_lanes(d, LANES_video)->immediate = what;
    return true;
}

bool decode_integer_pair(struct decoder *d)
{
    const struct ptx_instruction *i = d->instruction;
    uint64_t what = i->opcode == PTX_OP_add ? VIDEO_ADD : i->opcode == PTX_OP_min ? VIDEO_MIN : VIDEO_MAX;
    what |= i->types[0] == PTX_S16X2 ? VIDEO_SIGNED_A | VIDEO_SIGNED_B : 0;
    what |= decode_has(d, PTX_MOD_relu) ? VIDEO_RELU : 0;
    decode_lanes(d, LANES_video)->immediate = what;
    return i->operand_count == 3;
}

/* ---- scalar ---- */

struct video_scalar {
    uint8_t function, comparison;
    uint8_t a, b, d; /* enum ptx_part */
    bool signed_a, signed_b, signed_d, saturate, wrap, plus_one, add;
};

static int64_t select_part(uint32_t word, unsigned part, bool is_signed)
{
    if (part == PTX_PART_WHOLE)
        return is_signed ? (int64_t)(int32_t)word : (int64_t)word;
    unsigned bits = part >= PTX_PART_H0 ? 16 : 8;
    return part_of(word, bits * (part - (bits == 16 ? PTX_PART_H0 : PTX_PART_B0)), bits, is_signed);
}

static int64_t scalar(const struct video_scalar *v, int64_t a, int64_t b, uint32_t c)
{
    uint32_t count = v->wrap ? b & 31 : b < 0 || b > 32 ? 32 : (uint32_t)b;
    switch (v->function) {
    case VIDEO_SHL:
        return (int64_t)((uint64_t)a << count);
    case VIDEO_SHR:
        return a >> count;
    case VIDEO_MAD:
        return (int64_t)((uint64_t)a * (uint64_t)b + c + v->plus_one);
    default:
        return compute(v->function, a, b, v->comparison);
    }
}

uint32_t video_scalar(uint32_t x, uint32_t y, uint32_t z, const void *how)
{
    const struct video_scalar *v = how;
    int64_t value = scalar(v, select_part(x, v->a, v->signed_a), select_part(y, v->b, v->signed_b), z);
    if (v->saturate) {
        int64_t low = v->signed_d ? INT32_MIN : 0, high = v->signed_d ? INT32_MAX : UINT32_MAX;
        value = value < low ? low : value > high ? high : value;
    }
    uint32_t word = (uint32_t)value;
    if (v->d == PTX_PART_WHOLE)
        return v->add ? word + z : word;
    unsigned bits = v->d >= PTX_PART_H0 ? 16 : 8;
    unsigned at = bits * ((unsigned)v->d - (bits == 16 ? PTX_PART_H0 : PTX_PART_B0));
    uint32_t mask = ((1u << bits) - 1) << at;
    return (z & ~mask) | (word << at & mask);
}

/* For sm_90, ptxas 13 makes code of these that differs from the PTX manual; it is open which one is right. */
static bool contested(const struct decoder *d, const struct video_scalar *v)
{
    bool merged = v->d != PTX_PART_WHOLE, second = v->add || decode_has(d, PTX_MOD_min) || decode_has(d, PTX_MOD_max);
    if (v->function == VIDEO_MAD)
        return v->saturate || decode_has(d, PTX_MOD_shr7) || decode_has(d, PTX_MOD_shr15);
    return v->d == PTX_PART_H1 || (second && !v->add) ||
           (v->saturate && (merged || second || v->function == VIDEO_SHL));
}

bool decode_video_scalar(struct decoder *d)
{
    static const uint8_t functions[PTX_OPCODE_COUNT] = {
        [PTX_OP_vadd] = VIDEO_ADD, [PTX_OP_vsub] = VIDEO_SUB, [PTX_OP_vabsdiff] = VIDEO_ABSDIFF,
        [PTX_OP_vmin] = VIDEO_MIN, [PTX_OP_vmax] = VIDEO_MAX, [PTX_OP_vshl] = VIDEO_SHL,
        [PTX_OP_vshr] = VIDEO_SHR, [PTX_OP_vmad] = VIDEO_MAD, [PTX_OP_vset] = VIDEO_SET};
    const struct ptx_instruction *i = d->instruction;
    unsigned first = i->opcode == PTX_OP_vset ? 0 : 1; /* whose types are those of a and b only */
    if (i->type_count < first + 2)
        return false;
    struct video_scalar *v = arena_new(d->arena, struct video_scalar);
    v->function = functions[i->opcode];
    v->comparison = (uint8_t)comparison_of(d);
    v->signed_a = i->types[first] == PTX_S32, v->signed_b = i->types[first + 1] == PTX_S32;
    v->signed_d = first ? i->types[0] == PTX_S32 : v->signed_a || v->signed_b;
    v->saturate = decode_has(d, PTX_MOD_sat), v->wrap = decode_has(d, PTX_MOD_wrap);
    v->plus_one = decode_has(d, PTX_MOD_po);
    v->add = decode_has(d, PTX_MOD_add);
    struct ptx_operand operands[4] = {i->operands[0], i->operands[1], i->operands[2], i->operands[3]};
    uint8_t *parts[3] = {&v->d, &v->a, &v->b};
    for (unsigned k = 0; k < 3; k++) {
        if (operands[k].kind != PTX_OPERAND_REGISTER)
            continue;
        *parts[k] = operands[k].component;
        operands[k].component = PTX_PART_WHOLE;
    }
    bool third = v->d != PTX_PART_WHOLE || v->add || v->function == VIDEO_MAD;
    if (i->operand_count != 3u + third || contested(d, v))
        return false;
    uint32_t target = decode_target(d, &operands[0], 4), a = decode_source(d, &operands[1], 4);
    uint32_t b = decode_source(d, &operands[2], 4), c = third ? decode_source(d, &operands[3], 4) : a;
    decode_lanes_rows(d, LANES_video_scalar, target, a, b, c, 0)->extra = v;
    return true;
}
