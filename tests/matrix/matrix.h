/* Matrix instructions over tables of inputs. One line of text (a form) becomes one PTX kernel, the same for the GPU
 * (gpu.cu) and for the emulator (tests/unit/matrix/match.c).
 *
 * A form is "BLOCKS KINDS RESULT TEXT". Each block is one warp. A thread has 32 words of input: words 0 to 15 are %a0
 * to %a15 (as pairs %A0 to %A7), 16 to 23 are %b0 to %b7 (%B0 to %B3), 24 to 31 are %c0 to %c7 (%C0 to %C3). KINDS has
 * one letter for each of the three, see input_word. The block's 4,096 bytes of input are also at [%in], in shared
 * memory at [%tile] and, generic, at [%any]; [%row] is a 16-byte place of each thread in shared memory, in no order.
 * RESULT: r the registers %o0 to %o7, d the pairs %O0 to %O3, m shared memory, g only what the text itself stored to
 * [%out], the block's 4,096 bytes of output. */
#ifndef LANESCOPE_TESTS_MATRIX_H
#define LANESCOPE_TESTS_MATRIX_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, WORDS = 32, BLOCK_WORDS = LANES * WORDS, FORM_PTX_SIZE = 16384 };

static inline uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Returns a float of any format, by its exponent_bits and fraction_bits. Blocks take turns: values near 1, values that
 * cancel, wide exponents, denormals, zeros among others, small integers, random bits, and special values. */
static inline uint64_t input_float(uint64_t random, unsigned mode, unsigned exponent_bits, unsigned fraction_bits)
{
    uint64_t most = (UINT64_C(1) << exponent_bits) - 1, bias = most >> 1;
    uint64_t fraction = random & ((UINT64_C(1) << fraction_bits) - 1), sign = random >> 63, exponent;
    unsigned turn = (unsigned)(random >> 54 & 0xff);
    switch (mode) {
    case 0:
        exponent = bias - 4 + (turn & 7);
        break;
    case 1:
        exponent = bias + (turn & 1);
        fraction &= ~UINT64_C(0) << (fraction_bits > 3 ? fraction_bits - 3 : 0) | (turn & 6 ? 0 : 3);
        break;
    case 2:
        exponent = bias / 2 + turn * bias / 256;
        break;
    case 3:
        exponent = turn & 3 ? 0 : 1 + (turn >> 2) % (bias + bias / 2);
        break;
    case 4:
        exponent = turn & 3 ? 0 : bias - 8 + (turn >> 2 & 15);
        fraction = exponent ? fraction : 0;
        break;
    case 5:
        exponent = bias + (turn & 3);
        fraction &= ~UINT64_C(0) << (fraction_bits > (turn & 3) ? fraction_bits - (turn & 3) : 0);
        break;
    case 6:
        exponent = random >> 40 & most;
        break;
    default:
        exponent = turn % 5 == 0 ? most : turn % 5 == 1 ? most - 1 : turn % 5 == 2 ? 0 : bias - 2 + (turn >> 6);
        fraction = turn % 5 < 2 && turn & 64 ? 0 : fraction;
    }
    return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

/* Returns a float so small that products of two fall among the denormals of single precision, or of halves. */
static inline uint64_t input_tiny(uint64_t random, unsigned exponent_bits, unsigned fraction_bits)
{
    uint64_t exponent = exponent_bits == 5 ? random >> 40 & 7 : 49 + (random >> 40 & 15);
    return (random >> 63) << (exponent_bits + fraction_bits) | exponent << fraction_bits |
           (random & ((UINT64_C(1) << fraction_bits) - 1));
}

/* Returns one input word. Kinds: h halves, b bfloats, s single, e and f the two formats of 8 bits, D double, i bits;
 * tiny: y halves, u bfloats, v single; z zeros of both signs, single or halves; x denormals of single precision. */
static inline uint32_t input_word(char kind, unsigned block, unsigned lane, unsigned word)
{
    uint64_t place = ((uint64_t)block * LANES + lane) * WORDS + (kind == 'D' ? word / 2 : word);
    uint64_t random = mixed(place * UINT64_C(0x9e3779b97f4a7c15) + (unsigned char)kind), again = mixed(random + place);
    unsigned mode = block % 8;
    bool const zero = word >= 24 && block / 8 % 4 == 3 && (again >> 20 & 3); /* c, so that only products make a sum */
    if (zero && kind != 'i')
        return again >> 40 & 1 ? 0x80000000 : 0;
    switch (kind) {
    case 'h':
        return (uint32_t)(input_float(random, mode, 5, 10) | input_float(again, mode, 5, 10) << 16);
    case 'b':
        return (uint32_t)(input_float(random, mode, 8, 7) | input_float(again, mode, 8, 7) << 16);
    case 's':
        return (uint32_t)input_float(random, mode, 8, 23);
    case 'e':
    case 'f': {
        uint32_t bytes = 0;
        for (unsigned i = 0; i < 4; i++, again = mixed(again))
            bytes |= (uint32_t)input_float(again, mode, kind == 'e' ? 4 : 5, kind == 'e' ? 3 : 2) << 8 * i;
        return bytes;
    }
    case 'y':
        return (uint32_t)(input_tiny(random, 5, 10) | input_tiny(again, 5, 10) << 16);
    case 'u':
        return (uint32_t)(input_tiny(random, 8, 7) | input_tiny(again, 8, 7) << 16);
    case 'v':
        return (uint32_t)input_tiny(random, 8, 23);
    case 'z':
        return (uint32_t)(random & 0x80008000);
    case 'x':
        return (uint32_t)(random & 0x80000000) | (uint32_t)(again & 0x7fffff) >> (random & 31);
    case 'D':
        return (uint32_t)(input_float(random, mode, 11, 52) >> (word % 2 ? 32 : 0));
    default:
        return (uint32_t)(mode == 7 ? (random & 1 ? 0x7f7f7f7f : 0x80808080) ^ (again & 0x01000100) : random);
    }
}

static inline void input_fill(const char *kinds, unsigned blocks, uint32_t *inputs)
{
    for (unsigned block = 0; block < blocks; block++)
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned word = 0; word < WORDS; word++)
                *inputs++ = input_word(kinds[word < 16 ? 0 : word < 24 ? 1 : 2], block, lane, word);
}

