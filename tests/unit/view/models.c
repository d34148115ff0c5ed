/* The models of a block (scene/models.def) are computed for the panels that ask for them, once. */
#include "lesson/lesson_run.h"
#include "model/tree.h"
#include "scene/playback.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct stand {
    struct lesson *lesson;
    struct run *run;
    struct arena arena;
};

static void stand_up(struct stand *stand, const char *name)
{
    struct error error = {0};
    *stand = (struct stand){0};
    assert_true(lesson_load(name, &stand->lesson, &error));
    struct lesson_setting const setting = lesson_defaults(stand->lesson);
    if (!run_lesson(stand->lesson, &setting, EXECUTOR_EMULATOR, NULL, &stand->run, &error))
        fail_msg("%s", error.message);
}

static void take_down(struct stand *stand)
{
    arena_free(&stand->arena);
    run_free(stand->run);
    lesson_free(stand->lesson);
}

static void a_model_that_no_panel_asks_for_is_not_computed(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, "scan");
    const struct playback *playback = playback_new(&stand.arena, stand.run->trace, 0);
    size_t const before = stand.arena.bytes;
    const struct tree *tree = playback_tree(playback);
    assert_non_null(tree);
    assert_true(stand.arena.bytes > before);
    take_down(&stand);
}

static void a_model_is_computed_once(void **state)
{
    (void)state;
    struct stand stand;
    stand_up(&stand, "scan");
    const struct playback *playback = playback_new(&stand.arena, stand.run->trace, 0);
    const struct tree *tree = playback_tree(playback);
    assert_null(playback_fragments(playback)); /* the block has none */
    size_t const after = stand.arena.bytes;
    assert_ptr_equal(playback_tree(playback), tree);
    assert_null(playback_fragments(playback));
    assert_int_equal(stand.arena.bytes, after);
    take_down(&stand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_model_that_no_panel_asks_for_is_not_computed),
                                       cmocka_unit_test(a_model_is_computed_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
