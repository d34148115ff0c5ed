/* Fills and outlines. A round shape consists of rows of points at growing radii, joined by strips of triangles. */
#include "platform/mesh.h"
#include <math.h>

static const float pi = 3.14159265f;

struct row { /* one row of a ring: radius in pixels, opacity */
    float radius, opacity;
};

/* Returns so many segments that each chord stays within a twentieth of a pixel of its arc. */
static int segments_for(float radius, float sweep)
{
    if (radius <= 0.5f)
        return 2;
    float step = 2 * acosf(1 - 0.05f / fmaxf(radius, 0.5f));
    int count = (int)ceilf(sweep / step);
    return count < 2 ? 2 : count > 256 ? 256 : count;
}

static void join_rows(struct shaper *shaper, uint32_t before, uint32_t after, int rows)
{
    for (int i = 0; i + 1 < rows; i++) {
        uint32_t a = before + (uint32_t)i, b = after + (uint32_t)i;
        shape_triangle(shaper, a, b, b + 1);
        shape_triangle(shaper, a, b + 1, a + 1);
    }
}

/* Appends a part of a ring around a centre. The angle, in radians, grows clockwise on the screen. */
static void arc(struct shaper *shaper, struct point centre, float from, float sweep, const struct row *rows, int count)
{
    int segments = segments_for(rows[count - 1].radius, fabsf(sweep));
    float step = sweep / (float)segments, turn_x = cosf(step), turn_y = sinf(step), x = cosf(from), y = sinf(from);
    uint32_t before = 0;
    for (int i = 0; i <= segments; i++) {
        uint32_t first = (uint32_t)shaper->mesh->vertices.count;
        for (int k = 0; k < count; k++)
            shape_vertex(shaper, centre.x + x * rows[k].radius, centre.y + y * rows[k].radius, rows[k].opacity);
        if (i > 0)
            join_rows(shaper, before, first, count);
        before = first;
        float turned = x * turn_x - y * turn_y;
        y = x * turn_y + y * turn_x;
        x = turned;
    }
}

static void disc(struct shaper *shaper, struct point centre, float radius)
{
    float solid = fmaxf(0, radius - 0.5f), opacity = fminf(1, 2 * radius);
    struct row rows[] = {{0, opacity}, {solid, opacity}, {radius + 0.5f, 0}};
    arc(shaper, centre, 0, 2 * pi, rows, 3);
}

static void ring(struct shaper *shaper, struct point centre, float radius, float width)
{
    float inner = radius - width;
    struct row rows[] = {{fmaxf(0, inner - 0.5f), inner > 0 ? 0 : 1},
                         {fmaxf(0, inner + 0.5f), 1},
                         {fmaxf(0, radius - 0.5f), 1},
                         {radius + 0.5f, 0}};
    arc(shaper, centre, 0, 2 * pi, rows, 4);
}

struct corner {
    struct point centre;
    float from;
};

/* Fills the corners clockwise from the top left, with centres `radius` inside them. */
static void corners_of(struct rect rect, float radius, struct corner corners[4])
{
    float x0 = rect.x + radius, x1 = rect.x + rect.w - radius, y0 = rect.y + radius, y1 = rect.y + rect.h - radius;
    corners[0] = (struct corner){{x0, y0}, pi};
    corners[1] = (struct corner){{x1, y0}, 1.5f * pi};
    corners[2] = (struct corner){{x1, y1}, 0};
    corners[3] = (struct corner){{x0, y1}, 0.5f * pi};
}

static struct rect whole(struct pixel_rect r)
{
    return (struct rect){(float)r.x0, (float)r.y0, (float)(r.x1 - r.x0), (float)(r.y1 - r.y0)};
}

/* Returns whether the box is a full disc. A disc may stand between pixels; all other shapes are moved to whole
 * pixels. */
static bool is_disc(struct rect rect, float radius)
{
    return fabsf(rect.w - rect.h) < 0.1f && radius >= rect.w / 2 - 0.1f;
}

