/* The first screen, with the lessons as cards; and the list of keys, which covers any screen. */
#include "app/commands/commands.h"
#include "app/screen/layout.h"
#include "app/screen/screen.h"
#include "view/panel.h"
#include <math.h>

/* Sizes of a card, in units: larger where the window has room. */
struct card_style {
    float title, text, emblem, pad;
};

/* Returns the length of a lesson or, if it cannot be opened, the place of the mistake. */
static const char *length_words(const struct drawing *drawing, const struct lesson_card *card)
{
    if (card->problem)
        return arena_format(drawing->arena, _("cannot be opened · %s"), card->place);
    return card->minutes ? arena_format(drawing->arena, _("%d steps · %u min"), card->beats, card->minutes)
                         : arena_format(drawing->arena, _("%d steps"), card->beats);
}

static bool is_large(const struct card_style *style)
{
    return style->emblem > 0;
}

/* Returns the text below the title. A small card has its length beside the title, but its problem needs a line. */
static const char *lesson_words(const struct drawing *drawing, const struct lesson_card *card,
                                const struct card_style *style)
{
    if (!card->problem)
        return card->summary[drawing->preferences->language];
    return is_large(style) ? card->problem
                           : arena_format(drawing->arena, "%s\n%s", length_words(drawing, card), card->problem);
}

static float card_height(const struct drawing *drawing, const struct cards *cards, float width,
                         const struct card_style *style)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit, most = 0;
    for (size_t i = 0; i < cards->count; i++) {
        struct ui_span span = {lesson_words(drawing, &cards->items[i], style), FONT_TEXT, COLOR_TEXT};
        most = fmaxf(most, ui_paragraph_height(ui, width - 2 * style->pad * u, style->text * u, &span, 1));
    }
    float const rest = is_large(style) ? 12 + 6 + 28 : 8;
    return most + (2 * style->pad + style->emblem + style->title * 1.4f + rest) * u;
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
    const char *length = length_words(drawing, card);
    bool const large = is_large(style), below = large || card->problem;
    if (large) {
        draw_emblem(ui, rect_cut_top(&inner, style->emblem * u), card->stage);
        rect_cut_top(&inner, 12 * u);
    }
    struct rect title = rect_cut_top(&inner, style->title * 1.4f * u), foot = {0};
    if (large)
        foot = rect_cut_bottom(&inner, 28 * u);
    else if (!below) {
        foot = rect_cut_right(&title, ui_text_width(ui, FONT_TEXT, text_caption(ui), length) + 2);
        rect_cut_right(&title, 12 * u);
    }
    ui_label(ui, title, FONT_BOLD, style->title * u, UI_LEFT, ui_color(ui, COLOR_TEXT),
             arena_format(drawing->arena, "%zu  %s", index + 1, card->title[drawing->preferences->language]));
    ui_label(ui, foot, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), length);
    rect_cut_top(&inner, 6 * u);
    ui_text(ui, inner, FONT_TEXT, style->text * u, card->problem ? COLOR_CONFLICT : COLOR_TEXT,
            lesson_words(drawing, card, style));
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
    int across, per_page;
    float width, height, gap; /* of all columns; of a card; between cards */
};

/* Returns the first arrangement that shows all cards at once: large cards with emblems, cards without them. If there is
 * none, the smaller cards stand on pages. */
static struct card_grid arrange_cards(const struct drawing *drawing, const struct cards *cards, struct rect box,
                                      float width, const struct card_style *style)
{
    float const u = drawing->ui->unit;
    int const few = box.w > 820 * u ? 2 : 1, most = box.w > 1100 * u ? 3 : box.w > 640 * u ? 2 : 1;
    struct card_grid const grids[] = {{.style = *style, .across = few, .width = width, .gap = 22},
                                      {{style->title, style->text, 0, style->pad}, few, .width = width, .gap = 22},
                                      {{22, 16, 0, 12}, most, .width = box.w, .gap = 12}};
    int const count = (int)(sizeof grids / sizeof *grids);
    struct card_grid grid = {0};
    for (int i = 0; i < count; i++) {
        grid = grids[i];
        grid.gap *= u;
        grid.style.text = fmaxf(grid.style.text, text_caption(drawing->ui) / u);
        int const rows = ((int)cards->count + grid.across - 1) / grid.across;
        float const card_w = (grid.width - grid.gap * (float)(grid.across - 1)) / (float)grid.across;
        grid.height = card_height(drawing, cards, card_w, &grid.style);
        grid.per_page = (int)cards->count;
        if ((grid.height + grid.gap) * (float)rows <= box.h + grid.gap)
            return grid;
    }
    float const turn = 52 * u; /* the row that turns the page */
    int const fit = (int)floorf((box.h - turn + grid.gap) / (grid.height + grid.gap));
    grid.per_page = (fit < 1 ? 1 : fit) * grid.across;
    return grid;
}

