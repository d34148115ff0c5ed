/* Forms of instructions, one a line of forms.txt, as kernels over the same inputs: built here for the GPU
 * (silicon.cu) and for the emulator (tests/unit/emulator_silicon.c). */
#ifndef LANESCOPE_TESTS_SILICON_H
#define LANESCOPE_TESTS_SILICON_H
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    SILICON_SPECIALS = 24,
    SILICON_RANDOMS = 192,
    SILICON_COUNT = SILICON_SPECIALS * SILICON_SPECIALS + SILICON_RANDOMS
};

static const uint32_t silicon_single[SILICON_SPECIALS] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
    0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f000000, 0xbfc00000,
    0x40200000, 0x4f000000, 0xcf000001, 0x5f000000, 0x33800000, 0x7e800001, 0x7fa00001, 0x437f8000};
static const uint64_t silicon_double[SILICON_SPECIALS] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff8000000000000, 0x3fe0000000000000, 0x0000000000000001, 0x8000000000000001,
    0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x3ff8000000000000,
    0xc004000000000000, 0x41dfffffffc00000, 0x43e0000000000000, 0xc3e0000000000000, 0x36a0000000000000,
    0x380fffffe0000000, 0x47efffffe0000000, 0x3e70000000000000, 0x406fe00000000000};
static const uint64_t silicon_integer[SILICON_SPECIALS] = {0,
                                                           1,
                                                           2,
                                                           3,
                                                           5,
                                                           7,
                                                           15,
                                                           16,
                                                           31,
                                                           32,
                                                           33,
                                                           63,
                                                           64,
                                                           127,
                                                           128,
                                                           255,
                                                           0x7fff,
                                                           0xffff8000,
                                                           0x7fffffff,
                                                           0xffffffff80000000,
                                                           0xffffffff,
                                                           0x7fffffffffffffff,
                                                           0x8000000000000000,
                                                           0xffffffffffffffff};
static const uint16_t silicon_half[SILICON_SPECIALS] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe01,
                                                        0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3800, 0xbe00,
                                                        0x3f80, 0x7f80, 0xff80, 0x7f7f, 0x5bff, 0x4248, 0x1400, 0x77ff};

static inline uint64_t silicon_special(char kind, unsigned index)
{
    switch (kind) {
    case 's':
        return silicon_single[index];
    case 'D':
        return silicon_double[index];
    case 'h':
        return silicon_half[index] | (uint64_t)silicon_half[(index * 7 + 5) % SILICON_SPECIALS] << 16;
    default:
        return silicon_integer[index];
    }
}

/* Random inputs near enough to each other for sums to round. */
static inline uint64_t silicon_random(char kind, uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t bits = *state ^ *state >> 31;
    switch (kind) {
    case 's':
        return (bits & 0x80ffffff) | (uint64_t)(0x38 + (bits >> 40 & 15)) << 23 << 1;
    case 'D':
        return (bits & UINT64_C(0x800fffffffffffff)) | (UINT64_C(0x3e0) + (bits >> 32 & 0x3f)) << 52;
    case 'h':
        return (bits & 0x83ff83ff) | (uint64_t)((0xb + (bits >> 40 & 7)) << 10) |
               (uint64_t)((0xc + (bits >> 44 & 7)) << 26);
    default:
        return bits >> (*state >> 58);
    }
}

/* Three inputs for each of SILICON_COUNT threads. */
static inline void silicon_inputs(char kind, uint64_t *inputs)
{
    uint64_t state = 12345;
    for (unsigned i = 0; i < SILICON_COUNT; i++) {
        for (unsigned k = 0; k < 3; k++)
            inputs[3 * i + k] = silicon_random(kind, &state);
        if (i >= SILICON_RANDOMS) {
            unsigned n = i - SILICON_RANDOMS;
            inputs[3 * i] = silicon_special(kind, n % SILICON_SPECIALS);
            inputs[3 * i + 1] = silicon_special(kind, n / SILICON_SPECIALS);
            inputs[3 * i + 2] = silicon_special(kind, (n * 5 + n / SILICON_SPECIALS * 11) % SILICON_SPECIALS);
        }
    }
}

static inline void silicon_ptx(char *text, size_t size, char result, const char *form)
{
    const char *store = result == 'h'   ? "cvt.u64.u16 %d0, %h0;"
                        : result == 'd' ? ""
                        : result == 'p' ? "selp.b64 %d0, 1, 0, %p0;"
                                        : "cvt.u64.u32 %d0, %r0;";
    snprintf(text, size,
             ".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
             ".reg .pred %%p<4>;\n.reg .b16 %%h<5>;\n.reg .b32 %%r<16>;\n.reg .b64 %%d<16>;\n"
             "ld.param.u64 %%d10, [out];\nld.param.u64 %%d11, [in];\n"
             "mov.u32 %%r10, %%tid.x;\nmov.u32 %%r11, %%ctaid.x;\nmov.u32 %%r12, %%ntid.x;\n"
             "mad.lo.s32 %%r10, %%r11, %%r12, %%r10;\nsetp.ge.s32 %%p3, %%r10, %d;\n@%%p3 bra done;\n"
             "mul.wide.s32 %%d12, %%r10, 8;\nadd.s64 %%d10, %%d10, %%d12;\n"
             "mul.wide.s32 %%d12, %%r10, 24;\nadd.s64 %%d11, %%d11, %%d12;\n"
             "ld.global.u64 %%d1, [%%d11];\nld.global.u64 %%d2, [%%d11+8];\nld.global.u64 %%d3, [%%d11+16];\n"
             "cvt.u32.u64 %%r1, %%d1;\ncvt.u32.u64 %%r2, %%d2;\ncvt.u32.u64 %%r3, %%d3;\n"
             "cvt.u16.u64 %%h1, %%d1;\ncvt.u16.u64 %%h2, %%d2;\ncvt.u16.u64 %%h3, %%d3;\n"
             "and.b64 %%d12, %%d3, 1;\nsetp.ne.s64 %%p1, %%d12, 0;\nmov.b64 %%d0, 0;\nmov.b32 %%r0, 0;\n"
             "mov.b16 %%h0, 0;\n%s\n%s\nst.global.u64 [%%d10], %%d0;\ndone:\nret;\n}\n",
             SILICON_COUNT, form, store);
}

static inline uint64_t silicon_hash(const uint64_t *values)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < SILICON_COUNT; i++)
        for (unsigned k = 0; k < 8; k++)
            hash = (hash ^ (values[i] >> 8 * k & 255)) * UINT64_C(0x100000001b3);
    return hash;
}
#endif