struct form {
    unsigned blocks;
    char kinds[4], result;
    const char *text;
};

static inline int form_read(const char *line, struct form *form)
{
    int at = 0;
    int found = sscanf(line, "%u %3s %c %n", &form->blocks, form->kinds, &form->result, &at);
    form->text = line + at;
    return found == 3 && at && form->blocks > 0;
}

struct form_text {
    char *text;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static inline void form_add(struct form_text *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->length, to->size - to->length, format, arguments);
    va_end(arguments);
    to->length += length < 0 ? 0 : (size_t)length;
    if (to->length >= to->size)
        abort(); /* FORM_PTX_SIZE is too small */
}

static inline void form_inputs(struct form_text *to)
{
    for (unsigned i = 0; i < WORDS; i++) {
        char bank = i < 16 ? 'a' : i < 24 ? 'b' : 'c', pairs = (char)(bank - 32);
        unsigned number = i % 16 - (i >= 24 ? 8 : 0);
        form_add(to, "ld.global.b32 %%%c%u, [%%d1+%u];\nst.shared.b32 [%%r2+%u], %%%c%u;\n", bank, number, 4 * i, 4 * i,
                 bank, number);
        if (number % 2)
            form_add(to, "mov.b64 %%%c%u, {%%%c%u, %%%c%u};\n", pairs, number / 2, bank, number - 1, bank, number);
    }
    for (unsigned i = 0; i < 8; i++)
        form_add(to, "mov.b32 %%o%u, 0;\n", i);
    for (unsigned i = 0; i < 4; i++)
        form_add(to, "mov.b64 %%O%u, 0;\n", i);
}

#define FORM_HEAD ".version 8.5\n.target sm_90\n.address_size 64\n"

