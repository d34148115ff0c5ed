#include "cudart/layer/xorwow.h"
#include <string.h>

enum { WORD = 32, JUMPS = 32, SEQUENCE = 67 };

typedef uint32_t row[XORWOW_WORDS];

static void apply(row state, const row *matrix)
{
    row result = {0};
    for (unsigned bit = 0; bit < XORWOW_BITS; bit++)
        for (unsigned i = 0; i < XORWOW_WORDS && (state[bit / WORD] >> bit % WORD & 1); i++)
            result[i] ^= matrix[bit][i];
    memcpy(state, result, sizeof result);
}

void xorwow_step(uint32_t state[XORWOW_WORDS])
{
    uint32_t const t = state[0] ^ state[0] >> 2, last = state[4];
    memmove(state, state + 1, 4 * sizeof *state);
    state[4] = last ^ last << 4 ^ t ^ t << 1;
}

void xorwow_fill(uint32_t table[XORWOW_MATRICES * XORWOW_BITS * XORWOW_WORDS])
{
    static row power[XORWOW_BITS], square[XORWOW_BITS];
    for (unsigned bit = 0; bit < XORWOW_BITS; bit++) {
        memset(power[bit], 0, sizeof power[bit]);
        power[bit][bit / WORD] = UINT32_C(1) << bit % WORD;
        xorwow_step(power[bit]);
    }
    for (unsigned k = 0; k < SEQUENCE + JUMPS; k++) { /* power: 2^k steps */
        unsigned const matrix = k < JUMPS ? JUMPS + k : k - SEQUENCE;
        if (k < JUMPS || k >= SEQUENCE)
            memcpy(table + matrix * XORWOW_BITS * XORWOW_WORDS, power, sizeof power);
        for (unsigned bit = 0; bit < XORWOW_BITS; bit++) {
            memcpy(square[bit], power[bit], sizeof square[bit]);
            apply(square[bit], (const row *)power);
        }
        memcpy(power, square, sizeof power);
    }
}

void xorwow_jump(uint32_t state[XORWOW_WORDS], const uint32_t *table, unsigned matrices, uint64_t count)
{
    for (unsigned k = 0; k < JUMPS; k++)
        if (count >> k & 1)
            apply(state, (const row *)(const void *)(table + (matrices + k) * XORWOW_BITS * XORWOW_WORDS));
}
