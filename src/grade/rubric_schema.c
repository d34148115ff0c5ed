/* The fields of a rubric, their kinds, and which of them must be present. */
#include "grade/rubric_schema.h"
#include <cyaml/cyaml.h>

enum { NEEDED = CYAML_FLAG_DEFAULT, MAY = CYAML_FLAG_OPTIONAL };
#define TEXT(structure, member, flags)                                                                                 \
    CYAML_FIELD_STRING_PTR(#member, (flags) | CYAML_FLAG_POINTER, structure, member, 0, CYAML_UNLIMITED)
#define LIST(structure, member, flags, schema)                                                                         \
    CYAML_FIELD_SEQUENCE(#member, (flags) | CYAML_FLAG_POINTER, structure, member, &(schema), 0, CYAML_UNLIMITED)
#define WHOLE(structure, member) CYAML_FIELD_INT_PTR(#member, MAY | CYAML_FLAG_POINTER, structure, member)
#define NUMBER(structure, member) CYAML_FIELD_FLOAT_PTR(#member, MAY | CYAML_FLAG_POINTER, structure, member)

/* libcyaml's own booleans take almost any word as true. */
static const cyaml_strval_t truths[] = {{"false", false}, {"true", true}};
static const cyaml_schema_value_t text_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};

static const cyaml_schema_field_t limit_fields[] = {
    NUMBER(struct raw_limits, seconds),  WHOLE(struct raw_limits, memory),       WHOLE(struct raw_limits, disk),
    WHOLE(struct raw_limits, processes), WHOLE(struct raw_limits, instructions), CYAML_FIELD_END};

static const cyaml_schema_field_t run_fields[] = {TEXT(struct raw_rubric_run, run, NEEDED),
                                                  TEXT(struct raw_rubric_run, grid, MAY),
                                                  TEXT(struct raw_rubric_run, block, MAY),
                                                  TEXT(struct raw_rubric_run, shared, MAY),
                                                  LIST(struct raw_rubric_run, sizes, MAY, text_schema),
                                                  LIST(struct raw_rubric_run, arguments, MAY, text_schema),
                                                  LIST(struct raw_rubric_run, arg, MAY, text_schema),
                                                  CYAML_FIELD_END};
static const cyaml_schema_value_t run_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_rubric_run, run_fields)};

static const cyaml_schema_field_t rule_fields[] = {
    TEXT(struct raw_rule, rule, NEEDED),
    TEXT(struct raw_rule, ko, MAY),
    TEXT(struct raw_rule, feedback, MAY),
    TEXT(struct raw_rule, feedback_ko, MAY),
    TEXT(struct raw_rule, lesson, MAY),
    TEXT(struct raw_rule, name, MAY),
    TEXT(struct raw_rule, needs, MAY),
    CYAML_FIELD_FLOAT("points", NEEDED, struct raw_rule, points),
    CYAML_FIELD_ENUM("hidden", MAY, struct raw_rule, hidden, truths, CYAML_ARRAY_LEN(truths)),
    LIST(struct raw_rule, runs, MAY, text_schema),
    TEXT(struct raw_rule, prints, MAY),
    TEXT(struct raw_rule, output, MAY),
    TEXT(struct raw_rule, reference, MAY),
    TEXT(struct raw_rule, holds, MAY),
    TEXT(struct raw_rule, kernel, MAY),
    WHOLE(struct raw_rule, status),
    NUMBER(struct raw_rule, tolerance),
    LIST(struct raw_rule, without, MAY, text_schema),
    LIST(struct raw_rule, uses, MAY, text_schema),
    LIST(struct raw_rule, lacks, MAY, text_schema),
    CYAML_FIELD_END};
static const cyaml_schema_value_t rule_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_rule, rule_fields)};

static const cyaml_schema_field_t rubric_fields[] = {
    TEXT(struct raw_rubric, title, NEEDED),
    TEXT(struct raw_rubric, ko, MAY),
    TEXT(struct raw_rubric, file, NEEDED),
    TEXT(struct raw_rubric, program, MAY),
    TEXT(struct raw_rubric, reference, MAY),
    TEXT(struct raw_rubric, kernel, MAY),
    LIST(struct raw_rubric, files, MAY, text_schema),
    LIST(struct raw_rubric, flags, MAY, text_schema),
    CYAML_FIELD_MAPPING_PTR("limits", MAY | CYAML_FLAG_POINTER, struct raw_rubric, limits, limit_fields),
    LIST(struct raw_rubric, runs, NEEDED, run_schema),
    LIST(struct raw_rubric, rules, NEEDED, rule_schema),
    CYAML_FIELD_END};
const cyaml_schema_value_t rubric_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_rubric, rubric_fields)};
