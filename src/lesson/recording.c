#include "lesson/recording.h"
#include "base/file.h"
#include "lesson/plan.h"
#include "recording/bundle.h"
#include "recording/recordings.h"
#include "run/fill.h"
#include "run/timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct lesson_setting *items;
    size_t count, capacity;
};

static bool has_setting(const struct lesson *lesson, const struct settings *settings,
                        const struct lesson_setting *setting)
{
    for (size_t i = 0; i < settings->count; i++) {
        bool same = settings->items[i].variant == setting->variant;
        for (int k = 0; same && k < lesson->knob_count; k++)
            same = settings->items[i].value[k] == setting->value[k];
        if (same)
            return true;
    }
    return false;
}

static void sweep_settings(const struct lesson *lesson, const struct plan_sweep *sweep, struct settings *settings)
{
    size_t all = 1;
    for (int k = 0; k < lesson->knob_count; k++)
        all *= sweep->value_count[k] ? (size_t)sweep->value_count[k] : 1;
    for (int variant = 0; variant < lesson->variant_count; variant++)
        for (size_t number = 0; number < all && (sweep->variants >> variant & 1); number++) {
            struct lesson_setting setting = lesson_defaults(lesson);
            size_t rest = number;
            setting.variant = variant;
            for (int k = lesson->knob_count - 1; k >= 0; k--) {
                size_t const count = (size_t)sweep->value_count[k];
                if (count == 0)
                    continue;
                setting.value[k] = sweep->values[k][rest % count];
                rest /= count;
            }
            if (!has_setting(lesson, settings, &setting))
                array_push(settings, setting);
        }
}

size_t lesson_counted_settings(const struct lesson *lesson, struct lesson_setting **settings)
{
    const struct lesson_plan *plan = lesson->plan;
    struct settings all = {0};
    for (size_t i = 0; i < plan->trace_count; i++)
        sweep_settings(lesson, &plan->traces[i], &all);
    for (size_t i = 0; i < plan->counted_count; i++)
        sweep_settings(lesson, &plan->counted[i], &all);
    *settings = all.items;
    return all.count;
}

/* The launches that a profiler counts: the traced ones, then the timed ones. */
struct counted {
    struct lesson_setting setting;
    bool timed;
};

static size_t list_counted(const struct lesson *lesson, struct arena *arena, struct counted **list)
{
    struct lesson_setting *traced, *timed;
    size_t const traced_count = lesson_counted_settings(lesson, &traced);
    size_t const timed_count = lesson_timed_settings(lesson, &timed);
    *list = arena_array(arena, struct counted, traced_count + timed_count);
    for (size_t i = 0; i < traced_count + timed_count; i++)
        (*list)[i] =
            i < traced_count ? (struct counted){traced[i], false} : (struct counted){timed[i - traced_count], true};
    free(traced);
    free(timed);
    return traced_count + timed_count;
}

size_t lesson_counted_launches(const struct lesson *lesson)
{
    struct arena arena = {0};
    struct counted *list;
    size_t const count = list_counted(lesson, &arena, &list);
    arena_free(&arena);
    return count;
}

size_t lesson_timed_settings(const struct lesson *lesson, struct lesson_setting **settings)
{
    struct settings all = {0};
    for (size_t i = 0; i < lesson->plan->timing_count; i++)
        sweep_settings(lesson, &lesson->plan->timings[i], &all);
    *settings = all.items;
    return all.count;
}

struct recorder {
    const struct lesson *lesson;
    const struct recording_options *options;
    struct arena arena;
    struct recorded_times times; /* device and driver are set even where nothing is timed */
    size_t done, all;
};

static bool step(struct recorder *recorder, struct error *error)
{
    if (recorder->options->progress)
        recorder->options->progress(recorder->options->progress_context, recorder->lesson->name, recorder->done,
                                    recorder->all);
    recorder->done++;
    if (recorder->options->cancel && atomic_load(recorder->options->cancel))
        return error_set(error, ERROR_RUN, "stopped before lesson %s was recorded; its files are as they were",
                         recorder->lesson->name);
    return true;
}

