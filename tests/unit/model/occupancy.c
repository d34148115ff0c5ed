/* Occupancy against small hand-made cases. tests/unit/silicon/occupancy.c compares it with the hardware. */
#include "model/occupancy.h"
#include "trace/limits.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static struct arena arena;
static const struct occupancy_limits *all;
static size_t count;

static int read_limits(void **state)
{
    struct error error = {0};
    (void)state;
    return occupancy_read(&arena, &all, &count, &error) ? 0 : -1;
}

static int forget_limits(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct occupancy on(const char *capability, struct occupancy_needs needs)
{
    const struct occupancy_limits *limits = occupancy_find(all, count, capability);
    assert_non_null(limits);
    return occupancy_of(limits, &needs);
}

static void a_small_kernel_is_limited_by_threads(void **state)
{
    (void)state;
    struct occupancy const got = on("9.0", (struct occupancy_needs){.threads = 256, .registers = 32, .barriers = 1});
    assert_int_equal(got.blocks, 8);
    assert_int_equal(got.warps, 64);
    assert_int_equal(got.warps_max, 64);
    assert_int_equal(got.limit, OCCUPANCY_THREADS);
}

static void small_blocks_are_limited_by_their_number(void **state)
{
    (void)state;
    struct occupancy const got = on("9.0", (struct occupancy_needs){.threads = 32, .registers = 16});
    assert_int_equal(got.blocks, 32);
    assert_int_equal(got.warps, 32);
    assert_int_equal(got.limit, OCCUPANCY_BLOCKS);
}

static void shared_memory_counts_with_the_reserved_kilobyte(void **state)
{
    (void)state;
    struct occupancy got = on("9.0", (struct occupancy_needs){.threads = 128, .registers = 32, .shared = 40 << 10});
    assert_int_equal(got.block_shared, 41 << 10);
    assert_int_equal(got.blocks, 5);
    assert_int_equal(got.limit, OCCUPANCY_SHARED);
    got = on("7.5", (struct occupancy_needs){.threads = 128, .registers = 32, .shared = 32 << 10});
    assert_int_equal(got.blocks, 2);
}

static void a_warps_registers_are_rounded_up_within_a_partition(void **state)
{
    (void)state;
    /* 33 registers a thread become 1,280 a warp: 12 warps in each of four partitions, not 51 on the whole. */
    struct occupancy const got = on("9.0", (struct occupancy_needs){.threads = 96, .registers = 33});
    assert_int_equal(got.by[OCCUPANCY_REGISTERS], 16);
    assert_int_equal(got.limit, OCCUPANCY_REGISTERS);
}

static void what_exceeds_a_blocks_share_cannot_be_launched(void **state)
{
    (void)state;
    assert_int_equal(on("9.0", (struct occupancy_needs){.threads = 32, .shared = (227 << 10) + 1}).blocks, 0);
    assert_int_equal(on("9.0", (struct occupancy_needs){.threads = 1024, .registers = 65}).blocks, 0);
}

static void named_barriers_limit_blocks(void **state)
{
    (void)state;
    struct occupancy const got = on("9.0", (struct occupancy_needs){.threads = 32, .registers = 16, .barriers = 16});
    assert_int_equal(got.blocks, 4);
    assert_int_equal(got.limit, OCCUPANCY_BARRIERS);
}

static void shared_limits_are_those_of_a_capability(void **state)
{
    (void)state;
    const struct occupancy_limits *limits = occupancy_find(all, count, "9.0");
    assert_int_equal(limits->threads, SM_WARPS_MAX * WARP_LANES);
    assert_int_equal(limits->blocks, SM_BLOCKS_MAX);
    assert_int_equal(limits->barriers % LAUNCH_BARRIERS_MAX, 0);
    assert_int_equal(limits->shared, SM_SHARED);
    assert_int_equal(limits->shared_reserved, SM_SHARED_RESERVED);
    assert_int_equal(limits->shared_per_block, LAUNCH_SHARED_MAX);
    assert_int_equal(limits->registers_per_thread, LAUNCH_REGISTERS_MAX);
    assert_int_equal(limits->registers_per_block, LAUNCH_BLOCK_REGISTERS_MAX);
}

static void an_unknown_capability_has_no_limits(void **state)
{
    (void)state;
    assert_null(occupancy_find(all, count, "1.0"));
}

/* The documents give both: the largest share is the shared memory of a multiprocessor, and leaves some of the array. */
static void every_capability_has_its_array_and_its_shares(void **state)
{
    (void)state;
    assert_int_equal(count, 8);
    for (size_t i = 0; i < count; i++) {
        assert_true(all[i].l1_bytes > all[i].shared);
        assert_true(all[i].shared_share_count > 1);
        assert_int_equal(all[i].shared_shares_kb[all[i].shared_share_count - 1] << 10, all[i].shared);
        assert_true(strlen(all[i].l1_source) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_capability_has_its_array_and_its_shares),
        cmocka_unit_test(a_small_kernel_is_limited_by_threads),
        cmocka_unit_test(small_blocks_are_limited_by_their_number),
        cmocka_unit_test(shared_memory_counts_with_the_reserved_kilobyte),
        cmocka_unit_test(a_warps_registers_are_rounded_up_within_a_partition),
        cmocka_unit_test(what_exceeds_a_blocks_share_cannot_be_launched),
        cmocka_unit_test(named_barriers_limit_blocks),
        cmocka_unit_test(shared_limits_are_those_of_a_capability),
        cmocka_unit_test(an_unknown_capability_has_no_limits),
    };
    return cmocka_run_group_tests(tests, read_limits, forget_limits);
}
