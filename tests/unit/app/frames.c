/* Every frame shows one setting and one layout: while a knob is dragged or its key is held, and when the window says
 * something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "app/state.h"
#include "app_helper.h"
#include "document/notice.h"
#include "ui/keys.h"

static struct app *open_step(const char *lesson, int beat, bool answered)
{
    struct app_options options = app_options_of(lesson, beat);
    options.answered = answered;
    return app_opened(&options, NULL);
}

static const struct draw_command *text_at(const struct draw_list *list, const char *words, float y)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && (!words || strcmp(list->items[i].text, words) == 0) &&
            (y < 0 || (list->items[i].at.y > y - 6 && list->items[i].at.y < y + 6 && list->items[i].role == FONT_BOLD)))
            return &list->items[i];
    return NULL;
}

/* Returns the name of the knob: the last text of this kind, because the words of the step may have it, too. */
static const struct draw_command *knob_name(const struct draw_list *list)
{
    const struct draw_command *name = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, "stride") == 0)
            name = &list->items[i];
    return name;
}

static int common_divisor(int a, int b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Asserts that the knob's value, the number of passes and the run agree in this frame: a load of words at a stride
 * takes as many passes as the stride and 32 have in common. Returns the stride. */
static int assert_one_setting(struct app *app, const struct draw_list *list)
{
    const struct draw_command *name = knob_name(list);
    assert_non_null(name);
    const struct draw_command *value = text_at(list, NULL, name->at.y);
    for (size_t i = 0; i < list->count; i++) /* the value stands at the right of the slider */
        if (list->items[i].kind == DRAW_TEXT && list->items[i].at.x > value->at.x &&
            list->items[i].at.y > name->at.y - 6 && list->items[i].at.y < name->at.y + 6)
            value = &list->items[i];
    int const stride = atoi(value->text), passes = stride ? common_divisor(stride, 32) : 1;
    char said[32], set[32];
    snprintf(said, sizeof said, passes == 1 ? "%d pass" : "%d passes", passes);
    snprintf(set, sizeof set, "--set stride=%d ", stride);
    if (!text_at(list, said, -1))
        fail_msg("the knob shows %d, but no text says %s", stride, said);
    assert_non_null(strstr(app_state_line(app), set));
    return stride;
}

static void every_frame_of_a_dragged_knob_shows_one_setting(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    const struct draw_list *list = app_frame(app, 1e6);
    const struct draw_command *name = knob_name(list);
    assert_non_null(name);
    float const y = name->at.y - 5, left = name->at.x + 165;
    int strides = 0, last = 0;
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = left, .y = y});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = left, .y = y});
    for (int i = 0; i < 60; i++) {
        int const stride = assert_one_setting(app, app_frame(app, 0.01));
        strides += stride != last;
        last = stride;
        app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = left + 3 * (float)i, .y = y});
    }
    assert_true(strides > 20); /* a new picture in almost every frame, before the mouse is released */
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = left + 180, .y = y});
    assert_one_setting(app, app_frame(app, 0.01));
    app_free(app);
}

static void a_held_key_turns_the_knob_once_a_frame_as_far_as_it_was_held(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    int const from = assert_one_setting(app, app_frame(app, 1e6));
    for (int i = 0; i < 5; i++)
        app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_LEFT_BRACKET, .repeat = true});
    assert_int_equal(assert_one_setting(app, app_frame(app, 0.01)), from - 5);
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_RIGHT_BRACKET, .repeat = true});
    press(app, KEY_RIGHT_BRACKET, 0); /* another event: the turns before it count first */
    assert_int_equal(assert_one_setting(app, app_frame(app, 0.01)), from - 3);
    app_free(app);
}

static bool save_picture(void *context, const struct draw_list *list, int width, int height, struct color background,
                         const char *path, struct error *error)
{
    (void)context, (void)list, (void)width, (void)height, (void)background, (void)path, (void)error;
    return true;
}

/* Returns the frame without the bar on top. */
static char *below_bar(struct app *app)
{
    char *all = picture(app), *kept = calloc(1, strlen(all) + 2), *end = kept;
    const struct draw_list *list = app_frame(app, 0);
    struct arena arena = {0};
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && list->items[i].at.y > 60) {
            const char *line = arena_format(&arena, "%.1f %.1f %.20s\n", (double)list->items[i].at.x,
                                            (double)list->items[i].at.y, list->items[i].text);
            size_t const used = (size_t)(end - kept), length = strlen(line);
            char *more = realloc(kept, used + length + 1);
            assert_non_null(more);
            kept = more;
            memcpy(kept + used, line, length + 1);
            end = kept + used + length;
        }
    arena_free(&arena);
    free(all);
    return kept;
}

