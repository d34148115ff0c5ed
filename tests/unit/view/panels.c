/* Every panel that a lesson can name, alone on the stage, compared with tests/views/panel_NAME.txt. It is drawn at the
 * access of the sample trace with the most draw commands. A row of ui/panels.def is tested here without a line of its
 * own; LANESCOPE_WRITE_GOLDEN=1 writes its text. A panel that the sample trace never shows needs its own test. */
#include "view_golden.h"
#include <math.h>

/* The document's parts beside the trace. */
static struct ladder_point const points[] = {{1, 1, "1"}, {2, 2, "2"}, {4, 4, "4"}};
static double const other_values[] = {2, NAN, 100}; /* so far from the points that the axis is logarithmic */
static struct ladder_line const other_lines[] = {{"another variant", other_values}};
static struct ladder const ladder = {.points = points,
                                     .others = other_lines,
                                     .other_count = 1,
                                     .count = 3,
                                     .known = 3,
                                     .current = 1,
                                     .x_name = "stride",
                                     .y_name = "number of passes",
                                     .name = "this variant"};

static struct counter const counters[] = {{"smsp__inst_executed.sum", 90},
                                          {"smsp__thread_inst_executed.sum", 2400},
                                          {"smsp__thread_inst_executed_pred_on.sum", 2000},
                                          {"smsp__sass_branch_targets_threads_divergent.sum", 0}};
static struct counter const opcodes[] = {{"BRA", 2}, {"LDG", 40}, {"EXIT", 4}};
static struct sass_counts const sass_counts = {.counted = true,
                                               .device = "NVIDIA H200",
                                               .date = "2026-11-22",
                                               .counters = counters,
                                               .counter_count = 4,
                                               .opcodes = opcodes,
                                               .opcode_count = 3};
static struct counts const written = {.totals = {100, 2000, 4, 4}};
static struct sass_line const lines[] = {
    {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .written = 8, .ran = 8},
    {.operation = TRACE_STORE, .space = PTX_SPACE_SHARED, .written = 16, .ran = 4}};
static struct sass_view const sass = {&sass_counts, &written, lines, 2};
static struct occupancy_limits const limits = {.capability = "9.0",
                                               .threads = 2048,
                                               .blocks = 32,
                                               .barriers = 64,
                                               .registers = 65536,
                                               .registers_per_thread = 255,
                                               .registers_per_block = 65536,
                                               .register_unit = 256,
                                               .partitions = 4,
                                               .shared = 233472,
                                               .shared_per_block = 232448,
                                               .shared_reserved = 1024,
                                               .shared_unit = 128};

static struct roofline_point const placed[] = {
    {.label = "naive", .known = true, .flop = 2e9, .bytes = {8e6, 4e9}, .microseconds = 400},
    {.label = "tiled", .current = true, .known = true, .flop = 2e9, .bytes = {8e6, 5e8}, .microseconds = 250},
    {.label = "new"}};
static struct roofline const roofline = {.gpu = "Some GPU",
                                         .flop_rate = 6e13,
                                         .rates = {[ROOFLINE_DRAM] = 4e12, [ROOFLINE_L1] = 3e13},
                                         .points = placed,
                                         .count = 3,
                                         .other = "library",
                                         .other_rate = 3e13};

/* Draws the panel alone at a position. Returns false when it needs no room there. */
static bool draw_at(struct stand *stand, const struct playback *playback, const struct panel *panel, size_t position)
{
    struct occupancy_case occupancy = {.limits = &limits,
                                       .needs = {.threads = 256, .registers = 32, .shared = 40 << 10}};
    occupancy.got = occupancy_of(&limits, &occupancy.needs);
    struct stage_view const offered = {
        .shown = panel->flag, .ladder = &ladder, .sass = &sass, .occupancy = &occupancy, .roofline = &roofline};
    ui_begin(&stand->ui, &stand->arena, stand->ui.screen);
    scene_build(&stand->scene, playback, position, dram_preset("classroom"), &stand->arena);
    stand_with_variables(stand);
    stand->stage = stage_chosen(&stand->view, &offered);
    struct panel_size const size = panel->size(&stand->view);
    if (size.best <= 0 || !trace_has_addresses(stand->scene.event->kind))
        return false;
    struct action action = NO_ACTION;
    if (panel->title)
        action = panel->title(&stand->view, view_columns(&stand->view, (struct rect){0, 0, 900, 30}));
    assert_int_equal(action.kind, ACTION_NONE);
    action = panel->draw(&stand->view, (struct rect){0, 30, 900, size.best});
    assert_int_equal(action.kind, ACTION_NONE);
    return true;
}

