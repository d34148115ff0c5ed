/* The names of a source text and the lines where they are defined: variables, parameters, functions, types, macros. It
 * reads the text alone, as a person skims it, and nothing but the way to a definition depends on it. */
#ifndef LANESCOPE_SOURCE_DEFINITIONS_H
#define LANESCOPE_SOURCE_DEFINITIONS_H
#include "base/arena.h"
#include <stdint.h>

enum { CODE_NAMES_BYTES = 1 << 17 }; /* a longer source has no names */

struct code_name {
    const char *start; /* in the source */
    size_t length;
    uint32_t line; /* of the definition, counted from 1 */
};
struct code_names {
    struct code_name *items;
    size_t count;
};

struct code_names code_names_of(struct arena *arena, const char *text);
/* Returns the line that defines a name as the line `from` sees it: the nearest definition at or above it. 0: none. */
uint32_t code_names_line(const struct code_names *names, const char *name, size_t length, uint32_t from);
/* Returns the name at a byte of a line of code, and its length; NULL where there is none, and in comments and texts in
 * quotation marks. */
const char *code_name_at(struct arena *arena, const char *line, size_t byte, size_t *length);
#endif
