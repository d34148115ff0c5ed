/* The lint walks the draw list in order and judges each text where it stands. The ground of a text is made of the
 * fills, polygons and hatches drawn before it, clipped as the platform would clip them. */
#include "lint.h"
#include "ui/theme.h"
#include "ui/ui.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* pixels: rounding to whole pixels moves an edge by less than this */
static const float slack = 1.0f;
static const float least_contrast = 4.5f;

struct ink {
    struct rect box;
    size_t place; /* index in the list */
};
struct ground { /* a fill, polygon or hatch in the list so far */
    const struct draw_command *command;
    struct rect clip;
};
struct lint {
    const struct draw_list *list;
    const struct text_metrics *metrics;
    const struct lint_options *options;
    struct arena *arena;
    const char **findings;
    size_t count, capacity;
    struct ink *inks;
    size_t ink_count;
    struct ground *grounds; /* those so far, and room for those below a text */
    size_t ground_count;
    const struct ground **below;
};

__attribute__((format(printf, 2, 3))) static void report(struct lint *lint, const char *format, ...)
{
    if (lint->count == lint->capacity) {
        size_t capacity = lint->capacity ? lint->capacity * 2 : 16;
        const char **findings = arena_array(lint->arena, const char *, capacity);
        if (lint->count)
            memcpy(findings, lint->findings, lint->count * sizeof *findings);
        lint->findings = findings;
        lint->capacity = capacity;
    }
    va_list arguments;
    va_start(arguments, format);
    lint->findings[lint->count++] = arena_format_v(lint->arena, format, arguments);
    va_end(arguments);
}

