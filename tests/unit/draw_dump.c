/* Writes a draw list as text. */
#include "draw_dump.h"
#include <math.h>
#include <string.h>

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
