/* The glossary: the card that explains a word of a step where it stands, and the screen of all terms. */
#include "screen/screen.h"
#include "view/cards/term_picture.h"
#include "view/view.h"
#include <math.h>
#include <string.h>

/* How much of a term is drawn. */
struct term_style {
    float name, said; /* sizes of text, in pixels */
    float picture;    /* width, in pixels; 0: none */
    uint32_t marked;  /* 0: other terms in the explanation are not marked; else this term's index + 1 */
};

static const struct glossary_term *term_of(const struct drawing *drawing, uint32_t index)
{
    return &drawing->glossary->terms[index];
}

/* Draws what a term means, with the other terms in it marked. Returns its height. */
static float explanation(struct drawing *drawing, struct rect box, const struct glossary_term *term,
                         const struct term_style *style, bool measure)
{
    enum language const language = drawing->preferences->language;
    struct text_span const whole = {.text = term->said[language]};
    struct text_paragraph const paragraph = {.spans = &whole, .span_count = 1};
    struct lesson_text text = {&paragraph, 1};
    if (style->marked)
        text = glossary_mark(drawing->glossary, language, drawing->arena, &text, style->marked);
    size_t const count = text.paragraphs[0].span_count;
    struct ui_span *spans = arena_array(drawing->arena, struct ui_span, count + 1);
    uint32_t *marks = arena_array(drawing->arena, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        spans[i] = (struct ui_span){text.paragraphs[0].spans[i].text, FONT_TEXT, COLOR_TEXT};
        marks[i] = text.paragraphs[0].spans[i].term;
    }
    return ui_marked_paragraph(drawing->ui, box, style->said, spans, marks, count, measure);
}

/* Draws a term: its name in both languages, what it means, and its drawing. Returns its height. */
static float draw_term(struct drawing *drawing, struct rect box, uint32_t index, const struct term_style *style,
                       bool measure)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, top = box.y;
    enum language const language = drawing->preferences->language;
    const struct glossary_term *term = term_of(drawing, index);
    struct ui_span const names[2] = {
        {term->name[language], FONT_BOLD, COLOR_TEXT},
        {arena_format(drawing->arena, "  %s", term->name[LANGUAGE_COUNT - 1 - language]), FONT_TEXT, COLOR_TEXT_DIM}};
    rect_cut_top(&box, ui_paragraph(ui, box, style->name, names, 2, measure) + 4 * u);
    float const picture = term_picture_height(term->name[LANGUAGE_EN], style->picture);
    if (picture > 0) {
        struct rect at = rect_cut_top(&box, picture + 10 * u);
        at.w = style->picture;
        at.h = picture;
        if (!measure)
            term_picture(ui, at, term->name[LANGUAGE_EN]);
    }
    rect_cut_top(&box, explanation(drawing, box, term, style, measure));
    return box.y - top;
}

/* ---- the card of a word ---- */

/* Returns the marked word whose card is shown: the one below the mouse, else the one that a key opened. `at` is the
 * place of the word; its width is 0 if the word is out of sight. */
static uint32_t word_now(struct drawing *drawing, struct rect *at)
{
    struct ui *ui = drawing->ui;
    uint32_t word = 0;
    for (uint32_t i = 0; i < ui->mark_count; i++) {
        const struct ui_mark *mark = &ui->marks[i];
        ui_id const id = ui_id_child(ui_id_text("term"), i);
        if (mark->shown && ui_area(ui, id, mark->box))
            drawing_ask(drawing, ACTION_GLOSSARY_TERM, (int)mark->mark - 1);
        if (!mark->shown || !ui_hovered(ui, mark->box) || ui->active)
            continue;
        word = mark->mark;
        *at = mark->box;
    }
    bool known = word != 0; /* below the mouse */
    for (uint32_t i = 0; !known && ui->mark_open && i < ui->mark_count; i++)
        if (ui->marks[i].mark == ui->mark_open) {
            word = ui->mark_open;
            known = ui->marks[i].shown;
            *at = ui->marks[i].box;
        }
    if (!known)
        *at = (struct rect){ui->screen.x + ui->screen.w * 0.3f, ui->screen.y + ui->screen.h, 0, 0};
    return word;
}

