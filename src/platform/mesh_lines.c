/* Lines as bands: four rows of vertices along the path (opaque inside, a fringe on either side), a fringe at the ends,
 * and dashes cut from the path. Horizontal and vertical lines become rectangles on whole pixels instead. */
#include "platform/mesh.h"
#include <cglm/bezier.h>
#include <math.h>

enum { CURVE_POINTS = 96, DASH_POINTS = 256 };

static float distance(struct point a, struct point b)
{
    float const x = b.x - a.x, y = b.y - a.y;
    return sqrtf(x * x + y * y); /* hypotf takes ten times as long, for lengths that no screen has */
}

/* Returns the normal of the path at a point, with a length that keeps the band's width constant in a bend. */
static struct point across(struct point before, struct point at, struct point after)
{
    float al = fmaxf(1e-6f, distance(before, at)), bl = fmaxf(1e-6f, distance(at, after));
    float nx = -(at.y - before.y) / al - (after.y - at.y) / bl, ny = (at.x - before.x) / al + (after.x - at.x) / bl;
    float square = fmaxf(0.5f, (nx * nx + ny * ny) / 2);
    return (struct point){nx / square, ny / square};
}

static void add_row(struct shaper *shaper, struct point at, struct point normal, float half, float solid, bool start)
{
    const float offsets[] = {-half - 0.5f, -half + 0.5f, half - 0.5f, half + 0.5f};
    uint32_t first = (uint32_t)shaper->mesh->vertices.count;
    for (int i = 0; i < 4; i++)
        shape_vertex(shaper, at.x + normal.x * offsets[i], at.y + normal.y * offsets[i], i == 0 || i == 3 ? 0 : solid);
    for (uint32_t i = 0; !start && i < 3; i++) {
        shape_triangle(shaper, first - 4 + i, first + i, first + i + 1);
        shape_triangle(shaper, first - 4 + i, first + i + 1, first - 3 + i);
    }
}

static struct point along(struct point from, struct point to, float length)
{
    float whole = fmaxf(1e-6f, distance(from, to));
    return (struct point){from.x + (to.x - from.x) * length / whole, from.y + (to.y - from.y) * length / whole};
}

/* Copies the points and returns how many remain. Points closer than a hundredth of a pixel count as one. */
static uint32_t without_repeats(const struct point *points, uint32_t count, struct point *out, uint32_t most)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && kept < most; i++)
        if (kept == 0 || distance(out[kept - 1], points[i]) > 0.01f)
            out[kept++] = points[i];
    return kept;
}

static void band(struct shaper *shaper, const struct point *points, uint32_t count, float width)
{
    shape_piece(shaper);
    float half = fmaxf(1, width) / 2, opacity = fminf(1, width); /* a line thinner than a pixel becomes a pale pixel */
    for (uint32_t i = 0; i < count; i++) {
        struct point before = i > 0 ? points[i - 1] : along(points[0], points[1], -1);
        struct point after = i + 1 < count ? points[i + 1] : along(points[i], points[i - 1], -1);
        struct point normal = across(before, points[i], after);
        if (i == 0) {
            add_row(shaper, along(points[0], points[1], -0.5f), normal, half, 0, true);
            add_row(shaper, along(points[0], points[1], 0.5f), normal, half, opacity, false);
        } else if (i + 1 == count) {
            add_row(shaper, along(points[i], points[i - 1], 0.5f), normal, half, opacity, false);
            add_row(shaper, along(points[i], points[i - 1], -0.5f), normal, half, 0, false);
        } else {
            add_row(shaper, points[i], normal, half, opacity, false);
        }
    }
}

static bool axis_line(struct shaper *shaper, struct point a, struct point b, float width)
{
    bool level = fabsf(a.y - b.y) < 0.05f, upright = fabsf(a.x - b.x) < 0.05f;
    if (!level && !upright)
        return false;
    float thick = fmaxf(1, roundf(width));
    struct rect rect;
    if (level)
        rect = (struct rect){fminf(a.x, b.x), floorf(a.y - thick / 2 + 0.5f), fabsf(b.x - a.x), thick};
    else
        rect = (struct rect){floorf(a.x - thick / 2 + 0.5f), fminf(a.y, b.y), thick, fabsf(b.y - a.y)};
    struct color color = shaper->color;
    shaper->color.a = (uint8_t)lroundf((float)color.a * fminf(1, width));
    shape_rect(shaper, shape_snap(rect));
    shaper->color = color;
    return true;
}

static void stroke(struct shaper *shaper, const struct point *points, uint32_t count, float width)
{
    struct point kept[DASH_POINTS];
    while (count > 1) { /* long paths are drawn in pieces */
        uint32_t piece = count < DASH_POINTS ? count : DASH_POINTS;
        uint32_t left = without_repeats(points, piece, kept, DASH_POINTS);
        if (left > 2 || (left == 2 && !axis_line(shaper, kept[0], kept[1], width)))
            band(shaper, kept, left, width);
        points += piece - 1;
        count -= piece - 1;
    }
}

static float path_length(const struct point *points, uint32_t count)
{
    float length = 0;
    for (uint32_t i = 1; i < count; i++)
        length += distance(points[i - 1], points[i]);
    return length;
}

struct walked { /* a place of a path: the point at its end, and the length of the path before it */
    uint32_t point;
    float passed;
};

/* Copies the part of the path between two distances along it, in pixels, and moves `at` to where it begins. Returns the
 * number of points. */
