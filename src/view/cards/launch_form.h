/* The launch of a kernel as fields to change. */
#ifndef LANESCOPE_VIEW_CARDS_LAUNCH_FORM_H
#define LANESCOPE_VIEW_CARDS_LAUNCH_FORM_H
#include "view/cards/cards.h"

enum { FORM_ROW_FIELDS = 4 };
struct form_cell {
    const char *text, *tip;
    int index;  /* of the field, for ACTION_CHOOSE_FIELD */
    bool fixed; /* it cannot be changed here */
    bool edited;
};
struct form_row {
    const char *label;
    struct form_cell cells[FORM_ROW_FIELDS];
    int count;
};
struct launch_form_view {
    const char *title, *words; /* words: what is guessed, and what was checked; "": nothing */
    const struct form_row *rows;
    int count, current; /* current: the field that the keys change */
    bool changed;       /* a value is not the file's */
};
float card_launch_form_height(const struct view *view, float width, const struct launch_form_view *form, int rows);
/* Draws the rows around the current one that have room. Returns ACTION_CHOOSE_FIELD or ACTION_OWN_VALUES. */
struct action card_launch_form(struct view *view, struct rect box, const struct launch_form_view *form);
#endif
