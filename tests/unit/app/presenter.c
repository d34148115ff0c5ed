/* The presenter's view: notes of the step, the votes of the class, the clock, in its own window or in place of the
 * lesson. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "ui/keys.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_helper.h"

static int screens = 1;
static bool window_shown;

static int displays(void *context)
{
    (void)context;
    return screens;
}

static bool show_aside(void *context, bool shown)
{
    (void)context;
    window_shown = shown;
    return true;
}

static struct app *open_at(const char *lesson, int beat, int displays_now)
{
    struct app_options options = app_options_of(lesson, beat);
    options.present = true;
    screens = displays_now;
    window_shown = false;
    return app_opened(&options, &(struct app_host){.show_aside = show_aside, .displays = displays});
}

static void press_aside(struct app *app, int key)
{
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = key, .aside = true});
}

static void size_aside(struct app *app, int width, int height)
{
    app_event(app,
              &(struct app_event){.kind = APP_RESIZE, .width = width, .height = height, .scale = 1, .aside = true});
}

/* Returns the box of a text in the list; its width is 0 if it is not there. */
static struct rect place_of(const struct draw_list *list, const char *words)
{
    for (size_t i = 0; list && i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words))
            return list->items[i].rect;
    return (struct rect){0};
}

static const struct draw_list *aside(struct app *app)
{
    app_event(app, &(struct app_event){.kind = APP_EXPOSE, .aside = true});
    return app_aside(app);
}

static bool aside_shows(struct app *app, const char *words)
{
    return place_of(aside(app), words).w > 0;
}

static void click_aside(struct app *app, struct rect box)
{
    struct app_event event = {.kind = APP_MOUSE_DOWN, .aside = true, .x = box.x + box.w / 2, .y = box.y + box.h / 2};
    app_event(app, &event);
    app_aside(app);
    event.kind = APP_MOUSE_UP;
    app_event(app, &event);
    app_aside(app);
}

static void without_a_second_screen_the_notes_stand_in_place_of_the_lesson(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, 1);
    press(app, KEY_A, 0);
    assert_false(window_shown);
    assert_true(shows(app, "NOTES · STEP 1 OF ") && shows(app, "NEXT · STEP 2 · Predict"));
    press(app, KEY_PAGE_DOWN, 0); /* a clicker leads through the notes, too */
    assert_true(shows(app, "NOTES · STEP 2 OF ") && shows(app, "THE CLASS IS ASKED"));
    press(app, KEY_A, 0);
    assert_false(shows(app, "NOTES"));
    press(app, KEY_A, 0);
    press(app, KEY_ESCAPE, 0); /* closes the notes, not the presentation */
    assert_true(!shows(app, "NOTES") && strstr(app_state_line(app), "--present"));
    app_free(app);
}

static void with_a_second_screen_the_class_does_not_see_the_notes(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 2, 2);
    press(app, KEY_A, 0);
    assert_true(window_shown);
    assert_null(app_aside(app)); /* it has no size yet */
    size_aside(app, 1280, 800);
    assert_true(aside_shows(app, "NOTES · STEP 2 OF ") && aside_shows(app, "✓"));
    assert_false(shows(app, "NOTES"));
    press_aside(app, KEY_PAGE_DOWN); /* the keys of its window do what they do in the other */
    assert_true(shows(app, "? keys") || !aside_shows(app, "THE CLASS IS ASKED"));
    press_aside(app, KEY_PAGE_DOWN);
    assert_true(aside_shows(app, "NOTES · STEP 3 OF "));
    assert_null(app_aside(app)); /* nothing has changed: it is not painted again */
    app_event(app, &(struct app_event){.kind = APP_CLOSE, .aside = true});
    assert_false(window_shown);
    assert_null(aside(app));
    app_free(app);
}

static void votes_that_are_typed_are_shown_after_the_reveal(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 2, 2); /* 1, 2, 16 or 32 passes? */
    press(app, KEY_A, 0);
    size_aside(app, 1280, 800);
    app_aside(app);
    press_aside(app, KEY_1 + 7);
    press_aside(app, KEY_DOWN);
    press_aside(app, KEY_1);
    press_aside(app, KEY_1 + 1);
    press_aside(app, KEY_1 + 2);
    press_aside(app, KEY_BACKSPACE);
    assert_true(aside_shows(app, "Votes: 20."));
    struct rect const plus = place_of(aside(app), "+");
    click_aside(app, plus);
    assert_true(aside_shows(app, "Votes: 21."));
    assert_false(shows(app, "said")); /* not before */
    press_aside(app, KEY_PAGE_DOWN);
    assert_true(shows(app, "12 of 21 said 2. 9 said 1."));
    press(app, KEY_R, 0); /* asked anew, of another class */
    assert_true(aside_shows(app, "Votes: type"));
    app_free(app);
}

