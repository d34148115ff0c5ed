/* Turns a setting into a launch: names, expressions, buffers. */
#include "base/file.h"
#include "lesson/limits.h"
#include "run/launch_key.h"
#include "run/reference.h"
#include "trace/trace.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct names {
    struct run_fact *items;
    size_t count;
};

static void add_name(struct names *names, const char *name, double value)
{
    names->items[names->count++] = (struct run_fact){.name = name, .value = value};
}

bool lesson_shows(const struct lesson *lesson, unsigned panels)
{
    for (int i = 0; i < lesson->beat_count; i++)
        if (lesson->beats[i].stage & panels)
            return true;
    return false;
}

static const struct plan_let *timed_let(const struct lesson_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->timed.let_count; i++)
        if (strcmp(plan->timed.lets[i].name, name) == 0)
            return &plan->timed.lets[i];
    return NULL;
}

static bool evaluate_whole(const struct names *names, const char *expression, double lowest, double highest,
                           double *value, struct error *error)
{
    if (!expression_evaluate(expression, names->items, names->count, value, error))
        return false;
    if (!(*value >= lowest && *value <= highest) || *value != floor(*value))
        return error_set(error, ERROR_INPUT, "\"%s\" is %g, not a whole number from %.0f to %.0f", expression, *value,
                         lowest, highest);
    return true;
}

bool plan_names(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                struct run_fact **out, size_t *count, struct error *error)
{
    static const char *const axes[] = {"", "_y", "_z"};
    const struct lesson_plan *plan = lesson->plan;
    struct names names = {arena_array(arena, struct run_fact, (size_t)lesson->knob_count + plan->let_count + 10), 0};
    const struct lesson_variant *variant = &lesson->variants[setting->variant];
    add_name(&names, "host", variant->host);
    add_name(&names, "variant", setting->variant);
    for (int i = 0; i < lesson->knob_count; i++) {
        const struct lesson_knob *knob = &lesson->knobs[i];
        const struct plan_let *instead = timed ? timed_let(plan, knob->name) : NULL;
        double value = (double)lesson_knob_number(knob, setting->value[i]);
        if (instead && !expression_evaluate(instead->value, names.items, names.count, &value, error))
            return error_field(error, "timed.let.%d.value", (int)(instead - plan->timed.lets));
        add_name(&names, knob->name, value);
    }
    for (size_t i = 0; i < plan->let_count; i++) {
        const struct plan_let *let = &plan->lets[i], *instead = timed ? timed_let(plan, let->name) : NULL;
        double value;
        if (!expression_evaluate(instead ? instead->value : let->value, names.items, names.count, &value, error))
            return instead ? error_field(error, "timed.let.%d.value", (int)(instead - plan->timed.lets))
                           : error_field(error, "let.%zu.value", i);
        add_name(&names, let->name, value);
    }
    double shape[6];
    for (int i = 0; i < 3; i++)
        if (!evaluate_whole(&names, plan->grid[i], 1, LAUNCH_GRID_X_MAX, &shape[i], error))
            return error_field(error, "launch.grid%s", axes[i]);
        else if (!evaluate_whole(&names, plan->block[i], 1, LAUNCH_THREADS_MAX, &shape[3 + i], error))
            return error_field(error, "launch.block%s", axes[i]);
    double const threads = shape[3] * shape[4] * shape[5];
    add_name(&names, "blocks", shape[0] * shape[1] * shape[2]);
    add_name(&names, "threads", threads);
    add_name(&names, "warps", ceil(threads / WARP_LANES));
    *out = names.items;
    *count = names.count;
    return true;
}

bool plan_place(const struct lesson *lesson, const struct lesson_setting *setting, int access, int *block, int *warp,
                int *occurrence, struct error *error)
{
    const struct lesson_access *of = &lesson->plan->accesses[access];
    struct arena arena = {0};
    struct names names;
    double place[3] = {0};
    static const char *const fields[] = {"block", "warp", "occurrence"};
    const char *const values[] = {of->block, of->warp, of->occurrence};
    bool placed = plan_names(lesson, setting, false, &arena, &names.items, &names.count, error);
    for (int i = 0; i < 3 && placed; i++) {
        placed = evaluate_whole(&names, values[i], INT32_MIN, INT32_MAX, &place[i], error);
        if (!placed)
            error_field(error, "accesses.%d.%s", access, fields[i]);
    }
    *block = (int)place[0];
    *warp = (int)place[1];
    *occurrence = (int)place[2];
    arena_free(&arena);
    return placed;
}

