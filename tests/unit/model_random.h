/* Pseudo-random warps for cross-checks, the same on every machine. */
#ifndef LANESCOPE_TESTS_MODEL_RANDOM_H
#define LANESCOPE_TESTS_MODEL_RANDOM_H
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Fills lanes of several kinds (affine, in two equal halves, random near, random far, interrupted by a few odd ones)
 * and returns the active lanes. Addresses are multiples of `bytes` unless `unaligned`. */
static inline uint32_t random_warp(uint64_t *state, uint32_t bytes, int unaligned, uint64_t lanes[32])
{
    uint64_t const base = random_next(state) % 4 == 0 ? random_next(state) >> 20 : random_next(state) % 4096;
    int64_t const stride = (int64_t)(random_next(state) % 80) - 40;
    uint64_t const kind = random_next(state) % 6, spread = UINT64_C(1) << random_next(state) % 40;
    for (unsigned lane = 0; lane < 32; lane++) {
        uint64_t const index = kind == 1 ? lane % 16 : kind == 2 ? lane / 4 : lane;
        uint64_t at = base * bytes + (uint64_t)(stride * (int64_t)index) * bytes;
        if (kind >= 4)
            at = (base + random_next(state) % spread) * bytes;
        if (kind == 3 && random_next(state) % 8 == 0)
            at += random_next(state) % 64 * bytes;
        lanes[lane] = unaligned ? at + random_next(state) % bytes : at;
    }
    uint64_t const masking = random_next(state) % 4;
    uint32_t const mask = (uint32_t)random_next(state);
    return masking == 0   ? UINT32_MAX
           : masking == 1 ? mask
           : masking == 2 ? UINT32_MAX >> (mask & 31)
                          : mask & mask >> 9;
}
#endif
