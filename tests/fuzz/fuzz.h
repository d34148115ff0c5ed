/* What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput with bytes that it makes up; a target fails by a
 * crash, a sanitizer's report, or a requirement that does not hold. */
#ifndef LANESCOPE_TESTS_FUZZ_H
#define LANESCOPE_TESTS_FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define require(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))

static inline __attribute__((noreturn)) void fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argument_count, char ***arguments);
#endif
