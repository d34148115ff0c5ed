#include "recording/record.h"
#include "base/file.h"
#include "lesson/plan.h"
#include "recording/recordings.h"
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct lesson_setting *items;
    size_t count, capacity;
};

/* Whether the time depends on the knob: not when `timed` puts a number in its place. */
static bool knob_counts(const struct lesson *lesson, int knob)
{
    for (size_t i = 0; i < lesson->plan->timed.let_count; ++i)
        if (strcmp(lesson->plan->timed.lets[i].name, lesson->knobs[knob].name) == 0)
            return false;
    return true;
}

static bool has_setting(const struct lesson *lesson, const struct settings *settings,
                        const struct lesson_setting *setting)
{
    for (size_t i = 0; i < settings->count; ++i) {
        bool same = settings->items[i].variant == setting->variant;
        for (int k = 0; same && k < lesson->knob_count; ++k)
            same = settings->items[i].value[k] == setting->value[k];
        if (same)
            return true;
    }
    return false;
}

static void sweep_settings(const struct lesson *lesson, const struct plan_sweep *sweep, struct settings *settings)
{
    size_t all = 1;
    for (int k = 0; k < lesson->knob_count; ++k)
        all *= sweep->value_count[k] ? (size_t)sweep->value_count[k] : 1;
    for (int variant = 0; variant < lesson->variant_count; ++variant)
        for (size_t number = 0; number < all && (sweep->variants >> variant & 1); ++number) {
            struct lesson_setting setting = lesson_defaults(lesson);
            size_t rest = number;
            setting.variant = variant;
            for (int k = lesson->knob_count - 1; k >= 0; --k) {
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
    for (size_t i = 0; i < plan->trace_count; ++i)
        sweep_settings(lesson, &plan->traces[i], &all);
    for (size_t i = 0; i < plan->counted_count; ++i)
        sweep_settings(lesson, &plan->counted[i], &all);
    *settings = all.items;
    return all.count;
}

struct recorder {
    const struct lesson *lesson;
    const struct record_options *options;
    struct arena arena;
    char device[128], driver[32], date[11];
    size_t done, all;
    struct gpu_state state; /* while all times were measured */
    bool beyond_cache;      /* in each of them */
};

static bool step(struct recorder *recorder, struct error *error)
{
    if (recorder->options->progress)
        recorder->options->progress(recorder->options->progress_context, recorder->lesson->name, recorder->done,
                                    recorder->all);
    ++recorder->done;
    if (recorder->options->cancel && atomic_load(recorder->options->cancel))
        return error_set(error, ERROR_RUN, "stopped before lesson %s was recorded; its files are as they were",
                         recorder->lesson->name);
    return true;
}

/* One row of "rows", in the order of "columns". */
static char *timing_row(const struct recorder *recorder, const struct lesson_setting *setting,
                        const struct measured_time *time)
{
    const struct lesson *lesson = recorder->lesson;
    json_t *row = json_array();
    json_array_append_new(row, json_string(lesson->variants[setting->variant].name));
    for (int k = 0; k < lesson->knob_count; ++k)
        if (knob_counts(lesson, k))
            json_array_append_new(row, json_integer(lesson->knobs[k].values[setting->value[k]]));
    json_array_append_new(row, json_real(time->median));
    json_array_append_new(row, json_real(time->p25));
    json_array_append_new(row, json_real(time->p75));
    json_array_append_new(row, json_integer(time->runs));
    char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(row);
    return text;
}

/* Nothing of what is not known. */
static const char *state_lines(struct recorder *recorder)
{
    const struct gpu_state *state = &recorder->state;
    struct {
        const char *name;
        const unsigned *range;
    } const ranges[] = {{"clock_mhz", state->clock_mhz},
                        {"memory_clock_mhz", state->memory_clock_mhz},
                        {"temperature_c", state->temperature}};
    const char *lines = "";
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        if (ranges[i].range[0])
            lines = arena_format(&recorder->arena, "%s\"%s\": [%u, %u],\n", lines, ranges[i].name, ranges[i].range[0],
                                 ranges[i].range[1]);
    return recorder->beyond_cache ? arena_format(&recorder->arena, "%s\"beyond_l2\": true,\n", lines) : lines;
}

/* The file: a JSON object whose rows stand one a line, so that a person and a diff can read it. */
static const char *timing_file(struct recorder *recorder, const char *what, const char *rows)
{
    const struct lesson *lesson = recorder->lesson;
    const char *columns = "\"variant\"";
    for (int k = 0; k < lesson->knob_count; ++k)
        if (knob_counts(lesson, k))
            columns = arena_format(&recorder->arena, "%s, \"%s\"", columns, lesson->knobs[k].name);
    json_t *texts[] = {json_string(lesson->name), json_string(recorder->device), json_string(recorder->driver),
                       json_string(recorder->date), json_string(what)};
    const char *quoted[5];
    for (int i = 0; i < 5; ++i) {
        char *dumped = json_dumps(texts[i], JSON_ENCODE_ANY);
        quoted[i] = arena_text(&recorder->arena, dumped ? dumped : "\"\"");
        free(dumped);
        json_decref(texts[i]);
    }
    return arena_format(&recorder->arena,
                        "{\n\"lesson\": %s,\n\"device\": %s,\n\"driver\": %s,\n\"date\": %s,\n\"timed\": %s,\n"
                        "\"unit\": \"microseconds between two CUDA events\",\n%s"
                        "\"columns\": [%s, \"median\", \"p25\", \"p75\", \"runs\"],\n\"rows\": [%s\n]\n}\n",
                        quoted[0], quoted[1], quoted[2], quoted[3], quoted[4], state_lines(recorder), columns, rows);
}

static bool record_times(struct recorder *recorder, const struct settings *settings, const char **file, size_t *count,
                         struct error *error)
{
    struct {
        char *items;
        size_t count, capacity;
    } rows = {0};
    bool good = true;
    const char *what = "";
    recorder->beyond_cache = settings->count > 0;
    array_push(&rows, '\0');
    for (size_t i = 0; good && i < settings->count; ++i) {
        struct measured_time time;
        if (!step(recorder, error) || !run_lesson_measure(recorder->lesson, &settings->items[i], &time, error)) {
            good = false;
            break;
        }
        what = arena_text(&recorder->arena, time.what);
        gpu_state_widen(&recorder->state, &time.state);
        recorder->beyond_cache = recorder->beyond_cache && time.beyond_cache;
        snprintf(recorder->device, sizeof recorder->device, "%s", time.device);
        snprintf(recorder->driver, sizeof recorder->driver, "%s", time.driver);
        char *row = timing_row(recorder, &settings->items[i], &time);
        for (const char *c = *count ? ",\n" : "\n"; *c; ++c) {
            rows.items[rows.count - 1] = *c;
            array_push(&rows, '\0');
        }
        for (const char *c = row; c && *c; ++c) {
            rows.items[rows.count - 1] = *c;
            array_push(&rows, '\0');
        }
        free(row);
        ++*count;
    }
    if (good)
        *file = timing_file(recorder, what, rows.items);
    free(rows.items);
    return good;
}

static bool record_trace(struct recorder *recorder, const struct lesson_setting *setting, struct bundle_entry *entry,
                         struct error *error)
{
    struct run *run;
    uint8_t *bytes;
    if (!run_lesson(recorder->lesson, setting, recorder->options->executor, NULL, &run, error))
        return false;
    const char *name = bundle_name(recorder->lesson, setting, &recorder->arena);
    bool good = true;
    if (run->trace->fault_count || run->trace->lost || (run->check.checked && !run->check.right))
        good = error_set(error, ERROR_RUN, "lesson %s at %s: %s", recorder->lesson->name, name,
                         run->trace->fault_count ? run->trace->faults[0].message
                         : run->trace->lost      ? "events did not fit into the record"
                                                 : "the result is wrong");
    good = good && trace_pack(run->trace, &recorder->arena, &bytes, &entry->size, error);
    if (good) {
        entry->name = name;
        entry->bytes = bytes;
        if (!recorder->device[0] && run->trace->device)
            snprintf(recorder->device, sizeof recorder->device, "%s", run->trace->device);
        if (!recorder->driver[0] && run->trace->driver)
            snprintf(recorder->driver, sizeof recorder->driver, "%s", run->trace->driver);
    }
    run_free(run);
    return good;
}

void record_folder(char *to, size_t size, const char *name)
{
    size_t length = 0;
    for (; *name && length + 1 < size; ++name)
        if (isalnum((unsigned char)*name))
            to[length++] = (char)tolower((unsigned char)*name);
        else if (length && to[length - 1] != '-')
            to[length++] = '-';
    while (length && to[length - 1] == '-')
        --length;
    to[length] = '\0';
}

static bool write_files(struct recorder *recorder, const char *folder, const char *json,
                        const struct bundle_entry *entries, size_t count, struct record_result *result,
                        struct error *error)
{
    char gpu[96];
    uint8_t *bytes;
    record_folder(gpu, sizeof gpu,
                  recorder->options->executor == EXECUTOR_EMULATOR ? executor_word(EXECUTOR_EMULATOR)
                                                                   : recorder->device);
    snprintf(result->folder, sizeof result->folder, "%.400s/%s", folder, gpu);
    result->traces = count;
    result->json_bytes = strlen(json);
    const char *stem = arena_format(&recorder->arena, "%s/%s", result->folder, recorder->lesson->name);
    return bundle_pack(entries, count, &recorder->arena, &bytes, &result->trace_bytes, error) &&
           file_write(arena_format(&recorder->arena, "%s.traces", stem), bytes, result->trace_bytes, error) &&
           file_write(arena_format(&recorder->arena, "%s.json", stem), json, result->json_bytes, error);
}

bool lesson_record(const struct lesson *lesson, const char *folder, const struct record_options *options,
                   struct record_result *result, struct error *error)
{
    const struct lesson_plan *plan = lesson->plan;
    struct recorder recorder = {.lesson = lesson, .options = options};
    struct settings times = {0}, traces = {0};
    *result = (struct record_result){0};
    clock_date(recorder.date);
    for (size_t i = 0; options->executor == EXECUTOR_GPU && i < plan->timing_count; ++i)
        sweep_settings(lesson, &plan->timings[i], &times);
    for (size_t i = 0; i < plan->trace_count; ++i)
        sweep_settings(lesson, &plan->traces[i], &traces);
    recorder.all = times.count + traces.count;
    struct bundle_entry *entries = arena_array(&recorder.arena, struct bundle_entry, traces.count);
    const char *json = "";
    bool good = true;
    for (size_t i = 0; good && i < traces.count; ++i)
        good = step(&recorder, error) && record_trace(&recorder, &traces.items[i], &entries[i], error);
    good = good && record_times(&recorder, &times, &json, &result->timings, error) &&
           write_files(&recorder, folder, json, entries, traces.count, result, error) &&
           recordings_open(lesson, result->folder, error); /* what cannot be read back is no recording */
    free(times.items);
    free(traces.items);
    arena_free(&recorder.arena);
    return good;
}
