#include "document/ladder.h"
#include "base/file.h"
#include <string.h>

static bool same_sweep(const struct ladder_points *ladder, const struct lesson_setting *setting, int beat, int knob)
{
    return ladder->wanted && ladder->beat == beat && ladder->knob == knob &&
           memcmp(&ladder->setting, setting, sizeof *setting) == 0;
}

void ladder_want(struct ladder_points *ladder, const struct lesson *lesson, const struct lesson_setting *now, int beat)
{
    const struct lesson_beat *step = beat < lesson->beat_count ? &lesson->beats[beat] : NULL;
    if (!step || !(step->stage & STAGE_LADDER) || !step->ladder || step->ladder_knob < 0 ||
        step->ladder_knob >= lesson->knob_count) {
        ladder->wanted = false;
        return;
    }
    struct lesson_setting setting = *now;
    setting.value[step->ladder_knob] = 0;
    if (same_sweep(ladder, &setting, beat, step->ladder_knob))
        return;
    arena_reset(&ladder->arena);
    const struct lesson_knob *knob = &lesson->knobs[step->ladder_knob];
    ladder->wanted = true;
    ladder->setting = setting;
    ladder->knob = step->ladder_knob;
    ladder->beat = beat;
    ladder->count = knob->value_count;
    ladder->known = 0;
    ladder->points = arena_array(&ladder->arena, struct ladder_point, (size_t)knob->value_count);
    for (int i = 0; i < ladder->count; i++) {
        ladder->points[i].x = (double)lesson_knob_number(knob, i);
        ladder->points[i].label = lesson_knob_value(knob, i, &ladder->arena);
    }
}

bool ladder_unfinished(const struct ladder_points *ladder)
{
    return ladder->wanted && ladder->known < ladder->count;
}

bool ladder_advance(struct ladder_points *ladder, const struct lesson *lesson, double budget, struct error *error)
{
    double start = clock_seconds();
    while (ladder_unfinished(ladder) && clock_seconds() - start < budget) {
        struct lesson_setting setting = ladder->setting;
        setting.value[ladder->knob] = ladder->known;
        if (!run_lesson_fact(lesson, &setting, lesson->beats[ladder->beat].ladder, &ladder->points[ladder->known].y,
                             error)) {
            ladder->count = ladder->known; /* the known points stay on screen */
            return false;
        }
        ladder->known++;
    }
    return true;
}
