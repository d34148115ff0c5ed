/* Values that a lesson keeps while it is in use: compiled kernels, times measured live, recordings, counters and the
 * figures of the model clock. All under one lock, because a worker measures while the window draws. */
#ifndef LANESCOPE_LESSON_KEPT_H
#define LANESCOPE_LESSON_KEPT_H
#include "base/lock.h"
#include "lesson/plan.h"
#include "model/gpu.h"
#include "model/occupancy.h"
#include "recording/counters.h"
#include "recording/recordings.h"

struct kept_module; /* a compiled kernel */
struct kept_time;   /* a time measured live */
struct kept_facts;  /* of a setting: lesson/elsewhere.c */

/* Times that run_lesson_time returned last. The time card asks for the same few in every frame. */
struct kept_answers {
    struct {
        struct lesson_setting setting;
        struct measured_time time;
    } items[16];
    unsigned count;   /* in all: the next one replaces items[count % 16] */
    unsigned changes; /* of what the times depend on: times measured live, recordings, the chosen GPU */
};

/* The knobs without an effect, as lesson_idle_knobs returned them last. */
struct kept_idle {
    const struct lesson_beat *beat; /* NULL: none yet */
    struct lesson_setting setting;
    unsigned knobs;
};

struct kept {
    struct lock *lock;
    struct kept_module *modules;
    bool late; /* the compiler was ended at its limit of time: it is not started again */
    struct kept_time *times;
    struct kept_answers answers;
    struct kept_idle idle;
    struct kept_facts *facts; /* of settings that others were compared with, those used last first */
    struct recordings *recordings;
    struct recordings *compared; /* of the program that the lesson compares with */
    struct counter_table counters;
    bool counters_read;
    struct clock_figures clock; /* of the chosen GPU; gpu is NULL before the first use */
    struct gpu gpu;             /* the chosen one */
    struct run_fact *gpu_facts; /* its facts for texts: see kept_gpu_facts */
    size_t gpu_fact_count;
    const struct occupancy_limits *limits; /* of its multiprocessors; NULL: not known */
    struct arena arena;                    /* holds counters, clock and GPU */
};
/* Returns NULL without memory. */
struct kept *kept_new(void);
void kept_free(struct kept *kept);
void kept_modules_free(struct kept_module *modules);
void kept_times_free(struct kept_time *times);
/* Forgets the answers. The caller holds the lock and has changed what they depend on. */
void kept_forget_answers(struct kept *kept);

/* Chooses the GPU of the model clock and of the texts; NULL: GPU_DEFAULT. */
bool kept_use_gpu(const struct lesson *lesson, const char *gpu, struct error *error);
/* Returns the chosen GPU's figures for the model clock. Its name is figures->gpu. */
bool kept_clock(const struct lesson *lesson, struct clock_figures *figures, struct error *error);
/* Returns the facts of the chosen GPU, "gpu_shared_latency". A fact that GPU_DEFAULT has and the chosen GPU lacks is
 * not a number. The list lives as long as the lesson. */
bool kept_gpu_facts(const struct lesson *lesson, const struct run_fact **facts, size_t *count, struct error *error);
/* Returns the recorded time of a setting; its source is TIME_NONE without one. */
struct measured_time kept_recorded_time(const struct lesson *lesson, const struct lesson_setting *setting);
/* Copies the chosen GPU, whose texts and facts live as long as the lesson. */
bool kept_gpu(const struct lesson *lesson, struct gpu *gpu);
/* Returns the recorded time of the program that the lesson compares with; its source is TIME_NONE without one. */
struct measured_time kept_compared_time(const struct lesson *lesson, double by);
/* Returns a profiler's counters of a setting's launch, or of its timed launch; `counted` is false without any. */
struct sass_counts kept_counters(const struct lesson *lesson, const struct lesson_setting *setting, bool timed,
                                 const char *source, struct arena *arena);
/* Returns the limits of the chosen GPU's multiprocessors, or NULL. */
const struct occupancy_limits *kept_limits(const struct lesson *lesson);
/* Returns the registers of a thread in the setting's kernel as counted on a GPU, or 0. */
uint32_t kept_registers(const struct lesson *lesson, const struct lesson_setting *setting, const char *source,
                        struct arena *arena);
#endif