/* Writes the form's kernel, at most FORM_PTX_SIZE bytes, without the module's head. */
static inline void form_kernel(char *text, size_t size, const char *name, const struct form *form)
{
    struct form_text to = {text, size, 0};
    form_add(&to,
             ".visible .entry %s(.param .u64 out, .param .u64 in)\n{\n"
             ".reg .pred %%p<4>;\n.reg .b32 %%r<8>, %%a<16>, %%b<8>, %%c<8>, %%o<8>, %%tile, %%row;\n"
             ".reg .b64 %%d<8>, %%A<8>, %%B<4>, %%C<4>, %%O<4>, %%in, %%out, %%any;\n"
             ".shared .align 128 .b8 tile[4096];\n"
             "ld.param.u64 %%out, [out];\nld.param.u64 %%in, [in];\n"
             "mov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;\n"
             "mul.wide.u32 %%d0, %%r1, 4096;\nadd.s64 %%out, %%out, %%d0;\nadd.s64 %%in, %%in, %%d0;\n"
             "mul.wide.u32 %%d0, %%r0, 128;\nadd.s64 %%d1, %%in, %%d0;\nadd.s64 %%d2, %%out, %%d0;\n"
             "mov.u32 %%tile, tile;\ncvt.u64.u32 %%any, %%tile;\ncvta.shared.u64 %%any, %%any;\n"
             "mad.lo.u32 %%row, %%r0, 11, %%r1;\nand.b32 %%row, %%row, 31;\n"
             "mad.lo.u32 %%row, %%row, 48, %%tile;\nmad.lo.u32 %%r2, %%r0, 128, %%tile;\n",
             name);
    form_inputs(&to);
    form_add(&to, "bar.sync 0;\n%s\nbar.sync 0;\n", form->text);
    for (unsigned i = 0; i < 8 && form->result == 'r'; i++)
        form_add(&to, "st.global.b32 [%%d2+%u], %%o%u;\n", 4 * i, i);
    for (unsigned i = 0; i < 4 && form->result == 'd'; i++)
        form_add(&to, "st.global.b64 [%%d2+%u], %%O%u;\n", 8 * i, i);
    for (unsigned i = 0; i < WORDS && form->result == 'm'; i++)
        form_add(&to, "ld.shared.b32 %%r3, [%%r2+%u];\nst.global.b32 [%%d2+%u], %%r3;\n", 4 * i, 4 * i);
    form_add(&to, "ret;\n}\n");
}

/* Writes a kernel with the form's text and no other load or store: loaded values go to reductions. For counters. */
static inline void form_access(char *text, size_t size, const char *name, const struct form *form)
{
    struct form_text to = {text, size, 0};
    form_add(&to,
             ".visible .entry %s(.param .u64 out, .param .u64 in)\n{\n"
             ".reg .b32 %%r<4>, %%a<16>, %%c<8>, %%o<8>, %%tile, %%row;\n"
             ".reg .b64 %%d<4>, %%C<4>, %%O<4>, %%in, %%out, %%any;\n"
             ".shared .align 128 .b8 tile[4096];\n"
             "ld.param.u64 %%out, [out];\nld.param.u64 %%in, [in];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;\n"
             "mul.wide.u32 %%d0, %%r1, 4096;\nadd.s64 %%out, %%out, %%d0;\nadd.s64 %%in, %%in, %%d0;\n"
             "mul.wide.u32 %%d0, %%r0, 8;\nadd.s64 %%d1, %%out, %%d0;\n"
             "mov.u32 %%tile, tile;\ncvt.u64.u32 %%any, %%tile;\ncvta.shared.u64 %%any, %%any;\n"
             "mad.lo.u32 %%row, %%r0, 11, %%r1;\nand.b32 %%row, %%row, 31;\nmad.lo.u32 %%row, %%row, 48, %%tile;\n",
             name);
    for (unsigned i = 0; i < 8; i++)
        form_add(&to, "mov.b32 %%o%u, 0;\nmov.b32 %%c%u, %u;\nmov.b32 %%a%u, %u;\n", i, i, i + 5, i, i + 3);
    for (unsigned i = 0; i < 4; i++)
        form_add(&to, "mov.b64 %%O%u, 0;\nmov.b64 %%C%u, %u;\n", i, i, i + 9);
    form_add(&to, "%s\n", form->text);
    for (unsigned i = 0; i < 8 && form->result == 'r'; i++)
        form_add(&to, "red.global.add.u32 [%%d1+%u], %%o%u;\n", 256 * i, i);
    for (unsigned i = 0; i < 4 && form->result == 'd'; i++)
        form_add(&to, "red.global.add.u64 [%%d1+%u], %%O%u;\n", 256 * i, i);
    form_add(&to, "ret;\n}\n");
}

static inline uint64_t result_hash(const uint32_t *values, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ values[i] ^ hash >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}
#endif
