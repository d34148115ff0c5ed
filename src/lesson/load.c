/* Turns the raw fields of lesson.yaml into a lesson: names become indices, and rules that a schema cannot express are
 * checked here. A wrong field is listed with its line, and the next one is read. */
#include "base/file.h"
#include "base/schema.h"
#include "lesson/facts.h"
#include "lesson/kept.h"
#include "lesson/plan.h"
#include "lesson/schema.h"
#include "model/dram.h"
#include "run/reference.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>

struct loader {
    struct lesson *lesson;
    struct arena *arena;
    struct raw_lesson *raw;
    const char *path, *text;
    size_t size;
    struct lesson_problems *problems;
};

/* Lists the problem of a field given by its path in the file, "beats.3.at". */
__attribute__((format(printf, 3, 4))) static bool fail(const struct loader *loader, const char *field,
                                                       const char *format, ...)
{
    if (problems_full(loader->problems))
        return false;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_format_v(loader->arena, format, arguments);
    va_end(arguments);
    int const line = schema_line(loader->text, loader->size, field);
    problems_add(loader->problems,
                 &(struct lesson_problem){.file = loader->path, .line = line, .field = field, .said = message});
    return false;
}

/* The same, with the words of an error. */
static bool fail_as(const struct loader *loader, const char *field, const struct error *error)
{
    if (problems_full(loader->problems))
        return false;
    int const line = schema_line(loader->text, loader->size, field);
    problems_add(
        loader->problems,
        &(struct lesson_problem){
            .file = loader->path, .line = line, .field = field, .said = error->message, .remedy = error->remedy});
    return false;
}

#define FIELD(...) arena_format(loader->arena, __VA_ARGS__)

static void load_minutes(const struct loader *loader)
{
    enum { MINUTES_MAX = 600 };
    const struct raw_minutes *raw = loader->raw->minutes;
    if (!raw)
        return;
    if (raw->alone < 1 || raw->alone > MINUTES_MAX || raw->in_class < 1 || raw->in_class > MINUTES_MAX)
        fail(loader, "minutes", "a lesson takes 1 to %d minutes", MINUTES_MAX);
    loader->lesson->minutes_alone = raw->alone;
    loader->lesson->minutes_in_class = raw->in_class;
}

static bool load_knob(const struct loader *loader, unsigned index)
{
    const struct raw_knob *raw = &loader->raw->knobs[index];
    struct lesson_knob *knob = (struct lesson_knob *)&loader->lesson->knobs[index];
    int64_t const step = raw->step ? raw->step : 1;
    uint64_t const span = (uint64_t)raw->to - (uint64_t)raw->from;
    if (!raw->values_count && (raw->to < raw->from || step < 0 || span / (uint64_t)step > 4096))
        return fail(loader, FIELD("knobs.%u", index), "needs `values`, or `from` and a `to` above it");
    size_t const count = raw->values_count ? raw->values_count : (size_t)(span / (uint64_t)step) + 1;
    int64_t *values = arena_array(loader->arena, int64_t, count);
    int start = -1;
    for (size_t i = 0; i < count; i++) {
        values[i] = raw->values_count ? raw->values[i] : raw->from + (int64_t)i * step;
        if (i > 0 && values[i] <= values[i - 1])
            return fail(loader, FIELD("knobs.%u.values", index), "the values must ascend");
        if (values[i] == raw->start)
            start = (int)i;
    }
    if (start < 0)
        return fail(loader, FIELD("knobs.%u.start", index), "%lld is not among the knob's values",
                    (long long)raw->start);
    *knob = (struct lesson_knob){.name = raw->name,
                                 .label = {raw->label.en, raw->label.ko},
                                 .unit = raw->unit ? raw->unit : "",
                                 .values = values,
                                 .value_count = (int)count,
                                 .default_index = start};
    return true;
}

