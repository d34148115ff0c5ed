/* The whole grammar of --arg, and the memory contents of each fill. */
#include "base/memory.h"
#include "run/fill.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void scalars(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ptx_type type;
        uint64_t bits;
    } good[] = {{"i32=5", PTX_S32, 5},
                {"i32=-1", PTX_S32, 0xffffffff},
                {"i32=-2147483648", PTX_S32, 0x80000000},
                {"i32=0xffffffff", PTX_S32, 0xffffffff},
                {"u32=4294967295", PTX_U32, 0xffffffff},
                {"i64=-9223372036854775808", PTX_S64, UINT64_C(0x8000000000000000)},
                {"u64=18446744073709551615", PTX_U64, UINT64_MAX},
                {"i8=-1", PTX_S8, 0xff},
                {"u8=200", PTX_U8, 200},
                {"i16=-300", PTX_S16, 0xfed4},
                {"u16=65535", PTX_U16, 0xffff},
                {"bool=true", PTX_U8, 1},
                {"bool=0", PTX_U8, 0},
                {"f32=1.5", PTX_F32, 0x3fc00000},
                {"f32=-0", PTX_F32, 0x80000000},
                {"f16=1.5", PTX_F16, 0x3e00},
                {"f16=1.00048828125", PTX_F16, 0x3c00}, /* a tie, and just above it: no double lies between */
                {"f16=1.000488281250000000000000001", PTX_F16, 0x3c01},
                {"f16=-1.000488281250000000000000001", PTX_F16, 0xbc01},
                {"bf16=1.00390625", PTX_BF16, 0x3f80},
                {"bf16=1.003906250000000000000000001", PTX_BF16, 0x3f81},
                {"f16=65519.99", PTX_F16, 0x7bff},
                {"f16=65520", PTX_F16, 0x7c00},
                {"e4m3=1e9", PTX_E4M3, 0x7e},
                {"e4m3=-0.0625", PTX_E4M3, 0x98},
                {"e5m2=inf", PTX_E5M2, 0x7b},
                {"e5m2=1e-30", PTX_E5M2, 0},
                {"f64=1.5", PTX_F64, UINT64_C(0x3ff8000000000000)},
                {"f64=inf", PTX_F64, UINT64_C(0x7ff0000000000000)}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct argument_text argument;
        struct error error = {0};
        if (!argument_parse(&arena, good[i].text, &argument, &error))
            fail_msg("%s: %s", good[i].text, error.message);
        assert_false(argument.is_buffer);
        assert_int_equal(argument.type, good[i].type);
        assert_true(argument.bits == good[i].bits);
    }
    arena_free(&arena);
}

static void buffers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ptx_type type;
        uint64_t count;
        enum fill_kind kind;
        uint64_t number;
    } good[] = {{"u8[1]=zero", PTX_U8, 1, FILL_ZERO, 0},
                {"u16[7]=iota", PTX_U16, 7, FILL_IOTA, 0},
                {"f16[7]=iota:0.5", PTX_F16, 7, FILL_IOTA, 0},
                {"i32[32]=const:-4", PTX_S32, 32, FILL_CONST, 0},
                {"f32[32]=digits:7", PTX_F32, 32, FILL_DIGITS, 7},
                {"u32[32]=mod:5", PTX_U32, 32, FILL_MOD, 5},
                {"i64[32]=chase:3", PTX_S64, 32, FILL_CHASE, 3},
                {"u64[32]=random:99", PTX_U64, 32, FILL_RANDOM, 99},
                {"f32[16777216]=iota", PTX_F32, 16777216, FILL_IOTA, 0},
                {"f64[2]=file:/a:b", PTX_F64, 2, FILL_FILE, 0},
                {"u32[9]=none", PTX_U32, 9, FILL_NONE, 0},
                {"i8[4]=iota", PTX_S8, 4, FILL_IOTA, 0},
                {"i16[4]=zero", PTX_S16, 4, FILL_ZERO, 0},
                {"f16[6]=iota", PTX_F16, 6, FILL_IOTA, 0},
                {"bf16[6]=mod:3", PTX_BF16, 6, FILL_MOD, 3},
                {"e4m3[6]=random:1", PTX_E4M3, 6, FILL_RANDOM, 1},
                {"e5m2[6]=zero", PTX_E5M2, 6, FILL_ZERO, 0},
                {"b1[64]=iota", PTX_B1, 8, FILL_IOTA, 0}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct argument_text argument;
        struct error error = {0};
        if (!argument_parse(&arena, good[i].text, &argument, &error))
            fail_msg("%s: %s", good[i].text, error.message);
        assert_true(argument.is_buffer);
        assert_int_equal(argument.type, good[i].type);
        assert_true(argument.count == good[i].count);
        assert_int_equal(argument.fill.kind, good[i].kind);
        assert_true(argument.fill.number == good[i].number);
    }
    arena_free(&arena);
}

