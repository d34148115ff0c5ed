/* Single instructions over tables of inputs. One line of text (a form) becomes one PTX kernel, the same for the GPU
 * (gpu.cu) and for the emulator (tests/unit/instructions/match.c).
 *
 * A form is "INPUTS RESULT TEXT". INPUTS has one letter for each of the four operands (see input_bits): operand k is in
 * %hK, %rK and %dK, K from 1 to 4; %p1 and %p2 are the lowest bits of the fourth. RESULT names the registers that the
 * text leaves its results in (see epilogue); registers that it does not write are zero. [%d13] and shared [%r13] are 16
 * bytes of each thread that begin with operands 1 and 2; [%d14] and shared [%r14] are those of the block's first
 * thread. */
#ifndef LANESCOPE_TESTS_INSTRUCTIONS_H
#define LANESCOPE_TESTS_INSTRUCTIONS_H
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    INPUT_SPECIALS = 32,
    INPUT_RANDOMS = 512,
    INPUT_OPERANDS = 4,
    INPUT_RESULTS = 2,
    INPUT_BLOCK = 64,
    INPUT_THREADS = INPUT_SPECIALS * INPUT_SPECIALS + INPUT_RANDOMS,
    FORM_PTX_SIZE = 8192
};

/* zeros, ones, extremes, denormals, infinities, quiet and signalling NaNs with payloads, halfway cases */
static const uint32_t input_single[INPUT_SPECIALS] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
    0x7f812345, 0xffbfffff, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x7f7fffff,
    0xff7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0xc0200000, 0x4f000000, 0xcf000001, 0x5f000000,
    0x33800000, 0x477ff000, 0x387fe000, 0x33000000, 0x437f8000, 0x3f808000, 0x00ffffff, 0x4b7fffff};
static const uint64_t input_double[INPUT_SPECIALS] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff8000000000000, 0xfff8123456789abc, 0x7ff0000000000001, 0xfff7ffffffffffff,
    0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
    0xffefffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0xc004000000000000,
    0x41dfffffffc00000, 0xc1e0000000200000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000,
    0x36a0000000000000, 0x380fffffe0000000, 0x47efffffe0000000, 0x47effffff0000000, 0x3690000000000000,
    0x3e70000000000000, 0x406fe00000000000};
static const uint64_t input_integer[INPUT_SPECIALS] = {0,
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
                                                       256,
                                                       0x7fff,
                                                       0x8000,
                                                       0xffffffffffff8000,
                                                       0xffff,
                                                       0x00ffffff,
                                                       0x01000001,
                                                       0x7fffffff,
                                                       0x80000000,
                                                       0xffffffff80000000,
                                                       0xffffffff,
                                                       0x7fffffffffffffff,
                                                       0x8000000000000000,
                                                       0x0020000000000001,
                                                       0xfffffffffffffffe,
                                                       0xffffffffffffffff};
static const uint16_t input_half[INPUT_SPECIALS] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe01,
                                                    0x7c01, 0xfdff, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x7bff,
                                                    0xfbff, 0x3800, 0xb800, 0x3e00, 0xc100, 0x1400, 0x77ff, 0x5bff,
                                                    0x5bf8, 0x0800, 0x3bff, 0x4248, 0x3555, 0xf800, 0x7800, 0x2e66};
static const uint16_t input_bfloat[INPUT_SPECIALS] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0xffc1,
                                                      0x7f81, 0xffbf, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x7f7f,
                                                      0xff7f, 0x3f00, 0xbf00, 0x3fc0, 0xc020, 0x4f00, 0xcf01, 0x5f00,
                                                      0x3b80, 0x4049, 0x437f, 0x00ff, 0x3eab, 0x3c00, 0x4b00, 0xc2c8};
static const uint32_t input_count[INPUT_SPECIALS] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,   12,  15,  16,  17,  24,         30,         31,
    32, 33, 34, 48, 62, 63, 64, 65, 127, 128, 255, 256, 257, 0x7fffffff, 0x80000000, 0xffffffff};

