// cuRAND's device functions: XORWOW and Philox with uniform and normal numbers. The sequences are cuRAND's, by its
// documentation and the papers: G. Marsaglia, "Xorshift RNGs" (2003); J. Salmon et al., "Parallel Random Numbers: As
// Easy as 1, 2, 3" (2011).
#pragma once
#include "cuda_runtime.h"
#ifdef __cplusplus
#define LANESCOPE_RANDOM static __inline__ __attribute__((nodebug, device))
#define CURAND_2PI 6.2831855f

// ---- XORWOW ----
struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag;
    float boxmuller_extra;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

// The steps of the generator are linear over bits. Row 160 * k of the table begins the matrix of 2^(67 + k) steps, the
// distance of neighbouring sequences being 2^67, and row 160 * (32 + k) that of 2^k steps. The runtime fills the table
// before the first launch (src/cudart/layer/xorwow.c).
__device__ __attribute__((weak)) unsigned lanescope_xorwow_jumps[64 * 160 * 5];

LANESCOPE_RANDOM void lanescope_xorwow_jump(unsigned v[5], unsigned table, unsigned long long count)
{
    for (unsigned k = 0; count && k < 32; k++, count >>= 1) {
        const unsigned *rows = lanescope_xorwow_jumps + (table + k) * 160 * 5;
        unsigned result[5] = {0, 0, 0, 0, 0};
        if (!(count & 1))
            continue;
        for (unsigned bit = 0; bit < 160; bit++)
            if (v[bit / 32] >> bit % 32 & 1)
                for (unsigned i = 0; i < 5; i++)
                    result[i] ^= rows[bit * 5 + i];
        for (unsigned i = 0; i < 5; i++)
            v[i] = result[i];
    }
}
LANESCOPE_RANDOM void skipahead(unsigned long long count, curandStateXORWOW *state)
{
    lanescope_xorwow_jump(state->v, 32, count);
    state->d += 362437u * (unsigned)count;
}
LANESCOPE_RANDOM void skipahead_sequence(unsigned long long count, curandStateXORWOW *state)
{
    lanescope_xorwow_jump(state->v, 0, count);
}
LANESCOPE_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                  curandStateXORWOW *state)
{
    unsigned const low = (unsigned)seed ^ 0xaad26b49u, high = (unsigned)(seed >> 32) ^ 0xf7dcefddu;
    unsigned const a = 1099087573u * low, b = 2591861531u * high;
    state->d = 6615241u + b + a;
    state->v[0] = 123456789u + a;
    state->v[1] = 362436069u ^ a;
    state->v[2] = 521288629u + b;
    state->v[3] = 88675123u ^ b;
    state->v[4] = 5783321u + a;
    state->boxmuller_flag = 0;
    state->boxmuller_extra = 0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
LANESCOPE_RANDOM unsigned curand(curandStateXORWOW *state)
{
    unsigned const t = state->v[0] ^ state->v[0] >> 2;
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = state->v[4] ^ state->v[4] << 4 ^ t ^ t << 1;
    state->d += 362437;
    return state->v[4] + state->d;
}

// ---- Philox ----
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;
    int boxmuller_flag;
    float boxmuller_extra;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

LANESCOPE_RANDOM uint4 lanescope_philox(uint4 c, uint2 key)
{
    for (unsigned round = 0; round < 10; round++) {
        unsigned const high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        unsigned const high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return c;
}
LANESCOPE_RANDOM void lanescope_philox_add(uint4 &c, unsigned long long count)
{
    unsigned long long const low = ((unsigned long long)c.y << 32 | c.x) + count;
    bool const carry = low < count;
    c.x = (unsigned)low;
    c.y = (unsigned)(low >> 32);
    if (carry && ++c.z == 0)
        c.w++;
}
LANESCOPE_RANDOM void skipahead(unsigned long long count, curandStatePhilox4_32_10 *state)
{
    state->STATE += (unsigned)(count & 3);
    count /= 4;
    if (state->STATE > 3) {
        count++;
        state->STATE -= 4;
    }
    lanescope_philox_add(state->ctr, count);
    state->output = lanescope_philox(state->ctr, state->key);
}
LANESCOPE_RANDOM void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10 *state)
{
    unsigned long long const high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + count;
    state->ctr.z = (unsigned)high;
    state->ctr.w = (unsigned)(high >> 32);
    state->output = lanescope_philox(state->ctr, state->key);
}
LANESCOPE_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                  curandStatePhilox4_32_10 *state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = 0;
    state->boxmuller_extra = 0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
LANESCOPE_RANDOM unsigned curand(curandStatePhilox4_32_10 *state)
{
    unsigned const which = state->STATE++;
    uint4 const now = state->output;
    if (state->STATE == 4) {
        lanescope_philox_add(state->ctr, 1);
        state->output = lanescope_philox(state->ctr, state->key);
        state->STATE = 0;
    }
    return which == 0 ? now.x : which == 1 ? now.y : which == 2 ? now.z : now.w;
}
LANESCOPE_RANDOM uint4 curand4(curandStatePhilox4_32_10 *state)
{
    unsigned const a = curand(state), b = curand(state), c = curand(state), d = curand(state);
    return make_uint4(a, b, c, d);
}

// ---- distributions ----
LANESCOPE_RANDOM float lanescope_uniform(unsigned x)
{
    return (float)x * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
LANESCOPE_RANDOM double lanescope_uniform_double(unsigned x, unsigned y)
{
    unsigned long long const bits = (unsigned long long)x ^ (unsigned long long)y << 21;
    return (double)bits * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
LANESCOPE_RANDOM float2 lanescope_normal2(unsigned x, unsigned y)
{
    float const u = (float)x * 2.3283064e-10f + 2.3283064e-10f / 2;
    float const v = (float)y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2;
    float const length = sqrtf(-2.0f * logf(u));
    return make_float2(sinf(v) * length, cosf(v) * length);
}
LANESCOPE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *state)
{
    uint4 const x = curand4(state);
    return make_float4(lanescope_uniform(x.x), lanescope_uniform(x.y), lanescope_uniform(x.z), lanescope_uniform(x.w));
}
LANESCOPE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *state)
{
    uint4 const x = curand4(state);
    float2 const a = lanescope_normal2(x.x, x.y), b = lanescope_normal2(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
template <typename State> LANESCOPE_RANDOM float curand_uniform(State *state)
{
    return lanescope_uniform(curand(state));
}
template <typename State> LANESCOPE_RANDOM double curand_uniform_double(State *state)
{
    unsigned const x = curand(state), y = curand(state);
    return lanescope_uniform_double(x, y);
}
// Philox takes 32 bits for a double.
LANESCOPE_RANDOM double curand_uniform_double(curandStatePhilox4_32_10 *state)
{
    return (double)curand(state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
template <typename State> LANESCOPE_RANDOM float2 curand_normal2(State *state)
{
    unsigned const x = curand(state), y = curand(state);
    return lanescope_normal2(x, y);
}
// Box and Muller's method gives two numbers; the second is kept for the next call.
template <typename State> LANESCOPE_RANDOM float curand_normal(State *state)
{
    if (state->boxmuller_flag) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    float2 const two = curand_normal2(state);
    state->boxmuller_extra = two.y;
    state->boxmuller_flag = 1;
    return two.x;
}
template <typename State> LANESCOPE_RANDOM double curand_normal_double(State *state)
{
    double const u = curand_uniform_double(state), v = curand_uniform_double(state) * 2.0 * 3.1415926535897932;
    return sqrt(-2.0 * log(u)) * sin(v);
}
template <typename State> LANESCOPE_RANDOM float curand_log_normal(State *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}
#endif
