#include "model/timeline.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Fills the states of the lanes at one event from the whole trace. */
static void states_of_trace(const struct trace *trace, size_t event, enum lane_state lanes[32])
{
    struct arena scratch = {0};
    const struct trace_event *asked = &trace->events.items[event];
    uint32_t *events = arena_array(&scratch, uint32_t, trace->events.count);
    size_t count = 0, position = 0;
    for (size_t i = 0; i < trace->events.count; i++) {
        if (trace->events.items[i].block != asked->block || trace->events.items[i].warp != asked->warp)
            continue;
        if (i == event)
            position = count;
        events[count++] = (uint32_t)i;
    }
    struct lane_masks *masks = arena_array(&scratch, struct lane_masks, count);
    model_lane_masks(trace, events, count, masks);
    model_lane_states(trace, asked, masks[position], lanes);
    arena_free(&scratch);
}

/* Returns one letter per lane: a active, m masked, e waits for the other path, x exited, - absent. */
static const char *lanes_text(const struct timeline *timeline, size_t position, unsigned count)
{
    static char text[WARP_LANES + 1];
    enum lane_state lanes[WARP_LANES], slowly[WARP_LANES];
    timeline_lanes(timeline, position, lanes);
    states_of_trace(timeline->trace, timeline->events[position], slowly);
    assert_memory_equal(lanes, slowly, sizeof lanes);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        text[lane] = "amex-"[lanes[lane]];
    text[count] = '\0';
    return text;
}

static void both_paths_of_a_branch_take_their_turn(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 0, false);
    struct timeline *timeline = timeline_new(&arena, trace, 0);
    assert_int_equal(timeline->count, 18);
    assert_int_equal(timeline->warp_count, 2);
    /* positions 6 to 11 and 15 to 17 belong to the second warp, which has 8 lanes */
    assert_string_equal(lanes_text(timeline, 6, 10), "aaaaaaaa--");
    assert_string_equal(lanes_text(timeline, 7, 10), "aaaaaaaa--");
    /* even lanes store while odd lanes wait for their path */
    assert_string_equal(lanes_text(timeline, 8, 10), "aeaeaeae--");
    /* odd lanes store, and even lanes have finished their path */
    assert_string_equal(lanes_text(timeline, 9, 10), "mamamama--");
    assert_string_equal(lanes_text(timeline, 10, 10), "aaaaaaaa--");
    assert_string_equal(lanes_text(timeline, 17, 10), "aaaaaaaa--");
    trace_free(trace);
    arena_free(&arena);
}

static void a_path_without_events_is_masked_not_waiting(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_event(trace, 0, 1, TRACE_BRANCH_TAKEN, SITE_BRANCH, 0xff, 0x0f); /* if (lane >= 4) { load } */
    sample_access(trace, 0, 1, SITE_LOAD, 0xf0, SAMPLE_BUFFER, 4, false);
    sample_access(trace, 0, 1, SITE_STORE, 0xff, SAMPLE_BUFFER, 4, false);
    struct timeline *timeline = timeline_new(&arena, trace, 0);
    assert_string_equal(lanes_text(timeline, 1, 8), "mmmmaaaa");
    assert_string_equal(lanes_text(timeline, 2, 8), "aaaaaaaa");
    trace_free(trace);
    arena_free(&arena);
}

static void nested_branches_and_early_exits_keep_lanes_apart(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_event(trace, 0, 1, TRACE_BRANCH_TAKEN, SITE_BRANCH, 0xff, 0x0f);
    sample_event(trace, 0, 1, TRACE_BRANCH_TAKEN, SITE_BRANCH, 0x0f, 0x03);
    sample_access(trace, 0, 1, SITE_LOAD, 0x03, SAMPLE_BUFFER, 4, false);
    sample_event(trace, 0, 1, TRACE_EXIT, PTX_NO_INDEX, 0x03, 0);
    sample_access(trace, 0, 1, SITE_LOAD, 0x0c, SAMPLE_BUFFER, 4, false);
    sample_access(trace, 0, 1, SITE_LOAD, 0xf0, SAMPLE_BUFFER, 4, false);
    sample_access(trace, 0, 1, SITE_LOAD, 0xfc, SAMPLE_BUFFER, 4, false);
    sample_event(trace, 0, 1, TRACE_EXIT, PTX_NO_INDEX, 0xfc, 0);
    struct timeline *timeline = timeline_new(&arena, trace, 0);
    static const char *const expected[] = {"aaaaaaaa", "aaaaeeee", "aaeeeeee", "aaeeeeee",
                                           "xxaaeeee", "xxmmaaaa", "xxaaaaaa", "xxaaaaaa"};
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(lanes_text(timeline, i, 8), expected[i]);
    enum timeline_state states[2];
    timeline_warps(timeline, 3, states);
    assert_int_equal(states[1], TIMELINE_READY); /* two lanes exited, six continue */
    timeline_warps(timeline, 7, states);
    assert_int_equal(states[1], TIMELINE_DONE);
    trace_free(trace);
    arena_free(&arena);
}

