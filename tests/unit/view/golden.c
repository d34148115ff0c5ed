/* The panels' draw lists as text, from a hand-made trace and a fixed-width fake font, compared with golden dumps in
 * tests/views. LANESCOPE_WRITE_GOLDEN=1 rewrites the dumps; read the difference before you commit it. */
#include "view/overview/overview.h"
#include "view_golden.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void set_up(struct stand *stand)
{
    stand_up(stand, (struct rect){0, 0, 900, 400});
    stand->trace = sample_trace(SAMPLE_BUFFER, 0, true);
}

static void go(struct stand *stand, size_t position)
{
    const struct playback *playback = playback_new(&stand->arena, stand->trace, 0);
    scene_build(&stand->scene, playback, position, dram_preset("classroom"), &stand->arena);
}

/* Adds a load from shared memory at a stride in bytes, because the sample trace has only a store of 16 bytes. */
static void load_at_stride(struct stand *stand, uint64_t stride)
{
    static const struct trace_site site = {.operation = TRACE_LOAD, .space = PTX_SPACE_SHARED, .bytes = 4, .line = 5};
    static struct trace_event event = {.kind = TRACE_ACCESS, .mask = UINT32_MAX};
    uint64_t *addresses = arena_array(&stand->arena, uint64_t, 32);
    go(stand, 0);
    for (uint64_t lane = 0; lane < 32; lane++)
        addresses[lane] = lane * stride;
    stand->scene.kind = SCENE_SHARED;
    stand->scene.event = &event;
    stand->scene.site = &site;
    stand->scene.addresses = addresses;
    model_banks(addresses, UINT32_MAX, 4, TRACE_LOAD, &stand->scene.banks);
}

static void lanes_of_both_paths(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 2); /* the even lanes store while the odd lanes wait for their path */
    panel_lanes(&stand.view, (struct rect){0, 10, 900, 40});
    compare_with_golden(&stand, "lanes_else");
}

static void warps_with_their_states(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 8);
    panel_warps(&stand.view, (struct rect){0, 10, 900, 46});
    compare_with_golden(&stand, "warps");
}

static void a_four_way_conflict_as_slots(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    load_at_stride(&stand, 16);
    assert_int_equal(stand.scene.banks.passes, 4);
    panel_banks(&stand.view, (struct rect){0, 0, 900, 200});
    compare_with_golden(&stand, "banks_stride4");
}

static void pointing_at_a_bank_lights_the_lanes_of_all_its_passes(void **state)
{
    (void)state;
    struct stand stand;
    uint32_t hot = 0;
    set_up(&stand);
    load_at_stride(&stand, 16);
    stand.view.hot_next = &hot;
    stand.ui.input.mouse = (struct point){column_middle(&stand.view.columns, 16), 10};
    stand.ui.input.mouse_inside = true;
    panel_banks(&stand.view, (struct rect){0, 0, 900, 200});
    assert_int_equal(hot, 0x10101010);
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

static void the_sectors_of_a_load_arrive_one_by_one(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 13);
    uint32_t const all = stand.scene.chunks.sectors;
    stand.scene.fan = 0.5f;
    assert_int_equal(scene_arrived(&stand.scene).sectors, all / 2);
    assert_int_equal(scene_arrived(&stand.scene).fetched, all / 2 * SECTOR_BYTES);
    stand.scene.fan = 1;
    assert_int_equal(scene_arrived(&stand.scene).used, stand.scene.chunks.bytes_used);
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

static void a_pass_in_motion_has_the_cursor(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    load_at_stride(&stand, 8);
    stand.scene.pass = 0;
    stand.scene.fan = 0.5f;
    view_links(&stand.view, (struct rect){0, 0, 900, 100});
    panel_banks(&stand.view, (struct rect){0, 110, 900, 200});
    compare_with_golden(&stand, "banks_motion");
}

static void a_broadcast_is_one_chip_with_a_fan(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    load_at_stride(&stand, 0);
    view_links(&stand.view, (struct rect){0, 0, 900, 100});
    panel_banks(&stand.view, (struct rect){0, 110, 900, 200});
    compare_with_golden(&stand, "banks_broadcast");
}

static void words_of_shared_memory(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    load_at_stride(&stand, 12);
    panel_shared(&stand.view, (struct rect){0, 0, 900, 120});
    compare_with_golden(&stand, "shared_words");
}

static void chunks_and_rows_of_a_scattered_store(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 13);
    assert_int_equal(stand.scene.kind, SCENE_GLOBAL);
    panel_chunks(&stand.view, (struct rect){0, 0, 900, 200});
    panel_dram(&stand.view, (struct rect){0, 210, 900, 190});
    compare_with_golden(&stand, "chunks_dram");
}

