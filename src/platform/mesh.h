/* A draw list turned into primitives for both renderers: rectangles on whole pixels, glyph bitmaps on whole pixels, and
 * triangles with an opacity at each vertex. Edges are smooth because each shape ends in a fringe one pixel wide, in
 * which the opacity falls from 1 to 0. Straight edges are moved to pixel borders, where no fringe is needed. */
#ifndef LANESCOPE_PLATFORM_MESH_H
#define LANESCOPE_PLATFORM_MESH_H
#include "platform/glyphs.h"
#include "platform/snap.h"

struct mesh_vertex {
    float x, y, opacity;
};
enum mesh_kind { MESH_RECT, MESH_GLYPH, MESH_TRIANGLES };
struct mesh_part {
    enum mesh_kind kind;
    struct color color;
    struct pixel_rect clip, rect; /* rect: what it covers; of MESH_TRIANGLES: a box around them */
    uint16_t page, u, v;          /* of MESH_GLYPH: place in the atlas */
    uint32_t first, count;        /* of MESH_TRIANGLES: indices */
};
struct mesh {
    struct {
        struct mesh_part *items;
        size_t count, capacity;
    } parts;
    struct {
        struct mesh_vertex *items;
        size_t count, capacity;
    } vertices;
    struct {
        uint32_t *items;
        size_t count, capacity;
    } indices;
};
/* Replaces the mesh's contents by the draw list. When the glyph atlas is full, empties it and fills it again. */
void mesh_build(struct mesh *mesh, const struct draw_list *list, struct glyphs *glyphs, int width, int height);
void mesh_free(struct mesh *mesh);

/* For src/platform only: shapes of one colour. mesh_shapes.c and mesh_lines.c append them to the mesh. */
struct shaper {
    struct mesh *mesh;
    struct color color;
    struct pixel_rect clip;
    struct glyphs *glyphs;
    bool full; /* the atlas had no room for a corner */
    bool open; /* the last part takes more triangles */
};
/* Appends the four quarters of a disc or ring, one in each corner of the box. */
void shape_corners(struct shaper *shaper, struct pixel_rect box, int radius, int thick);
void shape_rect(struct shaper *shaper, struct pixel_rect rect);
void shape_fill(struct shaper *shaper, struct rect rect, float radius);
void shape_outline(struct shaper *shaper, struct rect rect, float radius, float width, float dash);
void shape_polygon(struct shaper *shaper, const struct point *points, uint32_t count);
void shape_line(struct shaper *shaper, const struct point *points, uint32_t count, float width, float dash);
/* Appends a closed path, dashed. */
void shape_loop(struct shaper *shaper, const struct point *points, uint32_t count, float width, float dash);
void shape_curve(struct shaper *shaper, const struct point points[4], float width);
void shape_hatch(struct shaper *shaper, struct rect rect, float gap, float width);
/* Begins a piece: triangles that follow form a part of their own, with a box of their own. */
void shape_piece(struct shaper *shaper);
uint32_t shape_vertex(struct shaper *shaper, float x, float y, float opacity);
void shape_triangle(struct shaper *shaper, uint32_t a, uint32_t b, uint32_t c);
#endif
