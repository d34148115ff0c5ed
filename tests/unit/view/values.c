/* The tooltip over a lane or a word gives the value that was read or written there. */
#include "trace/sites.h"
#include "view_stand.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Positions in the sample's first warp: a load of floats, a branch, a store of float4, an atomic of the odd lanes. */
enum { AT_LOAD, AT_BRANCH, AT_SHARED, AT_ATOMIC };

static uint64_t bits_of(float low, float high)
{
    float const pair[2] = {low, high};
    uint64_t bits;
    memcpy(&bits, pair, sizeof bits);
    return bits;
}

static void set_up(struct stand *stand, size_t position, bool values)
{
    stand_up(stand, (struct rect){0, 0, 900, 60});
    stand->trace = sample_trace(SAMPLE_BUFFER, 1024, values);
    const struct playback *playback = playback_new(&stand->arena, stand->trace, 0);
    scene_build(&stand->scene, playback, position, NULL, &stand->arena);
    for (int lane = 0; values && stand->scene.addresses && lane < WARP_LANES; lane++)
        stand->trace->values.items[stand->scene.event->lanes + (unsigned)lane] =
            position == AT_LOAD     ? bits_of((float)lane + 0.25f, 0)
            : position == AT_SHARED ? bits_of((float)lane, -1.5f)
                                    : UINT64_C(4000000000) + (unsigned)lane;
}

/* Draws a frame of one panel with the mouse in the middle of a column, and returns the tooltip. */
static const char *tip(struct stand *stand, struct action (*panel)(struct view *, struct rect), int column)
{
    struct rect const all = {0, 0, 900, 60};
    stand->ui.input.mouse = (struct point){column_middle(&stand->view.columns, column), 3};
    stand->ui.input.mouse_inside = true;
    ui_begin(&stand->ui, &stand->arena, all);
    panel(&stand->view, all);
    ui_end(&stand->ui);
    return stand->ui.tooltip ? stand->ui.tooltip : "";
}

static void tear_down(struct stand *stand)
{
    trace_free(stand->trace);
    arena_free(&stand->arena);
}

/* PTX declares `__constant__ float in[]` as bytes. */
static void elements_of_a_variable_are_those_of_the_access(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, AT_LOAD, true);
    static const struct ptx_placed variable = {.name = "in", .space = PTX_SPACE_CONST};
    stand.trace->buffers[0].type = PTX_U8;
    stand.trace->buffers[0].count *= 4;
    stand.scene.variables = &variable;
    stand.scene.variable_count = 1;
    assert_string_equal(tip(&stand, panel_lanes, 3), "lane 3: in[3] = 3.25, byte 12 of its chunk");
    tear_down(&stand);
}

/* Fields and elements have the names of the source; without them, a part of an element has its bytes. */
static void places_have_the_names_of_the_source(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, AT_LOAD, true);
    static const struct ptx_field fields[] = {{.name = "x", .bytes = 4},
                                              {.name = "m", .offset = 4, .bytes = 4, .count = 3}};
    static const struct ptx_layout points = {.array = true, .element = 16, .fields = fields, .field_count = 2};
    static const struct ptx_layout grid = {.array = true, .element = 4, .columns = 8}, count = {.element = 4};
    static const struct ptx_layout wide = {.array = true, .element = 8};
    static const struct ptx_placed variables[] = {
        {.name = "in", .space = PTX_SPACE_GLOBAL, .pointed_to = true, .layout = &points},
        {.name = "wide", .space = PTX_SPACE_SHARED, .bytes = 64, .offset = 256, .layout = &wide},
        {.name = "tile", .space = PTX_SPACE_SHARED, .bytes = 128, .layout = &grid},
        {.name = "count", .space = PTX_SPACE_SHARED, .bytes = 4, .offset = 128, .layout = &count}};
    stand.scene.variables = variables;
    stand.scene.variable_count = 4;
    assert_string_equal(tip(&stand, panel_chunks, 4), "in[1].x = 4.25: lane 4");
    assert_string_equal(tip(&stand, panel_chunks, 6), "in[1].m[1] = 6.25: lane 6");
    uint64_t const base = stand.scene.trace->shared_base;
    assert_string_equal(scene_name_byte(&stand.scene, &stand.arena, base + 4 * 13), "tile[1][5]");
    assert_string_equal(scene_name_byte(&stand.scene, &stand.arena, base + 128), "count");
    assert_string_equal(scene_name_byte(&stand.scene, &stand.arena, base + 132), "byte 132");
    struct trace_site doubles = *stand.scene.site;
    const struct trace_site *floats = stand.scene.site;
    doubles.type = PTX_F64;
    stand.scene.site = &doubles;
    assert_string_equal(scene_name_byte(&stand.scene, &stand.arena, base + 264), "wide[1]");
    assert_string_equal(scene_name_byte(&stand.scene, &stand.arena, base + 268), "wide[1], bytes 4 to 7");
    stand.scene.site = floats;
    stand.scene.variable_count = 0;
    stand.trace->buffers[0].type = PTX_U64;
    stand.trace->buffers[0].count /= 2;
    assert_string_equal(tip(&stand, panel_chunks, 3), "in[1], bytes 4 to 7 = 3.25: lane 3");
    stand.trace->buffers[0].type = PTX_U8;
    stand.trace->buffers[0].count *= 8;
    assert_string_equal(tip(&stand, panel_chunks, 3), "in, bytes 12 to 15 = 3.25: lane 3");
    tear_down(&stand);
}

