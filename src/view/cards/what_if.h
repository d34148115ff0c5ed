/* The knobs of a program, and what turning one of them changed. */
#ifndef LANESCOPE_VIEW_CARDS_WHAT_IF_H
#define LANESCOPE_VIEW_CARDS_WHAT_IF_H
#include "view/cards/cards.h"

struct what_if_view {
    const struct knob_view *knobs;
    int count, current; /* current: the keys turn this one */
    bool turned;        /* a value is not the file's */
    const char *note;   /* what cannot be turned, or what the knobs do; "": nothing */
};
/* The height for at most `rows` knobs. */
float card_what_if_height(const struct view *view, float width, const struct what_if_view *what_if, int rows);
/* Draws the knobs around the current one that have room. A turn returns ACTION_SET_KNOB, the way back
 * ACTION_OWN_VALUES. */
struct action card_what_if(struct view *view, struct rect box, const struct what_if_view *what_if);

enum { CHANGE_CELLS = 6 };
struct change_row { /* a launch */
    const char *name;
    struct {
        const char *before, *now; /* before NULL or the same as now: it has not changed */
    } cells[CHANGE_CELLS];
};
struct changes_view {
    const char *title;
    const char *heads[CHANGE_CELLS]; /* the first ones are left out first where room is short */
    const struct change_row *rows;
    size_t count;
    const char *none; /* what to say without rows */
};
float card_changes_height(const struct view *view, const struct changes_view *changes, size_t rows);
void card_changes(struct view *view, struct rect box, const struct changes_view *changes);
#endif
