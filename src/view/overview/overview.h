/* The overview of a run: all warps of a block along the clock, and where the launch wastes memory traffic. */
#ifndef LANESCOPE_VIEW_OVERVIEW_OVERVIEW_H
#define LANESCOPE_VIEW_OVERVIEW_OVERVIEW_H
#include "model/explain.h"
#include "view/view.h"

struct explain_view {
    const struct explain *explain;
    const char *scope;                  /* "in all 64 blocks" */
    const char *lessons[EXPLAIN_KINDS]; /* titles of the lessons; NULL: not in the list */
    size_t chosen;                      /* an item */
};
/* Draws the explanations, a page of them that holds the chosen one. A click returns ACTION_GO_EVENT, turning the page
 * ACTION_OVERVIEW_ROW, the button of a lesson ACTION_LEARN. */
struct action card_explain(struct view *view, struct rect box, const struct explain_view *shown);

enum waste_list { WASTE_SITES, WASTE_WARPS };
struct waste_view {
    const struct outliers *outliers;
    enum waste_list list;
    const char *scope; /* the blocks that the list covers: "in all 64 blocks" */
    size_t chosen;     /* a row */
    bool brief;        /* only the first rows, none of them chosen */
};
/* Draws the list, a page of it that holds the chosen row. A click on a row returns ACTION_GO_EVENT, turning the page
 * ACTION_OVERVIEW_ROW. */
struct action card_waste(struct view *view, struct rect box, const struct waste_view *waste);
struct block_map {
    const struct spans *spans;
    const char *clock;                 /* "model clock (NVIDIA H200)" */
    struct timeline_cycles cycles;     /* all 0 with a GPU's clock */
    uint64_t first_block, last_block;  /* recorded */
    const struct block_beside *blocks; /* those that are shown beside this one if there is room, this one among them */
    size_t block_count;
    const char *recorded;           /* a sentence: how many blocks were recorded, and how to record more */
    const struct waste_view *waste; /* a list for the room that the rows leave; NULL: none */
};
/* Draws the map. A click returns ACTION_GO_EVENT. */
struct action card_block_map(struct view *view, struct rect box, const struct block_map *map);

/* Returns the row's event in trace.events, SIZE_MAX if none was recorded. */
size_t waste_event(const struct waste_view *waste, size_t row);
size_t waste_count(const struct waste_view *waste);
#endif
