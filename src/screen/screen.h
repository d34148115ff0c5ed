/* The screens, and their shared bars. */
#ifndef LANESCOPE_SCREEN_SCREEN_H
#define LANESCOPE_SCREEN_SCREEN_H
#include "screen/cards.h"
#include "screen/computer_facts.h"
#include "screen/drawing.h"

/* Draws the first screen. waits: a kernel runs next, and only the notice is shown. */
struct home {
    const struct cards *cards;
    const struct computer_facts *computer; /* NULL: not known (yet) */
    bool waits;
};
void screen_home(struct drawing *drawing, const struct home *home);
/* Draws a lesson's step, or a file. */
void screen_document(struct drawing *drawing);
struct folder;
void screen_folder(struct drawing *drawing, const struct folder *folder);
/* Draws the row that turns the page, and asks for what its buttons, the wheel and the key that reads on want. firsts:
 * the first item of each page. */
void draw_page_turn(struct drawing *drawing, struct rect row, int at, int pages, const size_t *firsts);
void screen_help(struct drawing *drawing);
/* Draws a teacher's notes, the votes of the class and the clock, in the view's window or in place of the lesson. */
struct presenter;
void screen_presenter(struct drawing *drawing, const struct presenter *presenter);
/* Draws the overview of the run: prepared by overview_prepare. */
void screen_overview(struct drawing *drawing);
/* Draws the screen of all terms. */
void screen_glossary(struct drawing *drawing);
/* Draws the card of the marked word below the mouse, or of the one that a key opened. It is drawn last. */
void draw_term_card(struct drawing *drawing);
/* Draws a bar with the way back, which asks for the action, and the language. Returns the room between them. */
struct rect draw_back_bar(struct drawing *drawing, struct rect box, enum action_kind back, int value);
void draw_top_bar(struct drawing *drawing, struct rect box);
/* Draws the badge that says where the run is from, in full, at the right end of the box, and cuts it off. */
void draw_badge_words(struct drawing *drawing, struct rect *box);
/* Returns the notice above the stage, "" if there is none: the one about the run, or a passing one that is too long for
 * the bar on top. */
const char *notice_above(const struct drawing *drawing, struct rect bar, bool *bad);
/* Returns the height of a notice: as many lines as its text needs. */
float notice_height(const struct drawing *drawing, const char *text, float width);
void draw_notice(struct drawing *drawing, struct rect box, const char *text, bool bad);
/* Draws the other look above the one on screen: above.c. */
void draw_both(struct drawing *drawing, struct view *view, struct rect box);
#endif
