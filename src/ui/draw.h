/* The draw list: one frame as plain data. Panels append commands, the platform draws them in order, and tests
 * compare and lint them. Lengths are output pixels with the origin at the top left. All memory is in the frame's
 * arena. */
#ifndef LANESCOPE_UI_DRAW_H
#define LANESCOPE_UI_DRAW_H
#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct color {
    uint8_t r, g, b, a;
};
struct rect {
    float x, y, w, h;
};
struct point {
    float x, y;
};

enum font_role { FONT_TEXT, FONT_BOLD, FONT_CODE, FONT_ROLE_COUNT };

enum draw_kind {
    DRAW_FILL,    /* rect with corner radius (radius >= half the side: a disc) */
    DRAW_OUTLINE, /* edge of rect, `width` wide, inside rect; dashed when dash > 0 */
    DRAW_HATCH,   /* 45 degree strokes of `width`, `gap` pixels from centre to centre, clipped to rect */
    DRAW_LINE,    /* polyline through points, dashed when dash > 0 */
    DRAW_CURVE,   /* cubic Bezier: four points */
    DRAW_POLYGON, /* convex, filled */
    DRAW_TEXT,    /* one line, one font; never wraps */
    DRAW_CLIP     /* limits the following commands to rect; a rect of width < 0 ends the limit */
};

struct draw_command {
    enum draw_kind kind;
    struct rect rect; /* of a text: the box it must stay in (checked by the layout lint) */
    struct color color;
    float radius, width, dash, gap;
    const struct point *points;
    uint32_t point_count;
    /* of DRAW_TEXT only */
    const char *text; /* UTF-8 */
    enum font_role role;
    float size;      /* pixels per em */
    struct point at; /* left end of the baseline */
    float extent;    /* advance width in pixels, from the metrics */
    bool decoration; /* repeats another mark (a number inside a chip): exempt from the minimum size */
};

struct draw_list {
    struct arena *arena;
    struct draw_command *items;
    size_t count, capacity;
    size_t over; /* commands from this number on may hide texts before it: a tooltip; 0: there are none */
};

void draw_begin(struct draw_list *list, struct arena *arena);
void draw_fill(struct draw_list *list, struct rect rect, float radius, struct color color);
void draw_outline(struct draw_list *list, struct rect rect, float radius, float width, struct color color);
void draw_outline_dashed(struct draw_list *list, struct rect rect, float radius, float width, float dash,
                         struct color color);
void draw_hatch(struct draw_list *list, struct rect rect, float gap, float width, struct color color);
void draw_line(struct draw_list *list, struct point a, struct point b, float width, struct color color);
void draw_polyline(struct draw_list *list, const struct point *points, uint32_t count, float width, float dash,
                   struct color color);
void draw_curve(struct draw_list *list, const struct point points[4], float width, struct color color);
void draw_polygon(struct draw_list *list, const struct point *points, uint32_t count, struct color color);
void draw_clip(struct draw_list *list, struct rect rect);
void draw_clip_none(struct draw_list *list);

/* Text measures in pixels, from the platform (real fonts) or from a test (a fixed-width fake). */
struct text_metrics {
    void *context;
    float (*width)(void *context, enum font_role role, float size, const char *text, size_t length);
    /* Height of the ink of ordinary letters (Hangul too) above and below the baseline; both positive. */
    float (*ascent)(void *context, enum font_role role, float size);
    float (*descent)(void *context, enum font_role role, float size);
};
/* Appends one line of text with the left end of its baseline at `at`. `box` is the box it must stay in. */
void draw_text(struct draw_list *list, const struct text_metrics *metrics, enum font_role role, float size,
               struct color color, struct point at, struct rect box, const char *text);

/* Declares that what follows lies over the picture on purpose. */
void draw_over(struct draw_list *list);

/* Marks every text from command number `from` on as decoration. */
void draw_decorate(struct draw_list *list, size_t from);
#endif
