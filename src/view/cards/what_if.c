#include "view/cards/what_if.h"
#include <math.h>
#include <string.h>

static float row_height(const struct view *view)
{
    return 44 * view->ui->unit;
}

static float note_height(const struct view *view, float width, const struct what_if_view *what_if)
{
    struct ui_span const span = {what_if->note, FONT_TEXT, COLOR_TEXT_DIM};
    return *what_if->note
               ? ui_paragraph_height(view->ui, width - 36 * view->ui->unit, text_caption(view->ui), &span, 1) +
                     4 * view->ui->unit
               : 0;
}

float card_what_if_height(const struct view *view, float width, const struct what_if_view *what_if, int rows)
{
    return 54 * view->ui->unit + row_height(view) * (float)(what_if->count < rows ? what_if->count : rows) +
           note_height(view, width, what_if);
}

/* Draws the title with the way back at its right. */
static struct action title_row(struct view *view, struct rect row, const struct what_if_view *what_if, int first,
                               int shown)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    struct action action = NO_ACTION;
    const char *title = _("WHAT IF · ] [ turn the marked value");
    if (shown < what_if->count)
        title = arena_format(view->arena, _("WHAT IF · values %d to %d of %d · Shift + ] [: the next"), first + 1,
                             first + shown, what_if->count);
    if (what_if->turned) {
        const char *label = _("The file's values");
        struct rect const at = rect_cut_right(&row, ui_text_width(ui, FONT_BOLD, size, label) + 28 * u);
        rect_cut_right(&row, 8 * u);
        if (ui_button(ui, ui_id_text("own values"), at, label, true))
            action = (struct action){.kind = ACTION_OWN_VALUES};
        ui_tip(ui, at, "%s", _("run the program as it is written"));
    }
    if (ui_text_width(ui, FONT_BOLD, size, title) > row.w)
        title = _("WHAT IF");
    ui_label(ui, row, FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), title);
    return action;
}

struct action card_what_if(struct view *view, struct rect box, const struct what_if_view *what_if)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, note = note_height(view, box.w, what_if), height = row_height(view);
    ui_card(ui, box);
    box = rect_inset(box, 18 * u, 8 * u);
    struct rect const head = rect_cut_top(&box, 34 * u);
    if (note > 0 && box.h >= note + (what_if->count ? height : 0)) {
        struct ui_span const span = {what_if->note, FONT_TEXT, COLOR_TEXT_DIM};
        ui_paragraph(ui, rect_cut_bottom(&box, note), text_caption(ui), &span, 1, false);
    }
    int const fit = (int)fmaxf(0, floorf(box.h / height + 0.02f));
    int const shown = fit < what_if->count ? fit : what_if->count;
    int first = what_if->current - shown / 2;
    first = first + shown > what_if->count ? what_if->count - shown : first;
    first = first < 0 ? 0 : first;
    struct knobs_view const knobs = {
        .knobs = what_if->knobs + first, .count = shown, .current = what_if->current - first};
    struct action const own = title_row(view, head, what_if, first, shown);
    struct action action = view_knob_rows(view, box, height, &knobs, "program knob", (uint32_t)first);
    if (action.kind == ACTION_SET_KNOB)
        action.value += first;
    return own.kind != ACTION_NONE ? own : action;
}

/* ---- what changed ---- */

static const char *cell_text(struct view *view, const struct change_row *row, int cell)
{
    const char *before = row->cells[cell].before, *now = row->cells[cell].now;
    return before && strcmp(before, now) != 0 ? arena_format(view->arena, "%s → %s", before, now) : now;
}

static bool has_changed(const struct change_row *row, int cell)
{
    return row->cells[cell].before && strcmp(row->cells[cell].before, row->cells[cell].now) != 0;
}

float card_changes_height(const struct view *view, const struct changes_view *changes, size_t rows)
{
    size_t const lines = changes->count < rows ? changes->count : rows;
    return (46 + 26 * (float)(lines ? lines + 1 : 1)) * view->ui->unit;
}

void card_changes(struct view *view, struct rect box, const struct changes_view *changes)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui), line = 26 * u;
    struct color const dim = ui_color(ui, COLOR_TEXT_DIM), text = ui_color(ui, COLOR_TEXT);
    float widths[CHANGE_CELLS], name_w = 80 * u, all = 0;
    ui_card(ui, box);
    box = rect_inset(box, 18 * u, 8 * u);
    struct rect const title = rect_cut_top(&box, 28 * u);
    if (!changes->count) {
        ui_label(ui, title, FONT_BOLD, size, UI_LEFT, dim, changes->title);
        ui_label(ui, rect_cut_top(&box, line), FONT_TEXT, size, UI_LEFT, text, changes->none);
        return;
    }
    size_t lines = (size_t)fmaxf(1, floorf(box.h / line + 0.02f)) - 1;
    lines = lines < changes->count ? lines : changes->count;
    ui_label(ui, title, FONT_BOLD, size, UI_LEFT, dim,
             lines < changes->count ? arena_format(view->arena, _("%s · launches shown: %zu of %zu"), changes->title,
                                                   lines, changes->count)
                                    : changes->title);
    for (size_t i = 0; i < lines; i++)
        name_w = fmaxf(name_w, ui_text_width(ui, FONT_BOLD, size, changes->rows[i].name) + 18 * u);
    name_w = fminf(name_w, box.w * 0.3f);
    for (int c = 0; c < CHANGE_CELLS; c++) {
        widths[c] = ui_text_width(ui, FONT_BOLD, size, changes->heads[c]) + 18 * u;
        for (size_t i = 0; i < lines; i++)
            widths[c] =
                fmaxf(widths[c], ui_text_width(ui, FONT_BOLD, size, cell_text(view, &changes->rows[i], c)) + 18 * u);
        all += widths[c];
    }
    int first = 0;
    while (first + 1 < CHANGE_CELLS && all > box.w - name_w)
        all -= widths[first++];
    struct rect head = rect_cut_top(&box, line);
    ui_label(ui, rect_cut_left(&head, name_w), FONT_BOLD, size, UI_LEFT, dim, _("Launch"));
    for (int c = first; c < CHANGE_CELLS; c++)
        ui_label(ui, rect_cut_left(&head, fminf(widths[c], head.w)), FONT_BOLD, size, UI_LEFT, dim, changes->heads[c]);
    for (size_t i = 0; i < lines; i++) {
        struct rect row = rect_cut_top(&box, line);
        ui_label(ui, rect_cut_left(&row, name_w), FONT_BOLD, size, UI_LEFT, text, changes->rows[i].name);
        for (int c = first; c < CHANGE_CELLS; c++) {
            bool const changed = has_changed(&changes->rows[i], c);
            ui_label(ui, rect_cut_left(&row, fminf(widths[c], row.w)), changed ? FONT_BOLD : FONT_TEXT, size, UI_LEFT,
                     changed ? text : dim, cell_text(view, &changes->rows[i], c));
        }
    }
}
