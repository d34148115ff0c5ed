#include "lesson/kept.h"
#include "lesson/elsewhere.h"
#include <math.h>
#include <stdlib.h>

struct kept *kept_new(void)
{
    struct kept *kept = calloc(1, sizeof *kept);
    if (kept)
        kept->lock = lock_new();
    if (kept && !kept->lock) {
        free(kept);
        kept = NULL;
    }
    return kept;
}

void kept_free(struct kept *kept)
{
    if (!kept)
        return;
    kept_modules_free(kept->modules);
    kept_times_free(kept->times);
    elsewhere_forget(kept);
    recordings_free(kept->recordings);
    recordings_free(kept->compared);
    arena_free(&kept->arena);
    lock_free(kept->lock);
    free(kept);
}

/* Makes the list of facts: those of the chosen GPU, then the names that only `standard` has. */
static void list_gpu_facts(struct kept *kept, const struct gpu *gpu, const struct gpu *standard)
{
    struct run_fact *facts = arena_array(&kept->arena, struct run_fact, gpu->fact_count + standard->fact_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < gpu->fact_count; i++)
        facts[count++] =
            (struct run_fact){.name = gpu_fact_word(&kept->arena, gpu->facts[i].name), .value = gpu->facts[i].value};
    for (size_t i = 0; i < standard->fact_count; i++)
        if (!gpu_find(gpu, standard->facts[i].name))
            facts[count++] =
                (struct run_fact){.name = gpu_fact_word(&kept->arena, standard->facts[i].name), .value = (double)NAN};
    kept->gpu_facts = facts;
    kept->gpu_fact_count = count;
}

/* The caller holds the lock. */
static bool read_gpu(struct kept *kept, const char *name, struct error *error)
{
    struct gpu gpu, standard;
    if (!gpu_read(&kept->arena, name ? name : GPU_DEFAULT, &gpu, error) || !gpu_figures(&gpu, &kept->clock, error) ||
        !gpu_limits(&kept->arena, &gpu, &kept->limits, error))
        return false;
    if (!name || !gpu_read(&kept->arena, GPU_DEFAULT, &standard, NULL))
        standard = gpu;
    kept->gpu = gpu;
    list_gpu_facts(kept, &gpu, &standard);
    return true;
}

bool kept_use_gpu(const struct lesson *lesson, const char *gpu, struct error *error)
{
    struct kept *kept = lesson->plan->kept;
    lock_take(kept->lock);
    bool const known = read_gpu(kept, gpu, error);
    kept_forget_answers(kept);
    lock_release(kept->lock);
    return known;
}

bool kept_clock(const struct lesson *lesson, struct clock_figures *figures, struct error *error)
{
    struct kept *kept = lesson->plan->kept;
    lock_take(kept->lock);
    bool const known = kept->clock.gpu || read_gpu(kept, NULL, error);
    *figures = kept->clock;
    lock_release(kept->lock);
    return known;
}

const struct occupancy_limits *kept_limits(const struct lesson *lesson)
{
    struct clock_figures figures;
    struct kept *kept = lesson->plan->kept;
    bool const known = kept_clock(lesson, &figures, NULL);
    lock_take(kept->lock);
    const struct occupancy_limits *limits = known ? kept->limits : NULL;
    lock_release(kept->lock);
    return limits;
}

bool kept_gpu_facts(const struct lesson *lesson, const struct run_fact **facts, size_t *count, struct error *error)
{
    struct clock_figures figures;
    struct kept *kept = lesson->plan->kept;
    bool const known = kept_clock(lesson, &figures, error);
    lock_take(kept->lock);
    *facts = kept->gpu_facts;
    *count = known ? kept->gpu_fact_count : 0;
    lock_release(kept->lock);
    return known;
}

bool kept_gpu(const struct lesson *lesson, struct gpu *gpu)
{
    struct clock_figures figures;
    struct kept *kept = lesson->plan->kept;
    bool const known = kept_clock(lesson, &figures, NULL);
    lock_take(kept->lock);
    *gpu = kept->gpu;
    lock_release(kept->lock);
    return known;
}

struct recording_names lesson_recording_names(const struct lesson *lesson, bool timed_knobs, struct arena *arena)
{
    const char **variants = arena_array(arena, const char *, (size_t)lesson->variant_count + 1);
    const char **knobs = arena_array(arena, const char *, (size_t)lesson->knob_count + 1);
    struct recording_names names = {.name = lesson->name, .variants = variants, .knobs = knobs};
    for (int i = 0; i < lesson->variant_count; i++)
        variants[names.variant_count++] = lesson->variants[i].name;
    for (int i = 0; i < lesson->knob_count; i++)
        if (!timed_knobs || plan_times_knob(lesson, i))
            knobs[names.knob_count++] = lesson->knobs[i].name;
    return names;
}

const char *lesson_setting_name(const struct lesson *lesson, const struct lesson_setting *setting, bool timed_knobs,
                                struct arena *arena)
{
    const char *name = lesson->variants[setting->variant].name;
    for (int i = 0; i < lesson->knob_count; i++)
        if (!timed_knobs || plan_times_knob(lesson, i))
            name =
                arena_format(arena, "%s %s", name, lesson_knob_assignment(&lesson->knobs[i], setting->value[i], arena));
    return name;
}

