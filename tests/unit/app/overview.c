/* The overview is reached by keys and by mouse from any run, leads to the access that was chosen, and has room for its
 * text in every window. */
#include "app/app.h"
#include "lint.h"
#include "platform/platform.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../app_helper.h"

static struct app *open_run(const char *lesson, const char *overview)
{
    struct app_options options = app_options_of(lesson, 1);
    options.answered = true;
    options.overview = overview;
    return app_opened(&options, NULL);
}

/* Clicks the first text that begins so. */
static void click(struct app *app, const char *words)
{
    app_frame(app, 1e6);
    const struct draw_list *list = app_frame(app, 1e6);
    struct point at = {-1, -1};
    for (size_t i = 0; i < list->count && at.x < 0; i++)
        if (list->items[i].kind == DRAW_TEXT && strncmp(list->items[i].text, words, strlen(words)) == 0)
            at = (struct point){list->items[i].at.x + list->items[i].extent / 2,
                                list->items[i].at.y - list->items[i].size * 0.3f};
    if (at.x < 0)
        fail_msg("\"%s\" is not on screen", words);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
}

static bool at_access(struct app *app, const char *access)
{
    return strstr(app_state_line(app), access) != NULL;
}

static void the_keys_open_and_close_it_at_the_same_access(void **state)
{
    (void)state;
    struct app *app = open_run("transpose", NULL);
    char *before = strdup(app_state_line(app));
    press(app, KEY_O, 0);
    assert_true(shows(app, "waits for the pipe to memory"));
    assert_non_null(strstr(app_state_line(app), " --overview clock"));
    press(app, KEY_O, MODIFIER_SHIFT);
    assert_true(shows(app, "st.global"));
    press(app, KEY_O, MODIFIER_SHIFT);
    assert_false(shows(app, "st.global 4 B"));
    press(app, KEY_O, 0);
    press(app, KEY_ESCAPE, 0);
    assert_string_equal(app_state_line(app), before);
    free(before);
    app_free(app);
}

static void a_row_leads_to_its_most_wasteful_access(void **state)
{
    (void)state;
    struct app *app = open_run("transpose", "lines");
    press(app, KEY_ENTER, 0);
    assert_false(shows(app, "Instructions by waste"));
    assert_true(at_access(app, "--access 33")); /* of 64: the first of the stores, after a load of each of 32 warps */
    press(app, KEY_O, MODIFIER_SHIFT);
    click(app, "10:5");
    assert_true(at_access(app, "--access 1 "));
    app_free(app);
    app = open_run("transpose", "warps");
    press(app, KEY_END, 0);
    press(app, KEY_ENTER, 0);
    assert_true(at_access(app, "--show-block 3"));
    app_free(app);
}

static void the_map_leads_to_a_warp_and_to_other_blocks(void **state)
{
    (void)state;
    struct app *app = open_run("transpose", "clock");
    press(app, KEY_DOWN, 0);
    press(app, KEY_DOWN, 0);
    click(app, "›");
    assert_true(shows(app, "Block 1"));
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "warp 2 of 32"));
    app_free(app);
}

/* Finds the rows of the map: a click in the middle of one goes to what the warp does there. */
static void a_click_on_the_map_goes_to_the_event_there(void **state)
{
    (void)state;
    struct app *app = open_run("transpose", "clock");
    app_frame(app, 1e6);
    const struct draw_list *list = app_frame(app, 1e6);
    struct point label = {0, 0}, end = {0, 0};
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, "warp 4") == 0)
            label = list->items[i].at;
        if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, "cycles") == 0)
            end = list->items[i].at;
    }
    assert_true(end.x > label.x);
    struct point const at = {end.x - 100, label.y - 5};
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
    assert_false(shows(app, "Warps along the clock"));
    assert_true(shows(app, "warp 4 of 32"));
    app_free(app);
}

static void a_small_block_leaves_room_for_the_others_and_the_list(void **state)
{
    (void)state;
    struct app *app = open_run("reduction", "clock");
    assert_true(shows(app, "block 0, warp 0") && shows(app, "block 3, warp 0"));
    assert_true(shows(app, "Recorded: all 4 blocks of the launch."));
    assert_true(shows(app, "The next tab lists") || shows(app, "st.global 4 B"));
    app_free(app);
    app = open_run("stencil", "clock");
    assert_true(shows(app, "block 5, warp 0") && shows(app, "block 4, warp 7"));
    assert_true(shows(app, "Recorded: 6 of the 32 blocks"));
    app_free(app);
}

static void a_question_keeps_it_closed(void **state)
{
    (void)state;
    struct app_options options = app_options_of("banks", 2);
    struct app *app = app_opened(&options, NULL);
    press(app, KEY_O, 0);
    assert_true(shows(app, "answer or skip the question first"));
    assert_false(shows(app, "Warps along the clock"));
    app_free(app);
    options.overview = "lines"; /* by the command line neither */
    app = app_opened(&options, NULL);
    assert_false(shows(app, "Instructions by waste"));
    app_free(app);
}

