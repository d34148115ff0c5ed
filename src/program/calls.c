/* Reads the record that the runtime wrote, line by line; a crash may have cut the last line. */
#include "base/file.h"
#include "program/program.h"
#include "source/variables.h"
#include <string.h>

static uint64_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (uint64_t)json_integer_value(value) : 0;
}

static double real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : 0;
}

/* Returns a text of the object, which lives as long as the object. */
static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value;
}

static void shape(const json_t *object, const char *key, uint32_t shape[3])
{
    const json_t *list = json_object_get(object, key);
    for (size_t i = 0; i < 3; i++)
        shape[i] = (uint32_t)json_integer_value(json_array_get(list, i));
}

static void add_launch(struct program_run *run, struct program_call *call, const json_t *line)
{
    call->launch = run->launch_count;
    struct program_launch *launch = &run->launches[run->launch_count++];
    *launch = (struct program_launch){.number = number(line, "launch"),
                                      .launcher = number(line, "launcher"),
                                      .same_as = number(line, "same_as"),
                                      .call = (uint32_t)(call - run->calls),
                                      .kernel = text(line, "kernel") ? text(line, "kernel") : "?",
                                      .symbol = text(line, "symbol") ? text(line, "symbol") : "",
                                      .shared_bytes = (uint32_t)number(line, "shared_bytes"),
                                      .ran = json_object_get(line, "counters") || number(line, "ran"),
                                      .problem = text(line, "problem"),
                                      .uncounted = text(line, "uncounted"),
                                      .faults = (uint32_t)(number(line, "faults") + number(line, "faulted")),
                                      .hazards = (uint32_t)number(line, "hazards"),
                                      .model_us = real(line, "model_us"),
                                      .recorded = number(line, "recorded") != 0,
                                      .record = line};
    shape(line, "grid", launch->grid);
    shape(line, "block", launch->block);
    if (text(line, "trace"))
        launch->trace_path = arena_format(&run->arena, "%s/%s", run->folder, text(line, "trace"));
}

/* Gives the time of a line of its own to the call that it belongs to. */
static void add_time(struct program_run *run, const json_t *line)
{
    uint64_t const wanted = number(line, "measured");
    if (!wanted || wanted > run->call_count || number(run->calls[wanted - 1].record, "n") != wanted)
        return;
    struct program_call *call = &run->calls[wanted - 1];
    call->measured_us = real(line, "us");
    if (call->launch != PTX_NO_INDEX)
        run->launches[call->launch].measured_us = call->measured_us;
}

/* Reads every line that is whole into run->lines. */
static void read_lines(struct program_run *run, char *bytes)
{
    json_error_t problem;
    for (char *line = bytes, *next; *line; line = next) {
        size_t const length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        json_t *object = json_loadb(line, length, 0, &problem);
        if (object)
            json_array_append_new(run->lines, object);
    }
}

static bool is_own(const struct program_place *place)
{
    return *place->file && strncmp(place->path, "/usr/", 5) != 0;
}

/* A signal in a library, or in a function of its headers, is told at the line of the program that called it. */
static void find_own_line(struct program_run *run, struct program_call *call, struct places *places, uint64_t base)
{
    const json_t *frame;
    size_t i;
    if (is_own(&call->at))
        return;
    json_array_foreach(json_object_get(call->record, "frames"), i, frame)
    {
        uint64_t const at = (uint64_t)json_integer_value(frame);
        struct program_place place = {.file = ""};
        if (at > base)
            place = places_find(&run->arena, places, at - base - 1);
        if (is_own(&place)) {
            call->at = place;
            return;
        }
    }
}

void program_read_calls(struct program_run *run, const char *path)
{
    char *bytes;
    run->lines = json_array();
    if (!file_read(&run->arena, arena_format(&run->arena, "%s/program.record", run->folder), &bytes, NULL, NULL))
        return;
    read_lines(run, bytes);
    size_t const count = json_array_size(run->lines);
    const json_t *head = json_array_get(run->lines, 0);
    run->has_record = number(head, "lanescope_program_record") == 1;
    uint64_t const base = number(head, "base");
    run->device = text(head, "device");
    struct places *places = places_open(path);
    run->calls = arena_array(&run->arena, struct program_call, count + 1);
    run->launches = arena_array(&run->arena, struct program_launch, count + 1);
    for (size_t i = 1; i < count; i++) {
        const json_t *line = json_array_get(run->lines, i);
        const char *name = text(line, "call");
        if (!name)
            continue;
        struct program_call *call = &run->calls[run->call_count++];
        bool const signal = strcmp(name, "signal") == 0 || strcmp(name, "host access") == 0;
        uint64_t const from = number(line, "from");
        *call = (struct program_call){.name = name,
                                      .as = text(line, "as") ? text(line, "as") : name,
                                      .at = {.file = ""},
                                      .error = (int)json_integer_value(json_object_get(line, "error")),
                                      .begin_s = real(line, "begin_s"),
                                      .end_s = real(line, "end_s"),
                                      .printed = number(line, "printed"),
                                      .launch = PTX_NO_INDEX,
                                      .record = line};
        if (from > base) /* a call returns to the instruction behind it */
            call->at = places_find(&run->arena, places, from - base - !signal);
        find_own_line(run, call, places, base);
        if (text(line, "python_file"))
            call->at = (struct program_place){.file = path_name(text(line, "python_file")),
                                              .path = text(line, "python_file"),
                                              .line = (int)number(line, "python_line")};
        if (text(line, "launcher_file")) { /* the line is the kernel's */
            bool const same = strcmp(call->at.file, text(line, "launcher_file")) == 0;
            call->at = (struct program_place){.file = text(line, "launcher_file"),
                                              .path = same ? call->at.path : NULL,
                                              .line = (int)number(line, "launcher_line")};
        }
        if (json_object_get(line, "grid"))
            add_launch(run, call, line);
        if (strcmp(name, "signal") == 0)
            run->crash = call;
        run->ended |= strcmp(name, "exit") == 0;
        run->starved |= number(line, "input_ended") != 0;
    }
    for (size_t i = 1; i < count; i++) /* a time may stand before its call */
        if (json_object_get(json_array_get(run->lines, i), "measured"))
            add_time(run, json_array_get(run->lines, i));
    places_close(places);
}

