/* A draw list as shapes and text, for formats without pixels. Such a format implements the functions of struct
 * vector_pen; vector_draw calls them in the order of the list. Lengths are pixels of the layout. */
#ifndef LANESCOPE_PLATFORM_VECTOR_H
#define LANESCOPE_PLATFORM_VECTOR_H
#include "ui/draw.h"

/* How a path is painted. width 0: filled. dash 0: a whole line. */
struct vector_paint {
    struct color color;
    float width, dash;
};
struct vector_pen {
    void *context;
    void (*rect)(void *context, struct rect rect, float radius, struct vector_paint paint);
    void (*path)(void *context, const struct point *points, uint32_t count, struct vector_paint paint);
    void (*curve)(void *context, const struct point points[4], struct vector_paint paint);
    void (*text)(void *context, const struct draw_command *command); /* a line of text */
    /* Limits what follows to the rect, inside the limit that holds already, until clip_end. */
    void (*clip)(void *context, struct rect rect);
    void (*clip_end)(void *context);
};
/* Draws the list on a background. */
void vector_draw(const struct vector_pen *pen, const struct draw_list *list, int width, int height,
                 struct color background);
#endif
