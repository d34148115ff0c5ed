/* The list of keys, which covers any screen. */
#include "screen/screen.h"
#include "ui/action.h"
#include <math.h>

static const char key_gap[] = "  ";

static float keys_width(struct ui *ui, const struct help_row *row, float size)
{
    float width = 0;
    for (int i = 0; i < HELP_KEYS && row->keys[i]; i++)
        width +=
            ui_text_width(ui, FONT_BOLD, size, row->keys[i]) + (i ? ui_text_width(ui, FONT_BOLD, size, key_gap) : 0);
    return width;
}

/* Draws the keys of a row. Returns the one under the mouse, else the first. */
static int draw_keys(struct ui *ui, struct rect box, const struct help_row *row, float size, bool lit)
{
    int at = 0;
    for (int i = 0; i < HELP_KEYS && row->keys[i]; i++) {
        struct rect const key = rect_cut_left(&box, ui_text_width(ui, FONT_BOLD, size, row->keys[i]));
        rect_cut_left(&box, ui_text_width(ui, FONT_BOLD, size, key_gap));
        bool const hovered = ui_hovered(ui, key);
        at = hovered ? i : at;
        ui_label(ui, key, FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_ACCESS), row->keys[i]);
        if (lit && hovered && row->keys[1])
            draw_line(&ui->draw, (struct point){key.x, key.y + key.h}, (struct point){key.x + key.w, key.y + key.h},
                      fmaxf(1.5f, 1.5f * ui->unit), ui_color(ui, COLOR_ACCESS));
    }
    return at;
}

/* Draws a row, which asks for its action. Returns whether the mouse is on it. */
static bool draw_row(struct drawing *drawing, struct rect box, const struct help_row *row, float keys_w, float size)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    struct rect const place = box;
    struct ui_span const text = {row->text, FONT_TEXT, COLOR_TEXT};
    bool const hot = row->asks && ui_hovered(ui, place);
    if (hot)
        draw_fill(&ui->draw, rect_inset(place, -8 * u, 0), 6 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    float const needed = ui_paragraph_height(ui, box.w - keys_w, size, &text, 1);
    rect_cut_top(&box, fmaxf(0, (box.h - needed) / 2));
    struct rect keys = rect_cut_left(&box, keys_w);
    keys.h = fminf(keys.h, size * 1.4f);
    int const at = draw_keys(ui, keys, row, size, hot);
    ui_paragraph(ui, box, size, &text, 1, false);
    if (row->asks && ui_area(ui, ui_id_child(ui_id_text("row of keys"), (uint32_t)row->actions[0].kind), place)) {
        if (!row->stays)
            drawing_ask(drawing, ACTION_HELP, 0);
        drawing_ask(drawing, row->actions[at].kind, row->actions[at].value);
    }
    return hot;
}

/* Draws the keys in columns; if they do not fit, on pages that the key reading on and the wheel turn. */
void screen_help(struct drawing *drawing)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, size = text_body(ui), gap = 22 * u;
    struct rect all = rect_inset(ui->screen, fminf(36 * u, ui->screen.w * 0.03f), fminf(28 * u, ui->screen.h * 0.03f));
    struct ui_span const foot = {
        _("A click on a line does what it says. The mouse does everything else, too: point at a "
          "cell to see its name, click a line of code to see its accesses only, or a name in "
          "it to go to its definition. Any key closes this list."),
        FONT_TEXT, COLOR_TEXT_DIM};
    struct rect title = rect_cut_top(&all, 44 * u);
    float const foot_h = ui_paragraph_height(ui, all.w, text_caption(ui), &foot, 1);
    ui_paragraph(ui, rect_cut_bottom(&all, foot_h), text_caption(ui), &foot, 1, false);
    struct help_row *rows;
    size_t const count = action_help(drawing->arena, &rows);
    float keys_w = 0, text_w = 0;
    for (size_t i = 0; i < count; i++) {
        keys_w = fmaxf(keys_w, keys_width(ui, &rows[i], size));
        text_w = fmaxf(text_w, ui_text_width(ui, FONT_TEXT, size, rows[i].text));
    }
    int const across = all.w > 2 * (keys_w + gap + text_w * 0.8f) ? 2 : 1;
    float const column_w = rect_column(all, 0, across, 32 * u).w, room = fmaxf(1, column_w - keys_w - gap);
    float height = 0; /* of a row: as high as the longest text */
    for (size_t i = 0; i < count; i++)
        height = fmaxf(height,
                       ui_paragraph_height(ui, room, size, &(struct ui_span){rows[i].text, FONT_TEXT, COLOR_TEXT}, 1));
    float const spare = all.h / ceilf((float)count / (float)across);
    height = fmaxf(height + 2 * u, fminf(58 * u, spare));
    size_t const lines = (size_t)fmaxf(1, floorf(all.h / height)), per_page = lines * (size_t)across;
    size_t const pages = (count + per_page - 1) / per_page, page = (size_t)drawing->help_page % pages;
    const char *name =
        pages > 1 ? arena_format(drawing->arena, "%s  %zu / %zu", _("Keys"), page + 1, pages) : _("Keys");
    struct rect const more = rect_cut_right(&title, pages > 1 ? 180 * u : 0);
    if ((pages > 1 && ui_button(ui, ui_id_text("more keys"), rect_inset(more, 0, 4 * u), _("More ↓"), true)) ||
        ui->input.read_on > 0 || ui->input.wheel < 0)
        drawing_ask(drawing, ACTION_HELP_PAGE, (int)((page + 1) % pages));
    else if (ui->input.read_on < 0 || ui->input.wheel > 0)
        drawing_ask(drawing, ACTION_HELP_PAGE, (int)((page + pages - 1) % pages));
    ui_label(ui, title, FONT_BOLD, 30 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), name);
    bool used = pages > 1 && ui_hovered(ui, more);
    for (size_t i = page * per_page; i < count && i < (page + 1) * per_page; i++) {
        size_t const at = i - page * per_page;
        struct rect const column = rect_column(all, (int)(at / lines), across, 32 * u);
        struct rect const row = {column.x, column.y + (float)(at % lines) * height, column.w, height};
        used = draw_row(drawing, row, &rows[i], keys_w + gap, size) || used;
    }
    if (!used && ui_area(ui, ui_id_text("help"), ui->screen))
        drawing_ask(drawing, ACTION_HELP, 0);
}
