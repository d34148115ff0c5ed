/* Occupancy against the driver of an H200 and against the blocks seen there: each line of tests/silicon/occupancy.txt
 * is a kernel, a block's size and its dynamic shared memory. */
#include "model/occupancy.h"
#include "silicon_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static uint64_t number(const struct silicon_row *row, size_t word)
{
    return strtoull(row->words[word], NULL, 10);
}

static void as_many_blocks_are_resident_as_the_driver_says(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct occupancy_limits *all;
    size_t count, lines = 0, wrong = 0, other = 0;
    struct error error = {0};
    assert_true(occupancy_read(&arena, &all, &count, &error));
    const struct occupancy_limits *limits = occupancy_find(all, count, "9.0");
    assert_non_null(limits);
    char *text = silicon_open(&arena, "occupancy");
    assert_non_null(text);
    for (struct silicon_row row; silicon_next(&text, &row); lines++) {
        assert_true(row.word_count == 5 && row.count_count == 2);
        struct occupancy_needs const needs = {.threads = (uint32_t)number(&row, 0),
                                              .registers = (uint32_t)number(&row, 1),
                                              .barriers = (uint32_t)number(&row, 2),
                                              .shared = number(&row, 3) + number(&row, 4)};
        struct occupancy const got = occupancy_of(limits, &needs);
        if (got.blocks != row.counts[0]) {
            print_error("%u threads, %u registers, %u barriers, %llu shared bytes: %u blocks, not %llu\n",
                        needs.threads, needs.registers, needs.barriers, (unsigned long long)needs.shared, got.blocks,
                        (unsigned long long)row.counts[0]);
            wrong++;
        }
        other += row.counts[0] != row.counts[1];
    }
    print_message(
        "%zu kernels and sizes of blocks; %zu differ from the driver; in %zu the driver's number was not seen\n", lines,
        wrong, other);
    assert_true(lines >= 200);
    assert_int_equal(wrong, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_blocks_are_resident_as_the_driver_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