/* Bytes as the host's compiler lays them out. */
struct mixed {
    int8_t small;
    double wide;
    int16_t three[3];
    struct {
        uint8_t flag;
        float real;
    } inner;
};

static void structures_lie_in_memory_as_in_c(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct argument_text argument;
    struct error error = {0};
    struct mixed mixed;
    memset(&mixed, 0, sizeof mixed);
    mixed.small = -7, mixed.wide = 2.5, mixed.three[0] = 1, mixed.three[1] = -9, mixed.inner.flag = 1;
    mixed.inner.real = 0.5F;
    static const char text[] = "struct{i8=-7,f64=2.5,i16[3]={1,-9},struct{bool=true,f32=0.5}}";
    if (!argument_parse(&arena, text, &argument, &error))
        fail_msg("%s", error.message);
    assert_true(argument.structure && !argument.is_buffer);
    assert_int_equal(argument.size, sizeof mixed);
    assert_memory_equal(argument.bytes, &mixed, sizeof mixed);

    assert_true(argument_parse(&arena, "struct{u8=1,u8=2,u8=3}", &argument, &error)); /* no padding */
    assert_int_equal(argument.size, 3);
    assert_memory_equal(argument.bytes, "\1\2\3", 3);
    assert_true(argument_parse(&arena, "struct{u8=1,u16=2}", &argument, &error)); /* a scalar's size: its bits */
    assert_int_equal(argument.size, 4);
    assert_null(argument.bytes);
    assert_int_equal(argument.bits, 0x20001);
    assert_true(argument_parse(&arena, "bytes=00FF10", &argument, &error));
    assert_memory_equal(argument.bytes, "\0\377\20", 3);
    arena_free(&arena);
}

/* The buffers of a structure are listed with the places of their addresses, those of structures in it included. */
static void structures_have_buffers(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct argument_text argument;
    struct error error = {0};
    static const char text[] =
        "struct{u8=7,f16[64]=const:2,struct{i32=3,e4m3[2x8]=iota,f32[2]={1,2}},i64[4]=none,i16=5}";
    struct { /* as the host's compiler lays it out */
        uint8_t one;
        uint64_t first;
        struct {
            int32_t number;
            uint64_t second;
            float two[2];
        } inner;
        uint64_t third;
        int16_t last;
    } like;
    if (!argument_parse(&arena, text, &argument, &error))
        fail_msg("%s", error.message);
    assert_int_equal(argument.size, sizeof like);
    assert_int_equal(argument.inner_count, 3);
    assert_int_equal(argument.inner[0].offset, (char *)&like.first - (char *)&like);
    assert_int_equal(argument.inner[1].offset, (char *)&like.inner.second - (char *)&like);
    assert_int_equal(argument.inner[2].offset, (char *)&like.third - (char *)&like);
    assert_true(argument.inner[0].type == PTX_F16 && argument.inner[0].count == 64);
    assert_true(argument.inner[1].type == PTX_E4M3 && argument.inner[1].shape.rows == 2);
    assert_true(argument.inner[2].fill.kind == FILL_NONE);
    assert_int_equal(argument.bytes[sizeof like - 8], 5);

    assert_true(argument_parse(&arena, "struct{f32[8]=iota}", &argument, &error)); /* not taken for a number */
    assert_true(argument.inner_count == 1 && argument.bytes && argument.size == 8);
    arena_free(&arena);
}

