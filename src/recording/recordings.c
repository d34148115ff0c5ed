/* Reading what was recorded. A lesson reads its times when it is first asked for one and its traces when it is first
 * asked for one, once each, under the plan's lock; damage is an error that names the file, never a missing figure made
 * up. */
#include "recording/recordings.h"
#include "base/file.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct timing_row {
    int variant;
    int64_t knobs[LESSON_KNOBS_MAX];
    double median, p25, p75;
    unsigned runs;
};

struct plan_recordings {
    struct arena arena;
    const char *stem; /* path without ".json" and ".traces"; NULL: there are none */
    char device[128], driver[32], date[11];
    struct gpu_state state;
    bool beyond_cache;
    bool has_knob[LESSON_KNOBS_MAX]; /* a column of the rows: the others do not matter to the time */
    struct timing_row *rows;
    size_t row_count;
    bool traces_read;
    struct bundle_entry *traces;
    size_t trace_count;
    struct error error; /* of reading, told to whoever asks for a trace */
};

const char *bundle_name(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena)
{
    const char *name = lesson->variants[setting->variant].name;
    for (int i = 0; i < lesson->knob_count; ++i)
        name = arena_format(arena, "%s %s=%lld", name, lesson->knobs[i].name,
                            (long long)lesson->knobs[i].values[setting->value[i]]);
    return name;
}

static const char bundle_magic[8] = "LSTRACE1";

static void put(uint8_t **to, const void *bytes, size_t size)
{
    memcpy(*to, bytes, size);
    *to += size;
}

bool bundle_pack(const struct bundle_entry *entries, size_t count, struct arena *arena, uint8_t **bytes, size_t *size,
                 struct error *error)
{
    size_t plain = sizeof bundle_magic + 4;
    for (size_t i = 0; i < count; ++i)
        plain += 4 + strlen(entries[i].name) + 8 + entries[i].size;
    uint8_t *text = malloc(plain), *to = text;
    if (!text)
        return error_set(error, ERROR_MISSING, "no memory for a bundle of %zu bytes", plain);
    uint32_t const entry_count = (uint32_t)count;
    put(&to, bundle_magic, sizeof bundle_magic);
    put(&to, &entry_count, sizeof entry_count);
    for (size_t i = 0; i < count; ++i) {
        uint32_t const length = (uint32_t)strlen(entries[i].name);
        uint64_t const entry_size = entries[i].size;
        put(&to, &length, sizeof length);
        put(&to, entries[i].name, length);
        put(&to, &entry_size, sizeof entry_size);
        put(&to, entries[i].bytes, entries[i].size);
    }
    size_t const room = ZSTD_compressBound(plain);
    *bytes = arena_alloc(arena, room);
    *size = ZSTD_compress(*bytes, room, text, plain, 19);
    free(text);
    return !ZSTD_isError(*size) || error_set(error, ERROR_MISSING, "zstd: %s", ZSTD_getErrorName(*size));
}

struct cursor {
    const uint8_t *at, *end;
};

static bool take(struct cursor *from, void *to, size_t size)
{
    if ((size_t)(from->end - from->at) < size)
        return false;
    memcpy(to, from->at, size);
    from->at += size;
    return true;
}

static bool unpack_entries(struct cursor *from, struct arena *arena, struct bundle_entry **entries, size_t *count)
{
    char magic[sizeof bundle_magic];
    uint32_t entry_count, length;
    uint64_t size;
    if (!take(from, magic, sizeof magic) || memcmp(magic, bundle_magic, sizeof magic) != 0 ||
        !take(from, &entry_count, sizeof entry_count) || entry_count > (size_t)(from->end - from->at) / 12)
        return false;
    *entries = arena_array(arena, struct bundle_entry, entry_count);
    for (*count = 0; *count < entry_count; ++*count) {
        struct bundle_entry *entry = &(*entries)[*count];
        if (!take(from, &length, sizeof length) || length > (size_t)(from->end - from->at))
            return false;
        entry->name = arena_text_n(arena, (const char *)from->at, length);
        from->at += length;
        if (!take(from, &size, sizeof size) || size > (size_t)(from->end - from->at))
            return false;
        entry->bytes = from->at;
        entry->size = size;
        from->at += size;
    }
    return from->at == from->end;
}

bool bundle_unpack(const char *path, const uint8_t *bytes, size_t size, struct arena *arena,
                   struct bundle_entry **entries, size_t *count, struct error *error)
{
    enum { LARGEST = 1 << 30 };
    unsigned long long const plain = ZSTD_getFrameContentSize(bytes, size);
    *count = 0;
    if (plain == ZSTD_CONTENTSIZE_ERROR || plain == ZSTD_CONTENTSIZE_UNKNOWN || plain > LARGEST)
        return error_at(error, ERROR_INPUT, path, 0, 0, "is not a bundle of recorded traces");
    uint8_t *text = arena_alloc(arena, plain);
    size_t const got = ZSTD_decompress(text, plain, bytes, size);
    struct cursor from = {text, text + plain};
    if (ZSTD_isError(got) || got != plain || !unpack_entries(&from, arena, entries, count))
        return error_at(error, ERROR_INPUT, path, 0, 0, "is a damaged bundle of recorded traces");
    return true;
}

