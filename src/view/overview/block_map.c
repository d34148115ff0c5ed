/* The map of a block: a row for each warp along the clock, in the colour of what the warp waits for. Where spans are
 * shorter than a mark, the mark has the kind that takes most of its time. */
#include "view/overview/overview.h"
#include <math.h>

static uint64_t time_of(const struct view_clock *axis, float x)
{
    double const part = fmin(1, fmax(0, (double)(x - axis->track.x) / fmax(1, (double)axis->track.w)));
    return axis->first + (uint64_t)(part * (double)(axis->last - axis->first));
}

/* Draws a span: its height and its hatch tell the kinds apart without their colours. */
static void draw_span(struct view *view, struct rect row, enum span_kind kind)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct color const background = ui_color(ui, COLOR_BACKGROUND), grey = ui_color(ui, COLOR_IDLE);
    struct rect const low = rect_inset(row, 0, row.h * 0.27f), high = rect_inset(row, 0, row.h * 0.1f);
    switch (kind) {
    case SPAN_RUNS:
        draw_fill(&ui->draw, high, 0, ui_color(ui, COLOR_BROADCAST));
        break;
    case SPAN_MEMORY:
        draw_fill(&ui->draw, low, 0, color_mix(ui_color(ui, COLOR_ACCESS), background, 0.35f));
        break;
    case SPAN_PIPE:
        draw_fill(&ui->draw, low, 0, ui_color(ui, COLOR_CONFLICT_SOFT));
        draw_hatch(&ui->draw, low, 5 * u, 2 * u, ui_color(ui, COLOR_CONFLICT));
        break;
    case SPAN_BARRIER:
        draw_hatch(&ui->draw, low, 6 * u, 1.5f * u, grey);
        draw_outline(&ui->draw, low, 0, hairline(ui), grey);
        break;
    case SPAN_KINDS:
        break;
    }
}

/* Draws a warp's spans in marks of equal width; neighbours of one kind are one rectangle. */
static void draw_spans(struct view *view, const struct view_clock *axis, struct rect row, const struct spans *spans,
                       uint32_t warp)
{
    float const least = 2 * hairline(view->ui);
    int const marks = (int)fmaxf(1, floorf(axis->track.w / least));
    double const cycles = fmax(1, (double)(axis->last - axis->first)) / marks;
    float const width = axis->track.w / (float)marks;
    uint32_t at = spans->starts[warp];
    int begun = 0;
    enum span_kind open = SPAN_KINDS;
    for (int mark = 0; mark <= marks; mark++) {
        double const from = (double)axis->first + cycles * mark, until = from + cycles;
        double most = 0;
        enum span_kind kind = SPAN_KINDS;
        double shares[SPAN_KINDS] = {0};
        while (at < spans->starts[warp + 1] && (double)spans->items[at].until <= from)
            at++;
        for (uint32_t i = at; mark < marks && i < spans->starts[warp + 1] && (double)spans->items[i].from < until;
             i++) {
            const struct span *span = &spans->items[i];
            shares[span->kind] += fmin((double)span->until, until) - fmax((double)span->from, from);
            if (shares[span->kind] > most) {
                most = shares[span->kind];
                kind = span->kind;
            }
        }
        if (kind == open && mark < marks)
            continue;
        if (open != SPAN_KINDS)
            draw_span(view, (struct rect){row.x + width * (float)begun, row.y, width * (float)(mark - begun), row.h},
                      open);
        begun = mark;
        open = kind;
    }
}

/* Returns the warp's span at a time, or the nearest one. NULL: the warp has none. */
static const struct span *span_at(const struct spans *spans, uint32_t warp, uint64_t time)
{
    const struct span *found = NULL;
    for (uint32_t i = spans->starts[warp]; i < spans->starts[warp + 1]; i++)
        if (!found || spans->items[i].from <= time)
            found = &spans->items[i];
    return found;
}

static const char *kind_words(const struct view *view, enum span_kind kind)
{
    bool const gpu = view->scene->trace->clock == TRACE_CLOCK_GPU;
    switch (kind) {
    case SPAN_RUNS:
        return _("runs or is ready");
    case SPAN_MEMORY:
        return gpu ? _("after an access, until its next event") : _("waits for memory");
    case SPAN_PIPE:
        return _("waits for the pipe to memory");
    case SPAN_BARRIER:
        return _("waits at the barrier");
    case SPAN_KINDS:
        break;
    }
    return "";
}

