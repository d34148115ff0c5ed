/* The parts of a lesson's step, and the pages that they stand on where there is not room for all of them at once. */
#ifndef LANESCOPE_SCREEN_SIDE_DECK_H
#define LANESCOPE_SCREEN_SIDE_DECK_H
#include "screen/side/side.h"

/* The cards, and their heights in pixels in a column of this width; 0: the step has no such card. */
struct deck_cards {
    struct words_view words;
    struct code_view code;
    struct time_view time;
    struct question_view question;
    struct knobs_view knobs;
    struct ways_view ways;
    bool asks, asks_line;
    bool turns;          /* the step is about turning a knob */
    bool clock;          /* the words speak of measured times */
    enum part elsewhere; /* the part on another page that holds what the step asks to choose; PART_OWN: none */
    float asking;        /* height of the choices and buttons below the words */
    float best[PART_COUNT], least[PART_COUNT];
};
struct deck {
    struct deck_cards cards;
    struct part_pages pages;
    int shown;
};

/* How the picture shares the screen with the cards. */
enum deck_place {
    DECK_BESIDE, /* the cards have a column of their own, with their tabs at its top */
    DECK_BELOW,  /* the cards are below the picture; the tabs stand elsewhere */
    DECK_PAGES   /* the picture is a page among the others */
};
/* Divides the cards into pages of the box's size. While the mouse is pressed, the pages of the last frame stay, so that
 * a dragged knob is not taken away. */
struct deck deck_of(struct drawing *drawing, struct view *view, struct rect box, enum deck_place place);
bool deck_shows(const struct deck *deck, enum part part);
/* Draws the page's cards, but no picture. */
void deck_draw(struct drawing *drawing, struct view *view, struct rect box, struct deck *deck, enum deck_place place);
/* Draws a tab for each page. */
void deck_tabs(struct drawing *drawing, struct rect row, const struct deck *deck);
/* Turns the page if the key that reads on was pressed and nothing on the page has taken it to scroll. */
void deck_read_on(struct drawing *drawing, const struct deck *deck);
/* Draws the ways to the step before and to the next one, at the right end of the row. Returns their width. */
float draw_step_buttons(struct drawing *drawing, struct rect row);
#endif
