/* Values of lanes and the rows that hold them, for the handlers of lanes.inc and for compiled code (tier/unit.inc). */
#ifndef LANESCOPE_EMULATOR_LANES_VALUE_H
#define LANESCOPE_EMULATOR_LANES_VALUE_H
#include "emulator/core/warp.h"

#if defined(__wasm__)
#define LANES                                                                                                          \
    _Pragma("clang loop vectorize(assume_safety) interleave_count(2) unroll(disable)") for (unsigned l = 0;            \
                                                                                            l < WARP_LANES; l++)
#elif defined(__clang__) || defined(LANES_FOR_CLANG)
#define LANES _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < WARP_LANES; l++)
#else
#define LANES _Pragma("GCC ivdep") for (unsigned l = 0; l < WARP_LANES; l++)
#endif

/* Value types, and the types of their rows: narrow integers live in 32-bit rows with zeros above them. */
typedef uint8_t lane_u8;
typedef int8_t lane_s8;
typedef uint16_t lane_u16;
typedef int16_t lane_s16;
typedef uint32_t lane_u32;
typedef int32_t lane_s32;
typedef uint64_t lane_u64;
typedef int64_t lane_s64;
typedef float lane_f32;
typedef double lane_f64;
typedef uint32_t __attribute__((may_alias)) row_u32;
typedef int32_t __attribute__((may_alias)) row_s32;
typedef uint64_t __attribute__((may_alias)) row_u64;
typedef int64_t __attribute__((may_alias)) row_s64;
typedef float __attribute__((may_alias)) row_f32;
typedef double __attribute__((may_alias)) row_f64;
typedef row_u32 row_u8, row_s8, row_u16, row_s16;
#define KEEP_u16(v) (uint32_t)(uint16_t)(v)
#define KEEP_s16(v) (uint32_t)(uint16_t)(v)
#define KEEP_u32(v) (v)
#define KEEP_s32(v) (v)
#define KEEP_u64(v) (v)
#define KEEP_s64(v) (v)
#define KEEP_f32(v) (v)
#define KEEP_f64(v) (v)

#define ROW(type, offset) ((row_##type *)(void *)(w->rows + (offset)))

static const uint32_t lane_bit[WARP_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/* Writes a predicate of all 32 lanes to the lanes of the mask: combined with another, and its complement to a second.
 */
static inline void keep_predicate(struct warp *w, const struct op *op, uint32_t result)
{
    uint32_t mask = w->mask, complement = ~result;
    if (op->combine) {
        uint32_t other = *predicate(w, op->c) ^ op->flip;
        if (op->combine == COMBINE_AND)
            result &= other, complement &= other;
        else if (op->combine == COMBINE_OR)
            result |= other, complement |= other;
        else
            result ^= other, complement ^= other;
    }
    uint32_t *p = predicate(w, op->d), *q = predicate(w, op->e);
    *p = (*p & ~mask) | (result & mask);
    if (op->e)
        *q = (*q & ~mask) | (complement & mask);
}
#endif
