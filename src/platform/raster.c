/* Samples at pixel centres. A centre on the border of two triangles belongs to one of them only (left and upper borders
 * are inside), so no pixel is painted twice and there are no seams. */
#include "platform/raster.h"
#include <math.h>
#include <string.h>

static uint8_t *pixel_at(const struct picture *picture, int x, int y)
{
    return picture->pixels + ((size_t)y * (size_t)picture->width + (size_t)x) * 4;
}

/* Blends a colour into a pixel. cover is 0..255 and exact at both ends. */
static void blend(uint8_t *pixel, struct color color, unsigned cover)
{
    unsigned rest = 255 - cover;
    pixel[0] = (uint8_t)((color.b * cover + pixel[0] * rest + 127) / 255);
    pixel[1] = (uint8_t)((color.g * cover + pixel[1] * rest + 127) / 255);
    pixel[2] = (uint8_t)((color.r * cover + pixel[2] * rest + 127) / 255);
}

static struct pixel_rect clipped(struct pixel_rect rect, struct pixel_rect clip)
{
    return (struct pixel_rect){most(rect.x0, clip.x0), most(rect.y0, clip.y0), least(rect.x1, clip.x1),
                               least(rect.y1, clip.y1)};
}

/* Returns the four bytes of a pixel as one word. */
static uint32_t packed(struct color color)
{
    const uint8_t bytes[4] = {color.b, color.g, color.r, 255};
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static void paint_rect(struct picture *picture, const struct mesh_part *part, struct pixel_rect clip)
{
    struct pixel_rect r = clipped(part->rect, clip);
    uint32_t word = packed(part->color);
    for (int y = r.y0; y < r.y1 && r.x0 < r.x1; y++) {
        uint8_t *pixel = pixel_at(picture, r.x0, y);
        if (part->color.a == 255)
            for (int x = r.x0; x < r.x1; x++, pixel += 4)
                memcpy(pixel, &word, sizeof word);
        else
            for (int x = r.x0; x < r.x1; x++, pixel += 4)
                blend(pixel, part->color, part->color.a);
    }
}

static void paint_glyph(struct picture *picture, const struct mesh_part *part, struct pixel_rect clip,
                        const uint8_t *alpha)
{
    struct pixel_rect r = clipped(part->rect, clip);
    if (r.x0 >= r.x1)
        return;
    for (int y = r.y0; y < r.y1; y++) {
        uint8_t *pixel = pixel_at(picture, r.x0, y);
        const uint8_t *cover = alpha + (part->v + (y - part->rect.y0)) * ATLAS_SIDE + part->u + (r.x0 - part->rect.x0);
        for (int x = r.x0; x < r.x1; x++, pixel += 4, cover++)
            if (*cover)
                blend(pixel, part->color, part->color.a == 255 ? *cover : (*cover * part->color.a + 127u) / 255);
    }
}

/* Returns the x at which an edge crosses a row of pixel centres. The ends are put in order of height first, so that
 * both triangles of the edge get the same answer. */
static float crossing(const struct mesh_vertex *a, const struct mesh_vertex *b, float y)
{
    if (a->y > b->y || (a->y == b->y && a->x > b->x)) {
        const struct mesh_vertex *swap = a;
        a = b;
        b = swap;
    }
    return a->x + (b->x - a->x) * ((y - a->y) / (b->y - a->y));
}

/* Returns the first pixel whose centre is at or right of x. */
static int first_centre(float x)
{
    return (int)ceilf(x - 0.5f);
}

static void lower_second(const struct mesh_vertex **a, const struct mesh_vertex **b)
{
    if ((*a)->y <= (*b)->y)
        return;
    const struct mesh_vertex *swap = *a;
    *a = *b;
    *b = swap;
}

static void paint_triangle(struct picture *picture, const struct mesh_part *part, struct pixel_rect clip,
                           const struct mesh_vertex *a, const struct mesh_vertex *b, const struct mesh_vertex *c)
{
    lower_second(&a, &b);
    lower_second(&b, &c);
    lower_second(&a, &b);
    if (c->y < (float)clip.y0 || a->y > (float)clip.y1)
        return;
    float area = (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y);
    if (area == 0)
        return;
    /* opacity = opacity of a + slopes * distance from a */
    float ob = b->opacity - a->opacity, oc = c->opacity - a->opacity;
    float slope_x = (ob * (c->y - a->y) - oc * (b->y - a->y)) / area;
    float slope_y = (oc * (b->x - a->x) - ob * (c->x - a->x)) / area;
    int y0 = most(first_centre(a->y), clip.y0), y1 = least(first_centre(c->y), clip.y1);
    for (int y = y0; y < y1; y++) {
        float at = (float)y + 0.5f, one = crossing(a, c, at);
        float other = at < b->y ? crossing(a, b, at) : crossing(b, c, at);
        int x0 = most(first_centre(fminf(one, other)), part->clip.x0);
        int x1 = least(first_centre(fmaxf(one, other)), clip.x1);
        if (most(x0, clip.x0) >= x1)
            continue;
        float opacity = a->opacity + slope_x * ((float)x0 + 0.5f - a->x) + slope_y * (at - a->y);
        float scale = part->color.a;
        for (; x0 < clip.x0; x0++) /* one by one, so that an area gets the same sums as the whole picture */
            opacity += slope_x;
        uint8_t *pixel = pixel_at(picture, x0, y);
        for (int x = x0; x < x1; x++, pixel += 4, opacity += slope_x) {
            float cover = fminf(1, fmaxf(0, opacity)) * scale + 0.5f;
            blend(pixel, part->color, (unsigned)cover);
        }
    }
}

struct pixel_rect raster_whole(const struct picture *picture)
{
    return (struct pixel_rect){0, 0, picture->width, picture->height};
}

void raster_clear(struct picture *picture, struct pixel_rect area, struct color color)
{
    uint32_t const word = packed(color);
    for (int y = area.y0; y < area.y1; y++) {
        uint8_t *pixel = pixel_at(picture, area.x0, y);
        for (int x = area.x0; x < area.x1; x++, pixel += 4)
            memcpy(pixel, &word, sizeof word);
    }
}

static void paint_triangles(struct picture *picture, const struct mesh *mesh, const struct mesh_part *part,
                            struct pixel_rect clip)
{
    const struct mesh_vertex *vertices = mesh->vertices.items;
    const uint32_t *index = mesh->indices.items + part->first;
    for (uint32_t k = 0; k < part->count; k += 3)
        paint_triangle(picture, part, clip, &vertices[index[k]], &vertices[index[k + 1]], &vertices[index[k + 2]]);
}

void raster_mesh(struct picture *picture, struct pixel_rect area, const struct mesh *mesh, struct glyphs *glyphs)
{
    for (size_t i = 0; i < mesh->parts.count; i++) {
        const struct mesh_part *part = &mesh->parts.items[i];
        struct pixel_rect const clip = clipped(part->clip, area), seen = clipped(part->rect, clip);
        if (seen.x0 >= seen.x1 || seen.y0 >= seen.y1)
            continue;
        if (part->kind == MESH_RECT)
            paint_rect(picture, part, clip);
        else if (part->kind == MESH_GLYPH)
            paint_glyph(picture, part, clip, glyphs_page(glyphs, part->page)->alpha);
        else
            paint_triangles(picture, mesh, part, clip);
    }
}
