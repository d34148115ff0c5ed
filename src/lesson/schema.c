/* lesson.yaml by libcyaml's schema: what fields there are, which must be there, of what kind; and the reading of any
 * YAML file by a schema. libcyaml tells of an error through its log, innermost field first; the first message and the
 * first place make the error the user reads. */
#include "lesson/plan.h"
#include "trace/trace.h"
#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { NEEDED = CYAML_FLAG_DEFAULT, MAY = CYAML_FLAG_OPTIONAL };
#define TEXT(structure, member, flags)                                                                                 \
    CYAML_FIELD_STRING_PTR(#member, (flags) | CYAML_FLAG_POINTER, structure, member, 0, CYAML_UNLIMITED)
#define LIST(structure, member, flags, schema)                                                                         \
    CYAML_FIELD_SEQUENCE(#member, (flags) | CYAML_FLAG_POINTER, structure, member, &(schema), 0, CYAML_UNLIMITED)

/* Not libcyaml's own: to it, all but a few words are true. */
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
                                                       CYAML_FIELD_END};
static const cyaml_schema_value_t argument_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_argument, argument_fields)};

static const cyaml_strval_t operations[] = {{"any", -1},
                                            {"load", TRACE_LOAD},
                                            {"store", TRACE_STORE},
                                            {"atomic", TRACE_ATOMIC},
                                            {"barrier", TRACE_BARRIER},
                                            {"branch", TRACE_BRANCH}};
static const cyaml_strval_t spaces[] = {
    {"any", -1}, {"global", PTX_SPACE_GLOBAL}, {"shared", PTX_SPACE_SHARED}, {"local", PTX_SPACE_LOCAL}};
static const cyaml_schema_field_t access_fields[] = {
    TEXT(struct raw_access, name, NEEDED),
    LIST(struct raw_access, lines, NEEDED, text_schema),
    TEXT(struct raw_access, block, MAY),
    TEXT(struct raw_access, warp, MAY),
    TEXT(struct raw_access, occurrence, MAY),
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

static const cyaml_schema_field_t timed_fields[] = {
    LIST(struct raw_timed, let, MAY, let_schema), TEXT(struct raw_timed, what, NEEDED),
    CYAML_FIELD_ENUM("beyond_cache", MAY, struct raw_timed, beyond_cache, truths, CYAML_ARRAY_LEN(truths)),
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
static const cyaml_strval_t marks[] = {{"lanes", MARK_LANES + 1}, {"threads", MARK_THREADS + 1},
                                       {"banks", MARK_BANKS + 1}, {"sectors", MARK_SECTORS + 1},
                                       {"rows", MARK_ROWS + 1},   {"elements", MARK_ELEMENTS + 1}};
#define PANEL(name, FLAG, ...) {#name, STAGE_##FLAG},
#define FIXTURE(name, ...)
static const cyaml_strval_t panels[] = {
#include "ui/panels.def"
};
#undef FIXTURE
#undef PANEL
static const cyaml_schema_field_t beat_fields[] = {
    TEXT(struct raw_beat, id, NEEDED),
    CYAML_FIELD_ENUM("kind", MAY, struct raw_beat, kind, beat_kinds, CYAML_ARRAY_LEN(beat_kinds)),
    CYAML_FIELD_FLAGS("stage", NEEDED, struct raw_beat, stage, panels, CYAML_ARRAY_LEN(panels)),
    CYAML_FIELD_FLAGS("focus", MAY, struct raw_beat, focus, panels, CYAML_ARRAY_LEN(panels)),
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
    CYAML_FIELD_END};
static const cyaml_schema_value_t beat_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_beat, beat_fields)};

static const cyaml_schema_field_t lesson_fields[] = {
    CYAML_FIELD_INT("order", NEEDED, struct raw_lesson, order),
    TEXT(struct raw_lesson, dram, MAY),
    CYAML_FIELD_ENUM("values", MAY, struct raw_lesson, values, truths, CYAML_ARRAY_LEN(truths)),
    LIST(struct raw_lesson, knobs, MAY, knob_schema),
    LIST(struct raw_lesson, variants, NEEDED, variant_schema),
    LIST(struct raw_lesson, let, MAY, let_schema),
    CYAML_FIELD_MAPPING("launch", NEEDED, struct raw_lesson, launch, launch_fields),
    LIST(struct raw_lesson, defines, MAY, define_schema),
    LIST(struct raw_lesson, arguments, MAY, argument_schema),
    TEXT(struct raw_lesson, check, MAY),
    LIST(struct raw_lesson, accesses, MAY, access_schema),
    LIST(struct raw_lesson, elsewhere, MAY, elsewhere_schema),
    CYAML_FIELD_MAPPING("timed", MAY, struct raw_lesson, timed, timed_fields),
    CYAML_FIELD_MAPPING("record", MAY, struct raw_lesson, record, record_fields),
    LIST(struct raw_lesson, beats, NEEDED, beat_schema),
    CYAML_FIELD_END};
static const cyaml_schema_value_t lesson_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_lesson, lesson_fields)};

/* libcyaml allocates in the lesson's arena: each block has its size before it, for when it grows. */
enum { SIZE_ROOM = 16 };
static void *allocate(void *context, void *old, size_t size)
{
    if (size == 0)
        return NULL;
    char *block = arena_alloc(context, size + SIZE_ROOM);
    memcpy(block, &size, sizeof size);
    if (old) {
        size_t old_size;
        memcpy(&old_size, (char *)old - SIZE_ROOM, sizeof old_size);
        memcpy(block + SIZE_ROOM, old, old_size < size ? old_size : size);
    }
    return block + SIZE_ROOM;
}

