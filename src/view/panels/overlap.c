/* Copy and compute by warp on the model clock, time to the right: above, the data on their way from global memory, a
 * line for each buffer; below, whether the warp works or waits. */
#include "model/overlap.h"
#include "view/stage.h"
#include <math.h>

/* Heights in units. */
enum {
    CAPTION = 30,
    LEGEND = 28,
    AXIS = 26,
    ROW_LEAST = 26,
    ROW_WORK = 24,
    ROW_FLIGHT = 15,
    ROW_MOST = 96,
    ROWS_BEST = 8,
    LINES_MAX = 8 /* for buffers, or loads, of a warp; further ones share them */
};

struct picture {
    const struct overlap *overlap;
    struct rect area;      /* of the rows */
    float row;             /* height */
    uint32_t first, count; /* warps */
};

static float place_of(const struct picture *picture, uint64_t time)
{
    double const at = (double)time / fmax(1, (double)picture->overlap->last);
    return picture->area.x + picture->area.w * (float)fmin(1, at);
}

static uint32_t lines_of(const struct overlap *overlap)
{
    uint32_t const lines = overlap->buffers > overlap->lines ? overlap->buffers : overlap->lines;
    return lines < 1 ? 1 : lines < LINES_MAX ? lines : LINES_MAX;
}

/* A file shows it where copies are asynchronous: plain loads are seen in the turns. */
bool panel_overlap_in_file(const struct scene *scene)
{
    const struct overlap *overlap = playback_overlap(scene->playback);
    return overlap && overlap->buffers;
}

struct panel_size panel_overlap_size(const struct view *view)
{
    const struct overlap *overlap = playback_overlap(view->scene->playback);
    uint32_t const rows = view->scene->warp_count < ROWS_BEST ? view->scene->warp_count : ROWS_BEST;
    if (view->stage->fault || !rows)
        return NOT_SHOWN;
    if (view->stage->covered) /* below the sheet: the height tells nothing */
        return (struct panel_size){.least = 150, .best = 290};
    if (!overlap)
        return (struct panel_size){.least = 60, .best = 60, .steady = true};
    float const around = CAPTION + LEGEND + AXIS;
    return (struct panel_size){.low = around + ROW_LEAST * fminf((float)rows, 2),
                               .least = around + ROW_LEAST * fminf((float)rows, 4),
                               .best = around + (ROW_WORK + ROW_FLIGHT * (float)lines_of(overlap)) * (float)rows};
}

/* ---- spans ---- */

static void draw_state(struct view *view, struct rect box, enum overlap_state state)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    if (state == OVERLAP_WORKS) {
        draw_fill(&ui->draw, box, 0, view_color(view, COLOR_ACCESS));
        if (box.w > 6 * u)
            draw_line(&ui->draw, (struct point){box.x, box.y}, (struct point){box.x, box.y + box.h}, hairline(ui),
                      ui_color(ui, COLOR_BACKGROUND));
        return;
    }
    bool const barrier = state == OVERLAP_WAITS_AT_BARRIER;
    struct color const color = view_color(view, barrier ? COLOR_IDLE : COLOR_CONFLICT);
    draw_hatch(&ui->draw, box, (barrier ? 8 : 5) * u, fmaxf(1, 1.3f * u), color);
    draw_outline(&ui->draw, box, 0, hairline(ui), color);
}

static void draw_flight(struct view *view, struct rect box, bool load)
{
    struct ui *ui = view->ui;
    struct color const color = view_color(view, COLOR_BROADCAST);
    draw_fill(&ui->draw, box, 0, load ? color_mix(color, ui_color(ui, COLOR_BACKGROUND), 0.6f) : color);
    draw_outline(&ui->draw, box, 0, hairline(ui), load ? color : ui_color(ui, COLOR_BACKGROUND));
}

static const char *state_words(enum overlap_state state)
{
    switch (state) {
    case OVERLAP_WORKS:
        return _("warp %u works");
    case OVERLAP_WAITS_FOR_COPY:
        return _("warp %u waits for a copy");
    case OVERLAP_WAITS_FOR_LOAD:
        return _("warp %u waits for a load from global memory");
    default:
        return _("warp %u waits at the barrier");
    }
}