static void files_in_structures_end_at_the_member(void **state)
{
    (void)state;
    static const char text[] = "struct{f32[4]=file:a/b.bin,i32=1,u8[2]=file:c}", plain[] = "f32[4]=file:a,b";
    size_t length;
    const char *path = argument_file(text, text, &length);
    assert_true(length == 7 && strncmp(path, "a/b.bin", length) == 0);
    path = argument_file(text, path + length, &length);
    assert_true(length == 1 && *path == 'c');
    assert_null(argument_file(text, path + length, &length));
    path = argument_file(plain, plain, &length);
    assert_true(length == 3 && strcmp(path, "a,b") == 0);
}

static void buffers_with_rows_and_columns(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct argument_text argument;
    struct error error = {0};
    assert_true(argument_parse(&arena, "f32[64x60]=iota", &argument, &error));
    assert_true(argument.count == 64 * 60 && argument.shape.rows == 64 && argument.shape.columns == 60);
    assert_int_equal(argument.shape.pitch, 240);
    assert_true(argument_parse(&arena, "f32[64x60:256]=iota", &argument, &error));
    assert_true(argument.count == 64 * 64 && argument.shape.rows == 64 && argument.shape.columns == 60);
    assert_int_equal(argument.shape.pitch, 256);
    assert_true(argument_parse(&arena, "f32[64]=iota", &argument, &error));
    assert_int_equal(argument.shape.pitch, 0);
    arena_free(&arena);
}

static void text_outside_the_grammar_is_named(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "5",
                                      "i32",
                                      "i32=",
                                      "i32=five",
                                      "i32=5x",
                                      "i32= 5",
                                      "i32=+5",
                                      "i32=2147483648",
                                      "u32=-1",
                                      "u64=18446744073709551616",
                                      "u8=256",
                                      "i8=128",
                                      "u16=-1",
                                      "bool=2",
                                      "bool[4]=zero",
                                      "b1=1",
                                      "b1[4]=zero",
                                      "b1[2x8]=zero",
                                      "b1[8]=const:2",
                                      "f16[4]=const:x",
                                      "struct{b1=1}",
                                      "struct{f32[4]}",
                                      "struct{f32[4]=}",
                                      "struct{f32[4=iota}",
                                      "struct{f32[0]=iota}",
                                      "struct{f32[4]=ones,i32=1}",
                                      "struct{f32[4]={1},f33[4]=iota}",
                                      "bytes=",
                                      "bytes=123",
                                      "bytes=0g",
                                      "struct{}",
                                      "struct{i32=1",
                                      "struct{i32=1}}",
                                      "struct{i32=1,}",
                                      "struct{i32}",
                                      "struct{i32=x}",
                                      "struct{i32[2]=1}",
                                      "struct{i32[2]={1,2,3}}",
                                      "struct{i32[0]={}}",
                                      "struct{i32[9999]={1}}",
                                      "struct{f8=1}",
                                      "struct{struct{struct{struct{struct{struct{struct{struct{struct{u8=1}}}}}}}}}",
                                      "f32=",
                                      "f8=1",
                                      "int=3",
                                      "f32[]=zero",
                                      "f32[0]=zero",
                                      "f32[-1]=zero",
                                      "f32[4x]=zero",
                                      "f32[x4]=zero",
                                      "f32[0x4]=zero",
                                      "f32[4:16]=zero",
                                      "f32[4x4x4]=zero",
                                      "f32[4x4:]=zero",
                                      "f32[4x4:0]=zero",
                                      "f32[4x4:12]=zero",
                                      "f32[4x4:18]=zero",
                                      "f32[4:4x16]=zero",
                                      "f32[9223372036854775808x9223372036854775808]=zero",
                                      "f32[3=zero",
                                      "f32[3]",
                                      "f32[3]zero",
                                      "f32[3]=",
                                      "f32[3]=ones",
                                      "f32[3]=zero:1",
                                      "f32[3]=iota:",
                                      "f32[3]=iota:x",
                                      "i32[3]=iota:0.5",
                                      "f32[3]=digits",
                                      "f32[3]=const",
                                      "f32[3]=const:",
                                      "u8[3]=const:256",
                                      "f32[3]=mod:0",
                                      "f32[3]=mod:x",
                                      "f32[3]=chase:-1",
                                      "f32[3]=random",
                                      "f32[3]=same:101",
                                      "f32[3]=file:"};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct argument_text argument;
        struct error error = {0};
        if (argument_parse(&arena, bad[i], &argument, &error))
            fail_msg("\"%s\" is taken for an argument", bad[i]);
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_non_null(strstr(error.message, bad[i]));
    }
    arena_free(&arena);
}

