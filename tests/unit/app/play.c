/* Playing and stepping by passes, through keys and frames of a given length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "app_helper.h"
#include "ui/keys.h"
#include <math.h>

static struct app *open_step(const char *lesson, int beat, bool answered)
{
    struct app_options options = app_options_of(lesson, beat);
    options.answered = answered;
    return app_opened(&options, NULL);
}

/* Returns whether a text of a frame that much later contains the words. */
static bool shows_after(struct app *app, double seconds, const char *words)
{
    const struct draw_list *list = app_frame(app, seconds);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words))
            return true;
    return false;
}

static char *still(struct app *app)
{
    struct arena arena = {0};
    app_frame(app, 0);
    char *text = strdup(draw_dump(app_frame(app, 0), &arena));
    arena_free(&arena);
    return text;
}

static void assert_access(struct app *app, const char *access)
{
    char words[64];
    snprintf(words, sizeof words, " --access %s ", access);
    if (!strstr(app_state_line(app), words))
        fail_msg("%s is not in: %s", words, app_state_line(app));
}

/* Step 5 of banks stands at a load of 32 passes, access 65 of 66. */
static void space_plays_this_access_from_its_first_pass(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    press(app, KEY_SPACE, 0);
    assert_true(shows_after(app, 0.5, "pass 1 of 32")); /* the lines have grown */
    assert_access(app, "65");
    assert_true(shows_after(app, 0.6, "pass 1 of 32")); /* the first passes of a step take 700 ms */
    assert_true(shows_after(app, 0.1, "pass 2 of 32"));
    assert_true(shows_after(app, 1.4, "pass 4 of 32"));
    assert_true(shows_after(app, 0.35, "pass 5 of 32")); /* then 350 ms */
    assert_true(shows_after(app, 0.35, "pass 6 of 32"));
    assert_access(app, "65");
    app_free(app);
}

static void a_pass_takes_350_ms_when_passes_were_seen(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    press(app, KEY_SPACE, 0);
    app_frame(app, 0.01);
    app_frame(app, 60); /* the motion ends */
    press(app, KEY_LEFT, 0);
    press(app, KEY_RIGHT, 0);
    press(app, KEY_SPACE, 0);
    assert_access(app, "65");
    assert_true(shows_after(app, 0.48 + 0.34, "pass 1 of 32"));
    assert_true(shows_after(app, 0.02, "pass 2 of 32"));
    assert_true(shows_after(app, 0.35, "pass 3 of 32"));
    app_free(app);
}

static void speeds_go_from_a_tenth_to_eight(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    for (int i = 0; i < 9; i++)
        press(app, KEY_SEMICOLON, 0);
    assert_true(shows(app, "0.1x"));
    press(app, KEY_SPACE, 0);
    assert_true(shows_after(app, 4.8 + 6.9, "pass 1 of 32"));
    assert_true(shows_after(app, 0.2, "pass 2 of 32"));
    for (int i = 0; i < 9; i++)
        press(app, KEY_APOSTROPHE, 0);
    assert_true(shows_after(app, 0, "8x"));
    app_free(app);
}

static void a_pause_stays_at_its_pass_and_goes_on_from_there(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    press(app, KEY_SPACE, 0);
    assert_true(shows_after(app, 0.48 + 3 * 0.7 + 0.1, "pass 4 of 32"));
    press(app, KEY_SPACE, 0);
    assert_true(shows_after(app, 60, "pass 4 of 32"));
    assert_true(isinf(app_wait(app)));
    press(app, KEY_SPACE, 0);
    assert_true(shows_after(app, 0.34, "pass 4 of 32"));
    assert_true(shows_after(app, 0.02, "pass 5 of 32"));
    app_free(app);
}

