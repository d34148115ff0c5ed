/* The jumps of XORWOW, also for assets/cuda/program/curand_kernel.h. */
#ifndef LANESCOPE_CUDART_XORWOW_H
#define LANESCOPE_CUDART_XORWOW_H
#include <stdint.h>
enum { XORWOW_BITS = 160, XORWOW_WORDS = 5, XORWOW_MATRICES = 64 };
/* Fills the table: matrix k < 32 makes 2^(67 + k) steps, matrix 32 + k makes 2^k. Row b of a matrix is what bit b of
 * the state becomes. */
enum { XORWOW_SEQUENCES = 0, XORWOW_STEPS = 32 }; /* where the matrices of each begin */
void xorwow_fill(uint32_t table[XORWOW_MATRICES * XORWOW_BITS * XORWOW_WORDS]);
/* Jumps over `count` steps or sequences with the table. Takes the lower 32 bits of the count. */
void xorwow_jump(uint32_t state[XORWOW_WORDS], const uint32_t *table, unsigned matrices, uint64_t count);
void xorwow_step(uint32_t state[XORWOW_WORDS]);
#endif