/* Returns the radius in whole pixels, so that the straight sides end on pixel borders; a half pixel remains only where
 * two corners meet. */
static float snapped_radius(struct rect rect, float radius)
{
    return fminf(roundf(radius), fminf(rect.w, rect.h) / 2);
}

enum { LARGEST_CORNER = 64, CORNER_POINTS = 48, LOOP_POINTS = 4 * CORNER_POINTS };

/* Fills the outline of a rounded rectangle, clockwise, `inset` pixels inside it (negative: outside), and returns its
 * number of points. The number is the same for every inset, so that two loops can be joined. A corner with an inset
 * beyond its radius is sharp. */
static uint32_t corner_loop(struct rect rect, float radius, float inset, int segments, struct point loop[LOOP_POINTS])
{
    struct corner corners[4];
    corners_of(rect, fmaxf(radius, inset), corners);
    float reach = fmaxf(0, radius - inset), step = pi / 2 / (float)segments;
    float turn_x = cosf(step), turn_y = sinf(step);
    uint32_t count = 0;
    for (int c = 0; c < 4; c++) {
        float x = c == 1 ? 0 : c == 3 ? 0 : c == 0 ? -1 : 1, y = c == 1 ? -1 : c == 3 ? 1 : 0;
        for (int i = 0; i <= segments; i++) {
            loop[count++] = (struct point){corners[c].centre.x + reach * x, corners[c].centre.y + reach * y};
            float turned = x * turn_x - y * turn_y;
            y = x * turn_y + y * turn_x;
            x = turned;
        }
    }
    return count;
}

static int corner_segments(float radius)
{
    int segments = segments_for(radius, pi / 2);
    return segments < CORNER_POINTS ? segments : CORNER_POINTS - 1;
}

void shape_fill(struct shaper *shaper, struct rect rect, float radius)
{
    if (rect.w <= 0 || rect.h <= 0)
        return;
    if (radius > 0 && is_disc(rect, radius)) {
        disc(shaper, (struct point){rect.x + rect.w / 2, rect.y + rect.h / 2}, rect.w / 2);
        return;
    }
    struct pixel_rect r = shape_snap(rect);
    rect = whole(r);
    radius = snapped_radius(rect, radius);
    int in = (int)radius;
    if (radius < 0.5f) {
        shape_rect(shaper, r);
        return;
    }
    if ((float)in != radius ||
        in > LARGEST_CORNER) { /* an odd height, round at both ends: the corners meet within a pixel */
        struct point loop[LOOP_POINTS];
        shape_polygon(shaper, loop, corner_loop(rect, radius, 0, corner_segments(radius), loop));
        return;
    }
    shape_rect(shaper, (struct pixel_rect){r.x0 + in, r.y0, r.x1 - in, r.y0 + in});
    shape_rect(shaper, (struct pixel_rect){r.x0, r.y0 + in, r.x1, r.y1 - in});
    shape_rect(shaper, (struct pixel_rect){r.x0 + in, r.y1 - in, r.x1 - in, r.y1});
    shape_corners(shaper, r, in, 0);
}

static void rounded_outline(struct shaper *shaper, struct rect rect, float radius, float width)
{
    const float insets[] = {-0.5f, 0.5f, width - 0.5f, width + 0.5f}, opacities[] = {0, 1, 1, 0};
    struct point loop[LOOP_POINTS];
    uint32_t before = 0, count = 0;
    int segments = corner_segments(radius);
    for (int row = 0; row < 4; row++) {
        uint32_t first = (uint32_t)shaper->mesh->vertices.count;
        count = corner_loop(rect, radius, insets[row], segments, loop);
        for (uint32_t i = 0; i < count; i++)
            shape_vertex(shaper, loop[i].x, loop[i].y, opacities[row]);
        for (uint32_t i = 0; row > 0 && i < count; i++) {
            uint32_t next = (i + 1) % count;
            shape_triangle(shaper, before + i, before + next, first + next);
            shape_triangle(shaper, before + i, first + next, first + i);
        }
        before = first;
    }
}