static void an_explanation_leads_to_its_access_and_to_its_lesson(void **state)
{
    (void)state;
    struct app *app = open_run("transpose", NULL);
    press(app, KEY_O, MODIFIER_ALT);
    assert_non_null(strstr(app_state_line(app), " --overview why"));
    assert_true(shows(app, "access down a column"));
    assert_true(shows(app, "Other warps of the block need the bytes between."));
    press(app, KEY_ENTER, 0);
    assert_false(shows(app, "access down a column"));
    assert_true(at_access(app, "--access 33"));
    press(app, KEY_O, MODIFIER_ALT);
    press(app, KEY_DOWN, 0); /* the load, which wastes nothing */
    press(app, KEY_ENTER, 0);
    assert_true(at_access(app, "--access 1 "));
    app_free(app);
    app = open_run("stencil", "why");
    click(app, "Lesson: ");
    assert_false(shows(app, "Why it wastes"));
    assert_non_null(strstr(app_state_line(app), "lanescope stencil"));
    app_free(app);
}

static void another_step_closes_it(void **state)
{
    (void)state;
    struct app *app = open_run("warps", "lines");
    press(app, KEY_PAGE_DOWN, 0);
    assert_false(shows(app, "Instructions by waste"));
    app_free(app);
}

static const struct {
    int width, height, text;
    bool korean, dark, present;
} looks[] = {
    {1024, 600, 100, false, false, false}, {1024, 600, 200, true, false, false},  {1024, 600, 200, false, true, false},
    {1280, 720, 140, true, true, false},   {1366, 768, 100, false, true, false},  {1366, 768, 180, false, false, true},
    {1280, 720, 100, true, false, true},   {1920, 1080, 100, true, false, false}, {1920, 1080, 200, false, true, true}};

static void every_page_has_room_in_every_window(void **state)
{
    (void)state;
    static const char *const lessons[] = {"transpose", "reduction", "banks", "memory-spaces", "divergence"};
    static const char *const pages[] = {"clock", "lines", "warps", "why"};
    struct error error;
    struct platform *platform;
    assert_true(platform_open_headless(&platform, &error));
    struct text_metrics const metrics = platform_metrics(platform);
    int wrong = 0;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
            struct app_options options = app_options_of(lessons[(i + k) % (sizeof lessons / sizeof *lessons)], 1);
            options.overview = pages[k];
            options.answered = true;
            options.width = looks[i].width;
            options.height = looks[i].height;
            options.text_percent = looks[i].text;
            options.language = looks[i].korean ? "ko" : "en";
            options.theme = looks[i].dark ? "dark" : "light";
            options.present = looks[i].present;
            struct app *app;
            struct arena arena = {0};
            const char **findings;
            assert_true(app_new(&options, &metrics, NULL, &app, &error));
            app_frame(app, 1e6);
            const struct draw_list *list = app_frame(app, 1e6);
            struct lint_options const lint = {.screen = {0, 0, (float)options.width, (float)options.height},
                                              .background = app_background(app),
                                              .minimum_size = app_minimum_text(app)};
            size_t const count = lint_draw_list(list, &metrics, &lint, &arena, &findings);
            for (size_t f = 0; f < count; f++, wrong++)
                print_message("%s --size %dx%d --text %d: %s\n", app_state_line(app), options.width, options.height,
                              options.text_percent, findings[f]);
            for (size_t t = 0; t < list->count; t++) {
                const struct draw_command *text = &list->items[t];
                size_t const length = text->kind == DRAW_TEXT ? strlen(text->text) : 0;
                if (length > 3 && text->role != FONT_CODE && strcmp(text->text + length - 3, "…") == 0) {
                    print_message("%s --size %dx%d --text %d: \"%s\" is cut\n", app_state_line(app), options.width,
                                  options.height, options.text_percent, text->text);
                    wrong++;
                }
            }
            arena_free(&arena);
            app_free(app);
        }
    platform_close(platform);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keys_open_and_close_it_at_the_same_access),
        cmocka_unit_test(a_row_leads_to_its_most_wasteful_access),
        cmocka_unit_test(the_map_leads_to_a_warp_and_to_other_blocks),
        cmocka_unit_test(a_click_on_the_map_goes_to_the_event_there),
        cmocka_unit_test(a_small_block_leaves_room_for_the_others_and_the_list),
        cmocka_unit_test(a_question_keeps_it_closed),
        cmocka_unit_test(an_explanation_leads_to_its_access_and_to_its_lesson),
        cmocka_unit_test(another_step_closes_it),
        cmocka_unit_test(every_page_has_room_in_every_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
