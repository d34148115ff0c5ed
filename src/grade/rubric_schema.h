/* For src/grade only: a rubric as it stands in its file. */
#ifndef LANESCOPE_GRADE_RUBRIC_SCHEMA_H
#define LANESCOPE_GRADE_RUBRIC_SCHEMA_H
#include <stdbool.h>
#include <stdint.h>

struct raw_limits {
    double *seconds;
    int64_t *memory, *disk, *processes, *instructions;
};
struct raw_rubric_run {
    char *run, *grid, *block, *shared;
    char **sizes, **arguments, **arg;
    unsigned sizes_count, arguments_count, arg_count;
};
struct raw_rule {
    char *rule, *ko, *feedback, *feedback_ko, *lesson, *name, *needs;
    double points;
    bool hidden;
    char **runs;
    unsigned runs_count;
    char *prints, *output, *reference, *holds, *kernel;
    int64_t *status;
    double *tolerance;
    char **without, **uses, **lacks;
    unsigned without_count, uses_count, lacks_count;
};
struct raw_rubric {
    char *title, *ko, *file, *program, *reference, *kernel;
    char **files, **flags;
    unsigned files_count, flags_count;
    struct raw_limits *limits;
    struct raw_rubric_run *runs;
    struct raw_rule *rules;
    unsigned runs_count, rules_count;
};
struct cyaml_schema_value;
extern const struct cyaml_schema_value rubric_schema;
#endif
