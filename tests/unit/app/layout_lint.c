/* The layout lint over every lesson, step, size, theme and language, with the fonts that a user sees. It finds text
 * that leaves its box or the screen, texts that overlap, and text that is too small or too faint. */
#include "app/app.h"
#include "app/keys.h"
#include "base/file.h"
#include "lesson/lesson_run.h"
#include "platform/platform.h"
#include "run/file.h"
#include "ui/lint.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lesson_folder.h"

struct window {
    int width, height;
    float scale;
    bool present;
};
static const struct window windows[] = {{1280, 720, 1, false},  {1920, 1080, 1, false}, {3840, 2160, 2, false},
                                        {2560, 1440, 1, false}, {900, 1200, 1, false},  {1280, 720, 1, true},
                                        {1920, 1080, 1, true}};

/* The layout does not depend on the theme, so dark is looked at in fewer windows. Nor does it depend on the sanitizers,
 * which are ten times slower: there the first window stands for all. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FEWER_WINDOWS
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FEWER_WINDOWS
#endif
static size_t windows_of(const char *theme)
{
#ifdef FEWER_WINDOWS
    (void)theme;
    return 1;
#else
    return strcmp(theme, "dark") == 0 ? 2 : sizeof windows / sizeof *windows;
#endif
}

static struct platform *platform;
static int problems;

static void lint(struct app *app, const struct window *window, const char *what)
{
    struct text_metrics const metrics = platform_metrics(platform);
    struct arena arena = {0};
    const char **findings;
    const struct draw_list *list = app_frame(app, 1e6);
    struct lint_options const options = {.screen = {0, 0, (float)window->width, (float)window->height},
                                         .background = app_background(app),
                                         .minimum_size = app_minimum_text(app)};
    size_t const count = lint_draw_list(list, &metrics, &options, &arena, &findings);
    for (size_t i = 0; i < count && problems < 60; i++, problems++)
        print_message("%dx%d%s %s\n  %s: %s\n", window->width, window->height, window->present ? " present" : "", what,
                      app_state_line(app), findings[i]);
    for (size_t i = 0; i < list->count && problems < 60; i++) { /* a label without room ends in an ellipsis */
        const struct draw_command *command = &list->items[i];
        size_t length = command->kind == DRAW_TEXT ? strlen(command->text) : 0;
        if (length < 4 || command->role == FONT_CODE || strcmp(command->text + length - 3, "…") != 0 ||
            (length > 5 && strcmp(command->text + length - 5, ", …") == 0)) /* a value with more elements than kept */
            continue;
        print_message("%dx%d%s %s\n  %s: \"%s\" is cut\n", window->width, window->height,
                      window->present ? " present" : "", what, app_state_line(app), command->text);
        problems++;
    }
    arena_free(&arena);
}

static void press(struct app *app, int key, int modifiers)
{
    struct app_event const event = {.kind = APP_KEY, .key = key, .modifiers = modifiers};
    app_event(app, &event);
}

static struct app *open_app(const struct window *window, const char *lesson, const char *language, const char *theme)
{
    struct app_options const options = {.lesson = lesson,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = language,
                                        .theme = theme,
                                        .present = window->present,
                                        .width = window->width,
                                        .height = window->height,
                                        .scale = window->scale};
    struct text_metrics const metrics = platform_metrics(platform);
    struct app *app;
    struct error error;
    if (!app_new(&options, &metrics, NULL, &app, &error))
        fail_msg("%s", error.message);
    return app;
}

enum { KINDS_STEPS = 10 };

/* Lints a step as it opens, and after its question is answered. */
static void lint_each_step(struct app *app, const struct window *window, const char *lesson, int beats)
{
    for (int beat = 0; beat < beats; beat++) {
        lint(app, window, "as it opens");
        press(app, KEY_1 + 1, 0);
        if (strcmp(lesson, "kinds") == 0) { /* its steps ask for lines and cells, too */
            press(app, KEY_DOWN, 0);
            press(app, KEY_DOWN, 0);
            press(app, KEY_SPACE, 0);
            lint(app, window, "half answered");
        }
        press(app, KEY_ENTER, 0);
        lint(app, window, "answered");
        press(app, KEY_E, 0); /* the recorded run, then the same under the emulator's */
        lint(app, window, "recorded");
        press(app, KEY_TAB, APP_SHIFT);
        lint(app, window, "compared");
        press(app, KEY_E, 0);
        press(app, KEY_PAGE_DOWN, 0);
    }
}

static void lint_steps(const struct window *window, const char *lesson, int beats, const char *language,
                       const char *theme)
{
    struct app *app = open_app(window, lesson, language, theme);
    lint_each_step(app, window, lesson, beats);
    app_free(app);
}

static void for_every_window(const char *theme, const char *language)
{
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    assert_true(count > 0);
    problems = 0;
    for (size_t w = 0; w < windows_of(theme); w++) {
        struct app *list = open_app(&windows[w], NULL, language, theme);
        lint(list, &windows[w], "lesson list");
        press(list, KEY_F1, 0);
        lint(list, &windows[w], "keys");
        app_free(list);
        for (size_t i = 0; i < count; i++) {
            struct lesson *lesson;
            struct error error;
            assert_true(lesson_load(names[i], &lesson, &error));
            lint_steps(&windows[w], names[i], lesson->beat_count, language, theme);
            lesson_free(lesson);
        }
    }
    arena_free(&arena);
    assert_int_equal(problems, 0);
}

