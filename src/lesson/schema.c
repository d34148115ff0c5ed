/* The schema of lesson.yaml: its fields, their kinds, and which of them must be present. */
#include "lesson/schema.h"
#include "base/schema.h"
#include "trace/trace.h"
#include <cyaml/cyaml.h>

enum { NEEDED = CYAML_FLAG_DEFAULT, MAY = CYAML_FLAG_OPTIONAL };
#define TEXT(structure, member, flags)                                                                                 \
    CYAML_FIELD_STRING_PTR(#member, (flags) | CYAML_FLAG_POINTER, structure, member, 0, CYAML_UNLIMITED)
#define LIST(structure, member, flags, schema)                                                                         \
    CYAML_FIELD_SEQUENCE(#member, (flags) | CYAML_FLAG_POINTER, structure, member, &(schema), 0, CYAML_UNLIMITED)

/* libcyaml's own booleans take almost any word as true. */
static const cyaml_strval_t truths[] = {{"false", false}, {"true", true}};
static const cyaml_schema_value_t text_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
static const cyaml_schema_value_t whole_schema = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int64_t)};
static const cyaml_schema_value_t number_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};

static const cyaml_schema_field_t words_fields[] = {TEXT(struct raw_words, en, NEEDED),
                                                    TEXT(struct raw_words, ko, NEEDED), CYAML_FIELD_END};

static const cyaml_schema_field_t knob_fields[] = {
    TEXT(struct raw_knob, name, NEEDED),
    TEXT(struct raw_knob, unit, MAY),
    CYAML_FIELD_MAPPING("label", NEEDED, struct raw_knob, label, words_fields),
    CYAML_FIELD_INT("from", MAY, struct raw_knob, from),
    CYAML_FIELD_INT("to", MAY, struct raw_knob, to),
    CYAML_FIELD_INT("step", MAY, struct raw_knob, step),
    LIST(struct raw_knob, values, MAY, whole_schema),
    CYAML_FIELD_INT("start", NEEDED, struct raw_knob, start),
    CYAML_FIELD_END};
static const cyaml_schema_value_t knob_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_knob, knob_fields)};

static const cyaml_schema_field_t variant_fields[] = {
    TEXT(struct raw_variant, name, NEEDED),
    TEXT(struct raw_variant, source, NEEDED),
    TEXT(struct raw_variant, kernel, NEEDED),
    TEXT(struct raw_variant, reference, MAY),
    TEXT(struct raw_variant, host, MAY),
    TEXT(struct raw_variant, expect, MAY),
    TEXT(struct raw_variant, result, MAY),
    CYAML_FIELD_ENUM("faulty", MAY, struct raw_variant, faulty, truths, CYAML_ARRAY_LEN(truths)),
    CYAML_FIELD_MAPPING("label", NEEDED, struct raw_variant, label, words_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t variant_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_variant, variant_fields)};

static const cyaml_schema_field_t let_fields[] = {TEXT(struct raw_let, name, NEEDED),
                                                  TEXT(struct raw_let, value, NEEDED), CYAML_FIELD_END};
static const cyaml_schema_value_t let_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_let, let_fields)};

static const cyaml_schema_field_t launch_fields[] = {
    TEXT(struct raw_launch, grid, NEEDED), TEXT(struct raw_launch, grid_y, MAY),
    TEXT(struct raw_launch, grid_z, MAY),  TEXT(struct raw_launch, block, NEEDED),
    TEXT(struct raw_launch, block_y, MAY), TEXT(struct raw_launch, block_z, MAY),
    TEXT(struct raw_launch, shared, MAY),  TEXT(struct raw_launch, first, MAY),
    TEXT(struct raw_launch, last, MAY),    CYAML_FIELD_END};

static const cyaml_schema_field_t define_fields[] = {
    TEXT(struct raw_define, name, NEEDED), TEXT(struct raw_define, by, NEEDED),
    LIST(struct raw_define, values, NEEDED, text_schema), CYAML_FIELD_END};
static const cyaml_schema_value_t define_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_define, define_fields)};

static const cyaml_schema_field_t argument_fields[] = {TEXT(struct raw_argument, name, NEEDED),
                                                       TEXT(struct raw_argument, by, MAY),
                                                       LIST(struct raw_argument, types, NEEDED, text_schema),
                                                       TEXT(struct raw_argument, count, MAY),
                                                       TEXT(struct raw_argument, value, MAY),
                                                       TEXT(struct raw_argument, fill, MAY),
                                                       LIST(struct raw_argument, fills, MAY, text_schema),
                                                       LIST(struct raw_argument, shape, MAY, text_schema),
                                                       TEXT(struct raw_argument, pitch, MAY),
                                                       CYAML_FIELD_END};
static const cyaml_schema_value_t argument_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_argument, argument_fields)};

