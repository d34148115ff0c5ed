/* Reads the plan of lesson.yaml: how its kernel is launched, and what is recorded of it. */
#include "lesson/kept.h"
#include "lesson/limits.h"
#include "lesson/load.h"
#include <stdlib.h>
#include <string.h>

static void load_lets(const struct loader *loader, const struct raw_let *raw, unsigned count, struct plan_let **lets)
{
    *lets = arena_array(loader->arena, struct plan_let, count);
    for (unsigned i = 0; i < count; i++)
        (*lets)[i] = (struct plan_let){raw[i].name, raw[i].value};
}

enum { COMPILATIONS_MAX = 1024 };

static bool load_defines(const struct loader *loader, struct lesson_plan *plan)
{
    const struct raw_lesson *raw = loader->raw;
    size_t compilations = 1;
    bool counted[LESSON_KNOBS_MAX] = {false};
    plan->defines = arena_array(loader->arena, struct plan_define, raw->defines_count);
    plan->define_count = raw->defines_count;
    for (unsigned i = 0; i < raw->defines_count; i++) {
        const struct raw_define *from = &raw->defines[i];
        int const knob = lesson_knob_index(loader->lesson, from->by);
        if (knob < 0)
            return load_fail(loader, FIELD("defines.%u.by", i), "there is no knob \"%s\"", from->by);
        if ((int)from->values_count != loader->lesson->knobs[knob].value_count)
            return load_fail(loader, FIELD("defines.%u.values", i), "needs one for each of the %d values of the knob",
                             loader->lesson->knobs[knob].value_count);
        plan->defines[i] = (struct plan_define){from->name, knob, (const char **)from->values};
        compilations *= counted[knob] ? 1 : from->values_count;
        counted[knob] = true;
        if (compilations > COMPILATIONS_MAX)
            return load_fail(loader, FIELD("defines.%u", i), "the defines ask for more than %d compilations",
                             COMPILATIONS_MAX);
    }
    return true;
}

/* Reads one fill for each value of the knob in `by`. */
static bool load_fills(const struct loader *loader, unsigned index, struct plan_argument *argument, unsigned needed)
{
    const struct raw_argument *from = &loader->raw->arguments[index];
    struct error bad;
    if (!from->fills)
        return true;
    if (!from->count || from->fill || !from->by || from->fills_count != needed)
        return load_fail(loader, FIELD("arguments.%u.fills", index),
                         "is for a buffer without `fill`, and needs one a value of the knob in `by`");
    argument->fills = arena_array(loader->arena, struct fill, needed);
    argument->fill_words = arena_array(loader->arena, const char *, needed);
    for (unsigned i = 0; i < needed; i++) {
        argument->fill_words[i] = arena_text(loader->arena, from->fills[i]);
        if (!fill_parse(loader->arena, from->fills[i], &argument->fills[i], &bad) ||
            !fill_inside(loader->arena, loader->lesson->folder, &argument->fills[i], &bad))
            return load_fail_as(loader, FIELD("arguments.%u.fills.%u", index, i), &bad);
    }
    return true;
}

