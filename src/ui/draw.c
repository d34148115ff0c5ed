/* Appends commands to the draw list and writes the list as text. Text and points are copied into the frame's arena, so
 * a caller may pass pointers to its stack. */
#include "ui/draw.h"
#include <math.h>
#include <string.h>

void draw_begin(struct draw_list *list, struct arena *arena)
{
    *list = (struct draw_list){.arena = arena};
}

static struct draw_command *append(struct draw_list *list, enum draw_kind kind)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 256;
        struct draw_command *items = arena_array(list->arena, struct draw_command, capacity);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    struct draw_command *command = &list->items[list->count++];
    *command = (struct draw_command){.kind = kind};
    return command;
}

static void set_points(struct draw_list *list, struct draw_command *command, const struct point *points, uint32_t count)
{
    struct point *copy = arena_array(list->arena, struct point, count);
    if (count)
        memcpy(copy, points, count * sizeof *copy);
    command->points = copy;
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

void draw_decorate(struct draw_list *list, size_t from)
{
    for (size_t i = from; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT)
            list->items[i].decoration = true;
}

/* Rounds to a tenth of a pixel, which is finer than a viewer can see and keeps rounding noise out of golden files; +
 * 0.0 turns -0 into 0. */
static double tenth(float value)
{
    return round((double)value * 10) / 10 + 0.0;
}

static const char *dump_rect(struct arena *arena, struct rect rect)
{
    return arena_format(arena, "%.1f %.1f %.1f %.1f", tenth(rect.x), tenth(rect.y), tenth(rect.w), tenth(rect.h));
}

static const char *dump_points(struct arena *arena, const struct draw_command *command)
{
    const char *all = "";
    for (uint32_t i = 0; i < command->point_count; i++)
        all = arena_format(arena, "%s %.1f,%.1f", all, tenth(command->points[i].x), tenth(command->points[i].y));
    return all;
}

static const char *dump_text(struct arena *arena, const char *text)
{
    size_t length = strlen(text), out = 0;
    char *quoted = arena_alloc(arena, length * 2 + 3);
    quoted[out++] = '"';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\' || text[i] == '\n')
            quoted[out++] = '\\';
        quoted[out++] = text[i] == '\n' ? 'n' : text[i];
    }
    quoted[out] = '"';
    return quoted;
}

static const char *dump_dash(struct arena *arena, float dash)
{
    return dash > 0 ? arena_format(arena, " dash %.1f", tenth(dash)) : "";
}

static const char *dump_command(struct arena *arena, const struct draw_command *command)
{
    static const char *const roles[FONT_ROLE_COUNT] = {"text", "bold", "code"};
    const char *color = arena_format(arena, "#%02x%02x%02x%02x", command->color.r, command->color.g, command->color.b,
                                     command->color.a);
    const char *rect = dump_rect(arena, command->rect);
    switch (command->kind) {
    case DRAW_FILL:
        return arena_format(arena, "fill %s radius %.1f %s", rect, tenth(command->radius), color);
    case DRAW_OUTLINE:
        return arena_format(arena, "outline %s radius %.1f width %.1f%s %s", rect, tenth(command->radius),
                            tenth(command->width), dump_dash(arena, command->dash), color);
    case DRAW_HATCH:
        return arena_format(arena, "hatch %s gap %.1f width %.1f %s", rect, tenth(command->gap), tenth(command->width),
                            color);
    case DRAW_LINE:
        return arena_format(arena, "line%s width %.1f%s %s", dump_points(arena, command), tenth(command->width),
                            dump_dash(arena, command->dash), color);
    case DRAW_CURVE:
        return arena_format(arena, "curve%s width %.1f %s", dump_points(arena, command), tenth(command->width), color);
    case DRAW_POLYGON:
        return arena_format(arena, "polygon%s %s", dump_points(arena, command), color);
    case DRAW_TEXT:
        return arena_format(arena, "text %s %.1f at %.1f,%.1f extent %.1f in %s %s%s %s", roles[command->role],
                            tenth(command->size), tenth(command->at.x), tenth(command->at.y), tenth(command->extent),
                            rect, color, command->decoration ? " decoration" : "", dump_text(arena, command->text));
    case DRAW_CLIP:
        return command->rect.w < 0 ? "clip none" : arena_format(arena, "clip %s", rect);
    }
    return "";
}

char *draw_dump(const struct draw_list *list, struct arena *arena)
{
    const char **lines = arena_array(arena, const char *, list->count);
    size_t size = 1;
    for (size_t i = 0; i < list->count; i++) {
        lines[i] = dump_command(arena, &list->items[i]);
        size += strlen(lines[i]) + 1;
    }
    char *all = arena_alloc(arena, size), *end = all;
    for (size_t i = 0; i < list->count; i++) {
        end = stpcpy(end, lines[i]);
        *end++ = '\n';
    }
    return all;
}