static void state_tip(struct view *view, struct rect box, const struct overlap_span *span, uint32_t warp)
{
    struct arena *arena = view->arena;
    if (!ui_hovered(view->ui, box))
        return;
    const char *what = arena_format(arena, state_words(span->state), warp);
    if (span->state == OVERLAP_WORKS && span->group != OVERLAP_NO_GROUP)
        what = arena_format(arena, _("warp %u works on copy %u, in buffer %u"), warp, span->group, span->buffer);
    ui_tip(view->ui, box, _("%s: cycles %s to %s of the model (%s)"), what, words_count(arena, span->from),
           words_count(arena, span->until), words_count(arena, span->until - span->from));
}

static void flight_tip(struct view *view, struct rect box, uint64_t from, uint64_t until, const char *what)
{
    struct arena *arena = view->arena;
    if (ui_hovered(view->ui, box))
        ui_tip(view->ui, box, _("%s: in flight from cycle %s to %s of the model (%s)"), what, words_count(arena, from),
               words_count(arena, until), words_count(arena, until - from));
}

/* Writes the number of a buffer into a span that has room for it. */
static void name_buffer(struct view *view, struct rect box, struct color color, uint32_t buffer)
{
    struct ui *ui = view->ui;
    float const size = fminf(text_caption(ui), box.h * 0.78f);
    if (box.w >= 14 * ui->unit && size >= 8 * ui->unit)
        ui_chip_label(ui, box, FONT_BOLD, size, color, arena_format(view->arena, "%u", buffer));
}

static struct rect span_box(const struct picture *picture, struct rect line, uint64_t from, uint64_t until)
{
    float const left = place_of(picture, from), right = place_of(picture, until);
    return (struct rect){left, line.y, fmaxf(right - left, 1), line.h};
}

static void draw_states(struct view *view, const struct picture *picture, uint32_t warp, struct rect line)
{
    const struct overlap *overlap = picture->overlap;
    float drawn = -INFINITY;
    for (uint32_t i = overlap->span_starts[warp]; i < overlap->span_starts[warp + 1]; i++) {
        const struct overlap_span *span = &overlap->spans[i];
        struct rect const box = span_box(picture, line, span->from, span->until);
        if (box.x + box.w - drawn < 0.5f)
            continue; /* many spans in one pixel: the first stands for them */
        drawn = box.x + box.w;
        draw_state(view, box, span->state);
        state_tip(view, box, span, warp);
        if (span->state == OVERLAP_WORKS && span->group != OVERLAP_NO_GROUP)
            name_buffer(view, box, view_text_on(view, COLOR_ACCESS), span->buffer);
    }
}

static void draw_loads(struct view *view, const struct picture *picture, uint32_t warp, struct rect flight)
{
    const struct overlap *overlap = picture->overlap;
    float const height = flight.h / (float)lines_of(overlap);
    for (uint32_t i = overlap->load_starts[warp]; i < overlap->load_starts[warp + 1]; i++) {
        const struct overlap_load *load = &overlap->loads[i];
        struct rect const line = {flight.x, flight.y + height * (float)load->line, flight.w, height};
        struct rect const box = span_box(picture, line, load->from, load->until);
        if (load->until == load->from)
            continue; /* it is not timed */
        draw_flight(view, box, true);
        flight_tip(view, box, load->from, load->until, arena_format(view->arena, _("load of warp %u"), warp));
    }
}

static void draw_groups(struct view *view, const struct picture *picture, uint32_t warp, struct rect flight)
{
    const struct overlap *overlap = picture->overlap;
    float const height = flight.h / (float)lines_of(overlap);
    for (uint32_t i = overlap->group_starts[warp]; i < overlap->group_starts[warp + 1]; i++) {
        const struct overlap_group *group = &overlap->groups[i];
        struct rect const line = {flight.x, flight.y + height * (float)(group->buffer % LINES_MAX), flight.w, height};
        struct rect const box = span_box(picture, line, group->from, group->until);
        draw_flight(view, box, false);
        name_buffer(view, box, ui_color(view->ui, view->dim ? COLOR_TEXT : COLOR_ON_CURSOR), group->buffer);
        flight_tip(
            view, box, group->from, group->until,
            arena_format(view->arena, _("copy %u of warp %u, to buffer %u"), group->number, warp, group->buffer));
    }
}