void draw_term_card(struct drawing *drawing)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, pad = 14 * u;
    struct rect at;
    uint32_t const word = word_now(drawing, &at);
    if (!word || word > drawing->glossary->count)
        return;
    float const width = fminf(460 * u, ui->screen.w - 2 * pad), inner = width - 2 * pad;
    struct term_style style = {20 * u, text_caption(ui), fminf(inner, 260 * u), 0};
    const char *way = drawing->lookup->open ? _("click: go there") : _("Enter or a click: in the glossary");
    struct ui_span const foot = {way, FONT_TEXT, COLOR_TEXT_DIM};
    float const foot_h = ui_paragraph_height(ui, inner, text_caption(ui), &foot, 1) + 8 * u;
    struct rect const measured = {0, 0, inner, 1e6f};
    float height = draw_term(drawing, measured, word - 1, &style, true);
    if (height + foot_h + 2 * pad > ui->screen.h * 0.45f) { /* the drawing has no room */
        style.picture = 0;
        height = draw_term(drawing, measured, word - 1, &style, true);
    }
    struct rect box = {at.x - pad, at.y + at.h + 2 * u, width, height + foot_h + 2 * pad};
    if (box.y + box.h > ui->screen.y + ui->screen.h)
        box.y = at.y - 2 * u - box.h;
    box.y = fmaxf(box.y, ui->screen.y);
    box.x = fmaxf(fminf(box.x, ui->screen.x + ui->screen.w - box.w - 4 * u), ui->screen.x + 4 * u);
    ui->tooltip = NULL;
    draw_clip_none(&ui->draw);
    struct color const shade = color_fade(ui_color(ui, COLOR_CURSOR_RING), 0.10f);
    for (int i = 3; i >= 1; i--) {
        float const spread = (float)i * u;
        draw_fill(&ui->draw, rect_inset((struct rect){box.x, box.y + spread, box.w, box.h}, -spread, -spread),
                  6 * u + spread, shade);
    }
    draw_fill(&ui->draw, box, 6 * u, ui_color(ui, COLOR_PANEL));
    draw_outline(&ui->draw, box, 6 * u, fmaxf(1, 1.5f * u), ui_color(ui, COLOR_ACCESS));
    box = rect_inset(box, pad, pad);
    struct rect const below = rect_cut_bottom(&box, foot_h - 8 * u);
    draw_term(drawing, box, word - 1, &style, false);
    ui_paragraph(ui, below, text_caption(ui), &foot, 1, false);
}

/* ---- the screen ---- */

enum { ROW = 30 }; /* height of a row of the list, in units */

/* Draws the bar: the way back, the title, what was typed, the language. */
static void glossary_bar(struct drawing *drawing, struct rect box)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, size = text_caption(ui);
    enum language const language = drawing->preferences->language;
    box = draw_back_bar(drawing, box, ACTION_GLOSSARY, 0);
    const char *title = _("Glossary");
    float const title_w = ui_text_width(ui, FONT_BOLD, 22 * u, title) + 4 * u;
    if (box.w > title_w + 190 * u)
        ui_label(ui, rect_cut_left(&box, title_w + 20 * u), FONT_BOLD, 22 * u, UI_LEFT, ui_color(ui, COLOR_TEXT),
                 title);
    struct rect field = rect_cut_left(&box, fminf(box.w, 360 * u));
    const char *typed = lookup_typed(drawing->lookup, language, drawing->arena);
    draw_fill(&ui->draw, field, 5 * u, ui_color(ui, COLOR_PANEL));
    draw_outline(&ui->draw, field, 5 * u, hairline(ui), ui_color(ui, COLOR_IDLE));
    field = rect_inset(field, 10 * u, 0);
    ui_label(ui, field, FONT_TEXT, size, UI_LEFT, ui_color(ui, *typed ? COLOR_TEXT : COLOR_TEXT_DIM),
             *typed ? arena_format(drawing->arena, "%s▏", typed) : _("type the first letters"));
}