/* 32 chunks, of which every other one was loaded before: their rows are too low for bands of their own. */
static void many_chunks_tell_where_they_came_from_below_their_columns(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, (struct rect){0, 0, 900, 400});
    stand.trace = sample_empty(SAMPLE_BUFFER);
    sample_access(stand.trace, 0, 0, SITE_LOAD, UINT32_MAX, SAMPLE_BUFFER, 256, false);
    sample_access(stand.trace, 0, 0, SITE_LOAD, UINT32_MAX, SAMPLE_BUFFER, 128, false);
    go(&stand, 1);
    stand.scene.caches = true;
    uint32_t counts[ORIGIN_LEVELS];
    origins_count(scene_origins(&stand.scene), &stand.scene.chunks, counts);
    assert_int_equal(counts[ORIGIN_L1], 16);
    panel_chunks(&stand.view, (struct rect){0, 0, 900, 200});
    compare_with_golden(&stand, "chunks_origins");
}

static void the_barrier_as_a_gate(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 5);
    assert_int_equal(stand.scene.kind, SCENE_BARRIER);
    panel_gate(&stand.view, (struct rect){0, 0, 900, 160});
    compare_with_golden(&stand, "gate");
}

static void warps_that_a_barrier_let_through(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 13);
    assert_int_equal(stand.scene.kind, SCENE_GLOBAL);
    panel_gate(&stand.view, (struct rect){0, 0, 900, 160});
    compare_with_golden(&stand, "gate_passed");
}

static void ticks_of_the_timeline(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 5);
    struct timeline_view const timeline = {.playback = stand.scene.playback,
                                           .position = 5,
                                           .speed = 1,
                                           .where = "block 0, warp 0",
                                           .where_short = "block 0, warp 0",
                                           .where_least = "block 0, warp 0",
                                           .hint = "← → access · ? keys"};
    card_timeline(&stand.view, (struct rect){0, 300, 900, 92}, &timeline);
    compare_with_golden(&stand, "timeline");
}

static void the_map_of_a_block(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    go(&stand, 2);
    const struct trace *trace = stand.scene.trace;
    struct playback *playback = playback_new(&stand.arena, trace, stand.scene.block);
    struct counts counts;
    counts_of_trace(trace, &stand.arena, &counts);
    playback_prepare_overview(playback, &stand.arena, &counts, NULL, NULL);
    struct block_map const map = {.spans = playback->spans,
                                  .clock = "model clock (a GPU)",
                                  .cycles = playback->cycles,
                                  .last_block = 1,
                                  .blocks = playback->blocks,
                                  .block_count = playback->block_count,
                                  .recorded = "Recorded: all 2 blocks of the launch."};
    card_block_map(&stand.view, (struct rect){10, 10, 880, 240}, &map);
    compare_with_golden(&stand, "block_map");
}

static void the_list_of_waste(void **state)
{
    (void)state;
    struct stand stand;
    struct counts counts;
    set_up(&stand);
    go(&stand, 2);
    counts_of_trace(stand.trace, &stand.arena, &counts);
    struct waste_view const waste = {.outliers = outliers_new(&stand.arena, stand.trace, &counts, NULL),
                                     .list = WASTE_SITES,
                                     .scope = "in both blocks"};
    card_waste(&stand.view, (struct rect){10, 10, 1200, 300}, &waste);
    compare_with_golden(&stand, "waste");
}

static void times_of_all_three_sources(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    struct time_bar const bars[] = {
        {.label = "stride 1",
         .time = {.source = TIME_LIVE, .median = 5.7, .p25 = 5.6, .p75 = 5.9, .runs = 100, .device = "NVIDIA H200"}},
        {.label = "stride 8",
         .time = {.source = TIME_RECORDED, .median = 5.8, .p25 = 5.7, .p75 = 6.0, .runs = 100, .device = "NVIDIA H200"},
         .current = true},
        {.label = "stride 9", .time = {.source = TIME_NONE}}};
    struct time_view const time = {.bars = bars, .count = 3};
    card_time(&stand.view, (struct rect){10, 10, 420, card_time_height(&stand.view, &time, 420)}, &time);
    compare_with_golden(&stand, "time_card");
}

/* Returns whether the title of a card of this width, with room for one bar of three, has the words. */
static bool title_has(float width, const char *words)
{
    struct stand stand;
    set_up(&stand);
    struct measured_time const time = {
        .source = TIME_LIVE, .median = 5, .p25 = 5, .p75 = 5, .runs = 9, .device = "NVIDIA H100 80GB HBM3"};
    struct time_bar const bars[] = {
        {.label = "a", .time = time, .current = true}, {.label = "b", .time = time}, {.label = "c", .time = time}};
    struct time_view const view = {.bars = bars, .count = 3};
    card_time(&stand.view, (struct rect){0, 0, width, 90}, &view);
    ui_end(&stand.ui);
    bool has = false;
    for (size_t i = 0; i < stand.ui.draw.count; i++)
        has |= stand.ui.draw.items[i].kind == DRAW_TEXT && strstr(stand.ui.draw.items[i].text, words);
    trace_free(stand.trace);
    arena_free(&stand.arena);
    return has;
}