/* Calls of fmaxf would take a tenth of the lint's time: each text is compared with all others. */
static struct rect intersect(struct rect a, struct rect b)
{
    float const x0 = a.x > b.x ? a.x : b.x, x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    float const y0 = a.y > b.y ? a.y : b.y, y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    return (struct rect){x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

static bool inside(struct rect inner, struct rect outer)
{
    return inner.x >= outer.x - slack && inner.y >= outer.y - slack && inner.x + inner.w <= outer.x + outer.w + slack &&
           inner.y + inner.h <= outer.y + outer.h + slack;
}

static struct rect ink_box(const struct lint *lint, const struct draw_command *text)
{
    float up = lint->metrics->ascent(lint->metrics->context, text->role, text->size);
    float down = lint->metrics->descent(lint->metrics->context, text->role, text->size);
    return (struct rect){text->at.x, text->at.y - up, text->extent, up + down};
}

static void check_place(struct lint *lint, const struct draw_command *text, struct rect ink, struct rect clip)
{
    if (!inside(ink, text->rect))
        report(lint, "\"%s\" leaves its box: %.0f x %.0f at %.0f,%.0f in %.0f x %.0f at %.0f,%.0f", text->text, ink.w,
               ink.h, ink.x, ink.y, text->rect.w, text->rect.h, text->rect.x, text->rect.y);
    if (!inside(ink, lint->options->screen))
        report(lint, "\"%s\" leaves the screen at %.0f,%.0f", text->text, ink.x, ink.y);
    else if (!inside(ink, clip))
        report(lint, "\"%s\" is cut at %.0f,%.0f", text->text, ink.x, ink.y);
    if (!text->decoration && text->size < lint->options->minimum_size - 0.05f)
        report(lint, "\"%s\" is %.1f px, under the minimum of %.1f", text->text, text->size,
               lint->options->minimum_size);
}

/* Returns true when an opaque fill lies between the two texts, so that they do not overlap for the viewer. A tooltip
 * may cover a text in this way. */
static bool covered(const struct lint *lint, size_t lower, size_t upper, struct rect common)
{
    for (size_t i = lower + 1; i < upper; i++) {
        const struct draw_command *c = &lint->list->items[i];
        if (c->kind == DRAW_FILL && c->color.a == 255 && inside(common, c->rect))
            return true;
    }
    return false;
}

static void check_overlap(struct lint *lint, size_t place, struct rect ink)
{
    const struct draw_command *items = lint->list->items;
    for (size_t i = 0; i < lint->ink_count; i++) {
        struct rect common = intersect(ink, lint->inks[i].box);
        if (common.w > slack && common.h > slack && !covered(lint, lint->inks[i].place, place, common))
            report(lint, "\"%s\" overlaps \"%s\" at %.0f,%.0f", items[place].text, items[lint->inks[i].place].text,
                   common.x, common.y);
    }
    lint->inks[lint->ink_count++] = (struct ink){ink, place};
}

/* Returns whether the point is in the polygon, by the even-odd rule. */
static bool polygon_holds(const struct draw_command *polygon, struct point p)
{
    bool in = false;
    for (uint32_t i = 0, j = polygon->point_count - 1; i < polygon->point_count; j = i++) {
        struct point a = polygon->points[i], b = polygon->points[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            in = !in;
    }
    return in;
}

/* Returns whether the fill covers the point. Rounded corners do not belong to the fill. */
static bool fill_holds(const struct draw_command *fill, struct point p)
{
    if (!rect_holds(fill->rect, p))
        return false;
    float r = fminf(fill->radius, fminf(fill->rect.w, fill->rect.h) / 2);
    float dx = fmaxf(0, fmaxf(fill->rect.x + r - p.x, p.x - (fill->rect.x + fill->rect.w - r)));
    float dy = fmaxf(0, fmaxf(fill->rect.y + r - p.y, p.y - (fill->rect.y + fill->rect.h - r)));
    return r <= 0 || dx * dx + dy * dy <= r * r;
}

struct color color_over(struct color below, struct color above)
{
    struct color mixed = color_mix(below, above, (float)above.a / 255);
    mixed.a = 255;
    return mixed;
}

/* Collects what lies below a text, in the order of the list. Returns the count. */
static size_t grounds_below(struct lint *lint, struct rect ink)
{
    size_t count = 0;
    for (size_t i = 0; i < lint->ground_count; i++) {
        const struct ground *ground = &lint->grounds[i];
        struct rect const box = ground->command->kind == DRAW_POLYGON ? ground->clip : ground->command->rect;
        if (box.x <= ink.x + ink.w + slack && box.y <= ink.y + ink.h + slack && box.x + box.w >= ink.x - slack &&
            box.y + box.h >= ink.y - slack)
            lint->below[count++] = ground;
    }
    return count;
}

/* Returns the colour at a point: the grounds blended in order. A hatch counts as the average of its strokes and gaps.
 */
static struct color color_at(const struct lint *lint, size_t below, struct point p)
{
    struct color color = lint->options->background;
    for (size_t i = 0; i < below; i++) {
        const struct draw_command *c = lint->below[i]->command;
        if (!rect_holds(lint->below[i]->clip, p))
            continue;
        if ((c->kind == DRAW_FILL && fill_holds(c, p)) || (c->kind == DRAW_POLYGON && polygon_holds(c, p)))
            color = color_over(color, c->color);
        else if (c->kind == DRAW_HATCH && rect_holds(c->rect, p) && c->gap > 0)
            color = color_over(color, color_fade(c->color, fminf(1, c->width / c->gap)));
    }
    return color;
}

static void check_contrast(struct lint *lint, size_t place, struct rect ink)
{
    const struct draw_command *text = &lint->list->items[place];
    float worst = INFINITY;
    struct color worst_ground = {0};
    size_t const below = grounds_below(lint, ink);
    for (int i = 0; i < 5; i++) { /* a long text may cross several grounds */
        struct point p = {ink.x + ink.w * (0.02f + 0.24f * (float)i), ink.y + ink.h * 0.55f};
        struct color ground = color_at(lint, below, p);
        float contrast = color_contrast(color_over(ground, text->color), ground);
        if (contrast < worst) {
            worst = contrast;
            worst_ground = ground;
        }
    }
    if (worst < least_contrast)
        report(lint, "\"%s\" has contrast %.2f to #%02x%02x%02x under it", text->text, worst, worst_ground.r,
               worst_ground.g, worst_ground.b);
}

/* Reports the texts so far that this opaque fill covers, wholly or in part. */
static void check_hidden(struct lint *lint, const struct draw_command *fill, struct rect clip)
{
    struct rect const box = intersect(fill->rect, clip);
    for (size_t i = 0; i < lint->ink_count; i++) {
        struct rect const ink = lint->inks[i].box;
        float const rise = ink.h * 0.2f; /* most letters are lower than the highest */
        struct rect const hidden = intersect(box, (struct rect){ink.x, ink.y + rise, ink.w, ink.h - 2 * rise});
        if (hidden.w > slack && hidden.h > slack)
            report(lint, "\"%s\" is hidden at %.0f,%.0f under a fill of %.0f x %.0f",
                   lint->list->items[lint->inks[i].place].text, hidden.x, hidden.y, box.w, box.h);
    }
}

size_t lint_draw_list(const struct draw_list *list, const struct text_metrics *metrics,
                      const struct lint_options *options, struct arena *arena, const char ***findings)
{
    struct lint lint = {.list = list, .metrics = metrics, .options = options, .arena = arena};
    lint.inks = arena_array(arena, struct ink, list->count);
    lint.grounds = arena_array(arena, struct ground, list->count);
    lint.below = arena_array(arena, const struct ground *, list->count);
    struct rect clip = options->screen;
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind == DRAW_CLIP)
            clip = command->rect.w < 0 ? options->screen : command->rect;
        if (command->kind == DRAW_FILL && command->color.a == 255 && (!list->over || i < list->over))
            check_hidden(&lint, command, clip);
        if (command->kind == DRAW_FILL || command->kind == DRAW_POLYGON || command->kind == DRAW_HATCH)
            lint.grounds[lint.ground_count++] = (struct ground){command, clip};
        if (command->kind != DRAW_TEXT || !*command->text || command->color.a == 0)
            continue;
        struct rect ink = ink_box(&lint, command);
        if (intersect(ink, clip).w <= 0 || intersect(ink, clip).h <= 0)
            if (clip.w < options->screen.w || clip.h < options->screen.h)
                continue; /* it is scrolled out of its panel and invisible */
        check_place(&lint, command, ink, clip);
        check_overlap(&lint, i, ink);
        check_contrast(&lint, i, ink);
    }
    *findings = lint.findings;
    return lint.count;
}
