/* The knobs of a lesson and the switch between its variants. */
#include "view/cards/cards.h"
#include <math.h>

static float row_height(const struct view *view)
{
    return 52 * view->ui->unit;
}

/* Side padding of a card, and a variant's name with the room around it, in units. */
enum { CHOICES_MAX = 5, CARD_PAD = 18, NAME_PAD = 10, VERDICT_GAP = 10 };

static float name_width(const struct view *view, const char *name)
{
    return ui_text_width(view->ui, FONT_BOLD, text_caption(view->ui), name) + NAME_PAD * view->ui->unit;
}

/* How many of the variants from the first one on stand side by side in this width: at least one. */
static int variants_in_line(const struct view *view, float width, const struct knobs_view *knobs, int first)
{
    int count = 0;
    for (float room = width - 6 * view->ui->unit; first + count < knobs->variant_count; count++) {
        room -= name_width(view, knobs->variants[first + count]);
        if (room < 0 && count)
            break;
    }
    return count;
}

static int variant_lines(const struct view *view, float width, const struct knobs_view *knobs)
{
    int lines = 0;
    for (int first = 0; knobs->variant_count > 1 && first < knobs->variant_count; lines++)
        first += variants_in_line(view, width - 2 * CARD_PAD * view->ui->unit, knobs, first);
    return lines;
}

float card_knobs_height(const struct view *view, float width, const struct knobs_view *knobs)
{
    return 50 * view->ui->unit + row_height(view) * (float)(knobs->count + variant_lines(view, width, knobs));
}

float card_knobs_least(const struct view *view, float width, const struct knobs_view *knobs)
{
    return (22 + 36 * (float)(knobs->count + variant_lines(view, width, knobs))) * view->ui->unit;
}

static const char *value_text(struct view *view, const struct knob_view *knob, int index)
{
    return words_unit(view->arena, knob->values[index], knob->unit ? knob->unit : "");
}

/* Returns the width of the widest value, or of the words in its place. */
static float value_width(struct view *view, const struct knobs_view *knobs)
{
    float widest =
        fmaxf(48 * view->ui->unit, ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), _("no effect")));
    for (int k = 0; k < knobs->count; k++) { /* the last value has the most digits, because values ascend */
        const char *last = value_text(view, &knobs->knobs[k], knobs->knobs[k].count - 1);
        widest = fmaxf(widest, ui_text_width(view->ui, FONT_BOLD, text_body(view->ui), last));
        const char *now = value_text(view, &knobs->knobs[k], knobs->knobs[k].at); /* it may have words */
        widest = fmaxf(widest, ui_text_width(view->ui, FONT_BOLD, text_body(view->ui), now));
    }
    return widest + 16 * view->ui->unit;
}

enum { LOW = 30 }; /* units of a line of variants: a lower one is one of many in a low window */

/* Returns the size of the variants' names: one for all lines of this width. */
static float variants_size(const struct view *view, float width, float height, const struct knobs_view *knobs)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    bool fits = height >= LOW * u;
    for (int first = 0, count; first < knobs->variant_count && fits; first += count) {
        float all = 0;
        count = variants_in_line(view, width, knobs, first);
        for (int v = first; v < first + count; v++)
            all += ui_text_width(ui, FONT_BOLD, text_body(ui), knobs->variants[v]) + 24 * u;
        fits = all <= width;
    }
    return fits ? text_body(ui) : text_caption(ui);
}