/* Draws the row that turns the page: "‹ Back", "7–12 of 18", "More lessons ›". The wheel and a key do it, too. */
static void turn_page(struct drawing *drawing, struct rect row, const struct cards *cards, int per_page)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, size = text_caption(ui);
    int const count = (int)cards->count, page = (int)cards->chosen / per_page,
              pages = (count + per_page - 1) / per_page;
    int const end = (page + 1) * per_page < count ? (page + 1) * per_page : count;
    int wanted = page;
    struct rect const more = rect_cut_right(&row, ui_text_width(ui, FONT_BOLD, size, _("More lessons ›")) + 40 * u);
    rect_cut_right(&row, 10 * u);
    struct rect const back = rect_cut_right(&row, ui_text_width(ui, FONT_BOLD, size, _("‹ Back")) + 40 * u);
    rect_cut_right(&row, 16 * u);
    if (page + 1 < pages && ui_button(ui, ui_id_text("more lessons"), more, _("More lessons ›"), true))
        wanted = page + 1;
    if (page > 0 && ui_button(ui, ui_id_text("lessons back"), back, _("‹ Back"), false))
        wanted = page - 1;
    ui_label(ui, row, FONT_TEXT, size, UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
             per_page == 1 ? arena_format(drawing->arena, "%d / %d", end, count)
                           : arena_format(drawing->arena, _("%d to %d of %d"), page * per_page + 1, end, count));
    if (ui->input.wheel != 0)
        wanted = ui->input.wheel < 0 ? page + 1 : page - 1;
    if (ui->input.read_on)
        wanted = page + ui->input.read_on;
    if (wanted != page && wanted >= 0 && wanted < pages)
        drawing_ask(drawing, ACTION_CHOOSE_CARD, wanted * per_page);
}

static void draw_cards(struct drawing *drawing, const struct cards *cards, struct rect box,
                       const struct card_grid *grid)
{
    size_t clicked = SIZE_MAX;
    size_t const per_page = (size_t)grid->per_page, across = (size_t)grid->across;
    size_t const first = cards->chosen / per_page * per_page;
    size_t const end = first + per_page < cards->count ? first + per_page : cards->count;
    if (per_page < cards->count) {
        struct rect row = rect_cut_bottom(&box, 40 * drawing->ui->unit);
        turn_page(drawing, row, cards, grid->per_page);
    }
    for (size_t i = first; i < end; i += across) {
        struct rect const row = rect_cut_top(&box, grid->height);
        rect_cut_top(&box, grid->gap);
        for (size_t j = i; j < end && j < i + across; j++)
            if (one_card(drawing, cards, rect_column(row, (int)(j - i), grid->across, grid->gap), j, &grid->style))
                clicked = j;
    }
    if (!cards->count)
        draw_no_lessons(drawing->ui, box);
    if (clicked != SIZE_MAX)
        drawing_ask(drawing, ACTION_OPEN_CARD, (int)clicked);
}

enum headline { HEADLINE_NONE, HEADLINE_LOW, HEADLINE_USUAL, HEADLINE_ROOMY };

