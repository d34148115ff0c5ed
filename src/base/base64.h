/* Base64 of RFC 4648, section 4. */
#ifndef LANESCOPE_BASE_BASE64_H
#define LANESCOPE_BASE_BASE64_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes bytes in lines of 76 letters. */
void base64_write(FILE *out, const uint8_t *bytes, size_t size);
/* Reads `size` letters into `bytes`, which has room for 3 of each 4, and sets *count. White space is skipped. Returns
 * false for letters that are none of the alphabet, and for a text that ends too early or goes on after its padding. */
bool base64_read(const char *text, size_t size, uint8_t *bytes, size_t *count);
#endif
