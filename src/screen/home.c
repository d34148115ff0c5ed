/* The first screen: the lessons as a path in chapters, and what is the user's own. Everything stands in rows; rows that
 * do not fit stand on further pages. The chosen item, which the arrow keys move, says which page is shown. */
#include "screen/home.h"
#include "base/file.h"
#include "screen/layout.h"
#include "screen/screen.h"
#include "view/panel.h"
#include <math.h>
#include <string.h>

struct home_row {
    const char *title; /* of a chapter or a part; NULL: a row of items */
    size_t first, count;
    float height;
    bool computer; /* the line about this computer */
};
enum { ROWS_MOST = 256 };
struct home_page {
    struct home_row rows[ROWS_MOST];
    int count;
    float card_width, card_height, gap;
    int across;
};

static float pad(const struct drawing *drawing)
{
    return 12 * drawing->ui->unit;
}

static const char *title_of(const struct drawing *drawing, const struct cards *cards, size_t index)
{
    return arena_format(drawing->arena, "%zu  %s", index + 1,
                        cards->items[index].title[drawing->preferences->language]);
}

/* Returns whether every step was reached and every question answered: skipping through is not enough. */
static bool is_done(const struct lesson_card *card)
{
    return card->beats && card->way.furthest >= card->beats && card->way.answered >= card->questions;
}

/* Returns the line below the title: the length of a lesson, where one is in it, or the place of the mistake. */
static const char *length_of(const struct drawing *drawing, const struct lesson_card *card, const struct way_kept *way)
{
    struct arena *arena = drawing->arena;
    if (card->problem)
        return arena_format(arena, _("cannot be opened · %s"), card->place);
    if (is_done(card))
        return card->minutes ? arena_format(arena, _("✓ all %d {step|steps} · %u min"), card->beats, card->minutes)
                             : arena_format(arena, _("✓ all %d {step|steps}"), card->beats);
    if (card->beats && way->furthest >= card->beats)
        return arena_format(arena, _("%d {question|questions} open"), card->questions - way->answered);
    if (way->step)
        return arena_format(arena, _("step %d of %d"), way->step, card->beats);
    return card->minutes ? arena_format(arena, _("%d {step|steps} · %u min"), card->beats, card->minutes)
                         : arena_format(arena, _("%d {step|steps}"), card->beats);
}

static float emblem_width(const struct drawing *drawing)
{
    return 100 * drawing->ui->unit;
}

/* Draws the words of a lesson's card, or only measures them. Returns their height. */
static float lesson_words(struct drawing *drawing, const struct home *home, size_t index, struct rect box, bool measure)
{
    struct ui *ui = drawing->ui;
    const struct lesson_card *card = &home->cards->items[index];
    struct way_kept const way = card->way;
    bool const done = is_done(card);
    struct ui_span const title = {title_of(drawing, home->cards, index), FONT_BOLD, COLOR_TEXT};
    struct ui_span const length = {length_of(drawing, card, &way), done ? FONT_BOLD : FONT_TEXT,
                                   card->problem      ? COLOR_CONFLICT
                                   : done || way.step ? COLOR_ACCESS
                                                      : COLOR_TEXT_DIM};
    float const top = ui_paragraph(ui, box, text_body(ui), &title, 1, measure);
    rect_cut_top(&box, top);
    return top + ui_paragraph(ui, box, text_caption(ui), &length, 1, measure);
}

static struct rect words_box(const struct drawing *drawing, const struct home_page *page, struct rect card)
{
    struct rect inner = rect_inset(card, pad(drawing), pad(drawing) * 0.8f);
    rect_cut_left(&inner, page->card_width < 250 * drawing->ui->unit ? 0 : emblem_width(drawing) + pad(drawing));
    return inner;
}

static void draw_choice(struct drawing *drawing, const struct home *home, size_t item, struct rect box)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    ui_id const id = ui_id_child(ui_id_text("home"), (uint32_t)item);
    if (item == home->cards->chosen || ui_hovered(ui, box))
        draw_outline(&ui->draw, box, 6 * u, fmaxf(2, 3 * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, id, box, 6 * u);
    if (ui_area(ui, id, box))
        drawing_ask(drawing, ACTION_OPEN_CARD, (int)item);
}

