/* A frame as a list of numbers, which draw.js reads: the kind of a shape, then its values. One call passes all of it.
 * A colour is four bytes in the place of a number, a text the address of its bytes. */
#include "platform/snap.h"
#include "platform/vector.h"
#include "platform/web/web.h"
#include <math.h>
#include <string.h>

enum shape { SHAPE_RECT = 1, SHAPE_PATH, SHAPE_CURVE, SHAPE_TEXT, SHAPE_CLIP, SHAPE_CLIP_END };

struct numbers {
    float *items;
    size_t count, capacity;
};

static void put(struct numbers *numbers, float value)
{
    array_push(numbers, value);
}

static void put_bits(struct numbers *numbers, uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    put(numbers, value);
}

static void put_color(struct numbers *numbers, struct color color)
{
    put_bits(numbers, (uint32_t)color.r | (uint32_t)color.g << 8 | (uint32_t)color.b << 16 | (uint32_t)color.a << 24);
}

static void put_paint(struct numbers *numbers, struct vector_paint paint)
{
    put_color(numbers, paint.color);
    put(numbers, paint.width);
    put(numbers, paint.dash);
}

static void put_box(struct numbers *numbers, struct rect rect)
{
    put(numbers, rect.x);
    put(numbers, rect.y);
    put(numbers, rect.w);
    put(numbers, rect.h);
}

static void put_points(struct numbers *numbers, const struct point *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        put(numbers, points[i].x);
        put(numbers, points[i].y);
    }
}

/* An edge lies on whole pixels, as mesh_shapes.c draws it: `rect` is its middle line. */
static void pen_rect(void *context, struct rect rect, float radius, struct vector_paint paint)
{
    bool const disc = radius > 0 && fabsf(rect.w - rect.h) < 0.1f && radius >= rect.w / 2 - 0.1f;
    if (paint.width > 0 && !disc) {
        float const thick = fmaxf(1, roundf(paint.width)), in = (thick - paint.width) / 2;
        rect = (struct rect){rect.x + in, rect.y + in, rect.w - 2 * in, rect.h - 2 * in};
        radius = fmaxf(0, radius - in);
        paint.width = thick;
    }
    put(context, SHAPE_RECT);
    put_paint(context, paint);
    put_box(context, rect);
    put(context, radius);
}

/* Puts a level or an upright line on whole pixels, as mesh_lines.c does. Returns false for any other. */
static bool put_axis_line(struct numbers *numbers, struct point a, struct point b, struct vector_paint paint)
{
    bool const level = fabsf(a.y - b.y) < 0.05f, upright = fabsf(a.x - b.x) < 0.05f;
    if (paint.width <= 0 || paint.dash > 0 || (!level && !upright))
        return false;
    float const thick = fmaxf(1, roundf(paint.width));
    struct rect const rect =
        level ? (struct rect){fminf(a.x, b.x), floorf(a.y - thick / 2 + 0.5f), fabsf(b.x - a.x), thick}
              : (struct rect){floorf(a.x - thick / 2 + 0.5f), fminf(a.y, b.y), thick, fabsf(b.y - a.y)};
    struct pixel_rect const to = shape_snap(rect);
    struct color color = paint.color;
    color.a = (uint8_t)lroundf((float)color.a * fminf(1, paint.width));
    pen_rect(numbers, (struct rect){(float)to.x0, (float)to.y0, (float)(to.x1 - to.x0), (float)(to.y1 - to.y0)}, 0,
             (struct vector_paint){color, 0, 0});
    return true;
}

static void pen_path(void *context, const struct point *points, uint32_t count, struct vector_paint paint)
{
    if (count == 2 && put_axis_line(context, points[0], points[1], paint))
        return;
    put(context, SHAPE_PATH);
    put_paint(context, paint);
    put(context, (float)count);
    put_points(context, points, count);
}

static void pen_curve(void *context, const struct point points[4], struct vector_paint paint)
{
    put(context, SHAPE_CURVE);
    put_paint(context, paint);
    put_points(context, points, 4);
}

static void pen_text(void *context, const struct draw_command *command)
{
    put(context, SHAPE_TEXT);
    put_color(context, command->color);
    put(context, (float)command->role);
    put(context, command->size);
    put(context, command->at.x);
    put(context, command->at.y);
    put_bits(context, (uint32_t)(uintptr_t)command->text);
}

static void pen_clip(void *context, struct rect rect)
{
    put(context, SHAPE_CLIP);
    put_box(context, rect);
}

static void pen_clip_end(void *context)
{
    put(context, SHAPE_CLIP_END);
}

/* Returns the numbers of the frame, which the next call overwrites. */
static const struct numbers *numbers_of(const struct draw_list *list, int width, int height, struct color background)
{
    static struct numbers numbers;
    struct vector_pen const pen = {&numbers, pen_rect, pen_path, pen_curve, pen_text, pen_clip, pen_clip_end};
    numbers.count = 0;
    vector_draw(&pen, list, width, height, background);
    return &numbers;
}

void paint_page(const struct draw_list *list, int width, int height, struct color background)
{
    const struct numbers *numbers = numbers_of(list, width, height, background);
    page_paint(numbers->items, (int)numbers->count, width, height);
}

void paint_file(const struct draw_list *list, int width, int height, struct color background, const char *name)
{
    const struct numbers *numbers = numbers_of(list, width, height, background);
    page_save(numbers->items, (int)numbers->count, width, height, name);
}
