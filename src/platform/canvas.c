/* Most frames change little: a lane is marked, a number grows. Painting the whole window again took most of a frame's
 * time. The parts of the mesh that lie on a tile are summed up in a hash of 64 bits, in their order; equal hashes mean
 * equal pixels. */
#include "platform/canvas.h"
#include "platform/picture.h"
#include <stdlib.h>
#include <string.h>

enum { TILE = 32, NEAR = 4 /* tiles: changes in a row that are this close become one rectangle */ };
static uint64_t const factor = 0x9E3779B97F4A7C15u;

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * factor;
    return hash ^ hash >> 32;
}

static uint64_t two(int a, int b)
{
    return (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
}

static uint64_t bits_of(float a, float b)
{
    uint32_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return (uint64_t)x << 32 | y;
}

static uint64_t color_bits(struct color color)
{
    return (uint64_t)color.r << 24 | (uint64_t)color.g << 16 | (uint64_t)color.b << 8 | color.a;
}

/* Adds something to the hashes of the tiles that its box touches. */
static void add(struct canvas_tiles *tiles, struct pixel_rect box, struct pixel_rect clip, uint64_t hash)
{
    box = (struct pixel_rect){most(box.x0, clip.x0), most(box.y0, clip.y0), least(box.x1, clip.x1),
                              least(box.y1, clip.y1)};
    if (box.x0 >= box.x1 || box.y0 >= box.y1)
        return;
    int const right = least((box.x1 - 1) / TILE, tiles->across - 1), low = least((box.y1 - 1) / TILE, tiles->down - 1);
    for (int y = box.y0 / TILE; y <= low; y++)
        for (int x = box.x0 / TILE; x <= right; x++) {
            uint64_t *tile = &tiles->now[y * tiles->across + x];
            *tile = mixed(*tile, hash);
        }
}

static uint64_t triangles_hash(const struct mesh *mesh, const struct mesh_part *part, uint64_t hash)
{
    const uint32_t *index = mesh->indices.items + part->first;
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t k = 0; k < part->count; k++) {
        low = index[k] < low ? index[k] : low;
        high = index[k] > high ? index[k] : high;
    }
    for (uint32_t k = 0; k < part->count; k += 3)
        hash =
            mixed(hash, (uint64_t)(index[k] - low) << 42 ^ (uint64_t)(index[k + 1] - low) << 21 ^ (index[k + 2] - low));
    for (uint32_t k = low; k <= high && part->count; k++) {
        const struct mesh_vertex *v = &mesh->vertices.items[k];
        hash = mixed(mixed(hash, bits_of(v->x, v->y)), bits_of(v->opacity, 0));
    }
    return hash;
}

static void sum_up(struct canvas_tiles *tiles, const struct mesh *mesh)
{
    for (size_t i = 0; i < mesh->parts.count; i++) {
        const struct mesh_part *part = &mesh->parts.items[i];
        uint64_t hash = mixed((uint64_t)part->kind + 1, color_bits(part->color));
        hash = mixed(hash, two(part->clip.x0, part->clip.y0));
        hash = mixed(hash, two(part->clip.x1, part->clip.y1));
        hash = mixed(hash, two(part->rect.x0, part->rect.y0));
        hash = mixed(hash, two(part->rect.x1, part->rect.y1));
        if (part->kind == MESH_TRIANGLES)
            hash = triangles_hash(mesh, part, hash);
        else if (part->kind == MESH_GLYPH)
            hash = mixed(hash, (uint64_t)part->page << 32 | (uint64_t)part->u << 16 | part->v);
        add(tiles, part->rect, part->clip, hash);
    }
}

/* Adds a run of changed tiles: to the rectangle above it, if that has the same width. */
static void add_changed(struct canvas *canvas, struct pixel_rect run)
{
    for (size_t i = canvas->changed.count; i-- > 0;) {
        struct pixel_rect *above = &canvas->changed.items[i];
        if (above->x0 == run.x0 && above->x1 == run.x1 && above->y1 == run.y0) {
            above->y1 = run.y1;
            return;
        }
    }
    array_push(&canvas->changed, run);
}

static void find_changed(struct canvas *canvas)
{
    const struct canvas_tiles *tiles = &canvas->tiles;
    const struct picture *picture = &canvas->picture;
    canvas->changed.count = 0;
    for (int y = 0; y < tiles->down; y++) {
        const uint64_t *now = tiles->now + y * tiles->across, *before = tiles->before + y * tiles->across;
        int first = -1, last = -1;
        for (int x = 0; x <= tiles->across; x++) {
            bool const changed = x < tiles->across && now[x] != before[x];
            if (first >= 0 && (x == tiles->across || (changed && x - last > NEAR))) {
                add_changed(canvas,
                            (struct pixel_rect){first * TILE, y * TILE, least((last + 1) * TILE, picture->width),
                                                least((y + 1) * TILE, picture->height)});
                first = -1;
            }
            if (changed && first < 0)
                first = x;
            if (changed)
                last = x;
        }
    }
}

static bool fit(struct canvas *canvas, int width, int height, struct error *error)
{
    struct canvas_tiles *tiles = &canvas->tiles;
    if (canvas->picture.pixels && canvas->picture.width == width && canvas->picture.height == height)
        return true;
    canvas_free(canvas);
    if (!picture_new(&canvas->picture, width, height, error))
        return false;
    tiles->across = (width + TILE - 1) / TILE;
    tiles->down = (height + TILE - 1) / TILE;
    size_t const count = (size_t)tiles->across * (size_t)tiles->down;
    tiles->now = calloc(count, sizeof *tiles->now);
    tiles->before = calloc(count, sizeof *tiles->before);
    if (tiles->now && tiles->before)
        return true;
    canvas_free(canvas);
    return error_set(error, ERROR_MISSING, "no memory for a picture of %d x %d pixels", width, height);
}

bool canvas_paint(struct canvas *canvas, const struct mesh *mesh, struct glyphs *glyphs, int width, int height,
                  struct color background, struct error *error)
{
    struct canvas_tiles *tiles = &canvas->tiles;
    if (!fit(canvas, width, height, error))
        return false;
    if (canvas->glyphs != glyphs_generation(glyphs)) /* the same place in the atlas may hold another glyph */
        canvas_forget(canvas);
    canvas->glyphs = glyphs_generation(glyphs);
    uint64_t *const swap = tiles->before;
    tiles->before = tiles->now;
    tiles->now = swap;
    for (int i = 0; i < tiles->across * tiles->down; i++) /* never 0, the hash of a tile that was not painted */
        tiles->now[i] = color_bits(background) | (uint64_t)1 << 40;
    sum_up(tiles, mesh);
    find_changed(canvas);
    for (size_t i = 0; i < canvas->changed.count; i++) {
        raster_clear(&canvas->picture, canvas->changed.items[i], background);
        raster_mesh(&canvas->picture, canvas->changed.items[i], mesh, glyphs);
    }
    return true;
}

void canvas_forget(struct canvas *canvas)
{
    struct canvas_tiles *tiles = &canvas->tiles;
    if (tiles->now)
        memset(tiles->now, 0, (size_t)tiles->across * (size_t)tiles->down * sizeof *tiles->now);
}

void canvas_free(struct canvas *canvas)
{
    picture_free(&canvas->picture);
    free(canvas->tiles.now);
    free(canvas->tiles.before);
    free(canvas->changed.items);
    *canvas = (struct canvas){0};
}
