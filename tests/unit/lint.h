/* The layout lint reads a draw list as a viewer would. It reports text that leaves its box or the screen, texts that
 * overlap, text under a later fill, text below the minimum size, and text with less than 4.5:1 contrast to its
 * background. */
#ifndef LANESCOPE_TESTS_LINT_H
#define LANESCOPE_TESTS_LINT_H
#include "ui/draw.h"

struct lint_options {
    struct rect screen;
    struct color background; /* colour of the window, under everything */
    float minimum_size;      /* pixels per em */
};
/* Returns the number of findings and puts them, one sentence each, into the arena. */
size_t lint_draw_list(const struct draw_list *list, const struct text_metrics *metrics,
                      const struct lint_options *options, struct arena *arena, const char ***findings);
/* Returns the opaque colour that results when `above`, with its alpha, covers `below`. */
struct color color_over(struct color below, struct color above);
#endif