/* Returns a share in whole percent, or with one digit below one percent. */
static const char *percent(struct arena *arena, uint64_t part, uint64_t whole)
{
    double const share = whole ? 100.0 * (double)part / (double)whole : 0;
    return arena_format(arena, share > 0 && share < 1 ? "%.1f %%" : "%.0f %%", share);
}

static uint64_t sum_of(const uint64_t cycles[SPAN_KINDS])
{
    uint64_t sum = 0;
    for (int kind = 0; kind < SPAN_KINDS; kind++)
        sum += cycles[kind];
    return sum;
}

static const char *warp_words(struct view *view, const struct spans *spans, uint32_t warp)
{
    uint64_t const all = sum_of(spans->cycles[warp]);
    const char *words = arena_format(view->arena, _("warp %u"), warp);
    for (enum span_kind kind = 0; kind < SPAN_KINDS; kind++)
        if (spans->cycles[warp][kind])
            words = arena_format(view->arena, "%s · %s %s", words, kind_words(view, kind),
                                 percent(view->arena, spans->cycles[warp][kind], all));
    return words;
}

/* Draws a warp's row, and returns the click's event. */
static struct action draw_row(struct view *view, const struct view_clock *axis, struct rect row,
                              const struct block_beside *of, uint32_t warp)
{
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    const struct spans *spans = of->spans;
    bool const here = of->block == scene->block;
    struct action action = NO_ACTION;
    if (here && scene->event && warp == scene->warp)
        draw_fill(&ui->draw, row, 2 * ui->unit, ui_color(ui, COLOR_ACCESS_SOFT));
    draw_line(&ui->draw, (struct point){row.x, row.y + row.h / 2}, (struct point){row.x + row.w, row.y + row.h / 2},
              hairline(ui), ui_color(ui, COLOR_EDGE));
    draw_spans(view, axis, row, spans, warp);
    ui_id const id = here ? ui_id_text("map") : ui_id_child(ui_id_text("map of block"), (uint32_t)of->block);
    bool const clicked = ui_area(ui, ui_id_child(id, warp), row);
    if (!clicked && !ui_hovered(ui, row))
        return action;
    const struct span *span = span_at(spans, warp, time_of(axis, ui->input.mouse.x));
    if (!span)
        return action;
    ui_tip(ui, row, "%s · %s: %s",
           here ? view_event_words(view->arena, scene->playback, span->position)
                : arena_format(view->arena, _("block %llu, warp %u"), (unsigned long long)of->block, warp),
           kind_words(view, span->kind),
           arena_format(view->arena, _("%s {cycle|cycles}"), words_count(view->arena, span->until - span->from)));
    if (clicked)
        action = (struct action){.kind = ACTION_GO_EVENT, .position = of->timeline->events[span->position]};
    return action;
}

/* Draws the kinds that occur, each with its share, from left to right in as many lines as they need. Returns the
 * height. */
static float draw_kinds(struct view *view, struct rect box, const struct spans *spans, bool measure)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, line = 26 * u, sign = 26 * u, gap = 8 * u;
    uint64_t const all = sum_of(spans->all);
    struct point at = {box.x, box.y};
    for (enum span_kind kind = 0; kind < SPAN_KINDS; kind++) {
        if (!spans->all[kind])
            continue;
        const char *words =
            arena_format(view->arena, "%s %s", kind_words(view, kind), percent(view->arena, spans->all[kind], all));
        float const width = ui_text_width(ui, FONT_TEXT, text_caption(ui), words) + 2;
        if (at.x > box.x && at.x + sign + gap + width > box.x + box.w)
            at = (struct point){box.x, at.y + line};
        if (!measure) {
            draw_span(view, rect_inset((struct rect){at.x, at.y, sign, line}, 0, 2 * u), kind);
            ui_label(ui, (struct rect){at.x + sign + gap, at.y, fminf(width, box.w - sign - gap), line}, FONT_TEXT,
                     text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), words);
        }
        at.x += sign + gap + width + 22 * u;
    }
    return at.y + line - box.y;
}

