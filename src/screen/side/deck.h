/* The cards of a lesson's step, each in its slot. */
#ifndef LANESCOPE_SCREEN_SIDE_DECK_H
#define LANESCOPE_SCREEN_SIDE_DECK_H
#include "screen/side/side.h"

struct deck_cards {
    struct words_view words;
    struct code_view code;
    struct time_view time;
    struct question_view question;
    struct knobs_view knobs;
    struct ways_view ways;
    bool asks, asks_line;
    enum part elsewhere; /* the part behind another tab that holds what the step asks to choose; PART_OWN: none */
    float asking;        /* height of the choices and buttons below the words */
};
/* A place on the screen for one part of the lesson, or for several behind tabs. */
struct deck_slot {
    unsigned parts; /* 1 << PART_... */
    enum part shown;
    struct rect box, tabs; /* tabs: height 0 without them, and where they stand elsewhere */
};
enum { DECK_SLOTS = 4 };
struct deck {
    struct deck_cards cards;
    struct deck_slot slots[DECK_SLOTS];
    int count;
};

/* How the picture shares the screen with the cards. */
enum deck_place {
    DECK_BESIDE, /* the cards have a column of their own */
    DECK_BELOW,  /* the cards are below the picture */
    DECK_PAGES   /* the cards and the picture share one slot, whose tabs stand elsewhere */
};
/* Divides the box into slots. They are the same in all steps of a lesson, before and after an answer. */
struct deck deck_of(struct drawing *drawing, struct view *view, struct rect box, enum deck_place place);
bool deck_shows(const struct deck *deck, enum part part);
bool deck_has_own(const struct deck *deck, enum part part); /* returns whether the part shares its slot with no other */
/* Draws the cards of all slots, but no picture. */
void deck_draw(struct drawing *drawing, struct view *view, struct deck *deck);
void deck_tabs(struct drawing *drawing, struct rect row, const struct deck_slot *slot);
/* Turns to the next tab if the key that reads on was pressed and nothing in sight has taken it to scroll. */
void deck_read_on(struct drawing *drawing, const struct deck *deck);
/* Draws the ways to the step before and to the next one: two buttons that fill the row, of the same widths in all
 * steps. */
void draw_step_buttons(struct drawing *drawing, struct rect row);
#endif