static void draw_lesson(struct drawing *drawing, const struct home *home, const struct home_page *page, size_t index,
                        struct rect box)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const struct lesson_card *card = &home->cards->items[index];
    struct way_kept const way = card->way;
    ui_card(ui, box);
    draw_choice(drawing, home, index, box);
    struct rect words = words_box(drawing, page, box), emblem = rect_inset(box, pad(drawing), 0);
    if (words.x > emblem.x + 1) {
        emblem.w = emblem_width(drawing);
        emblem.h = fminf(box.h - 20 * u, 76 * u);
        emblem.y = box.y + (box.h - emblem.h) / 2;
        draw_emblem(ui, emblem, card->name, card->stage);
    }
    float const height = lesson_words(drawing, home, index, words, true);
    rect_cut_top(&words, fmaxf(0, (words.h - height) / 2));
    lesson_words(drawing, home, index, words, false);
    if (card->beats && way.furthest) { /* a bar at the card's foot: how far one has come */
        struct rect bar = {box.x + 6 * u, box.y + box.h - 7 * u, box.w - 12 * u, 4 * u};
        draw_fill(&ui->draw, bar, 2 * u, ui_color(ui, COLOR_EDGE));
        bar.w *= fminf(1, (float)way.furthest / (float)card->beats);
        draw_fill(&ui->draw, bar, 2 * u, ui_color(ui, COLOR_ACCESS));
    }
    const char *summary = card->summary[drawing->preferences->language];
    ui_tip(ui, box, "%s", card->problem ? card->problem : summary);
}

/* Returns the title of an item of the user's own, and in *words the line below it. */
static const char *own_title(const struct drawing *drawing, const struct home *home, size_t item, const char **words)
{
    struct home_item const own = home_item(home->cards, item);
    if (own.kind == HOME_OPEN) {
        *words = _("or drop one here: .cu, .ptx, .trace");
        return _("Open a file");
    }
    if (own.kind == HOME_SAMPLE) {
        *words = _(home_samples[own.index].words);
        return arena_format(drawing->arena, _("Try: %s"), _(home_samples[own.index].title));
    }
    const char *path = home->cards->recent[own.index];
    *words = arena_text_n(drawing->arena, path, (size_t)(path_name(path) - path));
    return path_name(path);
}

static void draw_own(struct drawing *drawing, const struct home *home, size_t item, struct rect box)
{
    struct ui *ui = drawing->ui;
    const char *words, *title = own_title(drawing, home, item, &words);
    ui_card(ui, box);
    draw_choice(drawing, home, item, box);
    struct rect inner = rect_inset(box, pad(drawing), 5 * ui->unit);
    struct rect const top = rect_cut_top(&inner, inner.h / 2);
    ui_label(ui, top, FONT_BOLD, text_body(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), title);
    ui_label(ui, inner, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words);
    ui_tip(ui, box, "%s\n%s", title, words);
}

static void add_row(struct home_page *page, struct home_row row)
{
    if (page->count < ROWS_MOST)
        page->rows[page->count++] = row;
}

static void add_items(struct home_page *page, size_t first, size_t count, float height)
{
    size_t const across = (size_t)page->across;
    for (size_t i = 0; i < count; i += across)
        add_row(page, (struct home_row){
                          .first = first + i, .count = count - i < across ? count - i : across, .height = height});
}

/* Adds the chapters with their lessons. */
static void add_lessons(const struct drawing *drawing, const struct home *home, struct home_page *page)
{
    const struct cards *cards = home->cards;
    float const u = drawing->ui->unit;
    for (size_t i = 0, end; i < cards->count; i = end) {
        for (end = i; end < cards->count && cards->items[end].chapter == cards->items[i].chapter; end++)
            ;
        const char *const *title = cards->items[i].chapter_title;
        add_row(page, (struct home_row){.title = title ? title[drawing->preferences->language] : _("More lessons"),
                                        .first = i,
                                        .height = 32 * u});
        add_items(page, i, end - i, page->card_height);
    }
}

static void add_own(const struct drawing *drawing, const struct home *home, struct home_page *page)
{
    float const u = drawing->ui->unit, height = 62 * u;
    size_t const first = home->cards->count, count = home_count(home->cards);
    add_row(page, (struct home_row){.title = _("Your own"), .first = first, .height = 32 * u});
    add_items(page, first, 1 + HOME_SAMPLES, height);
    if (count > first + 1 + HOME_SAMPLES) {
        add_row(page,
                (struct home_row){.title = _("Opened recently"), .first = first + 1 + HOME_SAMPLES, .height = 32 * u});
        add_items(page, first + 1 + HOME_SAMPLES, count - first - 1 - HOME_SAMPLES, height);
    }
}