static void passes_step_forward_and_back_exactly(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    struct app *app = open_step("banks", 5, false);
    char *pictures[STEPS];
    press(app, KEY_RIGHT, MODIFIER_ALT);
    for (int i = 0; i < STEPS; i++) {
        pictures[i] = still(app);
        assert_true(!i || strcmp(pictures[i], pictures[i - 1]) != 0 || i >= 33); /* two accesses are left */
        press(app, KEY_RIGHT, MODIFIER_ALT);
    }
    assert_true(shows(app, "access 66 of 66"));
    for (int i = 0; i < 64 && !shows(app, "pass 32 of 32"); i++)
        press(app, KEY_LEFT, MODIFIER_ALT);
    for (int i = 31; i >= 0; i--) {
        char *again = still(app);
        assert_string_equal(again, pictures[i]);
        free(again);
        press(app, KEY_LEFT, MODIFIER_ALT);
    }
    assert_null(strstr(app_state_line(app), " --access 65 ")); /* before the first pass is the barrier before it */
    for (int i = 0; i < STEPS; i++)
        free(pictures[i]);
    app_free(app);
}

static void a_step_by_passes_stops_the_motion_where_it_is(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    press(app, KEY_LEFT, 0);
    press(app, KEY_RIGHT, 0);
    assert_true(shows_after(app, 0.48 + 3 * 0.7 + 0.1, "pass 4 of 32"));
    press(app, KEY_RIGHT, MODIFIER_ALT);
    assert_true(shows(app, "pass 5 of 32"));
    press(app, KEY_LEFT, MODIFIER_ALT);
    press(app, KEY_LEFT, MODIFIER_ALT);
    assert_true(shows(app, "pass 3 of 32"));
    app_free(app);
}

/* Step 5 of banks shows shared memory alone; access 66 is a store to global memory. */
static void playing_never_leaves_for_an_empty_view_and_begins_again(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    press(app, KEY_SPACE, 0);
    for (int i = 0; i < 100; i++)
        app_frame(app, 60);
    assert_access(app, "65");
    assert_true(isinf(app_wait(app)));
    assert_true(shows(app, "the end · Space: from the first"));
    press(app, KEY_SPACE, 0);
    app_frame(app, 0.1);
    assert_false(strstr(app_state_line(app), " --access 65 ") != NULL);
    assert_true(app_wait(app) < 1);
    app_free(app);
}

static void playing_begins_again_behind_the_last_access(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    press(app, KEY_END, 0); /* the end of the lanes */
    press(app, KEY_SPACE, 0);
    app_frame(app, 0.1);
    assert_access(app, "2"); /* the first to shared memory */
    app_free(app);
}

static void playing_goes_on_to_the_next_access(void **state)
{
    (void)state;
    struct app *app = open_step("adjdiff", 6, true);
    char before[1024];
    press(app, KEY_HOME, 0);
    snprintf(before, sizeof before, "%s", app_state_line(app));
    press(app, KEY_SPACE, 0);
    app_frame(app, 0.1);
    assert_string_equal(app_state_line(app), before); /* this access first */
    app_frame(app, 10);
    app_frame(app, 0.1);
    assert_string_not_equal(app_state_line(app), before);
    app_free(app);
}

static void no_frame_is_wanted_before_the_next_pass(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    press(app, KEY_SPACE, 0);
    app_frame(app, 0.1);
    assert_true(app_wait(app) == 0); /* lines grow */
    app_frame(app, 0.5);
    app_frame(app, 0);
    assert_true(fabs(app_wait(app) - (0.48 + 0.7 - 0.6)) < 1e-6);
    app_free(app);
}

static void reduced_motion_snaps_and_passes_can_be_stepped(void **state)
{
    (void)state;
    struct app_options options = app_options_of("banks", 5);
    options.reduced_motion = true;
    struct app *app = app_opened(&options, NULL);
    press(app, KEY_SPACE, 0);
    assert_false(shows_after(app, 0.1, "pass 1 of 32"));
    press(app, KEY_SPACE, 0);
    press(app, KEY_RIGHT, MODIFIER_ALT);
    assert_true(shows(app, "pass 1 of 32"));
    assert_true(isinf(app_wait(app)));
    app_free(app);
}