static bool load_knobs_and_variants(const struct loader *loader)
{
    struct lesson *lesson = loader->lesson;
    const struct raw_lesson *raw = loader->raw;
    if (raw->knobs_count > LESSON_KNOBS_MAX)
        return fail(loader, "knobs", "at most %d knobs, so that a student keeps the picture", LESSON_KNOBS_MAX);
    if (raw->variants_count == 0 || raw->variants_count > 32)
        return fail(loader, "variants", "needs 1 to 32 variants");
    lesson->knobs = arena_array(loader->arena, struct lesson_knob, raw->knobs_count);
    lesson->knob_count = (int)raw->knobs_count;
    bool good = true;
    for (unsigned i = 0; i < raw->knobs_count; i++)
        good = load_knob(loader, i) && good;
    struct lesson_variant *variants = arena_array(loader->arena, struct lesson_variant, raw->variants_count);
    for (unsigned i = 0; i < raw->variants_count; i++) {
        const struct raw_variant *from = &raw->variants[i];
        if (from->host && !reference_loop_known(from->host))
            good = fail(loader, FIELD("variants.%u.host", i), "\"%s\" is none of the host loops of this program",
                        from->host);
        if (from->reference && !reference_known(from->reference))
            good = fail(loader, FIELD("variants.%u.reference", i), "\"%s\" is none of the references of this program",
                        from->reference);
        for (unsigned k = 0; k < i; k++)
            if (strcmp(raw->variants[k].name, from->name) == 0)
                good = fail(loader, FIELD("variants.%u.name", i), "two variants are called \"%s\"", from->name);
        variants[i] = (struct lesson_variant){.name = from->name,
                                              .label = {from->label.en, from->label.ko},
                                              .source = from->source,
                                              .kernel = from->kernel,
                                              .reference = from->reference,
                                              .expect = from->expect,
                                              .faulty = from->faulty,
                                              .host = from->host != NULL,
                                              .loop = from->host};
    }
    lesson->variants = variants;
    lesson->variant_count = (int)raw->variants_count;
    return good;
}

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
            return fail(loader, FIELD("defines.%u.by", i), "there is no knob \"%s\"", from->by);
        if ((int)from->values_count != loader->lesson->knobs[knob].value_count)
            return fail(loader, FIELD("defines.%u.values", i), "needs one for each of the %d values of the knob",
                        loader->lesson->knobs[knob].value_count);
        plan->defines[i] = (struct plan_define){from->name, knob, (const char **)from->values};
        compilations *= counted[knob] ? 1 : from->values_count;
        counted[knob] = true;
        if (compilations > COMPILATIONS_MAX)
            return fail(loader, FIELD("defines.%u", i), "the defines ask for more than %d compilations",
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
        return fail(loader, FIELD("arguments.%u.fills", index),
                    "is for a buffer without `fill`, and needs one a value of the knob in `by`");
    argument->fills = arena_array(loader->arena, struct fill, needed);
    argument->fill_words = arena_array(loader->arena, const char *, needed);
    for (unsigned i = 0; i < needed; i++) {
        argument->fill_words[i] = arena_text(loader->arena, from->fills[i]);
        if (!fill_parse(loader->arena, from->fills[i], &argument->fills[i], &bad))
            return fail_as(loader, FIELD("arguments.%u.fills.%u", index, i), &bad);
    }
    return true;
}

static bool load_argument(const struct loader *loader, unsigned index, struct plan_argument *argument)
{
    const struct raw_argument *from = &loader->raw->arguments[index];
    *argument = (struct plan_argument){.name = from->name, .knob = -1, .count = from->count, .value = from->value};
    if ((from->count != NULL) == (from->value != NULL))
        return fail(loader, FIELD("arguments.%u", index),
                    "needs `count` when it is a buffer or `value` when it is a number, not both");
    if (from->shape && (from->shape_count != 2 || !from->count))
        return fail(loader, FIELD("arguments.%u.shape", index),
                    "is for a buffer, and needs two numbers: [rows, columns]");
    if (from->pitch && !from->shape)
        return fail(loader, FIELD("arguments.%u.pitch", index), "needs `shape`");
    argument->rows = from->shape ? from->shape[0] : NULL;
    argument->columns = from->shape ? from->shape[1] : NULL;
    argument->pitch = from->pitch;
    unsigned needed = 1;
    if (from->by) {
        argument->knob = lesson_knob_index(loader->lesson, from->by);
        if (argument->knob < 0)
            return fail(loader, FIELD("arguments.%u.by", index), "there is no knob \"%s\"", from->by);
        needed = (unsigned)loader->lesson->knobs[argument->knob].value_count;
    }
    if (from->types_count != needed && (from->types_count != 1 || !from->fills))
        return fail(loader, FIELD("arguments.%u.types", index), "needs %u of them, one a value of the knob in `by`",
                    needed);
    argument->types = arena_array(loader->arena, enum ptx_type, needed);
    for (unsigned i = 0; i < needed; i++) {
        const char *word = from->types[from->types_count == 1 ? 0 : i];
        argument->types[i] = fill_type(word, strlen(word));
        if (argument->types[i] == PTX_TYPE_NONE)
            return fail(loader, FIELD("arguments.%u.types.%u", index, i),
                        "\"%s\" is none of u8 u16 i32 u32 i64 u64 f32 f64", word);
    }
    struct error bad;
    if (from->count && !fill_parse(loader->arena, from->fill ? from->fill : "zero", &argument->fill, &bad))
        return fail_as(loader, FIELD("arguments.%u.fill", index), &bad);
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
        return fail(loader, "picture", "needs `check` with a buffer that has a `shape`");
    for (unsigned i = 0; i < raw->arguments_count; i++)
        if (strcmp(plan->arguments[i].name, raw->picture.input) == 0 && plan->arguments[i].rows)
            plan->picture = (int)i;
    return plan->picture >= 0 ||
           fail(loader, "picture.input", "no argument \"%s\" is a buffer with a `shape`", raw->picture.input);
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
        good = fail(loader, "check", "no argument \"%s\" is a buffer", raw->check);
    return load_picture(loader, plan) && good;
}

