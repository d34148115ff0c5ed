/* Changes to PTX text that mostly leave it PTX: lines moved, operands exchanged for others of the same text, opcodes
 * and words replaced by ones of the parser's tables. */
#ifndef LANESCOPE_TESTS_FUZZ_MUTATE_H
#define LANESCOPE_TESTS_FUZZ_MUTATE_H
#include <stddef.h>
#include <stdint.h>

/* The text in bytes, size of most used, is changed in place; returns its new size. */
size_t mutate_ptx(uint8_t *bytes, size_t size, size_t most, unsigned seed);
/* A line of `other` put somewhere into the text. */
size_t mutate_ptx_with(uint8_t *bytes, size_t size, size_t most, const uint8_t *other, size_t other_size,
                       unsigned seed);
#endif
