/* Everything of a step can be reached in a small window, by mouse and by keys: its pages, its further text and code,
 * and the steps before and after. */
#include "app/app.h"
#include "lesson/lesson_run.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../app_helper.h"

static struct app *open_at(const char *lesson, int beat, int width, int height, int text)
{
    struct app_options options = app_options_of(lesson, beat);
    options.width = width;
    options.height = height;
    options.text_percent = text;
    return app_opened(&options, NULL);
}

/* Returns whether a text is drawn that begins so, and where. */
static bool find(struct app *app, const char *words, struct point *middle)
{
    app_frame(app, 1e6); /* applies what the last input asked for */
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT || strncmp(command->text, words, strlen(words)) != 0)
            continue;
        *middle = (struct point){command->at.x + command->extent / 2, command->at.y - command->size * 0.3f};
        return true;
    }
    return false;
}

static bool seen(struct app *app, const char *words)
{
    struct point at;
    return find(app, words, &at);
}

static void click(struct app *app, const char *words)
{
    struct point at = {0};
    if (!find(app, words, &at))
        fail_msg("\"%s\" is not on screen", words);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
}

static void one_who_turns_the_knobs_of_a_task_sees_how_far_it_is(void **state)
{
    (void)state;
    struct app *app = open_at("coalescing", 10, 1366, 734, 100);
    click(app, "Knobs");
    assert_true(seen(app, "Not there yet"));
    click(app, "struct of arrays");
    assert_true(seen(app, "Done. The text says why."));
    click(app, "Text");
    assert_false(seen(app, "Done.")); /* the words say it */
    app_free(app);
}

static bool at_step(struct app *app, int step)
{
    char words[32];
    app_frame(app, 1e6);
    snprintf(words, sizeof words, "--beat %d ", step);
    return strstr(app_state_line(app), words) != NULL;
}

static void the_mouse_leads_through_a_lesson_and_on(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, 1366, 768, 100);
    assert_true(seen(app, "‹ Lessons"));
    click(app, "Next: ");
    assert_true(at_step(app, 2));
    click(app, "‹ Back");
    assert_true(at_step(app, 1));
    for (int step = 2; !seen(app, "Next lesson: "); step++) {
        click(app, "Next: ");
        assert_true(at_step(app, step));
    }
    click(app, "Next lesson: ");
    assert_true(at_step(app, 1));
    assert_null(strstr(app_state_line(app), "banks"));
    app_free(app);
}

static void tabs_and_a_key_turn_the_pages_of_a_small_window(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, 1024, 600, 200);
    assert_true(seen(app, "STEP 1"));
    assert_false(seen(app, "Lanes"));
    click(app, "Picture");
    assert_true(seen(app, "Lanes"));
    assert_false(seen(app, "STEP 1"));
    press(app, KEY_P, MODIFIER_SHIFT);
    assert_true(seen(app, "STEP 1"));
    for (int i = 0; i < 30 && !seen(app, "KERNEL"); i++)
        press(app, KEY_P, 0);
    assert_true(seen(app, "KERNEL"));
    press(app, KEY_PAGE_DOWN, 0); /* a step opens with its words */
    assert_true(seen(app, "STEP 2"));
    app_free(app);
}

/* As much of an explanation as has room stands beside the number; the key leads to all of it. */
static void a_class_reads_the_rest_of_an_explanation_by_a_key(void **state)
{
    (void)state;
    struct app *app = open_at("memory-spaces", 10, 1280, 720, 100);
    press(app, KEY_F5, 0);
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(seen(app, "  P\u00a0›"));
    assert_false(seen(app, "STEP 10") || seen(app, "The same reads"));
    press(app, KEY_P, 0);
    assert_true(seen(app, "STEP 10") && seen(app, "The same reads"));
    assert_false(seen(app, "  P\u00a0›"));
    press(app, KEY_P, MODIFIER_SHIFT);
    assert_true(seen(app, "  P\u00a0›"));
    app_free(app);
}

static void a_move_to_another_access_shows_the_picture(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, 1024, 600, 200);
    assert_false(seen(app, "Lanes"));
    press(app, KEY_LEFT, 0);
    assert_true(seen(app, "Lanes"));
    app_free(app);
}

