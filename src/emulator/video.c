/* SIMD video instructions: two halves or four bytes of a word at once. Source: PTX ISA 9.0, 9.7.16. */
#include "emulator/decode.h"
#include "emulator/numeric.h"

enum { VIDEO_ADD, VIDEO_SUB, VIDEO_AVRG, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX, VIDEO_SET };
enum { /* op->immediate: the function in the low bits, a comparison above them, and */
       VIDEO_BYTES = 16,
       VIDEO_SIGNED_A = 32,
       VIDEO_SIGNED_B = 64,
       VIDEO_SIGNED_D = 128,
       VIDEO_SAT = 256,
       VIDEO_SUM = 512,
       VIDEO_COMPARISON = 10
};

static int32_t part_of(uint32_t word, unsigned at, unsigned bits, bool is_signed)
{
    uint32_t part = word >> at & ((1u << bits) - 1);
    return is_signed && part >> (bits - 1) ? (int32_t)part - (1 << bits) : (int32_t)part;
}

static int32_t compute(int32_t a, int32_t b, uint64_t what)
{
    switch (what & 15) {
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
        return numeric_compare((double)a, (double)b, (unsigned)(what >> VIDEO_COMPARISON) << FLAG_SHIFT);
    }
}

uint32_t video(uint32_t x, uint32_t y, uint32_t z, uint64_t what)
{
    unsigned bits = what & VIDEO_BYTES ? 8 : 16;
    int32_t low = what & VIDEO_SIGNED_D ? -(1 << (bits - 1)) : 0, high = low + (1 << bits) - 1, sum = 0;
    uint32_t result = 0;
    for (unsigned at = 0; at < 32; at += bits) {
        int32_t part =
            compute(part_of(x, at, bits, what & VIDEO_SIGNED_A), part_of(y, at, bits, what & VIDEO_SIGNED_B), what);
        sum += part;
        if (what & VIDEO_SAT)
            part = part < low ? low : part > high ? high : part;
        result |= ((uint32_t)part & ((1u << bits) - 1)) << at;
    }
    return what & VIDEO_SUM ? z + (uint32_t)sum : result;
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
    static const enum ptx_modifier comparisons[] = {PTX_MOD_eq, PTX_MOD_ne, PTX_MOD_lt,
                                                    PTX_MOD_le, PTX_MOD_gt, PTX_MOD_ge};
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
    for (unsigned k = 0; k < 6; k++)
        if (set && decode_has(d, comparisons[k]))
            what |= (uint64_t)k << VIDEO_COMPARISON;
    decode_lanes(d, LANES_video)->immediate = what;
    return true;
}