static bool load_sets(const struct loader *loader, const char *field, char *const *texts, unsigned count,
                      struct lesson_set **sets)
{
    *sets = arena_array(loader->arena, struct lesson_set, count);
    bool good = true;
    for (unsigned i = 0; i < count; i++) {
        struct error bad;
        if (!lesson_parse_set(loader->lesson, texts[i], &(*sets)[i], &bad))
            good = fail_as(loader, FIELD("%s.%u", field, i), &bad);
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
            good = fail(loader, FIELD("accesses.%u.lines", i), "needs the text of at least one source line");
        if (from->lane < 0 || from->lane >= WARP_LANES)
            good = fail(loader, FIELD("accesses.%u.lane", i), "is not one of the lanes 0 to 31");
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
        return fail(loader, field, "there is no knob \"%s\"", name);
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
            return fail_as(loader, field, &bad);
        if (count == knob->value_count)
            return fail(loader, field, "names more values than the knob has");
        values[count++] = set.value_index;
    }
    if (count == 0)
        return fail(loader, field, "names no value");
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
                good = fail(loader, FIELD("%s.%u.variants.%u", field, i, k), "there is no variant \"%s\"",
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
            good = fail(loader, FIELD("timed.let.%u.name", i), "there is no knob and no let \"%s\"", raw->let[i].name);
    plan->timed.let_count = raw->let_count;
    plan->timed.what[WORDS_ENGLISH] = raw->what.en;
    plan->timed.what[WORDS_KOREAN] = raw->what.ko;
    plan->timed.beyond_cache = raw->beyond_cache;
    load_lets(loader, raw->let, raw->let_count, &plan->timed.lets);
    return good;
}

static bool load_plan(const struct loader *loader)
{
    const struct raw_lesson *raw = loader->raw;
    struct lesson_plan *plan = arena_new(loader->arena, struct lesson_plan);
    loader->lesson->plan = plan;
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
        good = fail(loader, "compare.by", "there is no knob and no let \"%s\"", plan->compare.by);
    good = load_arguments(loader, plan) && good;
    good = load_accesses(loader, plan) && good;
    good = load_sweeps(loader, "record.timings", record->timings, record->timings_count, &plan->timings) && good;
    good = load_sweeps(loader, "record.traces", record->traces, record->traces_count, &plan->traces) && good;
    return load_sweeps(loader, "record.counters", record->counters, record->counters_count, &plan->counted) && good;
}

/* Returns the whole setting as sets, so that a beat opens without earlier beats. */
static const struct lesson_set *whole_setting(const struct loader *loader, const struct lesson_setting *setting)
{
    const struct lesson *lesson = loader->lesson;
    struct lesson_set *sets = arena_array(loader->arena, struct lesson_set, (size_t)lesson->knob_count + 1);
    sets[0] = (struct lesson_set){-1, setting->variant};
    for (int i = 0; i < lesson->knob_count; i++)
        sets[i + 1] = (struct lesson_set){i, setting->value[i]};
    return sets;
}

/* Returns the flag of the panel that has the cells. */
static unsigned panel_of_cells(int mark)
{
    static const unsigned panels[] = {
        [MARK_LANES] = STAGE_LANES,     [MARK_THREADS] = STAGE_THREADS, [MARK_BANKS] = STAGE_BANKS,
        [MARK_SECTORS] = STAGE_CHUNKS,  [MARK_ROWS] = STAGE_DRAM,       [MARK_ELEMENTS] = STAGE_MATRIX,
        [MARK_VARIABLES] = STAGE_SPACES};
    return panels[mark];
}

/* Checks and loads the fields that this kind of beat needs. */
static bool load_question(const struct loader *loader, unsigned index, struct lesson_beat *beat)
{
    const struct raw_beat *raw = &loader->raw->beats[index];
    bool good = true;
    bool const asks = raw->kind == BEAT_ASK || raw->kind == BEAT_OBSERVE;
    if (asks && (!raw->answer || raw->choices_count < 2 || raw->choices_count > 6))
        good = fail(loader, FIELD("beats.%u", index), "a question needs `answer` and 2 to 6 `choices`");
    if (raw->kind == BEAT_TASK && !raw->goal)
        good = fail(loader, FIELD("beats.%u", index), "a task needs a `goal`");
    if (raw->kind == BEAT_MARK && (!raw->mark || !raw->at))
        good = fail(loader, FIELD("beats.%u", index), "a beat in which cells are marked needs `mark` and `at`");
    else if (raw->kind == BEAT_MARK && !(raw->stage & panel_of_cells(raw->mark - 1)))
        good = fail(loader, FIELD("beats.%u.stage", index),
                    "the panel whose cells are marked must be on the stage: lanes, threads, banks, chunks for sectors, "
                    "dram for rows, matrix for elements, spaces for variables");
    if (raw->kind == BEAT_BUG && (!raw->line || !raw->mended))
        good = fail(loader, FIELD("beats.%u", index), "a bug needs the wrong `line` and the `mended` variant");
    if (raw->mended && (beat->mended = lesson_variant_index(loader->lesson, raw->mended)) < 0)
        good = fail(loader, FIELD("beats.%u.mended", index), "there is no variant \"%s\"", raw->mended);
    beat->mark = (enum lesson_mark)(raw->mark - 1);
    for (int language = 0; language < LANGUAGE_COUNT; language++)
        beat->wrong[language] = arena_array(loader->arena, struct lesson_text, raw->choices_count + 1);
    return good;
}

static bool load_beat(const struct loader *loader, unsigned index, struct lesson_setting *setting,
                      struct lesson_beat *beat)
{
    const struct raw_beat *raw = &loader->raw->beats[index];
    const struct lesson_plan *plan = loader->lesson->plan;
    *beat = (struct lesson_beat){.id = raw->id,
                                 .kind = raw->kind,
                                 .stage = raw->stage,
                                 .focus = raw->focus,
                                 .access = -1,
                                 .answer = raw->answer,
                                 .choices = raw->choices,
                                 .choice_count = (int)raw->choices_count,
                                 .goal = raw->goal,
                                 .line = raw->line,
                                 .mended = -1,
                                 .ladder = raw->ladder,
                                 .ladder_fact = raw->ladder ? facts_of(loader->lesson, raw->ladder) : FACT_OTHER,
                                 .big = raw->big};
    bool good = true;
    for (unsigned i = 0; i < index; i++)
        if (strcmp(loader->raw->beats[i].id, raw->id) == 0)
            good = fail(loader, FIELD("beats.%u.id", index), "two beats are called \"%s\"", raw->id);
    for (size_t i = 0; raw->at && i < plan->access_count; i++)
        if (strcmp(plan->accesses[i].name, raw->at) == 0) {
            beat->access = (int)i;
            beat->at = plan->accesses[i].lines[0];
            beat->lane = plan->accesses[i].lane;
        }
    if (raw->at && beat->access < 0)
        good = fail(loader, FIELD("beats.%u.at", index), "no access is called \"%s\"", raw->at);
    good = load_question(loader, index, beat) && good;
    if ((raw->ladder != NULL) != (raw->ladder_knob != NULL) || ((raw->stage & STAGE_LADDER) != 0) != (raw->ladder != 0))
        good =
            fail(loader, FIELD("beats.%u", index), "a ladder needs `ladder`, `ladder_knob` and its panel in `stage`");
    if (raw->ladder_knob && (beat->ladder_knob = lesson_knob_index(loader->lesson, raw->ladder_knob)) < 0)
        good = fail(loader, FIELD("beats.%u.ladder_knob", index), "there is no knob \"%s\"", raw->ladder_knob);
    struct lesson_set *sets = NULL;
    if (!load_sets(loader, FIELD("beats.%u.set", index), raw->set, raw->set_count, &sets))
        return false;
    lesson_apply_sets(setting, sets, (int)raw->set_count);
    beat->sets = whole_setting(loader, setting);
    beat->set_count = loader->lesson->knob_count + 1;
    struct error bad;
    if (beat->access >= 0 &&
        !plan_place(loader->lesson, setting, beat->access, &beat->block, &beat->warp, &beat->occurrence, &bad)) {
        const char *field = plan_field(loader->lesson, &bad, loader->arena);
        good = fail_as(loader, field ? field : FIELD("accesses.%d", beat->access), &bad);
    }
    return good;
}

static bool load_beats(const struct loader *loader)
{
    const struct raw_lesson *raw = loader->raw;
    if (raw->beats_count == 0)
        return fail(loader, "beats", "a lesson needs at least one beat");
    struct lesson_beat *beats = arena_array(loader->arena, struct lesson_beat, raw->beats_count);
    struct lesson_setting setting = lesson_defaults(loader->lesson);
    bool good = true;
    for (unsigned i = 0; i < raw->beats_count; i++)
        good = load_beat(loader, i, &setting, &beats[i]) && good;
    loader->lesson->beats = beats;
    loader->lesson->beat_count = (int)raw->beats_count;
    for (unsigned i = 0; i < raw->beats_count; i++)
        beats[i].asks_time = expression_tells_time(loader->lesson, beats[i].answer);
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        static const char *const files[LANGUAGE_COUNT] = {"en.md", "ko.md"};
        words_read(loader->lesson, beats, (enum language)language,
                   FIELD("%s/%s", loader->lesson->folder, files[language]), loader->problems);
        notes_read(loader->lesson, beats, (enum language)language,
                   FIELD("%s/notes.%s", loader->lesson->folder, files[language]), loader->problems);
        for (unsigned i = 0; i < raw->beats_count; i++)
            beats[i].tells_time[language] = words_tell_time(loader->lesson, &beats[i].words[language]);
    }
    return good;
}

