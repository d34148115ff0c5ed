/* The jumps of XORWOW for assets/cuda/program/curand_kernel.h. */
#ifndef LANESCOPE_CUDART_XORWOW_H
#define LANESCOPE_CUDART_XORWOW_H
#include <stdint.h>
enum { XORWOW_BITS = 160, XORWOW_WORDS = 5, XORWOW_MATRICES = 64 };
/* Fills the table: matrix k < 32 makes 2^(67 + k) steps, matrix 32 + k makes 2^k. Row b of a matrix is what bit b of
 * the state becomes. */
void xorwow_fill(uint32_t table[XORWOW_MATRICES * XORWOW_BITS * XORWOW_WORDS]);
#endif
