/* On a GPU the time card measures automatically once a setting rests, on a thread beside the window. Every bar becomes
 * live, frames continue meanwhile, and a knob turned during the measurement still answers. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "base/file.h"
#include "platform/worker.h"
#include "ui/keys.h"
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
    struct app_host const host = {.attended = true, .worker = worker_of_threads()};
    struct app_options const options = {.lesson = lesson,
                                        .on = EXECUTOR_GPU,
                                        .language = "en",
                                        .beat = beat,
                                        .width = 1920,
                                        .height = 1080,
                                        .scale = 1};
    struct app *app;
    struct error error;
    if (!app_new(&options, &metrics, &host, &app, &error))
        fail_msg("%s", error.message);
    return app;
}

/* Draws 50 frames a second until no more are requested. */
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
    struct app *app = open_lesson("adjdiff", 11);
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
    struct app *app = open_lesson("banks", 11); /* its step about times, at stride 32 */
    app_frame(app, 0);
    frames_until_still(app);
    for (int turn = 0; turn < 4; turn++) {
        app_frame(app, 0.1);
        app_frame(app, 1);
        app_event(app, &(struct app_event){.kind = APP_KEY, .key = KEY_LEFT_BRACKET});
        app_frame(app, 0);
    }
    assert_non_null(strstr(app_state_line(app), "--set stride=28"));
    frames_until_still(app);
    assert_true(shows(app, "LIVE on NVIDIA", 0));
    app_free(app);
}

/* Only main starts the child that uses the GPU. Here the fault closes the GPU to this process, so this must be the last
 * test. */
static void a_fault_on_the_gpu_is_shown_by_the_emulator(void **state)
{
    (void)state;
    static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                               ".visible .entry outside(.param .u64 p)\n{\n.reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
                               "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\n"
                               "mov.u64 %rd2, 64;\nst.global.u32 [%rd2], %r1;\nret;\n}\n";
    char path[] = "/tmp/outside-XXXXXX.ptx";
    int const file = mkstemps(path, 4);
    assert_true(file >= 0 && write(file, text, sizeof text - 1) == sizeof text - 1 && close(file) == 0);
    struct app *app = open_lesson("banks", 1);
    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = path});
    assert_true(shows(app, "running outside", 0));
    assert_true(shows(app, "on the GPU: the kernel read or wrote memory outside its buffers", 0));
    assert_true(shows(app, "null pointer", 0));
    assert_true(shows(app, "EMULATOR", 0));
    unlink(path);
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_bar_becomes_live),
                                       cmocka_unit_test(a_knob_answers_while_it_measures),
                                       cmocka_unit_test(a_fault_on_the_gpu_is_shown_by_the_emulator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