/* Returns a special input. Kinds: i integers, c counts, s single, D double, h two halves, b two bfloats; with few
 * specials: w single of any size, t from -4 to 4, e from -160 to 160, z double of any size. */
static inline uint64_t input_special(char kind, unsigned index)
{
    switch (kind) {
    case 's':
    case 'w':
    case 't':
    case 'e':
        return input_single[index];
    case 'D':
    case 'z':
        return input_double[index];
    case 'h':
        return input_half[index] | (uint64_t)input_half[(index * 7 + 5) % INPUT_SPECIALS] << 16;
    case 'b':
        return input_bfloat[index] | (uint64_t)input_bfloat[(index * 7 + 5) % INPUT_SPECIALS] << 16;
    case 'c':
        return input_count[index];
    default:
        return input_integer[index];
    }
}

/* Returns a fixed-point number of 24 bits as single precision, exactly, without host arithmetic that might round. */
static inline uint64_t single_of_fixed(uint64_t bits, float unit)
{
    float value = (float)((int32_t)(bits & 0xffffff) - 0x800000) * unit;
    uint32_t result;
    memcpy(&result, &value, 4);
    return result;
}

/* Returns a random input. Low bits are cleared at random, so that halfway cases occur; exponents are close to each
 * other, so that sums round. */
static inline uint64_t input_random(char kind, uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t bits = *state ^ *state >> 31, cleared = UINT64_MAX << (*state >> 58);
    switch (kind) {
    case 's':
        return (bits & (cleared >> 24 << 1 | 0x80000000) & 0x807fffff) | (uint64_t)(112 + (bits >> 40 & 31)) << 23;
    case 'D':
        return (bits & (cleared | UINT64_C(1) << 63) & UINT64_C(0x800fffffffffffff)) |
               (UINT64_C(1007) + (bits >> 3 & 31)) << 52;
    case 'h':
        return (bits & 0x83ff83ff) | (uint64_t)((0xb + (bits >> 40 & 7)) << 10) |
               (uint64_t)((0xc + (bits >> 44 & 7)) << 26);
    case 'b':
        return (bits & 0x807f807f) | (uint64_t)((122 + (bits >> 40 & 7)) << 7) |
               (uint64_t)((123 + (bits >> 44 & 7)) << 23);
    case 'w':
        return bits & 0xffffffff;
    case 't':
        return single_of_fixed(bits, 0x1p-21f);
    case 'e':
        return single_of_fixed(bits, 0x1p-16f * 1.25f);
    case 'c':
        return bits >> 20 & 63;
    case 'z':
        return bits;
    default:
        return (bits >> (*state >> 58)) & (bits >> 40 & 1 ? cleared : UINT64_MAX);
    }
}

static inline void input_fill(const char *kinds, uint64_t *inputs)
{
    uint64_t state = 20251121;
    for (unsigned i = 0; i < INPUT_THREADS; i++)
        for (unsigned k = 0; k < INPUT_OPERANDS; k++) {
            unsigned n = i - INPUT_RANDOMS, second = n / INPUT_SPECIALS;
            unsigned at = k == 0 ? n : k == 1 ? second : n * (k == 2 ? 5 : 3) + second * (k == 2 ? 11 : 7);
            int ranged = strchr("wtez", kinds[k]) != NULL;
            uint64_t random = input_random(kinds[k], &state);
            int special = ranged ? i >= INPUT_THREADS - INPUT_SPECIALS : i >= INPUT_RANDOMS;
            inputs[INPUT_OPERANDS * i + k] = special ? input_special(kinds[k], at % INPUT_SPECIALS) : random;
        }
}

/* Returns PTX that stores the results, two words of 64 bits from %d0 and %d5: h %h0 and %h5; r {%r0, %r5} and %r6; d
 * %d0 and %d5; p %p0 and %p5. With memory contents as the second word: H, S, L an old value of 16, 32 or 64 bits and
 * shared memory; g, G, M the same of global memory. */