static void each_panel_draws_as_its_golden_text(void **state)
{
    (void)state;
    for (int i = 0; i < STAGE_PANELS; i++) {
        const struct panel *panel = &stage_panels[i];
        struct stand stand;
        size_t best = SIZE_MAX, most = 0;
        if (!panel->flag)
            continue;
        stand_up(&stand, (struct rect){0, 0, 900, 400});
        stand.trace = sample_trace(SAMPLE_BUFFER, 0, true);
        stand.trace->buffers[0].shape = (struct launch_shape){64, 60, 256};
        const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
        for (size_t position = 0; position < playback->count; position++)
            if (draw_at(&stand, playback, panel, position) && stand.ui.draw.count > most) {
                best = position;
                most = stand.ui.draw.count;
            }
        if (best != SIZE_MAX && draw_at(&stand, playback, panel, best)) {
            compare_with_golden(&stand, arena_format(&stand.arena, "panel_%s", panel->name));
            continue;
        }
        trace_free(stand.trace);
        arena_free(&stand.arena);
    }
}

/* Returns the panel of a name. */
static const struct panel *panel_named(const char *name)
{
    for (int i = 0; i < STAGE_PANELS; i++)
        if (stage_panels[i].name && strcmp(stage_panels[i].name, name) == 0)
            return &stage_panels[i];
    fail_msg("no panel is called %s", name);
    return NULL;
}

/* 5 x 4 x 2 threads: a warp and a quarter, in two layers. */
static void threads_stand_in_three_dimensions(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    stand.trace = sample_trace(SAMPLE_BUFFER, 0, true);
    stand.trace->block[0] = 5, stand.trace->block[1] = 4, stand.trace->block[2] = 2;
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    assert_true(draw_at(&stand, playback, panel_named("threads"), 0));
    compare_with_golden(&stand, "panel_threads_layers");
}