static bool load_argument(const struct loader *loader, unsigned index, struct plan_argument *argument)
{
    const struct raw_argument *from = &loader->raw->arguments[index];
    *argument = (struct plan_argument){.name = from->name, .knob = -1, .count = from->count, .value = from->value};
    if ((from->count != NULL) == (from->value != NULL))
        return load_fail(loader, FIELD("arguments.%u", index),
                         "needs `count` when it is a buffer or `value` when it is a number, not both");
    if (from->shape && (from->shape_count != 2 || !from->count))
        return load_fail(loader, FIELD("arguments.%u.shape", index),
                         "is for a buffer, and needs two numbers: [rows, columns]");
    if (from->pitch && !from->shape)
        return load_fail(loader, FIELD("arguments.%u.pitch", index), "needs `shape`");
    argument->rows = from->shape ? from->shape[0] : NULL;
    argument->columns = from->shape ? from->shape[1] : NULL;
    argument->pitch = from->pitch;
    unsigned needed = 1;
    if (from->by) {
        argument->knob = lesson_knob_index(loader->lesson, from->by);
        if (argument->knob < 0)
            return load_fail(loader, FIELD("arguments.%u.by", index), "there is no knob \"%s\"", from->by);
        needed = (unsigned)loader->lesson->knobs[argument->knob].value_count;
    }
    if (from->types_count != needed && (from->types_count != 1 || !from->fills))
        return load_fail(loader, FIELD("arguments.%u.types", index),
                         "needs %u of them, one a value of the knob in `by`", needed);
    argument->types = arena_array(loader->arena, enum ptx_type, needed);
    for (unsigned i = 0; i < needed; i++) {
        const char *word = from->types[from->types_count == 1 ? 0 : i];
        argument->types[i] = fill_type(word, strlen(word));
        if (argument->types[i] == PTX_TYPE_NONE || argument->types[i] == PTX_B1)
            return load_fail(loader, FIELD("arguments.%u.types.%u", index, i),
                             "\"%s\" is none of i8 u8 i16 u16 i32 u32 i64 u64 e4m3 e5m2 f16 bf16 f32 f64", word);
    }
    struct error bad;
    if (from->count && (!fill_parse(loader->arena, from->fill ? from->fill : "zero", &argument->fill, &bad) ||
                        !fill_inside(loader->arena, loader->lesson->folder, &argument->fill, &bad)))
        return load_fail_as(loader, FIELD("arguments.%u.fill", index), &bad);
    return load_fills(loader, index, argument, needed);
}

/* Finds the arrays of the picture: its input, and the checked buffer as its output. */
static bool load_picture(const struct loader *loader, struct lesson_plan *plan)
{
    const struct raw_lesson *raw = loader->raw;
    plan->picture = -1;
    plan->picture_window = raw->picture.window;
    if (!raw->picture.input)
        return true;
    if (plan->check < 0 || !plan->arguments[plan->check].rows)
        return load_fail(loader, "picture", "needs `check` with a buffer that has a `shape`");
    for (unsigned i = 0; i < raw->arguments_count; i++)
        if (strcmp(plan->arguments[i].name, raw->picture.input) == 0 && plan->arguments[i].rows)
            plan->picture = (int)i;
    return plan->picture >= 0 ||
           load_fail(loader, "picture.input", "no argument \"%s\" is a buffer with a `shape`", raw->picture.input);
}

/* Finds the arrays that are shown together: an argument with a `shape` for each name. */
static bool load_arrays(const struct loader *loader, const struct lesson_plan *plan)
{
    const struct raw_arrays *raw = &loader->raw->arrays;
    struct arrays *arrays = &loader->lesson->arrays;
    bool const product = raw->product_count > 0;
    const char *field = product ? "arrays.product" : "arrays.pair";
    unsigned const count = product ? raw->product_count : raw->pair_count, needed = product ? 3 : 2;
    if (!raw->product_count && !raw->pair_count)
        return true;
    if (count != needed || (product && raw->pair_count))
        return load_fail(loader, field, "`pair` takes the names of 2 arguments, or `product` those of 3");
    arrays->kind = product ? ARRAYS_PRODUCT : ARRAYS_PAIR;
    for (unsigned i = 0; i < count; i++) {
        const char *name = product ? raw->product[i] : raw->pair[i];
        for (unsigned k = 0; k < plan->argument_count; k++)
            if (strcmp(plan->arguments[k].name, name) == 0 && plan->arguments[k].rows)
                arrays->names[i] = plan->arguments[k].name;
        if (!arrays->names[i])
            return load_fail(loader, field, "no argument \"%s\" is a buffer with a `shape`", name);
    }
    return true;
}

static bool load_arguments(const struct loader *loader, struct lesson_plan *plan)
{
    const struct raw_lesson *raw = loader->raw;
    plan->arguments = arena_array(loader->arena, struct plan_argument, raw->arguments_count);
    plan->argument_count = raw->arguments_count;
    bool good = true;
    for (unsigned i = 0; i < raw->arguments_count; i++)
        good = load_argument(loader, i, &plan->arguments[i]) && good;
    plan->check = -1;
    for (unsigned i = 0; raw->check && i < raw->arguments_count; i++)
        if (strcmp(plan->arguments[i].name, raw->check) == 0 && plan->arguments[i].count)
            plan->check = (int)i;
    if (raw->check && plan->check < 0)
        good = load_fail(loader, "check", "no argument \"%s\" is a buffer", raw->check);
    return load_picture(loader, plan) && load_arrays(loader, plan) && good;
}

