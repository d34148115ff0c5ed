#include "model/banks.h"
#include "model_random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static struct bank_passes passes;

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* Checks the properties of every slot grid: each lane's words are served once and in their own bank, a bank serves one
 * word per pass, and no pass is empty. */
static void check_grid(const uint64_t lanes[32], uint32_t mask, uint32_t bytes)
{
    uint32_t served[32] = {0}, used = 0;
    for (uint32_t pass = 0; pass < passes.passes; pass++) {
        uint32_t before = used;
        for (unsigned bank = 0; bank < BANKS; bank++) {
            const struct bank_slot *slot = &passes.slots[pass][bank];
            used += slot->lanes != 0;
            for (unsigned lane = 0; lane < 32; lane++) {
                if (!(slot->lanes >> lane & 1))
                    continue;
                assert_int_equal(slot->word % BANKS, bank);
                assert_true(slot->word - lanes[lane] / 4 <= (lanes[lane] % 4 + bytes - 1) / 4);
                served[lane]++;
            }
        }
        assert_true(used > before);
    }
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(served[lane], mask >> lane & 1 ? (lanes[lane] % 4 + bytes - 1) / 4 + 1 : 0);
    assert_int_equal(passes.slots_used, used);
    assert_int_equal(passes.conflicts, passes.passes - passes.passes_ideal);
}

static uint32_t count(const uint64_t lanes[32], uint32_t mask, uint32_t bytes, enum trace_operation operation)
{
    uint32_t ideal;
    model_banks(lanes, mask, bytes, operation, &passes);
    check_grid(lanes, mask, bytes);
    assert_int_equal(model_wavefronts(lanes, mask, bytes, operation, &ideal), passes.passes);
    assert_int_equal(ideal, passes.passes_ideal);
    return passes.passes;
}

/* Returns the passes of a store, and leaves a load's grid in `passes`. Both are equal unless wide lanes coincide. */
static uint32_t strided(uint64_t base, uint64_t stride, uint32_t mask, uint32_t bytes)
{
    uint64_t lanes[32];
    for (unsigned lane = 0; lane < 32; lane++)
        lanes[lane] = base + stride * lane;
    uint32_t const stored = count(lanes, mask, bytes, TRACE_STORE);
    uint32_t const loaded = count(lanes, mask, bytes, TRACE_LOAD);
    if (stride != 0 || bytes <= 4)
        assert_int_equal(stored, loaded);
    return loaded;
}

static void four_byte_strides_take_their_common_divisor_with_32(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 64; stride++) {
        assert_int_equal(strided(0, 4 * stride, UINT32_MAX, 4), gcd(stride, 32));
        assert_int_equal(passes.passes_ideal, 1);
        assert_int_equal(passes.slots_used, 32);
        assert_int_equal(strided(1 << 16, 0 - (uint64_t)4 * stride, UINT32_MAX, 4), gcd(stride, 32));
    }
}

static void every_offset_of_a_row_is_free(void **state)
{
    (void)state;
    for (uint32_t offset = 0; offset < 64; offset++)
        assert_int_equal(strided(4 * offset, 4, UINT32_MAX, 4), 1);
}

static void one_word_for_all_is_one_pass(void **state)
{
    (void)state;
    assert_int_equal(strided(64, 0, UINT32_MAX, 4), 1);
    assert_int_equal(passes.slots_used, 1);
    assert_int_equal(passes.slots[0][16].lanes, UINT32_MAX);
    assert_int_equal(passes.slots[0][16].word, 16);
    uint64_t lanes[32];
    for (unsigned lane = 0; lane < 32; lane++) /* two words of one bank, each for half the warp */
        lanes[lane] = lane % 2 ? 128 : 0;
    assert_int_equal(count(lanes, UINT32_MAX, 4, TRACE_LOAD), 2);
    assert_int_equal(passes.slots[0][0].lanes, 0x55555555);
    assert_int_equal(passes.slots[1][0].lanes, 0xaaaaaaaa);
}

static void narrow_lanes_of_one_word_share_it(void **state)
{
    (void)state;
    assert_int_equal(strided(0, 1, UINT32_MAX, 1), 1);
    assert_int_equal(passes.slots_used, 8);
    assert_int_equal(passes.slots[0][3].lanes, 0xf000);
    assert_int_equal(strided(0, 2, UINT32_MAX, 2), 1);
    assert_int_equal(passes.slots_used, 16);
    assert_int_equal(strided(0, 128, UINT32_MAX, 1), 32);
    assert_int_equal(strided(0, 6, UINT32_MAX, 2), 2); /* 192 bytes: banks 0 to 15 have two words */
}