/* Returns the position of the last access or barrier of a warp up to the time under the mouse, or SIZE_MAX. */
static size_t position_under(const struct view *view, const struct picture *picture, uint32_t warp)
{
    const struct playback *playback = view->scene->playback;
    const struct timeline *timeline = playback->timeline;
    size_t found = SIZE_MAX;
    for (uint32_t at = timeline->warp_starts[warp]; at < timeline->warp_starts[warp + 1]; at++) {
        size_t const position = timeline->warp_positions[at];
        if (!(playback->marks[position] & (EVENT_ACCESS | EVENT_BARRIER)))
            continue;
        if (found != SIZE_MAX && place_of(picture, playback_event(playback, position)->time) > view->ui->input.mouse.x)
            break;
        found = position;
    }
    return found;
}

static struct action draw_row(struct view *view, const struct picture *picture, uint32_t warp, int every)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, h = picture->row;
    struct action action = NO_ACTION;
    struct rect row = {picture->area.x, picture->area.y + h * (float)(warp - picture->first), picture->area.w, h};
    if (warp == view->scene->warp)
        draw_fill(&ui->draw, row, 2 * u, ui_color(ui, COLOR_ACCESS_SOFT));
    float const lines = (float)lines_of(picture->overlap), inner = h * 0.88f;
    struct rect const flight = {row.x, row.y + h * 0.04f, row.w,
                                inner * lines * ROW_FLIGHT / (lines * ROW_FLIGHT + ROW_WORK)};
    struct rect const work = {row.x, flight.y + flight.h + h * 0.02f, row.w, inner - flight.h};
    draw_states(view, picture, warp, work);
    draw_loads(view, picture, warp, flight);
    draw_groups(view, picture, warp, flight);
    if (ui_area(ui, ui_id_child(ui_id_text("overlap"), warp), row)) {
        size_t const position = position_under(view, picture, warp);
        if (position != SIZE_MAX)
            action = (struct action){.kind = ACTION_SEEK, .position = position};
    }
    float const label = fmaxf(h, 20 * u);
    if ((int)(warp - picture->first) % every == 0)
        view_gutter(view, row.y + (h - label) / 2, label, arena_format(view->arena, _("warp %u"), warp), false);
    return action;
}

/* ---- the rest ---- */

static void caption(struct view *view, struct rect line, const struct overlap *overlap, const char *shown)
{
    const char *cycles = words_count(view->arena, overlap->in_flight);
    const char *hidden = words_count(view->arena, overlap->overlapped);
    const char *words = arena_format(
        view->arena,
        _("model clock, not measured: data in flight for %s {cycle|cycles}, overlapped with work in %s of them"),
        cycles, hidden);
    words = view_joined(view->arena, shown, words);
    if (ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), words) > line.w)
        words = view_joined(
            view->arena, shown,
            arena_format(view->arena, _("model clock: overlapped %s of %s cycles in flight"), hidden, cycles));
    view_caption(view, line, words);
}

/* Draws a sign and its words at the left end of a line, if there is room. */
static void legend_entry(struct view *view, struct rect *line, int sign, const char *words)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, width = ui_text_width(ui, FONT_TEXT, text_caption(ui), words) + 2;
    if (line->w < width + 34 * u)
        return;
    struct rect box = rect_cut_left(line, 34 * u);
    box = (struct rect){box.x, box.y + box.h / 2 - 7 * u, 28 * u, 14 * u};
    if (sign < 0)
        draw_flight(view, box, false);
    else
        draw_state(view, box, (enum overlap_state)sign);
    ui_label(ui, rect_cut_left(line, width), FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words);
    rect_cut_left(line, 18 * u);
}

static void legend(struct view *view, struct rect line, const struct overlap *overlap)
{
    legend_entry(view, &line, -1, overlap->buffers ? _("in flight, with its buffer") : _("in flight"));
    legend_entry(view, &line, OVERLAP_WORKS, _("works"));
    legend_entry(view, &line, OVERLAP_WAITS_FOR_COPY, _("waits for data"));
    legend_entry(view, &line, OVERLAP_WAITS_AT_BARRIER, _("waits at the barrier"));
}

