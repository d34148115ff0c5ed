/* PDF through cairo. Text stays text: the fonts are embedded, and each glyph carries its character. */
#include "base/file.h"
#include "platform/state.h"
#include "platform/utf8.h"
#include "platform/vector.h"
#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <fontconfig/fontconfig.h>
#include <stdlib.h>
#include <string.h>

enum { FACES_MAX = 64, TEXT_MAX = 4096 };

struct platform_pages {
    struct glyphs *glyphs;
    cairo_surface_t *surface;
    cairo_t *cairo;
    struct {
        unsigned char *items;
        size_t count, capacity;
    } bytes;
    cairo_font_face_t *faces[FACES_MAX];
    /* the characters of one font in the line that is being drawn */
    const struct draw_command *line;
    int face;
    cairo_scaled_font_t *font;
    cairo_glyph_t run[TEXT_MAX];
    cairo_text_cluster_t clusters[TEXT_MAX];
    int run_length, text_length;
    char text[4 * TEXT_MAX + 5];
};

static cairo_status_t keep_bytes(void *context, const unsigned char *data, unsigned length)
{
    struct platform_pages *pdf = context;
    size_t const needed = pdf->bytes.count + length;
    if (needed > pdf->bytes.capacity) {
        size_t const capacity = needed * 2;
        unsigned char *grown = realloc(pdf->bytes.items, capacity);
        if (!grown)
            return CAIRO_STATUS_NO_MEMORY;
        pdf->bytes.items = grown;
        pdf->bytes.capacity = capacity;
    }
    if (length)
        memcpy(pdf->bytes.items + pdf->bytes.count, data, length);
    pdf->bytes.count = needed;
    return CAIRO_STATUS_SUCCESS;
}

