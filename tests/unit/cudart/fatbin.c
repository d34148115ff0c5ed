/* Fat binaries as nvcc writes them: which PTX is taken, and damage that must not be read beyond. */
#include "cudart/layer/fatbin.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

enum { HEAD = 16, ENTRY = 64, KIND_PTX = 1, KIND_CODE = 2, LZ4 = 0x2000, ZSTD = 0x8000 };

/* A fat binary in memory of exactly its size, so that the sanitizers see a read behind it. */
struct binary {
    uint8_t *bytes;
    size_t size;
};

static void put(struct binary *b, size_t at, uint64_t value, size_t size)
{
    memcpy(b->bytes + at, &value, size);
}

static struct binary binary_new(void)
{
    struct binary b = {calloc(1, HEAD), HEAD};
    put(&b, 0, 0xba55ed50, 4);
    put(&b, 4, 1, 2);
    put(&b, 6, HEAD, 2);
    return b;
}

static size_t add(struct binary *b, unsigned kind, unsigned target, uint64_t flags, const void *content, size_t size,
                  size_t plain_size)
{
    size_t const at = b->size;
    b->size += ENTRY + size;
    b->bytes = realloc(b->bytes, b->size);
    memset(b->bytes + at, 0, ENTRY);
    put(b, at, kind, 2);
    put(b, at + 4, ENTRY, 4);
    put(b, at + 8, size, 8);
    put(b, at + 16, size, 4);
    put(b, at + 28, target, 4);
    put(b, at + 40, flags, 8);
    put(b, at + 56, plain_size, 8);
    memcpy(b->bytes + at + ENTRY, content, size);
    put(b, 8, b->size - HEAD, 8);
    return at;
}

static size_t add_text(struct binary *b, unsigned target, const char *text)
{
    return add(b, KIND_PTX, target, 0, text, strlen(text) + 1, 0);
}

/* Checks the PTX that is found; NULL: none, with words of the error's. */
static void check(struct binary *b, const char *text, const char *problem)
{
    struct arena arena = {0};
    struct error error = {0};
    const char *ptx = NULL;
    bool const good = fatbin_ptx(&arena, b->bytes, &ptx, &error);
    assert_int_equal(good, !problem);
    if (problem)
        assert_non_null(strstr(error.message, problem));
    else if (text)
        assert_string_equal(ptx, text);
    else
        assert_null(ptx);
    arena_free(&arena);
    free(b->bytes);
}

static void the_ptx_of_the_newest_target_is_taken(void **state)
{
    struct binary b = binary_new();
    (void)state;
    add_text(&b, 70, "old");
    add(&b, KIND_CODE, 90, 0, "machine", 7, 0);
    add_text(&b, 80, "new");
    add_text(&b, 75, "middle");
    check(&b, "new", NULL);
}

static void compressed_ptx_is_unpacked(void **state)
{
    char text[1000], packed[1000];
    struct binary b = binary_new();
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    size_t const size = ZSTD_compress(packed, sizeof packed, text, sizeof text, 3);
    assert_false(ZSTD_isError(size));
    add(&b, KIND_PTX, 80, ZSTD, packed, size, sizeof text);
    check(&b, text, NULL);
}

static void text_that_an_older_nvcc_packed_is_unpacked(void **state)
{
    /* "abcd", a match of 4 + 15 + 3 bytes, 4 back, and 15 + 1 literals, which end the block */
    static const char packed[] = "\x4f"
                                 "abcd"
                                 "\x04\0\x03"
                                 "\xf0\x01"
                                 "0123456789ABCDE";
    static const char plain[] = "abcdabcdabcdabcdabcdabcdab0123456789ABCDE";
    struct binary b = binary_new();
    (void)state;
    add(&b, KIND_PTX, 80, LZ4, packed, sizeof packed, sizeof plain);
    check(&b, plain, NULL);
    for (size_t size = 0; size < sizeof packed; size++) { /* cut off anywhere */
        b = binary_new();
        add(&b, KIND_PTX, 80, LZ4, packed, size, sizeof plain);
        check(&b, size == 5 ? "abcd" : NULL, size == 5 ? NULL : "damaged"); /* a block may end behind literals */
    }
    for (size_t most = 0; most < sizeof plain; most++) { /* more than the entry says */
        b = binary_new();
        add(&b, KIND_PTX, 80, LZ4, packed, sizeof packed, most);
        check(&b, NULL, "damaged");
    }
    b = binary_new();
    add(&b, KIND_PTX, 80, LZ4,
        "\x1f"
        "a\x02\0\x00",
        5, 100); /* begins before the text */
    check(&b, NULL, "damaged");
    b = binary_new();
    add(&b, KIND_PTX, 80, LZ4,
        "\x1f"
        "a\0\0\x00",
        5, 100); /* begins where it is to be written */
    check(&b, NULL, "damaged");
}

static void what_cannot_be_read_is_said(void **state)
{
    struct binary b = binary_new();
    (void)state;
    add(&b, KIND_CODE, 90, 0, "machine", 7, 0);
    check(&b, NULL, "machine code alone");
    b = binary_new();
    put(&b, 0, 0x12345678, 4);
    check(&b, NULL, "no PTX");
    b = binary_new();
    check(&b, NULL, NULL); /* a file without kernels */
}

static void damaged_compression_is_said(void **state)
{
    struct binary b = binary_new();
    (void)state;
    add(&b, KIND_PTX, 90, ZSTD, "no zstd at all", 14, 100);
    check(&b, NULL, "damaged");
    b = binary_new();
    add(&b, KIND_PTX, 90, ZSTD, "no zstd at all", 14, SIZE_MAX);
    check(&b, NULL, "damaged");
    b = binary_new();
    size_t const at = add(&b, KIND_PTX, 90, ZSTD, "no zstd at all", 14, 100);
    put(&b, at + 16, 15, 4); /* more compressed bytes than the entry has */
    check(&b, NULL, "damaged");
}

static void an_entry_that_ends_behind_the_binary_is_damage(void **state)
{
    struct binary b = binary_new();
    (void)state;
    add_text(&b, 70, "first");
    size_t const at = add(&b, KIND_PTX, 80, 0, "second", 6, 0); /* without a terminating zero */
    put(&b, at + 8, 7, 8);
    check(&b, NULL, "damaged");
    b = binary_new();
    size_t const far_head = add_text(&b, 70, "text");
    put(&b, far_head + 4, ENTRY + 1000, 4);
    check(&b, NULL, "damaged");
    b = binary_new();
    size_t const huge = add_text(&b, 70, "text");
    put(&b, huge + 8, UINT64_MAX - 10, 8);
    check(&b, NULL, "damaged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ptx_of_the_newest_target_is_taken),
        cmocka_unit_test(compressed_ptx_is_unpacked),
        cmocka_unit_test(text_that_an_older_nvcc_packed_is_unpacked),
        cmocka_unit_test(what_cannot_be_read_is_said),
        cmocka_unit_test(damaged_compression_is_said),
        cmocka_unit_test(an_entry_that_ends_behind_the_binary_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
