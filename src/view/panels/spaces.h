/* What spaces.c, which draws the memories, shares with spaces_play.c, in which a student places the variables. */
#ifndef LANESCOPE_VIEW_PANELS_SPACES_H
#define LANESCOPE_VIEW_PANELS_SPACES_H
#include "view/marks.h"
#include "view/stage.h"

/* The parts that hold no variable follow the places of marks.h. */
enum part { PART_L1 = PLACE_COUNT, PART_CONSTANT_CACHE, PART_L2, PART_DRAM, PART_MULTIPROCESSOR, PARTS };

/* in units; below WHOLE_HEIGHT only the places are drawn, without the caches and the way between them */
enum {
    LEAST_HEIGHT = 136,
    WHOLE_HEIGHT = 288,
    BEST_HEIGHT = 430,
    MARGIN = 4,
    LEAST_CHIP = 22,
    BEST_CHIP = 30,
    CHIP_GAP = 6,
    CHIP_INSET = 5 /* of the label */
};

struct plan {
    struct rect parts[PARTS]; /* of PLACE_NONE: the variables that wait for a place */
    struct rect multiprocessor, dram, caption;
    float chip; /* the height of a chip */
    bool whole;
};

/* Lays chips from left to right and top to bottom. Returns an empty box when there is no room for this one. */
struct flow {
    struct rect box;
    float x, y;
    float narrower; /* the part of its width that each chip gives up */
};
struct rect spaces_chip(const struct view *view, struct flow *flow, float height, const char *text);

/* Returns "tile", or "in[]" for what a parameter points to. */
const char *spaces_name(const struct view *view, const struct ptx_placed *variable);
/* Returns "16 bytes". */
const char *spaces_size(const struct view *view, const struct ptx_placed *variable);
const char *spaces_place(enum place place);
/* Returns the line below the picture: where the places and the latencies come from. */
const char *spaces_caption(const struct view *view);
/* Draws the variables as a student has placed them, and takes the mouse. rooms: those of the places. */
struct action spaces_play(struct view *view, const struct plan *plan, const struct rect rooms[PLACE_COUNT]);
#endif
