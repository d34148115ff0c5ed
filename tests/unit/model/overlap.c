/* Copy and compute on the model clock: spans and groups of a trace made by hand, and their sums. */
#include "model/overlap.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Adds an event of all lanes at a cycle. address: of lane 0, the others follow by 4 bytes. */
static void add(struct trace *trace, uint64_t time, uint32_t warp, enum trace_kind kind, uint32_t site, uint32_t other,
                uint64_t address)
{
    uint64_t addresses[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = address + 4 * lane;
    struct trace_event const event = {.kind = kind,
                                      .site = site,
                                      .warp = warp,
                                      .mask = warp ? 0xff : UINT32_MAX,
                                      .other = other,
                                      .space = kind == TRACE_ACCESS && site == SITE_SHARED && address >= SAMPLE_BUFFER
                                                   ? PTX_SPACE_GLOBAL
                                                   : PTX_SPACE_GENERIC,
                                      .time = time};
    trace_add(trace, &event, trace_has_addresses(kind) ? addresses : NULL, NULL);
}

static void add_copy(struct trace *trace, uint64_t time, uint32_t cycles, uint64_t to)
{
    add(trace, time, 0, TRACE_ACCESS, SITE_SHARED, cycles, SAMPLE_BUFFER);
    add(trace, time, 0, TRACE_COPY_TO, SITE_SHARED, 0, trace->shared_base + to);
    add(trace, time, 0, TRACE_COPY_GROUP, PTX_NO_INDEX, 0, 0);
}

/* Warp 0 copies into two buffers and waits for the first; warp 1 waits at the barrier, then for the first of
 * two plain loads, and for the second. */
static struct trace *two_warps(void)
{
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    ((struct trace_site *)trace->sites)[SITE_SHARED].operation = TRACE_LOAD;
    add_copy(trace, 10, 100, 0);
    add_copy(trace, 20, 120, 512);
    add(trace, 30, 0, TRACE_COPY_WAIT, PTX_NO_INDEX, 80, 0);
    add(trace, 110, 0, TRACE_BARRIER_ARRIVE, SITE_BARRIER, 0, 0);
    add(trace, 130, 0, TRACE_BARRIER_RELEASE, SITE_BARRIER, 0, 0);
    add(trace, 140, 0, TRACE_ACCESS, SITE_SHARED, 20, trace->shared_base);
    add(trace, 200, 0, TRACE_ACCESS, SITE_STORE, 4, SAMPLE_BUFFER);
    add(trace, 210, 0, TRACE_EXIT, PTX_NO_INDEX, 0, 0);
    add(trace, 10, 1, TRACE_BARRIER_ARRIVE, SITE_BARRIER, 0, 0);
    add(trace, 130, 1, TRACE_BARRIER_RELEASE, SITE_BARRIER, 0, 0);
    add(trace, 150, 1, TRACE_ACCESS, SITE_LOAD, 30, SAMPLE_BUFFER);
    add(trace, 155, 1, TRACE_ACCESS, SITE_LOAD, 30, SAMPLE_BUFFER + 4096);
    add(trace, 160, 1, TRACE_LOAD_WAIT, SITE_LOAD, 20, 0);
    add(trace, 180, 1, TRACE_LOAD_WAIT, SITE_LOAD, 5, 0);
    add(trace, 190, 1, TRACE_EXIT, PTX_NO_INDEX, 0, 0);
    trace_sort(trace);
    return trace;
}

static void each_warp_works_or_waits(void **state)
{
    (void)state;
    static const struct overlap_span expected[2][5] = {{{0, 30, OVERLAP_WORKS, OVERLAP_NO_GROUP, 0, 0},
                                                        {30, 110, OVERLAP_WAITS_FOR_COPY, OVERLAP_NO_GROUP, 0, 0},
                                                        {110, 130, OVERLAP_WAITS_AT_BARRIER, OVERLAP_NO_GROUP, 0, 0},
                                                        {130, 210, OVERLAP_WORKS, 0, 0, 0}},
                                                       {{0, 10, OVERLAP_WORKS, OVERLAP_NO_GROUP, 0, 0},
                                                        {10, 130, OVERLAP_WAITS_AT_BARRIER, OVERLAP_NO_GROUP, 0, 0},
                                                        {130, 160, OVERLAP_WORKS, OVERLAP_NO_GROUP, 0, 0},
                                                        {160, 185, OVERLAP_WAITS_FOR_LOAD, OVERLAP_NO_GROUP, 0, 0},
                                                        {185, 190, OVERLAP_WORKS, OVERLAP_NO_GROUP, 0, 0}}};
    static uint32_t const counts[] = {4, 5};
    struct arena arena = {0};
    struct trace *trace = two_warps();
    const struct overlap *overlap = overlap_new(&arena, timeline_new(&arena, trace, 0));
    for (uint32_t warp = 0; warp < 2; warp++) {
        assert_int_equal(overlap->span_starts[warp + 1] - overlap->span_starts[warp], counts[warp]);
        for (uint32_t i = 0; i < counts[warp]; i++) {
            const struct overlap_span *span = &overlap->spans[overlap->span_starts[warp] + i];
            assert_int_equal(span->from, expected[warp][i].from);
            assert_int_equal(span->until, expected[warp][i].until);
            assert_int_equal(span->state, expected[warp][i].state);
            assert_int_equal(span->group, expected[warp][i].group);
        }
    }
    trace_free(trace);
    arena_free(&arena);
}

static void groups_that_write_the_same_place_share_a_buffer(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = two_warps();
    add_copy(trace, 205, 60, 0); /* the first buffer again */
    trace_sort(trace);
    const struct overlap *overlap = overlap_new(&arena, timeline_new(&arena, trace, 0));
    assert_int_equal(overlap->buffers, 2);
    assert_int_equal(overlap->most, 2);
    assert_int_equal(overlap->group_starts[1], 3);
    assert_int_equal(overlap->group_starts[2], 3);
    static uint32_t const buffers[] = {0, 1, 0}, until[] = {110, 140, 265};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(overlap->groups[i].number, i);
        assert_int_equal(overlap->groups[i].buffer, buffers[i]);
        assert_int_equal(overlap->groups[i].until, until[i]);
    }
    trace_free(trace);
    arena_free(&arena);
}

