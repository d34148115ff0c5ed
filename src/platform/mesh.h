/* A draw list cut into what both renderers can paint: rectangles on whole pixels, glyph bitmaps on whole pixels, and
 * triangles whose corners carry an opacity. Edges are smooth because each shape ends in a fringe one pixel wide over
 * which the opacity falls from 1 to 0; straight edges are moved to pixel borders, where that fringe shows nothing. */
#ifndef LANESCOPE_PLATFORM_MESH_H
#define LANESCOPE_PLATFORM_MESH_H
#include "platform/glyphs.h"

struct mesh_vertex {
    float x, y, opacity;
};
struct pixel_rect {
    int x0, y0, x1, y1; /* x1, y1 are outside */
};
enum mesh_kind { MESH_RECT, MESH_GLYPH, MESH_TRIANGLES };
struct mesh_part {
    enum mesh_kind kind;
    struct color color;
    struct pixel_rect clip, rect; /* rect: of a MESH_RECT or MESH_GLYPH */
    uint16_t page, u, v;          /* of a glyph */
    uint32_t first, count;        /* of triangles: indices */
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
/* Replaces what the mesh held. glyphs may lose its atlas and start a new one. */
void mesh_build(struct mesh *mesh, const struct draw_list *list, struct glyphs *glyphs, int width, int height);
void mesh_free(struct mesh *mesh);

/* Inside src/platform: shapes appended by mesh_shapes.c and mesh_lines.c, of one color, to an open part. */
struct shaper {
    struct mesh *mesh;
    struct color color;
    struct pixel_rect clip;
    struct glyphs *glyphs;
    bool full; /* the atlas had no room for a corner */
};
/* The four quarters of a disc or ring, each in its corner of the box. */
void shape_corners(struct shaper *shaper, struct pixel_rect box, int radius, int thick);
void shape_rect(struct shaper *shaper, struct pixel_rect rect);
void shape_fill(struct shaper *shaper, struct rect rect, float radius);
void shape_outline(struct shaper *shaper, struct rect rect, float radius, float width, float dash);
void shape_polygon(struct shaper *shaper, const struct point *points, uint32_t count);
void shape_line(struct shaper *shaper, const struct point *points, uint32_t count, float width, float dash);
/* As shape_line, joined at the ends. */
void shape_loop(struct shaper *shaper, const struct point *points, uint32_t count, float width, float dash);
void shape_curve(struct shaper *shaper, const struct point points[4], float width);
void shape_hatch(struct shaper *shaper, struct rect rect, float gap, float width);
uint32_t shape_vertex(struct shaper *shaper, float x, float y, float opacity);
void shape_triangle(struct shaper *shaper, uint32_t a, uint32_t b, uint32_t c);
/* The rect on whole pixels; never empty unless it was. */
struct pixel_rect shape_snap(struct rect rect);
#endif
