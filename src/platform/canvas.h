/* A picture that is painted on the processor frame after frame. It is divided into tiles; a frame paints only those on
 * which something else lies than in the frame before. */
#ifndef LANESCOPE_PLATFORM_CANVAS_H
#define LANESCOPE_PLATFORM_CANVAS_H
#include "base/error.h"
#include "platform/raster.h"

struct canvas {
    struct picture picture;
    struct canvas_tiles {
        uint64_t *now, *before; /* what lies on each tile, as a hash; row after row */
        int across, down;
    } tiles;
    struct {
        struct pixel_rect *items;
        size_t count, capacity;
    } changed;       /* by the last frame: rectangles that do not overlap */
    uint32_t glyphs; /* the generation of the atlas that the hashes belong to */
};
/* Paints the mesh on the background. Returns false without memory or for a size that no picture can have. */
bool canvas_paint(struct canvas *canvas, const struct mesh *mesh, struct glyphs *glyphs, int width, int height,
                  struct color background, struct error *error);
/* Makes the next frame paint everything. */
void canvas_forget(struct canvas *canvas);
void canvas_free(struct canvas *canvas);
#endif
