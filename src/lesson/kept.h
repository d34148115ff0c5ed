/* Values that a lesson keeps while it is in use: compiled kernels, times measured live, recordings, counters and the
 * figures of the model clock. All under one lock, because a worker measures while the window draws. */
#ifndef LANESCOPE_LESSON_KEPT_H
#define LANESCOPE_LESSON_KEPT_H
#include "base/lock.h"
#include "lesson/plan.h"
#include "model/clock.h"
#include "recording/counters.h"
#include "recording/recordings.h"

struct kept_program; /* a compiled kernel */
struct kept_time;    /* a time measured live */

struct kept {
    struct lock *lock;
    struct kept_program *programs;
    struct kept_time *times;
    struct recordings *recordings;
    struct counter_table counters;
    bool counters_read;
    struct clock_figures clock; /* of the chosen GPU; gpu is NULL before the first use */
    struct arena arena;         /* holds counters and clock */
};
/* Returns NULL without memory. */
struct kept *kept_new(void);
void kept_free(struct kept *kept);
void kept_programs_free(struct kept_program *programs);
void kept_times_free(struct kept_time *times);

/* Returns the recorded time of a setting; its source is TIME_NONE without one. */
struct measured_time kept_recorded_time(const struct lesson *lesson, const struct lesson_setting *setting);
/* Returns a profiler's counters of a setting; `counted` is false without any. */
struct machine_counts kept_counters(const struct lesson *lesson, const struct lesson_setting *setting,
                                    const char *source, struct arena *arena);
#endif
