/* The instructions or the warps of a launch, sorted by what they waste. Where room is short, columns are left out; the
 * mouse over a row says all of it. */
#include "base/lines.h"
#include "report/explain.h"
#include "view/overview/overview.h"
#include <math.h>
#include <string.h>

/* A row of either list, as it is drawn. */
struct row {
    const char *place, *access; /* place: "27", or "block 3, warp 1" */
    const char *code;           /* the line of the source; "": unknown */
    const struct outlier_cost *cost;
    const char *instead;   /* in place of the waste: of a branch; NULL: the waste */
    const char *beyond;    /* bytes of the waste that go beyond the L1; "": not known, or no sectors */
    double share;          /* of all waste in the list */
    double length, filled; /* of its bar: against the most wasteful row; and of what goes beyond the L1 */
    bool reachable;
};

size_t waste_count(const struct waste_view *waste)
{
    return waste->list == WASTE_SITES ? waste->outliers->site_count : waste->outliers->warp_count;
}

size_t waste_event(const struct waste_view *waste, size_t row)
{
    if (row >= waste_count(waste))
        return SIZE_MAX;
    return waste->list == WASTE_SITES ? waste->outliers->sites[row].event : waste->outliers->warps[row].event;
}

static const struct outlier_cost *cost_of(const struct waste_view *waste, size_t row)
{
    return waste->list == WASTE_SITES ? &waste->outliers->sites[row].cost : &waste->outliers->warps[row].cost;
}

static uint64_t most_wasted(const struct waste_view *waste)
{
    uint64_t most = 0;
    for (size_t i = 0; i < waste_count(waste); i++)
        most = cost_of(waste, i)->wasted > most ? cost_of(waste, i)->wasted : most;
    return most;
}

/* Returns whether the list says what of the waste goes beyond the L1. */
static bool tells_beyond(const struct waste_view *waste)
{
    return waste->list == WASTE_SITES && waste->outliers->cached;
}

static const char *access_words(struct arena *arena, const struct outlier_site *row)
{
    const struct trace_site *site = row->site;
    const char *operation = trace_operation_word(site->operation);
    if (site->operation == TRACE_BRANCH)
        return _("branch");
    const char *words = arena_format(arena, "%s.%s %u B", operation, ptx_space_name(row->space), (unsigned)site->bytes);
    return row->copies > 1 ? arena_format(arena, "%s ×%u", words, row->copies) : words;
}

static struct row row_of(struct view *view, const struct waste_view *waste, size_t index)
{
    struct arena *arena = view->arena;
    const struct outliers *outliers = waste->outliers;
    struct row row = {.access = "", .code = "", .beyond = "", .reachable = waste_event(waste, index) != SIZE_MAX};
    uint64_t all = outliers->warps_wasted;
    if (waste->list == WASTE_SITES) {
        const struct outlier_site *site = &outliers->sites[index];
        const char *line = site->site->line ? arena_format(arena, "%u", site->site->line) : "?";
        row.place =
            site->site->column && site->site->line ? arena_format(arena, "%s:%u", line, site->site->column) : line;
        row.access = access_words(arena, site);
        row.code = line_words(arena, outliers->trace->source, site->site->line);
        row.cost = &site->cost;
        if (site->site->operation == TRACE_BRANCH)
            row.instead = arena_format(arena, _("diverges %s {time|times}"), words_count(arena, site->divergent));
        all = outliers->sites_wasted;
    } else {
        const struct outlier_warp *warp = &outliers->warps[index];
        row.place = arena_format(arena, _("block %llu, warp %u"), (unsigned long long)warp->block, warp->warp);
        row.cost = &warp->cost;
    }
    uint64_t const most = most_wasted(waste);
    row.share = all ? (double)row.cost->wasted / (double)all : 0;
    row.length = most ? (double)row.cost->wasted / (double)most : 0;
    row.filled = most ? (double)row.cost->beyond / (double)most : 0;
    if (tells_beyond(waste) && row.cost->sectors)
        row.beyond = words_count(arena, row.cost->beyond);
    return row;
}

enum { COUNTS = 5, GAP = 30 };
static const char *const count_heads[COUNTS] = {N_("Executed"), N_("Sectors"), N_("(least)"), N_("Passes"),
                                                N_("(least)")};

/* The columns, as far as there is room for them, in pixels; 0: left out. */
struct columns_of {
    float place, access, count[COUNTS], waste, code;
};

static bool any_count(const struct columns_of *columns)
{
    bool any = false;
    for (int i = 0; i < COUNTS; i++)
        any = any || columns->count[i] > 0;
    return any;
}

