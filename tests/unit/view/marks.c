/* Cells to mark: which ones a scene offers, what the run says to each, and how a panel draws them, before and after
 * they are checked. */
#include "view_golden.h"

static uint8_t marked[MARKS_MAX], right[MARKS_MAX];

/* Builds the scene of the first access of the space that has all lanes, with the marks of a kind. */
static void stand_at(struct stand *stand, enum scene_kind kind, enum mark_cells cells, struct marks *marks)
{
    stand_up(stand, (struct rect){0, 0, 900, 600});
    stand->trace = sample_trace(SAMPLE_BUFFER, 0, true);
    const struct playback *playback = playback_new(&stand->arena, stand->trace, 0);
    size_t position = 0;
    do
        scene_build(&stand->scene, playback, position++, dram_preset("classroom"), &stand->arena);
    while (stand->scene.kind != kind && position < playback->count);
    assert_int_equal(stand->scene.kind, kind);
    stand_with_variables(stand);
    memset(marked, 0, sizeof marked);
    *marks = (struct marks){.cells = cells, .marked = marked, .cursor = -1};
    marks->count = marks_cells(&stand->scene, cells, &marks->across);
    assert_true(marks->count > 0 && marks->count <= MARKS_MAX);
    marks_right(&stand->scene, cells, right);
}

