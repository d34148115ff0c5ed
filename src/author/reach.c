/* A question after turned knobs: those that its own `set` does not fix may have any value. */
#include "author/check.h"
#include <math.h>
#include <string.h>

enum { REACH_MAX = 256 }; /* settings of one question */

static size_t settings_of(const struct lesson *lesson, const struct lesson_beat *beat)
{
    size_t all = 1;
    for (int k = 0; k < lesson->knob_count; k++)
        all *= beat->own_sets >> k & 1 ? 1 : (size_t)lesson->knobs[k].value_count;
    return all;
}

/* Returns the setting with this number. The knobs keep their values where the beat fixes them. */
static struct lesson_setting setting_at(const struct lesson *lesson, const struct lesson_beat *beat,
                                        const struct lesson_setting *own, size_t number)
{
    struct lesson_setting setting = *own;
    for (int k = 0; k < lesson->knob_count; k++) {
        size_t const count = (size_t)lesson->knobs[k].value_count;
        if (beat->own_sets >> k & 1)
            continue;
        setting.value[k] = (int)(number % count);
        number /= count;
    }
    return setting;
}

static bool among(const struct lesson_beat *beat, double answer)
{
    for (int i = 0; i < beat->choice_count; i++)
        if (fabs(beat->choices[i] - answer) < 1e-9)
            return true;
    return false;
}

static bool names_elsewhere(const struct lesson_plan *plan, const char *expression)
{
    for (size_t i = 0; i < plan->elsewhere_count; i++)
        if (strstr(expression, plan->elsewhere[i].name))
            return true;
    return false;
}

bool check_reach(struct check *check, int index, const struct lesson_setting *own, double answer)
{
    const struct lesson_beat *beat = &check->lesson->beats[index];
    size_t const all = settings_of(check->lesson, beat), step = (all + REACH_MAX - 1) / REACH_MAX;
    size_t missing = 0, tried = 0;
    double first = 0;
    struct lesson_setting where = *own;
    bool constant = true;
    struct lesson_plan *plan = check->lesson->plan;
    size_t const elsewhere = plan->elsewhere_count;
    if (!names_elsewhere(plan, beat->answer))
        plan->elsewhere_count = 0; /* its numbers would be runs for nothing */
    for (size_t i = 0; all > 1 && i < all && !check_stopped(check); i += step, tried++) {
        struct lesson_setting const setting = setting_at(check->lesson, beat, own, i);
        struct run *run;
        double value;
        check->report->runs++;
        if (!run_lesson(check->lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, NULL))
            continue; /* the visits list why */
        bool const known = run_evaluate(run, check->lesson, &setting, beat->answer, &value, NULL);
        run_free(run);
        constant = constant && known && fabs(value - answer) < 1e-9;
        if (!known || among(beat, value))
            continue;
        first = missing ? first : value;
        where = missing ? where : setting;
        missing++;
    }
    plan->elsewhere_count = elsewhere;
    if (missing)
        say(check, PROBLEM_WARNING, ERROR_INPUT, FORMAT(check, "beats.%d.choices", index),
            "add it, or fix the knobs with `set`",
            "after a turn of knobs that the beat does not set, the right answer is missing at %zu of %zu settings%s: "
            "%g %s",
            missing, tried, step > 1 ? " that were tried" : "", first, setting_words(check, &where));
    return constant;
}
