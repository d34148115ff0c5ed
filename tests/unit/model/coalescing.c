#include "model/coalescing.h"
#include "model/atomics.h"
#include "model_random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static uint32_t strided(uint64_t base, uint64_t stride, uint32_t mask, uint32_t bytes, struct coalescing *result)
{
    uint64_t lanes[32];
    uint32_t ideal;
    for (unsigned lane = 0; lane < 32; lane++)
        lanes[lane] = base + stride * lane;
    model_coalescing(lanes, mask, bytes, result);
    assert_int_equal(model_sectors(lanes, mask, bytes, &ideal), result->sectors);
    assert_int_equal(ideal, result->sectors_ideal);
    return result->sectors;
}

static void a_warp_of_floats_in_a_row_is_one_chunk(void **state)
{
    (void)state;
    struct coalescing result;
    assert_int_equal(strided(1024, 4, UINT32_MAX, 4, &result), 4);
    assert_int_equal(result.chunk_count, 1);
    assert_int_equal(result.chunks[0].address, 1024);
    assert_int_equal(result.chunks[0].sectors, 0xf);
    assert_int_equal(result.chunks[0].lanes, UINT32_MAX);
    assert_true(result.chunks[0].used[0] == UINT64_MAX && result.chunks[0].used[1] == UINT64_MAX);
    assert_int_equal(result.requests, 1);
    assert_int_equal(result.bytes_used, 128);
    assert_int_equal(result.bytes_fetched, 128);
}

static void bytes_100_to_227_touch_two_chunks_and_five_sectors(void **state)
{
    (void)state;
    struct coalescing result;
    assert_int_equal(strided(100, 4, UINT32_MAX, 4, &result), 5);
    assert_int_equal(result.chunk_count, 2);
    assert_int_equal(result.chunks[0].sectors, 0x8);
    assert_int_equal(result.chunks[0].lanes, 0x7f);
    assert_int_equal(result.chunks[1].sectors, 0xf);
    assert_int_equal(result.sectors_ideal, 4);
    assert_int_equal(strided(128, 4, UINT32_MAX, 4, &result), 4);
    assert_int_equal(result.chunk_count, 1);
}

static void sectors_of_every_stride_follow_the_closed_form(void **state)
{
    (void)state;
    struct coalescing result;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2)
        for (uint32_t stride = 0; stride <= 64; stride++) {
            /* From a multiple of 32: a step of up to a sector skips no sector; a longer step lets no two lanes share
             * one. */
            uint32_t const step = stride * bytes, span = 31 * step + bytes;
            uint32_t const expected = step <= 32 ? (span + 31) / 32 : 32;
            assert_int_equal(strided(4096, step, UINT32_MAX, bytes, &result), expected);
            assert_int_equal(result.bytes_used, stride ? 32 * bytes : bytes);
            assert_int_equal(result.sectors_ideal, (result.bytes_used + 31) / 32);
        }
    assert_int_equal(strided(0, 40000, UINT32_MAX, 4, &result), 32); /* a column of a matrix with 10,000 floats a row */
    assert_int_equal(result.chunk_count, 32);
    assert_int_equal(result.bytes_used * 8, result.bytes_fetched);
}

static void offsets_cost_a_sector_unless_they_are_multiples_of_one(void **state)
{
    (void)state;
    struct coalescing result;
    for (uint32_t offset = 0; offset < 32; offset++) {
        assert_int_equal(strided(4096 + 4 * offset, 4, UINT32_MAX, 4, &result), offset % 8 ? 5 : 4);
        assert_int_equal(result.chunk_count, offset ? 2 : 1);
    }
}

static void duplicates_and_masks_are_counted_once_or_not_at_all(void **state)
{
    (void)state;
    struct coalescing result;
    assert_int_equal(strided(64, 0, UINT32_MAX, 4, &result), 1);
    assert_int_equal(result.bytes_used, 4);
    assert_int_equal(result.chunks[0].lanes, UINT32_MAX);
    assert_int_equal(strided(0, 4, 0, 4, &result), 0);
    assert_int_equal(result.requests, 0);
    assert_int_equal(result.sectors_ideal, 0);
    assert_int_equal(strided(0, 4, 0x000000ff, 4, &result), 1);
    assert_int_equal(strided(0, 4, 0x80000001, 4, &result), 2);
    assert_int_equal(strided(0, 16, UINT32_MAX, 16, &result), 16);
    assert_int_equal(result.chunk_count, 4);
}

static void an_unaligned_lane_reaches_into_the_next_chunk(void **state)
{
    (void)state;
    struct coalescing result;
    assert_int_equal(strided(126, 0, 1, 4, &result), 2);
    assert_int_equal(result.chunk_count, 2);
    assert_true(result.chunks[0].used[1] == UINT64_C(3) << 62 && result.chunks[1].used[0] == 3);
    assert_int_equal(result.bytes_used, 4);
}

