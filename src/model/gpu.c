/* Reads assets/gpus/NAME.yaml by a schema, and converts its facts to the figures of the model clock. The times in the
 * file are for readers; the schema only checks their form. */
#include "model/gpu.h"
#include "base/file.h"
#include "base/schema.h"
#include "model/cache_sets.h"
#include "trace/trace.h"
#include <cyaml/cyaml.h>
#include <math.h>
#include <string.h>

struct raw_fact {
    char *name, *unit, *source, *method;
    double *value, *low, *high;
};
struct raw_time {
    char *what, *source;
    double microseconds;
};
struct raw_gpu {
    char *name, *compute_capability, *date, *driver, *multiprocessors_source, *clock_mhz_source,
        *memory_clock_mhz_source, *memory_bus_bits_source, *l2_bytes_source;
    int measured;
    uint64_t multiprocessors, clock_mhz, memory_clock_mhz, memory_bus_bits, l2_bytes, memory_bytes;
    struct raw_fact *facts;
    unsigned facts_count;
    struct raw_time *times;
    unsigned times_count;
};

#define TEXT(structure, member, flags)                                                                                 \
    CYAML_FIELD_STRING_PTR(#member, (flags) | CYAML_FLAG_POINTER, structure, member, 1, CYAML_UNLIMITED)
#define NUMBER(structure, member)                                                                                      \
    CYAML_FIELD_FLOAT_PTR(#member, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member)
#define WHOLE(member) CYAML_FIELD_UINT(#member, CYAML_FLAG_OPTIONAL, struct raw_gpu, member)
enum { NEEDED = CYAML_FLAG_DEFAULT, MAY = CYAML_FLAG_OPTIONAL };
enum { TOP_FACTS = 6 };

static const cyaml_schema_field_t fact_fields[] = {
    TEXT(struct raw_fact, name, NEEDED), TEXT(struct raw_fact, unit, NEEDED),
    NUMBER(struct raw_fact, value),      NUMBER(struct raw_fact, low),
    NUMBER(struct raw_fact, high),       TEXT(struct raw_fact, source, MAY),
    TEXT(struct raw_fact, method, MAY),  CYAML_FIELD_END};
static const cyaml_schema_value_t fact_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_fact, fact_fields)};

static const cyaml_schema_field_t time_fields[] = {
    TEXT(struct raw_time, what, NEEDED), TEXT(struct raw_time, source, NEEDED),
    CYAML_FIELD_FLOAT("microseconds", NEEDED, struct raw_time, microseconds), CYAML_FIELD_END};
static const cyaml_schema_value_t time_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_time, time_fields)};

static const cyaml_strval_t sources[] = {{"literature", 0}, {"measured", 1}};
static const cyaml_schema_field_t gpu_fields[] = {
    TEXT(struct raw_gpu, name, NEEDED),
    CYAML_FIELD_ENUM("source", CYAML_FLAG_STRICT, struct raw_gpu, measured, sources, CYAML_ARRAY_LEN(sources)),
    TEXT(struct raw_gpu, compute_capability, MAY),
    TEXT(struct raw_gpu, date, MAY),
    TEXT(struct raw_gpu, driver, MAY),
    WHOLE(multiprocessors),
    TEXT(struct raw_gpu, multiprocessors_source, MAY),
    WHOLE(clock_mhz),
    TEXT(struct raw_gpu, clock_mhz_source, MAY),
    WHOLE(memory_clock_mhz),
    TEXT(struct raw_gpu, memory_clock_mhz_source, MAY),
    WHOLE(memory_bus_bits),
    TEXT(struct raw_gpu, memory_bus_bits_source, MAY),
    WHOLE(l2_bytes),
    TEXT(struct raw_gpu, l2_bytes_source, MAY),
    WHOLE(memory_bytes),
    CYAML_FIELD_SEQUENCE("facts", CYAML_FLAG_POINTER, struct raw_gpu, facts, &fact_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("times", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct raw_gpu, times, &time_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t gpu_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_gpu, gpu_fields)};

static bool ends_in_yaml(const char *name)
{
    size_t const length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".yaml") == 0;
}

static bool unknown_gpu(struct arena *arena, const char *name, struct error *error)
{
    char **files;
    size_t const count = folder_list(arena, data_path(arena, "assets/gpus"), &files);
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        if (ends_in_yaml(files[i]))
            all = arena_format(arena, "%s%s%.*s", all, *all ? ", " : "", (int)strlen(files[i]) - 5, files[i]);
    error_set(error, ERROR_INPUT, "there is no GPU '%s'", name);
    return error_remedy(error, "choose one of %s, or give a path that ends in .yaml", all);
}