/* Returns 1, 2 or 5 times a power of ten, at least `least`. */
static uint64_t round_step(double least)
{
    double power = 1;
    while (power * 10 <= least)
        power *= 10;
    double const times = least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10;
    return (uint64_t)(times * power);
}

/* Draws the clock's numbers below the rows. */
static void draw_scale(struct view *view, const struct view_clock *axis, float y, float height)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    const char *unit = _("cycles");
    float const unit_w = ui_text_width(ui, FONT_TEXT, size, unit) + 12 * u;
    float const widest = ui_text_width(ui, FONT_TEXT, size, words_count(view->arena, axis->last)) + 24 * u;
    double const length = (double)(axis->last - axis->first);
    uint64_t const step = round_step(fmax(1, length * (double)widest / fmax(1, (double)axis->track.w)));
    uint64_t const least = axis->first + (axis->first % step ? step - axis->first % step : 0);
    for (uint64_t time = least; time <= axis->last && time >= axis->first; time += step) {
        float const x = view_clock_place(axis, time);
        struct rect const label = {x - widest / 2, y + 6 * u, widest, height - 6 * u};
        draw_line(&ui->draw, (struct point){x, y}, (struct point){x, y + 6 * u}, hairline(ui),
                  ui_color(ui, COLOR_IDLE));
        if (label.x >= axis->track.x - widest / 2 && label.x + label.w + unit_w <= axis->track.x + axis->track.w)
            ui_label(ui, label, FONT_TEXT, size, UI_CENTER, ui_color(ui, COLOR_TEXT_DIM),
                     words_count(view->arena, time));
    }
    ui_label(ui, (struct rect){axis->track.x + axis->track.w - unit_w, y + 6 * u, unit_w, height - 6 * u}, FONT_TEXT,
             size, UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM), unit);
}

static const char *head_words(struct view *view, const struct block_map *map)
{
    struct arena *arena = view->arena;
    const struct spans *spans = map->spans;
    bool const gpu = view->scene->trace->clock == TRACE_CLOCK_GPU;
    const char *length = words_count(arena, spans->last - spans->first);
    const char *words = gpu ? arena_format(arena, _("the GPU's own clock: %s {cycle|cycles}"), length)
                            : arena_format(arena, _("%s, not measured: %s {cycle|cycles}"), map->clock, length);
    if (map->cycles.all)
        words =
            arena_format(arena, _("%s; in %s of them every warp waits"), words, words_count(arena, map->cycles.idle));
    return words;
}

/* Draws the head: the block and the way to its neighbours. said: the sentence about it, for the mouse. */
static struct action draw_head(struct view *view, struct rect box, const struct block_map *map, const char *said)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct action action = NO_ACTION;
    uint64_t const block = view->scene->block;
    struct rect line = {box.x, box.y, box.w, 30 * u};
    const char *name = arena_format(view->arena, _("Block %llu"), (unsigned long long)block);
    float const width = ui_text_width(ui, FONT_BOLD, text_body(ui), name) + 4 * u;
    struct rect const title = rect_cut_left(&line, width);
    ui_label(ui, title, FONT_BOLD, text_body(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), name);
    ui_tip(ui, title, "%s", said);
    if (map->first_block >= map->last_block)
        return action;
    rect_cut_left(&line, 8 * u);
    struct rect const back = rect_cut_left(&line, 30 * u), on = rect_cut_left(&line, 30 * u);
    const struct {
        struct rect box;
        const char *id, *sign, *tip;
        int step;
        bool there;
    } arrows[] = {{back, "map block back", "‹", _("the previous block (Shift + N)"), -1, block > map->first_block},
                  {on, "map block on", "›", _("the next block (N)"), 1, block < map->last_block}};
    for (int i = 0; i < 2; i++) {
        ui_label(ui, arrows[i].box, FONT_BOLD, text_body(ui), UI_CENTER,
                 ui_color(ui, arrows[i].there ? COLOR_ACCESS : COLOR_TEXT_DIM), arrows[i].sign);
        ui_tip(ui, arrows[i].box, "%s", arrows[i].tip);
        ui_focusable(ui, ui_id_text(arrows[i].id), arrows[i].box, 4 * u);
        if (ui_area(ui, ui_id_text(arrows[i].id), arrows[i].box) && arrows[i].there)
            action = (struct action){.kind = ACTION_STEP_BLOCK, .value = arrows[i].step};
    }
    return action;
}