/* Counts sectors or bytes by marking every byte in a plain list. */
static uint32_t count_slowly(const uint64_t lanes[32], uint32_t mask, uint32_t bytes, uint32_t unit)
{
    uint64_t seen[32 * 32];
    uint32_t count = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        for (uint32_t byte = 0; mask >> lane & 1 && byte < bytes; byte++) {
            uint64_t const place = (lanes[lane] + byte) / unit;
            uint32_t at = 0;
            while (at < count && seen[at] != place)
                at++;
            if (at == count)
                seen[count++] = place;
        }
    return count;
}

static void quick_and_whole_answers_agree_on_any_warp(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        uint64_t lanes[32];
        uint32_t const bytes = 1u << random_next(&random) % 5;
        uint32_t const mask = random_warp(&random, bytes, random_next(&random) % 8 == 0, lanes);
        struct coalescing whole;
        uint32_t ideal;
        model_coalescing(lanes, mask, bytes, &whole);
        assert_int_equal(whole.sectors, count_slowly(lanes, mask, bytes, 32));
        assert_int_equal(whole.bytes_used, count_slowly(lanes, mask, bytes, 1));
        assert_int_equal(whole.chunk_count, count_slowly(lanes, mask, bytes, 128));
        assert_int_equal(model_sectors(lanes, mask, bytes, &ideal), whole.sectors);
        assert_int_equal(ideal, (whole.bytes_used + 31) / 32);
        uint64_t all[SECTORS_MAX], listed[SECTORS_MAX];
        assert_int_equal(coalescing_sectors(&whole, all), whole.sectors);
        assert_int_equal(model_sector_list(lanes, mask, bytes, listed), whole.sectors);
        assert_memory_equal(all, listed, whole.sectors * sizeof *all);
    }
}

static void atomics_on_one_address_take_turns(void **state)
{
    (void)state;
    uint64_t lanes[32];
    for (unsigned lane = 0; lane < 32; lane++)
        lanes[lane] = lane * 4;
    assert_int_equal(model_atomic_sectors(lanes, UINT32_MAX, false), 4);
    for (unsigned lane = 0; lane < 32; lane++)
        lanes[lane] = 64;
    assert_int_equal(model_atomic_sectors(lanes, UINT32_MAX, false), 32);
    assert_int_equal(model_atomic_sectors(lanes, 0x80000101, false), 3);
    assert_int_equal(model_atomic_sectors(lanes, 0, false), 0);
    for (unsigned lane = 0; lane < 32; lane++) /* two words of one sector: their turns share it */
        lanes[lane] = lane % 2 * 4;
    assert_int_equal(model_atomic_sectors(lanes, UINT32_MAX, false), 16);
    for (unsigned lane = 0; lane < 32; lane++) /* two words of two sectors: they do not */
        lanes[lane] = lane % 2 * 32;
    assert_int_equal(model_atomic_sectors(lanes, UINT32_MAX, false), 32);
}

/* The smallest launch of tests/silicon in which lanes of two lines block one another: elements 12, 175 and 15. */
static void a_lane_of_another_line_blocks_the_next_one_at_its_place(void **state)
{
    (void)state;
    uint64_t lanes[32] = {12 * 4, 175 * 4, 15 * 4};
    assert_int_equal(model_atomic_sectors(lanes, 7, false), 3);
    lanes[1] = (128 + 15) * 4; /* a line of another way: 12 and 15 share a pass */
    assert_int_equal(model_atomic_sectors(lanes, 7, false), 2);
    lanes[1] = (160 + 14) * 4; /* another place in the line */
    assert_int_equal(model_atomic_sectors(lanes, 7, false), 2);
    uint64_t const behind[32] = {12 * 4, 15 * 4, 175 * 4};
    assert_int_equal(model_atomic_sectors(behind, 7, false), 2);
}

static void a_compare_and_exchange_serves_half_a_line_at_once(void **state)
{
    (void)state;
    /* Lane 1 blocks lane 2 until its half of line 0 is served; lane 2 then takes a pass of its own. */
    uint64_t const lanes[32] = {0, (160 + 1) * 4, 1 * 4, 16 * 4};
    assert_int_equal(model_atomic_sectors(lanes, 15, false), 4);
    assert_int_equal(model_atomic_sectors(lanes, 15, true), 4);
    uint64_t const halves[32] = {0, (160 + 17) * 4, 17 * 4, 16 * 4};
    assert_int_equal(model_atomic_sectors(halves, 15, false), 4);
    assert_int_equal(model_atomic_sectors(halves, 15, true), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_of_floats_in_a_row_is_one_chunk),
        cmocka_unit_test(bytes_100_to_227_touch_two_chunks_and_five_sectors),
        cmocka_unit_test(sectors_of_every_stride_follow_the_closed_form),
        cmocka_unit_test(offsets_cost_a_sector_unless_they_are_multiples_of_one),
        cmocka_unit_test(duplicates_and_masks_are_counted_once_or_not_at_all),
        cmocka_unit_test(an_unaligned_lane_reaches_into_the_next_chunk),
        cmocka_unit_test(atomics_on_one_address_take_turns),
        cmocka_unit_test(a_lane_of_another_line_blocks_the_next_one_at_its_place),
        cmocka_unit_test(a_compare_and_exchange_serves_half_a_line_at_once),
        cmocka_unit_test(quick_and_whole_answers_agree_on_any_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
