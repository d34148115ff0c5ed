/* What the counting models share: 32 addresses of 64 bits as 32 distances of 32 bits, twice as many to a vector. */
#ifndef LANESCOPE_MODEL_LANES_H
#define LANESCOPE_MODEL_LANES_H
#include "trace/trace.h"

/* Distances from a multiple of 128 well below the first active lane; an inactive lane is put where its neighbour is,
 * which adds nothing. mask is not 0, bytes a power of two. False when the addresses lie too far apart or are not
 * multiples of bytes. */
static inline bool lanes_narrow(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t near[32])
{
    uint64_t const first = addresses[__builtin_ctz(mask)];
    uint64_t const base = first - first % UINT64_C(128) - (UINT64_C(1) << 30);
    uint64_t far = 0;
    if (mask == UINT32_MAX) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint64_t const distance = addresses[lane] - base;
            far |= distance;
            near[lane] = (uint32_t)distance;
        }
    } else {
        uint64_t distance = first - base;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            distance = mask >> lane & 1 ? addresses[lane] - base : distance;
            far |= distance;
            near[lane] = (uint32_t)distance;
        }
    }
    return far >> 31 == 0 && (far & (bytes - 1)) == 0;
}
#endif
