/* The screens, and the bars that they share. */
#ifndef LANESCOPE_APP_SCREEN_SCREEN_H
#define LANESCOPE_APP_SCREEN_SCREEN_H
#include "app/drawing.h"
#include "app/screen/cards.h"

/* The list of lessons. awaited: a kernel will run next, and the notice says so. */
void screen_list(struct drawing *drawing, const struct cards *cards, bool awaited);
/* A lesson's step, or a file. */
void screen_document(struct drawing *drawing);
void screen_help(struct drawing *drawing);
void draw_top_bar(struct drawing *drawing, struct rect box);
void draw_notice(struct drawing *drawing, struct rect box);
/* The other look above the one on screen: above.c. */
void draw_both(struct drawing *drawing, struct view *view, struct rect box);
#endif