static inline const char *epilogue(char result)
{
    switch (result) {
    case 'h':
    case 'x':
    case 'y':
        return "cvt.u64.u16 %d0, %h0;\ncvt.u64.u16 %d5, %h5;";
    case 'd':
    case 'A':
        return "";
    case 'p':
        return "selp.b64 %d0, 1, 0, %p0;\nselp.b64 %d5, 1, 0, %p5;";
    case 'H':
        return "cvt.u64.u16 %d0, %h0;\nbar.sync 0;\nld.shared.u64 %d5, [%r13];";
    case 'S':
        return "mov.b64 %d0, {%r0, %r5};\nbar.sync 0;\nld.shared.u64 %d5, [%r13];";
    case 'L':
        return "bar.sync 0;\nld.shared.u64 %d5, [%r13];";
    case 'g':
        return "cvt.u64.u16 %d0, %h0;\nbar.sync 0;\nld.global.u64 %d5, [%d13];";
    case 'G':
        return "mov.b64 %d0, {%r0, %r5};\nbar.sync 0;\nld.global.u64 %d5, [%d13];";
    case 'M':
        return "bar.sync 0;\nld.global.u64 %d5, [%d13];";
    default:
        return "mov.b64 %d0, {%r0, %r5};\ncvt.u64.u32 %d5, %r6;";
    }
}

/* Writes the form's kernel, at most FORM_PTX_SIZE bytes, without the module's head. Threads whose number has bits of
 * `absent` leave before the form; a negative `absent` keeps all threads. */
static inline int form_kernel(char *text, size_t size, const char *name, const char *form, int absent)
{
    char leave[128] = "";
    if (absent >= 0)
        snprintf(leave, sizeof leave, "and.b32 %%r15, %%r10, %d;\nsetp.ne.s32 %%p7, %%r15, 0;\n@%%p7 ret;\n", absent);
    return snprintf(text, size,
                    ".visible .entry %s(.param .u64 out, .param .u64 in, .param .u64 scratch)\n{\n"
                    ".reg .pred %%p<8>;\n.reg .b16 %%h<8>;\n.reg .b32 %%r<20>;\n.reg .b64 %%d<20>;\n"
                    ".shared .align 16 .b8 tile[1024];\n"
                    "ld.param.u64 %%d10, [out];\nld.param.u64 %%d11, [in];\nld.param.u64 %%d13, [scratch];\n"
                    "mov.u32 %%r10, %%tid.x;\nmov.u32 %%r11, %%ctaid.x;\nshl.b32 %%r12, %%r11, 6;\n"
                    "mul.wide.u32 %%d14, %%r12, 16;\nadd.s64 %%d14, %%d13, %%d14;\n"
                    "add.s32 %%r12, %%r12, %%r10;\n"
                    "mul.wide.u32 %%d12, %%r12, 16;\nadd.s64 %%d10, %%d10, %%d12;\nadd.s64 %%d13, %%d13, %%d12;\n"
                    "mul.wide.u32 %%d12, %%r12, 32;\nadd.s64 %%d11, %%d11, %%d12;\n"
                    "mov.u32 %%r14, tile;\nshl.b32 %%r13, %%r10, 4;\nadd.s32 %%r13, %%r13, %%r14;\n"
                    "ld.global.u64 %%d1, [%%d11];\nld.global.u64 %%d2, [%%d11+8];\nld.global.u64 %%d3, [%%d11+16];\n"
                    "ld.global.u64 %%d4, [%%d11+24];\n"
                    "st.global.u64 [%%d13], %%d1;\nst.global.u64 [%%d13+8], %%d2;\n"
                    "st.shared.u64 [%%r13], %%d1;\nst.shared.u64 [%%r13+8], %%d2;\nbar.sync 0;\n"
                    "cvt.u32.u64 %%r1, %%d1;\ncvt.u32.u64 %%r2, %%d2;\ncvt.u32.u64 %%r3, %%d3;\n"
                    "cvt.u32.u64 %%r4, %%d4;\ncvt.u16.u64 %%h1, %%d1;\ncvt.u16.u64 %%h2, %%d2;\n"
                    "cvt.u16.u64 %%h3, %%d3;\ncvt.u16.u64 %%h4, %%d4;\n"
                    "and.b32 %%r15, %%r4, 1;\nsetp.ne.s32 %%p1, %%r15, 0;\n"
                    "and.b32 %%r15, %%r4, 2;\nsetp.ne.s32 %%p2, %%r15, 0;\n"
                    "mov.b64 %%d0, 0;\nmov.b64 %%d5, 0;\nmov.b32 %%r0, 0;\nmov.b32 %%r5, 0;\nmov.b32 %%r6, 0;\n"
                    "mov.b16 %%h0, 0;\nmov.b16 %%h5, 0;\n%s"
                    "setp.ne.s32 %%p0, %%r0, 0;\nsetp.ne.s32 %%p5, %%r0, 0;\n"
                    "%s\n%s\nst.global.u64 [%%d10], %%d0;\nst.global.u64 [%%d10+8], %%d5;\nret;\n}\n",
                    name, leave, form + INPUT_OPERANDS + 3, epilogue(form[INPUT_OPERANDS + 1]));
}

