/* Changes to PTX text that mostly keep it valid: moves lines, exchanges operands for others of the same text, and
 * replaces opcodes and words by others from the parser's tables. */
#ifndef LANESCOPE_TESTS_FUZZ_MUTATE_H
#define LANESCOPE_TESTS_FUZZ_MUTATE_H
#include <stddef.h>
#include <stdint.h>

/* Changes the text in `bytes`, `size` of `most` bytes used, in place. Returns its new size. */
size_t mutate_ptx(uint8_t *bytes, size_t size, size_t most, unsigned seed);
/* Inserts a line of `other` somewhere into the text. Returns its new size. */
size_t mutate_ptx_with(uint8_t *bytes, size_t size, size_t most, const uint8_t *other, size_t other_size,
                       unsigned seed);
#endif
