/* How much memory the computer has left, so that what cannot fit is refused before a page of it is touched. Linux
 * grants more memory than there is, and ends a program that uses it. */
#ifndef LANESCOPE_BASE_MEMORY_H
#define LANESCOPE_BASE_MEMORY_H
#include <stddef.h>
#include <stdint.h>

/* Returns the bytes that this process can still take: what the computer has free, within the limits of its container
 * and of `ulimit -v`. */
uint64_t memory_available(void);
/* Asks for large pages in memory of mmap that is likely to be used as a whole: the system fills them with zeros much
 * faster, and a page at a time, the faults of many processors wait for one another. Less than 4 MiB has no use of it;
 * more than 256 MiB may be used sparsely, and keeps small pages. */
void memory_prefer_large_pages(void *bytes, size_t size);
#endif
