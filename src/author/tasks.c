/* Whether a student can do a task: some setting of its knobs and variants makes the goal true. */
#include "author/check.h"

/* Up to CANDIDATES values of a knob, from the first to the last, and before them the one at which the step opens. */
enum { CANDIDATES = 12 };
static int candidate(const struct lesson_knob *knob, int here, int i)
{
    if (i == 0)
        return here;
    return knob->value_count <= CANDIDATES ? i - 1 : (int)((long)(knob->value_count - 1) * (i - 1) / (CANDIDATES - 1));
}

static int candidates(const struct lesson *lesson, int knob)
{
    if (knob >= lesson->knob_count)
        return 1;
    int const count = lesson->knobs[knob].value_count;
    return 1 + (count < CANDIDATES ? count : CANDIDATES);
}

/* A light run checks neither results nor races, which some goals are about. */
static bool reaches(struct check *check, const struct lesson_setting *setting, const char *goal, bool light)
{
    double done = 0;
    struct run *run;
    check->report->runs++;
    if (light)
        return run_lesson_fact(check->lesson, setting, goal, &done, NULL) && done != 0;
    if (!run_lesson(check->lesson, setting, EXECUTOR_EMULATOR, NULL, &run, NULL))
        return false;
    bool const evaluated = run_evaluate(run, check->lesson, setting, goal, &done, NULL);
    run_free(run);
    return evaluated && done != 0;
}

struct search {
    int beat;
    bool light;
    size_t tried, left; /* left out, because there are too many */
};

static bool some_setting_reaches(struct check *check, struct search *search)
{
    const struct lesson *lesson = check->lesson;
    struct lesson_setting const here = setting_of_beat(lesson, search->beat);
    size_t const most = check->options->settings_max ? check->options->settings_max : AUTHOR_SETTINGS_MAX;
    size_t const variants = (size_t)lesson->variant_count, a = (size_t)candidates(lesson, 0),
                 b = (size_t)candidates(lesson, 1), c = (size_t)candidates(lesson, 2), all = a * b * c * variants;
    for (search->tried = 0; search->tried < all && search->tried < most && !check_stopped(check); search->tried++) {
        /* The variant turns fastest: the one at which the beat opens may not be the one to be chosen. */
        size_t const at = search->tried / variants;
        int const turned[LESSON_KNOBS_MAX] = {(int)(at % a), (int)(at / a % b), (int)(at / a / b)};
        struct lesson_setting setting = {.variant = (int)(search->tried % variants)};
        for (int k = 0; k < lesson->knob_count; k++)
            setting.value[k] = candidate(&lesson->knobs[k], here.value[k], turned[k]);
        if (check->options->progress)
            check->options->progress(check->options->progress_context, search->tried, all);
        if (check->source[setting.variant] && reaches(check, &setting, lesson->beats[search->beat].goal, search->light))
            return true;
    }
    search->left = all - search->tried;
    return false;
}

void check_tasks(struct check *check)
{
    const struct lesson *lesson = check->lesson;
    for (int b = 0; b < lesson->beat_count && !check_stopped(check); b++) {
        struct search search = {.beat = b, .light = true};
        struct lesson_setting const here = setting_of_beat(lesson, b);
        double done;
        struct run *run;
        size_t event;
        if (lesson->beats[b].kind != BEAT_TASK || !check->source[here.variant] ||
            !run_lesson(lesson, &here, EXECUTOR_EMULATOR, NULL, &run, NULL))
            continue;
        bool const known =
            run_evaluate(run, lesson, &here, lesson->beats[b].goal, &done, NULL) &&
            (lesson->beats[b].access < 0 || run_find_beat(run, lesson, &here, &lesson->beats[b], &event));
        run_free(run);
        if (!known || some_setting_reaches(check, &search))
            continue;
        search.light = false;
        if (some_setting_reaches(check, &search) || check->report->stopped)
            continue;
        const char *field = FORMAT(check, "beats.%d.goal", b);
        if (search.left)
            say(check, PROBLEM_WARNING, ERROR_INPUT, field, "",
                "none of the %zu settings that were tried does the task; %zu were not tried", search.tried,
                search.left);
        else
            say(check, PROBLEM_ERROR, ERROR_INPUT, field, "change the goal, or give a knob the values that reach it",
                "no setting does the task: %zu were tried, %d values of each knob at most", search.tried, CANDIDATES);
    }
}