static void load(struct lesson *lesson, struct lesson_problems *problems)
{
    struct loader loader = {.lesson = lesson, .arena = &lesson->arena, .problems = problems};
    struct error error;
    loader.path = arena_format(&lesson->arena, "%s/lesson.yaml", lesson->folder);
    char *text;
    if (!file_read(&lesson->arena, loader.path, &text, &loader.size, &error)) {
        problems_add_error(problems, &error);
        return;
    }
    loader.text = text;
    if (!schema_read(&lesson->arena, loader.path, text, loader.size, &loader.raw, problems))
        return;
    lesson->order = loader.raw->order;
    load_minutes(&loader);
    lesson->values = loader.raw->values;
    lesson->dram_preset = loader.raw->dram ? loader.raw->dram : "classroom";
    if (!dram_preset(lesson->dram_preset))
        fail(&loader, "dram", "there is no preset \"%s\"", lesson->dram_preset);
    if (!load_knobs_and_variants(&loader))
        return; /* beats name them */
    load_plan(&loader);
    load_beats(&loader);
}

void lesson_load_listing(const char *folder, struct lesson **out, struct lesson_problems *problems)
{
    struct lesson *lesson = calloc(1, sizeof *lesson);
    size_t const before = problems_count(problems, PROBLEM_ERROR);
    *out = NULL;
    if (!lesson) {
        problems_add(problems, &(struct lesson_problem){.kind = ERROR_MISSING, .said = "no memory for a lesson"});
        return;
    }
    lesson->folder = path_absolute(&lesson->arena, folder);
    lesson->name = path_name(lesson->folder);
    load(lesson, problems);
    if (problems_count(problems, PROBLEM_ERROR) == before)
        *out = lesson;
    else
        lesson_free(lesson);
}

bool lesson_load_folder(const char *folder, struct lesson **lesson, struct error *error)
{
    struct lesson_problems problems = {0};
    lesson_load_listing(folder, lesson, &problems);
    bool told = false;
    for (size_t i = 0; i < problems.count && !told && !*lesson; i++)
        if ((told = problems.items[i].level == PROBLEM_ERROR))
            problem_error(&problems.items[i], error);
    problems_free(&problems);
    return *lesson != NULL;
}

void lesson_free(struct lesson *lesson)
{
    if (!lesson)
        return;
    if (lesson->plan)
        kept_free(lesson->plan->kept);
    arena_free(&lesson->arena);
    free(lesson);
}