/* Chooses how many cards stand side by side, and their height: that of the longest words. */
static void size_cards(struct drawing *drawing, const struct home *home, struct home_page *page, float width)
{
    float const u = drawing->ui->unit;
    page->gap = 12 * u;
    page->across = (int)fminf(6, fmaxf(1, floorf((width + page->gap) / (272 * u + page->gap))));
    page->card_width = (width - page->gap * (float)(page->across - 1)) / (float)page->across;
    page->card_height = 52 * u;
    struct rect const box = words_box(drawing, page, (struct rect){0, 0, page->card_width, 1000 * u});
    for (size_t i = 0; i < home->cards->count; i++)
        page->card_height = fmaxf(page->card_height, lesson_words(drawing, home, i, box, true));
    page->card_height += 22 * u;
}

/* Returns the row after the last one of the page that begins with row `from`. A title stands with the row below it. */
static int page_end(const struct home_page *page, int from, float height)
{
    float used = 0;
    int end = from;
    while (end < page->count) {
        bool const title = page->rows[end].title != NULL && end + 1 < page->count;
        float const next = page->rows[end].height + page->gap + (title ? page->rows[end + 1].height : 0);
        if (end > from && used + next - (title ? 0 : page->gap) > height)
            break;
        used += page->rows[end].height + page->gap;
        if (title)
            used += page->rows[end + 1].height + page->gap;
        end += title ? 2 : 1;
    }
    return end;
}

/* Draws what this computer has, and what to do about what it lacks; or only measures it. */
static float computer_words(struct drawing *drawing, const struct home *home, struct rect box, bool measure)
{
    const struct computer_facts *facts = home->computer;
    struct arena *arena = drawing->arena;
    if (!facts)
        return 0;
    const char *runs = facts->gpu[0] ? arena_format(arena, _("This machine: %s"), facts->gpu)
                                     : _("This machine has no GPU that CUDA can use: the emulator runs everything");
    const char *compiles = facts->compiler[0] ? arena_format(arena, _("%s compiles your kernels"), facts->compiler)
                                              : _("no compiler for your .cu files: install clang (lanescope doctor)");
    struct ui_span const span = {arena_format(arena, "%s · %s", runs, compiles), FONT_TEXT, COLOR_TEXT_DIM};
    return ui_paragraph(drawing->ui, box, text_caption(drawing->ui), &span, 1, measure);
}

static void draw_row(struct drawing *drawing, const struct home *home, const struct home_page *page,
                     const struct home_row *row, struct rect box)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    if (row->computer) {
        computer_words(drawing, home, box, false);
        return;
    }
    if (row->title) {
        ui_label(ui, box, FONT_BOLD, 20 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), row->title);
        return;
    }
    for (size_t i = 0; i < row->count; i++) {
        struct rect const at = rect_column(box, (int)i, page->across, page->gap);
        size_t const item = row->first + i;
        if (item >= home->cards->count) {
            draw_own(drawing, home, item, at);
            continue;
        }
        if (i) /* the path */
            draw_line(&ui->draw, (struct point){at.x - page->gap, at.y + at.h / 2},
                      (struct point){at.x, at.y + at.h / 2}, 3 * u, ui_color(ui, COLOR_EDGE));
        draw_lesson(drawing, home, page, item, at);
    }
}

void draw_page_turn(struct drawing *drawing, struct rect row, int at, int pages, const size_t *firsts)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, size = text_caption(ui);
    int wanted = at;
    const char *more_words = _("More ›"), *back_words = _("‹ Back");
    struct rect const more = rect_cut_right(&row, ui_text_width(ui, FONT_BOLD, size, more_words) + 40 * u);
    rect_cut_right(&row, 10 * u);
    float const back_w = ui_text_width(ui, FONT_BOLD, size, back_words) + 40 * u;
    struct rect const back = rect_cut_right(&row, at > 0 || row.w > 2 * back_w ? back_w : 0);
    rect_cut_right(&row, 16 * u);
    if (at + 1 < pages && ui_button(ui, ui_id_text("more lessons"), more, more_words, true))
        wanted = at + 1;
    if (at > 0 && ui_button(ui, ui_id_text("lessons back"), back, back_words, false))
        wanted = at - 1;
    ui_label(ui, row, FONT_TEXT, size, UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
             arena_format(drawing->arena, "%d / %d", at + 1, pages));
    if (ui->input.wheel != 0)
        wanted = ui->input.wheel < 0 ? at + 1 : at - 1;
    if (ui->input.read_on)
        wanted = at + ui->input.read_on;
    if (wanted != at && wanted >= 0 && wanted < pages)
        drawing_ask(drawing, ACTION_CHOOSE_CARD, (int)firsts[wanted]);
}