/* Reads one fact: `value`, or `low` with or without `high`. Returns NULL, or a text that says what is wrong. */
static const char *take_fact(const struct raw_fact *raw, bool measured, struct gpu_fact *fact)
{
    const char *from = measured ? raw->method : raw->source;
    if (!from)
        return measured ? "needs `method`: how it was measured" : "needs `source`: the document it is from";
    if ((raw->value != NULL) == (raw->low != NULL) || (raw->high && !raw->low))
        return "needs `value`, or `low` with or without `high`";
    double const value = raw->value ? *raw->value : raw->high ? (*raw->low + *raw->high) / 2 : *raw->low;
    if (!isfinite(value) || value <= 0 || (raw->high && *raw->high < *raw->low))
        return "needs a figure above 0, and `high` above `low`";
    *fact = (struct gpu_fact){raw->name, raw->unit, from, value};
    return NULL;
}

/* Adds the numbers at the top of the file that a fact of the list does not give, behind `count` facts. Returns their
 * number. */
static size_t take_top(const struct raw_gpu *raw, struct gpu_fact *facts, size_t count)
{
    const char *unsaid = raw->measured ? "as the driver reports it" : "the file does not say from where";
    const struct gpu_fact top[TOP_FACTS] = {
        {"multiprocessors", "", raw->multiprocessors_source, (double)raw->multiprocessors},
        {"clock_mhz", "MHz", raw->clock_mhz_source, (double)raw->clock_mhz},
        {"memory_clock_mhz", "MHz", raw->memory_clock_mhz_source, (double)raw->memory_clock_mhz},
        {"memory_bus_bits", "bits", raw->memory_bus_bits_source, (double)raw->memory_bus_bits},
        {"l2_bytes", "bytes", raw->l2_bytes_source, (double)raw->l2_bytes},
        {"memory_bytes", "bytes", NULL, (double)raw->memory_bytes}};
    size_t taken = 0;
    for (size_t i = 0; i < TOP_FACTS; i++) {
        bool known = top[i].value <= 0;
        for (size_t k = 0; k < count && !known; k++)
            known = strcmp(facts[k].name, top[i].name) == 0;
        if (known)
            continue;
        facts[count + taken] = top[i];
        facts[count + taken++].from = top[i].from ? top[i].from : unsaid;
    }
    return taken;
}

bool gpu_read(struct arena *arena, const char *name, struct gpu *gpu, struct error *error)
{
    *gpu = (struct gpu){.path = name};
    if (!ends_in_yaml(name)) {
        gpu->path = data_path(arena, "assets/gpus/%s.yaml", name);
        if (!*name || strchr(name, '/') || !file_exists(gpu->path))
            return unknown_gpu(arena, name, error);
    }
    char *text;
    size_t size;
    void *loaded;
    if (!file_read(arena, gpu->path, &text, &size, error) ||
        !schema_load(arena, gpu->path, text, size, &gpu_schema, &loaded, error))
        return false;
    const struct raw_gpu *raw = loaded;
    struct gpu_fact *facts = arena_array(arena, struct gpu_fact, (size_t)raw->facts_count + TOP_FACTS);
    for (unsigned i = 0; i < raw->facts_count; i++) {
        const char *wrong = take_fact(&raw->facts[i], raw->measured, &facts[i]);
        const char *field = arena_format(arena, "facts.%u", i);
        for (unsigned k = 0; k < i && !wrong; k++)
            wrong = strcmp(facts[k].name, facts[i].name) == 0 ? "is there twice" : NULL;
        if (wrong)
            return error_at(error, ERROR_INPUT, gpu->path, schema_line(text, size, field), 0, "fact '%s': %s",
                            raw->facts[i].name, wrong);
    }
    *gpu = (struct gpu){.path = gpu->path,
                        .name = raw->name,
                        .compute_capability = raw->compute_capability,
                        .measured = raw->measured,
                        .date = raw->date ? raw->date : "",
                        .facts = facts,
                        .fact_count = raw->facts_count};
    gpu->fact_count += take_top(raw, facts, gpu->fact_count);
    return true;
}

const char *gpu_short_name(struct arena *arena, const char *device)
{
    const char *name = strncmp(device, "NVIDIA ", 7) == 0 ? device + 7 : device;
    size_t length = strlen(name);
    for (const char *space = strchr(name, ' '); space && length == strlen(name); space = strchr(space + 1, ' ')) {
        size_t const digits = strspn(space + 1, "0123456789");
        if (digits && strncmp(space + 1 + digits, "GB", 2) == 0)
            length = (size_t)(space - name);
    }
    return arena_text_n(arena, name, length);
}

const struct gpu_fact *gpu_find(const struct gpu *gpu, const char *name)
{
    for (size_t i = 0; i < gpu->fact_count; i++)
        if (strcmp(gpu->facts[i].name, name) == 0)
            return &gpu->facts[i];
    return NULL;
}