static bool plan_scalar(const struct names *names, const struct plan_argument *from, enum ptx_type type, uint64_t *bits,
                        struct error *error)
{
    double value;
    *bits = 0;
    if (reference_is_real(type)) {
        if (!expression_evaluate(from->value, names->items, names->count, &value, error))
            return false;
        reference_store(type, bits, 0, value);
        return true;
    }
    if (!evaluate_whole(names, from->value, -0x1p53, 0x1p53, &value, error))
        return false;
    char text[32];
    snprintf(text, sizeof text, "%.0f", value);
    return fill_scalar(type, text, bits, error);
}

static bool plan_shape(const struct names *names, const struct plan_argument *from, struct launch_buffer *buffer,
                       struct error *error)
{
    double rows, columns, pitch;
    uint64_t const size = ptx_type_size(buffer->type);
    if (!from->rows)
        return true;
    if (!evaluate_whole(names, from->rows, 1, 0x1p31, &rows, error) ||
        !evaluate_whole(names, from->columns, 1, 0x1p31, &columns, error))
        return false;
    pitch = columns * (double)size;
    if (from->pitch && !evaluate_whole(names, from->pitch, 1, 0x1p40, &pitch, error))
        return false;
    buffer->shape = (struct launch_shape){(uint64_t)rows, (uint64_t)columns, (uint64_t)pitch};
    const char *wrong = launch_shape_problem(&buffer->shape, buffer->count, size);
    return !wrong || error_set(error, ERROR_INPUT, "the shape of argument %s %s", from->name, wrong);
}

static bool plan_argument(const struct lesson_setting *setting, const struct names *names,
                          const struct plan_argument *from, struct launch *launch, struct launch_argument *argument,
                          struct error *error)
{
    enum ptx_type const type = from->types[from->knob < 0 ? 0 : setting->value[from->knob]];
    *argument = (struct launch_argument){.is_buffer = from->count != NULL, .type = type};
    if (!from->count)
        return plan_scalar(names, from, type, &argument->bits, error);
    double count;
    if (!evaluate_whole(names, from->count, 1, 0x1p40, &count, error))
        return false;
    argument->buffer = launch->buffer_count;
    struct launch_buffer *buffer = &launch->buffers[launch->buffer_count];
    *buffer = (struct launch_buffer){
        .name = from->name, .type = type, .count = (uint64_t)count, .unwritten = from->fill.kind == FILL_NONE};
    if (from->fills)
        buffer->fill = from->fill_words[setting->value[from->knob]];
    launch->buffer_count++;
    return plan_shape(names, from, buffer, error);
}

/* Allocates and fills the buffers of a launch. */
static bool fill_launch(const struct lesson_plan *plan, const struct lesson_setting *setting, struct launch *launch,
                        struct error *error)
{
    if (!launch_buffers_allocate(launch, error))
        return false;
    for (size_t i = 0; i < plan->argument_count; i++) {
        const struct plan_argument *from = &plan->arguments[i];
        const struct fill *fill = from->fills ? &from->fills[setting->value[from->knob]] : &from->fill;
        if (from->count && !fill_buffer(fill, &launch->buffers[launch->arguments[i].buffer], error)) {
            launch_buffers_free(launch);
            return false;
        }
    }
    return true;
}

