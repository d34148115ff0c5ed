/* Colours by role. Only theme.c has literal colours. The palette is Okabe-Ito, tuned to a contrast of 4.5:1 for text on
 * its background. Colour is never the only sign of a role. */
#ifndef LANESCOPE_UI_THEME_H
#define LANESCOPE_UI_THEME_H
#include "ui/draw.h"

enum color_role {
    COLOR_BACKGROUND, /* the window */
    COLOR_PANEL,      /* cards */
    COLOR_BAR,        /* top bar, timeline */
    COLOR_EDGE,       /* hairlines, empty cells */
    COLOR_TEXT,
    /* captions, 4.5:1 too; this and COLOR_TEXT may stand on background, panel, bar and the soft colours */
    COLOR_TEXT_DIM,
    COLOR_ON_ACCENT,   /* text on a fill of COLOR_ACCESS, COLOR_CONFLICT, COLOR_ELSE or COLOR_IDLE */
    COLOR_ACCESS,      /* access, taken path */
    COLOR_ACCESS_SOFT, /* light tint of COLOR_ACCESS: selected, in focus */
    COLOR_CONFLICT,
    COLOR_CONFLICT_SOFT,
    COLOR_BROADCAST, /* broadcast, full sector: for shapes; too light for text on the light background */
    COLOR_ELSE,
    COLOR_IDLE, /* idle, wasted: as text on background and panel only; elsewhere use COLOR_TEXT_DIM */
    COLOR_CURSOR,
    COLOR_CURSOR_RING,
    COLOR_CURSOR_SOFT, /* the current line of code; text on it: COLOR_TEXT, COLOR_TEXT_DIM, COLOR_CONFLICT */
    COLOR_ON_CURSOR,   /* text on COLOR_CURSOR and on COLOR_BROADCAST */
    COLOR_ROLE_COUNT
};
struct theme {
    const char *name; /* "light" or "dark" */
    struct color colors[COLOR_ROLE_COUNT];
};
extern const struct theme theme_light, theme_dark;
/* Returns a blend of two colours, to dim things that are not the subject: t = 0 gives a, t = 1 gives b. */
struct color color_mix(struct color a, struct color b, float t);
/* Returns the colour with its alpha multiplied by `alpha`, 0..1. */
struct color color_fade(struct color color, float alpha);
/* Returns the WCAG 2 contrast ratio, 1..21. */
float color_contrast(struct color a, struct color b);
#endif