static const cyaml_strval_t operations[] = {{"any", -1},
                                            {"load", TRACE_LOAD},
                                            {"store", TRACE_STORE},
                                            {"atomic", TRACE_ATOMIC},
                                            {"barrier", TRACE_BARRIER},
                                            {"branch", TRACE_BRANCH},
                                            {"shuffle", TRACE_EXCHANGE},
                                            {"product", TRACE_PRODUCT}};
static const cyaml_strval_t spaces[] = {{"any", -1},
                                        {"global", PTX_SPACE_GLOBAL},
                                        {"shared", PTX_SPACE_SHARED},
                                        {"local", PTX_SPACE_LOCAL},
                                        {"constant", PTX_SPACE_CONST}};
static const cyaml_schema_field_t access_fields[] = {
    TEXT(struct raw_access, name, NEEDED),
    LIST(struct raw_access, lines, NEEDED, text_schema),
    TEXT(struct raw_access, block, MAY),
    TEXT(struct raw_access, warp, MAY),
    TEXT(struct raw_access, occurrence, MAY),
    CYAML_FIELD_INT("lane", MAY, struct raw_access, lane),
    CYAML_FIELD_ENUM("operation", NEEDED, struct raw_access, operation, operations, CYAML_ARRAY_LEN(operations)),
    CYAML_FIELD_ENUM("space", NEEDED, struct raw_access, space, spaces, CYAML_ARRAY_LEN(spaces)),
    CYAML_FIELD_END};
static const cyaml_schema_value_t access_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_access, access_fields)};

static const cyaml_schema_field_t elsewhere_fields[] = {
    TEXT(struct raw_elsewhere, name, NEEDED), TEXT(struct raw_elsewhere, value, NEEDED),
    LIST(struct raw_elsewhere, set, NEEDED, text_schema), CYAML_FIELD_END};
static const cyaml_schema_value_t elsewhere_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_elsewhere, elsewhere_fields)};

static const cyaml_schema_field_t picture_fields[] = {TEXT(struct raw_picture, input, NEEDED),
                                                      TEXT(struct raw_picture, window, MAY), CYAML_FIELD_END};

static const cyaml_schema_field_t arrays_fields[] = {LIST(struct raw_arrays, pair, MAY, text_schema),
                                                     LIST(struct raw_arrays, product, MAY, text_schema),
                                                     CYAML_FIELD_END};

static const cyaml_schema_field_t timed_fields[] = {
    LIST(struct raw_timed, let, MAY, let_schema),
    CYAML_FIELD_MAPPING("what", NEEDED, struct raw_timed, what, words_fields),
    CYAML_FIELD_ENUM("beyond_cache", MAY, struct raw_timed, beyond_cache, truths, CYAML_ARRAY_LEN(truths)),
    CYAML_FIELD_END};

static const cyaml_schema_field_t compare_fields[] = {
    CYAML_FIELD_MAPPING("label", NEEDED, struct raw_compare, label, words_fields),
    TEXT(struct raw_compare, recording, NEEDED),
    TEXT(struct raw_compare, variant, NEEDED),
    TEXT(struct raw_compare, by, NEEDED),
    TEXT(struct raw_compare, flop, MAY),
    CYAML_FIELD_END};

static const cyaml_schema_field_t sweep_fields[] = {LIST(struct raw_sweep, variants, MAY, text_schema),
                                                    LIST(struct raw_sweep, over, MAY, text_schema), CYAML_FIELD_END};
static const cyaml_schema_value_t sweep_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_sweep, sweep_fields)};
static const cyaml_schema_field_t record_fields[] = {
    LIST(struct raw_record, timings, MAY, sweep_schema), LIST(struct raw_record, traces, MAY, sweep_schema),
    LIST(struct raw_record, counters, MAY, sweep_schema), CYAML_FIELD_END};

static const cyaml_strval_t beat_kinds[] = {{"tell", BEAT_TELL},        {"ask", BEAT_ASK}, {"observe", BEAT_OBSERVE},
                                            {"mark", BEAT_MARK},        {"bug", BEAT_BUG}, {"task", BEAT_TASK},
                                            {"remember", BEAT_REMEMBER}};
#define PANEL(name, FLAG, ...) {#name, STAGE_##FLAG},
#define FIXTURE(name, ...)
static const cyaml_strval_t panels[] = {
#include "ui/panels.def"
};
#undef PANEL
#define PANEL(name, FLAG, ...)
#define CELLS(word, KIND, panel, FLAG) {#word, CELLS_##KIND + 1},
static const cyaml_strval_t marks[] = {
#include "ui/panels.def"
};
#undef FIXTURE
#undef PANEL
static const cyaml_strval_t later_words[] = {
    {"sectors", LATER_SECTORS}, {"passes", LATER_PASSES}, {"conflicts", LATER_CONFLICTS}, {"caches", LATER_CACHES}};
