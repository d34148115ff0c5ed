/* Processors, and instructions that one may have or not. */
#ifndef LANESCOPE_BASE_PROCESSOR_H
#define LANESCOPE_BASE_PROCESSOR_H

/* Compiles a function that counts bits often for processors with the instruction for it, and for all others; the
 * program's start chooses. ThreadSanitizer cannot run what chooses, so early in the start. */
#if defined __x86_64__ && defined __linux__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_THREAD__
#define COUNTS_BITS __attribute__((target_clones("popcnt", "default")))
/* The same of a function with loops over lanes, for vector instructions. */
#define VECTORISES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define COUNTS_BITS
#define VECTORISES
#endif

/* Returns how many processors this process may run on, at least 1. */
unsigned processor_count(void);
#endif
