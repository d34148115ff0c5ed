/* On a GPU the time card measures by itself once a setting rests, on a thread beside the window: every bar becomes
 * live, frames go on meanwhile, and a knob turned while it measures still answers. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "app/keys.h"
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool shows(struct app *app, const char *words, double seconds)
{
    const struct draw_list *list = app_frame(app, seconds);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words))
            return true;
    return false;
}

static struct app *open_lesson(const char *lesson, int beat)
{
    struct text_metrics const metrics = fake_metrics();
    struct app_host const host = {.measures = true};
    struct app_options const options = {
        .lesson = lesson, .on = "gpu", .language = "en", .beat = beat, .width = 1920, .height = 1080, .scale = 1};
    struct app *app;
    struct error error;
    if (!app_new(&options, &metrics, &host, &app, &error))
        fail_msg("%s", error.message);
    return app;
}

/* Frames at 50 a second until nothing more is wanted. */
static void frames_until_still(struct app *app)
{
    for (int i = 0; i < 3000 && app_wait(app) < 1e6; i++) {
        app_frame(app, 0.02);
        usleep(20000);
    }
}

static void every_bar_becomes_live(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 9);
    app_frame(app, 0);
    app_frame(app, 0);
    assert_true(app_wait(app) <= 0.5);
    frames_until_still(app);
    assert_true(shows(app, "LIVE on NVIDIA", 0));
    assert_false(shows(app, "recorded on", 0));
    assert_false(shows(app, "none", 0));
    app_free(app);
}

static void a_knob_answers_while_it_measures(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 1);
    app_frame(app, 0);
    frames_until_still(app);
    for (int turn = 0; turn < 4; turn++) {
        app_frame(app, 0.1);
        app_frame(app, 1);
        app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_RIGHT_BRACKET});
        app_frame(app, 0);
    }
    assert_non_null(strstr(app_state_line(app), "--set stride=5"));
    frames_until_still(app);
    assert_true(shows(app, "LIVE on NVIDIA", 0));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_bar_becomes_live),
                                       cmocka_unit_test(a_knob_answers_while_it_measures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
