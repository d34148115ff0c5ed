/* A draw list as text, one command a line, for golden files. */
#ifndef LANESCOPE_TESTS_DRAW_DUMP_H
#define LANESCOPE_TESTS_DRAW_DUMP_H
#include "ui/draw.h"

/* Returns the text, in the arena. */
char *draw_dump(const struct draw_list *list, struct arena *arena);
#endif