/* The last thread of the second layer belongs to warp 1. */
static void a_click_on_a_thread_chooses_its_warp(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    stand.trace = sample_trace(SAMPLE_BUFFER, 0, true);
    stand.trace->block[0] = 5, stand.trace->block[1] = 4, stand.trace->block[2] = 2;
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    const struct panel *panel = panel_named("threads");
    struct action action = NO_ACTION;
    assert_true(draw_at(&stand, playback, panel, 0));
    for (int frame = 0; frame < 2; frame++) {
        stand.ui.input = (struct ui_input){.mouse = {500 + 4.5f * 25, 52 + 3.5f * 32},
                                           .mouse_inside = true,
                                           .down = frame == 0,
                                           .pressed = frame == 0,
                                           .released = frame == 1};
        ui_begin(&stand.ui, &stand.arena, stand.ui.screen);
        action = panel->draw(&stand.view, (struct rect){0, 0, 900, panel->size(&stand.view).best});
        ui_end(&stand.ui);
    }
    assert_int_equal(action.kind, ACTION_GO_WARP);
    assert_int_equal(action.value, 1);
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

/* Adds a shuffle in which each lane takes the number `away` lanes above it, and a store of the sums by lane 0. */
static void add_step(struct trace *trace, uint64_t numbers[WARP_LANES], unsigned away)
{
    uint64_t sources[WARP_LANES], values[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        sources[lane] = lane + away < WARP_LANES ? lane + away : lane;
        values[lane] = numbers[lane] << 32 | numbers[sources[lane]];
    }
    struct trace_event const event = {
        .kind = TRACE_SHUFFLE, .site = SITE_SHUFFLE, .mask = UINT32_MAX, .time = trace->events.count * 3};
    trace_add(trace, &event, sources, values);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        numbers[lane] = (values[lane] >> 32) + (values[lane] & UINT32_MAX);
}

/* Four lanes' numbers become one; what the other lanes add is needed by nobody. */
static void the_tree_draws_as_its_golden_text(void **state)
{
    (void)state;
    struct stand stand;
    uint64_t numbers[WARP_LANES];
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    stand.trace = sample_empty(SAMPLE_BUFFER);
    stand.trace->buffers[0].type = PTX_U32;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        numbers[lane] = lane + 1;
    sample_access(stand.trace, 0, 0, SITE_LOAD, UINT32_MAX, SAMPLE_BUFFER, 4, true);
    add_step(stand.trace, numbers, 2);
    add_step(stand.trace, numbers, 1);
    uint64_t const address[WARP_LANES] = {SAMPLE_BUFFER};
    struct trace_event const store = {.kind = TRACE_ACCESS, .site = SITE_STORE, .mask = 1, .time = 100};
    trace_add(stand.trace, &store, address, numbers);
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    assert_true(draw_at(&stand, playback, panel_named("tree"), 2));
    compare_with_golden(&stand, "panel_tree");
}

/* Adds an event of the first warp that has no addresses. */
static void add_event(struct trace *trace, uint64_t time, enum trace_kind kind, uint32_t site, uint32_t other)
{
    struct trace_event const event = {.kind = kind, .site = site, .mask = UINT32_MAX, .other = other, .time = time};
    trace_add(trace, &event, NULL, NULL);
}

/* Adds a cp.async of the first warp: to a place in shared memory, in a group of its own. */
static void add_copy(struct trace *trace, uint64_t time, uint32_t cycles, uint64_t to)
{
    uint64_t addresses[WARP_LANES], places[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        addresses[lane] = SAMPLE_BUFFER + 16 * lane;
        places[lane] = trace->shared_base + to + 16 * lane;
    }
    struct trace_event event = {.kind = TRACE_ACCESS,
                                .site = SITE_SHARED,
                                .mask = UINT32_MAX,
                                .other = cycles,
                                .space = PTX_SPACE_GLOBAL,
                                .time = time};
    trace_add(trace, &event, addresses, NULL);
    event.kind = TRACE_COPY_TO;
    trace_add(trace, &event, places, NULL);
    add_event(trace, time, TRACE_COPY_GROUP, PTX_NO_INDEX, 0);
}

/* Makes a trace in which a warp copies into two buffers, waits for the first and reads it. */
static struct trace *trace_of_copies(void)
{
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    ((struct trace_site *)trace->sites)[SITE_SHARED].operation = TRACE_LOAD;
    add_copy(trace, 10, 100, 0);
    add_copy(trace, 20, 150, 512);
    add_event(trace, 30, TRACE_COPY_WAIT, PTX_NO_INDEX, 80);
    add_event(trace, 110, TRACE_BARRIER_ARRIVE, SITE_BARRIER, 0);
    add_event(trace, 130, TRACE_BARRIER_RELEASE, SITE_BARRIER, 0);
    sample_access(trace, 0, 0, SITE_SHARED, UINT32_MAX, trace->shared_base, 16, false);
    trace->events.items[trace->events.count - 1].time = 140;
    add_event(trace, 210, TRACE_EXIT, PTX_NO_INDEX, 0);
    return trace;
}

static void overlap_draws_copies_and_work_as_its_golden_text(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    stand.trace = trace_of_copies();
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    assert_true(draw_at(&stand, playback, panel_named("overlap"), 3));
    compare_with_golden(&stand, "panel_overlap_copies");
}

/* The panel is 796 wide for 210 cycles. */
static void the_mouse_over_overlap_names_the_span(void **state)
{
    (void)state;
    static const struct {
        float cycle, y;
        const char *words;
    } places[] = {{60, 65, "copy 0 of warp 0, to buffer 0: in flight from cycle 10 to 110 of the model (100)"},
                  {60, 80, "copy 1 of warp 0, to buffer 1: in flight from cycle 20 to 170 of the model (150)"},
                  {60, 95, "warp 0 waits for a copy: cycles 30 to 110 of the model (80)"},
                  {120, 95, "warp 0 waits at the barrier: cycles 110 to 130 of the model (20)"},
                  {200, 95, "warp 0 works on copy 0, in buffer 0: cycles 130 to 210 of the model (80)"}};
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    stand.trace = trace_of_copies();
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    const struct panel *panel = panel_named("overlap");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_true(draw_at(&stand, playback, panel, 3));
        stand.ui.input =
            (struct ui_input){.mouse = {100 + 796 * places[i].cycle / 210, places[i].y}, .mouse_inside = true};
        ui_begin(&stand.ui, &stand.arena, stand.ui.screen);
        panel->draw(&stand.view, (struct rect){0, 0, 900, panel->size(&stand.view).best});
        assert_non_null(stand.ui.tooltip);
        assert_string_equal(stand.ui.tooltip, places[i].words);
        ui_end(&stand.ui);
    }
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

/* A product in registers, with the rows of 16 columns of a as two tiles below each other. */
static void fragments_of_a_product_draw_as_their_golden_text(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 500});
    stand.trace = sample_empty(SAMPLE_BUFFER);
    sample_product(stand.trace, 0);
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    assert_int_equal(playback->access_count, 1); /* its events are one step */
    assert_true(draw_at(&stand, playback, panel_named("fragments"), 2));
    compare_with_golden(&stand, "panel_fragments");
}