/* Compilers put either side of an `if` behind the jump, so the lines decide and not the order in which the sides run.
 */
static void the_else_path_has_the_later_lines_whichever_runs_first(void **state)
{
    (void)state;
    for (int later_first = 0; later_first < 2; later_first++) {
        struct arena arena = {0};
        struct trace *trace = sample_empty(SAMPLE_BUFFER);
        sample_event(trace, 0, 1, TRACE_BRANCH_TAKEN, SITE_BRANCH, 0xff, 0x0f);
        sample_access(trace, 0, 1, later_first ? SITE_STORE : SITE_SHARED, 0x0f, SAMPLE_BUFFER, 4, false);
        sample_access(trace, 0, 1, later_first ? SITE_SHARED : SITE_STORE, 0xf0, SAMPLE_BUFFER, 4, false);
        sample_access(trace, 0, 1, SITE_LOAD, 0xff, SAMPLE_BUFFER, 4, false);
        struct timeline *timeline = timeline_new(&arena, trace, 0);
        uint32_t const expected = later_first ? 0x0f : 0xf0;
        assert_true(timeline->diverges);
        assert_int_equal(timeline_else(timeline, 0), 0);
        assert_int_equal(timeline_else(timeline, 1), expected);
        assert_int_equal(timeline_else(timeline, 2), expected);
        assert_int_equal(timeline_else(timeline, 3), 0);
        assert_int_equal(timeline_branch(timeline, 2), 0);
        trace_free(trace);
        arena_free(&arena);
    }
}

static void rounds_of_a_loop_are_one_level_and_an_if_in_an_if_is_another(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_event(trace, 0, 1, TRACE_BRANCH_TAKEN, SITE_BRANCH, 0xff, 0x7f);
    sample_event(trace, 0, 1, TRACE_BRANCH_TAKEN, SITE_BRANCH, 0x7f, 0x3f);
    sample_event(trace, 0, 1, TRACE_BRANCH_TAKEN, SITE_STORE, 0x3f, 0x0f);
    sample_access(trace, 0, 1, SITE_LOAD, 0x0f, SAMPLE_BUFFER, 4, false);
    struct timeline *timeline = timeline_new(&arena, trace, 0);
    static const uint32_t expected[] = {0, 1, 1, 2};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(timeline->lanes[i].depth, expected[i]);
    assert_int_equal(timeline_else(timeline, 3), 0); /* a loop's other lanes make no steps of their own */
    trace_free(trace);
    arena_free(&arena);
}

static void warps_are_in_the_state_of_their_last_event(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 0, false);
    struct timeline *timeline = timeline_new(&arena, trace, 1);
    static const struct {
        size_t position;
        enum timeline_state first, second;
    } expected[] = {{17, TIMELINE_DONE, TIMELINE_DONE},     {0, TIMELINE_MEMORY, TIMELINE_READY},
                    {5, TIMELINE_BARRIER, TIMELINE_READY},  {6, TIMELINE_BARRIER, TIMELINE_MEMORY},
                    {7, TIMELINE_BARRIER, TIMELINE_READY},  {11, TIMELINE_BARRIER, TIMELINE_BARRIER},
                    {12, TIMELINE_READY, TIMELINE_BARRIER}, {13, TIMELINE_MEMORY, TIMELINE_BARRIER},
                    {14, TIMELINE_DONE, TIMELINE_BARRIER},  {15, TIMELINE_DONE, TIMELINE_READY}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        enum timeline_state states[2];
        timeline_warps(timeline, expected[i].position, states);
        assert_int_equal(states[0], expected[i].first);
        assert_int_equal(states[1], expected[i].second);
    }
    trace_free(trace);
    arena_free(&arena);
}

/* Adds an event at a cycle. An access of all lanes has two chunks: two passes. */
static void add_at(struct trace *trace, uint64_t time, uint32_t warp, enum trace_kind kind, uint32_t site,
                   uint32_t other)
{
    uint64_t const addresses[WARP_LANES] = {SAMPLE_BUFFER};
    struct trace_event const event = {.kind = kind,
                                      .site = site,
                                      .warp = warp,
                                      .mask = kind == TRACE_EXIT && warp == 1 ? 0xff : UINT32_MAX,
                                      .other = other,
                                      .time = time};
    trace_add(trace, &event, kind == TRACE_ACCESS ? addresses : NULL, NULL);
}

