#include "platform/mesh.h"
#include <math.h>
#include <stdlib.h>

static struct mesh_part *add_part(struct shaper *shaper, enum mesh_kind kind)
{
    shape_piece(shaper);
    struct mesh_part part = {.kind = kind, .color = shaper->color, .clip = shaper->clip};
    array_push(&shaper->mesh->parts, part);
    return &shaper->mesh->parts.items[shaper->mesh->parts.count - 1];
}

void shape_rect(struct shaper *shaper, struct pixel_rect rect)
{
    if (rect.x1 > rect.x0 && rect.y1 > rect.y0)
        add_part(shaper, MESH_RECT)->rect = rect;
}

void shape_corners(struct shaper *shaper, struct pixel_rect box, int radius, int thick)
{
    struct glyph disc;
    if (!glyphs_disc(shaper->glyphs, radius, thick, &disc)) {
        shaper->full = true;
        return;
    }
    for (int i = 0; i < 4; i++) {
        int right = i & 1, low = i >> 1;
        struct mesh_part *part = add_part(shaper, MESH_GLYPH);
        int x = right ? box.x1 - radius : box.x0, y = low ? box.y1 - radius : box.y0;
        part->rect = (struct pixel_rect){x, y, x + radius, y + radius};
        part->page = disc.page;
        part->u = (uint16_t)(disc.u + (right ? radius : 0));
        part->v = (uint16_t)(disc.v + (low ? radius : 0));
    }
}

uint32_t shape_vertex(struct shaper *shaper, float x, float y, float opacity)
{
    struct mesh *mesh = shaper->mesh;
    struct mesh_vertex vertex = {x, y, opacity};
    array_push(&mesh->vertices, vertex);
    return (uint32_t)mesh->vertices.count - 1;
}

/* Returns a coordinate as a whole number that is safe for any float. */
static int whole(float value)
{
    return value > -1e6f ? value < 1e6f ? (int)floorf(value) : 1000000 : -1000000;
}

/* Puts a box around the triangles of a part. Their vertices stand side by side. */
static void enclose(const struct mesh *mesh, struct mesh_part *part)
{
    const uint32_t *index = mesh->indices.items + part->first;
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (uint32_t k = 0; k < part->count; k++) {
        const struct mesh_vertex *v = &mesh->vertices.items[index[k]];
        x0 = v->x < x0 ? v->x : x0, y0 = v->y < y0 ? v->y : y0;
        x1 = v->x > x1 ? v->x : x1, y1 = v->y > y1 ? v->y : y1;
    }
    part->rect = (struct pixel_rect){whole(x0), whole(y0), whole(x1) + 1, whole(y1) + 1};
}

void shape_piece(struct shaper *shaper)
{
    const struct mesh *mesh = shaper->mesh;
    if (shaper->open)
        enclose(mesh, &mesh->parts.items[mesh->parts.count - 1]);
    shaper->open = false;
}

void shape_triangle(struct shaper *shaper, uint32_t a, uint32_t b, uint32_t c)
{
    struct mesh *mesh = shaper->mesh;
    if (!shaper->open) {
        add_part(shaper, MESH_TRIANGLES)->first = (uint32_t)mesh->indices.count;
        shaper->open = true;
    }
    array_push(&mesh->indices, a);
    array_push(&mesh->indices, b);
    array_push(&mesh->indices, c);
    mesh->parts.items[mesh->parts.count - 1].count += 3;
}

struct line_of_text {
    struct shaper *shaper;
    int baseline;
};

static void put_glyph(void *context, const struct glyph *glyph, int pen_x)
{
    const struct line_of_text *line = context;
    int x = pen_x + glyph->left, y = line->baseline - glyph->top;
    struct mesh_part *part = add_part(line->shaper, MESH_GLYPH);
    part->rect = (struct pixel_rect){x, y, x + glyph->w, y + glyph->h};
    part->page = glyph->page;
    part->u = glyph->u;
    part->v = glyph->v;
}

static bool build_command(struct shaper *shaper, const struct draw_command *command)
{
    shaper->color = command->color;
    switch (command->kind) {
    case DRAW_FILL:
        shape_fill(shaper, command->rect, command->radius);
        break;
    case DRAW_OUTLINE:
        shape_outline(shaper, command->rect, command->radius, command->width, command->dash);
        break;
    case DRAW_HATCH:
        shape_hatch(shaper, command->rect, command->gap, command->width);
        break;
    case DRAW_LINE:
        shape_line(shaper, command->points, command->point_count, command->width, command->dash);
        break;
    case DRAW_CURVE:
        shape_curve(shaper, command->points, command->width);
        break;
    case DRAW_POLYGON:
        shape_polygon(shaper, command->points, command->point_count);
        break;
    case DRAW_TEXT: {
        struct line_of_text line = {shaper, (int)floorf(command->at.y + 0.5f)};
        return glyphs_line(shaper->glyphs, command->role, command->size, command->at.x, command->text, put_glyph,
                           &line);
    }
    case DRAW_CLIP:
        break;
    }
    return !shaper->full;
}

static struct pixel_rect clip_of(const struct draw_command *command, struct pixel_rect screen)
{
    if (command->rect.w < 0)
        return screen;
    struct pixel_rect clip = shape_snap(command->rect);
    clip.x0 = clip.x0 > screen.x0 ? clip.x0 : screen.x0;
    clip.y0 = clip.y0 > screen.y0 ? clip.y0 : screen.y0;
    clip.x1 = clip.x1 < screen.x1 ? clip.x1 : screen.x1;
    clip.y1 = clip.y1 < screen.y1 ? clip.y1 : screen.y1;
    return clip;
}

/* Builds the mesh. With `every_glyph`, stops at a full atlas and returns false; otherwise leaves out glyphs that do not
 * fit. */
static bool build(struct mesh *mesh, const struct draw_list *list, struct glyphs *glyphs, struct pixel_rect screen,
                  bool every_glyph)
{
    mesh->parts.count = mesh->vertices.count = mesh->indices.count = 0;
    struct shaper shaper = {.mesh = mesh, .clip = screen, .glyphs = glyphs};
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind == DRAW_CLIP)
            shaper.clip = clip_of(command, screen);
        else if (command->color.a > 0 && !build_command(&shaper, command) && every_glyph)
            return false;
        shape_piece(&shaper);
    }
    return true;
}

void mesh_build(struct mesh *mesh, const struct draw_list *list, struct glyphs *glyphs, int width, int height)
{
    struct pixel_rect screen = {0, 0, width, height};
    if (build(mesh, list, glyphs, screen, true))
        return;
    glyphs_forget(glyphs); /* glyphs of old sizes fill the atlas: start again with this frame's */
    build(mesh, list, glyphs, screen, false);
}

void mesh_free(struct mesh *mesh)
{
    free(mesh->parts.items);
    free(mesh->vertices.items);
    free(mesh->indices.items);
    *mesh = (struct mesh){0};
}