static bool filled(const char *text, struct launch_buffer *buffer, struct error *error)
{
    struct arena arena = {0};
    struct argument_text argument;
    bool good = argument_parse(&arena, text, &argument, error);
    *buffer = (struct launch_buffer){.name = "b", .type = argument.type, .count = argument.count};
    struct launch launch = {.buffers = buffer, .buffer_count = 1};
    good = good && launch_buffers_allocate(&launch, error) && fill_buffer(&argument.fill, buffer, error);
    arena_free(&arena);
    return good;
}

static void release(struct launch_buffer *buffer)
{
    struct launch launch = {.buffers = buffer, .buffer_count = 1};
    launch_buffers_free(&launch);
}

static void fills_write_their_values(void **state)
{
    (void)state;
    struct launch_buffer buffer;
    assert_true(filled("f32[5]=iota", &buffer, NULL));
    assert_true(((float *)buffer.data)[4] == 4.0F);
    release(&buffer);
    assert_true(filled("u8[300]=iota", &buffer, NULL));
    assert_int_equal(((uint8_t *)buffer.data)[257], 1);
    release(&buffer);
    assert_true(filled("f32[5]=iota:0.5", &buffer, NULL));
    assert_true(((float *)buffer.data)[3] == 3.5F);
    release(&buffer);
    assert_true(filled("f16[5]=iota:-2.25", &buffer, NULL));
    assert_int_equal(((uint16_t *)buffer.data)[1], 0xbd00); /* -1.25 */
    release(&buffer);
    assert_true(filled("i32[5]=iota:-2", &buffer, NULL));
    assert_int_equal(((int32_t *)buffer.data)[1], -1);
    release(&buffer);
    assert_true(filled("i32[5]=const:-4", &buffer, NULL));
    assert_int_equal(((int32_t *)buffer.data)[4], -4);
    release(&buffer);
    assert_true(filled("f64[9]=mod:4", &buffer, NULL));
    assert_true(((double *)buffer.data)[7] == 3.0);
    release(&buffer);
    assert_true(filled("i64[8]=chase:11", &buffer, NULL));
    assert_int_equal(((int64_t *)buffer.data)[6], 1);
    release(&buffer);
    assert_true(filled("f16[3000]=iota", &buffer, NULL)); /* above 2048 every second number exists */
    assert_int_equal(((uint16_t *)buffer.data)[3], 0x4200);
    assert_true(((uint16_t *)buffer.data)[2049] == 0x6800 && ((uint16_t *)buffer.data)[2051] == 0x6802);
    release(&buffer);
    assert_true(filled("bf16[4]=const:-2.5", &buffer, NULL));
    assert_int_equal(((uint16_t *)buffer.data)[3], 0xc020);
    release(&buffer);
    assert_true(filled("e4m3[600]=iota", &buffer, NULL));
    assert_true(((uint8_t *)buffer.data)[8] == 0x50 && ((uint8_t *)buffer.data)[599] == 0x7e);
    release(&buffer);
    assert_true(filled("e5m2[512]=random:3", &buffer, NULL));
    for (int i = 0; i < 512; i++)
        assert_true(((uint8_t *)buffer.data)[i] < 0x3c); /* from 0 to 1 */
    release(&buffer);
    assert_true(filled("b1[24]=mod:3", &buffer, NULL)); /* 0 1 0 0 1 0 ..., the lowest bit first */
    assert_true(buffer.count == 3 && memcmp(buffer.data, "\x92\x24\x49", 3) == 0);
    release(&buffer);
    assert_true(filled("b1[16]=const:1", &buffer, NULL));
    assert_memory_equal(buffer.data, "\xff\xff", 2);
    release(&buffer);
}

