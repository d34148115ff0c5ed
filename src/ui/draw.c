/* Appends commands to the draw list. Text and points are copied into the frame's arena, so
 * a caller may pass pointers to its stack. */
#include "ui/draw.h"
#include <string.h>

void draw_begin(struct draw_list *list, struct arena *arena)
{
    *list = (struct draw_list){.arena = arena};
}

static struct draw_command *append(struct draw_list *list, enum draw_kind kind)
{
    list->items = arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
    struct draw_command *command = &list->items[list->count++];
    *command = (struct draw_command){.kind = kind};
    return command;
}

static void set_points(struct draw_list *list, struct draw_command *command, const struct point *points, uint32_t count)
{
    command->points = arena_copy(list->arena, points, count, sizeof *points);
    command->point_count = count;
}

void draw_fill(struct draw_list *list, struct rect rect, float radius, struct color color)
{
    struct draw_command *command = append(list, DRAW_FILL);
    command->rect = rect;
    command->radius = radius;
    command->color = color;
}

void draw_outline(struct draw_list *list, struct rect rect, float radius, float width, struct color color)
{
    draw_outline_dashed(list, rect, radius, width, 0, color);
}

void draw_outline_dashed(struct draw_list *list, struct rect rect, float radius, float width, float dash,
                         struct color color)
{
    struct draw_command *command = append(list, DRAW_OUTLINE);
    command->rect = rect;
    command->radius = radius;
    command->width = width;
    command->dash = dash;
    command->color = color;
}

void draw_hatch(struct draw_list *list, struct rect rect, float gap, float width, struct color color)
{
    struct draw_command *command = append(list, DRAW_HATCH);
    command->rect = rect;
    command->gap = gap;
    command->width = width;
    command->color = color;
}

void draw_line(struct draw_list *list, struct point a, struct point b, float width, struct color color)
{
    draw_polyline(list, (struct point[]){a, b}, 2, width, 0, color);
}

void draw_polyline(struct draw_list *list, const struct point *points, uint32_t count, float width, float dash,
                   struct color color)
{
    struct draw_command *command = append(list, DRAW_LINE);
    set_points(list, command, points, count);
    command->width = width;
    command->dash = dash;
    command->color = color;
}

void draw_curve(struct draw_list *list, const struct point points[4], float width, struct color color)
{
    struct draw_command *command = append(list, DRAW_CURVE);
    set_points(list, command, points, 4);
    command->width = width;
    command->color = color;
}

void draw_polygon(struct draw_list *list, const struct point *points, uint32_t count, struct color color)
{
    struct draw_command *command = append(list, DRAW_POLYGON);
    set_points(list, command, points, count);
    command->color = color;
}

void draw_clip(struct draw_list *list, struct rect rect)
{
    append(list, DRAW_CLIP)->rect = rect;
}

void draw_clip_none(struct draw_list *list)
{
    draw_clip(list, (struct rect){.w = -1});
}

void draw_text(struct draw_list *list, const struct text_metrics *metrics, enum font_role role, float size,
               struct color color, struct point at, struct rect box, const char *text)
{
    size_t length = strlen(text);
    struct draw_command *command = append(list, DRAW_TEXT);
    command->text = arena_text_n(list->arena, text, length);
    command->role = role;
    command->size = size;
    command->color = color;
    command->at = at;
    command->rect = box;
    command->extent = metrics->width(metrics->context, role, size, text, length);
}

void draw_over(struct draw_list *list)
{
    list->over = list->count;
}

void draw_decorate(struct draw_list *list, size_t from)
{
    for (size_t i = from; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT)
            list->items[i].decoration = true;
}
