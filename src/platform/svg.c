/* SVG, written here because cairo turns the text of an SVG file into outlines. Text stays text; its fonts are named,
 * and each part of a line carries its width, so that a substitute font takes the same room. */
#include "base/file.h"
#include "base/markup.h"
#include "platform/glyphs.h"
#include "platform/picture.h"
#include "platform/utf8.h"
#include "platform/vector.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES_MAX = 64 };

struct svg {
    FILE *out; /* in memory */
    struct glyphs *glyphs;
    struct arena arena;
    int clips;
    struct {
        const char *family; /* NULL: not looked up */
        bool bold;
    } faces[FACES_MAX];
    /* the line of text that is being drawn */
    const struct draw_command *line;
    int face; /* -1: before its first character */
    float from;
    char *run; /* the characters of one font, escaped */
    size_t run_length, run_capacity;
};

/* Writes a length with at most two decimals, whatever the locale. */
static void length(struct svg *svg, const char *name, float value)
{
    long const hundredths = lroundf(value * 100);
    long const size = labs(hundredths);
    fprintf(svg->out, "%s%s%ld", name, hundredths < 0 ? "-" : "", size / 100);
    if (size % 100)
        fprintf(svg->out, size % 10 ? ".%02ld" : ".%01ld", size % 10 ? size % 100 : size % 100 / 10);
}

static void color(struct svg *svg, const char *name, struct color value)
{
    fprintf(svg->out, " %s=\"#%02x%02x%02x\"", name, value.r, value.g, value.b);
    if (value.a < 255) {
        fprintf(svg->out, " %s-opacity=\"", name);
        length(svg, "", (float)value.a / 255);
        fputs("\"", svg->out);
    }
}

static void paint(struct svg *svg, struct vector_paint how)
{
    if (how.width <= 0) {
        color(svg, "fill", how.color);
    } else {
        fputs(" fill=\"none\"", svg->out);
        color(svg, "stroke", how.color);
        length(svg, " stroke-width=\"", how.width);
        if (how.dash > 0)
            length(svg, "\" stroke-dasharray=\"", how.dash);
        fputs("\"", svg->out);
    }
    fputs("/>\n", svg->out);
}

static void box(struct svg *svg, struct rect rect)
{
    length(svg, "<rect x=\"", rect.x);
    length(svg, "\" y=\"", rect.y);
    length(svg, "\" width=\"", rect.w);
    length(svg, "\" height=\"", rect.h);
    fputs("\"", svg->out);
}

static void pen_rect(void *context, struct rect rect, float radius, struct vector_paint how)
{
    struct svg *svg = context;
    box(svg, rect);
    if (radius > 0) {
        length(svg, " rx=\"", radius);
        fputs("\"", svg->out);
    }
    paint(svg, how);
}

static void point(struct svg *svg, const char *before, struct point at)
{
    length(svg, before, at.x);
    length(svg, " ", at.y);
}

static void pen_path(void *context, const struct point *points, uint32_t count, struct vector_paint how)
{
    struct svg *svg = context;
    for (uint32_t i = 0; i < count; i++)
        point(svg, i ? " L" : "<path d=\"M", points[i]);
    fputs(how.width > 0 ? "\"" : " Z\"", svg->out);
    paint(svg, how);
}

static void pen_curve(void *context, const struct point points[4], struct vector_paint how)
{
    struct svg *svg = context;
    static const char *const before[] = {"<path d=\"M", " C", " ", " "};
    for (int i = 0; i < 4; i++)
        point(svg, before[i], points[i]);
    fputs("\"", svg->out);
    paint(svg, how);
}

static void pen_clip(void *context, struct rect rect)
{
    struct svg *svg = context;
    int const number = ++svg->clips;
    fprintf(svg->out, "<clipPath id=\"clip%d\">", number);
    box(svg, rect);
    fprintf(svg->out, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", number);
}

static void pen_clip_end(void *context)
{
    fputs("</g>\n", ((struct svg *)context)->out);
}

static void begin_text(struct svg *svg, const struct draw_command *command)
{
    svg->line = command;
    svg->face = -1;
    length(svg, "<text y=\"", command->at.y);
    length(svg, "\" font-size=\"", command->size);
    fputs("\" xml:space=\"preserve\"", svg->out);
    color(svg, "fill", command->color);
    fputs(">", svg->out);
}

/* Writes the characters of one font, which end at `to`. */
static void end_run(struct svg *svg, float to)
{
    if (svg->face < 0 || !svg->run_length)
        return;
    if (!svg->faces[svg->face].family)
        svg->faces[svg->face].family =
            font_family(glyphs_face_file(svg->glyphs, svg->face), &svg->arena, &svg->faces[svg->face].bold);
    length(svg, "<tspan x=\"", svg->from);
    if (to > svg->from)
        length(svg, "\" textLength=\"", to - svg->from);
    fputs("\" font-family=\"'", svg->out);
    markup_put(svg->out, svg->faces[svg->face].family);
    fprintf(svg->out, "', %s\"%s>", svg->line->role == FONT_CODE ? "monospace" : "sans-serif",
            svg->faces[svg->face].bold ? " font-weight=\"bold\"" : "");
    markup_put(svg->out, svg->run);
    fputs("</tspan>", svg->out);
    svg->run_length = 0;
}

static void put_character(void *context, int face, uint32_t code, float at)
{
    struct svg *svg = context;
    if (face >= FACES_MAX)
        return;
    if (face != svg->face) {
        end_run(svg, at);
        svg->face = face;
        svg->from = at;
        svg->run_length = 0;
    }
    if (svg->run_length + 5 > svg->run_capacity) {
        char *grown = arena_array(&svg->arena, char, svg->run_capacity * 2 + 256);
        if (svg->run_length)
            memcpy(grown, svg->run, svg->run_length);
        svg->run = grown;
        svg->run_capacity = svg->run_capacity * 2 + 256;
    }
    svg->run_length += (size_t)character_encode(code, svg->run + svg->run_length);
}

static void pen_text(void *context, const struct draw_command *command)
{
    struct svg *svg = context;
    begin_text(svg, command);
    glyphs_characters(svg->glyphs, command->role, command->size, command->at.x, command->text, put_character, svg);
    end_run(svg, command->at.x + command->extent);
    fputs("</text>\n", svg->out);
}

static bool draw_svg(const struct draw_list *list, struct glyphs *glyphs, int width, int height,
                     struct color background, const char *path, struct error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    struct svg svg = {.out = open_memstream(&bytes, &size), .glyphs = glyphs, .face = -1};
    struct vector_pen const pen = {&svg, pen_rect, pen_path, pen_curve, pen_text, pen_clip, pen_clip_end};
    if (!svg.out)
        return error_set(error, ERROR_MISSING, "no memory for a picture of %d x %d pixels", width, height);
    fprintf(svg.out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\">\n",
            width, height, width, height);
    vector_draw(&pen, list, width, height, background);
    fputs("</svg>\n", svg.out);
    bool const whole = !ferror(svg.out);
    bool const closed = fclose(svg.out) == 0;
    bool const saved =
        whole && closed ? file_write(path, bytes, size, error)
                        : error_set(error, ERROR_MISSING, "no memory for a picture of %d x %d pixels", width, height);
    arena_free(&svg.arena);
    free(bytes);
    return saved;
}

const struct picture_format picture_format_svg = {.ending = ".svg", .draw = draw_svg};
