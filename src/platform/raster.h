/* The mesh painted by the processor. SDL's own software renderer cuts the corners of triangles to whole pixels, which
 * makes fringes ragged; this one does not, and paints the same picture on every machine. Used for PNG and GIF, and for
 * the window where no graphics processor is to be had. */
#ifndef LANESCOPE_PLATFORM_RASTER_H
#define LANESCOPE_PLATFORM_RASTER_H
#include "platform/mesh.h"

struct picture {
    uint8_t *pixels; /* B, G, R, 255: what displays take without conversion; rows without gaps */
    int width, height;
};
/* Paints over what the picture holds. */
void raster_mesh(struct picture *picture, const struct mesh *mesh, struct glyphs *glyphs);
void raster_clear(struct picture *picture, struct color color);
#endif