static bool take_cycles(const struct gpu *gpu, const char *name, double *cycles, struct error *error)
{
    const struct gpu_fact *fact = gpu_find(gpu, name);
    if (!fact)
        return error_at(error, ERROR_INPUT, gpu->path, 0, 0, "%s lacks the fact '%s', which the model clock needs",
                        gpu->name, name);
    if (strcmp(fact->unit, "cycles") != 0 || fact->value < 1 || fact->value > 1e6)
        return error_at(error, ERROR_INPUT, gpu->path, 0, 0,
                        "the model clock needs the fact '%s' in cycles, from 1 to 1000000, not %g %s", name,
                        fact->value, fact->unit);
    *cycles = fact->value;
    return true;
}

bool gpu_figures(const struct gpu *gpu, struct clock_figures *figures, struct error *error)
{
    static const char *const names[] = {"instruction_latency", "shared_latency",   "l1_latency",   "l2_latency",
                                        "dram_latency",        "constant_latency", "constant_step"};
    enum { NEEDED_FACTS = 5, FACTS = sizeof names / sizeof *names };
    double cycles[FACTS] = {0};
    bool const constants = gpu_find(gpu, "constant_latency") && gpu_find(gpu, "constant_step");
    for (size_t i = 0; i < (constants ? FACTS : NEEDED_FACTS); i++)
        if (!take_cycles(gpu, names[i], &cycles[i], error))
            return false;
    *figures = (struct clock_figures){.gpu = gpu->name,
                                      .measured = gpu->measured,
                                      .instruction = (uint32_t)lround(cycles[0]),
                                      .shared = (uint32_t)lround(cycles[1]),
                                      .l1 = (uint32_t)lround(cycles[2]),
                                      .l2 = (uint32_t)lround(cycles[3]),
                                      .dram = (uint32_t)lround(cycles[4]),
                                      .constant = cycles[5],
                                      .constant_step = cycles[6]};
    return true;
}

bool gpu_clock(struct arena *arena, const char *name, struct clock_figures *figures, struct error *error)
{
    struct gpu gpu;
    return gpu_read(arena, name ? name : GPU_DEFAULT, &gpu, error) && gpu_figures(&gpu, figures, error);
}

bool gpu_limits(struct arena *arena, const struct gpu *gpu, const struct occupancy_limits **limits, struct error *error)
{
    const struct occupancy_limits *all;
    size_t count;
    *limits = NULL;
    if (!occupancy_read(arena, &all, &count, error))
        return false;
    if (gpu->compute_capability)
        *limits = occupancy_find(all, count, gpu->compute_capability);
    return true;
}

enum gpu_caches_lack gpu_caches(struct arena *arena, const char *name, struct gpu_caches *caches)
{
    struct gpu gpu;
    struct error error;
    *caches = (struct gpu_caches){.path = NULL};
    if (!gpu_read(arena, name ? name : GPU_DEFAULT, &gpu, &error) || !gpu_limits(arena, &gpu, &caches->limits, &error))
        return GPU_CACHES_NO_FILE;
    caches->path = arena_text(arena, gpu.path);
    caches->gpu = gpu.name;
    caches->multiprocessors = gpu_find(&gpu, "multiprocessors");
    caches->l2 = gpu_find(&gpu, "l2_bytes");
    caches->measured = gpu.compute_capability && strcmp(gpu.compute_capability, CACHES_MEASURED_ON) == 0;
    return !gpu.compute_capability     ? GPU_CACHES_NO_CAPABILITY
           : !caches->limits           ? GPU_CACHES_NO_LIMITS
           : !caches->limits->l1_bytes ? GPU_CACHES_NO_L1
           : !caches->l2               ? GPU_CACHES_NO_L2
           : !caches->multiprocessors  ? GPU_CACHES_NO_MULTIPROCESSORS
                                       : GPU_CACHES_COMPLETE;
}

bool gpu_fit(struct arena *arena, const char *name, const struct trace *trace, struct occupancy_case *fit)
{
    struct gpu gpu;
    struct error error;
    *fit = (struct occupancy_case){
        .needs = {.threads = trace->block[0] * trace->block[1] * trace->block[2], .shared = trace->shared_bytes}};
    if (!gpu_read(arena, name ? name : GPU_DEFAULT, &gpu, &error) || !gpu_limits(arena, &gpu, &fit->limits, &error) ||
        !fit->limits)
        return false;
    for (uint32_t i = 0; i < trace->site_count; i++)
        if (trace->sites[i].operation == TRACE_BARRIER)
            fit->needs.barriers = 1;
    fit->got = occupancy_of(fit->limits, &fit->needs);
    return true;
}