bool load_sets(const struct loader *loader, const char *field, char *const *texts, unsigned count,
               struct lesson_set **sets)
{
    *sets = arena_array(loader->arena, struct lesson_set, count);
    bool good = true;
    for (unsigned i = 0; i < count; i++) {
        struct error bad;
        if (!lesson_parse_set(loader->lesson, texts[i], &(*sets)[i], &bad))
            good = load_fail_as(loader, FIELD("%s.%u", field, i), &bad);
    }
    return good;
}

static bool load_accesses(const struct loader *loader, struct lesson_plan *plan)
{
    const struct raw_lesson *raw = loader->raw;
    plan->accesses = arena_array(loader->arena, struct lesson_access, raw->accesses_count);
    plan->access_count = raw->accesses_count;
    bool good = true;
    for (unsigned i = 0; i < raw->accesses_count; i++) {
        const struct raw_access *from = &raw->accesses[i];
        if (from->lines_count == 0)
            good = load_fail(loader, FIELD("accesses.%u.lines", i), "needs the text of at least one source line");
        if (from->lane < 0 || from->lane >= WARP_LANES)
            good = load_fail(loader, FIELD("accesses.%u.lane", i), "is not one of the lanes 0 to 31");
        plan->accesses[i] = (struct lesson_access){.name = from->name,
                                                   .lines = (const char **)from->lines,
                                                   .line_count = from->lines_count,
                                                   .operation = from->operation,
                                                   .space = from->space,
                                                   .block = from->block ? from->block : "0",
                                                   .warp = from->warp ? from->warp : "0",
                                                   .occurrence = from->occurrence ? from->occurrence : "0",
                                                   .lane = (unsigned)from->lane % WARP_LANES};
    }
    plan->elsewhere = arena_array(loader->arena, struct plan_elsewhere, raw->elsewhere_count);
    plan->elsewhere_count = raw->elsewhere_count;
    for (unsigned i = 0; i < raw->elsewhere_count; i++) {
        const struct raw_elsewhere *from = &raw->elsewhere[i];
        struct plan_elsewhere *to = &plan->elsewhere[i];
        *to = (struct plan_elsewhere){.name = from->name, .value = from->value, .set_count = (int)from->set_count};
        good = load_sets(loader, FIELD("elsewhere.%u.set", i), from->set, from->set_count, &to->sets) && good;
    }
    return good;
}

/* Reads the values of a sweep: "block" means every value of the knob, "block=32 64" these two. */
static bool load_sweep_values(const struct loader *loader, const char *field, const char *text,
                              struct plan_sweep *sweep)
{
    size_t const length = strcspn(text, "=");
    const char *name = arena_text_n(loader->arena, text, length);
    int const index = lesson_knob_index(loader->lesson, name);
    if (index < 0)
        return load_fail(loader, field, "there is no knob \"%s\"", name);
    const struct lesson_knob *knob = &loader->lesson->knobs[index];
    int *values = arena_array(loader->arena, int, (size_t)knob->value_count);
    int count = 0;
    if (text[length] == '\0')
        while (count < knob->value_count) {
            values[count] = count;
            count++;
        }
    char *rest = arena_text(loader->arena, text[length] ? text + length + 1 : ""), *kept = NULL;
    for (char *word = strtok_r(rest, " ,", &kept); word; word = strtok_r(NULL, " ,", &kept)) {
        struct lesson_set set;
        struct error bad;
        if (!lesson_parse_set(loader->lesson, FIELD("%s=%s", name, word), &set, &bad))
            return load_fail_as(loader, field, &bad);
        if (count == knob->value_count)
            return load_fail(loader, field, "names more values than the knob has");
        values[count++] = set.value_index;
    }
    if (count == 0)
        return load_fail(loader, field, "names no value");
    sweep->values[index] = values;
    sweep->value_count[index] = count;
    return true;
}