/* fold(x, n): x, folded n times, by recursion */
#define FORM_HEAD                                                                                                      \
    ".version 8.6\n.target sm_90\n.address_size 64\n"                                                                  \
    ".func (.param .b32 result) fold(.param .b32 x, .param .b32 n)\n{\n"                                               \
    ".reg .pred %p;\n.reg .b32 %r<4>;\nld.param.b32 %r0, [x];\nld.param.b32 %r1, [n];\nsetp.eq.s32 %p, %r1, 0;\n"      \
    "@%p bra done;\nmad.lo.s32 %r0, %r0, 3, %r1;\nsub.s32 %r1, %r1, 1;\n{\n.param .b32 a;\n.param .b32 b;\n"           \
    ".param .b32 c;\nst.param.b32 [a], %r0;\nst.param.b32 [b], %r1;\ncall (c), fold, (a, b);\n"                        \
    "ld.param.b32 %r0, [c];\n}\ndone:\nst.param.b32 [result], %r0;\nret;\n}\n"

/* a single, A double, x and X one and two halves, y and Y bfloats */
static inline int is_approximate(const char *form)
{
    return strchr("aAxXyY", form[INPUT_OPERANDS + 1]) != NULL;
}

static inline unsigned approximate_width(char result)
{
    return result == 'A' ? 64 : result == 'a' ? 32 : 16;
}

/* Sine and cosine have an absolute error and no bound far from zero; there, any number is accepted. */
static inline int is_periodic(const char *form)
{
    return strncmp(form + INPUT_OPERANDS + 3, "sin", 3) == 0 || strncmp(form + INPUT_OPERANDS + 3, "cos", 3) == 0;
}

/* Returns the class of an approximate result, with its sign: a NaN's bits, an infinity, negligible, or a number. */
static inline uint64_t result_class(char result, uint64_t bits)
{
    unsigned width = approximate_width(result), exponent_bits = width == 64 ? 11 : (result | 32) == 'x' ? 5 : 8;
    uint64_t low = (UINT64_C(1) << (width - 1)) - 1, fraction_bits = width - 1 - exponent_bits;
    uint64_t exponent = (bits & low) >> fraction_bits, most = (UINT64_C(1) << exponent_bits) - 1;
    uint64_t sign = bits >> (width - 1) & 1;
    bits &= low | UINT64_C(1) << (width - 1);
    if (exponent == most)
        return bits & ((UINT64_C(1) << fraction_bits) - 1) ? bits : 4 | sign;
    return exponent == 0 ? 2 | sign : sign;
}

/* Returns a hash of the results' bits; for an approximate form, of their classes. */
static inline uint64_t result_hash(const char *form, const uint64_t *values)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    char result = form[INPUT_OPERANDS + 1];
    for (unsigned i = 0; i < INPUT_RESULTS * INPUT_THREADS; i++) {
        uint64_t value = values[i];
        if (is_approximate(form)) {
            value = result_class(result, values[i]);
            if (result == 'X' || result == 'Y')
                value ^= result_class(result, values[i] >> 16) << 32;
            if (is_periodic(form) && value < 4)
                value = 0;
        }
        hash = (hash ^ value ^ hash >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return hash ^ hash >> 32;
}
#endif