/* The part of the map that has the rows: those of the block on screen, and of as many others as have room. */
struct rows {
    const struct block_beside *blocks;
    size_t first, count;
    uint32_t warps;    /* of all of them */
    uint64_t length;   /* of the longest, in cycles */
    float height, gap; /* of a row; between two blocks */
};

/* Takes blocks in turn behind and before the one on screen, while every row keeps a height at which it can be read. */
static struct rows choose_rows(const struct view *view, const struct block_map *map, float room)
{
    float const u = view->ui->unit, least = 26 * u;
    struct rows rows = {.blocks = map->blocks, .count = 1, .warps = map->spans->warp_count, .gap = 8 * u};
    while (rows.first + 1 < map->block_count && map->blocks[rows.first].block != view->scene->block)
        rows.first++;
    for (bool grown = true; grown;) {
        grown = false;
        for (int side = 0; side < 2; side++) {
            size_t const next = side ? rows.first - 1 : rows.first + rows.count;
            if (side ? rows.first == 0 : next >= map->block_count)
                continue;
            uint32_t const warps = rows.warps + map->blocks[next].spans->warp_count;
            if (least * (float)warps + rows.gap * (float)rows.count > room)
                continue;
            rows.first -= (size_t)side;
            rows.count++;
            rows.warps = warps;
            grown = true;
        }
    }
    for (size_t i = rows.first; i < rows.first + rows.count; i++) {
        const struct spans *spans = map->blocks[i].spans;
        rows.length = spans->last - spans->first > rows.length ? spans->last - spans->first : rows.length;
    }
    /* Few rows are high, but leave room for the list below them. */
    float const most = fminf(120 * u, fmaxf(44 * u, 0.4f * room / (float)rows.warps));
    float const free = room - rows.gap * (float)(rows.count - 1);
    rows.height = fminf(most, fmaxf(1, free) / (float)rows.warps);
    return rows;
}

/* Draws what stands beside a warp's row: its name, and how long it waits. */
static void draw_row_words(struct view *view, struct rect name, struct rect share, const struct block_beside *of,
                           uint32_t warp, bool several)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, middle = name.y + name.h / 2 - 12 * u;
    const struct scene *scene = view->scene;
    const struct spans *spans = of->spans;
    uint64_t const all = sum_of(spans->cycles[warp]);
    bool const strong = scene->event && of->block == scene->block && warp == scene->warp;
    const char *words = several
                            ? arena_format(view->arena, _("block %llu, warp %u"), (unsigned long long)of->block, warp)
                            : arena_format(view->arena, _("warp %u"), warp);
    ui_label(ui, (struct rect){name.x, middle, name.w - 8 * u, 24 * u}, strong ? FONT_BOLD : FONT_TEXT,
             text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), words);
    if (all && scene->trace->clock == TRACE_CLOCK_MODEL) /* a GPU's clock does not tell */
        ui_label(
            ui, (struct rect){share.x, middle, share.w, 24 * u}, FONT_TEXT, text_caption(ui), UI_RIGHT,
            ui_color(ui, COLOR_TEXT_DIM),
            arena_format(view->arena, _("waits %s"), percent(view->arena, all - spans->cycles[warp][SPAN_RUNS], all)));
}