/* From wide to narrow: the whole name of the device, its short one, none. */
static void a_card_of_one_bar_shortens_the_name_of_its_device(void **state)
{
    (void)state;
    static const char *const titles[] = {"LIVE on NVIDIA H100 80GB HBM3 · times shown: 1 of 3",
                                         "LIVE on H100 · times shown: 1 of 3", "TIME · times shown: 1 of 3"};
    int at = 0;
    for (float width = 900; width > 200 && at < 2; width -= 10)
        if (!title_has(width, titles[at]))
            assert_true(title_has(width, titles[++at]));
    assert_int_equal(at, 2);
}

/* Beside a host's milliseconds, the microseconds of two kernels would be two hairlines. */
static void a_bar_that_dwarfs_the_others_is_broken(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    struct time_bar const bars[] = {
        {.label = "global", .time = {.source = TIME_LIVE, .median = 55, .p25 = 54, .p75 = 56, .runs = 31}},
        {.label = "shared", .time = {.source = TIME_LIVE, .median = 64, .p25 = 63, .p75 = 65, .runs = 31}},
        {.label = "host", .time = {.source = TIME_LIVE, .median = 85000, .p25 = 84000, .p75 = 86000, .runs = 31}}};
    struct time_view const time = {.bars = bars, .count = 3};
    card_time(&stand.view, (struct rect){10, 10, 420, card_time_height(&stand.view, &time, 420)}, &time);
    compare_with_golden(&stand, "time_card_broken");
}

static void quartiles_decide_whether_times_differ(void **state)
{
    (void)state;
    struct measured_time const a = {.p25 = 5.6, .median = 5.7, .p75 = 5.9}, b = {.p25 = 5.8, .median = 6, .p75 = 7},
                               c = {.p25 = 6, .median = 6.1, .p75 = 6.2};
    assert_false(time_differs(&a, &b));
    assert_true(time_differs(&a, &c));
    assert_true(time_differs(&c, &a));
}

/* 64 passes in the height of twenty lines of text: rows become low, none is left out, and none leaves the box. */
static void sixty_four_passes_fit(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand);
    load_at_stride(&stand, 128);
    stand.scene.banks.passes = PASSES_MAX;
    for (int pass = 0; pass < PASSES_MAX; pass++) {
        memset(stand.scene.banks.slots[pass], 0, sizeof stand.scene.banks.slots[pass]);
        stand.scene.banks.slots[pass][pass % 2].lanes = 1u << pass % 32;
    }
    panel_banks(&stand.view, (struct rect){0, 0, 900, 320});
    ui_end(&stand.ui);
    int filled = 0;
    for (size_t i = 0; i < stand.ui.draw.count; i++) {
        const struct draw_command *command = &stand.ui.draw.items[i];
        filled += command->kind == DRAW_FILL;
        if (command->kind != DRAW_LINE && command->kind != DRAW_CURVE)
            assert_true(command->rect.y + command->rect.h <= 320.5f);
    }
    assert_int_equal(filled, PASSES_MAX);
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_both_paths),
        cmocka_unit_test(warps_with_their_states),
        cmocka_unit_test(a_four_way_conflict_as_slots),
        cmocka_unit_test(pointing_at_a_bank_lights_the_lanes_of_all_its_passes),
        cmocka_unit_test(the_sectors_of_a_load_arrive_one_by_one),
        cmocka_unit_test(a_pass_in_motion_has_the_cursor),
        cmocka_unit_test(a_broadcast_is_one_chip_with_a_fan),
        cmocka_unit_test(words_of_shared_memory),
        cmocka_unit_test(chunks_and_rows_of_a_scattered_store),
        cmocka_unit_test(many_chunks_tell_where_they_came_from_below_their_columns),
        cmocka_unit_test(the_barrier_as_a_gate),
        cmocka_unit_test(warps_that_a_barrier_let_through),
        cmocka_unit_test(ticks_of_the_timeline),
        cmocka_unit_test(the_map_of_a_block),
        cmocka_unit_test(the_list_of_waste),
        cmocka_unit_test(times_of_all_three_sources),
        cmocka_unit_test(a_card_of_one_bar_shortens_the_name_of_its_device),
        cmocka_unit_test(a_bar_that_dwarfs_the_others_is_broken),
        cmocka_unit_test(quartiles_decide_whether_times_differ),
        cmocka_unit_test(sixty_four_passes_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
