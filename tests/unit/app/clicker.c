/* In class: the keys of a clicker lead through the lessons and back, a number leads to a step, the pointer hides while
 * it rests, and a spotlight follows the mouse. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "app/state.h"
#include "lesson/lesson.h"
#include "ui/keys.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_helper.h"
#include "lessons_helper.h"

static bool pointer_shown = true;
static void show_pointer(void *context, bool shown)
{
    (void)context;
    pointer_shown = shown;
}

static struct app *open_at(const char *lesson, int beat, bool present)
{
    struct app_options options = app_options_of(lesson, beat);
    options.present = present;
    pointer_shown = true;
    return app_opened(&options, &(struct app_host){.show_pointer = show_pointer});
}

static bool is_at(struct app *app, const char *words)
{
    app_frame(app, 1e6);
    return strstr(app_state_line(app), words) != NULL;
}

static void a_clicker_opens_a_lesson_from_the_list(void **state)
{
    (void)state;
    struct app *app = open_at(NULL, 0, true);
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(is_at(app, "lanescope start ") && is_at(app, "--beat 1 "));
    press(app, KEY_PAGE_UP, 0); /* no lesson is before it */
    assert_true(is_at(app, "lanescope") && !is_at(app, "--beat"));
    press(app, KEY_PAGE_UP, 0); /* the last lesson */
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(is_at(app, "--beat 1 ") && !is_at(app, "lanescope start "));
    app_free(app);
}

static void a_clicker_goes_through_a_lesson_to_the_next_one_and_back(void **state)
{
    (void)state;
    struct app *app = open_at("warps", 1, true);
    for (int i = 0; i < 40 && is_at(app, "lanescope warps "); i++)
        press(app, KEY_PAGE_DOWN, 0);
    assert_true(is_at(app, "lanescope coalescing ") && is_at(app, "--beat 1 "));
    press(app, KEY_PAGE_UP, 0);
    assert_true(is_at(app, "lanescope warps ") && shows(app, "Next lesson"));
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(is_at(app, "lanescope coalescing ") && is_at(app, "--beat 1 "));
    app_free(app);
}

/* Some clickers have the arrows alone. */
static void arrows_go_on_where_a_step_ends(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 2, true);
    press(app, KEY_RIGHT, 0); /* "the class voted" */
    assert_true(shows(app, "pass 2") && is_at(app, "--beat 2 "));
    press(app, KEY_END, 0);
    press(app, KEY_LEFT, 0);
    for (int i = 0; i < 300 && is_at(app, "--beat 2 "); i++)
        press(app, KEY_RIGHT, 0);
    assert_true(is_at(app, "--beat 3 "));
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_RIGHT, .repeat = true});
    assert_false(shows(app, "pass 8")); /* a held key answers nothing */
    press(app, KEY_LEFT, 0);
    assert_true(is_at(app, "--beat 2 "));
    app_free(app);
}

static void arrows_at_a_desk_stay_in_their_step(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, false);
    press(app, KEY_END, 0);
    press(app, KEY_RIGHT, 0);
    press(app, KEY_RIGHT, 0);
    assert_true(is_at(app, "--beat 1 "));
    app_free(app);
}

static void a_number_and_enter_go_to_a_step(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, false);
    press(app, KEY_1, 0);
    press(app, KEY_1 + 1, 0);
    assert_true(shows(app, "Enter goes to step 12 of 12"));
    press(app, KEY_ENTER, 0);
    assert_true(is_at(app, "--beat 12 "));
    press(app, KEY_PAD_1 + 1, 0);
    press(app, KEY_PAD_ENTER, 0);
    assert_true(is_at(app, "--beat 2 "));
    press(app, KEY_1 + 2, 0); /* a question is open: the digit chooses an answer */
    press(app, KEY_ENTER, 0);
    assert_true(is_at(app, "--beat 2 ") && shows(app, "YOU GUESSED"));
    app_free(app);
}

static void a_second_answer_leads_to_no_other_step(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 3, false);
    press(app, KEY_1, 0);
    press(app, KEY_ENTER, 0);
    press(app, KEY_1 + 1, 0); /* once more, without R */
    assert_true(shows(app, "answered already: R asks again"));
    press(app, KEY_ENTER, 0);
    assert_true(is_at(app, "--beat 3 "));
    press(app, KEY_H, 0);
    press(app, KEY_1 + 4, 0);
    press(app, KEY_ENTER, 0);
    assert_true(is_at(app, "--beat 5 "));
    app_free(app);
    app = open_at("banks", 9, false); /* a task */
    press(app, KEY_1, 0);
    assert_true(shows(app, "H and a number go to a step; ] and [ turn a knob"));
    press(app, KEY_ENTER, 0);
    assert_true(is_at(app, "--beat 9 "));
    app_free(app);
}