/* The published first outputs of splitmix64 from the seed 1234567. */
static void random_is_splitmix64(void **state)
{
    (void)state;
    struct launch_buffer buffer;
    assert_true(filled("u64[3]=random:1234567", &buffer, NULL));
    assert_true(((uint64_t *)buffer.data)[0] == UINT64_C(6457827717110365317));
    assert_true(((uint64_t *)buffer.data)[1] == UINT64_C(3203168211198807973));
    assert_true(((uint64_t *)buffer.data)[2] == UINT64_C(9817491932198370423));
    release(&buffer);
    assert_true(filled("f32[4096]=random:3", &buffer, NULL));
    float lowest = 2, highest = -1;
    for (int i = 0; i < 4096; i++) {
        float const value = ((float *)buffer.data)[i];
        lowest = value < lowest ? value : lowest;
        highest = value > highest ? value : highest;
    }
    assert_true(lowest >= 0 && lowest < 0.01F && highest > 0.99F && highest < 1);
    release(&buffer);
}

/* Each digit comes about as often as the others: of 100,000, a tenth within five standard deviations. */
static void digits_are_all_digits_alike(void **state)
{
    (void)state;
    struct launch_buffer buffer;
    int counts[10] = {0};
    assert_true(filled("f32[100000]=digits:1", &buffer, NULL));
    for (int i = 0; i < 100000; i++) {
        float const value = ((float *)buffer.data)[i];
        assert_true(value >= 0 && value <= 9 && value == (float)(int)value);
        counts[(int)value]++;
    }
    for (int digit = 0; digit < 10; digit++)
        assert_in_range(counts[digit], 9525, 10475);
    release(&buffer);
}

/* The share of elements that are 100 is that of the percentage; the others are those of random:1. */
static void same_makes_a_share_of_the_elements_equal(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct launch_buffer random, same;
    assert_true(filled("u8[100000]=random:1", &random, NULL));
    for (int percent = 0; percent <= 100; percent += 50) {
        char text[32];
        int equal = 0, hundred = 0;
        snprintf(text, sizeof text, "u8[100000]=same:%d", percent);
        assert_true(filled(text, &same, NULL));
        for (int i = 0; i < COUNT; i++) {
            equal += ((uint8_t *)same.data)[i] == ((uint8_t *)random.data)[i];
            hundred += ((uint8_t *)same.data)[i] == 100;
        }
        double const share = percent / 100.0, other = (1 - share) * COUNT, chance = COUNT / 256.0;
        assert_true(hundred > share * COUNT - 0.01 * COUNT && hundred < share * COUNT + 0.01 * COUNT + chance);
        assert_true(equal > other - 0.01 * COUNT && equal < other + 0.01 * COUNT + chance);
        release(&same);
    }
    release(&random);
}

