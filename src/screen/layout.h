/* The layout of a screen. */
#ifndef LANESCOPE_SCREEN_LAYOUT_H
#define LANESCOPE_SCREEN_LAYOUT_H
#include "screen/drawing.h"
#include "screen/side/deck.h"

struct layout {
    const char *notice_text;
    bool notice_bad;
    struct rect top, notice, stage, side, timeline; /* notice: height 0 without one */
    struct rect steps;     /* of a lesson: its buttons to other steps and, unless they are beside the stage, the tabs */
    enum deck_place place; /* of a lesson's cards: in `side`, or, as pages, in the room of the stage and the timeline */
    bool compact;          /* the stage also shows what else stands in the right column */
};
struct layout layout_of(const struct drawing *drawing);
#endif