/* The kinds of steps that ask for lines and cells, with larger text. */
static void larger_kinds_fit(void **state)
{
    (void)state;
    static const struct window some[] = {{1920, 1080, 1, false}, {1366, 768, 1, false}, {1280, 720, 1, true}};
    problems = 0;
    for (size_t w = 0; w < sizeof some / sizeof *some; w++)
        for (int language = 0; language < 2; language++)
            for (int steps = 0; steps < 5; steps += 2) {
                struct app *app = open_app(&some[w], "kinds", language ? "ko" : "en", "light");
                for (int step = 0; step < steps; step++)
                    press(app, KEY_EQUALS, APP_CONTROL);
                lint_each_step(app, &some[w], "kinds", KINDS_STEPS);
                app_free(app);
            }
    assert_int_equal(problems, 0);
}

static void english_in_light_fits(void **state)
{
    (void)state;
    for_every_window("light", "en");
}
static void english_in_dark_fits(void **state)
{
    (void)state;
    for_every_window("dark", "en");
}
static void korean_in_light_fits(void **state)
{
    (void)state;
    for_every_window("light", "ko");
}
static void korean_in_dark_fits(void **state)
{
    (void)state;
    for_every_window("dark", "ko");
}

/* No knob value and no position cuts any text, including the grid of 64 passes. */
static void every_knob_value_and_event_fits(void **state)
{
    (void)state;
    static const struct window some[] = {{1280, 720, 1, false}, {1280, 720, 1, true}};
    problems = 0;
    for (size_t w = 0; w < 2; w++) {
        struct app *app = open_app(&some[w], "banks", "en", "light");
        for (int i = 0; i < 66; i++) {
            lint(app, &some[w], "knob");
            press(app, KEY_RIGHT_BRACKET, 0);
        }
        app_free(app);
        app = open_app(&some[w], "adjdiff", "ko", "light");
        for (int beat = 0; beat < 5; beat++)
            press(app, KEY_PAGE_DOWN, 0);
        press(app, KEY_HOME, 0);
        for (int i = 0; i < 90; i++) {
            lint(app, &some[w], "event");
            press(app, KEY_RIGHT, APP_SHIFT);
        }
        app_free(app);
    }
    assert_int_equal(problems, 0);
}

/* Larger text makes the layout's window smaller. The layout drops panels, but never words. */
static void larger_text_fits(void **state)
{
    (void)state;
    static const struct window some[] = {{1920, 1080, 1, false}, {1280, 720, 1, false}, {1280, 720, 1, true}};
    problems = 0;
    for (size_t w = 0; w < sizeof some / sizeof *some; w++)
        for (int language = 0; language < 2; language++) {
            struct app *app = open_app(&some[w], language ? "adjdiff" : "banks", language ? "ko" : "en", "light");
            for (int step = 0; step < 4; step++) {
                press(app, KEY_EQUALS, APP_CONTROL);
                for (int beat = 0; beat < 12; beat++) {
                    lint(app, &some[w], "larger text");
                    press(app, KEY_1, 0);
                    press(app, KEY_ENTER, 0);
                    lint(app, &some[w], "larger text, answered");
                    press(app, KEY_PAGE_DOWN, 0);
                }
                for (int beat = 0; beat < 12; beat++)
                    press(app, KEY_PAGE_UP, 0);
            }
            app_free(app);
        }
    assert_int_equal(problems, 0);
}

/* The reports of a kernel's mistakes: every picture of each. */
static void reports_fit(void **state)
{
    (void)state;
    static const struct {
        const char *name, *arguments[3];
        uint32_t block;
    } kernels[] = {{"race_neighbour", {"f32[64]=iota", "f32[64]=zero"}, 64},
                   {"bounds_read_next", {"f32[64]=iota", "f32[64]=zero"}, 64},
                   {"bounds_read_before", {"f32[64]=iota", "f32[64]=zero"}, 64},
                   {"misaligned_float4", {"f32[132]=iota", "f32[32]=zero"}, 32},
                   {"misaligned_int", {"u8[256]=zero", "i32[32]=zero"}, 32},
                   {"barrier_half_a_warp", {"i32[32]=iota", "i32[32]=zero"}, 32}};
    problems = 0;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
            for (int language = 0; language < 2; language++) {
                struct arena arena = {0};
                struct run_file_request const file = {
                    .path = arena_format(&arena, "%s/tests/faults/%s.ptx", LANESCOPE_SOURCE_FOLDER, kernels[k].name),
                    .grid = {1, 1, 1},
                    .block = {kernels[k].block, 1, 1},
                    .arguments = kernels[k].arguments,
                    .argument_count = 2};
                struct app_options const options = {.file = &file,
                                                    .on = EXECUTOR_EMULATOR,
                                                    .language = language ? "ko" : "en",
                                                    .theme = w % 2 ? "dark" : "light",
                                                    .present = windows[w].present,
                                                    .width = windows[w].width,
                                                    .height = windows[w].height,
                                                    .scale = windows[w].scale};
                struct text_metrics const metrics = platform_metrics(platform);
                struct app *app;
                struct error error;
                assert_true(app_new(&options, &metrics, NULL, &app, &error));
                lint(app, &windows[w], kernels[k].name);
                app_free(app);
                arena_free(&arena);
            }
    assert_int_equal(problems, 0);
}

static int open_fonts(void **state)
{
    (void)state;
    struct error error;
    lesson_folder_make(state);
    if (platform_open_headless(&platform, &error))
        return 0;
    print_message("%s\n", error.message);
    return -1;
}
static int close_fonts(void **state)
{
    (void)state;
    platform_close(platform);
    return lesson_folder_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(english_in_light_fits),
        cmocka_unit_test(english_in_dark_fits),
        cmocka_unit_test(korean_in_light_fits),
        cmocka_unit_test(korean_in_dark_fits),
        cmocka_unit_test(every_knob_value_and_event_fits),
        cmocka_unit_test(larger_text_fits),
        cmocka_unit_test(larger_kinds_fit),
        cmocka_unit_test(reports_fit),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
