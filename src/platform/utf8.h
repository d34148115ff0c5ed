/* Characters of a text. */
#ifndef LANESCOPE_PLATFORM_UTF8_H
#define LANESCOPE_PLATFORM_UTF8_H
#include <stddef.h>
#include <stdint.h>

/* Returns one character of UTF-8 and its length. A damaged character becomes U+FFFD with a length of one byte. */
uint32_t character_decode(const char *text, size_t length, size_t *used);
/* Writes a character as UTF-8 with a NUL after it, and returns its length. */
int character_encode(uint32_t code, char bytes[5]);
#endif
