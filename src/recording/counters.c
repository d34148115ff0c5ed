/* Reads and writes a profiler's counters. Each row has a line of its own, which people and diffs can read, below the
 * common part of the keys: kernel, shape and defines. */
#include "recording/counters.h"
#include "base/file.h"
#include "recording/times.h"
#include "run/launch_key.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define counter_registers "launch__registers_per_thread"

const char *const counter_names[] = {"smsp__inst_executed.sum",
                                     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                     "smsp__sass_inst_executed_op_shared_ld.sum",
                                     "smsp__sass_inst_executed_op_shared_st.sum",
                                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                                     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                                     "smsp__sass_inst_executed_op_memory_8b.sum",
                                     "smsp__sass_inst_executed_op_memory_16b.sum",
                                     "smsp__sass_inst_executed_op_memory_32b.sum",
                                     "smsp__sass_inst_executed_op_memory_64b.sum",
                                     "smsp__sass_inst_executed_op_memory_128b.sum",
                                     "smsp__thread_inst_executed.sum",
                                     "smsp__thread_inst_executed_pred_on.sum",
                                     "smsp__sass_branch_targets.sum",
                                     "smsp__sass_branch_targets_threads_divergent.sum",
                                     counter_registers,
                                     "dram__bytes_read.sum",
                                     "dram__bytes_write.sum",
                                     "lts__t_bytes.sum",
                                     "lts__t_sectors_srcunit_tex_op_read.sum",
                                     "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",
                                     "lts__t_sectors_srcunit_tex_op_write.sum",
                                     "l1tex__t_bytes.sum",
                                     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                     "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
                                     "smsp__sass_inst_executed_op_shared_atom.sum",
                                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                                     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"};
const size_t counter_name_count = sizeof counter_names / sizeof *counter_names;
_Static_assert(sizeof counter_names / sizeof *counter_names <= COUNTER_NAMES_MAX, "room in tables of columns");
const char counter_opcodes[] = "sass__inst_executed_per_opcode";

/* Older files have the counters up to here. */
enum { COUNTERS_NEEDED = 16 };

struct columns {
    size_t at[sizeof counter_names / sizeof *counter_names]; /* the column of each counter, SIZE_MAX: absent */
    size_t opcodes;
};

/* Finds the columns of the file, in any order. */
static bool find_columns(const json_t *from, struct columns *columns)
{
    size_t index, found = 0;
    json_t *value;
    columns->opcodes = SIZE_MAX;
    for (size_t i = 0; i < counter_name_count; i++)
        columns->at[i] = SIZE_MAX;
    json_array_foreach((json_t *)from, index, value)
    {
        const char *name = json_string_value(value) ? json_string_value(value) : "";
        if (strcmp(name, counter_opcodes) == 0)
            columns->opcodes = index;
        for (size_t i = 0; i < counter_name_count; i++)
            if (columns->at[i] == SIZE_MAX && strcmp(name, counter_names[i]) == 0) {
                columns->at[i] = index;
                found += i < COUNTERS_NEEDED;
            }
    }
    return found == COUNTERS_NEEDED;
}

/* Reads {"BRA": 96, "LDG": 32}. */
static bool read_opcodes(struct arena *arena, json_t *from, struct counter_row *row)
{
    struct counter *into = arena_array(arena, struct counter, json_object_size(from));
    const char *name;
    json_t *value;
    row->opcodes = into;
    json_object_foreach(from, name, value)
    {
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return false;
        into[row->opcode_count++] = (struct counter){arena_text(arena, name), (uint64_t)json_integer_value(value)};
    }
    return true;
}

/* Reads a row. group: the common beginning of the keys. */
static bool read_row(struct arena *arena, const char *group, const json_t *from, const struct columns *columns,
                     struct counter_row *row)
{
    const char *arguments = json_string_value(json_array_get(from, 0));
    uint64_t *values = arena_array(arena, uint64_t, counter_name_count);
    for (size_t i = 0; i < counter_name_count; i++) {
        const json_t *value = json_array_get(from, columns->at[i]);
        values[i] = COUNTER_ABSENT;
        if (i >= COUNTERS_NEEDED && (columns->at[i] == SIZE_MAX || json_is_null(value)))
            continue;
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return false;
        values[i] = (uint64_t)json_integer_value(value);
    }
    if (!arguments)
        return false;
    *row = (struct counter_row){.launch = *arguments ? arena_format(arena, "%s %s", group, arguments) : group,
                                .values = values};
    json_t *opcodes = json_array_get(from, columns->opcodes);
    return !opcodes || json_is_null(opcodes) || (json_is_object(opcodes) && read_opcodes(arena, opcodes, row));
}

static bool read_rows(struct arena *arena, const char *path, const json_t *columns, json_t *launches,
                      struct counter_table *table, struct error *error)
{
    struct columns at;
    size_t count = 0;
    const char *name;
    json_t *rows;
    if (!json_is_object(launches) || !find_columns(columns, &at))
        return error_at(error, ERROR_INPUT, path, 0, 0, "\"columns\" must name arguments and every counter");
    json_object_foreach(launches, name, rows) count += json_array_size(rows);
    struct counter_row *into = arena_array(arena, struct counter_row, count);
    table->rows = into;
    json_object_foreach(launches, name, rows)
    {
        const char *group = arena_text(arena, name);
        for (size_t i = 0; i < json_array_size(rows); i++)
            if (!read_row(arena, group, json_array_get(rows, i), &at, &into[table->row_count++]))
                return error_at(error, ERROR_INPUT, path, 0, 0, "row %zu of \"%.200s\" is not arguments and counters",
                                i + 1, name);
    }
    return true;
}

static void read_sources(struct arena *arena, json_t *sources, struct counter_table *table)
{
    struct counter_source *into = arena_array(arena, struct counter_source, json_object_size(sources));
    const char *name;
    json_t *digest;
    table->sources = into;
    json_object_foreach(sources, name, digest)
    {
        const char *text = json_string_value(digest) ? json_string_value(digest) : "";
        into[table->source_count++] = (struct counter_source){arena_text(arena, name), arena_text(arena, text)};
    }
}

bool counters_read(struct arena *arena, const char *path, struct counter_table *table, struct error *error)
{
    json_error_t problem;
    const char *device, *driver, *date, *profiler;
    json_t *sources, *columns, *launches;
    *table = (struct counter_table){0};
    json_t *root = json_load_file(path, 0, &problem);
    if (!root)
        return error_at(error, ERROR_INPUT, path, problem.line, problem.column, "%s", problem.text);
    bool good = json_unpack_ex(root, &problem, 0, "{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "device", &device, "driver",
                               &driver, "date", &date, "profiler", &profiler, "sources", &sources, "columns", &columns,
                               "launches", &launches) == 0 ||
                error_at(error, ERROR_INPUT, path, 0, 0, "%s", problem.text);
    if (good) {
        table->device = arena_text(arena, device);
        table->driver = arena_text(arena, driver);
        table->date = arena_text(arena, date);
        table->profiler = arena_text(arena, profiler);
        table->cold = json_is_true(json_object_get(root, "cold"));
        read_sources(arena, sources, table);
        good = read_rows(arena, path, columns, launches, table, error);
    }
    json_decref(root);
    return good;
}

/* Returns the place in a key where the arguments begin, "i32:4", or the end of a key without arguments. */
static const char *arguments_of(const char *key)
{
    for (const char *at = strchr(key, ' '); at; at = strchr(at + 1, ' ')) {
        size_t const name = strspn(at + 1, "fius"), bits = strspn(at + 1 + name, "0123456789");
        if (name == 1 && bits && at[1 + name + bits] == ':')
            return at + 1;
    }
    return key + strlen(key);
}

static size_t group_length(const char *key)
{
    const char *arguments = arguments_of(key);
    return (size_t)(arguments - key) - (*arguments != '\0');
}

static bool same_group(const char *a, const char *b)
{
    return group_length(a) == group_length(b) && strncmp(a, b, group_length(a)) == 0;
}

static void write_row(FILE *file, const struct counter_row *row, struct arena *arena)
{
    fprintf(file, "\n[%s", recorded_string(arena, arguments_of(row->launch)));
    for (size_t k = 0; k < counter_name_count; k++)
        if (row->values[k] == COUNTER_ABSENT)
            fputs(",null", file);
        else
            fprintf(file, ",%llu", (unsigned long long)row->values[k]);
    for (size_t k = 0; k < row->opcode_count; k++)
        fprintf(file, "%s%s:%llu", k ? "," : ",{", recorded_string(arena, row->opcodes[k].name),
                (unsigned long long)row->opcodes[k].value);
    fputs(row->opcode_count ? "}]" : ",null]", file);
}

/* Writes the rows by groups, each at the place of its first row. */
static void write_rows(FILE *file, const struct counter_table *table, struct arena *arena)
{
    bool *written = arena_array(arena, bool, table->row_count);
    for (size_t i = 0; i < table->row_count; i++) {
        const char *key = table->rows[i].launch;
        if (written[i])
            continue;
        fprintf(file, "%s\n%s: [", i ? "," : "", recorded_string(arena, arena_text_n(arena, key, group_length(key))));
        for (size_t k = i; k < table->row_count; k++) {
            if (written[k] || !same_group(key, table->rows[k].launch))
                continue;
            if (k > i)
                fputc(',', file);
            write_row(file, &table->rows[k], arena);
            written[k] = true;
        }
        fputc(']', file);
    }
}

static void write_table(FILE *file, const struct counter_table *table, struct arena *arena)
{
    fprintf(
        file, "{\n\"device\": %s,\n\"driver\": %s,\n\"date\": %s,\n\"profiler\": %s,\n\"cold\": %s,\n\"sources\": {",
        recorded_string(arena, table->device), recorded_string(arena, table->driver),
        recorded_string(arena, table->date), recorded_string(arena, table->profiler), table->cold ? "true" : "false");
    for (size_t i = 0; i < table->source_count; i++)
        fprintf(file, "%s%s: %s", i ? ", " : "", recorded_string(arena, table->sources[i].name),
                recorded_string(arena, table->sources[i].digest));
    fputs("},\n\"columns\": [\"arguments\"", file);
    for (size_t i = 0; i < counter_name_count; i++)
        fprintf(file, ",\n  %s", recorded_string(arena, counter_names[i]));
    fprintf(file, ",\n  %s", recorded_string(arena, counter_opcodes));
    fputs("],\n\"launches\": {", file);
    write_rows(file, table, arena);
    fputs("\n}\n}\n", file);
}

bool counters_write(const char *path, const struct counter_table *table, struct error *error)
{
    struct arena arena = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return error_set(error, ERROR_MISSING, "no memory for the counters of %zu launches", table->row_count);
    write_table(file, table, &arena);
    bool const whole = fclose(file) == 0;
    bool const written =
        whole ? file_write(path, text, size, error)
              : error_set(error, ERROR_MISSING, "no memory for the counters of %zu launches", table->row_count);
    free(text);
    arena_free(&arena);
    return written;
}

static bool same_source(const struct counter_table *table, const char *name, const char *text)
{
    for (size_t i = 0; i < table->source_count; i++)
        if (strcmp(table->sources[i].name, name) == 0)
            return strcmp(table->sources[i].digest, digest_of(text, strlen(text)).text) == 0;
    return false;
}

struct sass_counts counters_find(const struct counter_table *table, const char *source_name, const char *source,
                                 const char *key, struct arena *arena)
{
    struct sass_counts sass = {0};
    const struct counter_row *row = NULL;
    for (size_t i = 0; i < table->row_count && !row; i++)
        if (strcmp(table->rows[i].launch, key) == 0)
            row = &table->rows[i];
    if (!row || !same_source(table, source_name, source))
        return sass;
    struct counter *counters = arena_array(arena, struct counter, counter_name_count);
    for (size_t i = 0; i < counter_name_count; i++)
        if (row->values[i] != COUNTER_ABSENT)
            counters[sass.counter_count++] = (struct counter){counter_names[i], row->values[i]};
    sass.counted = true;
    sass.cold = table->cold;
    snprintf(sass.device, sizeof sass.device, "%s", table->device);
    snprintf(sass.driver, sizeof sass.driver, "%s", table->driver);
    snprintf(sass.date, sizeof sass.date, "%.10s", table->date);
    snprintf(sass.profiler, sizeof sass.profiler, "%s", table->profiler);
    sass.counters = counters;
    sass.opcodes = row->opcodes;
    sass.opcode_count = row->opcode_count;
    return sass;
}

/* Returns whether two keys name the same machine code: the kernel and its defines ("NAME=VALUE") are the same. */
static bool same_code(const char *a, const char *b)
{
    size_t const name = strcspn(a, " ");
    if (strncmp(a, b, name) != 0 || (b[name] != ' ' && b[name] != '\0'))
        return false;
    for (;;) {
        const char *const words[] = {strchr(a, '='), strchr(b, '=')};
        if (!words[0] || !words[1])
            return !words[0] && !words[1];
        const char *begin[2] = {words[0], words[1]};
        while (begin[0] > a && begin[0][-1] != ' ')
            begin[0]--;
        while (begin[1] > b && begin[1][-1] != ' ')
            begin[1]--;
        size_t const length = strcspn(begin[0], " ");
        if (length != strcspn(begin[1], " ") || strncmp(begin[0], begin[1], length) != 0)
            return false;
        a = begin[0] + length;
        b = begin[1] + length;
    }
}

uint32_t counters_registers(const struct counter_table *table, const char *source_name, const char *source,
                            const char *key)
{
    size_t column = 0;
    while (strcmp(counter_names[column], counter_registers) != 0)
        column++;
    for (size_t i = 0; i < table->row_count; i++)
        if (table->rows[i].values[column] <= UINT32_MAX && same_code(key, table->rows[i].launch) &&
            same_source(table, source_name, source))
            return (uint32_t)table->rows[i].values[column];
    return 0;
}

void counters_read_shipped(struct arena *arena, const char *name, struct counter_table *table)
{
    char **folders;
    size_t const count = folder_list(arena, data_path(arena, "assets/recordings"), &folders);
    *table = (struct counter_table){0};
    for (size_t i = 0; i < count; i++) {
        const char *path = data_path(arena, "assets/recordings/%s/%s.counters.json", folders[i], name);
        if (!file_exists(path))
            continue;
        if (!counters_read(arena, path, table, NULL))
            *table = (struct counter_table){0};
        return;
    }
}

/* Returns the counts of a file's launch, from the first GPU folder of assets/recordings that has SOURCE.counters.json.
 */
static struct sass_counts counters_of_file(const char *source_name, const char *source, const char *key,
                                           struct arena *arena)
{
    struct counter_table table;
    counters_read_shipped(arena, source_name, &table);
    return counters_find(&table, source_name, source, key, arena);
}

void counters_add(struct run *run, const struct run_file_request *request)
{
    bool const whole = run->executor == EXECUTOR_EMULATOR || !run->trace->lost;
    if (request->options.run_recorded_only || run->cancelled || !whole)
        return; /* the counts are of a part of the grid */
    const char *key = launch_key_of_file(&run->launch, request, &run->arena);
    run->sass = counters_of_file(run->source_name, run->source, key, &run->arena);
    run->sass_line_count = sass_lines(&run->counts, run->trace->sites, &run->sass, &run->arena, &run->sass_lines);
}
