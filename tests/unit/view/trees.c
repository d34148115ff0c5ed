/* The panel tree at runs of the lesson scan, compared with tests/views/tree_NAME.txt: numbers that a step keeps, both
 * directions of Blelloch by place, the number that its 0 overwrites, shuffles of a second warp, and more rows than
 * there is room for. */
#include "lesson/lesson_run.h"
#include "view_golden.h"

static const struct panel *tree_panel(void)
{
    for (int i = 0; i < STAGE_PANELS; i++)
        if (stage_panels[i].flag == STAGE_TREE)
            return &stage_panels[i];
    fail_msg("there is no panel of trees");
    return NULL;
}

/* Draws the tree of block 0 in a height, at the last event of a warp up to a part of the run in percent. */
static void compare_run(int variant, int size, uint32_t warp, size_t percent, float height, const char *golden)
{
    struct stand stand;
    struct lesson *lesson;
    struct error error = {0};
    struct run *run;
    assert_true(lesson_load("scan", &lesson, &error));
    struct lesson_setting setting = lesson_defaults(lesson);
    setting.variant = variant;
    setting.value[0] = size;
    if (!run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error))
        fail_msg("%s", error.message);
    stand_up(&stand, (struct rect){0, 0, 900, 600});
    const struct playback *playback = playback_new(&stand.arena, run->trace, 0);
    const struct timeline *timeline = playback->timeline;
    size_t position = timeline->count * percent / 100;
    position -= position == timeline->count;
    while (run->trace->events.items[timeline->events[position]].warp != warp ||
           !trace_has_addresses(run->trace->events.items[timeline->events[position]].kind))
        position--;
    struct stage_view const offered = {.shown = STAGE_TREE};
    scene_build(&stand.scene, playback, position, dram_preset("classroom"), &stand.arena);
    stand.stage = stage_chosen(&stand.view, &offered);
    assert_true(tree_panel()->size(&stand.view).best > 0);
    tree_panel()->draw(&stand.view, (struct rect){0, 0, 900, height});
    stand.trace = NULL;
    compare_with_golden(&stand, golden);
    run_free(run);
    lesson_free(lesson);
}

static void a_thread_that_keeps_its_number_is_not_idle(void **state)
{
    (void)state;
    compare_run(0, 0, 0, 60, 400, "tree_hillis");
}

static void the_way_down_stands_by_place(void **state)
{
    (void)state;
    compare_run(1, 0, 0, 70, 600, "tree_blelloch");
}

static void a_number_that_another_overwrites_is_struck_out_in_a_low_panel(void **state)
{
    (void)state;
    compare_run(1, 0, 0, 100, 300, "tree_overwritten");
}

static void padding_does_not_move_a_place(void **state)
{
    (void)state;
    compare_run(2, 1, 0, 40, 600, "tree_padded");
}

static void shuffles_are_dashed(void **state)
{
    (void)state;
    compare_run(3, 1, 1, 40, 400, "tree_shuffle");
}

static void rows_without_room_follow_the_step(void **state)
{
    (void)state;
    compare_run(1, 4, 1, 60, 300, "tree_many_rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_keeps_its_number_is_not_idle),
        cmocka_unit_test(the_way_down_stands_by_place),
        cmocka_unit_test(a_number_that_another_overwrites_is_struck_out_in_a_low_panel),
        cmocka_unit_test(padding_does_not_move_a_place),
        cmocka_unit_test(shuffles_are_dashed),
        cmocka_unit_test(rows_without_room_follow_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
