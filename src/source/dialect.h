/* The words of a program as clang takes them: nvcc takes more. */
#ifndef LANESCOPE_SOURCE_DIALECT_H
#define LANESCOPE_SOURCE_DIALECT_H
#include "base/arena.h"
#include <stdbool.h>

/* Returns the text as clang takes it, or the text itself where nothing differs: the parted marks of a launch,
 * `k << <grid, block >> > ()`, are one, and a backslash before a comment is gone. Everything else keeps its line and
 * its column. */
const char *source_for_clang(struct arena *arena, const char *text);
/* Returns the text with marks by which clang leaves its host functions as they are written, while it optimises those of
 * the libraries that it includes. The marks stand behind its last #include; a header takes them back at its end. Lines
 * keep their numbers. */
const char *source_left_plain(struct arena *arena, const char *text, bool header);
#endif
