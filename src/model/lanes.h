/* Loops over 32 lanes for the counting models, compiled for the vector units that a processor may have. */
#ifndef LANESCOPE_MODEL_LANES_H
#define LANESCOPE_MODEL_LANES_H
#include "trace/trace.h"

/* Defines a function three times: for any processor and, on x86-64, for AVX2 and AVX-512. Each call chooses at run
 * time. `body` is a static inline function with the same arguments. */
#define LANES_INLINE static inline __attribute__((always_inline))
#ifdef __x86_64__
#define LANES_CLONES(type, name, body, parameters, arguments)                                                          \
    static __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2"))) type name##_v4 parameters                \
    {                                                                                                                  \
        return body arguments;                                                                                         \
    }                                                                                                                  \
    static __attribute__((target("avx2"))) type name##_v3 parameters                                                   \
    {                                                                                                                  \
        return body arguments;                                                                                         \
    }                                                                                                                  \
    type name parameters                                                                                               \
    {                                                                                                                  \
        if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&                                \
            __builtin_cpu_supports("avx512bw"))                                                                        \
            return name##_v4 arguments;                                                                                \
        return __builtin_cpu_supports("avx2") ? name##_v3 arguments : body arguments;                                  \
    }
#else
#define LANES_CLONES(type, name, body, parameters, arguments)                                                          \
    type name parameters                                                                                               \
    {                                                                                                                  \
        return body arguments;                                                                                         \
    }
#endif

/* Returns whether all 32 addresses lie one stride apart. */
LANES_INLINE bool lanes_affine(const uint64_t addresses[32], int64_t *stride)
{
    uint64_t const step = addresses[1] - addresses[0];
    uint64_t different = 0;
    for (unsigned lane = 0; lane < 24; lane++)
        different |= (addresses[lane + 1] - addresses[lane]) ^ step;
    for (unsigned lane = 23; lane < WARP_LANES - 1; lane++) /* eight at a time; one of them is compared twice */
        different |= (addresses[lane + 1] - addresses[lane]) ^ step;
    *stride = (int64_t)step;
    return different == 0;
}

/* Fills `near` with distances in bytes from a multiple of 128 far below the first active lane. An inactive lane gets
 * its neighbour's distance, which adds nothing to a count. mask is not 0, bytes is a power of two. Returns false when
 * the addresses lie too far apart or are not multiples of bytes. */
LANES_INLINE bool lanes_narrow(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t near[32])
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