struct complaint {
    char what[256], field[256]; /* field: the path from the top, "beats.3.at" */
    int line, column;
};

/* The first message says what is wrong; each line of the backtrace after it names a field, the innermost first. */
static void listen(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    struct complaint *complaint = context;
    char text[512], name[64], path[256];
    (void)level;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    const char *said = strncmp(text, "Load: ", 6) == 0 ? text + 6 : text;
    while (*said == ' ')
        ++said;
    const char *place = strstr(said, "(line: ");
    if (!place) {
        if (!complaint->what[0] && strcmp(said, "Backtrace:") != 0)
            snprintf(complaint->what, sizeof complaint->what, "%.200s", said);
        return;
    }
    if (!complaint->line)
        sscanf(place, "(line: %d, column: %d)", &complaint->line, &complaint->column);
    unsigned entry;
    if (sscanf(said, "in sequence entry '%u'", &entry) == 1)
        snprintf(name, sizeof name, "%u", entry - 1); /* it counts from 1 */
    else if (sscanf(said, "in mapping field '%63[^']'", name) != 1)
        return;
    snprintf(path, sizeof path, "%s%s%.180s", name, complaint->field[0] ? "." : "", complaint->field);
    memcpy(complaint->field, path, sizeof path);
}

/* Text that is no YAML at all: libyaml knows the place, which libcyaml does not pass on. */
static bool complain_of_syntax(const char *path, const char *text, size_t size, struct error *error)
{
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        return false;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool const loaded = yaml_parser_load(&parser, &document) != 0;
    if (loaded)
        yaml_document_delete(&document);
    else
        error_at(error, ERROR_INPUT, path, (int)parser.problem_mark.line + 1, (int)parser.problem_mark.column + 1,
                 "is not YAML here: %s", parser.problem ? parser.problem : "it cannot be read");
    yaml_parser_delete(&parser);
    return !loaded;
}

/* libcyaml gives the place where it stood, which is past a key it does not know and at the last field of a mapping that
 * lacks one: the field's own line is looked up. */
static bool complain(struct complaint *complaint, const char *path, const char *text, size_t size, const char *what,
                     struct error *error)
{
    static const char unexpected[] = "Unexpected key: ", missing[] = "Missing required mapping field: ";
    char *field = complaint->field;
    size_t const length = strlen(field), room = sizeof complaint->field - length;
    if (strncmp(what, unexpected, sizeof unexpected - 1) == 0) {
        snprintf(field + length, room, "%s%s", length ? "." : "", what + sizeof unexpected - 1);
        what = "there is no such field";
    } else if (strncmp(what, missing, sizeof missing - 1) == 0) {
        char *dot = strrchr(field, '.');
        *(dot ? dot + 1 : field) = '\0';
        size_t const kept = strlen(field);
        snprintf(field + kept, sizeof complaint->field - kept, "%s", what + sizeof missing - 1);
        what = "is missing";
    }
    int const line = schema_line(text, size, field);
    if (!field[0])
        return error_at(error, ERROR_INPUT, path, complaint->line, complaint->column, "%s", what);
    return error_at(error, ERROR_INPUT, path, line ? line : complaint->line, line ? 0 : complaint->column,
                    "field '%s': %s", field, what);
}

bool schema_load(struct arena *arena, const char *path, const char *text, size_t size,
                 const struct cyaml_schema_value *schema, void **loaded, struct error *error)
{
    struct complaint complaint = {0};
    cyaml_config_t const config = {.log_fn = listen,
                                   .log_ctx = &complaint,
                                   .mem_fn = allocate,
                                   .mem_ctx = arena,
                                   .log_level = CYAML_LOG_ERROR,
                                   .flags = CYAML_CFG_NO_ALIAS};
    *loaded = NULL;
    cyaml_err_t const result = cyaml_load_data((const uint8_t *)text, size, &config, schema, loaded, NULL);
    if (result == CYAML_OK && *loaded)
        return true;
    if (complain_of_syntax(path, text, size, error))
        return false;
    return complain(&complaint, path, text, size, complaint.what[0] ? complaint.what : cyaml_strerror(result), error);
}

bool schema_read(struct arena *arena, const char *path, const char *text, size_t size, struct raw_lesson **raw,
                 struct error *error)
{
    void *loaded;
    if (!schema_load(arena, path, text, size, &lesson_schema, &loaded, error))
        return false;
    *raw = loaded;
    return true;
}

static yaml_node_t *child(yaml_document_t *document, yaml_node_t *node, const char *key, size_t length)
{
    if (node->type == YAML_SEQUENCE_NODE) {
        long const index = strtol(key, NULL, 10);
        yaml_node_item_t *item = node->data.sequence.items.start + index;
        return item < node->data.sequence.items.top ? yaml_document_get_node(document, *item) : NULL;
    }
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; ++pair) {
        yaml_node_t *name = yaml_document_get_node(document, pair->key);
        if (name->type == YAML_SCALAR_NODE && name->data.scalar.length == length &&
            memcmp(name->data.scalar.value, key, length) == 0)
            return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

int schema_line(const char *text, size_t size, const char *field)
{
    yaml_parser_t parser;
    yaml_document_t document;
    int line = 0;
    if (!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    if (yaml_parser_load(&parser, &document)) {
        yaml_node_t *node = yaml_document_get_root_node(&document);
        while (node) {
            line = (int)node->start_mark.line + 1;
            size_t const length = strcspn(field, ".");
            node = length ? child(&document, node, field, length) : NULL;
            field += length + (field[length] == '.');
        }
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return line;
}