/* Draws round numbers of cycles below the rows. */
static void axis(struct view *view, struct rect line, const struct picture *picture)
{
    struct ui *ui = view->ui;
    double const length = fmax(1, (double)picture->overlap->last);
    float const u = ui->unit, room = 130 * u;
    double step = 1;
    for (int i = 0; line.w * step / length < room && step < length; i++) /* 1, 2, 5, 10 ... */
        step *= i % 3 == 1 ? 2.5 : 2;
    int const marks = (int)(length / step);
    for (int i = 0; i <= marks; i++) {
        double const at = i * step;
        float const x = place_of(picture, (uint64_t)at);
        struct rect box = {x - room / 2, line.y + 4 * u, room, line.h - 4 * u};
        enum ui_align align = UI_CENTER;
        if (box.x < line.x)
            box.x = line.x, align = UI_LEFT;
        if (box.x + box.w > line.x + line.w)
            box.x = line.x + line.w - box.w, align = UI_RIGHT;
        draw_line(&ui->draw, (struct point){x, line.y}, (struct point){x, line.y + 5 * u}, hairline(ui),
                  ui_color(ui, COLOR_IDLE));
        ui_label(ui, box, FONT_TEXT, text_caption(ui), align, ui_color(ui, COLOR_TEXT_DIM),
                 arena_format(view->arena, at > 0 ? "%s" : _("cycle %s"), words_count(view->arena, (uint64_t)at)));
    }
}

static void draw_cursor(struct view *view, const struct picture *picture)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, x = place_of(picture, view->scene->event->time);
    float const foot = picture->area.y + picture->row * (float)picture->count;
    draw_line(&ui->draw, (struct point){x, picture->area.y - 3 * u}, (struct point){x, foot + 3 * u}, 5 * u,
              ui_color(ui, COLOR_CURSOR_RING));
    draw_line(&ui->draw, (struct point){x, picture->area.y - 2 * u}, (struct point){x, foot + 2 * u}, 2.5f * u,
              ui_color(ui, COLOR_CURSOR));
}

struct action panel_overlap(struct view *view, struct rect box)
{
    const struct scene *scene = view->scene;
    struct picture picture = {.overlap = playback_overlap(scene->playback)};
    float const u = view->ui->unit;
    struct action action = NO_ACTION;
    if (!scene->event || !scene->warp_count)
        return action;
    box = view_columns(view, box);
    struct rect const top = rect_cut_top(&box, CAPTION * u);
    if (!picture.overlap) {
        view_caption(view, top,
                     scene->trace->clock == TRACE_CLOCK_GPU
                         ? _("A GPU does not record when data arrive: this picture needs a run on the emulator.")
                         : _("Nothing comes from global memory in this block."));
        return action;
    }
    legend(view, rect_cut_top(&box, LEGEND * u), picture.overlap);
    struct rect const below = rect_cut_bottom(&box, AXIS * u);
    picture.area = box;
    picture.area.w -= 4 * u;
    /* where rows would become too low, those around the warp in focus */
    uint32_t const fit = (uint32_t)fmaxf(1, floorf(box.h / (ROW_LEAST * u) + 0.01f));
    picture.count = scene->warp_count < fit ? scene->warp_count : fit;
    uint32_t const most = scene->warp_count - picture.count, half = picture.count / 2;
    picture.first = scene->warp < half ? 0 : scene->warp - half < most ? scene->warp - half : most;
    caption(view, top, picture.overlap, view_rows_shown(view, picture.first, picture.count, scene->warp_count));
    if (box.h < ROW_LEAST * u / 2)
        return action;
    picture.row = fminf(box.h / (float)picture.count, ROW_MOST * u);
    int const every = (int)ceilf(20 * u / picture.row);
    for (uint32_t warp = picture.first; warp < picture.first + picture.count; warp++) {
        struct action const done = draw_row(view, &picture, warp, every);
        action = done.kind != ACTION_NONE ? done : action;
    }
    axis(view, (struct rect){below.x, box.y + picture.row * (float)picture.count, picture.area.w, below.h}, &picture);
    draw_cursor(view, &picture);
    return action;
}