/* Returns a count of a row, or 0 where the row has none of this kind. */
static uint64_t count_of(const struct outlier_cost *cost, int column)
{
    uint64_t const counts[COUNTS] = {cost->requests, cost->sectors, cost->sectors_ideal, cost->passes,
                                     cost->passes_ideal};
    return counts[column];
}

/* Returns the width of a column of counts, or 0 if no row has one. */
static float count_width(const struct view *view, const struct waste_view *waste, int column)
{
    struct ui *ui = view->ui;
    float const size = text_caption(ui), head = ui_text_width(ui, FONT_BOLD, size, _(count_heads[column]));
    uint64_t most = 0;
    for (size_t i = 0; i < waste_count(waste); i++)
        most = count_of(cost_of(waste, i), column) > most ? count_of(cost_of(waste, i), column) : most;
    float const number = ui_text_width(ui, FONT_TEXT, size, words_count(view->arena, most));
    return most ? fmaxf(head, number) + 24 * ui->unit : 0;
}

/* Returns the words of a waste: its bytes, its share of all, and what of it goes beyond the L1. */
static const char *waste_words(struct arena *arena, uint64_t wasted, const char *share, const char *beyond)
{
    const char *words = arena_format(arena, "%s B · %s", words_count(arena, wasted), share);
    if (!*beyond)
        return words;
    return strcmp(beyond, "0") == 0 ? arena_format(arena, _("%s · nothing beyond the L1"), words)
                                    : arena_format(arena, _("%s · beyond the L1 %s B"), words, beyond);
}

static float waste_width(const struct view *view, const struct waste_view *waste)
{
    struct ui *ui = view->ui;
    struct arena *arena = view->arena;
    const char *most = waste_words(arena, most_wasted(waste), "100 %", "");
    float width = fmaxf(182 * ui->unit, ui_text_width(ui, FONT_TEXT, text_caption(ui), most));
    for (size_t i = 0; i < waste_count(waste) && tells_beyond(waste); i++) {
        const struct outlier_cost *cost = cost_of(waste, i);
        const char *beyond = cost->sectors ? words_count(arena, cost->beyond) : "";
        const char *words = waste_words(arena, cost->wasted, "100 %", beyond);
        width = fmaxf(width, ui_text_width(ui, FONT_TEXT, text_caption(ui), words));
    }
    return width + 18 * ui->unit;
}

static struct columns_of columns_of(const struct view *view, const struct waste_view *waste, float width)
{
    static const int by_need[COUNTS] = {1, 3, 0, 2, 4};
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui), gap = 18 * u;
    bool const sites = waste->list == WASTE_SITES;
    const char *place = sites ? "8888:88" : arena_format(view->arena, _("block %llu, warp %u"), 88888ULL, 31u);
    struct columns_of columns = {.place = ui_text_width(ui, FONT_BOLD, size, place) + gap,
                                 .waste = fminf(waste_width(view, waste), width * 0.45f)};
    float room = width - columns.place - columns.waste;
    float const access = ui_text_width(ui, FONT_CODE, size, "atom.shared 16 B ×88") + gap;
    if (sites && room >= access)
        columns.access = access;
    room -= columns.access + GAP * u;
    for (int k = 0; k < COUNTS; k++) {
        float const count = count_width(view, waste, by_need[k]);
        if (room < count)
            break;
        columns.count[by_need[k]] = count;
        room -= count;
    }
    if (!any_count(&columns))
        room += GAP * u;
    if (sites && room >= 150 * u)
        columns.code = room;
    else
        columns.waste += fmaxf(0, fminf(room, 260 * u));
    return columns;
}

static void draw_head(struct view *view, struct rect line, const struct waste_view *waste,
                      const struct columns_of *columns)
{
    struct ui *ui = view->ui;
    float const size = text_caption(ui), u = ui->unit;
    struct color const dim = ui_color(ui, COLOR_TEXT_DIM);
    ui_label(ui, rect_cut_left(&line, columns->place), FONT_BOLD, size, UI_LEFT, dim,
             waste->list == WASTE_SITES ? _("Line") : _("Warp"));
    if (columns->access > 0)
        ui_label(ui, rect_cut_left(&line, columns->access), FONT_BOLD, size, UI_LEFT, dim, _("Access"));
    for (int i = 0; i < COUNTS; i++)
        if (columns->count[i] > 0)
            ui_label(ui, rect_cut_left(&line, columns->count[i]), FONT_BOLD, size, UI_RIGHT, dim, _(count_heads[i]));
    if (any_count(columns))
        rect_cut_left(&line, GAP * u);
    ui_label(ui, rect_cut_left(&line, columns->waste - 18 * u), FONT_BOLD, size, UI_LEFT, dim, _("Wasted"));
    if (columns->code > 0) {
        rect_cut_left(&line, 18 * u);
        ui_label(ui, line, FONT_BOLD, size, UI_LEFT, dim, _("Code"));
    }
}

