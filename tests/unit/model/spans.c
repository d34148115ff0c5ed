#include "model/spans.h"
#include "model/clock.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Adds an event of warp `warp` at a time; `other` as in struct trace_event. */
static void add(struct trace *trace, uint32_t warp, uint64_t time, enum trace_kind kind, uint32_t site, uint32_t other,
                unsigned step)
{
    uint64_t addresses[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = SAMPLE_BUFFER + (uint64_t)step * lane;
    struct trace_event const event = {
        .kind = kind, .site = site, .warp = warp, .mask = UINT32_MAX, .other = other, .time = time};
    trace_add(trace, &event, kind == TRACE_ACCESS ? addresses : NULL, NULL);
}

static struct trace *two_warps(enum trace_clock clock)
{
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    trace->clock = clock;
    trace->block[0] = 64;
    add(trace, 0, 10, TRACE_ACCESS, SITE_LOAD, 131, 128); /* 32 chunks: 31 passes more than one */
    add(trace, 1, 11, TRACE_ACCESS, SITE_LOAD, 131, 4);   /* the pipe is free at cycle 42 */
    if (clock == TRACE_CLOCK_MODEL) {
        add(trace, 0, 45, TRACE_LOAD_WAIT, SITE_LOAD, 96, 0);
        add(trace, 1, 46, TRACE_LOAD_WAIT, SITE_LOAD, 96, 0);
    }
    add(trace, 0, 145, TRACE_BARRIER_ARRIVE, SITE_BARRIER, 0, 0);
    add(trace, 1, 150, TRACE_BARRIER_ARRIVE, SITE_BARRIER, 0, 0);
    add(trace, 0, 150, TRACE_BARRIER_RELEASE, SITE_BARRIER, 0, 0);
    add(trace, 1, 150, TRACE_BARRIER_RELEASE, SITE_BARRIER, 0, 0);
    add(trace, 0, 155, TRACE_EXIT, PTX_NO_INDEX, 0, 0);
    add(trace, 1, 160, TRACE_EXIT, PTX_NO_INDEX, 0, 0);
    trace_sort(trace);
    return trace;
}

static void assert_spans(const struct spans *spans, uint32_t warp, const struct span *expected, uint32_t count)
{
    assert_int_equal(spans->starts[warp + 1] - spans->starts[warp], count);
    for (uint32_t i = 0; i < count; i++) {
        const struct span *span = &spans->items[spans->starts[warp] + i];
        assert_int_equal(span->kind, expected[i].kind);
        assert_int_equal(span->from, expected[i].from);
        assert_int_equal(span->until, expected[i].until);
    }
}

static void a_warp_runs_between_its_load_and_the_wait_for_the_value(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = two_warps(TRACE_CLOCK_MODEL);
    struct spans *spans = spans_new(&arena, timeline_new(&arena, trace, 0));
    struct span const first[] = {{0, 10, SPAN_RUNS, 0},     {10, 41, SPAN_PIPE, 0},   {41, 45, SPAN_RUNS, 0},
                                 {45, 141, SPAN_MEMORY, 0}, {141, 145, SPAN_RUNS, 0}, {145, 150, SPAN_BARRIER, 0},
                                 {150, 155, SPAN_RUNS, 0}};
    struct span const second[] = {{0, 11, SPAN_RUNS, 0},     {11, 42, SPAN_PIPE, 0},   {42, 46, SPAN_RUNS, 0},
                                  {46, 142, SPAN_MEMORY, 0}, {142, 150, SPAN_RUNS, 0}, {150, 160, SPAN_RUNS, 0}};
    assert_spans(spans, 0, first, 7);
    assert_spans(spans, 1, second, 6);
    assert_int_equal(spans->last, 160);
    assert_int_equal(spans->cycles[0][SPAN_PIPE], 31);
    assert_int_equal(spans->all[SPAN_MEMORY], 192);
    assert_int_equal(spans->all[SPAN_BARRIER], 5);
    trace_free(trace);
    arena_free(&arena);
}

static void a_gpus_clock_tells_no_more_than_the_next_event(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = two_warps(TRACE_CLOCK_GPU);
    struct spans *spans = spans_new(&arena, timeline_new(&arena, trace, 0));
    struct span const first[] = {{10, 145, SPAN_MEMORY, 0}, {145, 150, SPAN_BARRIER, 0}, {150, 155, SPAN_RUNS, 0}};
    assert_spans(spans, 0, first, 3);
    assert_int_equal(spans->first, 10);
    assert_int_equal(spans->all[SPAN_PIPE], 0);
    trace_free(trace);
    arena_free(&arena);
}

static void a_block_without_events_has_no_spans(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    struct spans *spans = spans_new(&arena, timeline_new(&arena, trace, 7));
    for (uint32_t warp = 0; warp <= spans->warp_count; warp++)
        assert_int_equal(spans->starts[warp], 0);
    assert_int_equal(spans->last, spans->first);
    trace_free(trace);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_runs_between_its_load_and_the_wait_for_the_value),
        cmocka_unit_test(a_gpus_clock_tells_no_more_than_the_next_event),
        cmocka_unit_test(a_block_without_events_has_no_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