static void wide_lanes_go_in_halves_and_quarters(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 64; stride++) {
        assert_int_equal(strided(0, 8 * stride, UINT32_MAX, 8), 2 * gcd(stride, 16));
        assert_int_equal(passes.passes_ideal, 2);
        assert_int_equal(passes.slots_used, 64);
        assert_int_equal(strided(0, 16 * stride, UINT32_MAX, 16), 4 * gcd(stride, 8));
        assert_int_equal(passes.passes_ideal, 4);
        assert_int_equal(passes.slots_used, 128);
    }
    assert_int_equal(strided(0, 0, UINT32_MAX, 8), 1);
    assert_int_equal(strided(0, 0, UINT32_MAX, 16), 2);
    assert_int_equal(passes.passes_ideal, 2);
    uint64_t lanes[32];
    /* pairs of lanes share a word, so both halves together request 128 bytes */
    for (unsigned lane = 0; lane < 32; lane++)
        lanes[lane] = lane / 2 * 8;
    assert_int_equal(count(lanes, UINT32_MAX, 8, TRACE_LOAD), 1);
    assert_int_equal(passes.slots[0][0].lanes, 3);
    assert_int_equal(count(lanes, UINT32_MAX, 8, TRACE_STORE), 2); /* stores never share a pass */
    for (unsigned lane = 0; lane < 32; lane++)
        lanes[lane] = lane / 4 * 16 + lane % 2 * 8;
    assert_int_equal(count(lanes, UINT32_MAX, 8, TRACE_LOAD), 1); /* partners at lane ^ 2 count too */
    lanes[0] = lanes[2] = 8, lanes[1] = lanes[3] = 0;             /* in any order */
    assert_int_equal(count(lanes, UINT32_MAX, 8, TRACE_LOAD), 1);
    lanes[31] = 0; /* one pair that disagrees separates the whole warp */
    assert_int_equal(count(lanes, UINT32_MAX, 8, TRACE_LOAD), 2);
    assert_int_equal(count(lanes, UINT32_MAX >> 1, 8, TRACE_LOAD), 1); /* unless that lane is idle */
}

static void few_lanes_need_fewer_passes(void **state)
{
    (void)state;
    assert_int_equal(strided(0, 128, 0, 4), 0);
    assert_int_equal(passes.passes_ideal, 0);
    assert_int_equal(strided(0, 128, 1, 4), 1);
    assert_int_equal(strided(0, 128, 0xff, 4), 8);
    assert_int_equal(strided(0, 128, 0x00010001, 4), 2);
    assert_int_equal(strided(0, 8, 0x0000ffff, 8), 1);
    assert_int_equal(passes.passes_ideal, 1);
    assert_int_equal(strided(0, 16, 0x00ffff00, 16), 2);
    assert_int_equal(strided(0, 8, 0x7fffffff, 4), 2);
}

static void atomics_on_one_word_go_one_by_one(void **state)
{
    (void)state;
    uint64_t lanes[32] = {0};
    assert_int_equal(count(lanes, UINT32_MAX, 4, TRACE_ATOMIC), 32);
    for (unsigned lane = 0; lane < 32; lane++)
        lanes[lane] = lane * 4;
    assert_int_equal(count(lanes, UINT32_MAX, 4, TRACE_ATOMIC), 1);
    assert_int_equal(count(lanes, UINT32_MAX, 4, TRACE_REDUCTION), 1);
    lanes[31] = 0;
    assert_int_equal(count(lanes, UINT32_MAX, 4, TRACE_REDUCTION), 2);
}

static void quick_and_whole_answers_agree_on_any_warp(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        uint64_t lanes[32];
        uint32_t const bytes = 1u << random_next(&random) % 5;
        uint32_t const mask = random_warp(&random, bytes, random_next(&random) % 8 == 0, lanes);
        count(lanes, mask, bytes, random_next(&random) % 8 ? TRACE_LOAD : TRACE_ATOMIC);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_byte_strides_take_their_common_divisor_with_32),
        cmocka_unit_test(every_offset_of_a_row_is_free),
        cmocka_unit_test(one_word_for_all_is_one_pass),
        cmocka_unit_test(narrow_lanes_of_one_word_share_it),
        cmocka_unit_test(wide_lanes_go_in_halves_and_quarters),
        cmocka_unit_test(few_lanes_need_fewer_passes),
        cmocka_unit_test(atomics_on_one_word_go_one_by_one),
        cmocka_unit_test(quick_and_whole_answers_agree_on_any_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
