#include "model/outliers.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void access_by(struct trace *trace, uint64_t block, uint32_t warp, uint32_t site, unsigned step)
{
    uint64_t addresses[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = SAMPLE_BUFFER + (uint64_t)step * lane;
    struct trace_event const event = {
        .kind = TRACE_ACCESS, .site = site, .block = block, .warp = warp, .mask = UINT32_MAX, .time = 1};
    trace_add(trace, &event, addresses, NULL);
}

static void the_most_wasteful_come_first_with_their_worst_access(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts counts;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    access_by(trace, 0, 0, SITE_LOAD, 4);   /* event 0: 4 sectors, the least */
    access_by(trace, 0, 1, SITE_LOAD, 8);   /* 1: 8 sectors */
    access_by(trace, 1, 0, SITE_STORE, 32); /* 2: 32 sectors */
    access_by(trace, 1, 0, SITE_STORE, 4);
    access_by(trace, 1, 1, SITE_LOAD, 16); /* 4: 16 sectors */
    counts_of_trace(trace, &arena, &counts);
    const struct outliers *outliers = outliers_new(&arena, trace, &counts, NULL);
    assert_int_equal(outliers->site_count, 2);
    assert_ptr_equal(outliers->sites[0].site, &trace->sites[SITE_STORE]);
    assert_int_equal(outliers->sites[0].cost.wasted, 32 * 28);
    assert_int_equal(outliers->sites[0].event, 2);
    assert_int_equal(outliers->sites[1].cost.wasted, 32 * (4 + 12));
    assert_int_equal(outliers->sites[1].event, 4);
    assert_int_equal(outliers->sites_wasted, 32 * 44);
    assert_int_equal(outliers->warps_wasted, 32 * 44);
    static const struct {
        uint64_t block;
        uint32_t warp;
        uint64_t wasted;
        size_t event;
    } warps[] = {{1, 0, 32 * 28, 2}, {1, 1, 32 * 12, 4}, {0, 1, 32 * 4, 1}, {0, 0, 0, 0}};
    assert_int_equal(outliers->warp_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(outliers->warps[i].block, warps[i].block);
        assert_int_equal(outliers->warps[i].warp, warps[i].warp);
        assert_int_equal(outliers->warps[i].cost.wasted, warps[i].wasted);
        assert_int_equal(outliers->warps[i].event, warps[i].event);
    }
    trace_free(trace);
    arena_free(&arena);
}

static void a_pass_of_shared_memory_weighs_as_much_as_four_sectors(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts counts;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    access_by(trace, 0, 0, SITE_SHARED, 128); /* 16 bytes a lane, all in the same four banks */
    counts_of_trace(trace, &arena, &counts);
    const struct outliers *outliers = outliers_new(&arena, trace, &counts, NULL);
    const struct outlier_cost *cost = &outliers->sites[0].cost;
    assert_true(cost->passes > cost->passes_ideal);
    assert_int_equal(cost->wasted, 128 * (cost->passes - cost->passes_ideal));
    trace_free(trace);
    arena_free(&arena);
}

/* The sample has a branch at which lanes diverge in every warp, and no waste in its blocks' loads. */
static void divergent_branches_follow_the_accesses(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts counts;
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 0, false);
    counts_of_trace(trace, &arena, &counts);
    const struct outliers *outliers = outliers_new(&arena, trace, &counts, NULL);
    const struct outlier_site *last = &outliers->sites[outliers->site_count - 1];
    assert_int_equal(last->site->operation, TRACE_BRANCH);
    assert_int_equal(last->divergent, 4);
    assert_int_not_equal(last->event, SIZE_MAX);
    for (size_t i = 0; i + 1 < outliers->site_count; i++)
        assert_int_not_equal(outliers->sites[i].site->operation, TRACE_BRANCH);
    trace_free(trace);
    arena_free(&arena);
}

static void a_site_outside_the_recorded_blocks_has_no_event(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts counts;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    counts_of_trace(trace, &arena, &counts);
    counts.sites[SITE_LOAD] =
        (struct site_counts){.requests = 8, .global_requests = 8, .lanes = 256, .sectors = 64, .sectors_ideal = 32};
    const struct outliers *outliers = outliers_new(&arena, trace, &counts, NULL);
    assert_int_equal(outliers->site_count, 1);
    assert_int_equal(outliers->sites[0].cost.wasted, 1024);
    assert_true(outliers->sites[0].event == SIZE_MAX);
    assert_int_equal(outliers->warp_count, 0);
    trace_free(trace);
    arena_free(&arena);
}

/* Of two lines that ask for many sectors, the one whose sectors the L1 held comes last. */
static void what_the_l1_held_does_not_count_for_the_order(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts counts;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    access_by(trace, 0, 0, SITE_LOAD, 32); /* 32 sectors, 28 above the least */
    access_by(trace, 0, 1, SITE_LOAD, 32);
    access_by(trace, 0, 0, SITE_STORE, 8); /* 8 sectors, 4 above it */
    counts_of_trace(trace, &arena, &counts);
    struct caches_site *sites = arena_array(&arena, struct caches_site, trace->site_count);
    struct caches const caches = {.sites = sites, .site_count = trace->site_count};
    struct {
        uint64_t hits;
        uint32_t first;
        uint64_t beyond;
    } const cases[] = {{0, SITE_LOAD, 32 * 56}, {51, SITE_LOAD, 32 * 5}, {53, SITE_STORE, 32 * 3}, {64, SITE_STORE, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sites[SITE_LOAD] = (struct caches_site){.sectors = 64, .l1_hits = cases[i].hits};
        sites[SITE_STORE] =
            (struct caches_site){.sectors = 8, .l1_hits = 8}; /* a store goes on to the L2 all the same */
        const struct outliers *outliers = outliers_new(&arena, trace, &counts, &caches);
        const struct outlier_site *load = &outliers->sites[cases[i].first == SITE_LOAD ? 0 : 1];
        assert_true(outliers->cached);
        assert_ptr_equal(outliers->sites[0].site, &trace->sites[cases[i].first]);
        assert_int_equal(load->cost.wasted, 32 * 56);
        assert_int_equal(load->cost.beyond, cases[i].beyond);
        assert_int_equal(outliers->sites_beyond, cases[i].beyond + 32 * 4);
    }
    trace_free(trace);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_wasteful_come_first_with_their_worst_access),
        cmocka_unit_test(a_pass_of_shared_memory_weighs_as_much_as_four_sectors),
        cmocka_unit_test(divergent_branches_follow_the_accesses),
        cmocka_unit_test(a_site_outside_the_recorded_blocks_has_no_event),
        cmocka_unit_test(what_the_l1_held_does_not_count_for_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