/* Returns the recordings, which the first call opens. The caller holds the lock. */
static struct recordings *opened(const struct lesson *lesson)
{
    struct kept *kept = lesson->plan->kept;
    struct arena arena = {0};
    if (kept->recordings)
        return kept->recordings;
    struct recording_names const names = lesson_recording_names(lesson, false, &arena);
    kept->recordings = lesson_is_installed(lesson) ? recordings_find(&names) : recordings_none(&names);
    arena_free(&arena);
    return kept->recordings;
}

bool lesson_use_recordings(const struct lesson *lesson, const char *folder, struct error *error)
{
    struct kept *kept = lesson->plan->kept;
    struct arena arena = {0};
    struct recording_names const names = lesson_recording_names(lesson, false, &arena);
    lock_take(kept->lock);
    recordings_free(kept->recordings);
    kept->recordings = recordings_open(folder, &names);
    const struct error *damage = recordings_damage(kept->recordings);
    if (damage && error)
        *error = *damage;
    bool const whole = kept->recordings && !damage;
    kept_forget_answers(kept);
    lock_release(kept->lock);
    arena_free(&arena);
    return whole;
}

static struct measured_time time_at(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct kept *kept = lesson->plan->kept;
    struct arena arena = {0};
    const char *name = lesson_setting_name(lesson, setting, false, &arena);
    lock_take(kept->lock);
    struct measured_time const time = recordings_time(opened(lesson), name);
    lock_release(kept->lock);
    arena_free(&arena);
    return time;
}

struct measured_time kept_recorded_time(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct measured_time const time = time_at(lesson, setting);
    struct lesson_setting const plain = time.source == TIME_NONE ? plan_plain(lesson, setting) : *setting;
    return time.source == TIME_NONE ? time_at(lesson, &plain) : time;
}

struct measured_time kept_compared_time(const struct lesson *lesson, double by)
{
    const struct plan_compare *compare = &lesson->plan->compare;
    struct kept *kept = lesson->plan->kept;
    struct arena arena = {0};
    lock_take(kept->lock);
    if (!kept->compared)
        kept->compared = recordings_find(&(struct recording_names){.name = compare->recording,
                                                                   .variants = &compare->variant,
                                                                   .variant_count = 1,
                                                                   .knobs = &compare->by,
                                                                   .knob_count = 1});
    struct measured_time const time =
        recordings_time(kept->compared, arena_format(&arena, "%s %s=%.0f", compare->variant, compare->by, by));
    lock_release(kept->lock);
    arena_free(&arena);
    return time;
}

bool lesson_recorded_trace(const struct lesson *lesson, const struct lesson_setting *setting, struct trace **trace,
                           struct error *error)
{
    struct kept *kept = lesson->plan->kept;
    struct arena arena = {0};
    const char *name = lesson_setting_name(lesson, setting, false, &arena);
    lock_take(kept->lock);
    struct recordings *recordings = opened(lesson);
    bool const found = recordings ? recordings_trace(recordings, name, trace, error)
                                  : error_set(error, ERROR_MISSING, "no memory for a lesson");
    lock_release(kept->lock);
    arena_free(&arena);
    if (found)
        plan_shapes(lesson, setting, *trace);
    return found;
}

/* The lock is held. */
static const struct counter_table *counters_of(const struct lesson *lesson)
{
    struct kept *kept = lesson->plan->kept;
    if (!kept->counters_read)
        counters_read_shipped(&kept->arena, lesson->name, &kept->counters);
    kept->counters_read = true;
    return &kept->counters;
}

static uint32_t registers_at(const struct lesson *lesson, const struct lesson_setting *setting, const char *source,
                             struct arena *arena)
{
    const char *key = plan_key(lesson, setting, false, arena, NULL);
    if (!key)
        return 0;
    lock_take(lesson->plan->kept->lock);
    uint32_t const registers =
        counters_registers(counters_of(lesson), lesson->variants[setting->variant].source, source, key);
    lock_release(lesson->plan->kept->lock);
    return registers;
}

uint32_t kept_registers(const struct lesson *lesson, const struct lesson_setting *setting, const char *source,
                        struct arena *arena)
{
    uint32_t const registers = registers_at(lesson, setting, source, arena);
    struct lesson_setting const plain = registers ? *setting : plan_plain(lesson, setting);
    return registers ? registers : registers_at(lesson, &plain, source, arena);
}

static struct sass_counts counters_at(const struct lesson *lesson, const struct lesson_setting *setting, bool timed,
                                      const char *source, struct arena *arena)
{
    struct kept *kept = lesson->plan->kept;
    struct sass_counts sass = {.counted = false};
    const char *key = plan_key(lesson, setting, timed, arena, NULL);
    lock_take(kept->lock);
    if (key)
        sass = counters_find(counters_of(lesson), lesson->variants[setting->variant].source, source, key, arena);
    lock_release(kept->lock);
    return sass;
}

struct sass_counts kept_counters(const struct lesson *lesson, const struct lesson_setting *setting, bool timed,
                                 const char *source, struct arena *arena)
{
    struct sass_counts const sass = counters_at(lesson, setting, timed, source, arena);
    struct lesson_setting const plain = sass.counted ? *setting : plan_plain(lesson, setting);
    return sass.counted ? sass : counters_at(lesson, &plain, timed, source, arena);
}
