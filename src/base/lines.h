/* Lines of a text, counted from 1. */
#ifndef LANESCOPE_BASE_LINES_H
#define LANESCOPE_BASE_LINES_H
#include "base/arena.h"
#include <stdint.h>

/* Returns the line of a place in the text; of its end: how many lines it has. */
uint32_t line_of(const char *text, const char *at);
/* Returns the line that the words first stand on; 0: nowhere. */
uint32_t line_with(const char *text, const char *words);
/* Returns the beginning of a line; the end of a text that has fewer. */
const char *line_start(const char *text, uint32_t line);
/* Returns a line without its indentation, in the arena; "" for line 0. */
const char *line_words(struct arena *arena, const char *text, uint32_t line);
#endif
