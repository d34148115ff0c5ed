/* Rectangles on whole pixels, so that neighbours meet without a seam. */
#ifndef LANESCOPE_PLATFORM_SNAP_H
#define LANESCOPE_PLATFORM_SNAP_H
#include "ui/draw.h"

struct pixel_rect {
    int x0, y0, x1, y1; /* pixels; x1 and y1 are exclusive */
};
/* Returns the rect on whole pixels. It is empty only if the rect was. */
struct pixel_rect shape_snap(struct rect rect);
#endif