static void h_leads_on_from_an_open_question(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 2, false);
    press(app, KEY_H, 0);
    assert_true(shows(app, "type the number of a step, 1 to 12"));
    press(app, KEY_1 + 4, 0);
    press(app, KEY_ENTER, 0);
    assert_true(is_at(app, "--beat 5 "));
    press(app, KEY_H, 0);
    press(app, KEY_1 + 8, 0);
    press(app, KEY_1 + 8, 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "there is no step 99") && is_at(app, "--beat 5 "));
    press(app, KEY_1, 0);
    press(app, KEY_ESCAPE, 0); /* takes the number back, and leaves nothing */
    press(app, KEY_ENTER, 0);
    assert_true(is_at(app, "--beat 5 "));
    app_free(app);
}

static void the_pointer_hides_after_two_seconds_without_busy_frames(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, true);
    app_frame(app, 1e6);
    assert_false(pointer_shown);
    assert_true(isinf(app_wait(app)) && !shows(app, "한국어"));
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = 900, .y = 500});
    assert_true(pointer_shown);
    app_frame(app, 0.01);
    app_frame(app, 0);
    assert_true(app_wait(app) > 1.9 && app_wait(app) <= 2);
    app_frame(app, 1.5);
    assert_true(pointer_shown);
    app_frame(app, 0.6);
    assert_false(pointer_shown);
    app_frame(app, 0);
    assert_true(isinf(app_wait(app)));
    press(app, KEY_F5, 0);
    app_frame(app, 0);
    assert_true(pointer_shown && shows(app, "한국어")); /* at a desk it stays */
    app_free(app);
}

static float largest_ring(struct app *app)
{
    const struct draw_list *list = app_frame(app, 0);
    float width = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_OUTLINE)
            width = fmaxf(width, list->items[i].width);
    return width;
}

static void a_spotlight_darkens_all_but_a_circle_at_the_mouse(void **state)
{
    (void)state;
    struct app *app = open_at("banks", 1, true);
    press(app, KEY_Z, 0);
    assert_true(shows(app, "the spotlight follows the mouse"));
    assert_true(largest_ring(app) < 100);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = 900, .y = 500});
    assert_true(largest_ring(app) > 1920);
    app_event(app, &(struct app_event){.kind = APP_WHEEL, .y = 1});
    assert_true(largest_ring(app) > 1920);
    press(app, KEY_ESCAPE, 0);
    assert_true(largest_ring(app) < 100);
    assert_true(is_at(app, "--present")); /* Escape closed the spotlight alone */
    app_free(app);
}

/* A projector of 16:9 and one of 4:3. */
static const int projectors[][2] = {{1280, 720}, {1024, 768}};

static struct app *projected(const char *lesson, int beat, bool answered, const int size[2])
{
    struct app_options options = app_options_of(lesson, beat);
    options.present = true;
    options.answered = answered;
    options.width = size[0];
    options.height = size[1];
    return app_opened(&options, NULL);
}

static void what_the_step_is_about_has_room_on_a_projector(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof projectors / sizeof *projectors; i++) {
        struct app *app = projected("dram-rows", 6, true, projectors[i]);
        assert_true(shows(app, "open row") && shows(app, "columns 0"));
        app_free(app);
        app = projected("barrier", 3, false, projectors[i]);
        assert_true(shows(app, "order: either") && shows(app, "What is the number of the"));
        app_free(app);
    }
}

static void a_class_that_looks_for_a_line_sees_the_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof projectors / sizeof *projectors; i++) {
        struct app *app = projected("reduction", 7, false, projectors[i]);
        assert_true(shows(app, "Which line") && shows(app, "sums[blockIdx.x]") && shows(app, "extern \"C\""));
        app_free(app);
        app = projected("adjdiff", 9, false, projectors[i]);
        assert_true(shows(app, "b[i] = own - before;")); /* the wrong line */
        app_free(app);
    }
}

static void a_class_that_looks_at_fragments_sees_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof projectors / sizeof *projectors; i++) {
        struct app *app = projected("fragments", 6, false, projectors[i]);
        assert_true(shows(app, "What do you see: how many ") && shows(app, "to lanes"));
        app_free(app);
    }
}

static void a_race_leaves_the_task_of_its_step_on_screen(void **state)
{
    (void)state;
    struct app *app = projected("barrier", 9, true, projectors[0]);
    assert_true(shows(app, "order: either") && shows(app, "Task: choose the variant"));
    app_free(app);
}

static void the_mended_kernel_stands_at_an_access_that_its_step_shows(void **state)
{
    (void)state;
    struct app *app = projected("adjdiff", 9, true, projectors[0]);
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "Back to the faulty kernel"));
    assert_false(shows(app, "it fetches no sector"));
    app_free(app);
}