static void what_passes_moves_nothing(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("banks", 5);
    struct app *app = app_opened(&options, &(struct app_host){.save_picture = save_picture});
    char *before = below_bar(app);
    press(app, KEY_S, 0);
    assert_true(shows(app, "saved lanescope-banks-5"));
    char *after = below_bar(app);
    assert_string_equal(after, before);
    free(after);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = 400, .y = 900});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = 400, .y = 900});
    assert_false(shows(app, "saved lanescope-banks-5"));
    assert_true(shows(app, "step 5 of 12"));
    free(before);
    app_free(app);
}

static void a_bug_step_shows_no_finding_before_the_answer(void **state)
{
    (void)state;
    struct app *app = open_step("barrier", 3, true);
    assert_true(shows(app, "race"));
    press(app, KEY_PAGE_DOWN, 0);
    app->playhead.finding = 0; /* whatever was on screen before */
    for (int i = 0; i < 20; i++) {
        const struct draw_list *list = app_frame(app, 0.05);
        for (size_t k = 0; k < list->count; k++)
            if (list->items[k].kind == DRAW_TEXT && list->items[k].at.y > 130) {
                assert_null(strstr(list->items[k].text, "race"));
                assert_null(strstr(list->items[k].text, "Race"));
            }
        press(app, KEY_RIGHT, i % 2 ? 0 : MODIFIER_SHIFT);
    }
    app_free(app);
}

/* Returns where the names of panels in the gutter stand, as text. */
static const char *gutter(struct app *app, struct arena *arena)
{
    static const char *const names[] = {"Warps", "Lanes", "Memory", "Turns", "warp 0"};
    const struct draw_list *list = app_frame(app, 1e6);
    const char *text = "";
    for (size_t i = 0; i < list->count; i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (list->items[i].kind == DRAW_TEXT && list->items[i].at.x < 130 &&
                strcmp(list->items[i].text, names[n]) == 0)
                text = arena_format(arena, "%s%s %.1f\n", text, names[n], (double)list->items[i].at.y);
    return text;
}

static void nothing_moves_at_a_barrier(void **state)
{
    (void)state;
    static const struct {
        const char *lesson;
        int beat;
    } steps[] = {{"barrier", 1}, {"barrier", 5}, {"adjdiff", 6}};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        struct arena arena = {0};
        struct app *app = open_step(steps[s].lesson, steps[s].beat, true);
        int waiting = 0;
        press(app, KEY_HOME, 0);
        const char *before = gutter(app, &arena);
        for (int i = 0; i < 60; i++) {
            waiting += shows(app, "waiting at the gate") && !shows(app, "waiting at the gate: 0");
            assert_string_equal(gutter(app, &arena), before);
            press(app, KEY_RIGHT, MODIFIER_SHIFT);
        }
        assert_true(waiting >= 4);
        app_free(app);
        arena_free(&arena);
    }
}

static void the_mouse_over_a_tick_names_its_event(void **state)
{
    (void)state;
    struct app *app = open_step("banks", 5, false);
    const struct draw_list *list = app_frame(app, 1e6);
    float x = 0, y = 0; /* of the cursor, the tallest mark of the timeline */
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_FILL && list->items[i].rect.y > 960 && list->items[i].rect.w < 12 &&
            list->items[i].rect.h > 50) {
            x = list->items[i].rect.x + list->items[i].rect.w / 2;
            y = list->items[i].rect.y + list->items[i].rect.h / 2;
        }
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = y});
    assert_true(shows(app, "warp 0, line 27: load from shared"));
    app_free(app);
}

static void the_cells_of_memory_say_what_they_show(void **state)
{
    (void)state;
    static const char *const numbers[] = {"in the cells: lanes", "in the cells: values",
                                          "in the cells: words by number", "in the cells: lanes"};
    struct app *app = open_step("banks", 5, false); /* a lesson that keeps values */
    for (int i = 0; i < 4; i++) {
        assert_true(shows(app, numbers[i]));
        press(app, KEY_V, 0);
    }
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_frame_of_a_dragged_knob_shows_one_setting),
                                       cmocka_unit_test(a_held_key_turns_the_knob_once_a_frame_as_far_as_it_was_held),
                                       cmocka_unit_test(what_passes_moves_nothing),
                                       cmocka_unit_test(nothing_moves_at_a_barrier),
                                       cmocka_unit_test(the_mouse_over_a_tick_names_its_event),
                                       cmocka_unit_test(the_cells_of_memory_say_what_they_show),
                                       cmocka_unit_test(a_bug_step_shows_no_finding_before_the_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