static void the_run_says_how_many_cells_are_right(void **state)
{
    (void)state;
    static const struct {
        enum scene_kind kind;
        enum mark_cells cells;
    } cases[] = {{SCENE_GLOBAL, CELLS_LANES},
                 {SCENE_GLOBAL, CELLS_THREADS},
                 {SCENE_SHARED, CELLS_BANKS},
                 {SCENE_GLOBAL, CELLS_SECTORS},
                 {SCENE_GLOBAL, CELLS_ROWS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stand stand;
        struct marks marks;
        stand_at(&stand, cases[i].kind, cases[i].cells, &marks);
        const struct scene *scene = &stand.scene;
        uint32_t const lanes = (uint32_t)__builtin_popcount(scene->event->mask);
        uint32_t expected[] = {[CELLS_LANES] = lanes,
                               [CELLS_THREADS] = lanes,
                               [CELLS_BANKS] = scene->banks.slots_used,
                               [CELLS_SECTORS] = scene->chunks.sectors,
                               [CELLS_ROWS] = scene->dram.now_misses + scene->dram.now_conflicts};
        struct mark_counts const none = marks_compare(marks.cells, marked, right, marks.count);
        assert_int_equal(none.missing, expected[cases[i].cells]);
        assert_int_equal(none.right + none.extra, 0);
        struct mark_counts const all = marks_compare(marks.cells, right, right, marks.count);
        assert_int_equal(all.right, expected[cases[i].cells]);
        assert_int_equal(all.missing + all.extra, 0);
        trace_free(stand.trace);
        arena_free(&stand.arena);
    }
}

/* Lane 13 has its first element of A in row 3 of the product, and so have its neighbours. */
static void the_lanes_of_a_product_are_those_of_a_row(void **state)
{
    (void)state;
    struct stand stand;
    uint32_t across;
    stand_up(&stand, (struct rect){0, 0, 900, 600});
    stand.trace = sample_empty(SAMPLE_BUFFER);
    sample_product(stand.trace, 0);
    scene_build(&stand.scene, playback_new(&stand.arena, stand.trace, 0), 0, NULL, &stand.arena);
    stand.scene.lane = 13;
    assert_int_equal(marks_cells(&stand.scene, CELLS_LANES, &across), WARP_LANES);
    marks_right(&stand.scene, CELLS_LANES, right);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(right[lane], lane / 4 == 3);
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

static void heights_are_compared_one_by_one(void **state)
{
    (void)state;
    uint8_t const mine[] = {3, 0, 1, 2}, run[] = {2, 1, 1, 5};
    struct mark_counts const counts = marks_compare(CELLS_BANKS, mine, run, 4);
    assert_int_equal(counts.right, 2 + 0 + 1 + 2);
    assert_int_equal(counts.missing, 1 + 3);
    assert_int_equal(counts.extra, 1);
}

/* A variable without a name that a student can know is not asked for. */
static void variables_have_one_right_place_each(void **state)
{
    (void)state;
    static const struct ptx_placed variables[] = {{.name = "i", .space = PTX_SPACE_REGISTER},
                                                  {.name = "t", .space = PTX_SPACE_LOCAL},
                                                  {.name = "__local_depot0", .by_compiler = true},
                                                  {.name = "in", .space = PTX_SPACE_PARAM}};
    struct scene const scene = {.variables = variables, .variable_count = 4};
    uint32_t across;
    assert_int_equal(marks_cells(&scene, CELLS_VARIABLES, &across), 4);
    marks_right(&scene, CELLS_VARIABLES, right);
    assert_int_equal(right[0], PLACE_REGISTERS);
    assert_int_equal(right[2], PLACE_NONE);
    uint8_t const mine[] = {PLACE_REGISTERS, PLACE_SHARED, PLACE_NONE, PLACE_NONE};
    struct mark_counts const counts = marks_compare(CELLS_VARIABLES, mine, right, 4);
    assert_int_equal(counts.right, 1);
    assert_int_equal(counts.extra, 1);
    assert_int_equal(counts.missing, 1);
}

/* Every chunk from the lowest to the highest, and the neighbours, whatever the access touches between them. */
static void the_offered_chunks_do_not_give_the_answer_away(void **state)
{
    (void)state;
    struct stand stand;
    struct marks marks;
    stand_at(&stand, SCENE_GLOBAL, CELLS_SECTORS, &marks);
    uint32_t rows;
    uint64_t const first = marks_chunks(&stand.scene, &rows);
    const struct coalescing *chunks = &stand.scene.chunks;
    assert_true(first <= chunks->chunks[0].address && first % CHUNK_BYTES == 0);
    assert_true(rows > chunks->chunk_count);
    assert_int_equal(marks.count, rows * CHUNK_SECTORS);
    trace_free(stand.trace);
    arena_free(&stand.arena);
}

/* Some marks are right, some are missing, some too many. */
static void draws_as_golden(enum scene_kind kind, enum mark_cells cells, int panel, bool checked, const char *name)
{
    struct stand stand;
    struct marks marks;
    stand_at(&stand, kind, cells, &marks);
    struct stage_view const offered = {.shown = stage_panels[panel].flag, .covered = !checked, .marks = &marks};
    for (uint32_t i = 0; i < marks.count; i++)
        marked[i] = i % 3 == 0 ? right[i] : i % 3 == 1 && i < 8;
    marks.right = checked ? right : NULL;
    marks.cursor = checked ? -1 : 2;
    stand.stage = stage_chosen(&stand.view, &offered);
    struct panel_size const size = stage_panels[panel].size(&stand.view);
    assert_true(size.best > 0);
    struct action const action = stage_panels[panel].draw(&stand.view, (struct rect){0, 30, 900, size.best});
    assert_int_equal(action.kind, ACTION_NONE);
    compare_with_golden(&stand, name);
}

static void panels_draw_marks_before_and_after_the_check(void **state)
{
    (void)state;
    draws_as_golden(SCENE_GLOBAL, CELLS_LANES, STAGE_AT_lanes, true, "marks_lanes");
    draws_as_golden(SCENE_GLOBAL, CELLS_SECTORS, STAGE_AT_chunks, false, "marks_sectors");
    draws_as_golden(SCENE_GLOBAL, CELLS_SECTORS, STAGE_AT_chunks, true, "marks_sectors_checked");
    draws_as_golden(SCENE_SHARED, CELLS_BANKS, STAGE_AT_banks, false, "marks_banks");
    draws_as_golden(SCENE_SHARED, CELLS_BANKS, STAGE_AT_banks, true, "marks_banks_checked");
    draws_as_golden(SCENE_GLOBAL, CELLS_VARIABLES, STAGE_AT_spaces, false, "marks_variables");
    draws_as_golden(SCENE_GLOBAL, CELLS_VARIABLES, STAGE_AT_spaces, true, "marks_variables_checked");
    draws_as_golden(SCENE_GLOBAL, CELLS_ROWS, STAGE_AT_dram, true, "marks_rows_checked");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_says_how_many_cells_are_right),
        cmocka_unit_test(the_lanes_of_a_product_are_those_of_a_row),
        cmocka_unit_test(heights_are_compared_one_by_one),
        cmocka_unit_test(variables_have_one_right_place_each),
        cmocka_unit_test(the_offered_chunks_do_not_give_the_answer_away),
        cmocka_unit_test(panels_draw_marks_before_and_after_the_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
