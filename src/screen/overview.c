/* The overview of the run: the map of the block's warps, and the lists of what wastes memory traffic. */
#include "view/overview/overview.h"
#include "report/report.h"
#include "screen/screen.h"
#include <math.h>
#include <string.h>

static const char *const names[OVERVIEW_PAGES] = {N_("Warps along the clock"), N_("Instructions by waste"),
                                                  N_("Warps by waste"), N_("Why it wastes")};
static const char *const short_names[OVERVIEW_PAGES] = {N_("Clock"), N_("Lines"), N_("Warps"), N_("Why")};

/* Draws the pages' tabs from the left end of the line, with short names where room is short. */
static void draw_tabs(struct drawing *drawing, struct rect line)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, size = text_body(ui);
    const char *labels[OVERVIEW_PAGES];
    int chosen = (int)drawing->overview->page;
    float widest = 0;
    for (int form = 0; form < 2; form++) {
        widest = 0;
        for (int i = 0; i < OVERVIEW_PAGES; i++) {
            labels[i] = _(form ? short_names[i] : names[i]);
            widest = fmaxf(widest, ui_text_width(ui, FONT_BOLD, size, labels[i]) + 30 * u);
        }
        if (widest * OVERVIEW_PAGES <= line.w)
            break;
    }
    line = rect_cut_left(&line, fminf(line.w, widest * OVERVIEW_PAGES));
    if (ui_choice(ui, ui_id_text("overview pages"), line, labels, OVERVIEW_PAGES, &chosen))
        drawing_ask(drawing, ACTION_OVERVIEW, chosen);
}

/* Draws the bar: the way back, the tabs if they have room, the language. Returns whether the tabs are there. */
static bool draw_bar(struct drawing *drawing, struct rect box)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    box = draw_back_bar(drawing, box, ACTION_OVERVIEW, (int)drawing->overview->page);
    const char *title = _("Overview");
    float const title_w = ui_text_width(ui, FONT_BOLD, 22 * u, title) + 4 * u;
    bool const tabs = box.w > title_w + 560 * u;
    struct rect const at = rect_cut_left(&box, fminf(box.w, title_w + (tabs ? 24 * u : 0)));
    ui_label(ui, at, FONT_BOLD, 22 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), title);
    if (tabs)
        draw_tabs(drawing, box);
    return tabs;
}

/* Returns the blocks that a list covers, in words: those that were counted, or those that were recorded. */
static const char *scope_of(struct drawing *drawing, enum waste_list list)
{
    const struct trace *trace = drawing->document->playback->trace;
    struct launch_blocks blocks;
    document_counts(drawing->document, &blocks);
    return report_scope(drawing->arena, &(struct report){.trace = trace,
                                                         .looked_known = true,
                                                         .looked = list == WASTE_SITES ? blocks : trace->recorded});
}

/* Says how many blocks were recorded and, where another run may record others, how. */
static const char *recorded_words(const struct drawing *drawing, struct launch_blocks blocks, uint64_t all)
{
    struct arena *arena = drawing->arena;
    uint64_t const count = blocks.last - blocks.first + 1;
    const struct run *run = document_run(drawing->document);
    if (all == 1)
        return _("The launch has one block, which was recorded.");
    if (count >= all)
        return arena_format(arena, _("Recorded: all %s blocks of the launch."), words_count(arena, all));
    const char *words = arena_format(arena, _("Recorded: %s of the %s blocks of the launch."),
                                     words_count(arena, count), words_count(arena, all));
    return run && run->executor != EXECUTOR_RECORDING
               ? arena_format(arena, _("%s The option --blocks of the command line records others: --blocks 0-%llu."),
                              words, (unsigned long long)(all < 16 ? all - 1 : 15))
               : words;
}

static struct block_map map_of(const struct drawing *drawing, const struct scene *scene)
{
    const struct playback *playback = drawing->document->playback;
    const struct run *run = document_run(drawing->document);
    const char *gpu = run ? run->clock.gpu : NULL;
    uint64_t const all = (uint64_t)scene->trace->grid[0] * scene->trace->grid[1] * scene->trace->grid[2];
    struct launch_blocks blocks = scene->trace->recorded;
    blocks.last = blocks.last < all ? blocks.last : all - 1;
    return (struct block_map){.spans = playback->spans,
                              .clock =
                                  gpu ? arena_format(drawing->arena, _("model clock (%s)"), gpu) : _("model clock"),
                              .cycles = playback->cycles,
                              .first_block = blocks.first,
                              .last_block = blocks.last,
                              .blocks = playback->blocks,
                              .block_count = playback->block_count,
                              .recorded = recorded_words(drawing, blocks, all)};
}

void screen_overview(struct drawing *drawing)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const struct overview *overview = drawing->overview;
    const struct playback *playback = drawing->document->playback;
    struct rect all = ui->screen;
    bool const tabs = draw_bar(drawing, rect_cut_top(&all, (all.h < 600 * u ? 48 : 56) * u));
    all = rect_inset(all, (all.w < 700 * u ? 12 : 24) * u, (all.h < 600 * u ? 8 : 16) * u);
    if (!tabs) {
        draw_tabs(drawing, rect_cut_top(&all, 36 * u));
        rect_cut_top(&all, 8 * u);
    }
    struct scene scene;
    document_scene(drawing->document, drawing->playhead, drawing->arena, &scene);
    struct view view = {.ui = ui, .arena = drawing->arena, .scene = &scene};
    bool const map = overview->page == OVERVIEW_MAP;
    struct ui_span const hint = {map ? _("click: go there · ↑ ↓ warp · ← → access · N block · Enter or Esc: back")
                                     : _("↑ ↓ row · Enter or a click: to its most wasteful access · Esc: back"),
                                 FONT_TEXT, COLOR_TEXT_DIM};
    float const hint_h = ui_paragraph_height(ui, all.w, text_caption(ui), &hint, 1);
    if (all.h > 420 * u)
        ui_paragraph(ui, rect_cut_bottom(&all, hint_h), text_caption(ui), &hint, 1, false);
    if (map) {
        struct waste_view const waste = {
            .outliers = playback->outliers, .scope = scope_of(drawing, WASTE_SITES), .brief = true};
        struct block_map shown = map_of(drawing, &scene);
        shown.waste = &waste;
        action_ask(drawing->actions, card_block_map(&view, all, &shown));
        return;
    }
    if (overview->page == OVERVIEW_EXPLAINED) {
        struct explain_view shown = {
            .explain = playback->explain, .scope = scope_of(drawing, WASTE_SITES), .chosen = overview->chosen};
        memcpy(shown.lessons, drawing->explained, sizeof shown.lessons);
        action_ask(drawing->actions, card_explain(&view, all, &shown));
        return;
    }
    enum waste_list const list = overview->page == OVERVIEW_SITES ? WASTE_SITES : WASTE_WARPS;
    struct waste_view const waste = {playback->outliers, list, scope_of(drawing, list), overview->chosen, false};
    action_ask(drawing->actions, card_waste(&view, all, &waste));
}