static void a_file_must_be_as_long_as_the_buffer(void **state)
{
    (void)state;
    char path[] = "/tmp/lanescope-argument-XXXXXX", text[64];
    int const file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "\x00\x00\x80\x3f\x00\x00\x00\x40", 8), 8);
    close(file);
    struct launch_buffer buffer;
    struct error error = {0};
    snprintf(text, sizeof text, "f32[2]=file:%s", path);
    assert_true(filled(text, &buffer, &error));
    assert_true(((float *)buffer.data)[1] == 2.0F);
    release(&buffer);
    snprintf(text, sizeof text, "f32[3]=file:%s", path);
    assert_false(filled(text, &buffer, &error));
    assert_non_null(strstr(error.message, "fewer than the 12 bytes"));
    release(&buffer);
    snprintf(text, sizeof text, "f32[1]=file:%s", path);
    assert_false(filled(text, &buffer, &error));
    assert_non_null(strstr(error.message, "more than the 4 bytes"));
    release(&buffer);
    unlink(path);
}

static void too_much_memory_is_an_error(void **state)
{
    (void)state;
    struct launch_buffer buffer = {.name = "b", .type = PTX_F64, .count = UINT64_C(1) << 50};
    struct launch launch = {.buffers = &buffer, .buffer_count = 1};
    struct error error = {0};
    assert_false(launch_buffers_allocate(&launch, &error));
    assert_null(buffer.data);
    assert_non_null(strstr(error.message, "larger than any memory"));
}

/* Each would fit alone. Nothing is taken for the first, when there is no room for the second. */
static void buffers_that_do_not_fit_together_are_refused_before_any_is_there(void **state)
{
    (void)state;
    uint64_t const has = memory_available();
    struct launch_buffer buffers[] = {{.name = "one", .type = PTX_U8, .count = has / 4 * 3},
                                      {.name = "two", .type = PTX_U8, .count = has / 4 * 3}};
    struct launch launch = {.buffers = buffers, .buffer_count = 2};
    struct error error = {0};
    char needs[64];
    assert_true(has > 0);
    assert_false(launch_buffers_allocate(&launch, &error));
    assert_int_equal(error.kind, ERROR_MISSING);
    snprintf(needs, sizeof needs, "with buffer two the launch needs %.1f GB", (double)(has / 4 * 3) * 2e-9);
    assert_non_null(strstr(error.message, needs));
    assert_non_null(strstr(error.message, " GB of memory free;"));
    assert_true(!buffers[0].data && !buffers[1].data);
}

/* The message quotes the wrong member alone, however deep it lies. */
static void a_wrong_member_is_quoted_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {{"struct{struct{f32=1,q32=2},f32=2}", "\"q32=2\" is not a member"},
                 {"struct{i32=1,struct{i32[2]={1,2,3}},f32=2}", "\"i32[2]={1,2,3}\" has more than 2 values"},
                 {"struct{struct{},f32=2}", "a member is missing before \"},f32=2}\""},
                 {"struct{x={f32=1},f32=2}", "\"x={f32=1}\" is not a member"}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct argument_text argument;
        struct error error;
        assert_false(argument_parse(&arena, cases[i].text, &argument, &error));
        if (!strstr(error.message, cases[i].says))
            fail_msg("%s gives: %s", cases[i].text, error.message);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_member_is_quoted_alone),
        cmocka_unit_test(scalars),
        cmocka_unit_test(buffers),
        cmocka_unit_test(buffers_with_rows_and_columns),
        cmocka_unit_test(structures_lie_in_memory_as_in_c),
        cmocka_unit_test(structures_have_buffers),
        cmocka_unit_test(files_in_structures_end_at_the_member),
        cmocka_unit_test(text_outside_the_grammar_is_named),
        cmocka_unit_test(fills_write_their_values),
        cmocka_unit_test(digits_are_all_digits_alike),
        cmocka_unit_test(random_is_splitmix64),
        cmocka_unit_test(same_makes_a_share_of_the_elements_equal),
        cmocka_unit_test(a_file_must_be_as_long_as_the_buffer),
        cmocka_unit_test(too_much_memory_is_an_error),
        cmocka_unit_test(buffers_that_do_not_fit_together_are_refused_before_any_is_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
