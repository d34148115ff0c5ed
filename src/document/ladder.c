#include "document/ladder.h"
#include "base/file.h"
#include <math.h>
#include <string.h>

static bool same_sweep(const struct ladder_points *ladder, const struct lesson_setting *setting, int beat, int knob)
{
    return ladder->wanted && ladder->beat == beat && ladder->knob == knob &&
           memcmp(&ladder->setting, setting, sizeof *setting) == 0;
}

/* Keeps the measured times of the other variants of the same result that are meant to be right and have any. These take
 * no runs. */
static void keep_others(struct ladder_points *ladder, const struct lesson *lesson, const char *time)
{
    ladder->other_count = 0;
    for (int v = 0; v < lesson->variant_count && ladder->other_count < LADDER_LINES_MAX; v++) {
        struct lesson_setting setting = ladder->setting;
        if (v == setting.variant || lesson->variants[v].faulty || lesson->variants[v].host ||
            !lesson_same_result(lesson, v, setting.variant))
            continue;
        setting.variant = v;
        double *values = arena_array(&ladder->arena, double, (size_t)ladder->count);
        bool any = false;
        for (int i = 0; i < ladder->count; i++) {
            setting.value[ladder->knob] = i;
            if (!run_lesson_fact(lesson, &setting, time, &values[i], NULL))
                values[i] = NAN;
            any |= !isnan(values[i]);
        }
        if (!any)
            continue;
        ladder->variants[ladder->other_count] = v;
        ladder->others[ladder->other_count++] = values;
    }
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
    ladder->other_count = 0;
    if (step->ladder_counts == COUNTS_TIME)
        keep_others(ladder, lesson, step->ladder);
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
