/* Finds the rows of a table that belong to one place of the source, without a look at all rows: a program may have a
 * hundred thousand accesses. */
#ifndef LANESCOPE_TRACE_BY_PLACE_H
#define LANESCOPE_TRACE_BY_PLACE_H
#include "trace/trace.h"

struct by_place {
    uint32_t *first, *next; /* row + 1; by hash, by row */
    uint32_t mask;
    bool columns; /* accesses in other columns of a line are at another place */
};
/* Makes an empty table for at most `most` rows, in the arena. */
struct by_place by_place_new(struct arena *arena, uint32_t most, bool columns);
/* Return the first row that may be at the site's place, and the next one, plus 1; 0: none. A site without a line is at
 * no place. */
uint32_t by_place_first(const struct by_place *rows, const struct trace_site *site);
uint32_t by_place_next(const struct by_place *rows, uint32_t row_plus_1);
/* Notes that a new row is at the site's place. */
void by_place_add(struct by_place *rows, const struct trace_site *site, uint32_t row);
#endif