/* Draws the headline and the hint below it, or only measures them. Returns their height. */
static float headline(struct drawing *drawing, struct rect box, enum headline kind, bool measure)
{
    static const struct {
        float size, hint, above, below; /* units; above: part of the box's height */
    } sizes[] = {[HEADLINE_LOW] = {28, 16, 0.02f, 12},
                 [HEADLINE_USUAL] = {40, 18, 0.05f, 24},
                 [HEADLINE_ROOMY] = {54, 20, 0.09f, 40}};
    struct ui *ui = drawing->ui;
    float const u = ui->unit, above = sizes[kind].above * box.h, line = sizes[kind].size * 1.4f * u;
    if (kind == HEADLINE_NONE)
        return 12 * u;
    struct ui_span const hint = {
        _("Choose a lesson: a click, or the arrows and Enter. A .cu, .ptx or .trace file can be dropped here."),
        FONT_TEXT, COLOR_TEXT_DIM};
    rect_cut_top(&box, above);
    struct rect const top = rect_cut_top(&box, line);
    if (!measure)
        ui_label(ui, top, FONT_BOLD, sizes[kind].size * u, UI_LEFT, ui_color(ui, COLOR_TEXT),
                 _("What a kernel does to memory, lane by lane"));
    return above + line + ui_paragraph(ui, box, sizes[kind].hint * u, &hint, 1, measure) + sizes[kind].below * u;
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
    if (*layout.notice_text)
        draw_notice(drawing, layout.notice, layout.notice_text, layout.notice_bad);
    float const margin = (ui->screen.w < 700 * u ? 12 : 24) * u;
    struct rect all = {margin, layout.top.h + layout.notice.h, ui->screen.w - 2 * margin, 0};
    all.h = ui->screen.h - all.y - (all.h < 420 * u ? 12 : 20) * u;
    bool const roomy = all.h > 800 * u && all.w > 1400 * u;
    struct card_style const style = roomy ? (struct card_style){34, 22, 150, 36} : (struct card_style){24, 18, 90, 24};
    float const width = fminf(all.w, (roomy ? 1560 : 1240) * u);
    struct rect const middle = {all.x + (all.w - width) / 2, all.y, width, all.h};
    enum headline kind = all.h < 420 * u   ? HEADLINE_NONE
                         : all.h < 560 * u ? HEADLINE_LOW
                         : roomy           ? HEADLINE_ROOMY
                                           : HEADLINE_USUAL;
    struct rect rest = all;
    rect_cut_top(&rest, headline(drawing, middle, kind, true));
    struct card_grid grid = arrange_cards(drawing, cards, rest, width, &style);
    if ((size_t)grid.per_page < cards->count && kind > HEADLINE_LOW) { /* the cards need the room */
        kind = HEADLINE_LOW;
        rest = all;
        rect_cut_top(&rest, headline(drawing, middle, kind, true));
        grid = arrange_cards(drawing, cards, rest, width, &style);
    }
    all.x += (all.w - grid.width) / 2;
    all.w = grid.width;
    headline(drawing, all, kind, false);
    all.y = rest.y;
    all.h = rest.h;
    draw_cards(drawing, cards, all, &grid);
}

/* Draws the keys in columns; if they do not fit, on pages that the key reading on and the wheel turn. */
void screen_help(struct drawing *drawing)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, size = text_body(ui), gap = 22 * u;
    struct rect all = rect_inset(ui->screen, fminf(36 * u, ui->screen.w * 0.03f), fminf(28 * u, ui->screen.h * 0.03f));
    struct ui_span const foot = {_("The mouse does everything, too: point at a cell to see its name, click a line of "
                                   "code to see its accesses only, or a name in it to go to its definition. Any "
                                   "key closes this list."),
                                 FONT_TEXT, COLOR_TEXT_DIM};
    struct rect title = rect_cut_top(&all, 44 * u);
    float const foot_h = ui_paragraph_height(ui, all.w, text_caption(ui), &foot, 1);
    ui_paragraph(ui, rect_cut_bottom(&all, foot_h), text_caption(ui), &foot, 1, false);
    struct help_row *rows;
    size_t const count = action_help(drawing->arena, &rows);
    float keys_w = 0, text_w = 0;
    for (size_t i = 0; i < count; i++) {
        keys_w = fmaxf(keys_w, ui_text_width(ui, FONT_BOLD, size, rows[i].keys));
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
    if (ui_area(ui, ui_id_text("help"), ui->screen))
        drawing_ask(drawing, ACTION_HELP, 0);
    if ((pages > 1 && ui_button(ui, ui_id_text("more keys"), rect_inset(more, 0, 4 * u), _("More ↓"), true)) ||
        ui->input.read_on > 0 || ui->input.wheel < 0)
        drawing_ask(drawing, ACTION_HELP_PAGE, (int)((page + 1) % pages));
    else if (ui->input.read_on < 0 || ui->input.wheel > 0)
        drawing_ask(drawing, ACTION_HELP_PAGE, (int)((page + pages - 1) % pages));
    ui_label(ui, title, FONT_BOLD, 30 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), name);
    for (size_t i = page * per_page; i < count && i < (page + 1) * per_page; i++) {
        size_t const at = i - page * per_page;
        struct rect const column = rect_column(all, (int)(at / lines), across, 32 * u);
        struct rect row = {column.x, column.y + (float)(at % lines) * height, column.w, height};
        struct ui_span const text = {rows[i].text, FONT_TEXT, COLOR_TEXT};
        float const needed = ui_paragraph_height(ui, room, size, &text, 1);
        rect_cut_top(&row, fmaxf(0, (height - needed) / 2));
        struct rect keys = rect_cut_left(&row, keys_w + gap);
        keys.h = fminf(keys.h, size * 1.4f);
        ui_label(ui, keys, FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_ACCESS), rows[i].keys);
        ui_paragraph(ui, row, size, &text, 1, false);
    }
}