static void long_words_scroll_to_their_end_and_back(void **state)
{
    (void)state;
    struct app *app = open_at("coalescing", 1, 1024, 600, 200);
    assert_true(seen(app, "STEP 1"));
    assert_true(seen(app, "More ↓"));
    for (int i = 0; i < 20 && seen(app, "More ↓"); i++)
        click(app, "More ↓");
    assert_false(seen(app, "More ↓"));
    assert_false(seen(app, "STEP 1"));
    struct app_event wheel = {.kind = APP_WHEEL, .y = 100};
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = 300, .y = 200});
    app_event(app, &wheel);
    assert_false(seen(app, "STEP 2"));
    assert_true(seen(app, "STEP 1"));
    app_free(app);
}

/* The lines of a bug's kernel are all there at the smallest size, and the picked one stays in sight. */
static void the_code_of_a_bug_scrolls(void **state)
{
    (void)state;
    struct app *app = open_at("stencil", 9, 1024, 600, 180);
    assert_true(seen(app, "STEP 9 · FIND THE BUG"));
    while (seen(app, "More ↓"))
        click(app, "More ↓");
    click(app, "Code ›");
    assert_true(seen(app, "84"));
    assert_false(seen(app, "97"));
    for (int i = 0; i < 20 && seen(app, "↓"); i++)
        click(app, "↓");
    assert_true(seen(app, "97"));
    for (int i = 0; i < 20 && seen(app, "↑"); i++)
        click(app, "↑");
    assert_false(seen(app, "97"));
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = 500, .y = 250});
    for (int i = 0; i < 20 && !seen(app, "97"); i++)
        app_event(app, &(struct app_event){.kind = APP_WHEEL, .y = -1});
    assert_true(seen(app, "97"));
    for (int i = 0; i < 3; i++)
        press(app, KEY_DOWN, 0);
    assert_true(seen(app, "85"));
    assert_true(seen(app, "This line"));
    app_free(app);
}

static void page_down_at_the_end_of_a_presentation_keeps_the_picture(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    assert_true(count > 0);
    struct app_options options = app_options_of(names[count - 1], 1);
    options.present = true;
    struct app *app = app_opened(&options, NULL);
    for (int i = 0; i < 60 && !seen(app, "All lessons ›"); i++)
        press(app, KEY_PAGE_DOWN, 0);
    click(app, "Picture");
    char *before = picture(app);
    press(app, KEY_PAGE_DOWN, 0);
    char *after = picture(app);
    assert_string_equal(before, after);
    free(before);
    free(after);
    app_free(app);
    arena_free(&arena);
}

static void the_timeline_says_what_comes_after_the_last_access(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, 1366, 768, 100);
    press(app, KEY_END, 0);
    press(app, KEY_RIGHT, 0);
    assert_true(seen(app, "the last · PageDown: step 2"));
    press(app, KEY_HOME, 0);
    assert_false(seen(app, "the last"));
    app_free(app);
}

static void the_lists_of_a_small_window_have_pages(void **state)
{
    (void)state;
    struct app *app = open_at(NULL, 0, 1024, 600, 200);
    assert_true(seen(app, "1  "));
    click(app, "More ›");
    assert_false(seen(app, "1  "));
    press(app, KEY_P, MODIFIER_SHIFT);
    assert_true(seen(app, "1  "));
    press(app, KEY_F1, 0);
    assert_true(seen(app, "Keys  1 / "));
    click(app, "More ↓");
    assert_true(seen(app, "Keys  2 / "));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_who_turns_the_knobs_of_a_task_sees_how_far_it_is),
        cmocka_unit_test(the_mouse_leads_through_a_lesson_and_on),
        cmocka_unit_test(tabs_and_a_key_turn_the_pages_of_a_small_window),
        cmocka_unit_test(a_class_reads_the_rest_of_an_explanation_by_a_key),
        cmocka_unit_test(a_move_to_another_access_shows_the_picture),
        cmocka_unit_test(long_words_scroll_to_their_end_and_back),
        cmocka_unit_test(the_code_of_a_bug_scrolls),
        cmocka_unit_test(page_down_at_the_end_of_a_presentation_keeps_the_picture),
        cmocka_unit_test(the_timeline_says_what_comes_after_the_last_access),
        cmocka_unit_test(the_lists_of_a_small_window_have_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
