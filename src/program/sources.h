/* The files of the user's own that a program is made of, and the way from a line of one version to the next. */
#ifndef LANESCOPE_PROGRAM_SOURCES_H
#define LANESCOPE_PROGRAM_SOURCES_H
#include "base/arena.h"
#include "base/file.h"

enum { PROGRAM_SOURCES_MAX = 64 };
struct program_sources {
    const char *paths[PROGRAM_SOURCES_MAX]; /* the opened file, then what it includes in quotes, there or not */
    size_t count;
    struct digest digest; /* of all of them as they are now */
};
void program_sources_find(struct arena *arena, const char *path, struct program_sources *sources);

/* Returns where a line of the old text is in the new one: by the lines that both begin and end with. A line in between
 * leads to the nearest one that may be it; *exact: the line is the same. */
uint32_t program_line_after(const char *before, const char *after, uint32_t line, bool *exact);
#endif