/* The pages of the rows: each begins with the row starts[page]. */
struct home_pages {
    int starts[ROWS_MOST + 1], count, at;
    size_t firsts[ROWS_MOST]; /* the first item of each */
};

static void divide(const struct home *home, const struct home_page *page, float height, struct home_pages *pages)
{
    for (int row = 0; row < page->count; row = pages->starts[pages->count]) {
        pages->firsts[pages->count] = page->rows[row].first;
        if (page->rows[row].first <= home->cards->chosen)
            pages->at = pages->count;
        pages->starts[++pages->count] = page_end(page, row, height);
    }
}

/* Makes the cards higher where the page has room to spare. */
static void stretch(struct home_page *page, float height, float most)
{
    float used = -page->gap;
    int cards = 0;
    for (int row = 0; row < page->count; row++) {
        used += page->rows[row].height + page->gap;
        cards += !page->rows[row].title;
    }
    float const more = cards ? fminf(most, (height - used) / (float)cards) : 0;
    for (int row = 0; more > 0 && row < page->count; row++)
        if (!page->rows[row].title)
            page->rows[row].height += more;
}

static void draw_rows(struct drawing *drawing, const struct home *home, const struct home_page *page,
                      const struct home_pages *pages, struct rect box)
{
    for (int row = pages->starts[pages->at]; pages->count && row < pages->starts[pages->at + 1]; row++) {
        draw_row(drawing, home, page, &page->rows[row], rect_cut_top(&box, page->rows[row].height));
        rect_cut_top(&box, page->gap);
    }
}

/* Returns the longest label that has room of the button that goes on. */
static const char *go_on_label(struct drawing *drawing, const struct home *home, size_t index, float room)
{
    const struct lesson_card *card = &home->cards->items[index];
    struct way_kept const way = card->way;
    const char *name = card->title[drawing->preferences->language];
    const char *const labels[] = {
        way.step ? arena_format(drawing->arena, _("Go on: %s, step %d of %d"), name, way.step, card->beats)
                 : arena_format(drawing->arena, _("Begin: %s"), name),
        way.step ? arena_format(drawing->arena, _("Go on: %s"), name) : _("Begin"), way.step ? _("Go on") : _("Begin")};
    size_t at = 0;
    while (at < 2 && ui_text_width(drawing->ui, FONT_BOLD, text_body(drawing->ui), labels[at]) > room)
        at++;
    return labels[at];
}

/* Draws the button that goes on, and cuts it off the row. */
static void draw_go_on(struct drawing *drawing, const struct home *home, struct rect *row, float room)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, frame = 56 * u;
    size_t const index = home_go_on(home->cards);
    const char *label = go_on_label(drawing, home, index, room - frame);
    float const wide = fminf(room, ui_text_width(ui, FONT_BOLD, text_body(ui), label) + frame);
    struct rect const button = rect_inset(rect_cut_left(row, wide), 0, 2 * u);
    if (ui_button(ui, ui_id_text("go on"), button, label, true))
        drawing_ask(drawing, ACTION_OPEN_CARD, (int)index);
}

/* Draws the row above the lessons: the button that goes on and, where the user's own is on a later page, the one that
 * opens a file. */
static void draw_head(struct drawing *drawing, const struct home *home, struct rect row, bool own_in_sight)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, gap = 12 * u;
    const char *open = _("Open a file"), *hint = _("a click, or the arrows and Enter");
    float const least =
        ui_text_width(ui, FONT_BOLD, text_body(ui), _("Go on")) + 56 * u; /* of the button that goes on */
    float open_w = own_in_sight ? 0 : ui_text_width(ui, FONT_TEXT, text_body(ui), open) + 40 * u;
    if (row.w < least + gap + open_w)
        open_w = 0;
    if (home->cards->count) {
        draw_go_on(drawing, home, &row, row.w - (open_w > 0 ? open_w + gap : 0));
        rect_cut_left(&row, gap);
    }
    if (open_w > 0) {
        struct rect const button = rect_inset(rect_cut_left(&row, open_w), 0, 2 * u);
        hint = _("or drop one here: .cu, .ptx, .trace");
        ui_tip(ui, button, "%s (Ctrl + O)\n%s", open, hint);
        if (ui_button(ui, ui_id_text("open a file"), button, open, false))
            drawing_ask(drawing, ACTION_OPEN_CARD, (int)home->cards->count);
    }
    rect_cut_left(&row, gap);
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), hint) < row.w)
        ui_label(ui, row, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), hint);
}