/* Returns whether the line at the top has the words. */
static bool line_has(struct stand *stand, const char *words)
{
    tip(stand, panel_block, 0);
    bool has = false;
    for (size_t i = 0; i < stand->ui.draw.count; i++)
        has |= stand->ui.draw.items[i].kind == DRAW_TEXT && strstr(stand->ui.draw.items[i].text, words);
    return has;
}

/* "lane 31: in[31]" alone would not say whether the lane reads or writes it. */
static void the_line_at_the_top_says_what_its_lane_does(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, AT_LOAD, true);
    assert_true(line_has(&stand, " reads in["));
    struct trace_site store = *stand.scene.site;
    store.operation = TRACE_STORE;
    stand.scene.site = &store;
    assert_true(line_has(&stand, " writes in["));
    tear_down(&stand);
}

static void a_lane_shows_the_value_it_read(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, AT_LOAD, true);
    assert_string_equal(tip(&stand, panel_lanes, 3), "lane 3: in[3] = 3.25, byte 12 of its chunk");
    assert_string_equal(tip(&stand, panel_chunks, 3), "in[3] = 3.25: lane 3");
    tear_down(&stand);
    set_up(&stand, AT_LOAD, false);
    assert_string_equal(tip(&stand, panel_lanes, 3), "lane 3: in[3], byte 12 of its chunk");
    assert_string_equal(tip(&stand, panel_chunks, 3), "in[3]: lane 3");
    tear_down(&stand);
}

/* Of a float4, the trace keeps two words; the other words have no value to show. */
static void words_of_a_vector_show_their_own_values(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, AT_SHARED, true);
    assert_string_equal(tip(&stand, panel_lanes, 2), "lane 2: byte 32 (value 2, -1.5, …), bank 8");
    assert_string_equal(tip(&stand, panel_banks, 0), "bank 0, pass 1: lane 0, byte 0 (value 0)");
    assert_string_equal(tip(&stand, panel_banks, 1), "bank 1, pass 1: lane 0, byte 4 (value -1.5)");
    assert_string_equal(tip(&stand, panel_banks, 2), "bank 2, pass 1: lane 0, byte 8");
    assert_string_equal(tip(&stand, panel_shared, 9), "byte 36 (value -1.5), bank 9, lane 2");
    tear_down(&stand);
}

static void an_atomic_shows_the_old_value(void **state)
{
    (void)state;
    struct stand stand;
    set_up(&stand, AT_ATOMIC, true);
    assert_int_equal(stand.scene.site->operation, TRACE_ATOMIC);
    assert_string_equal(tip(&stand, panel_lanes, 1), "lane 1: in[0] (found 4000000001), byte 0 of its chunk");
    assert_string_equal(tip(&stand, panel_lanes, 0), "lane 0: masked");
    tear_down(&stand);
}

