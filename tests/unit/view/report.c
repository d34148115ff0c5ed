/* Findings on screen: their position in the animation, and the drawing of the memory that a fault accessed. */
#include "view/report.h"
#include "../fake_metrics.h"
#include "draw_dump.h"
#include "emulator_helper.h"
#include "view/stage.h"

struct stand { /* a run, and everything that panels need to show it */
    struct bench b;
    struct report report;
    struct playback *playback;
    struct arena arena;
    struct ui ui;
    struct scene scene;
    struct view view;
    int32_t data[64], more[64];
};

static void run_case(struct stand *s, const char *path, const char *kernel, uint32_t grid, uint32_t block)
{
    *s = (struct stand){.ui = {.metrics = fake_metrics(), .theme = &theme_light, .unit = 1}};
    bench_file(&s->b, path);
    s->b.options = (struct emulator_options){
        .recorded = LAUNCH_ALL_BLOCKS, .threads = 1, .checks.memory = true, .checks.races = true};
    bench_launch(&s->b, kernel, grid, block);
    bench_buffer(&s->b, PTX_S32, s->data, 64);
}

static void show(struct stand *s, uint64_t block)
{
    bench_run(&s->b);
    const struct trace *trace = s->b.result.trace;
    s->report = (struct report){.trace = trace};
    s->playback = playback_new(&s->arena, trace, block);
    ui_begin(&s->ui, &s->arena, (struct rect){0, 0, 900, 400});
    s->view = (struct view){.ui = &s->ui, .arena = &s->arena, .scene = &s->scene};
}

static void end(struct stand *s)
{
    arena_free(&s->arena);
    bench_free(&s->b);
}

/* Each side of a race between blocks is found in its own block. Once found, frames do not search again. */
static void a_race_is_searched_for_once(void **state)
{
    (void)state;
    struct stand s;
    run_case(&s, "faults/race_blocks_sum.ptx", "race_blocks_sum", 2, 32);
    bench_buffer(&s.b, PTX_S32, s.more, 64);
    show(&s, 1);
    assert_true(report_count(&s.report) > 0);
    const struct trace *trace = s.b.result.trace;
    const struct finding *finding = report_finding(&s.report, 0);
    assert_kind(finding, RACE);
    assert_int_equal(finding->race.first.block, 0);
    size_t event = 0;
    assert_true(report_event(trace, finding, 0, &event));
    assert_int_equal(s.b.result.trace->events.items[event].block, 0);
    assert_true(report_event(trace, finding, 1, &event));
    assert_int_equal(finding_position(trace, finding, 0, s.playback), SIZE_MAX); /* in the other block's animation */
    size_t const position = finding_position(trace, finding, 1, s.playback);
    assert_int_equal(s.playback->timeline->events[position], event);
    size_t const count = s.b.result.trace->events.count;
    s.b.result.trace->events.count = 0; /* another search would now find nothing */
    assert_int_equal(finding_position(trace, finding, 1, s.playback), position);
    s.b.result.trace->events.count = count;
    end(&s);
}

static void a_fault_in_the_heap_is_not_drawn_beside_a_buffer(void **state)
{
    (void)state;
    struct stand s;
    run_case(&s, "faults/bounds_heap.ptx", "bounds_heap", 1, 1);
    bench_scalar(&s.b, PTX_S32, 17);
    show(&s, 0);
    scene_build(&s.scene, s.playback, s.playback->count - 1, NULL, &s.arena);
    const struct finding *fault = nth_fault(s.b.result.trace, 0);
    assert_non_null(fault);
    assert_kind(fault, OUT_OF_BOUNDS);
    assert_true(fault_height(&s.view, fault) == 0);
    assert_non_null(strstr(report_sentence(&s.arena, s.b.result.trace, fault), "malloc"));
    end(&s);
}

static void a_fault_before_any_access_has_no_access_number(void **state)
{
    (void)state;
    struct stand s;
    run_case(&s, "faults/null_read.ptx", "null_read", 1, 32);
    s.b.launch.buffer_count = s.b.launch.argument_count = 0;
    bench_scalar(&s.b, PTX_U64, 0);
    bench_scalar(&s.b, PTX_U64, 0);
    show(&s, 0);
    scene_build(&s.scene, s.playback, 0, NULL, &s.arena);
    assert_int_equal(s.scene.kind, SCENE_FAULT);
    assert_int_equal(s.playback->access_count, 0);
    struct timeline_view const timeline = {
        .playback = s.playback, .where = "", .where_short = "", .where_least = "", .hint = ""};
    card_timeline(&s.view, (struct rect){0, 0, 900, 80}, &timeline);
    ui_end(&s.ui);
    const char *dump = draw_dump(&s.ui.draw, &s.arena);
    assert_null(strstr(dump, "access 0"));
    assert_non_null(strstr(dump, "the run stops here"));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_race_is_searched_for_once),
        cmocka_unit_test(a_fault_in_the_heap_is_not_drawn_beside_a_buffer),
        cmocka_unit_test(a_fault_before_any_access_has_no_access_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
