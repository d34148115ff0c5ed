/* YAML files read by a schema of libcyaml: lessons and figures of GPUs. */
#ifndef LANESCOPE_BASE_SCHEMA_H
#define LANESCOPE_BASE_SCHEMA_H
#include "base/arena.h"
#include "base/error.h"
#include <stddef.h>

struct cyaml_schema_value;
/* Returns whether a text is small enough for its reader: at most 1 MiB, 32 levels and 20,000 values, without aliases,
 * which multiply, and without control characters. What is no YAML passes here. */
bool schema_bounded(const char *path, const char *text, size_t size, struct error *error);
/* Reads `text` by the schema into a structure of the schema's type, in the arena. An error names path, line and field.
 */
bool schema_load(struct arena *arena, const char *path, const char *text, size_t size,
                 const struct cyaml_schema_value *schema, void **loaded, struct error *error);
/* The same, without regard to fields that the schema does not have. */
bool schema_load_known(struct arena *arena, const char *path, const char *text, size_t size,
                       const struct cyaml_schema_value *schema, void **loaded, struct error *error);

struct schema_problem {
    int line;
    const char *field, *said;
    const char *remedy; /* "": none */
    bool unknown_field;
};
typedef void schema_report(void *context, const struct schema_problem *problem);
/* Reports every place where the text differs from the schema, in the order of the text, and returns their number: 0 for
 * a text that is no YAML or not bounded. Field and words lie in the arena. */
size_t schema_check(struct arena *arena, const char *text, size_t size, const struct cyaml_schema_value *schema,
                    schema_report *report, void *context);
/* Returns the line of a field given by its path, "beats.3.at", or of the nearest part of the path that exists. Returns
 * 0 when the text is no YAML. */
int schema_line(const char *text, size_t size, const char *field);
#endif
