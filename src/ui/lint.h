/* The layout lint: reads a draw list as a viewer would. Reports text that leaves its box or the screen, two texts that
 * overlap, text under the minimum size, and text whose contrast to what lies under it is below 4.5:1. */
#ifndef LANESCOPE_UI_LINT_H
#define LANESCOPE_UI_LINT_H
#include "ui/draw.h"

struct lint_options {
    struct rect screen;
    struct color background; /* of the window, under everything */
    float minimum_size;      /* pixels an em */
};
/* Findings, one sentence each, in the arena; returns how many. */
size_t lint_draw_list(const struct draw_list *list, const struct text_metrics *metrics,
                      const struct lint_options *options, struct arena *arena, const char ***findings);
#endif
