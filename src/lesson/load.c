/* Turns the raw fields of lesson.yaml into a lesson: names become indices, and rules that a schema cannot express are
 * checked here. A wrong field is listed with its line, and the next one is read. */
#include "lesson/load.h"
#include "base/file.h"
#include "base/schema.h"
#include "lesson/facts.h"
#include "lesson/kept.h"
#include "model/dram.h"
#include "run/reference.h"
#include <stdlib.h>
#include <string.h>

bool load_fail(const struct loader *loader, const char *field, const char *format, ...)
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

bool load_fail_as(const struct loader *loader, const char *field, const struct error *error)
{
    if (problems_full(loader->problems))
        return false;
    problems_add(loader->problems, &(struct lesson_problem){.file = loader->path,
                                                            .line = schema_line(loader->text, loader->size, field),
                                                            .field = field,
                                                            .said = error->message,
                                                            .remedy = error->remedy});
    return false;
}

static void load_minutes(const struct loader *loader)
{
    enum { MINUTES_MAX = 600 };
    const struct raw_minutes *raw = loader->raw->minutes;
    if (!raw)
        return;
    if (raw->alone < 1 || raw->alone > MINUTES_MAX || raw->in_class < 1 || raw->in_class > MINUTES_MAX)
        load_fail(loader, "minutes", "a lesson takes 1 to %d minutes", MINUTES_MAX);
    loader->lesson->minutes_alone = raw->alone;
    loader->lesson->minutes_in_class = raw->in_class;
}

static bool load_knob(const struct loader *loader, unsigned index)
{
    const struct raw_knob *raw = &loader->raw->knobs[index];
    struct lesson_knob *knob = (struct lesson_knob *)&loader->lesson->knobs[index];
    int64_t const step = raw->step ? raw->step : 1;
    uint64_t const span = (uint64_t)raw->to - (uint64_t)raw->from;
    if (!raw->values_count && (raw->to < raw->from || step < 0))
        return load_fail(loader, FIELD("knobs.%u", index), "needs `values`, or `from` and a `to` above it");
    uint64_t const steps = raw->values_count ? raw->values_count - 1 : span / (uint64_t)step;
    if (steps >= LESSON_VALUES_MAX)
        return load_fail(loader, FIELD("knobs.%u", index), "the knob has more than %d values", LESSON_VALUES_MAX);
    size_t const count = (size_t)steps + 1;
    int64_t *values = arena_array(loader->arena, int64_t, count);
    int start = -1;
    for (size_t i = 0; i < count; i++) {
        values[i] = raw->values_count ? raw->values[i] : (int64_t)((uint64_t)raw->from + i * (uint64_t)step);
        if (i > 0 && values[i] <= values[i - 1])
            return load_fail(loader, FIELD("knobs.%u.values", index), "the values must ascend");
        if (values[i] == raw->start)
            start = (int)i;
    }
    if (start < 0)
        return load_fail(loader, FIELD("knobs.%u.start", index), "%lld is not among the knob's values",
                         (long long)raw->start);
    *knob = (struct lesson_knob){.name = raw->name,
                                 .label = {raw->label.en, raw->label.ko},
                                 .unit = raw->unit ? raw->unit : "",
                                 .values = values,
                                 .value_count = (int)count,
                                 .default_index = start};
    return true;
}

/* Bounds the combinations of variants and values, which the check and the recording of a lesson go through. */
static bool count_settings(const struct loader *loader)
{
    const struct lesson *lesson = loader->lesson;
    uint64_t settings = (uint64_t)lesson->variant_count;
    for (int i = 0; i < lesson->knob_count; i++) /* below 32 * 4096^3 */
        settings *= (uint64_t)lesson->knobs[i].value_count;
    return settings <= LESSON_SETTINGS_MAX ||
           load_fail(loader, "knobs", "the variants and the knobs' values have %llu combinations; at most %d can be",
                     (unsigned long long)settings, LESSON_SETTINGS_MAX);
}