/* Returns the initial of a term in the user's language. */
static const char *initial_of(const struct drawing *drawing, uint32_t index)
{
    enum language const language = drawing->preferences->language;
    const char *name = term_of(drawing, index)->name[language];
    return glossary_initial(name, drawing->arena);
}

/* Draws the initials of the list's terms, which lead to the first term of each. Returns the height. */
static float draw_initials(struct drawing *drawing, struct rect box, const uint32_t *list, uint32_t count, bool measure)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, side = 30 * u;
    const char *last = "";
    struct rect at = {box.x, box.y, side, side};
    for (uint32_t i = 0; i < count; i++) {
        const char *initial = initial_of(drawing, list[i]);
        if (strcmp(initial, last) == 0)
            continue;
        last = initial;
        if (at.x + at.w > box.x + box.w)
            at = (struct rect){box.x, at.y + side, side, side};
        if (!measure) {
            bool const hot = ui_hovered(ui, at);
            if (hot)
                draw_fill(&ui->draw, at, 5 * u, ui_color(ui, COLOR_ACCESS_SOFT));
            ui_label(ui, at, FONT_BOLD, text_caption(ui), UI_CENTER, ui_color(ui, hot ? COLOR_TEXT : COLOR_ACCESS),
                     initial);
            if (ui_area(ui, ui_id_child(ui_id_text("initial"), i), at))
                drawing_ask(drawing, ACTION_GLOSSARY_TERM, (int)list[i]);
        }
        at.x += side;
    }
    return count ? at.y + side - box.y : 0;
}

static void list_row(struct drawing *drawing, struct rect row, uint32_t index)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, size = text_caption(ui);
    enum language const language = drawing->preferences->language;
    const struct glossary_term *term = term_of(drawing, index);
    bool const chosen = index == drawing->lookup->chosen, hot = ui_hovered(ui, row);
    if (chosen || hot)
        draw_fill(&ui->draw, row, 5 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    if (chosen)
        draw_outline(&ui->draw, row, 5 * u, 2 * u, ui_color(ui, COLOR_ACCESS));
    ui_id const id = ui_id_child(ui_id_text("glossary row"), index);
    ui_focusable(ui, id, row, 5 * u);
    if (ui_area(ui, id, row))
        drawing_ask(drawing, ACTION_GLOSSARY_TERM, (int)index);
    row = rect_inset(row, 10 * u, 0);
    float const name = ui_text_width(ui, FONT_BOLD, size, term->name[language]) + 1;
    ui_label(ui, rect_cut_left(&row, name), FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_TEXT), term->name[language]);
    rect_cut_left(&row, 10 * u);
    const char *other = term->name[LANGUAGE_COUNT - 1 - language];
    if (ui_text_width(ui, FONT_TEXT, size, other) <= row.w) /* the card beside has it, too */
        ui_label(ui, row, FONT_TEXT, size, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), other);
}

/* Draws the list in columns, as many as there is room for; the page with the chosen term, if it needs several. */
static void draw_list(struct drawing *drawing, struct rect box, const uint32_t *list, uint32_t count)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, height = ROW * u;
    uint32_t const across = box.w < 2 * 260 * u ? 1 : (uint32_t)(box.w / (260 * u));
    uint32_t lines = (uint32_t)fmaxf(1, floorf(box.h / height)), place = 0;
    if ((uint64_t)lines * across < count) /* the row that turns the page */
        lines = (uint32_t)fmaxf(1, floorf((box.h - 44 * u) / height));
    uint32_t const page_size = lines * across, pages = (count + page_size - 1) / page_size;
    while (place < count && list[place] != drawing->lookup->chosen)
        place++;
    uint32_t const page = place < count ? place / page_size : 0, first = page * page_size;
    if (pages > 1) {
        struct rect foot = rect_cut_bottom(&box, 40 * u), more = rect_cut_right(&foot, 60 * u);
        uint32_t wanted = page;
        rect_cut_right(&foot, 8 * u);
        if (page + 1 < pages && (ui_button(ui, ui_id_text("more terms"), more, "↓", true) || ui->input.wheel < 0))
            wanted = page + 1;
        if (page > 0 && (ui_button(ui, ui_id_text("terms before"), rect_cut_right(&foot, 60 * u), "↑", false) ||
                         ui->input.wheel > 0))
            wanted = page - 1;
        rect_cut_right(&foot, 12 * u);
        ui_label(ui, foot, FONT_TEXT, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(drawing->arena, "%u / %u", page + 1, pages));
        if (wanted != page)
            drawing_ask(drawing, ACTION_GLOSSARY_TERM, (int)list[wanted * page_size]);
    }
    for (uint32_t i = first; i < count && i < first + page_size; i++) {
        struct rect const column = rect_column(box, (int)((i - first) / lines), (int)across, 12 * u);
        list_row(drawing, (struct rect){column.x, column.y + (float)((i - first) % lines) * height, column.w, height},
                 list[i]);
    }
}