static bool make_launch(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, bool with_data,
                        struct arena *arena, struct launch *launch, struct launch_blocks *recorded, struct error *error)
{
    const struct lesson_plan *plan = lesson->plan;
    struct names names;
    *launch = (struct launch){.kernel = lesson->variants[setting->variant].kernel};
    if (!plan_names(lesson, setting, timed, arena, &names.items, &names.count, error))
        return false;
    for (int i = 0; i < 3; i++) {
        double grid, block; /* plan_names has found them good */
        if (!expression_evaluate(plan->grid[i], names.items, names.count, &grid, error) ||
            !expression_evaluate(plan->block[i], names.items, names.count, &block, error))
            return error_field(error, "launch");
        launch->grid[i] = (uint32_t)grid;
        launch->block[i] = (uint32_t)block;
    }
    double shared, first, last;
    if (!evaluate_whole(&names, plan->shared, 0, 1 << 20, &shared, error))
        return error_field(error, "launch.shared");
    if (!evaluate_whole(&names, plan->first_block, 0, 0x1p53, &first, error))
        return error_field(error, "launch.first");
    if (!evaluate_whole(&names, plan->last_block, 0, 0x1p53, &last, error))
        return error_field(error, "launch.last");
    launch->shared_bytes = (uint32_t)shared;
    *recorded = (struct launch_blocks){(uint64_t)first, (uint64_t)last};
    struct launch_argument *arguments = arena_array(arena, struct launch_argument, plan->argument_count);
    launch->arguments = arguments;
    launch->buffers = arena_array(arena, struct launch_buffer, plan->argument_count);
    for (size_t i = 0; i < plan->argument_count; i++) {
        if (!plan_argument(setting, &names, &plan->arguments[i], launch, &arguments[i], error))
            return error_field(error, "arguments.%zu", i);
        launch->argument_count++;
    }
    if (!with_data)
        return true;
    return limits_allow_launch(plan, launch, error) ? fill_launch(plan, setting, launch, error)
                                                    : error_field(error, "arguments");
}

bool plan_launch(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                 struct launch *launch, struct launch_blocks *recorded, struct error *error)
{
    return make_launch(lesson, setting, timed, true, arena, launch, recorded, error);
}

void plan_describe(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena,
                   struct launch *launch)
{
    struct launch_blocks recorded;
    struct error error;
    if (!make_launch(lesson, setting, false, false, arena, launch, &recorded, &error))
        *launch = (struct launch){0};
}

const char *lesson_source_path(const struct lesson *lesson, int variant, struct arena *arena)
{
    const char *name = lesson->variants[variant].source;
    const char *own = arena_format(arena, "%s/%s", lesson->folder, name);
    return file_exists(own) ? own : data_path(arena, "kernels/%s", name);
}

size_t plan_defines(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena,
                    struct compile_define **defines)
{
    const struct lesson_plan *plan = lesson->plan;
    *defines = arena_array(arena, struct compile_define, plan->define_count);
    for (size_t i = 0; i < plan->define_count; i++) {
        const struct plan_define *define = &plan->defines[i];
        (*defines)[i] = (struct compile_define){define->name, define->values[setting->value[define->knob]]};
    }
    return plan->define_count;
}

bool plan_times_knob(const struct lesson *lesson, int knob)
{
    return !timed_let(lesson->plan, lesson->knobs[knob].name);
}

const char *plan_key(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                     struct error *error)
{
    struct launch launch;
    struct launch_blocks recorded;
    struct compile_define *defines;
    if (!make_launch(lesson, setting, timed, false, arena, &launch, &recorded, error))
        return NULL;
    size_t const define_count = plan_defines(lesson, setting, arena, &defines);
    return launch_key(&launch, defines, define_count, arena);
}

static void clear_unread_numbers(struct launch *launch, uint64_t read, struct arena *arena)
{
    struct launch_argument *arguments = arena_array(arena, struct launch_argument, launch->argument_count + 1);
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        arguments[i] = launch->arguments[i];
        if (!arguments[i].is_buffer && i < 64 && !(read >> i & 1))
            arguments[i].bits = 0;
    }
    launch->arguments = arguments;
}