/* Draws one line of variants, from `first` on, each as wide as its name needs. */
static struct action variant_line(struct view *view, struct rect row, const struct knobs_view *knobs, int first,
                                  int count, float size)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, pad = row.h < LOW * u ? u : 3 * u;
    float all = 0;
    for (int v = first; v < first + count; v++)
        all += ui_text_width(ui, FONT_BOLD, size, knobs->variants[v]) + NAME_PAD * u;
    draw_fill(&ui->draw, row, 5 * u, ui_color(ui, COLOR_BAR));
    draw_outline(&ui->draw, row, 5 * u, hairline(ui), ui_color(ui, COLOR_EDGE));
    struct rect inside = rect_inset(row, pad, pad);
    float const room = inside.w;
    struct action action = NO_ACTION;
    for (int v = first; v < first + count; v++) {
        float const width = ui_text_width(ui, FONT_BOLD, size, knobs->variants[v]) + NAME_PAD * u;
        struct rect segment = rect_cut_left(&inside, width * room / all);
        ui_id id = ui_id_child(ui_id_text("variant"), (uint32_t)v);
        bool on = v == knobs->variant;
        if (on || (ui_hovered(ui, segment) && !knobs->rest))
            draw_fill(&ui->draw, segment, 4 * u, ui_color(ui, on ? COLOR_ACCESS : COLOR_ACCESS_SOFT));
        if (!knobs->rest)
            ui_focusable(ui, id, segment, 4 * u);
        ui_label(ui, rect_inset(segment, 2 * u, 0), on ? FONT_BOLD : FONT_TEXT, size, UI_CENTER,
                 ui_color(ui, on ? COLOR_ON_ACCENT : COLOR_TEXT), knobs->variants[v]);
        if (!knobs->rest && ui_area(ui, id, segment) && !on)
            action = (struct action){.kind = ACTION_CHOOSE_VARIANT, .value = v};
    }
    return action;
}

/* Returns whether every value of a knob has room in a row of buttons. Otherwise the knob is a slider. */
static bool values_fit(struct view *view, const struct knob_view *knob, float width)
{
    struct ui *ui = view->ui;
    float widest = 0;
    for (int v = 0; v < knob->count; v++)
        widest = fmaxf(widest, ui_text_width(ui, FONT_BOLD, text_body(ui), knob->values[v]));
    return (widest + 14 * ui->unit) * (float)knob->count <= width;
}

/* Returns the width of the knobs' names: as much as the widest needs, within bounds. */
static float names_width(const struct view *view, const struct knobs_view *knobs, float width)
{
    float widest = width * 0.28f;
    for (int k = 0; k < knobs->count; k++)
        widest = fmaxf(widest, ui_text_width(view->ui, FONT_TEXT, text_body(view->ui), knobs->knobs[k].label) + 2);
    return fminf(widest, width * 0.4f);
}

enum { TALL = 46 }; /* units of a row with room for a line below its middle */

static void knob_name(struct ui *ui, struct rect box, const struct knob_view *knob, struct color ink)
{
    float const u = ui->unit;
    bool const words = knob->idle && box.h >= TALL * u;
    float const middle = box.y + box.h / 2;
    if (words)
        box = (struct rect){box.x, middle - 22 * u, box.w, 24 * u};
    ui_label(ui, box, FONT_TEXT, text_body(ui), UI_LEFT, ink, knob->label);
    if (words)
        ui_label(ui, (struct rect){box.x, middle + u, box.w, 20 * u}, FONT_TEXT, text_caption(ui), UI_LEFT, ink,
                 _("no effect"));
}

/* Draws the value of a knob. In a low row of one without effect, these words take its place. */
static void knob_value(struct view *view, struct rect box, const struct knob_view *knob, int index, bool low)
{
    struct ui *ui = view->ui;
    rect_cut_left(&box, 14 * ui->unit);
    if (knob->idle && low)
        ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), _("no effect"));
    else
        ui_label(ui, box, FONT_BOLD, text_body(ui), UI_LEFT, ui_color(ui, knob->idle ? COLOR_TEXT_DIM : COLOR_TEXT),
                 value_text(view, knob, index));
}

