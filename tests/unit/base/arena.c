/* Memory by lifetime: zeroed, aligned, kept apart, reused after a reset. */
#include "base/arena.h"
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static bool all_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct arena arena = {0};
    unsigned char *before = NULL;
    for (size_t size = 0; size < 5000; size += 37) {
        unsigned char *piece = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)piece % alignof(max_align_t), 0);
        assert_true(all_zero(piece, size));
        if (before)
            assert_int_equal(before[0], 0x5a);
        memset(piece, 0x5a, size);
        before = size ? piece : NULL;
    }
    arena_free(&arena);
}

static void a_piece_larger_than_a_chunk_is_whole(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t const large = 3 << 20;
    char *small = arena_text(&arena, "kept");
    unsigned char *piece = arena_alloc(&arena, large);
    assert_true(all_zero(piece, large));
    memset(piece, 1, large);
    assert_string_equal(small, "kept");
    assert_true(arena.bytes >= large);
    arena_free(&arena);
    assert_int_equal(arena.bytes, 0);
    assert_null(arena.newest);
}

static void memory_is_zero_again_after_a_reset(void **state)
{
    (void)state;
    struct arena arena = {0};
    memset(arena_alloc(&arena, 1000), 0xff, 1000);
    arena_reset(&arena);
    assert_int_equal(arena.bytes, 0);
    assert_true(all_zero(arena_alloc(&arena, 1000), 1000));
    arena_free(&arena);
}

static void texts_are_cut_and_formatted_with_their_end(void **state)
{
    (void)state;
    struct arena arena = {0};
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_string_equal(arena_text_n(&arena, "warp 7", 4), "warp");
    assert_string_equal(arena_text_n(&arena, "warp", 0), "");
    assert_string_equal(arena_format(&arena, "%s%d", long_text, 1) + sizeof long_text - 1, "1");
    assert_string_equal(arena_format(&arena, "%u {block|blocks}", 1u), "1 block");
    arena_free(&arena);
}

static void an_array_keeps_its_items_while_it_grows(void **state)
{
    (void)state;
    struct {
        int *items;
        size_t count, capacity;
    } numbers = {0};
    for (int i = 0; i < 1000; i++)
        array_push(&numbers, i);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers.items[i], i);
    assert_true(numbers.capacity >= 1000);
    free(numbers.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(a_piece_larger_than_a_chunk_is_whole),
        cmocka_unit_test(memory_is_zero_again_after_a_reset),
        cmocka_unit_test(texts_are_cut_and_formatted_with_their_end),
        cmocka_unit_test(an_array_keeps_its_items_while_it_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