/* In flight: 10 to 140 by copies and 150 to 185 by the loads. Meanwhile warp 0 works from 10 to 30, one of them from
 * 130 to 140, and warp 0 from 150 to 185. */
static void cycles_in_flight_are_overlapped_where_some_warp_works(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = two_warps();
    const struct overlap *overlap = overlap_new(&arena, timeline_new(&arena, trace, 0));
    assert_int_equal(overlap->in_flight, 130 + 35);
    assert_int_equal(overlap->overlapped, 20 + 10 + 35);
    trace->clock = TRACE_CLOCK_GPU; /* a GPU does not record when copies arrive */
    assert_null(overlap_new(&arena, timeline_new(&arena, trace, 0)));
    trace_free(trace);
    arena_free(&arena);
}

static void loads_on_their_way_at_once_lie_on_lines_of_their_own(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = two_warps();
    const struct overlap *overlap = overlap_new(&arena, timeline_new(&arena, trace, 0));
    assert_int_equal(overlap->load_starts[1], 0);
    assert_int_equal(overlap->load_starts[2], 2);
    assert_int_equal(overlap->lines, 2);
    static uint64_t const from[] = {150, 155}, until[] = {180, 185};
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(overlap->loads[i].from, from[i]);
        assert_int_equal(overlap->loads[i].until, until[i]);
        assert_int_equal(overlap->loads[i].line, i);
    }
    trace_free(trace);
    arena_free(&arena);
}

static void a_block_that_loads_nothing_has_no_overlap(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    add(trace, 10, 0, TRACE_ACCESS, SITE_STORE, 4, SAMPLE_BUFFER);
    add(trace, 20, 0, TRACE_EXIT, PTX_NO_INDEX, 0, 0);
    assert_null(overlap_new(&arena, timeline_new(&arena, trace, 0)));
    trace_free(trace);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_warp_works_or_waits),
        cmocka_unit_test(groups_that_write_the_same_place_share_a_buffer),
        cmocka_unit_test(cycles_in_flight_are_overlapped_where_some_warp_works),
        cmocka_unit_test(loads_on_their_way_at_once_lie_on_lines_of_their_own),
        cmocka_unit_test(a_block_that_loads_nothing_has_no_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
