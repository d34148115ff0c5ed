/* Counts and clock side by side. Where they tell different stories the time card says both, and why that can be. */
#include "app/state.h"
#include <math.h>
#include <string.h>

static const double disagreement = 1.5; /* one story is this many times the other */

/* The bar to compare with: measured on the same device by the same clock as the current one. */
static const struct time_bar *other_bar(const struct time_bar *bars, int count, const struct time_bar *current)
{
    for (int i = 0; i < count; i++)
        if (&bars[i] != current && bars[i].time.source == current->time.source && bars[i].time.median > 0 &&
            strcmp(bars[i].time.device, current->time.device) == 0)
            return &bars[i];
    return NULL;
}

static const char *count_expression(const struct lesson_beat *beat)
{
    return beat->ladder ? beat->ladder : beat->big;
}

/* The step's count here over the count there; 0 when it cannot be told. Found once for a pair of settings. */
static double counts_between(struct app *app, const struct lesson_setting *there)
{
    struct open_lesson *open = &app->open;
    struct counted_pair *pair = &open->pair;
    if (pair->known && pair->beat == open->beat && memcmp(&pair->here, &open->setting, sizeof pair->here) == 0 &&
        memcmp(&pair->there, there, sizeof pair->there) == 0)
        return pair->ratio;
    double here = 0, other = 0;
    const char *expression = count_expression(app_beat(app));
    bool told = run_lesson_fact(open->lesson, &open->setting, expression, &here, NULL) &&
                run_lesson_fact(open->lesson, there, expression, &other, NULL) && here > 0 && other > 0;
    *pair = (struct counted_pair){.known = true, .beat = open->beat, .here = open->setting, .there = *there};
    pair->ratio = told ? here / other : 0;
    return pair->ratio;
}

/* NULL: they agree, or the step does not speak of time. */
const char *app_time_why(struct app *app, const struct time_bar *bars, const struct lesson_setting *settings, int count)
{
    const struct time_bar *current = NULL;
    for (int i = 0; i < count; i++)
        if (bars[i].current && bars[i].time.source != TIME_NONE)
            current = &bars[i];
    if (!current || !app->run || app_covered(app) || !app_speaks_of_time(app) || !count_expression(app_beat(app)))
        return NULL;
    const struct time_bar *other = other_bar(bars, count, current);
    if (!other)
        return NULL;
    double clock = current->time.median / other->time.median, counts = counts_between(app, &settings[other - bars]);
    if (counts <= 0 || (counts < clock * disagreement && clock < counts * disagreement))
        return NULL;
    return arena_format(&app->frame,
                        _("Against %s the count is %.2f times as large, the time %.2f times. The clock also sees what "
                          "this count leaves out: reads that a cache answers, arithmetic, waiting, and the launch."),
                        other->label, counts, clock);
}
