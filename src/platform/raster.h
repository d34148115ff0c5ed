/* Paints a mesh on the processor. SDL's own software renderer rounds the corners of triangles to whole pixels, which
 * makes fringes ragged. This one does not, and it paints the same picture on every computer. It serves PNG, GIF, and
 * windows on machines without a graphics processor. */
#ifndef LANESCOPE_PLATFORM_RASTER_H
#define LANESCOPE_PLATFORM_RASTER_H
#include "platform/mesh.h"

struct picture {
    uint8_t *pixels; /* B, G, R, 255, the byte order of displays; rows without gaps */
    int width, height;
};
static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int most(int a, int b)
{
    return a > b ? a : b;
}

/* Returns all of a picture. */
struct pixel_rect raster_whole(const struct picture *picture);
/* Paints a mesh over the picture's contents, inside an area: the same pixels as if it painted everything. The area must
 * lie in the picture. */
void raster_mesh(struct picture *picture, struct pixel_rect area, const struct mesh *mesh, struct glyphs *glyphs);
void raster_clear(struct picture *picture, struct pixel_rect area, struct color color);
#endif
