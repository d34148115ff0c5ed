/* The points of a ladder: each is a run of its own, so they come a few a frame and the window never waits for them. */
#include "app/state.h"
#include "base/file.h"
#include <string.h>

static bool same_sweep(const struct ladder_points *ladder, const struct lesson_setting *setting, int beat, int knob)
{
    return ladder->wanted && ladder->beat == beat && ladder->knob == knob &&
           memcmp(&ladder->setting, setting, sizeof *setting) == 0;
}

void app_ladder_want(struct app *app)
{
    struct open_lesson *open = &app->open;
    const struct lesson_beat *beat = app_beat(app);
    if (!beat || !(beat->stage & STAGE_LADDER) || !beat->ladder || beat->ladder_knob < 0 ||
        beat->ladder_knob >= open->lesson->knob_count) {
        open->ladder.wanted = false;
        return;
    }
    struct lesson_setting setting = open->setting;
    setting.value[beat->ladder_knob] = 0;
    if (same_sweep(&open->ladder, &setting, open->beat, beat->ladder_knob))
        return;
    arena_reset(&open->ladder.arena);
    struct ladder_points *ladder = &open->ladder;
    const struct lesson_knob *knob = &open->lesson->knobs[beat->ladder_knob];
    ladder->wanted = true;
    ladder->setting = setting;
    ladder->knob = beat->ladder_knob;
    ladder->beat = open->beat;
    ladder->count = knob->value_count;
    ladder->known = 0;
    ladder->points = arena_array(&ladder->arena, struct ladder_point, (size_t)knob->value_count);
    for (int i = 0; i < ladder->count; i++) {
        ladder->points[i].x = (double)knob->values[i];
        ladder->points[i].label = arena_format(&ladder->arena, "%lld", (long long)knob->values[i]);
    }
}

/* Works for `budget` seconds; true while points are still to come. */
bool app_ladder_advance(struct app *app, double budget)
{
    struct ladder_points *ladder = &app->open.ladder;
    if (app->screen != SCREEN_LESSON || !ladder->wanted || ladder->known >= ladder->count || app_covered(app))
        return false;
    double start = clock_seconds();
    while (ladder->known < ladder->count && clock_seconds() - start < budget) {
        struct lesson_setting setting = ladder->setting;
        setting.value[ladder->knob] = ladder->known;
        struct error error;
        if (!run_lesson_fact(app->open.lesson, &setting, app_beat(app)->ladder, &ladder->points[ladder->known].y,
                             &error)) {
            ladder->count = ladder->known; /* what is known stays on screen */
            app_say_error(app, &error);
            return false;
        }
        ladder->known++;
    }
    return ladder->known < ladder->count;
}