void recordings_free(struct plan_recordings *recordings)
{
    if (!recordings)
        return;
    arena_free(&recordings->arena);
    free(recordings);
}

/* Which column of a row holds what. */
struct columns {
    size_t variant, knobs[LESSON_KNOBS_MAX], median, p25, p75, runs;
};

static bool find_columns(const struct lesson *lesson, const json_t *names, struct plan_recordings *into,
                         struct columns *columns)
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
    json_array_foreach((json_t *)names, index, value)
    {
        const char *name = json_string_value(value) ? json_string_value(value) : "";
        int const knob = lesson_knob_index(lesson, name);
        if (knob >= 0) {
            columns->knobs[knob] = index;
            into->has_knob[knob] = true;
        }
        for (size_t i = 0; i < sizeof needed / sizeof needed[0]; ++i)
            if (strcmp(name, needed[i].name) == 0) {
                *needed[i].at = index;
                needed[i].found = true;
            }
    }
    bool all = true;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; ++i)
        all = all && needed[i].found;
    return all;
}

static bool read_row(const struct lesson *lesson, const struct plan_recordings *into, const struct columns *columns,
                     const json_t *from, struct timing_row *row)
{
    const char *variant = json_string_value(json_array_get(from, columns->variant));
    row->variant = variant ? lesson_variant_index(lesson, variant) : -1;
    for (int i = 0; i < lesson->knob_count; ++i) {
        const json_t *value = json_array_get(from, columns->knobs[i]);
        if (into->has_knob[i] && !json_is_integer(value))
            return false;
        row->knobs[i] = json_integer_value(value);
    }
    row->median = json_number_value(json_array_get(from, columns->median));
    row->p25 = json_number_value(json_array_get(from, columns->p25));
    row->p75 = json_number_value(json_array_get(from, columns->p75));
    row->runs = (unsigned)json_integer_value(json_array_get(from, columns->runs));
    return row->variant >= 0 && row->median > 0 && row->p25 > 0 && row->p25 <= row->median && row->median <= row->p75 &&
           row->runs > 0;
}