/* Draws the chosen term and how the keys lead on. */
static void draw_chosen(struct drawing *drawing, struct rect box, const struct term_style *style)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    ui_card(ui, box);
    draw_term(drawing, rect_inset(box, 18 * u, 12 * u), drawing->lookup->chosen, style, false);
}

void screen_glossary(struct drawing *drawing)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    struct rect all = ui->screen;
    glossary_bar(drawing, rect_cut_top(&all, (all.h < 600 * u ? 48 : 56) * u));
    all = rect_inset(all, (all.w < 700 * u ? 12 : 24) * u, (all.h < 600 * u ? 8 : 18) * u);
    uint32_t *list;
    uint32_t const count =
        lookup_list(drawing->glossary, drawing->lookup, drawing->preferences->language, drawing->arena, &list);
    struct ui_span const hint = {_("↑ ↓ the next term · letters: search · Backspace · Esc: back"), FONT_TEXT,
                                 COLOR_TEXT_DIM};
    float const hint_h = ui_paragraph_height(ui, all.w, text_caption(ui), &hint, 1);
    if (all.h > 420 * u)
        ui_paragraph(ui, rect_cut_bottom(&all, hint_h + 6 * u), text_caption(ui), &hint, 1, false);
    bool const beside = all.w >= 820 * u;
    struct term_style style = {beside ? 30 * u : 22 * u, beside ? 22 * u : 18 * u, 0, drawing->lookup->chosen + 1};
    struct rect card = all;
    if (beside) { /* the list has as many columns as it needs, at most half of the width */
        float const lines = fmaxf(1, floorf((all.h - 40 * u) / ROW / u)), columns = ceilf((float)count / lines);
        card = rect_cut_right(&all, fminf(900 * u, fmaxf(all.w * 0.42f, all.w - fmaxf(1, columns) * 270 * u)));
    }
    style.picture = fminf(card.w - 36 * u, 420 * u);
    struct rect const inner = {0, 0, card.w - 36 * u, 1e6f};
    float height = draw_term(drawing, inner, drawing->lookup->chosen, &style, true) + 24 * u;
    if (height > card.h * (beside ? 1 : 0.45f)) {
        style.picture = 0;
        style.name = 20 * u;
        style.said = text_caption(ui);
        height = draw_term(drawing, inner, drawing->lookup->chosen, &style, true) + 24 * u;
    }
    if (beside)
        rect_cut_right(&all, 24 * u);
    else
        rect_cut_top(&all, height + 10 * u);
    card.h = height;
    if (!count) {
        ui_text(ui, all, FONT_TEXT, text_body(ui), COLOR_TEXT,
                _("no term begins like this; Backspace deletes a letter"));
        return;
    }
    draw_chosen(drawing, card, &style);
    float const initials = draw_initials(drawing, all, list, count, true);
    if (all.h - initials > 200 * u)
        draw_initials(drawing, rect_cut_top(&all, initials + 8 * u), list, count, false);
    draw_list(drawing, all, list, count);
}
