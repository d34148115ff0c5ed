/* Times: recorded, or measured now. A kernel by CUDA events, a host loop by this processor's clock. */
#include "base/file.h"
#include "cuda/cuda.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include "recording/recordings.h"
#include "run/reference.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct plan_clocked {
    struct plan_clocked *next;
    char key[512]; /* the launch's, plan_key */
    struct measured_time time;
};

static bool same_key(const struct plan_clocked *clocked, const char *key)
{
    return strncmp(clocked->key, key, sizeof clocked->key - 1) == 0;
}

void plan_clocked_free(struct lesson_plan *plan)
{
    for (struct plan_clocked *clocked = plan->clocked, *next; clocked; clocked = next) {
        next = clocked->next;
        free(clocked);
    }
}

static void timing_what(const struct lesson *lesson, const struct lesson_setting *setting, struct measured_time *time)
{
    struct arena arena = {0};
    struct run names = {0};
    struct run_fact *facts;
    const char *what = lesson->plan->timed.what;
    if (what && plan_names(lesson, setting, true, &arena, &facts, &names.fact_count, NULL)) {
        names.facts = facts;
        snprintf(time->what, sizeof time->what, "%.120s", run_fill_text(&names, lesson, setting, &arena, what));
    }
    arena_free(&arena);
}

struct measured_time run_lesson_time(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct arena arena = {0};
    struct measured_time time = {0};
    const char *key = plan_key(lesson, setting, true, &arena, NULL);
    pthread_mutex_lock(&lesson->plan->lock);
    for (const struct plan_clocked *clocked = lesson->plan->clocked; key && clocked; clocked = clocked->next)
        if (same_key(clocked, key))
            time = clocked->time;
    pthread_mutex_unlock(&lesson->plan->lock);
    arena_free(&arena);
    if (time.source == TIME_NONE)
        time = recordings_time(lesson, setting);
    if (time.source != TIME_NONE)
        timing_what(lesson, setting, &time);
    return time;
}

static void remember(const struct lesson *lesson, const struct lesson_setting *setting,
                     const struct measured_time *time)
{
    struct arena arena = {0};
    const char *key = plan_key(lesson, setting, true, &arena, NULL);
    pthread_mutex_lock(&lesson->plan->lock);
    struct plan_clocked *clocked = lesson->plan->clocked;
    while (key && clocked && !same_key(clocked, key))
        clocked = clocked->next;
    if (key && !clocked && (clocked = calloc(1, sizeof *clocked))) {
        snprintf(clocked->key, sizeof clocked->key, "%s", key);
        clocked->next = lesson->plan->clocked;
        lesson->plan->clocked = clocked;
    }
    if (clocked)
        clocked->time = *time;
    pthread_mutex_unlock(&lesson->plan->lock);
    arena_free(&arena);
}

static void processor_name(char *text, size_t size)
{
    struct utsname machine;
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "%s", uname(&machine) == 0 ? machine.machine : "processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0)
            continue;
        snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

/* At least 30 runs and 0.3 seconds of them, after one to warm up. */
static bool measure_loop(const char *loop, const struct launch *launch, struct measured_time *time, struct error *error)
{
    enum { FEWEST = 30, MOST = 4096 };
    static const double seconds = 0.3;
    double *runs = malloc(MOST * sizeof *runs), all = 0;
    unsigned count = 0;
    bool good = runs != NULL && reference_loop(loop, launch, error);
    while (good && count < MOST && (count < FEWEST || all < seconds)) {
        double const begin = clock_seconds();
        good = reference_loop(loop, launch, error);
        double const took = clock_seconds() - begin;
        runs[count++] = took * 1e6;
        all += took;
    }
    if (good) {
        time_from_runs(time, runs, count);
        processor_name(time->device, sizeof time->device);
    }
    free(runs);
    return good;
}

static bool measure_kernel(const struct lesson *lesson, const struct lesson_setting *setting,
                           const struct launch *launch, struct measured_time *time, struct error *error)
{
    enum { RUNS = 31 };
    const struct ptx_program *program;
    struct cuda_device device;
    struct cuda_time measured;
    struct cuda_timing const timing = {.runs = RUNS, .beyond_cache = lesson->plan->timed.beyond_cache};
    if (!cuda_device(&device, error) || !plan_find_program(lesson, setting, &program, error) ||
        !cuda_time_kernel_as(program, launch, &timing, &measured, error))
        return false;
    time->median = measured.median;
    time->p25 = measured.p25;
    time->p75 = measured.p75;
    time->runs = measured.runs;
    time->state = measured.state;
    time->beyond_cache = measured.beyond_cache;
    snprintf(time->device, sizeof time->device, "%s", device.name);
    snprintf(time->driver, sizeof time->driver, "%s", device.driver);
    return true;
}

bool run_lesson_measure(const struct lesson *lesson, const struct lesson_setting *setting, struct measured_time *time,
                        struct error *error)
{
    const struct lesson_variant *variant = &lesson->variants[setting->variant];
    struct cuda_device device;
    *time = (struct measured_time){0};
    if (!variant->host && !cuda_device(&device, error))
        return false; /* before 128 MiB of buffers are filled for nothing */
    struct arena arena = {0};
    struct launch launch;
    struct launch_blocks recorded;
    bool const measured = plan_launch(lesson, setting, true, &arena, &launch, &recorded, error) &&
                          (variant->host ? measure_loop(variant->loop, &launch, time, error)
                                         : measure_kernel(lesson, setting, &launch, time, error));
    launch_buffers_free(&launch);
    arena_free(&arena);
    if (!measured)
        return false;
    time->source = TIME_LIVE;
    clock_date(time->date);
    timing_what(lesson, setting, time);
    remember(lesson, setting, time);
    return true;
}
