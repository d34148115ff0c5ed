/* The passes of atomics by address. tests/unit/silicon/models.c compares the rules behind them with an H200. */
#include "model/atomics.h"
#include "model_random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static struct trace_site const add = {.operation = TRACE_ATOMIC, .bytes = 4};
static struct trace_site const count = {.operation = TRACE_ATOMIC, .bytes = 4, .counts = true};

/* Lays out an atomic in which lane i has word i % different * step. */
static struct atomic_passes passes_of(const struct trace_site *site, enum ptx_space space, unsigned different,
                                      unsigned step)
{
    struct atomic_passes result;
    uint64_t addresses[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = 4096 + UINT64_C(4) * (lane % different * step);
    model_atomics(addresses, UINT32_MAX, site, space, &result);
    return result;
}

static void lanes_on_one_address_take_turns(void **state)
{
    (void)state;
    static const enum ptx_space spaces[] = {PTX_SPACE_SHARED, PTX_SPACE_GLOBAL};
    for (int i = 0; i < 2; i++) {
        struct atomic_passes const one = passes_of(&add, spaces[i], 1, 1), four = passes_of(&add, spaces[i], 4, 1),
                                   all = passes_of(&add, spaces[i], 32, 1);
        assert_true(one.passes == 32 && one.place_count == 1 && one.most == 32);
        assert_true(four.passes == 8 && four.place_count == 4 && four.most == 8);
        assert_true(all.passes == 1 && all.place_count == 32 && all.most == 1);
        assert_int_equal(one.passes_ideal, 1);
    }
}

static void different_words_of_one_bank_take_turns_too(void **state)
{
    (void)state;
    struct atomic_passes const two = passes_of(&add, PTX_SPACE_SHARED, 2, 32);
    assert_true(two.passes == 32 && two.place_count == 2 && two.most == 16);
    assert_int_equal(two.pass[0], 0);
    assert_int_equal(two.pass[1], 1);
}

static void lanes_that_the_machine_counts_share_the_pass_of_their_word(void **state)
{
    (void)state;
    assert_int_equal(passes_of(&count, PTX_SPACE_SHARED, 1, 1).passes, 1);
    assert_int_equal(passes_of(&count, PTX_SPACE_SHARED, 2, 32).passes, 2);
}

static void a_sector_of_global_memory_counts_once_a_pass(void **state)
{
    (void)state;
    assert_int_equal(passes_of(&add, PTX_SPACE_GLOBAL, 1, 1).sectors, 32);
    assert_int_equal(passes_of(&add, PTX_SPACE_GLOBAL, 2, 1).sectors, 16);
    assert_int_equal(passes_of(&add, PTX_SPACE_GLOBAL, 32, 1).sectors, 4);
    assert_int_equal(passes_of(&add, PTX_SPACE_SHARED, 1, 1).sectors, 0);
}

/* Every active lane stands once at its address, in the order of the passes; the places are sorted. */
static void every_lane_stands_once_at_its_address(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int turn = 0; turn < 2000; turn++) {
        uint64_t addresses[WARP_LANES];
        struct atomic_passes result;
        uint32_t const mask = (uint32_t)random_next(&random);
        uint32_t seen = 0;
        enum ptx_space const space = turn % 2 ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            addresses[lane] = 8192 + 4 * (random_next(&random) % (1u << turn % 8));
        model_atomics(addresses, mask, &add, space, &result);
        for (uint32_t i = 0; i < result.place_count; i++) {
            const struct atomic_place *place = &result.places[i];
            assert_int_equal(place->count, __builtin_popcount(place->lanes));
            assert_int_equal(seen & place->lanes, 0);
            seen |= place->lanes;
            for (uint32_t n = 0; n < place->count; n++) {
                assert_int_equal(addresses[place->order[n]], place->address);
                assert_true(n == 0 || result.pass[place->order[n - 1]] < result.pass[place->order[n]]);
                assert_true(result.pass[place->order[n]] < result.passes);
            }
            if (i && space == PTX_SPACE_GLOBAL)
                assert_true(result.places[i - 1].address < place->address);
        }
        assert_int_equal(seen, mask);
        if (space == PTX_SPACE_GLOBAL)
            assert_int_equal(result.sectors, model_atomic_sectors(addresses, mask, false));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_on_one_address_take_turns),
        cmocka_unit_test(different_words_of_one_bank_take_turns_too),
        cmocka_unit_test(lanes_that_the_machine_counts_share_the_pass_of_their_word),
        cmocka_unit_test(a_sector_of_global_memory_counts_once_a_pass),
        cmocka_unit_test(every_lane_stands_once_at_its_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