/* Draws the rows of one block and, in the block on screen, the access. */
static struct action draw_block(struct view *view, struct rect box, const struct rows *rows, size_t index, float gutter,
                                float share_w)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    const struct scene *scene = view->scene;
    const struct block_beside *of = &rows->blocks[index];
    struct action action = NO_ACTION;
    struct rect labels = rect_cut_left(&box, gutter), waits = rect_cut_right(&box, share_w);
    struct view_clock const axis = {box, of->spans->first, of->spans->first + rows->length};
    uint32_t const every = (uint32_t)fmaxf(1, ceilf(20 * u / rows->height));
    for (uint32_t warp = 0; warp < of->spans->warp_count; warp++) {
        float const y = box.y + rows->height * (float)warp;
        struct rect const name = {labels.x, y, labels.w, rows->height}, share = {waits.x, y, waits.w, rows->height};
        struct action const wanted = draw_row(view, &axis, (struct rect){box.x, y, box.w, rows->height}, of, warp);
        action = wanted.kind != ACTION_NONE ? wanted : action;
        ui_tip(ui, name, "%s", warp_words(view, of->spans, warp));
        ui_tip(ui, share, "%s", warp_words(view, of->spans, warp));
        if (warp % every == 0)
            draw_row_words(view, name, share, of, warp, rows->count > 1);
    }
    if (scene->event && of->block == scene->block)
        view_clock_now(view, &axis, box.y, box.h);
    return action;
}

/* Draws the rows and the clock below them, and takes their room from the box. */
static struct action draw_rows(struct view *view, struct rect *box, const struct rows *rows)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui), scale = 30 * u;
    struct action action = NO_ACTION;
    bool const several = rows->count > 1;
    uint64_t const last = rows->blocks[rows->first + rows->count - 1].block;
    float const gutter = 12 * u + ui_text_width(ui, FONT_BOLD, size,
                                                several ? arena_format(view->arena, _("block %llu, warp %u"),
                                                                       (unsigned long long)last, 88u)
                                                        : arena_format(view->arena, _("warp %u"), 88u));
    float const share_w = ui_text_width(ui, FONT_TEXT, size, arena_format(view->arena, _("waits %s"), "99 %")) + 16 * u;
    for (size_t i = rows->first; i < rows->first + rows->count; i++) {
        struct rect const block = rect_cut_top(box, rows->height * (float)rows->blocks[i].spans->warp_count);
        struct action const wanted = draw_block(view, block, rows, i, gutter, share_w);
        action = wanted.kind != ACTION_NONE ? wanted : action;
        if (i + 1 < rows->first + rows->count)
            rect_cut_top(box, rows->gap);
    }
    struct rect track = rect_cut_top(box, scale);
    rect_cut_left(&track, gutter);
    rect_cut_right(&track, share_w);
    uint64_t const first = several ? 0 : rows->blocks[rows->first].spans->first;
    draw_scale(view, &(struct view_clock){track, first, first + rows->length}, track.y, scale);
    return action;
}

struct action card_block_map(struct view *view, struct rect box, const struct block_map *map)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui), scale = 30 * u;
    const struct spans *spans = map->spans;
    struct ui_span const said = {head_words(view, map), FONT_TEXT, COLOR_TEXT_DIM},
                         recorded = {map->recorded, FONT_TEXT, COLOR_TEXT_DIM};
    struct action action = draw_head(view, rect_cut_top(&box, 30 * u), map, said.text);
    float const said_h = ui_paragraph_height(ui, box.w, size, &said, 1);
    float const kinds_h = draw_kinds(view, box, spans, true);
    float const least = 5 * u * (float)spans->warp_count; /* below it, the rows are too thin to click on */
    if (box.h - said_h - kinds_h - scale > least)
        ui_paragraph(ui, rect_cut_top(&box, said_h + 4 * u), size, &said, 1, false);
    draw_kinds(view, rect_cut_top(&box, kinds_h + 8 * u), spans, false);
    if (!spans->warp_count || spans->last <= spans->first)
        return action;
    float const recorded_h = ui_paragraph_height(ui, box.w, size, &recorded, 1) + 8 * u;
    bool const says = box.h - recorded_h - scale > 3 * least;
    struct rows const rows = choose_rows(view, map, box.h - scale - (says ? recorded_h : 0));
    struct action wanted = draw_rows(view, &box, &rows);
    action = wanted.kind != ACTION_NONE ? wanted : action;
    if (says)
        ui_paragraph(ui, rect_cut_top(&box, recorded_h), size, &recorded, 1, false);
    if (!map->waste || box.h < 220 * u)
        return action;
    rect_cut_top(&box, 20 * u);
    wanted = card_waste(view, box, map->waste);
    return wanted.kind != ACTION_NONE ? wanted : action;
}
