/* The request streams for comparing row-buffer hits, misses and conflicts: byte addresses, in order, all reads. This is
 * C that a C++ program can include. */
#ifndef LANESCOPE_TESTS_DRAM_STREAMS_H
#define LANESCOPE_TESTS_DRAM_STREAMS_H
#include <stdint.h>

enum { STREAM_REQUESTS = 16384, STREAM_COUNT = 6 };
static const char *const stream_names[STREAM_COUNT] = {"sequential",    "stride 4 KiB", "stride 64 KiB",
                                                       "stride 8448 B", "column order", "random"};

static inline uint64_t stream_address(int stream, uint64_t i)
{
    static const uint64_t strides[] = {32, 4096, 65536, 8448};
    if (stream < 4)
        return i * strides[stream];
    if (stream == 4) /* down the columns of a row-major matrix of 4,096 x 1,024 floats */
        return i % 4096 * 4096 + i / 4096 * 4;
    /* splitmix64 of the request's number: any sector of 1 GiB */
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((z ^ z >> 31) % (UINT64_C(1) << 25)) * 32;
}
#endif