void shape_outline(struct shaper *shaper, struct rect rect, float radius, float width, float dash)
{
    if (rect.w <= 0 || rect.h <= 0 || width <= 0)
        return;
    if (radius > 0 && dash <= 0 && is_disc(rect, radius)) {
        ring(shaper, (struct point){rect.x + rect.w / 2, rect.y + rect.h / 2}, rect.w / 2, width);
        return;
    }
    struct pixel_rect r = shape_snap(rect);
    int thick = (int)fmaxf(1, roundf(width));
    rect = whole(r);
    radius = snapped_radius(rect, radius);
    if (r.x1 - r.x0 <= 2 * thick || r.y1 - r.y0 <= 2 * thick) {
        shape_fill(shaper, rect, radius); /* no hole is left */
    } else if (dash > 0) {
        struct point loop[LOOP_POINTS];
        int segments = radius < 1 ? 1 : corner_segments(radius);
        uint32_t count = corner_loop(rect, radius, (float)thick / 2, segments, loop);
        shape_loop(shaper, loop, count, (float)thick, dash);
    } else if (radius >= 0.5f && (radius != floorf(radius) || radius <= (float)thick || radius > LARGEST_CORNER)) {
        rounded_outline(shaper, rect, radius, (float)thick);
    } else {
        int in = (int)radius, down = in > 0 ? in : thick;
        shape_rect(shaper, (struct pixel_rect){r.x0 + in, r.y0, r.x1 - in, r.y0 + thick});
        shape_rect(shaper, (struct pixel_rect){r.x0 + in, r.y1 - thick, r.x1 - in, r.y1});
        shape_rect(shaper, (struct pixel_rect){r.x0, r.y0 + down, r.x0 + thick, r.y1 - down});
        shape_rect(shaper, (struct pixel_rect){r.x1 - thick, r.y0 + down, r.x1, r.y1 - down});
        if (in > 0)
            shape_corners(shaper, r, in, thick);
    }
}

/* Returns the direction outward between the two sides of a corner, with a length that moves both sides by half a pixel.
 * Sharp corners are cut. */
static struct point corner_normal(struct point before, struct point at, struct point after, float side)
{
    float ax = at.x - before.x, ay = at.y - before.y, bx = after.x - at.x, by = after.y - at.y;
    float al = fmaxf(1e-6f, sqrtf(ax * ax + ay * ay)), bl = fmaxf(1e-6f, sqrtf(bx * bx + by * by));
    float nx = ay / al + by / bl, ny = -(ax / al + bx / bl);
    float square = fmaxf(0.2f, (nx * nx + ny * ny) / 2);
    return (struct point){side * nx / square, side * ny / square};
}

void shape_polygon(struct shaper *shaper, const struct point *points, uint32_t count)
{
    if (count < 3)
        return;
    float area = 0;
    for (uint32_t i = 0, j = count - 1; i < count; j = i++)
        area += points[j].x * points[i].y - points[i].x * points[j].y;
    float side = area >= 0 ? 0.5f : -0.5f;
    uint32_t first = (uint32_t)shaper->mesh->vertices.count;
    for (uint32_t i = 0; i < count; i++) {
        struct point out = corner_normal(points[(i + count - 1) % count], points[i], points[(i + 1) % count], side);
        shape_vertex(shaper, points[i].x - out.x, points[i].y - out.y, 1);
        shape_vertex(shaper, points[i].x + out.x, points[i].y + out.y, 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % count);
        if (i >= 1 && i + 1 < count)
            shape_triangle(shaper, first, a, b);
        shape_triangle(shaper, a, a + 1, b + 1);
        shape_triangle(shaper, a, b + 1, b);
    }
}