/* Two matrices whose rows lie 128 bytes apart: every row in the same banks. */
static void rows_of_ldmatrix_draw_as_their_golden_text(void **state)
{
    (void)state;
    struct stand stand;
    uint64_t rows[WARP_LANES], values[WARP_LANES] = {0};
    stand_up(&stand, (struct rect){0, 0, 900, 500});
    stand.trace = sample_empty(SAMPLE_BUFFER);
    struct trace_site *site = &((struct trace_site *)stand.trace->sites)[SITE_LOAD];
    *site = (struct trace_site){.operation = TRACE_LOAD,
                                .space = PTX_SPACE_SHARED,
                                .bytes = 16,
                                .text = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r6, %r7}, [%r1]"};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        rows[lane] = stand.trace->shared_base + lane % 16 * 128;
    struct trace_event const event = {.kind = TRACE_ACCESS, .site = SITE_LOAD, .mask = 0xffff};
    trace_add(stand.trace, &event, rows, values);
    sample_product(stand.trace, 0);
    const struct playback *playback = playback_new(&stand.arena, stand.trace, 0);
    assert_true(draw_at(&stand, playback, panel_named("fragments"), 0));
    compare_with_golden(&stand, "panel_fragments_rows");
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int i = 0; i < STAGE_PANELS; i++) {
        assert_int_equal(stage_panels[i].name != NULL, stage_panels[i].flag != 0);
        assert_non_null(stage_panels[i].size);
        assert_non_null(stage_panels[i].draw);
        assert_true(stage_panels[i].left_out >= 0 && stage_panels[i].left_out <= STAGE_PANELS);
        for (int k = 0; k < GROWTHS; k++)
            assert_true(stage_panels[i].grows[k].turn >= 0 && stage_panels[i].grows[k].turn <= GROWTH_TURNS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_panel_draws_as_its_golden_text),
        cmocka_unit_test(threads_stand_in_three_dimensions),
        cmocka_unit_test(a_click_on_a_thread_chooses_its_warp),
        cmocka_unit_test(the_tree_draws_as_its_golden_text),
        cmocka_unit_test(overlap_draws_copies_and_work_as_its_golden_text),
        cmocka_unit_test(the_mouse_over_overlap_names_the_span),
        cmocka_unit_test(fragments_of_a_product_draw_as_their_golden_text),
        cmocka_unit_test(rows_of_ldmatrix_draw_as_their_golden_text),
        cmocka_unit_test(every_row_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