static void by_the_model_clock_a_warp_goes_on_until_it_uses_its_value(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    add_at(trace, 1, 0, TRACE_ACCESS, SITE_LOAD, 100);
    add_at(trace, 5, 0, TRACE_LOAD_WAIT, SITE_LOAD, 96);         /* until 101 */
    add_at(trace, 11, 1, TRACE_ACCESS, SITE_LOAD, 50);           /* its second pass holds it until 12 */
    add_at(trace, 15, 1, TRACE_LOAD_WAIT, SITE_LOAD, 46);        /* until 61: both wait from 15 to 61 */
    add_at(trace, 71, 1, TRACE_BARRIER_ARRIVE, SITE_BARRIER, 0); /* and from 71 to 101 */
    add_at(trace, 121, 0, TRACE_BARRIER_ARRIVE, SITE_BARRIER, 0);
    add_at(trace, 121, 0, TRACE_BARRIER_RELEASE, SITE_BARRIER, 0);
    add_at(trace, 121, 1, TRACE_BARRIER_RELEASE, SITE_BARRIER, 0);
    add_at(trace, 125, 1, TRACE_EXIT, PTX_NO_INDEX, 0);
    add_at(trace, 131, 0, TRACE_ACCESS, SITE_STORE, 40); /* its second pass: until 132 */
    add_at(trace, 135, 0, TRACE_EXIT, PTX_NO_INDEX, 0);
    trace_sort(trace);
    struct timeline *timeline = timeline_new(&arena, trace, 0);
    enum timeline_state states[2];
    static const struct {
        size_t position;
        enum timeline_state first, second;
    } rows[] = {{1, TIMELINE_MEMORY, TIMELINE_READY},
                {2, TIMELINE_MEMORY, TIMELINE_MEMORY},
                {3, TIMELINE_MEMORY, TIMELINE_MEMORY},
                {4, TIMELINE_MEMORY, TIMELINE_BARRIER}, /* its value arrives after 71 */
                {8, TIMELINE_READY, TIMELINE_DONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        timeline_warps(timeline, rows[i].position, states);
        assert_int_equal(states[0], rows[i].first);
        assert_int_equal(states[1], rows[i].second);
    }
    struct timeline_cycles const cycles = timeline_cycles(timeline);
    assert_int_equal(cycles.all, 135);
    assert_int_equal(cycles.idle, 1 + 46 + 30 + 1);
    assert_int_equal(timeline_there(timeline, 0), 101);
    assert_int_equal(timeline_there(timeline, 9), 0); /* a store brings nothing */
    trace->clock = TRACE_CLOCK_GPU;                   /* a GPU does not record when values arrive */
    timeline = timeline_new(&arena, trace, 0);
    timeline_warps(timeline, 4, states);
    assert_int_equal(states[0], TIMELINE_READY);
    assert_int_equal(timeline_cycles(timeline).all, 0);
    assert_int_equal(timeline_there(timeline, 0), 0);
    trace_free(trace);
    arena_free(&arena);
}

static void loads_that_are_on_their_way_together_have_lines_of_their_own(void **state)
{
    static const struct {
        uint64_t time;
        uint32_t site, other, line;
    } rows[] = {{0, SITE_LOAD, 100, 0}, {4, SITE_LOAD, 50, 1},  {8, SITE_STORE, 90, 0},
                {12, SITE_LOAD, 20, 2}, {54, SITE_LOAD, 40, 1}, {100, SITE_LOAD, 10, 0}};
    (void)state;
    struct arena arena = {0};
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_at(trace, rows[i].time, 0, TRACE_ACCESS, rows[i].site, rows[i].other);
    const struct timeline *timeline = timeline_new(&arena, trace, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(timeline->line[i], rows[i].line);
    assert_int_equal(timeline->lines, 3);
    trace->clock = TRACE_CLOCK_GPU; /* it does not say when values arrive */
    timeline = timeline_new(&arena, trace, 0);
    assert_int_equal(timeline->lines, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(timeline->line[i], 0);
    trace_free(trace);
    arena_free(&arena);
}

static void masked_steps_are_added_up(void **state)
{
    (void)state;
    struct divergence result;
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 0, false);
    model_divergence(trace, 0, 0, &result);
    assert_int_equal(result.branches, 1);
    assert_int_equal(result.divergent, 1);
    assert_int_equal(result.steps, 6); /* load, branch, two sides, barrier, store */
    assert_int_equal(result.lane_steps, 4 * 32 + 2 * 16);
    assert_int_equal(result.idle_steps, 2 * 16);
    trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_paths_of_a_branch_take_their_turn),
        cmocka_unit_test(a_path_without_events_is_masked_not_waiting),
        cmocka_unit_test(nested_branches_and_early_exits_keep_lanes_apart),
        cmocka_unit_test(the_else_path_has_the_later_lines_whichever_runs_first),
        cmocka_unit_test(rounds_of_a_loop_are_one_level_and_an_if_in_an_if_is_another),
        cmocka_unit_test(warps_are_in_the_state_of_their_last_event),
        cmocka_unit_test(by_the_model_clock_a_warp_goes_on_until_it_uses_its_value),
        cmocka_unit_test(loads_that_are_on_their_way_together_have_lines_of_their_own),
        cmocka_unit_test(masked_steps_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