static void a_covered_run_rests_whatever_key_is_pressed(void **state)
{
    (void)state;
    static const struct {
        int key, modifiers;
    } keys[] = {{KEY_SPACE, 0},
                {KEY_RIGHT, 0},
                {KEY_LEFT, 0},
                {KEY_RIGHT, MODIFIER_ALT},
                {KEY_LEFT, MODIFIER_SHIFT},
                {KEY_LEFT, MODIFIER_CONTROL},
                {KEY_HOME, 0},
                {KEY_END, 0}};
    struct app *app = open_step("banks", 3, false);
    char before[1024];
    snprintf(before, sizeof before, "%s", app_state_line(app));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        press(app, keys[i].key, keys[i].modifiers);
        for (int frame = 0; frame < 5; frame++)
            app_frame(app, 10);
        assert_string_equal(app_state_line(app), before);
    }
    assert_true(shows(app, "answer or skip the question first"));
    press(app, KEY_1, 0); /* a wrong answer stays wrong */
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "YOU GUESSED 1"));
    assert_true(shows(app, "the run says 8"));
    press(app, KEY_LEFT, 0);
    assert_true(shows(app, "the run says 8"));
    app_free(app);
}

static void a_covered_run_has_no_ticks_to_count(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 3, false);
    assert_true(shows(app, "the answer uncovers the run"));
    assert_false(shows(app, "access 17"));
    assert_false(shows(app, "at cycle "));
    press(app, KEY_1, 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "at cycle "));
    app_free(app);
}

static struct app *open_variant(const char *lesson, int beat, const char *variant)
{
    struct app_options options = app_options_of(lesson, beat);
    options.answered = true;
    options.variant = variant;
    return app_opened(&options, NULL);
}

static void another_variant_than_the_steps_is_named(void **state)
{
    (void)state;
    struct app *app = open_variant("coalescing", 6, "reversed");
    assert_true(shows(app, "About \""));
    app_free(app);
    app = open_variant("coalescing", 6, "shuffled");
    assert_false(shows(app, "About \""));
    app_free(app);
}

static void figures_of_an_access_that_is_not_made_are_left_out(void **state)
{
    (void)state;
    struct app *app = open_variant("transpose", 5, "naive");
    assert_true(shows(app, "This setting does not make"));
    assert_false(shows(app, "0 passes"));
    app_free(app);
    app = open_variant("transpose", 5, "tile");
    assert_false(shows(app, "This setting does not make"));
    assert_true(shows(app, "32 passes"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(space_plays_this_access_from_its_first_pass),
                                       cmocka_unit_test(a_pass_takes_350_ms_when_passes_were_seen),
                                       cmocka_unit_test(speeds_go_from_a_tenth_to_eight),
                                       cmocka_unit_test(a_pause_stays_at_its_pass_and_goes_on_from_there),
                                       cmocka_unit_test(passes_step_forward_and_back_exactly),
                                       cmocka_unit_test(a_step_by_passes_stops_the_motion_where_it_is),
                                       cmocka_unit_test(playing_never_leaves_for_an_empty_view_and_begins_again),
                                       cmocka_unit_test(playing_begins_again_behind_the_last_access),
                                       cmocka_unit_test(playing_goes_on_to_the_next_access),
                                       cmocka_unit_test(no_frame_is_wanted_before_the_next_pass),
                                       cmocka_unit_test(reduced_motion_snaps_and_passes_can_be_stepped),
                                       cmocka_unit_test(a_covered_run_rests_whatever_key_is_pressed),
                                       cmocka_unit_test(a_covered_run_has_no_ticks_to_count),
                                       cmocka_unit_test(another_variant_than_the_steps_is_named),
                                       cmocka_unit_test(figures_of_an_access_that_is_not_made_are_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