static const cyaml_schema_field_t beat_fields[] = {
    TEXT(struct raw_beat, id, NEEDED),
    CYAML_FIELD_ENUM("kind", MAY, struct raw_beat, kind, beat_kinds, CYAML_ARRAY_LEN(beat_kinds)),
    CYAML_FIELD_FLAGS("stage", NEEDED, struct raw_beat, stage, panels, CYAML_ARRAY_LEN(panels)),
    CYAML_FIELD_FLAGS("focus", MAY, struct raw_beat, focus, panels, CYAML_ARRAY_LEN(panels)),
    CYAML_FIELD_FLAGS("later", MAY, struct raw_beat, later, later_words, CYAML_ARRAY_LEN(later_words)),
    TEXT(struct raw_beat, at, MAY),
    LIST(struct raw_beat, set, MAY, text_schema),
    TEXT(struct raw_beat, answer, MAY),
    LIST(struct raw_beat, choices, MAY, number_schema),
    TEXT(struct raw_beat, goal, MAY),
    CYAML_FIELD_ENUM("mark", MAY, struct raw_beat, mark, marks, CYAML_ARRAY_LEN(marks)),
    TEXT(struct raw_beat, line, MAY),
    TEXT(struct raw_beat, mended, MAY),
    TEXT(struct raw_beat, ladder, MAY),
    TEXT(struct raw_beat, ladder_knob, MAY),
    TEXT(struct raw_beat, big, MAY),
    TEXT(struct raw_beat, caches, MAY),
    CYAML_FIELD_END};
static const cyaml_schema_value_t beat_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_beat, beat_fields)};

static const cyaml_schema_field_t minutes_fields[] = {CYAML_FIELD_UINT("alone", NEEDED, struct raw_minutes, alone),
                                                      CYAML_FIELD_UINT("class", NEEDED, struct raw_minutes, in_class),
                                                      CYAML_FIELD_END};

static const cyaml_schema_field_t lesson_fields[] = {
    CYAML_FIELD_INT("order", NEEDED, struct raw_lesson, order),
    CYAML_FIELD_MAPPING_PTR("minutes", MAY | CYAML_FLAG_POINTER, struct raw_lesson, minutes, minutes_fields),
    TEXT(struct raw_lesson, dram, MAY),
    TEXT(struct raw_lesson, caches, MAY),
    CYAML_FIELD_ENUM("values", MAY, struct raw_lesson, values, truths, CYAML_ARRAY_LEN(truths)),
    LIST(struct raw_lesson, knobs, MAY, knob_schema),
    LIST(struct raw_lesson, variants, NEEDED, variant_schema),
    LIST(struct raw_lesson, let, MAY, let_schema),
    CYAML_FIELD_MAPPING("launch", NEEDED, struct raw_lesson, launch, launch_fields),
    LIST(struct raw_lesson, defines, MAY, define_schema),
    LIST(struct raw_lesson, arguments, MAY, argument_schema),
    TEXT(struct raw_lesson, check, MAY),
    CYAML_FIELD_MAPPING("picture", MAY, struct raw_lesson, picture, picture_fields),
    CYAML_FIELD_MAPPING("arrays", MAY, struct raw_lesson, arrays, arrays_fields),
    LIST(struct raw_lesson, accesses, MAY, access_schema),
    LIST(struct raw_lesson, elsewhere, MAY, elsewhere_schema),
    CYAML_FIELD_MAPPING("timed", MAY, struct raw_lesson, timed, timed_fields),
    CYAML_FIELD_MAPPING("compare", MAY, struct raw_lesson, compare, compare_fields),
    CYAML_FIELD_MAPPING("record", MAY, struct raw_lesson, record, record_fields),
    LIST(struct raw_lesson, beats, NEEDED, beat_schema),
    CYAML_FIELD_END};
static const cyaml_schema_value_t lesson_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_lesson, lesson_fields)};

struct listing {
    struct lesson_problems *problems;
    const char *path;
    bool unknown_fields_alone;
};

static void list(void *context, const struct schema_problem *problem)
{
    struct listing *listing = context;
    listing->unknown_fields_alone = listing->unknown_fields_alone && problem->unknown_field;
    problems_add(listing->problems, &(struct lesson_problem){.file = listing->path,
                                                             .line = problem->line,
                                                             .field = problem->field[0] ? problem->field : NULL,
                                                             .said = problem->said,
                                                             .remedy = problem->remedy});
}

bool schema_read(struct arena *arena, const char *path, const char *text, size_t size, struct raw_lesson **raw,
                 struct lesson_problems *problems)
{
    struct listing listing = {problems, path, true};
    struct error error;
    void *loaded;
    size_t const count = schema_check(arena, text, size, &lesson_schema, list, &listing);
    if (count && !listing.unknown_fields_alone)
        return false;
    if (!schema_load_known(arena, path, text, size, &lesson_schema, &loaded, &error)) {
        problems_add_error(problems, &error);
        return false;
    }
    *raw = loaded;
    return true;
}
