/* The terms of a step are explained where they stand, and in the glossary, by mouse and by keys. */
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

static const char lane_is[] = "One of the 32 places of a warp";
enum { KEY_Q = KEY_A + 16 };

static struct app *open_banks(const char *language)
{
    struct app_options options = app_options_of("banks", 1);
    options.language = language;
    return app_opened(&options, NULL);
}

/* Returns the middle of the first text that begins so. */
static struct point place_of(struct app *app, const char *words)
{
    app_frame(app, 1e6);
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strncmp(list->items[i].text, words, strlen(words)) == 0)
            return (struct point){list->items[i].at.x + list->items[i].extent / 2,
                                  list->items[i].at.y - list->items[i].size * 0.3f};
    fail_msg("\"%s\" is not on screen", words);
    return (struct point){0};
}

static void point_at(struct app *app, const char *words)
{
    struct point const at = place_of(app, words);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = at.x, .y = at.y});
}

static void click(struct app *app, const char *words)
{
    struct point const at = place_of(app, words);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
}

static void a_word_below_the_mouse_is_explained(void **state)
{
    (void)state;
    struct app *app = open_banks("en");
    assert_false(shows(app, lane_is));
    point_at(app, "lanes");
    assert_true(shows(app, lane_is));
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
    assert_false(shows(app, lane_is));
    app_free(app);
}

static void a_key_walks_through_the_words_of_a_step(void **state)
{
    (void)state;
    struct app *app = open_banks("en");
    press(app, KEY_K, 0);
    assert_false(shows(app, lane_is)); /* the words are not drawn before the first frame */
    assert_true(shows(app, lane_is));
    press(app, KEY_K, 0);
    assert_true(shows(app, "32 threads of a block"));
    press(app, KEY_K, MODIFIER_SHIFT);
    assert_true(shows(app, lane_is));
    press(app, KEY_ESCAPE, 0);
    assert_false(shows(app, lane_is));
    assert_non_null(strstr(app_state_line(app), "--beat 1")); /* and nothing else was left */
    for (int i = 0; i < 30; i++)
        press(app, KEY_K, 0);
    press(app, KEY_K, 0);
    press(app, KEY_PAGE_DOWN, 0);
    assert_false(shows(app, "in the glossary")); /* another step closes the card */
    app_free(app);
}

static void enter_opens_the_glossary_at_the_word_and_escape_returns(void **state)
{
    (void)state;
    struct app *app = open_banks("en");
    app_frame(app, 1e6);
    press(app, KEY_K, 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "Glossary"));
    assert_true(shows(app, "One of the 32 places of a "));
    assert_true(shows(app, "type the first letters"));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "STEP 1"));
    press(app, KEY_I, 0); /* at the word whose card is open */
    assert_true(shows(app, "One of the 32 places of a "));
    press(app, KEY_ESCAPE, 0);
    app_free(app);
}

static void typing_finds_a_term(void **state)
{
    (void)state;
    struct app *app = open_banks("en");
    press(app, KEY_I, 0);
    assert_true(shows(app, "occupancy"));
    press(app, KEY_S, 0);
    press(app, KEY_E, 0);
    assert_true(shows(app, "sector"));
    assert_false(shows(app, "occupancy"));
    assert_true(shows(app, "the smallest part that is fetched")); /* the first term of the list is chosen */
    press(app, KEY_J, 0);
    assert_true(shows(app, "no term begins like this"));
    press(app, KEY_BACKSPACE, 0);
    assert_true(shows(app, "sector"));
    press(app, KEY_ESCAPE, 0); /* first the letters, then the glossary */
    assert_true(shows(app, "occupancy"));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "STEP 1"));
    app_free(app);
    app = open_banks("ko");
    press(app, KEY_I, 0);
    press(app, KEY_Q, 0);
    press(app, KEY_Z, 0); /* ㅂㅋ */
    assert_true(shows(app, "뱅크 충돌"));
    assert_false(shows(app, "배리어"));
    app_free(app);
}

static void the_mouse_reaches_every_term_and_returns(void **state)
{
    (void)state;
    struct app *app = open_banks("en");
    click(app, "Glossary");
    click(app, "W");
    assert_true(shows(app, "32 "));
    click(app, "threads"); /* a word of the explanation leads to its term */
    assert_true(shows(app, "One execution of the "));
    click(app, "‹ Back");
    assert_true(shows(app, "STEP 1"));
    click(app, "warp");
    assert_true(shows(app, "Glossary"));
    press(app, KEY_ESCAPE, 0);
    app_free(app);
    struct app_options options = app_options_of(NULL, 0);
    app = app_opened(&options, NULL);
    click(app, "Glossary");
    press(app, KEY_DOWN, 0);
    assert_true(shows(app, "active lane"));
    press(app, KEY_ESCAPE, 0);
    assert_false(shows(app, "active lane"));
    app_free(app);
}

/* The card and the screen of all terms have room in every window, at every size of text. */
static void nothing_is_cut_or_overlaps(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1024, 600}, {1280, 720}, {1366, 768}, {1920, 1080}};
    struct platform *platform;
    struct error error;
    if (!platform_open_headless(&platform, &error))
        fail_msg("%s", error.message);
    struct text_metrics const metrics = platform_metrics(platform);
    size_t problems = 0;
    for (int look = 0; look < 4 * 3 * 2; look++) {
        int const *size = sizes[look % 4];
        struct app_options options = app_options_of("banks", 1 + look % 4);
        struct app *app;
        options.width = size[0];
        options.height = size[1];
        options.text_percent = 100 + 50 * (look / 4 % 3);
        options.language = look / 12 ? "ko" : "en";
        options.theme = look % 2 ? "dark" : "light";
        options.present = look % 5 == 4;
        app_use_language(options.language);
        if (!app_new(&options, &metrics, NULL, &app, &error))
            fail_msg("%s", error.message);
        app_frame(app, 1e6);
        for (int step = 0; step < 12; step++) {
            struct arena arena = {0};
            const char **findings;
            press(app, step == 0 ? KEY_I : KEY_PAGE_DOWN, 0);
            const struct draw_list *list = app_frame(app, 1e6);
            struct lint_options const lint = {.screen = {0, 0, (float)size[0], (float)size[1]},
                                              .background = app_background(app),
                                              .minimum_size = app_minimum_text(app)};
            size_t const count = lint_draw_list(list, &metrics, &lint, &arena, &findings);
            for (size_t i = 0; i < count; i++)
                print_message("%dx%d, text %d, %s: %s\n", size[0], size[1], options.text_percent, options.language,
                              findings[i]);
            problems += count;
            arena_free(&arena);
        }
        app_free(app);
    }
    app_use_language("en");
    platform_close(platform);
    assert_int_equal(problems, 0);
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(a_word_below_the_mouse_is_explained),
        cmocka_unit_test(a_key_walks_through_the_words_of_a_step),
        cmocka_unit_test(enter_opens_the_glossary_at_the_word_and_escape_returns),
        cmocka_unit_test(typing_finds_a_term),
        cmocka_unit_test(the_mouse_reaches_every_term_and_returns),
        cmocka_unit_test(nothing_is_cut_or_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