static const char *share_words(struct arena *arena, const struct row *row)
{
    return arena_format(arena, row->share > 0 && row->share < 0.01 ? "%.1f %%" : "%.0f %%", 100 * row->share);
}

/* Returns all that is known of a row, for the mouse. */
static const char *row_words(struct view *view, const struct waste_view *waste, const struct row *row)
{
    struct arena *arena = view->arena;
    const struct outlier_cost *cost = row->cost;
    const char *words = waste->list == WASTE_SITES ? arena_format(arena, _("line %s"), row->place) : row->place;
    if (*row->access)
        words = arena_format(arena, "%s, %s", words, row->access);
    words = arena_format(arena, _("%s: executed %s {time|times} by a warp"), words, words_count(arena, cost->requests));
    if (cost->sectors)
        words = arena_format(arena, _("%s; sectors %s (at least %s)"), words, words_count(arena, cost->sectors),
                             words_count(arena, cost->sectors_ideal));
    if (cost->passes)
        words = arena_format(arena, _("%s; passes %s (at least %s)"), words, words_count(arena, cost->passes),
                             words_count(arena, cost->passes_ideal));
    if (row->instead)
        words = arena_format(arena, "%s; %s", words, row->instead);
    else if (cost->wasted)
        words = arena_format(arena, _("%s; wasted %s {byte|bytes}, %s of all"), words, words_count(arena, cost->wasted),
                             share_words(arena, row));
    if (cost->wasted && *row->beyond)
        words = arena_format(arena, "%s%s", words, report_explain_beyond(arena, cost->beyond));
    return arena_format(arena, "%s · %s", words,
                        row->reachable ? _("click: to its most wasteful access") : _("not in a recorded block"));
}

/* Draws the waste: its bytes, and a bar of it. */
static void draw_waste(struct view *view, struct rect box, const struct row *row)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    const char *text = row->instead ? row->instead
                       : row->cost->wasted
                           ? waste_words(view->arena, row->cost->wasted, share_words(view->arena, row), row->beyond)
                           : _("nothing");
    if (row->cost->wasted) {
        struct rect bar = rect_cut_bottom(&box, 7 * u);
        float const whole = bar.w;
        bar.h = 5 * u;
        draw_fill(&ui->draw, bar, 2 * u, ui_color(ui, COLOR_EDGE));
        bar.w = fmaxf(2 * u, whole * (float)row->length);
        if (row->cost->beyond < row->cost->wasted)
            draw_outline(&ui->draw, bar, 2 * u, fmaxf(1, u), ui_color(ui, COLOR_CONFLICT));
        bar.w = fmaxf(2 * u, whole * (float)row->filled);
        if (row->cost->beyond)
            draw_fill(&ui->draw, bar, 2 * u, ui_color(ui, COLOR_CONFLICT));
    }
    ui_label(ui, box, FONT_TEXT, size, UI_LEFT,
             ui_color(ui, row->cost->wasted || row->instead ? COLOR_TEXT : COLOR_TEXT_DIM), text);
}

static struct action draw_row(struct view *view, struct rect line, const struct waste_view *waste, size_t index,
                              const struct columns_of *columns)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    struct row const row = row_of(view, waste, index);
    ui_id const id = ui_id_child(ui_id_text("waste"), (uint32_t)index);
    bool const hot = ui_hovered(ui, line) && row.reachable;
    bool const chosen = !waste->brief && index == waste->chosen;
    if (hot || chosen)
        draw_fill(&ui->draw, line, 4 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    if (chosen)
        draw_outline(&ui->draw, line, 4 * u, fmaxf(1, 1.5f * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, id, line, 4 * u);
    ui_tip(ui, line, "%s", row_words(view, waste, &row));
    bool const clicked = ui_area(ui, id, line);
    line = rect_inset(line, 8 * u, 3 * u);
    struct color const text = ui_color(ui, COLOR_TEXT);
    ui_label(ui, rect_cut_left(&line, columns->place), FONT_BOLD, size, UI_LEFT, text, row.place);
    if (columns->access > 0)
        ui_label(ui, rect_cut_left(&line, columns->access), FONT_CODE, size, UI_LEFT, text, row.access);
    for (int i = 0; i < COUNTS; i++) {
        if (columns->count[i] <= 0)
            continue;
        bool const known = i == 0 || (i < 3 ? row.cost->sectors : row.cost->passes) > 0;
        ui_label(ui, rect_cut_left(&line, columns->count[i]), FONT_TEXT, size, UI_RIGHT, text,
                 known ? words_count(view->arena, count_of(row.cost, i)) : "");
    }
    if (any_count(columns))
        rect_cut_left(&line, GAP * u);
    draw_waste(view, rect_cut_left(&line, columns->waste - 18 * u), &row);
    if (columns->code > 0) {
        rect_cut_left(&line, 18 * u);
        ui_label(ui, line, FONT_CODE, size, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), row.code);
    }
    return clicked && row.reachable ? (struct action){.kind = ACTION_GO_EVENT, .position = waste_event(waste, index)}
                                    : NO_ACTION;
}