static void draw_no_lessons(struct ui *ui, struct rect box)
{
    ui_text(ui, box, FONT_TEXT, text_body(ui), COLOR_CONFLICT,
            _("no lessons were found; set LANESCOPE_DATA to the folder that holds lessons/ and kernels/"));
}

/* Makes the rows of everything. In a wide window, the user's own is a column of its own: the rows of `own`. */
static void make_rows(struct drawing *drawing, const struct home *home, struct rect *all, struct home_page *page,
                      struct home_page *own, struct rect *side)
{
    float const u = drawing->ui->unit;
    *own = (struct home_page){.across = 1, .gap = 8 * u};
    add_own(drawing, home, own);
    if (all->w > 1150 * u && page_end(own, 0, all->h) >= own->count) {
        *side = rect_cut_right(all, 330 * u);
        rect_cut_right(all, 28 * u);
    } else
        own->count = 0;
    size_cards(drawing, home, page, all->w);
    add_lessons(drawing, home, page);
    if (!own->count)
        add_own(drawing, home, page);
}

static void draw_parts(struct drawing *drawing, const struct home *home, struct rect all)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, turn = 330 * u;
    bool const low = all.h < 420 * u; /* the line about the computer stands below the last items */
    float const computer = low ? 0 : computer_words(drawing, home, all, true);
    if (computer > 0) {
        computer_words(drawing, home, rect_cut_bottom(&all, computer), false);
        rect_cut_bottom(&all, 8 * u);
    }
    struct rect head = rect_cut_top(&all, (low ? 44 : 50) * u), side = {0};
    rect_cut_top(&all, (low ? 6 : 10) * u);
    struct home_page *page = arena_new(drawing->arena, struct home_page);
    struct home_page *own = arena_new(drawing->arena, struct home_page);
    struct home_pages *pages = arena_new(drawing->arena, struct home_pages);
    make_rows(drawing, home, &all, page, own, &side);
    if (low && home->computer)
        add_row(page, (struct home_row){.first = home_count(home->cards) - 1,
                                        .height = computer_words(drawing, home, all, true),
                                        .computer = true});
    divide(home, page, all.h, pages);
    if (pages->count > 1) {
        bool const narrow = pages->at == 0 && head.w < 600 * u; /* no way back on the first page */
        struct rect const foot =
            rect_cut_right(&head, narrow ? fminf(190 * u, head.w * 0.5f) : fminf(turn, head.w * 0.6f));
        draw_page_turn(drawing, rect_inset(foot, 0, 2 * u), pages->at, pages->count, pages->firsts);
        rect_cut_right(&head, 12 * u);
    } else
        stretch(page, all.h, 44 * u);
    draw_head(drawing, home, head, own->count > 0);
    if (!home->cards->count)
        draw_no_lessons(ui, all);
    draw_rows(drawing, home, page, pages, all);
    for (int row = 0; row < own->count; row++) {
        draw_row(drawing, home, own, &own->rows[row], rect_cut_top(&side, own->rows[row].height));
        rect_cut_top(&side, own->gap);
    }
}

void screen_home(struct drawing *drawing, const struct home *home)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    struct layout const layout = layout_of(drawing);
    draw_top_bar(drawing, layout.top);
    if (home->waits) { /* the next frame replaces this screen */
        ui_label(ui, ui->screen, FONT_BOLD, 30 * u, UI_CENTER, ui_color(ui, COLOR_TEXT), drawing->notice->text);
        return;
    }
    if (*layout.notice_text)
        draw_notice(drawing, layout.notice, layout.notice_text, layout.notice_bad);
    float const margin = (ui->screen.w < 700 * u ? 12 : 24) * u, above = (ui->screen.h < 500 * u ? 6 : 14) * u;
    struct rect all = {margin, layout.top.h + layout.notice.h + above, ui->screen.w - 2 * margin, 0};
    all.h = ui->screen.h - all.y - above;
    draw_parts(drawing, home, all);
}
