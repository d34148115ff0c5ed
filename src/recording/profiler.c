/* ncu prints one row per launch; its columns are the requested metrics. */
#include "recording/profiler.h"
#include "base/file.h"
#include "compile/process.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool profiler_find(struct profiler *profiler, struct error *error)
{
    static const char *const usual[] = {"/usr/local/cuda/bin/ncu", "/opt/cuda/bin/ncu"};
    struct arena arena = {0};
    struct workplace place;
    char *text = NULL;
    bool found = process_find("ncu", profiler->path, sizeof profiler->path);
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !found; i++) {
        snprintf(profiler->path, sizeof profiler->path, "%s", usual[i]);
        found = access(usual[i], X_OK) == 0;
    }
    if (!found) {
        error_set(error, ERROR_MISSING, "counting needs Nsight Compute: no program ncu in PATH");
        return error_remedy(error, "install it with the CUDA Toolkit; times and traces are recorded without it");
    }
    profiler->name[0] = '\0';
    if (workplace_open(&place)) {
        const char *output = arena_format(&arena, "%s/version", place.folder);
        if (process_run((const char *const[]){profiler->path, "--version", NULL}, place.folder, output, 60, NULL) ==
                0 &&
            file_read(&arena, output, &text, NULL, NULL)) {
            const char *number = strstr(text, "Version ");
            number = number ? number + strlen("Version ") : "";
            snprintf(profiler->name, sizeof profiler->name, "Nsight Compute %.*s", (int)strspn(number, "0123456789."),
                     number);
        }
        workplace_close(&place);
    }
    arena_free(&arena);
    return profiler->name[0] || error_set(error, ERROR_MISSING, "%s does not run", profiler->path);
}

/* Returns the next quoted field of a CSV line, cut out in place, or NULL at the line's end. Other lines, such as ncu's
 * remarks, have no fields. */
static char *next_field(char **at)
{
    char *field = *at, *to = field;
    if (*field == ',')
        to = ++field;
    if (*field != '"')
        return NULL;
    char *from = field + 1;
    for (; *from && *from != '\n' && !(*from == '"' && from[1] != '"'); from++) {
        from += *from == '"';
        *to++ = *from;
    }
    *at = from + (*from == '"');
    *to = '\0';
    return field;
}

static char *next_line(char **text)
{
    char *line = *text;
    if (!*line)
        return NULL;
    char *end = line + strcspn(line, "\n");
    *text = end + (*end == '\n');
    *end = '\0';
    return line;
}

enum { COLUMNS_MAX = 512, COUNTING_SECONDS = 600 };

static size_t fields_of(char *line, char *fields[COLUMNS_MAX])
{
    size_t count = 0;
    for (char *field; count < COLUMNS_MAX && (field = next_field(&line)); count++)
        fields[count] = field;
    return count;
}

static size_t field_named(char *const fields[], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i], name) == 0)
            return i;
    return SIZE_MAX;
}

/* "16,384", or the same before a list of its parts: "16,384 (0x10: 8,192; 0x20: 8,192)" */
static bool read_number(const char *text, uint64_t *value)
{
    *value = 0;
    for (; *text && strncmp(text, " (", 2) != 0; text++) {
        if (*text == ',')
            continue;
        if (*text < '0' || *text > '9')
            return false;
        *value = *value * 10 + (uint64_t)(*text - '0');
    }
    return true;
}

struct raw_columns {
    size_t kernel, counters[COUNTER_NAMES_MAX], opcodes, all;
};

static bool find_columns(char *const fields[], size_t count, struct raw_columns *columns, struct error *error)
{
    columns->all = count;
    columns->kernel = field_named(fields, count, "Kernel Name");
    if (columns->kernel == SIZE_MAX)
        return error_set(error, ERROR_MISSING, "the profiler's raw page names no kernels");
    for (size_t i = 0; i < counter_name_count; i++)
        if ((columns->counters[i] = field_named(fields, count, counter_names[i])) == SIZE_MAX)
            return error_set(error, ERROR_MISSING, "the profiler did not count %s", counter_names[i]);
    columns->opcodes = field_named(fields, count, counter_opcodes);
    return columns->opcodes != SIZE_MAX ||
           error_set(error, ERROR_MISSING, "the profiler did not count %s", counter_opcodes);
}

/* Reads the values behind the sum, "128 (BRA: 32; LDG: 96)". The field is cut up in place. Returns false for a field of
 * another form, and where the values do not add up to the sum. */
