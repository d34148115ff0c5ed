/* The first screen, with the lessons as cards; and the list of keys, which covers any screen. */
#include "app/commands/commands.h"
#include "app/screen/layout.h"
#include "app/screen/screen.h"
#include "view/panel.h"
#include <math.h>

/* Sizes of a card, in units: larger where the window has room. text 0: a card without its summary. */
struct card_style {
    float title, text, emblem, pad;
};

static float card_height(const struct drawing *drawing, const struct cards *cards, float width,
                         const struct card_style *style)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit, most = 0;
    if (style->text == 0)
        return (2 * style->pad + style->title * 1.4f + 28) * u;
    for (size_t i = 0; i < cards->count; i++) {
        const struct lesson_card *card = &cards->items[i];
        struct ui_span span = {card->problem ? card->problem : card->summary[drawing->preferences->language], FONT_TEXT,
                               COLOR_TEXT};
        most = fmaxf(most, ui_paragraph_height(ui, width - 2 * style->pad * u, style->text * u, &span, 1));
    }
    return most + (2 * style->pad + style->emblem + style->title * 1.4f + 58) * u;
}

/* Returns that a lesson cannot be opened, and where; the whole sentence if it fits into the width. */
static const char *broken_words(const struct drawing *drawing, const struct lesson_card *card, float width)
{
    const char *whole = arena_format(drawing->arena, _("cannot be opened · %s"), card->problem);
    bool const fits = ui_text_width(drawing->ui, FONT_TEXT, text_caption(drawing->ui), whole) < width;
    return fits ? whole : arena_format(drawing->arena, _("cannot be opened · %s"), card->place);
}

static bool one_card(struct drawing *drawing, const struct cards *cards, struct rect box, size_t index,
                     const struct card_style *style)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    const struct lesson_card *card = &cards->items[index];
    bool chosen = index == cards->chosen;
    ui_card(ui, box);
    if (chosen || ui_hovered(ui, box))
        draw_outline(&ui->draw, box, 6 * u, fmaxf(2, 3 * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, ui_id_child(ui_id_text("card"), (uint32_t)index), box, 6 * u);
    bool clicked = ui_area(ui, ui_id_child(ui_id_text("card"), (uint32_t)index), box);
    struct rect inner = rect_inset(box, style->pad * u, style->pad * u);
    if (style->emblem > 0 && inner.h > (style->emblem + 150) * u)
        draw_emblem(ui, rect_cut_top(&inner, style->emblem * u), card->stage);
    if (style->text > 0)
        rect_cut_top(&inner, 12 * u);
    ui_label(ui, rect_cut_top(&inner, style->title * 1.4f * u), FONT_BOLD, style->title * u, UI_LEFT,
             ui_color(ui, COLOR_TEXT),
             arena_format(drawing->arena, "%zu  %s", index + 1, card->title[drawing->preferences->language]));
    struct rect foot = rect_cut_bottom(&inner, 28 * u);
    rect_cut_top(&inner, 6 * u);
    if (card->problem && style->text > 0)
        ui_text(ui, inner, FONT_TEXT, style->text * u, COLOR_CONFLICT, card->problem);
    else if (card->problem)
        ui_tip(ui, box, "%s", card->problem);
    else if (style->text > 0)
        ui_text(ui, inner, FONT_TEXT, style->text * u, COLOR_TEXT, card->summary[drawing->preferences->language]);
    else
        ui_tip(ui, box, "%s", card->summary[drawing->preferences->language]);
    ui_label(ui, foot, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             card->problem ? broken_words(drawing, card, style->text > 0 ? 0 : foot.w)
                           : arena_format(drawing->arena, _("%d steps"), card->beats));
    return clicked;
}

static void draw_no_lessons(struct ui *ui, struct rect box)
{
    ui_text(ui, box, FONT_TEXT, text_body(ui), COLOR_CONFLICT,
            _("no lessons were found; set LANESCOPE_DATA to the folder that holds lessons/ and kernels/"));
}

/* How the cards are arranged. */
struct card_grid {
    struct card_style style;
    int across;
    float width, height, gap; /* of all columns; of a card; between cards */
};

/* Returns the first of several arrangements that fits into the box: large cards with emblems, cards without them, three
 * columns, and in the end cards without summaries. */
static struct card_grid arrange_cards(const struct drawing *drawing, const struct cards *cards, struct rect box,
                                      float width, const struct card_style *style)
{
    float const u = drawing->ui->unit;
    int const most = box.w > 820 * u ? 2 : 1, more = most > 1 && box.w > 1100 * u ? 3 : most;
    struct card_grid const grids[] = {{*style, most, width, 0, 22},
                                      {{style->title, style->text, 0, style->pad}, most, width, 0, 22},
                                      {{22, 16, 0, 14}, more, box.w, 0, 12},
                                      {{style->title, 0, 0, 12}, most, width, 0, 12},
                                      {{20, 0, 0, 8}, more, box.w, 0, 8}};
    size_t const count = sizeof grids / sizeof *grids;
    struct card_grid grid = {0};
    for (size_t i = 0; i < count; i++) {
        grid = grids[i];
        grid.gap *= u;
        if (grid.style.text > 0)
            grid.style.text = fmaxf(grid.style.text, text_caption(drawing->ui) / u);
        int const rows = ((int)cards->count + grid.across - 1) / grid.across;
        float const card_w = (grid.width - grid.gap * (float)(grid.across - 1)) / (float)grid.across;
        grid.height = card_height(drawing, cards, card_w, &grid.style);
        if ((grid.height + grid.gap) * (float)rows <= box.h + grid.gap)
            break;
    }
    return grid;
}