static void use_color(struct platform_pages *pdf, struct color color)
{
    cairo_set_source_rgba(pdf->cairo, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
}

static void paint(struct platform_pages *pdf, struct vector_paint how)
{
    use_color(pdf, how.color);
    if (how.width <= 0) {
        cairo_fill(pdf->cairo);
        return;
    }
    double const dash = (double)how.dash;
    cairo_set_dash(pdf->cairo, &dash, dash > 0, 0);
    cairo_set_line_width(pdf->cairo, (double)how.width);
    cairo_stroke(pdf->cairo);
}

static void pen_rect(void *context, struct rect rect, float radius, struct vector_paint how)
{
    struct platform_pages *pdf = context;
    double const quarter = 1.57079632679489662, r = (double)radius, x0 = (double)rect.x, y0 = (double)rect.y,
                 x1 = (double)(rect.x + rect.w), y1 = (double)(rect.y + rect.h);
    if (radius <= 0) {
        cairo_rectangle(pdf->cairo, x0, y0, x1 - x0, y1 - y0);
    } else {
        cairo_new_sub_path(pdf->cairo);
        cairo_arc(pdf->cairo, x0 + r, y0 + r, r, 2 * quarter, 3 * quarter);
        cairo_arc(pdf->cairo, x1 - r, y0 + r, r, 3 * quarter, 4 * quarter);
        cairo_arc(pdf->cairo, x1 - r, y1 - r, r, 0, quarter);
        cairo_arc(pdf->cairo, x0 + r, y1 - r, r, quarter, 2 * quarter);
        cairo_close_path(pdf->cairo);
    }
    paint(pdf, how);
}

static void pen_path(void *context, const struct point *points, uint32_t count, struct vector_paint how)
{
    struct platform_pages *pdf = context;
    for (uint32_t i = 0; i < count; i++)
        cairo_line_to(pdf->cairo, (double)points[i].x, (double)points[i].y);
    paint(pdf, how);
}

static void pen_curve(void *context, const struct point p[4], struct vector_paint how)
{
    struct platform_pages *pdf = context;
    cairo_move_to(pdf->cairo, (double)p[0].x, (double)p[0].y);
    cairo_curve_to(pdf->cairo, (double)p[1].x, (double)p[1].y, (double)p[2].x, (double)p[2].y, (double)p[3].x,
                   (double)p[3].y);
    paint(pdf, how);
}

static void pen_clip(void *context, struct rect rect)
{
    struct platform_pages *pdf = context;
    cairo_save(pdf->cairo);
    cairo_rectangle(pdf->cairo, (double)rect.x, (double)rect.y, (double)rect.w, (double)rect.h);
    cairo_clip(pdf->cairo);
}

static void pen_clip_end(void *context)
{
    struct platform_pages *pdf = context;
    cairo_restore(pdf->cairo);
}

static cairo_font_face_t *face_of(struct platform_pages *pdf, int face)
{
    if (!pdf->faces[face]) {
        struct font_file const file = glyphs_face_file(pdf->glyphs, face);
        FcPattern *pattern = FcPatternCreate();
        FcPatternAddString(pattern, FC_FILE, (const FcChar8 *)file.path);
        FcPatternAddInteger(pattern, FC_INDEX, (int)file.index);
        pdf->faces[face] = cairo_ft_font_face_create_for_pattern(pattern);
        FcPatternDestroy(pattern);
    }
    return pdf->faces[face];
}

static void end_run(struct platform_pages *pdf)
{
    if (pdf->run_length)
        cairo_show_text_glyphs(pdf->cairo, pdf->text, pdf->text_length, pdf->run, pdf->run_length, pdf->clusters,
                               pdf->run_length, 0);
    pdf->run_length = pdf->text_length = 0;
}

static void begin_text(struct platform_pages *pdf, const struct draw_command *command)
{
    use_color(pdf, command->color);
    pdf->line = command;
    pdf->face = -1;
}

static void put_character(void *context, int face, uint32_t code, float at)
{
    struct platform_pages *pdf = context;
    if (face >= FACES_MAX)
        return;
    if (face != pdf->face || pdf->run_length == TEXT_MAX) {
        end_run(pdf);
        pdf->face = face;
        cairo_set_font_face(pdf->cairo, face_of(pdf, face));
        cairo_set_font_size(pdf->cairo, (double)pdf->line->size);
        pdf->font = cairo_get_scaled_font(pdf->cairo);
    }
    int const length = character_encode(code, pdf->text + pdf->text_length);
    cairo_glyph_t one = {0}, *glyphs = &one;
    int count = 1;
    if (cairo_scaled_font_text_to_glyphs(pdf->font, (double)at, (double)pdf->line->at.y, pdf->text + pdf->text_length,
                                         length, &glyphs, &count, NULL, NULL, NULL) == CAIRO_STATUS_SUCCESS &&
        count == 1) {
        pdf->clusters[pdf->run_length] = (cairo_text_cluster_t){length, 1};
        pdf->run[pdf->run_length++] = glyphs[0];
        pdf->text_length += length;
    }
    if (glyphs != &one)
        cairo_glyph_free(glyphs);
}

static void pen_text(void *context, const struct draw_command *command)
{
    struct platform_pages *pdf = context;
    begin_text(pdf, command);
    glyphs_characters(pdf->glyphs, command->role, command->size, command->at.x, command->text, put_character, pdf);
    end_run(pdf);
}

static bool begin(struct platform_pages **out, struct glyphs *glyphs, const char *title, struct error *error)
{
    struct platform_pages *pdf = calloc(1, sizeof *pdf);
    *out = pdf;
    if (!pdf)
        return error_set(error, ERROR_MISSING, "no memory for a PDF file");
    pdf->glyphs = glyphs;
    pdf->surface = cairo_pdf_surface_create_for_stream(keep_bytes, pdf, 72, 72);
    cairo_pdf_surface_restrict_to_version(pdf->surface, CAIRO_PDF_VERSION_1_4);
    cairo_pdf_surface_set_metadata(pdf->surface, CAIRO_PDF_METADATA_TITLE, title);
    cairo_pdf_surface_set_metadata(pdf->surface, CAIRO_PDF_METADATA_CREATOR, "Lanescope " LANESCOPE_VERSION);
    return true;
}

static bool failed(const struct platform_pages *pdf, cairo_status_t status, struct error *error)
{
    (void)pdf;
    return status != CAIRO_STATUS_SUCCESS &&
           !error_set(error, ERROR_INPUT, "the PDF file cannot be drawn: %s", cairo_status_to_string(status));
}

bool platform_pages_begin(struct platform *platform, const char *title, struct platform_pages **pages,
                          struct error *error)
{
    return begin(pages, platform->glyphs, title, error);
}

bool platform_pages_add(struct platform_pages *pdf, const struct draw_list *list, int width, int height,
                        struct color background, double page_width, double page_height, struct error *error)
{
    static const struct vector_pen functions = {.rect = pen_rect,
                                                .path = pen_path,
                                                .curve = pen_curve,
                                                .text = pen_text,
                                                .clip = pen_clip,
                                                .clip_end = pen_clip_end};
    struct vector_pen pen = functions;
    pen.context = pdf;
    cairo_pdf_surface_set_size(pdf->surface, page_width, page_height);
    pdf->cairo = cairo_create(pdf->surface);
    cairo_scale(pdf->cairo, page_width / width, page_width / width);
    vector_draw(&pen, list, width, height, background);
    cairo_show_page(pdf->cairo);
    cairo_status_t const status = cairo_status(pdf->cairo);
    cairo_destroy(pdf->cairo);
    pdf->cairo = NULL;
    return !failed(pdf, status, error);
}

bool platform_pages_end(struct platform_pages **out, const char *path, struct error *error)
{
    struct platform_pages *pdf = *out;
    *out = NULL;
    if (!pdf)
        return false;
    cairo_surface_finish(pdf->surface);
    bool const good = path && !failed(pdf, cairo_surface_status(pdf->surface), error) &&
                      file_write(path, pdf->bytes.items, pdf->bytes.count, error);
    cairo_surface_destroy(pdf->surface);
    for (int i = 0; i < FACES_MAX; i++)
        if (pdf->faces[i])
            cairo_font_face_destroy(pdf->faces[i]);
    free(pdf->bytes.items);
    free(pdf);
    return good;
}

/* One page; a pixel is 1/96 inch. */
static bool draw_pdf(const struct draw_list *list, struct glyphs *glyphs, int width, int height,
                     struct color background, const char *path, struct error *error)
{
    struct platform_pages *pdf;
    if (!begin(&pdf, glyphs, path_name(path), error))
        return false;
    bool const drawn = platform_pages_add(pdf, list, width, height, background, width * 0.75, height * 0.75, error);
    return platform_pages_end(&pdf, drawn ? path : NULL, error) && drawn;
}

const struct picture_format picture_format_pdf = {.ending = ".pdf", .draw = draw_pdf};
