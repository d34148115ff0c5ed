/* How much memory the computer has left, so that what cannot fit is refused before a page of it is touched. Linux
 * grants more memory than there is, and ends a program that uses it. */
#ifndef LANESCOPE_BASE_MEMORY_H
#define LANESCOPE_BASE_MEMORY_H
#include <stdint.h>

/* Returns the bytes that this process can still take: what the computer has free, within the limits of its container
 * and of `ulimit -v`. */
uint64_t memory_available(void);
#endif