/* The type is the instruction's when that is float; otherwise the buffer's, unless the two contradict each other. */
static void types_are_those_of_the_program(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ptx_type buffer;
        uint8_t bytes;
        uint64_t value;
        const char *wanted;
    } cases[] = {{"ld.global.u32 %r1, [%rd1]", PTX_S32, 4, 0xfffffff9, "-7"},
                 {"ld.global.u32 %r1, [%rd1]", PTX_U32, 4, 0xfffffff9, "4294967289"},
                 {"atom.global.max.s32 %r1, [%rd1], 7", PTX_F32, 4, 0x40500000, "1078984704"},
                 {"ld.global.nc.b32 %r1, [%rd1]", PTX_F32, 4, 0x40500000, "3.25"},
                 {"ld.global.f32 %f1, [%rd1]", PTX_U32, 4, 0x40500000, "3.25"},
                 {"ld.global.f32 %f1, [%rd1]", PTX_F32, 4, 0x3dcccccd, "0.1"},
                 {"ld.global.f32 %f1, [%rd1]", PTX_F32, 4, 0x3f110a2e, "0.5665616"},
                 {"@!%p1 ld.global.f64 %d1, [%rd1]", PTX_F64, 8, 0x3fb999999999999a, "0.1"},
                 {"ld.global.v2.u8 {%h1, %h2}, [%rd1]", PTX_U8, 2, 0x0207, "7, 2"},
                 {"ld.global.s16 %h1, [%rd1]", PTX_S16, 2, 0xfffe, "-2"},
                 {"ld.global.b16 %h1, [%rd1]", PTX_F16, 2, 0xc200, "-3"},
                 {"ld.global.b16 %h1, [%rd1]", PTX_F16, 2, 0x0001, "5.9604645e-08"},
                 {"ld.global.b16 %h1, [%rd1]", PTX_BF16, 2, 0x4050, "3.25"},
                 {"ld.global.nc.u16 %h1, [%rd1]", PTX_F16, 2, 0x4fc0, "31"},
                 {"ld.global.u8 %h1, [%rd1]", PTX_E4M3, 1, 0x44, "3"},
                 {"st.global.u32 [%rd1], %r1", PTX_F16, 4, 0x40003c00, "1, 2"},
                 {"ld.global.b32 %r1, [%rd1]", PTX_F64, 4, 0x10, "0x10"},
                 {"cp.async.ca.shared.global [%r1], [%rd1], 16", PTX_F32, 16, 0x4050000040000000, "2, 3.25, …"},
                 {"ld.global.b128 %q, [%rd1]", PTX_U64, 16, 7, "7, …"},
                 {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]", PTX_F64, 16, 0x3fb999999999999a, "0.1, …"},
                 {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]", PTX_F32, 16, 0x4050000040000000, "2, 3.25, …"},
                 {"st.global.v2.u64 [%rd1], {%rd2, %rd3}", PTX_S64, 16, UINT64_MAX, "-1, …"},
                 {"ld.global.u64 %rd2, [%rd1]", PTX_F32, 8, 0x4050000040000000, "2, 3.25"},
                 {"ld.global.b64 %rd2, [%rd1]", PTX_S64, 8, UINT64_MAX, "-1"},
                 {"ld.global.b64 %rd2, [%rd1]", PTX_F64, 8, 0x3fb999999999999a, "0.1"},
                 {"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]", PTX_F32, 16, 0x4050000040000000, "2, 3.25, …"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stand stand;
        set_up(&stand, AT_LOAD, true);
        struct trace_site site = *stand.scene.site;
        site.text = cases[i].text;
        site.bytes = cases[i].bytes;
        trace_sites_read(&site, 1);
        stand.scene.site = &site;
        stand.trace->buffers[0].type = cases[i].buffer;
        stand.trace->values.items[stand.scene.event->lanes] = cases[i].value;
        const char *said = scene_values(&stand.scene, &stand.arena, 0);
        assert_non_null(said);
        if (strcmp(said, cases[i].wanted) != 0)
            fail_msg("%s of a buffer of %s: %s, not %s", cases[i].text, ptx_type_name(cases[i].buffer), said,
                     cases[i].wanted);
        tear_down(&stand);
    }
}

/* PTX does not say what shared memory holds: the arrays of the launch do. */
static void halves_in_shared_memory_are_numbers_where_the_arrays_hold_halves(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ptx_type buffer;
        uint8_t bytes;
        uint64_t value;
        const char *wanted;
    } cases[] = {{"ld.shared.b16 %h1, [%r1]", PTX_F16, 2, 0xc200, "-3"},
                 {"st.shared.u16 [%r1], %h1", PTX_BF16, 2, 0x4050, "3.25"},
                 {"ld.shared.u8 %h1, [%r1]", PTX_E4M3, 1, 0x44, "3"},
                 {"ld.shared.b16 %h1, [%r1]", PTX_U16, 2, 0xc200, "0xc200"},
                 {"ld.shared.u16 %h1, [%r1]", PTX_F32, 2, 0xc200, "49664"},
                 {"ld.shared.u32 %r2, [%r1]", PTX_F16, 4, 7, "7"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stand stand;
        set_up(&stand, AT_LOAD, true);
        struct trace_site site = *stand.scene.site;
        site.text = cases[i].text;
        site.bytes = cases[i].bytes;
        trace_sites_read(&site, 1);
        stand.scene.site = &site;
        stand.scene.kind = SCENE_SHARED;
        stand.trace->buffers[0].type = cases[i].buffer;
        stand.trace->values.items[stand.scene.event->lanes] = cases[i].value;
        assert_string_equal(scene_values(&stand.scene, &stand.arena, 0), cases[i].wanted);
        tear_down(&stand);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_of_a_variable_are_those_of_the_access),
        cmocka_unit_test(places_have_the_names_of_the_source),
        cmocka_unit_test(the_line_at_the_top_says_what_its_lane_does),
        cmocka_unit_test(a_lane_shows_the_value_it_read),
        cmocka_unit_test(words_of_a_vector_show_their_own_values),
        cmocka_unit_test(an_atomic_shows_the_old_value),
        cmocka_unit_test(types_are_those_of_the_program),
        cmocka_unit_test(halves_in_shared_memory_are_numbers_where_the_arrays_hold_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