static void digits_count_while_the_screen_is_black_or_shift_is_held(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 2, 2);
    press(app, KEY_A, 0);
    size_aside(app, 1280, 800);
    press(app, KEY_B, 0);
    press_aside(app, KEY_1);
    press_aside(app, KEY_1 + 1);
    assert_true(aside_shows(app, "Votes: 12."));
    assert_false(shows(app, "STEP")); /* the class still sees nothing */
    press(app, KEY_B, 0);
    press_aside(app, KEY_DOWN);
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_1 + 2, .modifiers = MODIFIER_SHIFT, .aside = true});
    assert_true(aside_shows(app, "Votes: 15."));
    for (int i = 0; i < 3; i++) /* no more than three digits: a fourth one does not take their place */
        press_aside(app, KEY_1);
    assert_true(aside_shows(app, "Votes: 323."));
    app_free(app);
}

static void digits_in_the_lessons_window_choose_an_answer_as_ever(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 2, 2);
    press(app, KEY_A, 0);
    size_aside(app, 1280, 800);
    press(app, KEY_1 + 1, 0);
    assert_true(aside_shows(app, "Votes: type"));
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "You guessed 2"));
    app_free(app);
}

static void the_clock_counts_minutes_also_while_nothing_moves(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, 2);
    press(app, KEY_A, 0);
    size_aside(app, 1280, 800);
    app_pass_time(app, 59);
    app_frame(app, 0);
    assert_true(aside_shows(app, "0 of "));
    assert_true(app_wait(app) <= 1.1);
    app_pass_time(app, 62);
    assert_true(aside_shows(app, "2 of "));
    assert_true(aside_shows(app, "at an even pace: step 2"));
    app_pass_time(app, 60 * 60);
    assert_true(aside_shows(app, "62 of "));
    click_aside(app, place_of(aside(app), "From 0"));
    assert_true(aside_shows(app, "0 of "));
    app_free(app);
}

/* The clock wakes the program once a minute. A key that is pressed then must not find that minute played. */
static void the_clock_moves_no_picture(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, 2);
    app_frame(app, 1e6);
    app_frame(app, 1e6);
    app_frame(app, 10);
    assert_true(app_still(app));
    press(app, KEY_SPACE, 0);
    assert_false(app_still(app));
    app_free(app);
}

/* From the least window to a large one, on every step with choices: nothing is drawn out of its box, and nothing is
 * written smaller than 16 pixels. */
static void the_view_has_room_in_every_window(void **state)
{
    (void)state;
    static const int sizes[][2] = {{800, 500}, {910, 500}, {1280, 800}, {800, 1100}, {1920, 1080}};
    struct app *app = open_at("histogram", 2, 2);
    press(app, KEY_A, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_aside(app, sizes[i][0], sizes[i][1]);
        for (int beat = 0; beat < 3; beat++) {
            const struct draw_list *list = aside(app);
            assert_non_null(list);
            for (size_t k = 0; k < list->count; k++) {
                const struct draw_command *text = &list->items[k];
                if (text->kind != DRAW_TEXT)
                    continue;
                bool const fits = text->extent <= text->rect.w + 1 && text->rect.x >= 0 && text->rect.y >= 0 &&
                                  text->rect.x + text->extent <= (float)sizes[i][0] + 1 &&
                                  text->at.y <= (float)sizes[i][1];
                if (!fits || text->size < 15.9f)
                    fail_msg("%d x %d: \"%s\" size %g, box %g %g %g %g, at %g %g, %g wide", sizes[i][0], sizes[i][1],
                             text->text, text->size, text->rect.x, text->rect.y, text->rect.w, text->rect.h, text->at.x,
                             text->at.y, text->extent);
            }
            press_aside(app, KEY_PAGE_DOWN);
        }
    }
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_a_second_screen_the_notes_stand_in_place_of_the_lesson),
                                       cmocka_unit_test(with_a_second_screen_the_class_does_not_see_the_notes),
                                       cmocka_unit_test(votes_that_are_typed_are_shown_after_the_reveal),
                                       cmocka_unit_test(digits_count_while_the_screen_is_black_or_shift_is_held),
                                       cmocka_unit_test(digits_in_the_lessons_window_choose_an_answer_as_ever),
                                       cmocka_unit_test(the_clock_counts_minutes_also_while_nothing_moves),
                                       cmocka_unit_test(the_clock_moves_no_picture),
                                       cmocka_unit_test(the_view_has_room_in_every_window)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
