/* The numbers of buffers' elements that C has no type for: halves (IEEE 754 binary16), bfloat16, and the two formats of
 * eight bits, e4m3 and e5m2 (OCP 8-bit Floating Point Specification 1.0; PTX ISA 9.0, "Alternate Floating-Point Data
 * Formats"). */
#ifndef LANESCOPE_PTX_ELEMENT_H
#define LANESCOPE_PTX_ELEMENT_H
#include "ptx/module.h"

/* Returns whether an element is one floating-point number. */
bool ptx_is_real(enum ptx_type type);
/* Returns whether it is one of fewer than 32 bits. */
bool ptx_is_small_real(enum ptx_type type);
/* Returns the number in the low bytes of `bits`. The type is one floating-point number. */
double ptx_real(enum ptx_type type, uint64_t bits);
/* Returns the nearest number of the type, ties to even, in the low bytes. Too large a number becomes infinite; of e4m3
 * and e5m2 it becomes the largest finite one, as in cvt.rn.satfinite, the only conversion that the hardware has. */
uint64_t ptx_real_bits(enum ptx_type type, double number);
#endif