void screen_list(struct drawing *drawing, const struct cards *cards, bool awaited)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    struct layout layout = layout_of(drawing);
    draw_top_bar(drawing, layout.top);
    if (awaited) { /* the next frame replaces the list */
        ui_label(ui, ui->screen, FONT_BOLD, 30 * u, UI_CENTER, ui_color(ui, COLOR_TEXT), drawing->notice->text);
        return;
    }
    if (drawing->notice->text[0])
        draw_notice(drawing, layout.notice);
    struct rect all = {24 * u, layout.top.h + layout.notice.h, ui->screen.w - 48 * u, 0};
    all.h = ui->screen.h - all.y - 20 * u;
    bool const roomy = all.h > 800 * u && all.w > 1400 * u;
    struct card_style style = roomy ? (struct card_style){34, 22, 150, 36} : (struct card_style){24, 18, 90, 24};
    float width = fminf(all.w, (roomy ? 1560 : 1240) * u);
    all.x += (all.w - width) / 2;
    all.w = width;
    rect_cut_top(&all, all.h * (roomy ? 0.09f : 0.05f));
    ui_label(ui, rect_cut_top(&all, (roomy ? 76 : 56) * u), FONT_BOLD, (roomy ? 54 : 40) * u, UI_LEFT,
             ui_color(ui, COLOR_TEXT), _("What a kernel does to memory, lane by lane"));
    ui_label(ui, rect_cut_top(&all, 34 * u), FONT_TEXT, fmaxf(text_body(ui), style.text * 0.9f * u), UI_LEFT,
             ui_color(ui, COLOR_TEXT_DIM),
             _("Choose a lesson: a click, or the arrows and Enter. A .cu, .ptx or .trace file can be dropped here."));
    rect_cut_top(&all, (roomy ? 40 : 24) * u);
    all.x = 24 * u;
    all.w = ui->screen.w - 48 * u;
    struct card_grid const grid = arrange_cards(drawing, cards, all, width, &style);
    all.x += (all.w - grid.width) / 2;
    all.w = grid.width;
    size_t clicked = SIZE_MAX;
    for (size_t i = 0; i < cards->count && all.h > 40 * u; i += (size_t)grid.across) {
        struct rect row = rect_cut_top(&all, fminf(grid.height, all.h));
        rect_cut_top(&all, grid.gap);
        for (size_t j = i; j < cards->count && j < i + (size_t)grid.across; j++)
            if (one_card(drawing, cards, rect_column(row, (int)(j - i), grid.across, grid.gap), j, &grid.style))
                clicked = j;
    }
    if (!cards->count)
        draw_no_lessons(ui, all);
    if (clicked != SIZE_MAX)
        drawing_ask(drawing, ACTION_OPEN_CARD, (int)clicked);
}

void screen_help(struct drawing *drawing)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    struct rect all = rect_inset(ui->screen, 36 * u, 28 * u);
    ui_label(ui, rect_cut_top(&all, 50 * u), FONT_BOLD, 30 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), _("Keys"));
    struct rect foot = rect_cut_bottom(&all, 56 * u);
    ui_text(ui, foot, FONT_TEXT, text_caption(ui), COLOR_TEXT_DIM,
            _("The mouse does everything, too: point at a cell to see its name, click a line of code to see its "
              "accesses only. Any key closes this list."));
    struct help_row *rows;
    size_t count = action_help(drawing->arena, &rows);
    int across = all.w > 1000 * u || all.h < 26 * u * (float)count ? 2 : 1;
    size_t per = (count + (size_t)across - 1) / (size_t)across;
    float height = fminf(58 * u, (all.h - 10 * u) / (float)per);
    float const column_w = rect_column(all, 0, across, 32 * u).w, gap = 22 * u;
    float size = fmaxf(text_body(ui), fminf(26 * u, height * 0.5f)), keys_w[2] = {0}, fits = 1;
    for (size_t i = 0; i < count; i++)
        keys_w[i / per] = fmaxf(keys_w[i / per], ui_text_width(ui, FONT_BOLD, size, rows[i].keys));
    for (size_t i = 0; i < count; i++)
        fits = fminf(fits, (column_w - gap) / (keys_w[i / per] + ui_text_width(ui, FONT_TEXT, size, rows[i].text)));
    size = fminf(height * 0.8f, fmaxf(text_caption(ui), floorf(size * fits)));
    for (size_t i = 0; i < count; i++) {
        struct rect column = rect_column(all, (int)(i / per), across, 32 * u);
        struct rect row = {column.x, column.y + (float)(i % per) * height, column.w, height};
        ui_label(ui, rect_cut_left(&row, keys_w[i / per] * fits + gap), FONT_BOLD, size, UI_LEFT,
                 ui_color(ui, COLOR_ACCESS), rows[i].keys);
        ui_label(ui, row, FONT_TEXT, size, UI_LEFT, ui_color(ui, COLOR_TEXT), rows[i].text);
    }
    if (ui_area(ui, ui_id_text("help"), ui->screen))
        drawing_ask(drawing, ACTION_HELP, 0);
}
