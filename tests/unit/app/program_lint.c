/* The layout lint over the screens of a whole program: its list, the lanes of a launch with the strip, values turned,
 * and the last run greyed over an error. */
#include "app/app.h"
#include "base/file.h"
#include "lint.h"
#include "platform/platform.h"
#include "run/file.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct look {
    int width, height;
    float scale;
    int text; /* steps of the text's size */
    bool korean, dark, present;
};
static const struct look looks[] = {{1920, 1080, 1, 0, false, false, false}, {1280, 720, 1, 0, true, true, false},
                                    {1366, 768, 1, 4, false, false, false},  {1024, 600, 1, 10, true, false, false},
                                    {3840, 2160, 2, 0, true, false, false},  {900, 1200, 1, 0, false, true, false},
                                    {1280, 720, 1, 0, true, false, true},    {1920, 1080, 1, 0, false, false, true}};

static struct platform *platform;
static int problems;
static char folder[64], path[128];

static void look_at(struct app *app, const struct look *look, const char *what)
{
    struct text_metrics const metrics = platform_metrics(platform);
    struct arena arena = {0};
    const char **findings;
    const struct draw_list *list = app_frame(app, 1e6);
    struct lint_options const options = {.screen = {0, 0, (float)look->width, (float)look->height},
                                         .background = app_background(app),
                                         .minimum_size = app_minimum_text(app)};
    size_t const count = lint_draw_list(list, &metrics, &options, &arena, &findings);
    for (size_t i = 0; i < count; i++)
        print_message("%s, %dx%d, text +%d%s%s, %s: %s\n", path_name(path), look->width, look->height, look->text,
                      look->korean ? ", ko" : "", look->present ? ", presenting" : "", what, findings[i]);
    problems += (int)count;
    arena_free(&arena);
}

static void press(struct app *app, int key, int modifiers)
{
    app_event(app, &(struct app_event){.kind = APP_KEY, .key = key, .modifiers = modifiers});
    app_frame(app, 1e6);
    app_frame(app, 1e6);
}

static void save(const char *text)
{
    assert_true(file_write(path, text, strlen(text), NULL));
}

/* Looks at the list, at a launch's lanes, and at both once more after a turn of the marked value. */
static void look_around(struct app *app, const struct look *look)
{
    look_at(app, look, "the list");
    press(app, KEY_END, 0);
    press(app, KEY_PAGE_UP, 0);
    look_at(app, look, "the end of the list");
    if (look->present)
        return; /* Esc leaves the presentation first */
    press(app, KEY_ENTER, 0);
    look_at(app, look, "the lanes");
    press(app, KEY_ESCAPE, 0);
}

static struct app *opened(const struct look *look)
{
    struct run_file_request const file = {.path = path};
    struct app_options const options = {.file = &file,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = look->korean ? "ko" : "en",
                                        .theme = look->dark ? "dark" : "light",
                                        .present = look->present,
                                        .text_percent = 100 + 10 * look->text,
                                        .width = look->width,
                                        .height = look->height,
                                        .scale = look->scale};
    struct text_metrics const metrics = platform_metrics(platform);
    struct app *app;
    struct error error;
    if (!app_new(&options, &metrics, NULL, &app, &error))
        fail_msg("%s", error.message);
    app_frame(app, 1e6);
    app_frame(app, 1e6);
    return app;
}

static void fits(const char *name, const char *from, const char *wrong)
{
    struct arena arena = {0};
    char *text;
    const char *source = arena_format(&arena, "%s/tests/programs/%s", LANESCOPE_SOURCE_FOLDER, name);
    assert_true(file_read(&arena, source, &text, NULL, NULL));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        save(text);
        struct app *app = opened(&looks[i]);
        look_around(app, &looks[i]);
        press(app, KEY_RIGHT_BRACKET, 0); /* the program runs again */
        look_at(app, &looks[i], "a turned value");
        char *at = strstr(text, from);
        assert_non_null(at);
        save(arena_format(&arena, "%.*s%s%s", (int)(at - text), text, wrong, at + strlen(from)));
        app_event(app, &(struct app_event){.kind = APP_FILES_CHANGED});
        app_frame(app, 1e6);
        app_frame(app, 1e6);
        look_at(app, &looks[i], "an error over the old run");
        app_free(app);
    }
    unlink(path);
    arena_free(&arena);
    assert_int_equal(problems, 0);
}

static void the_screens_of_a_program_with_races_fit(void **state)
{
    (void)state;
    fits("shared_race.cu", "reverse<<<1, 64>>>(data)", "reverse<<<1, 64>>>(date)");
}

static void the_screens_of_a_program_that_crashes_fit(void **state)
{
    (void)state;
    fits("host_reads_device.cu", "int main()", "int main(none)");
}

static int open_fonts(void **state)
{
    (void)state;
    struct error error;
    snprintf(folder, sizeof folder, "/tmp/lanescope-lint-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    if (platform_open_headless(&platform, &error))
        return 0;
    print_message("%s\n", error.message);
    return -1;
}

static int close_fonts(void **state)
{
    (void)state;
    platform_close(platform);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_screens_of_a_program_with_races_fit),
        cmocka_unit_test(the_screens_of_a_program_that_crashes_fit),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