static bool record_times(struct recorder *recorder, const struct settings *settings, const char **file,
                         struct error *error)
{
    const struct lesson *lesson = recorder->lesson;
    struct arena *arena = &recorder->arena;
    struct recorded_time *rows = arena_array(arena, struct recorded_time, settings->count);
    struct recorded_times *times = &recorder->times;
    const char *what = "";
    times->rows = rows;
    times->beyond_cache = settings->count > 0;
    for (; times->count < settings->count; times->count++) {
        const struct lesson_setting *setting = &settings->items[times->count];
        struct measured_time time;
        if (!step(recorder, error) || !run_lesson_measure(lesson, setting, &time, error))
            return false;
        what = arena_text(arena, time.what[WORDS_ENGLISH]);
        gpu_state_widen(&times->state, &time.state);
        times->beyond_cache = times->beyond_cache && time.beyond_cache;
        snprintf(times->device, sizeof times->device, "%s", time.device);
        snprintf(times->driver, sizeof times->driver, "%s", time.driver);
        rows[times->count] = (struct recorded_time){.setting = lesson_setting_name(lesson, setting, true, arena),
                                                    .median = time.median,
                                                    .p25 = time.p25,
                                                    .p75 = time.p75,
                                                    .runs = time.runs};
    }
    struct recording_names const names = lesson_recording_names(lesson, true, arena);
    *file = recorded_times_text(times, &names, what, arena);
    return true;
}

static bool record_trace(struct recorder *recorder, const struct lesson_setting *setting, struct bundle_entry *entry,
                         struct error *error)
{
    struct run *run;
    uint8_t *bytes;
    if (!run_lesson(recorder->lesson, setting, recorder->options->executor, NULL, &run, error))
        return false;
    const char *name = lesson_setting_name(recorder->lesson, setting, false, &recorder->arena);
    bool good = true;
    if (trace_faults(run->trace) || run->trace->lost || (run->check.checked && !run->check.right))
        good = error_set(error, ERROR_RUN, "lesson %s at %s: %s", recorder->lesson->name, name,
                         trace_faults(run->trace) ? finding_word(&run->trace->findings[0])
                         : run->trace->lost       ? "events did not fit into the record"
                                                  : "the result is wrong");
    good = good && trace_pack(run->trace, &recorder->arena, &bytes, &entry->size, error);
    if (good) {
        entry->name = name;
        entry->bytes = bytes;
        if (!recorder->times.device[0] && run->trace->device)
            snprintf(recorder->times.device, sizeof recorder->times.device, "%s", run->trace->device);
        if (!recorder->times.driver[0] && run->trace->driver)
            snprintf(recorder->times.driver, sizeof recorder->times.driver, "%s", run->trace->driver);
    }
    run_free(run);
    return good;
}

static bool write_files(struct recorder *recorder, const char *folder, const char *json,
                        const struct bundle_entry *entries, size_t count, struct recording_result *result,
                        struct error *error)
{
    char gpu[96];
    uint8_t *bytes;
    recording_folder(gpu, sizeof gpu,
                     recorder->options->executor == EXECUTOR_EMULATOR ? executor_word(EXECUTOR_EMULATOR)
                                                                      : recorder->times.device);
    snprintf(result->folder, sizeof result->folder, "%.400s/%s", folder, gpu);
    result->traces = count;
    result->json_bytes = strlen(json);
    const char *stem = arena_format(&recorder->arena, "%s/%s", result->folder, recorder->lesson->name);
    return bundle_pack(entries, count, &recorder->arena, &bytes, &result->trace_bytes, error) &&
           file_write(arena_format(&recorder->arena, "%s.traces", stem), bytes, result->trace_bytes, error) &&
           file_write(arena_format(&recorder->arena, "%s.json", stem), json, result->json_bytes, error);
}

