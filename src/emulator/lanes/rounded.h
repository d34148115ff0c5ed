/* Results of single and double precision in any rounding mode, computed with integers: WebAssembly has one mode only,
 * and no processor need change its own. To nearest, the host's own operators give the same and are faster. */
#ifndef LANESCOPE_EMULATOR_LANES_ROUNDED_H
#define LANESCOPE_EMULATOR_LANES_ROUNDED_H
#include <stdint.h>

enum precision { SINGLE, DOUBLE };
/* mode: ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN or ROUND_UP of numeric.h. The operands of SINGLE are floats, and so is
 * what it returns; infinities, NaN and divisors of zero give what the host's operators give. An exact zero sum is -0 in
 * ROUND_DOWN unless both parts are +0, else +0 unless both are -0: IEEE 754, 6.3. */
double rounded_fused(double x, double y, double z, unsigned mode, enum precision precision); /* x * y + z */
double rounded_sum(double x, double y, unsigned mode, enum precision precision);
double rounded_product(double x, double y, unsigned mode, enum precision precision);
double rounded_quotient(double x, double y, unsigned mode, enum precision precision);
double rounded_root(double x, unsigned mode, enum precision precision);
/* Returns a double, or an integer, in the precision. */
double rounded_number(double x, unsigned mode, enum precision precision);
double rounded_integer(uint64_t x, unsigned mode, enum precision precision);
#endif
