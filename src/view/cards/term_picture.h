/* Small drawings for terms of the glossary. They are signs for what a word means, and come from no run. */
#ifndef LANESCOPE_VIEW_CARDS_TERM_PICTURE_H
#define LANESCOPE_VIEW_CARDS_TERM_PICTURE_H
#include "ui/ui.h"

/* Returns the height of the drawing of a term, by its English name, in this width; 0: it has none. */
float term_picture_height(const char *term, float width);
void term_picture(struct ui *ui, struct rect box, const char *term);
#endif