bool lesson_record(const struct lesson *lesson, const char *folder, const struct recording_options *options,
                   struct recording_result *result, struct error *error)
{
    const struct lesson_plan *plan = lesson->plan;
    struct recorder recorder = {.lesson = lesson, .options = options};
    struct settings times = {0}, traces = {0};
    *result = (struct recording_result){0};
    clock_date(recorder.times.date);
    for (size_t i = 0; options->executor == EXECUTOR_GPU && i < plan->timing_count; i++)
        sweep_settings(lesson, &plan->timings[i], &times);
    for (size_t i = 0; i < plan->trace_count; i++)
        sweep_settings(lesson, &plan->traces[i], &traces);
    recorder.all = times.count + traces.count;
    if (recorder.all == 0) /* a lesson without a clock and without traces */
        return true;
    struct bundle_entry *entries = arena_array(&recorder.arena, struct bundle_entry, traces.count);
    const char *json = "";
    bool good = true;
    for (size_t i = 0; good && i < traces.count; i++)
        good = step(&recorder, error) && record_trace(&recorder, &traces.items[i], &entries[i], error);
    good = good && record_times(&recorder, &times, &json, error) &&
           write_files(&recorder, folder, json, entries, traces.count, result, error) &&
           lesson_use_recordings(lesson, result->folder, error); /* an unreadable recording is an error */
    result->timings = recorder.times.count;
    free(times.items);
    free(traces.items);
    arena_free(&recorder.arena);
    return good;
}

static bool launch_counted(const struct lesson *lesson, const struct counted *counted, struct error *error)
{
    struct arena arena = {0};
    struct launch launch;
    struct launch_blocks recorded;
    const struct ptx_module *module;
    bool const launched = plan_find_module(lesson, &counted->setting, &module, error) &&
                          plan_launch(lesson, &counted->setting, counted->timed, &arena, &launch, &recorded, error);
    bool const ran = launched && launch_once(module, &launch, error);
    if (launched)
        launch_buffers_free(&launch);
    arena_free(&arena);
    return ran;
}

bool lesson_launch_all(const struct lesson *lesson, struct error *error)
{
    struct arena arena = {0};
    struct counted *list;
    size_t const count = list_counted(lesson, &arena, &list);
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = launch_counted(lesson, &list[i], error);
    arena_free(&arena);
    return good;
}

static bool has_source(const struct counter_source *sources, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(sources[i].name, name) == 0)
            return true;
    return false;
}

bool lesson_count(const struct lesson *lesson, const struct counting *how, struct counting_result *result,
                  struct error *error)
{
    struct arena arena = {0};
    struct counted *list;
    size_t const count = list_counted(lesson, &arena, &list);
    struct counted_launch *expected = arena_array(&arena, struct counted_launch, count);
    struct counter_source *sources = arena_array(&arena, struct counter_source, (size_t)lesson->variant_count);
    size_t source_count = 0;
    bool good = true;
    *result = (struct counting_result){.launches = 0};
    for (size_t i = 0; good && i < count; i++) {
        const struct lesson_variant *variant = &lesson->variants[list[i].setting.variant];
        char *text;
        expected[i] =
            (struct counted_launch){variant->kernel, plan_key(lesson, &list[i].setting, list[i].timed, &arena, error)};
        good = expected[i].key != NULL;
        if (!good || has_source(sources, source_count, variant->source))
            continue;
        good = file_read(&arena, lesson_source_path(lesson, list[i].setting.variant, &arena), &text, NULL, error);
        if (good)
            sources[source_count++] =
                (struct counter_source){variant->source, arena_text(&arena, digest_of(text, strlen(text)).text)};
    }
    struct counting with = *how;
    with.cold = lesson->plan->timed.beyond_cache;
    good = good && count_launches(&with, lesson->name, sources, source_count, expected, count, result, error);
    arena_free(&arena);
    return good;
}
