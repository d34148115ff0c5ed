/* Times of a lesson's settings: recorded, measured before, or measured now. */
#include "run/timing.h"
#include "lesson/kept.h"
#include "lesson/lesson_run.h"
#include "run/fill.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kept_time {
    struct kept_time *next;
    char key[512]; /* plan_key of the launch */
    struct measured_time time;
};

static bool same_key(const struct kept_time *clocked, const char *key)
{
    return strncmp(clocked->key, key, sizeof clocked->key - 1) == 0;
}

void kept_times_free(struct kept_time *times)
{
    for (struct kept_time *clocked = times, *next; clocked; clocked = next) {
        next = clocked->next;
        free(clocked);
    }
}

static void timing_what(const struct lesson *lesson, const struct lesson_setting *setting, struct measured_time *time)
{
    struct arena arena = {0};
    struct run names = {0};
    struct run_fact *facts;
    if (lesson->plan->timed.what[WORDS_ENGLISH] &&
        plan_names(lesson, setting, true, &arena, &facts, &names.fact_count, NULL)) {
        names.facts = facts;
        for (int language = 0; language < WORDS_LANGUAGES; language++)
            snprintf(time->what[language], sizeof time->what[language], "%.120s",
                     run_fill_text(&names, lesson, setting, &arena, lesson->plan->timed.what[language]));
    }
    arena_free(&arena);
}

void kept_forget_answers(struct kept *kept)
{
    kept->answers.count = 0;
    kept->answers.changes++;
}

/* Returns the answer given before, or NULL. The caller holds the lock. */
static const struct measured_time *answered(const struct kept_answers *answers, const struct lesson_setting *setting)
{
    unsigned const room = sizeof answers->items / sizeof *answers->items;
    for (unsigned i = 0; i < room && i < answers->count; i++)
        if (memcmp(&answers->items[i].setting, setting, sizeof *setting) == 0)
            return &answers->items[i].time;
    return NULL;
}

/* Keeps an answer, unless what it depends on has changed since. */
static void keep_answer(struct kept *kept, unsigned changes, const struct lesson_setting *setting,
                        const struct measured_time *time)
{
    struct kept_answers *answers = &kept->answers;
    unsigned const room = sizeof answers->items / sizeof *answers->items;
    lock_take(kept->lock);
    if (answers->changes == changes) {
        unsigned const at = answers->count % room;
        answers->items[at].setting = *setting;
        answers->items[at].time = *time;
        answers->count = answers->count + 1 < 2 * room ? answers->count + 1 : room; /* never wraps */
    }
    lock_release(kept->lock);
}

struct measured_time run_lesson_time(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct arena arena = {0};
    struct measured_time time = {.source = TIME_NONE};
    struct kept *kept = lesson->plan->kept;
    lock_take(kept->lock);
    const struct measured_time *before = answered(&kept->answers, setting);
    unsigned const changes = kept->answers.changes;
    if (before)
        time = *before;
    lock_release(kept->lock);
    if (before)
        return time;
    const char *key = plan_key(lesson, setting, true, &arena, NULL);
    lock_take(kept->lock);
    for (const struct kept_time *clocked = kept->times; key && clocked; clocked = clocked->next)
        if (same_key(clocked, key))
            time = clocked->time;
    lock_release(kept->lock);
    arena_free(&arena);
    if (time.source == TIME_NONE)
        time = kept_recorded_time(lesson, setting);
    if (time.source != TIME_NONE)
        timing_what(lesson, setting, &time);
    keep_answer(kept, changes, setting, &time);
    return time;
}

struct measured_time lesson_compared_time(const struct lesson *lesson, const struct lesson_setting *setting,
                                          double *flop)
{
    const struct plan_compare *compare = &lesson->plan->compare;
    struct arena arena = {0};
    struct measured_time time = {.source = TIME_NONE};
    struct run_fact *names;
    size_t count;
    *flop = (double)NAN;
    if (compare->recording && plan_names(lesson, setting, true, &arena, &names, &count, NULL)) {
        for (size_t i = 0; i < count; i++)
            if (strcmp(names[i].name, compare->by) == 0)
                time = kept_compared_time(lesson, names[i].value);
        if (compare->flop && !expression_evaluate(compare->flop, names, count, flop, NULL))
            *flop = (double)NAN;
    }
    arena_free(&arena);
    return time;
}

const char *lesson_compared_label(const struct lesson *lesson, enum language language)
{
    return lesson->plan->compare.recording ? lesson->plan->compare.label[language] : NULL;
}

static void remember(const struct lesson *lesson, const struct lesson_setting *setting,
                     const struct measured_time *time)
{
    struct kept *kept = lesson->plan->kept;
    struct arena arena = {0};
    const char *key = plan_key(lesson, setting, true, &arena, NULL);
    lock_take(kept->lock);
    struct kept_time *clocked = kept->times;
    while (key && clocked && !same_key(clocked, key))
        clocked = clocked->next;
    if (key && !clocked && (clocked = calloc(1, sizeof *clocked))) {
        snprintf(clocked->key, sizeof clocked->key, "%s", key);
        clocked->next = kept->times;
        kept->times = clocked;
    }
    if (clocked)
        clocked->time = *time;
    kept_forget_answers(kept);
    lock_release(kept->lock);
    arena_free(&arena);
}

static bool measure_kernel(const struct lesson *lesson, const struct lesson_setting *setting,
                           const struct launch *launch, struct measured_time *time, struct error *error)
{
    const struct ptx_module *module;
    return plan_find_module(lesson, setting, &module, error) &&
           time_kernel(module, launch, lesson->plan->timed.beyond_cache, time, error);
}

bool run_lesson_measure(const struct lesson *lesson, const struct lesson_setting *setting, struct measured_time *time,
                        struct error *error)
{
    const struct lesson_variant *variant = &lesson->variants[setting->variant];
    *time = (struct measured_time){0};
    if (!variant->host && !time_possible(error))
        return false; /* checked before 128 MiB of buffers are filled */
    struct arena arena = {0};
    struct launch launch;
    struct launch_blocks recorded;
    bool const measured = plan_launch(lesson, setting, true, &arena, &launch, &recorded, error) &&
                          (variant->host ? time_loop(variant->loop, &launch, time, error)
                                         : measure_kernel(lesson, setting, &launch, time, error));
    launch_buffers_free(&launch);
    arena_free(&arena);
    if (!measured)
        return false;
    timing_what(lesson, setting, time);
    remember(lesson, setting, time);
    return true;
}
