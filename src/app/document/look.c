/* Who runs what is on screen: the emulator, a GPU of this machine, or one whose trace was recorded. A flip goes to the
 * same access of the same warp in the next one's run; only the order in which warps took their turns is another. */
#include "app/state.h"
#include <string.h>

struct likeness app_compare_traces(struct arena *arena, const struct trace *emulator, const struct trace *gpu)
{
    struct trace_difference difference;
    trace_compare(emulator, gpu, &difference);
    struct likeness likeness = {.verdict = difference.differ ? LIKE_DIFFERENT : LIKE_SAME,
                                .device = arena_text(arena, gpu->device),
                                .kind = difference.kind};
    memcpy(likeness.difference, difference.text, sizeof difference.text);
    return likeness;
}

const char *app_likeness_words(const struct likeness *likeness)
{
    const char *kind = trace_difference_word(likeness->kind);
    return kind ? _(kind) : likeness->difference;
}

/* Holds an emulator's run against a GPU's of the same setting: the live one when it was run, else the recorded one. */
void app_compare_runs(struct app *app, struct kept_run *kept)
{
    struct run *recorded = NULL;
    const struct trace *gpu = NULL;
    if (kept->run->executor != EXECUTOR_EMULATOR)
        return;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (app->kept[i].run && app->kept[i].run->executor == EXECUTOR_GPU &&
            memcmp(&app->kept[i].look.setting, &kept->look.setting, sizeof kept->look.setting) == 0)
            gpu = app->kept[i].run->trace;
    if (!gpu && run_lesson(app->open.lesson, &kept->look.setting, EXECUTOR_RECORDING, NULL, &recorded, NULL))
        gpu = recorded->trace;
    if (!gpu)
        return;
    kept->likeness = app_compare_traces(&kept->run->arena, kept->run->trace, gpu);
    run_free(recorded);
}

const struct likeness *app_likeness(const struct app *app)
{
    const struct likeness *file = &app->file.likeness;
    if (app->file.run)
        return file->verdict != LIKE_UNKNOWN && app->file.run->executor == EXECUTOR_EMULATOR ? file : NULL;
    for (int i = 0; i < RUNS_KEPT; i++)
        if (app->run && app->kept[i].run == app->run && app->kept[i].likeness.verdict != LIKE_UNKNOWN)
            return &app->kept[i].likeness;
    return NULL;
}

void app_say_likeness(struct app *app)
{
    const struct likeness *likeness = app_likeness(app);
    if (likeness && likeness->verdict == LIKE_DIFFERENT)
        app_say(app, _("differs from %s: %s"), likeness->device, app_likeness_words(likeness));
}

void app_flip(struct app *app)
{
    static const enum executor order[] = {EXECUTOR_GPU, EXECUTOR_EMULATOR, EXECUTOR_RECORDING};
    enum { COUNT = sizeof order / sizeof *order };
    if (app->screen == SCREEN_TRACE && app->file.run) {
        app_flip_file(app);
        return;
    }
    if (!app->run || app->screen != SCREEN_LESSON) {
        app_say(app, "%s", _("only a lesson or a kernel has two runs, one on the GPU and one on the emulator"));
        return;
    }
    struct look const before = {app->open.setting, app->executor};
    struct error error = {0};
    int now = 0;
    while (now < COUNT - 1 && order[now] != app->run->executor)
        now++;
    app->playing = false;
    for (int step = 1; step < COUNT; step++) {
        struct look const next = {app->open.setting, order[(now + step) % COUNT]};
        if (!app_kept_run(app, &next, &error))
            continue;
        app->executor = next.executor;
        app_show_setting(app, true);
        app->open.other = before;
        app->open.has_other = true;
        app->open.showing_other = false;
        return;
    }
    app_say(app, "%s", _("there is no GPU here, and this setting was not recorded on one"));
}