/* What old files do not say stays 0: not known. */
static void read_state(json_t *root, struct plan_recordings *into)
{
    struct {
        const char *name;
        unsigned *range;
    } const ranges[] = {{"clock_mhz", into->state.clock_mhz},
                        {"memory_clock_mhz", into->state.memory_clock_mhz},
                        {"temperature_c", into->state.temperature}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        for (size_t k = 0; k < 2; ++k)
            ranges[i].range[k] = (unsigned)json_integer_value(json_array_get(json_object_get(root, ranges[i].name), k));
    into->beyond_cache = json_is_true(json_object_get(root, "beyond_l2"));
}

static bool read_times(const struct lesson *lesson, const char *path, struct plan_recordings *into, struct error *error)
{
    json_error_t problem;
    struct columns columns = {0};
    const char *device, *driver, *date;
    json_t *names, *rows;
    json_t *root = json_load_file(path, 0, &problem);
    if (!root)
        return error_at(error, ERROR_INPUT, path, problem.line, problem.column, "%s", problem.text);
    bool good = json_unpack_ex(root, &problem, 0, "{s:s, s:s, s:s, s:o, s:o}", "device", &device, "driver", &driver,
                               "date", &date, "columns", &names, "rows", &rows) == 0;
    if (!good)
        error_at(error, ERROR_INPUT, path, 0, 0, "%s", problem.text);
    else if (!json_is_array(rows) || !json_is_array(names) || !find_columns(lesson, names, into, &columns))
        good = error_at(error, ERROR_INPUT, path, 0, 0,
                        "\"columns\" must name variant, median, p25, p75 and runs, and \"rows\" be a list");
    if (good) {
        snprintf(into->device, sizeof into->device, "%s", device);
        snprintf(into->driver, sizeof into->driver, "%s", driver);
        snprintf(into->date, sizeof into->date, "%.10s", date);
        read_state(root, into);
        into->rows = arena_array(&into->arena, struct timing_row, json_array_size(rows));
    }
    for (size_t i = 0; good && i < json_array_size(rows); ++i) {
        good = read_row(lesson, into, &columns, json_array_get(rows, i), &into->rows[i]) ||
               error_at(error, ERROR_INPUT, path, 0, 0, "row %zu of \"rows\" is not a time of this lesson", i + 1);
        into->row_count += good;
    }
    json_decref(root);
    return good;
}

/* Times and traces of one folder. */
static struct plan_recordings *open_folder(const struct lesson *lesson, const char *folder)
{
    struct plan_recordings *recordings = calloc(1, sizeof *recordings);
    if (!recordings)
        return NULL;
    recordings->stem = arena_format(&recordings->arena, "%s/%s", folder, lesson->name);
    const char *path = arena_format(&recordings->arena, "%s.json", recordings->stem);
    if (!read_times(lesson, path, recordings, &recordings->error))
        recordings->row_count = 0;
    return recordings;
}

/* With the lock held: the recordings, opened when this is the first question. */
static struct plan_recordings *opened(const struct lesson *lesson)
{
    struct lesson_plan *plan = lesson->plan;
    struct arena arena = {0};
    char **folders;
    if (plan->recordings)
        return plan->recordings;
    size_t const count = folder_list(&arena, data_path(&arena, "assets/recordings"), &folders);
    for (size_t i = 0; i < count && !plan->recordings; ++i) {
        const char *folder = data_path(&arena, "assets/recordings/%s", folders[i]);
        if (file_exists(arena_format(&arena, "%s/%s.json", folder, lesson->name)))
            plan->recordings = open_folder(lesson, folder);
    }
    if (!plan->recordings)
        plan->recordings = calloc(1, sizeof *plan->recordings);
    arena_free(&arena);
    return plan->recordings;
}

bool recordings_open(const struct lesson *lesson, const char *folder, struct error *error)
{
    struct lesson_plan *plan = lesson->plan;
    pthread_mutex_lock(&plan->lock);
    recordings_free(plan->recordings);
    plan->recordings = open_folder(lesson, folder);
    bool const good = plan->recordings && plan->recordings->error.kind == ERROR_NONE;
    if (!good && plan->recordings && error)
        *error = plan->recordings->error;
    pthread_mutex_unlock(&plan->lock);
    return good;
}

struct measured_time recordings_time(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct measured_time time = {0};
    pthread_mutex_lock(&lesson->plan->lock);
    const struct plan_recordings *recordings = opened(lesson);
    for (size_t i = 0; recordings && i < recordings->row_count; ++i) {
        const struct timing_row *row = &recordings->rows[i];
        bool same = row->variant == setting->variant;
        for (int k = 0; same && k < lesson->knob_count; ++k)
            same = !recordings->has_knob[k] || row->knobs[k] == lesson->knobs[k].values[setting->value[k]];
        if (!same)
            continue;
        time = (struct measured_time){.source = TIME_RECORDED,
                                      .median = row->median,
                                      .p25 = row->p25,
                                      .p75 = row->p75,
                                      .runs = row->runs,
                                      .state = recordings->state,
                                      .beyond_cache = recordings->beyond_cache};
        memcpy(time.device, recordings->device, sizeof time.device);
        memcpy(time.driver, recordings->driver, sizeof time.driver);
        memcpy(time.date, recordings->date, sizeof time.date);
        break;
    }
    pthread_mutex_unlock(&lesson->plan->lock);
    return time;
}

static bool find_trace(const struct lesson *lesson, struct plan_recordings *recordings, const char *name,
                       struct trace **trace, struct error *error)
{
    if (!recordings || !recordings->stem) {
        error_set(error, ERROR_MISSING, "there is no recording of lesson %s", lesson->name);
        return error_remedy(error, "use --on emulator");
    }
    if (recordings->error.kind != ERROR_NONE) {
        if (error)
            *error = recordings->error;
        return false;
    }
    const char *path = arena_format(&recordings->arena, "%s.traces", recordings->stem);
    if (!recordings->traces_read) {
        char *bytes;
        size_t size;
        if (!file_read(&recordings->arena, path, &bytes, &size, error) ||
            !bundle_unpack(path, (const uint8_t *)bytes, size, &recordings->arena, &recordings->traces,
                           &recordings->trace_count, error))
            return false;
        recordings->traces_read = true;
    }
    for (size_t i = 0; i < recordings->trace_count; ++i)
        if (strcmp(recordings->traces[i].name, name) == 0)
            return trace_unpack(path, recordings->traces[i].bytes, recordings->traces[i].size, trace, error);
    error_set(error, ERROR_MISSING, "no trace of %s was recorded at %s", lesson->name, name);
    return error_remedy(error, "use --on emulator, which runs every setting");
}

bool recordings_trace(const struct lesson *lesson, const struct lesson_setting *setting, struct trace **trace,
                      struct error *error)
{
    struct arena arena = {0};
    const char *name = bundle_name(lesson, setting, &arena);
    pthread_mutex_lock(&lesson->plan->lock);
    bool const found = find_trace(lesson, opened(lesson), name, trace, error);
    pthread_mutex_unlock(&lesson->plan->lock);
    arena_free(&arena);
    return found;
}