static uint32_t cut_out(const struct point *points, uint32_t count, float from, float to, struct walked *at,
                        struct point *out)
{
    uint32_t kept = 0;
    float passed = at->passed;
    for (uint32_t i = at->point; i < count && kept + 2 < DASH_POINTS && passed < to; i++) {
        float length = distance(points[i - 1], points[i]);
        if (kept == 0)
            *at = (struct walked){i, passed};
        if (passed + length >= from && passed < to) {
            if (kept == 0)
                out[kept++] = along(points[i - 1], points[i], fmaxf(0, from - passed));
            out[kept++] = along(points[i - 1], points[i], fminf(length, to - passed));
        }
        passed += length;
    }
    return kept;
}

/* Draws whole periods of a dash and an equal gap. An open path begins and ends with a dash. */
static void dashes(struct shaper *shaper, const struct point *points, uint32_t count, float width, float dash,
                   bool closed)
{
    float length = path_length(points, count);
    float wanted = closed ? length / (2 * dash) : (length + dash) / (2 * dash);
    int periods = (int)fminf(4096, fmaxf(1, roundf(wanted)));
    float period = closed ? length / (float)periods : (length + dash) / (float)periods;
    struct walked at = {1, 0};
    for (int i = 0; i < periods; i++) {
        struct point piece[DASH_POINTS];
        float from = (float)i * period;
        uint32_t kept = cut_out(points, count, from, from + fminf(dash, period / 2 + 0.5f), &at, piece);
        stroke(shaper, piece, kept, width);
    }
}

void shape_line(struct shaper *shaper, const struct point *points, uint32_t count, float width, float dash)
{
    if (count < 2 || width <= 0)
        return;
    if (dash > 0)
        dashes(shaper, points, count, width, fmaxf(1, dash), false);
    else
        stroke(shaper, points, count, width);
}

void shape_loop(struct shaper *shaper, const struct point *points, uint32_t count, float width, float dash)
{
    struct point closed[DASH_POINTS];
    if (count < 2 || count >= DASH_POINTS)
        return;
    for (uint32_t i = 0; i <= count; i++)
        closed[i] = points[i % count];
    dashes(shaper, closed, count + 1, width, fmaxf(1, dash), true);
}

void shape_curve(struct shaper *shaper, const struct point points[4], float width)
{
    struct point path[CURVE_POINTS + 1] = {{0}};
    float length = path_length(points, 4);
    int count = (int)fminf(CURVE_POINTS, fmaxf(6, sqrtf(length) * 2));
    for (int i = 0; i <= count; i++) {
        float t = (float)i / (float)count;
        path[i] = (struct point){glm_bezier(t, points[0].x, points[1].x, points[2].x, points[3].x),
                                 glm_bezier(t, points[0].y, points[1].y, points[2].y, points[3].y)};
    }
    if (width > 0)
        stroke(shaper, path, (uint32_t)count + 1, width);
}

/* Clips a convex shape to one side of an axis line, keeping sign * (x or y) <= sign * limit. Returns the number of
 * vertices kept. */
static uint32_t clip_side(const struct mesh_vertex *in, uint32_t count, bool upright, float sign, float limit,
                          struct mesh_vertex *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct mesh_vertex a = in[i], b = in[(i + 1) % count];
        float da = sign * ((upright ? a.x : a.y) - limit), db = sign * ((upright ? b.x : b.y) - limit);
        if (da <= 0)
            out[kept++] = a;
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            float t = da / (da - db);
            out[kept++] = (struct mesh_vertex){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t,
                                               a.opacity + (b.opacity - a.opacity) * t};
        }
    }
    return kept;
}

static void clipped_quad(struct shaper *shaper, const struct mesh_vertex quad[4], struct pixel_rect to)
{
    struct mesh_vertex a[12], b[12];
    uint32_t count = clip_side(quad, 4, true, 1, (float)to.x1, a);
    count = clip_side(a, count, true, -1, (float)to.x0, b);
    count = clip_side(b, count, false, 1, (float)to.y1, a);
    count = clip_side(a, count, false, -1, (float)to.y0, b);
    uint32_t first = (uint32_t)shaper->mesh->vertices.count;
    for (uint32_t i = 0; i < count; i++)
        shape_vertex(shaper, b[i].x, b[i].y, b[i].opacity);
    for (uint32_t i = 1; i + 1 < count; i++)
        shape_triangle(shaper, first, first + i, first + i + 1);
}

/* Strokes lie where x + y is a multiple of the gap, counted from the screen's corner, so that neighbouring hatches line
 * up. */
void shape_hatch(struct shaper *shaper, struct rect rect, float gap, float width)
{
    struct pixel_rect to = shape_snap(rect);
    float step = fmaxf(2, gap) * 1.41421356f, half = fmaxf(1, width) / 2, opacity = fminf(1, width);
    const float rows[] = {(-half - 0.5f) * 0.70710678f, (-half + 0.5f) * 0.70710678f, (half - 0.5f) * 0.70710678f,
                          (half + 0.5f) * 0.70710678f};
    float y0 = (float)to.y0 - 8 - half, y1 = (float)to.y1 + 8 + half;
    int first = (int)ceilf(((float)(to.x0 + to.y0) - 2 * half) / step);
    int last = (int)floorf(((float)(to.x1 + to.y1) + 2 * half) / step);
    for (int stroke_at = first; stroke_at <= last; stroke_at++)
        for (int k = 0; k < 3; k++) {
            float sum = (float)stroke_at * step, near = k == 0 ? 0 : opacity, far = k == 2 ? 0 : opacity;
            struct mesh_vertex quad[4] = {{sum - y0 + rows[k], y0 + rows[k], near},
                                          {sum - y0 + rows[k + 1], y0 + rows[k + 1], far},
                                          {sum - y1 + rows[k + 1], y1 + rows[k + 1], far},
                                          {sum - y1 + rows[k], y1 + rows[k], near}};
            clipped_quad(shaper, quad, to);
        }
}