/* The number of wrong elements stands in large below; that of hazards, which is 0 here, says nothing of them. */
static void a_class_reads_of_wrong_elements_above_or_below(void **state)
{
    (void)state;
    struct app *app = projected("matmul", 7, true, projectors[0]);
    struct lesson_beat *beat = (struct lesson_beat *)(uintptr_t)document_beat(&app->document);
    assert_string_equal(beat->big, "wrong_count");
    assert_false(shows(app, "wrong elements: "));
    beat->big = "hazards";
    assert_true(shows(app, "wrong elements: "));
    app_free(app);
}

static int tasks;

static void page_down_does_the_tasks_of(const struct lesson *lesson)
{
    for (int beat = 0; beat < lesson->beat_count; beat++) {
        if (lesson->beats[beat].kind != BEAT_TASK)
            continue;
        struct app *app = projected(lesson->name, beat + 1, false, projectors[0]);
        char here[32];
        snprintf(here, sizeof here, "--beat %d ", beat + 1);
        assert_true(shows(app, "Do the task"));
        press(app, KEY_PAGE_DOWN, 0);
        assert_false(shows(app, "Do the task"));
        assert_true(is_at(app, here));
        press(app, KEY_PAGE_DOWN, 0);
        assert_false(is_at(app, here));
        app_free(app);
        tasks++;
    }
}

static void page_down_does_the_task_of_every_lesson(void **state)
{
    (void)state;
    for_sampled_lessons(0, page_down_does_the_tasks_of);
    assert_true(tasks > 10 / LESSONS_EVERY);
}

static void a_class_that_marks_cells_reads_what_to_mark(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof projectors / sizeof *projectors; i++) {
        struct app *app = projected("histogram", 7, false, projectors[i]);
        assert_true(shows(app, "Check") && shows(app, "You are the "));
        app_free(app);
    }
}

static bool pointed_at(struct app *app, float x, float y, const char *words)
{
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = y});
    const struct draw_list *list = app_frame(app, 0); /* no time passes: the pointer would hide */
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words))
            return true;
    return false;
}

static void a_pointer_that_nobody_sees_points_at_nothing(void **state)
{
    (void)state;
    struct app *app = projected("banks", 1, true, (const int[]){1920, 1080});
    float y = 60;
    while (y < 400 && !pointed_at(app, 400, y, "lane 4: "))
        y += 10;
    assert_true(y < 400);
    press(app, KEY_RIGHT_BRACKET, 0);
    assert_false(shows(app, "lane 4: "));
    assert_true(pointed_at(app, 402, y, "lane 4: "));
    app_free(app);
}

static void a_sentence_on_the_step_stays_at_every_access(void **state)
{
    (void)state;
    struct app *app = projected("coalescing", 3, true, projectors[0]);
    assert_true(shows(app, "elements are spread over"));
    press(app, KEY_RIGHT, 0);
    assert_true(shows(app, "access 2 of") && shows(app, "elements are spread over"));
    app_free(app);
}

static void a_class_that_goes_back_sees_the_task_done(void **state)
{
    (void)state;
    struct app *app = projected("transpose", 8, true, projectors[0]);
    assert_true(shows(app, "Do the task"));
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "padded tile")); /* the variant's name stands on the stage */
    press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_PAGE_UP, 0);
    assert_false(shows(app, "Do the task"));
    assert_true(shows(app, "padded tile") && shows(app, "1 pass"));
    app_free(app);
}

int main(void)
{
    setenv("LC_ALL", "C", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_step_is_about_has_room_on_a_projector),
        cmocka_unit_test(a_class_that_looks_for_a_line_sees_the_code),
        cmocka_unit_test(a_class_that_looks_at_fragments_sees_them),
        cmocka_unit_test(a_race_leaves_the_task_of_its_step_on_screen),
        cmocka_unit_test(a_class_reads_of_wrong_elements_above_or_below),
        cmocka_unit_test(page_down_does_the_task_of_every_lesson),
        cmocka_unit_test(a_class_that_goes_back_sees_the_task_done),
        cmocka_unit_test(the_mended_kernel_stands_at_an_access_that_its_step_shows),
        cmocka_unit_test(a_class_that_marks_cells_reads_what_to_mark),
        cmocka_unit_test(a_pointer_that_nobody_sees_points_at_nothing),
        cmocka_unit_test(a_sentence_on_the_step_stays_at_every_access),

        cmocka_unit_test(a_clicker_opens_a_lesson_from_the_list),
        cmocka_unit_test(a_clicker_goes_through_a_lesson_to_the_next_one_and_back),
        cmocka_unit_test(arrows_go_on_where_a_step_ends),
        cmocka_unit_test(arrows_at_a_desk_stay_in_their_step),
        cmocka_unit_test(a_number_and_enter_go_to_a_step),
        cmocka_unit_test(a_second_answer_leads_to_no_other_step),
        cmocka_unit_test(h_leads_on_from_an_open_question),
        cmocka_unit_test(the_pointer_hides_after_two_seconds_without_busy_frames),
        cmocka_unit_test(a_spotlight_darkens_all_but_a_circle_at_the_mouse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
