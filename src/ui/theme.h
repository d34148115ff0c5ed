/* Colours by role and nothing else: no literal colour outside theme.c. Okabe-Ito, tuned to 4.5:1 for text on the
 * background; a role is never told by colour alone. */
#ifndef LANESCOPE_UI_THEME_H
#define LANESCOPE_UI_THEME_H
#include "ui/draw.h"

enum color_role {
    COLOR_BACKGROUND, /* behind everything */
    COLOR_PANEL,      /* cards */
    COLOR_BAR,        /* top bar, timeline */
    COLOR_EDGE,       /* hairlines, empty cells */
    COLOR_TEXT,
    COLOR_TEXT_DIM,    /* captions: still 4.5:1; it and COLOR_TEXT stand on background, panel, bar and the soft ones */
    COLOR_ON_ACCENT,   /* text on an access, conflict, else or idle fill */
    COLOR_ACCESS,      /* access, taken path */
    COLOR_ACCESS_SOFT, /* a tint of it: selected, in focus */
    COLOR_CONFLICT,
    COLOR_CONFLICT_SOFT,
    COLOR_BROADCAST, /* broadcast, full sector: for shapes; too light for text on the light background */
    COLOR_ELSE,
    COLOR_IDLE, /* idle, wasted: as text on background and panel only, else COLOR_TEXT_DIM */
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
/* Blend, for dimming what is not spoken of: 0 gives a, 1 gives b. */
struct color color_mix(struct color a, struct color b, float t);
struct color color_fade(struct color color, float alpha);
/* What is seen where `above`, with its alpha, lies on an opaque colour. */
struct color color_over(struct color below, struct color above);
/* WCAG 2 contrast ratio, 1..21. */
float color_contrast(struct color a, struct color b);
#endif