static bool read_opcodes(char *field, struct arena *arena, struct counter_row *row)
{
    uint64_t sum, found = 0;
    size_t most = 1;
    char *list = strstr(field, " (");
    if (!list)
        return false;
    if (!read_number(field, &sum))
        return false;
    list += 2;
    for (const char *c = list; *c; c++)
        most += *c == ';';
    struct counter *into = arena_array(arena, struct counter, most);
    while (list && *list) {
        char *name = list + strspn(list, " "), *colon = strchr(name, ':');
        if (!colon)
            return false;
        char *end = colon + strcspn(colon, ";)");
        list = *end ? end + 1 : NULL;
        *colon = *end = '\0';
        struct counter *opcode = &into[row->opcode_count++];
        opcode->name = arena_text(arena, name);
        if (!read_number(colon + 1 + strspn(colon + 1, " "), &opcode->value))
            return false;
        found += opcode->value;
    }
    row->opcodes = into;
    return found == sum;
}

static bool read_launch(char *const fields[], const struct raw_columns *columns, struct arena *arena,
                        struct counter_row *row, struct error *error)
{
    uint64_t *values = arena_array(arena, uint64_t, counter_name_count);
    for (size_t i = 0; i < counter_name_count; i++)
        if (!read_number(fields[columns->counters[i]], &values[i]))
            return error_set(error, ERROR_MISSING, "the profiler counted \"%s\" as %s", fields[columns->counters[i]],
                             counter_names[i]);
    *row = (struct counter_row){.launch = arena_text(arena, fields[columns->kernel]), .values = values};
    char *opcodes = fields[columns->opcodes];
    const char *shown = arena_text(arena, opcodes);
    return read_opcodes(opcodes, arena, row) ||
           error_set(error, ERROR_MISSING, "the profiler counted \"%.200s\" as %s", shown, counter_opcodes);
}

bool profiler_read(char *text, struct arena *arena, struct counter_row **rows, size_t *count, struct error *error)
{
    char *fields[COLUMNS_MAX];
    struct raw_columns columns = {.all = 0};
    size_t lines = 0, seen = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    *rows = arena_array(arena, struct counter_row, lines + 1);
    *count = 0;
    for (char *line; (line = next_line(&text));) {
        size_t const found = fields_of(line, fields);
        if (found == 0)
            continue;
        if (seen++ == 0 && !find_columns(fields, found, &columns, error))
            return false;
        if (seen <= 2) /* a row of names, then a row of units */
            continue;
        if (found != columns.all)
            return error_set(error, ERROR_MISSING, "launch %zu of the profiler's raw page is cut off", *count);
        if (!read_launch(fields, &columns, arena, &(*rows)[(*count)++], error))
            return false;
    }
    return true;
}

static const char *metrics(struct arena *arena)
{
    const char *all = "";
    for (size_t i = 0; i < counter_name_count; i++)
        all = arena_format(arena, "%s%s,", all, counter_names[i]);
    return arena_format(arena, "%s%s", all, counter_opcodes);
}

/* Returns the last line that ncu or the command printed before it failed. */
static bool failed(struct arena *arena, const char *log, const char *what, struct error *error)
{
    char *text = NULL;
    const char *last = "";
    if (file_read(arena, log, &text, NULL, NULL))
        for (char *line; (line = next_line(&text));)
            last = *line ? line : last;
    return error_set(error, ERROR_MISSING, "%s: %.300s", what, last);
}

bool profiler_count(const struct profiler *profiler, const char *const *command, bool cold, struct arena *arena,
                    struct counter_row **rows, size_t *count, struct error *error)
{
    struct workplace place;
    struct arena pages = {0};
    char *text;
    if (!workplace_open(&place))
        return error_set(error, ERROR_MISSING, "no temporary folder can be made for the profiler's output");
    const char *output = arena_format(&pages, "%s/counts.csv", place.folder);
    const char *const own[] = {profiler->path,
                               "--csv",
                               "--page",
                               "raw",
                               "--print-units",
                               "base",
                               "--target-processes",
                               "all",
                               "--clock-control",
                               "none",
                               "--cache-control",
                               cold ? "all" : "none",
                               "--metrics",
                               metrics(&pages),
                               "--print-metric-instances",
                               "details"};
    size_t const own_count = sizeof own / sizeof *own;
    size_t words = 0;
    while (command[words])
        words++;
    const char **arguments = arena_array(&pages, const char *, own_count + words + 1);
    memcpy(arguments, own, sizeof own);
    memcpy(arguments + own_count, command, words * sizeof *command);
    bool const counted = (process_run(arguments, ".", output, COUNTING_SECONDS, NULL) == 0 ||
                          failed(&pages, output, "counting failed", error)) &&
                         file_read(&pages, output, &text, NULL, error) &&
                         profiler_read(text, arena, rows, count, error);
    workplace_close(&place);
    arena_free(&pages);
    return counted;
}