bool program_launch_trace(const struct program_launch *launch, struct trace **trace, struct error *error)
{
    *trace = NULL;
    return launch->trace_path
               ? trace_read(launch->trace_path, trace, error)
               : error_set(error, ERROR_INPUT, "launch %llu was not recorded", (unsigned long long)launch->number);
}

bool program_launch_counts(struct arena *arena, const struct program_launch *launch, const struct trace *trace,
                           struct counts *counts)
{
    enum { NUMBERS = 14 };
    const json_t *rows = json_object_get(launch->record, "site_counts"), *row;
    size_t i;
    if (!rows) {
        counts_of_trace(trace, arena, counts);
        return false;
    }
    *counts = (struct counts){.sites = arena_array(arena, struct site_counts, trace->site_count),
                              .site_count = trace->site_count,
                              .totals = trace->totals};
    json_array_foreach((json_t *)(uintptr_t)rows, i, row)
    {
        uint64_t n[NUMBERS];
        for (size_t k = 0; k < NUMBERS; k++)
            n[k] = (uint64_t)json_integer_value(json_array_get(row, k));
        if (n[0] >= trace->site_count)
            continue;
        counts->sites[n[0]] =
            (struct site_counts){n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13]};
    }
    return true;
}

const struct caches *program_launch_caches(struct arena *arena, const struct program_launch *launch,
                                           const struct trace *trace)
{
    enum { SECTORS = 14, HITS };
    const json_t *rows = json_object_get(launch->record, "site_counts"), *row;
    struct caches *caches = arena_new(arena, struct caches);
    /* Records without it are of versions that knew no other caches than the measured ones. */
    caches->measured = !json_is_false(json_object_get(json_object_get(launch->record, "caches"), "measured"));
    struct caches_site *sites = arena_array(arena, struct caches_site, trace->site_count);
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)rows, i, row)
    {
        json_int_t const site = json_integer_value(json_array_get(row, 0));
        if (json_array_size(row) <= HITS || site < 0 || (uint64_t)site >= trace->site_count)
            continue;
        sites[site] = (struct caches_site){(uint64_t)json_integer_value(json_array_get(row, SECTORS)),
                                           (uint64_t)json_integer_value(json_array_get(row, HITS))};
        caches->site_count = trace->site_count;
    }
    const json_t *counters = json_object_get(json_object_get(launch->record, "caches"), "counters");
    caches->local_loads = number(counters, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum");
    caches->local_load_hits = number(counters, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum");
    caches->sites = sites;
    return caches->site_count ? caches : NULL;
}

struct ptx_placed *program_launch_variables(struct arena *arena, const struct program_launch *launch,
                                            const struct trace *trace, const struct compile_define *defines,
                                            size_t define_count, uint32_t *count)
{
    const json_t *rows = json_object_get(launch->record, "variables"), *row;
    struct ptx_function const kernel = {.name = launch->symbol};
    const struct source_kernel found =
        source_kernel_find(source_read(arena, trace->source, defines, define_count, SOURCE_TAKEN), &kernel);
    struct ptx_placed *variables = arena_array(arena, struct ptx_placed, json_array_size(rows) + 1);
    size_t i;
    *count = (uint32_t)json_array_size(rows);
    json_array_foreach((json_t *)(uintptr_t)rows, i, row)
    {
        struct ptx_placed *variable = &variables[i];
        const char *name = text(row, "name"), *space = text(row, "space") ? text(row, "space") : "";
        *variable = (struct ptx_placed){.name = name ? name : "?",
                                        .by_compiler = number(row, "by_compiler") != 0,
                                        .pointed_to = number(row, "pointed_to") != 0,
                                        .bytes = number(row, "bytes"),
                                        .offset = number(row, "offset")};
        for (enum ptx_space s = PTX_SPACE_GLOBAL; s <= PTX_SPACE_REGISTER; s++)
            variable->space = strcmp(space, ptx_space_name(s)) == 0 ? s : variable->space;
        if (variable->space == PTX_SPACE_SHARED && !variable->by_compiler)
            variable->layout = source_shared_layout(&found, variable->name, variable->bytes);
    }
    return variables;
}