static bool load_sweeps(const struct loader *loader, const char *field, const struct raw_sweep *raw, unsigned count,
                        struct plan_sweep **sweeps)
{
    *sweeps = arena_array(loader->arena, struct plan_sweep, count);
    bool good = true;
    for (unsigned i = 0; i < count; i++) {
        struct plan_sweep *sweep = &(*sweeps)[i];
        for (unsigned k = 0; k < raw[i].variants_count; k++) {
            int const variant = lesson_variant_index(loader->lesson, raw[i].variants[k]);
            if (variant < 0)
                good = load_fail(loader, FIELD("%s.%u.variants.%u", field, i, k), "there is no variant \"%s\"",
                                 raw[i].variants[k]);
            else
                sweep->variants |= 1U << variant;
        }
        for (int k = 0; raw[i].variants_count == 0 && k < loader->lesson->variant_count; k++)
            sweep->variants |= 1U << k;
        for (unsigned k = 0; k < raw[i].over_count; k++)
            good = load_sweep_values(loader, FIELD("%s.%u.over.%u", field, i, k), raw[i].over[k], sweep) && good;
    }
    return good;
}

static bool has_name(const struct loader *loader, const char *name)
{
    bool found = lesson_knob_index(loader->lesson, name) >= 0;
    for (unsigned i = 0; i < loader->raw->let_count; i++)
        found = found || strcmp(loader->raw->let[i].name, name) == 0;
    return found;
}

/* A timed launch replaces knobs and lets; another name would change nothing. */
static bool load_timed(const struct loader *loader, struct lesson_plan *plan)
{
    const struct raw_timed *raw = &loader->raw->timed;
    bool good = true;
    for (unsigned i = 0; i < raw->let_count; i++)
        if (!has_name(loader, raw->let[i].name))
            good = load_fail(loader, FIELD("timed.let.%u.name", i), "there is no knob and no let \"%s\"",
                             raw->let[i].name);
    plan->timed.let_count = raw->let_count;
    plan->timed.what[WORDS_ENGLISH] = raw->what.en;
    plan->timed.what[WORDS_KOREAN] = raw->what.ko;
    plan->timed.beyond_cache = raw->beyond_cache;
    load_lets(loader, raw->let, raw->let_count, &plan->timed.lets);
    return good;
}

bool load_plan(const struct loader *loader)
{
    const struct raw_lesson *raw = loader->raw;
    struct lesson_plan *plan = arena_new(loader->arena, struct lesson_plan);
    loader->lesson->plan = plan;
    plan->limits = limits_of(lesson_is_installed(loader->lesson));
    plan->kept = kept_new();
    if (!plan->kept) {
        problems_add(loader->problems,
                     &(struct lesson_problem){.kind = ERROR_MISSING, .said = "no memory for a lesson"});
        return false;
    }
    const struct raw_launch *launch = &raw->launch;
    const char *const grid[3] = {launch->grid, launch->grid_y, launch->grid_z};
    const char *const block[3] = {launch->block, launch->block_y, launch->block_z};
    for (int i = 0; i < 3; i++) {
        plan->grid[i] = grid[i] ? grid[i] : "1";
        plan->block[i] = block[i] ? block[i] : "1";
    }
    plan->shared = launch->shared ? launch->shared : "0";
    plan->first_block = launch->first ? launch->first : "0";
    plan->last_block = launch->last ? launch->last : "blocks - 1";
    plan->let_count = raw->let_count;
    plan->compare = (struct plan_compare){.label = {raw->compare.label.en, raw->compare.label.ko},
                                          .recording = raw->compare.recording,
                                          .variant = raw->compare.variant,
                                          .by = raw->compare.by,
                                          .flop = raw->compare.flop};
    plan->timing_count = raw->record.timings_count;
    plan->trace_count = raw->record.traces_count;
    plan->counted_count = raw->record.counters_count;
    const struct raw_record *record = &raw->record;
    load_lets(loader, raw->let, raw->let_count, &plan->lets);
    bool good = load_timed(loader, plan);
    good = load_defines(loader, plan) && good;
    if (plan->compare.recording && !has_name(loader, plan->compare.by))
        good = load_fail(loader, "compare.by", "there is no knob and no let \"%s\"", plan->compare.by);
    good = load_arguments(loader, plan) && good;
    good = load_accesses(loader, plan) && good;
    good = load_sweeps(loader, "record.timings", record->timings, record->timings_count, &plan->timings) && good;
    good = load_sweeps(loader, "record.traces", record->traces, record->traces_count, &plan->traces) && good;
    return load_sweeps(loader, "record.counters", record->counters, record->counters_count, &plan->counted) && good;
}