const char *plan_launches(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena)
{
    const char *all = "";
    uint64_t const read = plan_read_parameters(lesson, setting);
    for (int timed = 0; timed < (lesson->plan->timed.let_count ? 2 : 1); timed++) {
        struct launch launch;
        struct launch_blocks recorded;
        struct compile_define *defines;
        struct error error;
        if (!make_launch(lesson, setting, timed, false, arena, &launch, &recorded, &error))
            return NULL;
        clear_unread_numbers(&launch, read, arena);
        size_t const define_count = plan_defines(lesson, setting, arena, &defines);
        all = arena_format(arena, "%s %s %llu-%llu", all, launch_key(&launch, defines, define_count, arena),
                           (unsigned long long)recorded.first, (unsigned long long)recorded.last);
        for (uint32_t i = 0; i < launch.buffer_count; i++) {
            const struct launch_shape *shape = &launch.buffers[i].shape;
            all = arena_format(arena, "%s %llux%llu:%llu", all, (unsigned long long)shape->rows,
                               (unsigned long long)shape->columns, (unsigned long long)shape->pitch);
        }
    }
    return all;
}

struct lesson_setting plan_plain(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct arena arena = {0};
    struct lesson_setting plain = *setting;
    const char *launches = plan_launches(lesson, setting, &arena);
    for (int k = 0; k < lesson->knob_count && launches; k++) {
        struct lesson_setting at_start = plain;
        at_start.value[k] = lesson->knobs[k].default_index;
        const char *others = at_start.value[k] != plain.value[k] ? plan_launches(lesson, &at_start, &arena) : NULL;
        if (others && strcmp(others, launches) == 0)
            plain = at_start;
    }
    arena_free(&arena);
    return plain;
}

void plan_shapes(const struct lesson *lesson, const struct lesson_setting *setting, struct trace *trace)
{
    struct launch launch;
    struct launch_blocks recorded;
    struct arena arena = {0};
    struct error error;
    if (make_launch(lesson, setting, false, false, &arena, &launch, &recorded, &error))
        for (uint32_t i = 0; i < launch.buffer_count && i < trace->buffer_count; i++)
            if (launch.buffers[i].count == trace->buffers[i].count && launch.buffers[i].type == trace->buffers[i].type)
                trace->buffers[i].shape = launch.buffers[i].shape;
    arena_free(&arena);
}

/* Returns whether the requests so far contain this file with these defines. */
static bool has_compilation(const struct compile_request *requests, size_t count, const char *path,
                            const struct compile_define *defines)
{
    for (size_t i = 0; i < count; i++) {
        bool same = strcmp(requests[i].path, path) == 0;
        for (size_t k = 0; same && k < requests[i].define_count; k++)
            same = strcmp(requests[i].defines[k].value, defines[k].value) == 0;
        if (same)
            return true;
    }
    return false;
}

/* Returns whether a knob chooses a define, and with it a compilation. */
static bool defines_by(const struct lesson *lesson, int knob)
{
    for (size_t k = 0; k < lesson->plan->define_count; k++)
        if (lesson->plan->defines[k].knob == knob)
            return true;
    return false;
}

size_t lesson_compilations(const struct lesson *lesson, struct arena *arena, struct compile_request **requests)
{
    size_t settings = 1, count = 0;
    for (int i = 0; i < lesson->knob_count; i++)
        settings *= defines_by(lesson, i) ? (size_t)lesson->knobs[i].value_count : 1;
    *requests = arena_array(arena, struct compile_request, settings * (size_t)lesson->variant_count);
    for (int variant = 0; variant < lesson->variant_count; variant++)
        for (size_t number = 0; number < settings; number++) {
            struct lesson_setting setting = lesson_defaults(lesson);
            size_t rest = number;
            for (int knob = 0; knob < lesson->knob_count; knob++) {
                if (!defines_by(lesson, knob))
                    continue;
                size_t const values = (size_t)lesson->knobs[knob].value_count;
                setting.value[knob] = (int)(rest % values);
                rest /= values;
            }
            struct compile_define *defines;
            size_t const define_count = plan_defines(lesson, &setting, arena, &defines);
            const char *path = lesson_source_path(lesson, variant, arena);
            if (!has_compilation(*requests, count, path, defines))
                (*requests)[count++] =
                    (struct compile_request){.path = path, .defines = defines, .define_count = define_count};
        }
    return count;
}