static bool one_knob(struct view *view, struct rect row, const struct knob_view *knob, bool rest, ui_id id,
                     float name_w, float value_w, int *index)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    struct color const dim = ui_color(ui, COLOR_TEXT_DIM), ink = knob->idle ? dim : ui_color(ui, COLOR_TEXT);
    bool const low = row.h < TALL * u;
    knob_name(ui, rect_cut_left(&row, name_w), knob, ink);
    rect_cut_left(&row, 8 * u);
    if (rest) {
        ui_label(ui, row, FONT_BOLD, text_body(ui), UI_LEFT, ink, value_text(view, knob, *index));
        return false;
    }
    if (knob->count <= CHOICES_MAX && values_fit(view, knob, row.w - value_w)) {
        struct rect const value = rect_cut_right(&row, value_w);
        bool changed =
            ui_choice(ui, id, rect_inset(row, 0, fmaxf(0, (row.h - 34 * u) / 2)), knob->values, knob->count, index);
        knob_value(view, value, knob, *index, low);
        return changed;
    }
    knob_value(view, rect_cut_right(&row, value_w), knob, *index, low);
    rect_cut_left(&row, 8 * u);
    if (!low) {
        struct rect ends = rect_cut_bottom(&row, 21 * u);
        ui_label(ui, rect_cut_left(&ends, ends.w / 2), FONT_TEXT, text_caption(ui), UI_LEFT, dim, knob->values[0]);
        ui_label(ui, ends, FONT_TEXT, text_caption(ui), UI_RIGHT, dim, knob->values[knob->count - 1]);
    }
    return ui_slider(ui, id, row, index, 0, knob->count - 1);
}

struct action view_knob_rows(struct view *view, struct rect box, float height, const struct knobs_view *knobs,
                             const char *name, uint32_t first)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, value_w = fminf(value_width(view, knobs), box.w * 0.42f);
    float const name_w = names_width(view, knobs, box.w);
    struct action action = NO_ACTION;
    for (int k = 0; k < knobs->count; k++) {
        const struct knob_view *knob = &knobs->knobs[k];
        struct rect row = rect_cut_top(&box, height);
        if (k == knobs->current && !knobs->rest) /* the keys [ and ] turn this one */
            draw_fill(&ui->draw, (struct rect){row.x - 12 * u, row.y + 9 * u, 4 * u, row.h - 18 * u}, 2 * u,
                      ui_color(ui, COLOR_ACCESS));
        if (knob->tip)
            ui_tip(ui, row, "%s", knob->tip);
        int at = knob->at;
        ui->quiet = knob->idle;
        if (one_knob(view, row, knob, knobs->rest, ui_id_child(ui_id_text(name), first + (uint32_t)k), name_w, value_w,
                     &at))
            action = (struct action){.kind = ACTION_SET_KNOB, .value = k, .other = at};
        ui->quiet = false;
    }
    return action;
}

/* Draws how far a task is below the knobs, if it has room there in whole. */
static void draw_verdict(struct view *view, struct rect box, float knobs, const char *verdict)
{
    struct ui *ui = view->ui;
    struct ui_span const words = {verdict, FONT_BOLD, COLOR_ACCESS};
    rect_cut_top(&box, knobs + VERDICT_GAP * ui->unit);
    if (box.h >= ui_paragraph_height(ui, box.w, text_body(ui), &words, 1))
        ui_paragraph(ui, box, text_body(ui), &words, 1, false);
}

struct action card_knobs(struct view *view, struct rect box, const struct knobs_view *knobs)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    ui_card(ui, box);
    int const lines = variant_lines(view, box.w, knobs), rows = knobs->count + lines;
    box = rect_inset(box, CARD_PAD * u, 10 * u);
    if (box.h >= 26 * u + (float)rows * 40 * u)
        view_card_title(view, &box,
                        knobs->rest ? _("KNOBS · at rest until the answer") : _("KNOBS · [ ] turn the marked one"));
    float height = fminf(row_height(view), box.h / (float)(rows ? rows : 1));
    struct action action = NO_ACTION;
    if (knobs->verdict)
        draw_verdict(view, box, height * (float)rows, knobs->verdict);
    float const inset = fmaxf(2 * u, (height - 36 * u) / 2),
                size = variants_size(view, box.w, height - 2 * inset, knobs);
    for (int first = 0, line = 0; line < lines; line++) {
        struct rect row = rect_cut_top(&box, height);
        row = rect_inset(row, 0, inset);
        int const count = variants_in_line(view, box.w, knobs, first);
        struct action const chosen = variant_line(view, row, knobs, first, count, size);
        action = chosen.kind != ACTION_NONE ? chosen : action;
        first += count;
    }
    struct action const turned = view_knob_rows(view, box, height, knobs, "knob", 0);
    return turned.kind != ACTION_NONE ? turned : action;
}
