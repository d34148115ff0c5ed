#include "recording/times.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The places of fields and knobs in a row. */
struct columns {
    size_t variant, median, p25, p75, runs;
    size_t *knobs; /* SIZE_MAX: no column */
};

static bool find_columns(const struct recording_names *names, const json_t *list, struct columns *columns)
{
    struct {
        const char *name;
        size_t *at;
        bool found;
    } needed[] = {{"variant", &columns->variant, false},
                  {"median", &columns->median, false},
                  {"p25", &columns->p25, false},
                  {"p75", &columns->p75, false},
                  {"runs", &columns->runs, false}};
    size_t index;
    json_t *value;
    for (size_t i = 0; i < names->knob_count; i++)
        columns->knobs[i] = SIZE_MAX;
    json_array_foreach((json_t *)list, index, value)
    {
        const char *name = json_string_value(value) ? json_string_value(value) : "";
        for (size_t i = 0; i < names->knob_count; i++)
            if (strcmp(name, names->knobs[i]) == 0)
                columns->knobs[i] = index;
        for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
            if (strcmp(name, needed[i].name) == 0) {
                *needed[i].at = index;
                needed[i].found = true;
            }
    }
    bool all = true;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        all = all && needed[i].found;
    return all;
}

static bool has_variant(const struct recording_names *names, const char *variant)
{
    for (size_t i = 0; variant && i < names->variant_count; i++)
        if (strcmp(names->variants[i], variant) == 0)
            return true;
    return false;
}

static bool read_row(struct arena *arena, const struct recording_names *names, const struct columns *columns,
                     const json_t *from, struct recorded_time *row)
{
    const char *setting = json_string_value(json_array_get(from, columns->variant));
    if (!has_variant(names, setting))
        return false;
    setting = arena_text(arena, setting);
    for (size_t i = 0; i < names->knob_count; i++) {
        if (columns->knobs[i] == SIZE_MAX)
            continue;
        const json_t *value = json_array_get(from, columns->knobs[i]);
        if (!json_is_integer(value))
            return false;
        setting = arena_format(arena, "%s %s=%lld", setting, names->knobs[i], (long long)json_integer_value(value));
    }
    row->setting = setting;
    row->median = json_number_value(json_array_get(from, columns->median));
    row->p25 = json_number_value(json_array_get(from, columns->p25));
    row->p75 = json_number_value(json_array_get(from, columns->p75));
    row->runs = (unsigned)json_integer_value(json_array_get(from, columns->runs));
    return row->median > 0 && row->p25 > 0 && row->p25 <= row->median && row->median <= row->p75 && row->runs > 0;
}

/* Values that old files lack stay 0: unknown. */
static void read_state(json_t *root, struct recorded_times *times)
{
    struct {
        const char *name;
        unsigned *range;
    } const ranges[] = {{"clock_mhz", times->state.clock_mhz},
                        {"memory_clock_mhz", times->state.memory_clock_mhz},
                        {"temperature_c", times->state.temperature}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (size_t k = 0; k < 2; k++)
            ranges[i].range[k] = (unsigned)json_integer_value(json_array_get(json_object_get(root, ranges[i].name), k));
    times->beyond_cache = json_is_true(json_object_get(root, "beyond_l2"));
}

static bool read_rows(struct arena *arena, const char *path, const struct recording_names *names,
                      const struct columns *columns, const json_t *rows, struct recorded_times *times,
                      struct error *error)
{
    struct recorded_time *into = arena_array(arena, struct recorded_time, json_array_size(rows));
    times->rows = into;
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!read_row(arena, names, columns, json_array_get(rows, i), &into[i]))
            return error_at(error, ERROR_INPUT, path, 0, 0, "row %zu of \"rows\" is not a time of this lesson", i + 1);
    times->count = json_array_size(rows);
    return true;
}

bool recorded_times_read(struct arena *arena, const char *path, const struct recording_names *names,
                         struct recorded_times *times, struct error *error)
{
    json_error_t problem;
    struct columns columns = {.knobs = arena_array(arena, size_t, names->knob_count + 1)};
    const char *device, *driver, *date;
    json_t *list, *rows;
    *times = (struct recorded_times){0};
    json_t *root = json_load_file(path, 0, &problem);
    if (!root)
        return error_at(error, ERROR_INPUT, path, problem.line, problem.column, "%s", problem.text);
    bool good = json_unpack_ex(root, &problem, 0, "{s:s, s:s, s:s, s:o, s:o}", "device", &device, "driver", &driver,
                               "date", &date, "columns", &list, "rows", &rows) == 0;
    if (!good)
        error_at(error, ERROR_INPUT, path, 0, 0, "%s", problem.text);
    else if (!json_is_array(rows) || !json_is_array(list) || !find_columns(names, list, &columns))
        good = error_at(error, ERROR_INPUT, path, 0, 0,
                        "\"columns\" must name variant, median, p25, p75 and runs, and \"rows\" be a list");
    if (good) {
        snprintf(times->device, sizeof times->device, "%s", device);
        snprintf(times->driver, sizeof times->driver, "%s", driver);
        snprintf(times->date, sizeof times->date, "%.10s", date);
        read_state(root, times);
        good = read_rows(arena, path, names, &columns, rows, times, error);
    }
    json_decref(root);
    return good;
}

