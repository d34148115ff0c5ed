/* Rectangles stand on whole pixels, as in the picture of pixels, so that neighbours meet without a seam. */
#include "platform/vector.h"
#include "platform/snap.h"
#include <math.h>

static struct rect snapped(struct rect rect)
{
    struct pixel_rect const r = shape_snap(rect);
    return (struct rect){(float)r.x0, (float)r.y0, (float)(r.x1 - r.x0), (float)(r.y1 - r.y0)};
}

static void draw_rect(const struct vector_pen *pen, const struct draw_command *command)
{
    struct rect rect = command->rect;
    if (rect.w <= 0 || rect.h <= 0)
        return;
    bool const disc = fabsf(rect.w - rect.h) < 0.1f && command->radius >= rect.w / 2 - 0.1f && command->radius > 0;
    if (!disc)
        rect = snapped(rect);
    float width = command->kind == DRAW_OUTLINE ? command->width : 0, radius = command->radius;
    if (command->kind == DRAW_OUTLINE && width <= 0)
        return;
    if (2 * width >= fminf(rect.w, rect.h))
        width = 0; /* no hole is left */
    if (width > 0) {
        rect = (struct rect){rect.x + width / 2, rect.y + width / 2, rect.w - width, rect.h - width};
        radius = fmaxf(0, radius - width / 2);
    }
    radius = fmaxf(0, fminf(radius, fminf(rect.w, rect.h) / 2));
    pen->rect(pen->context, rect, radius, (struct vector_paint){command->color, width, width > 0 ? command->dash : 0});
}

/* Strokes lie where x + y is a multiple of the gap, so that neighbouring hatches line up. */
static void draw_hatching(const struct vector_pen *pen, const struct draw_command *command)
{
    struct rect const r = snapped(command->rect);
    float const step = fmaxf(2, command->gap) * 1.41421356f, reach = command->width + 1;
    if (r.w <= 0 || r.h <= 0 || command->width <= 0)
        return;
    pen->clip(pen->context, r);
    int const first = (int)ceilf((r.x + r.y - 2 * reach) / step);
    int const last = (int)floorf((r.x + r.w + r.y + r.h + 2 * reach) / step);
    for (int i = first; i <= last; i++) {
        float const sum = (float)i * step, left = fmaxf(r.x - reach, sum - r.y - r.h - reach),
                    right = fminf(r.x + r.w + reach, sum - r.y + reach);
        const struct point line[2] = {{left, sum - left}, {right, sum - right}};
        if (left < right)
            pen->path(pen->context, line, 2, (struct vector_paint){command->color, command->width, 0});
    }
    pen->clip_end(pen->context);
}

static void draw_command(const struct vector_pen *pen, const struct draw_command *command)
{
    struct vector_paint const stroke = {command->color, command->width, command->dash};
    switch (command->kind) {
    case DRAW_FILL:
    case DRAW_OUTLINE:
        draw_rect(pen, command);
        break;
    case DRAW_HATCH:
        draw_hatching(pen, command);
        break;
    case DRAW_LINE:
        if (command->point_count > 1 && command->width > 0)
            pen->path(pen->context, command->points, command->point_count, stroke);
        break;
    case DRAW_CURVE:
        if (command->width > 0)
            pen->curve(pen->context, command->points, stroke);
        break;
    case DRAW_POLYGON:
        if (command->point_count > 2)
            pen->path(pen->context, command->points, command->point_count, (struct vector_paint){command->color, 0, 0});
        break;
    case DRAW_TEXT:
        pen->text(pen->context, command);
        break;
    case DRAW_CLIP:
        break;
    }
}

void vector_draw(const struct vector_pen *pen, const struct draw_list *list, int width, int height,
                 struct color background)
{
    bool clipped = false;
    pen->rect(pen->context, (struct rect){0, 0, (float)width, (float)height}, 0,
              (struct vector_paint){background, 0, 0});
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_CLIP) {
            if (command->color.a > 0)
                draw_command(pen, command);
            continue;
        }
        if (clipped)
            pen->clip_end(pen->context);
        clipped = command->rect.w >= 0;
        if (clipped)
            pen->clip(pen->context, snapped(command->rect));
    }
    if (clipped)
        pen->clip_end(pen->context);
}