/* Returns the sentence above the list. */
static const char *summary(struct view *view, const struct waste_view *waste)
{
    struct arena *arena = view->arena;
    const struct outliers *outliers = waste->outliers;
    size_t const count = waste_count(waste);
    bool const sites = waste->list == WASTE_SITES;
    uint64_t const all = sites ? outliers->sites_wasted : outliers->warps_wasted;
    if (!count)
        return sites ? _("No instruction has accessed memory or diverged.") : _("No warp has accessed memory.");
    if (!all)
        return arena_format(arena, _("Nothing is wasted %s: every access takes the fewest sectors and passes."),
                            waste->scope);
    if (sites) {
        const char *words =
            arena_format(arena, _("Wasted %s: %s {byte|bytes}."), waste->scope, words_count(arena, all));
        if (!outliers->cached || outliers->sites_beyond == all)
            return words;
        return outliers->sites_beyond ? arena_format(arena, _("%s The L1 holds %s of them."), words,
                                                     words_count(arena, all - outliers->sites_beyond))
                                      : arena_format(arena, _("%s The L1 holds all of them."), words);
    }
    const char *even = outliers->warps[0].cost.wasted == outliers->warps[count - 1].cost.wasted
                           ? _("All warps waste the same.")
                           : arena_format(arena, _("Most: %s {byte|bytes}; the warp in the middle: %s; least: %s."),
                                          words_count(arena, outliers->warps[0].cost.wasted),
                                          words_count(arena, outliers->warps[count / 2].cost.wasted),
                                          words_count(arena, outliers->warps[count - 1].cost.wasted));
    return arena_format(arena, _("Wasted by %s {warp|warps} %s: %s {byte|bytes}. %s"), words_count(arena, count),
                        waste->scope, words_count(arena, all), count > 1 ? even : "");
}

static void draw_summary(struct view *view, struct rect *box, const struct waste_view *waste)
{
    struct ui *ui = view->ui;
    float const size = text_caption(ui);
    struct ui_span const words[] = {{summary(view, waste), FONT_TEXT, COLOR_TEXT},
                                    {" ", FONT_TEXT, COLOR_TEXT},
                                    {_("Counted are, of each access alone, 32 bytes for each sector above the least, "
                                       "and 128 for each pass above it."),
                                     FONT_TEXT, COLOR_TEXT_DIM},
                                    {" ", FONT_TEXT, COLOR_TEXT},
                                    {report_explain_order(), FONT_TEXT, COLOR_TEXT_DIM}};
    size_t const spans = tells_beyond(waste) ? 5 : 3;
    float const height = ui_paragraph_height(ui, box->w, size, words, spans);
    ui_paragraph(ui, rect_cut_top(box, height + 6 * ui->unit), size, words, spans, false);
}

/* Returns how many rows of this height have room, at least one. */
static size_t rows_in(float room, float height)
{
    size_t const rows = (size_t)fmaxf(0, floorf(room / height));
    return rows ? rows : 1;
}

struct action card_waste(struct view *view, struct rect box, const struct waste_view *waste)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui), height = 36 * u;
    struct action action = NO_ACTION;
    size_t const count = waste_count(waste);
    draw_summary(view, &box, waste);
    if (!count)
        return action;
    struct columns_of const columns = columns_of(view, waste, box.w - 16 * u);
    draw_head(view, rect_inset(rect_cut_top(&box, 28 * u), 8 * u, 0), waste, &columns);
    size_t lines = rows_in(box.h, height);
    if (lines < count)
        lines = rows_in(box.h - 44 * u, height);
    if (lines < count && waste->brief)
        ui_label(ui, rect_cut_bottom(&box, 40 * u), FONT_TEXT, size, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, _("The next tab lists %zu more."), count - lines));
    size_t const pages = (count + lines - 1) / lines,
                 chosen = waste->chosen < count && !waste->brief ? waste->chosen : 0;
    size_t const page = chosen / lines;
    if (pages > 1 && !waste->brief)
        action = view_turn_page(view, rect_cut_bottom(&box, 40 * u), page, pages, lines, ACTION_OVERVIEW_ROW);
    for (size_t i = page * lines; i < count && i < (page + 1) * lines; i++) {
        struct action const wanted = draw_row(view, rect_cut_top(&box, height), waste, i, &columns);
        action = wanted.kind != ACTION_NONE ? wanted : action;
    }
    return action;
}