/* Returns whether every word of `row` occurs in the setting's name. */
static bool fits(const char *row, const char *setting)
{
    while (*row) {
        size_t const length = strcspn(row, " ");
        const char *at = setting;
        while (*at && !(strcspn(at, " ") == length && memcmp(at, row, length) == 0)) {
            at += strcspn(at, " ");
            at += strspn(at, " ");
        }
        if (!*at)
            return false;
        row += length;
        row += strspn(row, " ");
    }
    return true;
}

struct measured_time recorded_times_find(const struct recorded_times *times, const char *setting)
{
    struct measured_time time = {.source = TIME_NONE};
    for (size_t i = 0; i < times->count; i++) {
        const struct recorded_time *row = &times->rows[i];
        if (!fits(row->setting, setting))
            continue;
        time = (struct measured_time){.source = TIME_RECORDED,
                                      .median = row->median,
                                      .p25 = row->p25,
                                      .p75 = row->p75,
                                      .runs = row->runs,
                                      .state = times->state,
                                      .beyond_cache = times->beyond_cache};
        memcpy(time.device, times->device, sizeof time.device);
        memcpy(time.driver, times->driver, sizeof time.driver);
        memcpy(time.date, times->date, sizeof time.date);
        break;
    }
    return time;
}

/* Returns a row as JSON. Its setting, "load stride=8", gives the variant and the knobs in the order of the columns. */
static const char *row_text(const struct recorded_time *time, struct arena *arena)
{
    json_t *row = json_array();
    size_t const length = strcspn(time->setting, " ");
    json_array_append_new(row, json_stringn(time->setting, length));
    for (const char *at = strchr(time->setting + length, '='); at; at = strchr(at + 1, '='))
        json_array_append_new(row, json_integer(strtoll(at + 1, NULL, 10)));
    json_array_append_new(row, json_real(time->median));
    json_array_append_new(row, json_real(time->p25));
    json_array_append_new(row, json_real(time->p75));
    json_array_append_new(row, json_integer(time->runs));
    char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(6));
    const char *kept = arena_text(arena, text ? text : "");
    free(text);
    json_decref(row);
    return kept;
}

/* Returns lines for the known values of the GPU's state. */
static const char *state_lines(const struct recorded_times *times, struct arena *arena)
{
    const struct gpu_state *state = &times->state;
    struct {
        const char *name;
        const unsigned *range;
    } const ranges[] = {{"clock_mhz", state->clock_mhz},
                        {"memory_clock_mhz", state->memory_clock_mhz},
                        {"temperature_c", state->temperature}};
    const char *lines = "";
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].range[0])
            lines = arena_format(arena, "%s\"%s\": [%u, %u],\n", lines, ranges[i].name, ranges[i].range[0],
                                 ranges[i].range[1]);
    return times->beyond_cache ? arena_format(arena, "%s\"beyond_l2\": true,\n", lines) : lines;
}

const char *recorded_string(struct arena *arena, const char *text)
{
    json_t *value = json_string(text);
    char *dumped = json_dumps(value, JSON_ENCODE_ANY);
    const char *kept = arena_text(arena, dumped ? dumped : "\"\"");
    free(dumped);
    json_decref(value);
    return kept;
}

const char *recorded_times_text(const struct recorded_times *times, const struct recording_names *names,
                                const char *what, struct arena *arena)
{
    const char *columns = "\"variant\"";
    struct {
        char *items;
        size_t count, capacity;
    } rows = {0};
    for (size_t i = 0; i < names->knob_count; i++)
        columns = arena_format(arena, "%s, \"%s\"", columns, names->knobs[i]);
    for (size_t i = 0; i < times->count; i++)
        for (const char *c = arena_format(arena, "%s%s", i ? ",\n" : "\n", row_text(&times->rows[i], arena)); *c; c++)
            array_push(&rows, *c);
    const char *lines = arena_text_n(arena, rows.items ? rows.items : "", rows.count);
    free(rows.items);
    return arena_format(arena,
                        "{\n\"lesson\": %s,\n\"device\": %s,\n\"driver\": %s,\n\"date\": %s,\n\"timed\": %s,\n"
                        "\"unit\": \"microseconds between two CUDA events\",\n%s"
                        "\"columns\": [%s, \"median\", \"p25\", \"p75\", \"runs\"],\n\"rows\": [%s\n]\n}\n",
                        recorded_string(arena, names->name), recorded_string(arena, times->device),
                        recorded_string(arena, times->driver), recorded_string(arena, times->date),
                        recorded_string(arena, what), state_lines(times, arena), columns, lines);
}