static bool load_knobs_and_variants(const struct loader *loader)
{
    struct lesson *lesson = loader->lesson;
    const struct raw_lesson *raw = loader->raw;
    if (raw->knobs_count > LESSON_KNOBS_MAX)
        return load_fail(loader, "knobs", "at most %d knobs, so that a student keeps the picture", LESSON_KNOBS_MAX);
    if (raw->variants_count == 0 || raw->variants_count > 32)
        return load_fail(loader, "variants", "needs 1 to 32 variants");
    lesson->knobs = arena_array(loader->arena, struct lesson_knob, raw->knobs_count);
    lesson->knob_count = (int)raw->knobs_count;
    bool good = true;
    for (unsigned i = 0; i < raw->knobs_count; i++)
        good = load_knob(loader, i) && good;
    struct lesson_variant *variants = arena_array(loader->arena, struct lesson_variant, raw->variants_count);
    for (unsigned i = 0; i < raw->variants_count; i++) {
        const struct raw_variant *from = &raw->variants[i];
        if (from->host && !reference_loop_known(from->host))
            good = load_fail(loader, FIELD("variants.%u.host", i), "\"%s\" is none of the host loops of this program",
                             from->host);
        if (from->reference && !reference_known(from->reference))
            good = load_fail(loader, FIELD("variants.%u.reference", i),
                             "\"%s\" is none of the references of this program", from->reference);
        struct error outside;
        if (!path_inside(loader->arena, lesson->folder, from->source, &outside))
            good = load_fail_as(loader, FIELD("variants.%u.source", i), &outside);
        for (unsigned k = 0; k < i; k++)
            if (strcmp(raw->variants[k].name, from->name) == 0)
                good = load_fail(loader, FIELD("variants.%u.name", i), "two variants are called \"%s\"", from->name);
        variants[i] = (struct lesson_variant){.name = from->name,
                                              .label = {from->label.en, from->label.ko},
                                              .source = from->source,
                                              .kernel = from->kernel,
                                              .reference = from->reference,
                                              .expect = from->expect,
                                              .result = from->result ? from->result : "",
                                              .faulty = from->faulty,
                                              .host = from->host != NULL,
                                              .loop = from->host};
    }
    lesson->variants = variants;
    lesson->variant_count = (int)raw->variants_count;
    return good && count_settings(loader);
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

/* The panel of each kind of cells. */
#define PANEL(name, FLAG, ...)
#define FIXTURE(name, ...)
#define CELLS(word, KIND, panel, FLAG) [CELLS_##KIND] = {#panel, STAGE_##FLAG},
static const struct {
    const char *name;
    unsigned flag;
} panels_of_cells[] = {
#include "ui/panels.def"
};
#undef FIXTURE
#undef PANEL

/* Checks and loads the fields that this kind of beat needs. */
static bool load_question(const struct loader *loader, unsigned index, struct lesson_beat *beat)
{
    const struct raw_beat *raw = &loader->raw->beats[index];
    bool good = true;
    bool const asks = raw->kind == BEAT_ASK || raw->kind == BEAT_OBSERVE;
    if (asks && (!raw->answer || raw->choices_count < 2 || raw->choices_count > 6))
        good = load_fail(loader, FIELD("beats.%u", index), "a question needs `answer` and 2 to 6 `choices`");
    if (raw->kind == BEAT_TASK && !raw->goal)
        good = load_fail(loader, FIELD("beats.%u", index), "a task needs a `goal`");
    if (raw->kind == BEAT_MARK && (!raw->mark || !raw->at))
        good = load_fail(loader, FIELD("beats.%u", index), "a beat in which cells are marked needs `mark` and `at`");
    else if (raw->kind == BEAT_MARK && !(raw->stage & panels_of_cells[raw->mark - 1].flag))
        good =
            load_fail(loader, FIELD("beats.%u.stage", index),
                      "the panel whose cells are marked must be on the stage: %s", panels_of_cells[raw->mark - 1].name);
    if (raw->kind == BEAT_BUG && (!raw->line || !raw->mended))
        good = load_fail(loader, FIELD("beats.%u", index), "a bug needs the wrong `line` and the `mended` variant");
    if (raw->mended && (beat->mended = lesson_variant_index(loader->lesson, raw->mended)) < 0)
        good = load_fail(loader, FIELD("beats.%u.mended", index), "there is no variant \"%s\"", raw->mended);
    beat->mark = (enum mark_cells)(raw->mark - 1);
    for (int language = 0; language < LANGUAGE_COUNT; language++)
        beat->wrong[language] = arena_array(loader->arena, struct lesson_text, raw->choices_count + 1);
    return good;
}

/* Returns whether a lesson or a beat has the caches followed. */
static bool load_caches(const struct loader *loader, const char *field, const char *caches)
{
    if (caches && strcmp(caches, "model") != 0)
        load_fail(loader, field, "it is \"model\" or left out");
    return caches != NULL;
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
                                 .later = raw->later,
                                 .caches = load_caches(loader, FIELD("beats.%u.caches", index), raw->caches),
                                 .access = -1,
                                 .answer = raw->answer,
                                 .choices = raw->choices,
                                 .choice_count = (int)raw->choices_count,
                                 .goal = raw->goal,
                                 .line = raw->line,
                                 .mended = -1,
                                 .ladder = raw->ladder,
                                 .ladder_counts = facts_count(loader->lesson, raw->ladder),
                                 .big = raw->big};
    bool good = true;
    for (unsigned i = 0; i < index; i++)
        if (strcmp(loader->raw->beats[i].id, raw->id) == 0)
            good = load_fail(loader, FIELD("beats.%u.id", index), "two beats are called \"%s\"", raw->id);
    for (size_t i = 0; raw->at && i < plan->access_count; i++)
        if (strcmp(plan->accesses[i].name, raw->at) == 0) {
            beat->access = (int)i;
            beat->at = plan->accesses[i].lines[0];
            beat->lane = plan->accesses[i].lane;
        }
    if (raw->at && beat->access < 0)
        good = load_fail(loader, FIELD("beats.%u.at", index), "no access is called \"%s\"", raw->at);
    good = load_question(loader, index, beat) && good;
    if ((raw->ladder != NULL) != (raw->ladder_knob != NULL) || ((raw->stage & STAGE_LADDER) != 0) != (raw->ladder != 0))
        good = load_fail(loader, FIELD("beats.%u", index),
                         "a ladder needs `ladder`, `ladder_knob` and its panel in `stage`");
    if (raw->ladder_knob && (beat->ladder_knob = lesson_knob_index(loader->lesson, raw->ladder_knob)) < 0)
        good = load_fail(loader, FIELD("beats.%u.ladder_knob", index), "there is no knob \"%s\"", raw->ladder_knob);
    struct lesson_set *sets = NULL;
    if (!load_sets(loader, FIELD("beats.%u.set", index), raw->set, raw->set_count, &sets))
        return false;
    lesson_apply_sets(setting, sets, (int)raw->set_count);
    beat->sets = whole_setting(loader, setting);
    beat->set_count = loader->lesson->knob_count + 1;
    struct error bad;
    if (beat->access >= 0 &&
        !plan_place(loader->lesson, setting, beat->access, &beat->block, &beat->warp, &beat->occurrence, &bad))
        good = load_fail_as(loader, bad.field, &bad);
    return good;
}

static bool load_beats(const struct loader *loader)
{
    const struct raw_lesson *raw = loader->raw;
    if (raw->beats_count == 0)
        return load_fail(loader, "beats", "a lesson needs at least one beat");
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
        words_read(loader->lesson, beats, (enum language)language, files[language], loader->problems);
        notes_read(loader->lesson, beats, (enum language)language, FIELD("notes.%s", files[language]),
                   loader->problems);
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
    if (!path_inside(&lesson->arena, lesson->folder, "lesson.yaml", &error) ||
        !file_read(&lesson->arena, loader.path, &text, &loader.size, &error)) {
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
        load_fail(&loader, "dram", "there is no preset \"%s\"", lesson->dram_preset);
    lesson->caches = load_caches(&loader, "caches", loader.raw->caches);
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
