/* The turns of the warps: a row for each warp of the block along the trace's clock. While one warp waits for memory or
 * at a barrier, others go on, so the picture shows latency hiding. The caption says whether the clock is a model's. */
#include "view/stage.h"
#include <math.h>

static float row_best(const struct view *view)
{
    return 26 * view->ui->unit;
}

struct panel_size panel_turns_size(const struct view *view)
{
    uint32_t const rows = view->scene->warp_count;
    float const u = view->ui->unit, best = (fminf(row_best(view) * (float)rows, 260 * u) + 30 * u) / u;
    if (view->stage->secrets & (SECRET_WARPS | SECRET_STATES))
        return NOT_SHOWN;
    return rows > 1 ? (struct panel_size){.least = fminf(best, 130), .best = best} : NOT_SHOWN;
}

/* Returns the time until which an event is drawn: by the model clock until the value of an access is there, or a wait
 * ends; otherwise until the warp's next event. */
static uint64_t end_of(const struct playback *playback, size_t position, size_t next)
{
    const struct trace_event *event = playback_event(playback, position);
    const struct timeline *timeline = playback->timeline;
    uint64_t const then = next != SIZE_MAX ? playback_event(playback, next)->time : UINT64_MAX;
    uint64_t const there = timeline_there(timeline, position);
    if (there)
        return there;
    if (timeline->held && event->kind != TRACE_BARRIER_ARRIVE) {
        uint64_t const until = event->time + timeline->held[position];
        return until < then ? until : then;
    }
    return next != SIZE_MAX ? then : event->time;
}

static void draw_wait(struct view *view, struct rect span, float step, struct color color)
{
    draw_hatch(&view->ui->draw, span, step * view->ui->unit, 1.5f * view->ui->unit, color);
    draw_outline(&view->ui->draw, span, 0, hairline(view->ui), color);
}

/* Draws an event until `end`. Values on their way lie above, those of one warp at the same time below each other; under
 * them, the warp's wait for a value. */
static void draw_event(struct view *view, const struct view_clock *axis, struct rect row, size_t position, uint64_t end)
{
    struct ui *ui = view->ui;
    const struct playback *playback = view->scene->playback;
    const struct timeline *timeline = playback->timeline;
    const struct trace_event *event = playback_event(playback, position);
    unsigned const marks = playback->marks[position];
    bool const later = position > view->scene->position;
    float u = ui->unit, from = view_clock_place(axis, event->time), to = view_clock_place(axis, end);
    struct rect span = {from, row.y + row.h * 0.22f, fmaxf(to - from, 0), row.h * 0.56f};
    struct color background = ui_color(ui, COLOR_BACKGROUND);
    bool const bad = marks & (EVENT_CONFLICT | EVENT_FAULT);
    struct color color = ui_color(ui, bad ? COLOR_CONFLICT : COLOR_ACCESS);
    struct color grey = ui_color(ui, COLOR_IDLE);
    if (later) {
        color = color_mix(color, background, 0.6f);
        grey = color_mix(grey, background, 0.6f);
    }
    if (event->kind == TRACE_BARRIER_ARRIVE)
        draw_wait(view, span, 6, grey);
    else if (event->kind == TRACE_LOAD_WAIT || event->kind == TRACE_COPY_WAIT)
        draw_wait(view, (struct rect){span.x, row.y + row.h * 0.7f, span.w, row.h * 0.2f}, 4, color);
    else if (event->kind == TRACE_ACCESS && span.w > 1) {
        bool const flies = timeline_there(timeline, position) != 0;
        float const h = row.h * 0.56f / (float)timeline->lines;
        struct rect const line = {span.x, row.y + row.h * 0.1f + h * (float)timeline->line[position], span.w,
                                  fmaxf(1, h - (timeline->lines > 1))};
        draw_fill(&ui->draw, flies ? line : span, 0, color_mix(color, background, timeline->lines > 1 ? 0.4f : 0.7f));
    }
    if (marks & (EVENT_ACCESS | EVENT_BARRIER | EVENT_FAULT))
        draw_line(&ui->draw, (struct point){from, row.y + row.h * 0.12f}, (struct point){from, row.y + row.h * 0.88f},
                  fmaxf(2, 2.4f * u), marks & EVENT_BARRIER ? grey : color);
}

/* Draws a warp's row. Returns the position of the event that was clicked, or SIZE_MAX. */
static size_t one_row(struct view *view, const struct view_clock *axis, struct rect row, uint32_t warp, bool covered)
{
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    const struct playback *playback = scene->playback;
    const struct timeline *timeline = playback->timeline;
    float drawn[TIMELINE_LINES + 2], nearest = INFINITY;
    size_t found = SIZE_MAX;
    bool const clicked = ui_area(ui, ui_id_child(ui_id_text("turns"), warp), row);
    bool const hovered = ui_hovered(ui, row);
    if (covered)
        return SIZE_MAX; /* the events can be counted */
    for (size_t i = 0; i < TIMELINE_LINES + 2; i++)
        drawn[i] = -1;
    for (uint32_t at = timeline->warp_starts[warp]; at < timeline->warp_starts[warp + 1]; at++) {
        size_t const position = timeline->warp_positions[at];
        size_t const next = at + 1 < timeline->warp_starts[warp + 1] ? timeline->warp_positions[at + 1] : SIZE_MAX;
        const struct trace_event *event = playback_event(playback, position);
        unsigned const marks = playback->marks[position];
        float const x = view_clock_place(axis, event->time);
        if ((clicked || hovered) && (marks & ~(unsigned)EVENT_BRANCH) && fabsf(x - ui->input.mouse.x) < nearest) {
            nearest = fabsf(x - ui->input.mouse.x);
            found = position;
        }
        bool const wait = event->kind == TRACE_LOAD_WAIT || event->kind == TRACE_COPY_WAIT;
        float *const last = &drawn[marks & (EVENT_BARRIER | EVENT_FAULT) ? TIMELINE_LINES
                                   : wait                                ? TIMELINE_LINES + 1
                                                                         : timeline->line[position]];
        if (x - *last < 1)
            continue; /* of many events of one line in one pixel, the first stands for them; also of barriers, of waits
                       */
        *last = x;
        if (last == &drawn[TIMELINE_LINES])
            drawn[0] = x;
        draw_event(view, axis, row, position, end_of(playback, position, next));
    }
    if (hovered && found != SIZE_MAX)
        ui_tip(ui, row, "%s", view_event_words(view->arena, playback, found));
    return clicked ? found : SIZE_MAX;
}

static void tick_sign(struct view *view, struct rect box, enum color_role role)
{
    float const x = box.x + box.w / 2;
    draw_line(&view->ui->draw, (struct point){x, box.y}, (struct point){x, box.y + box.h},
              fmaxf(2, 2.4f * view->ui->unit), ui_color(view->ui, role));
}

static void access_sign(struct view *view, struct rect box)
{
    struct color const soft = color_mix(ui_color(view->ui, COLOR_ACCESS), ui_color(view->ui, COLOR_BACKGROUND), 0.7f);
    draw_fill(&view->ui->draw, rect_inset(box, 0, box.h * 0.22f), 0, soft);
    box.w = 2 * view->ui->unit;
    tick_sign(view, box, COLOR_ACCESS);
}

static void conflict_sign(struct view *view, struct rect box)
{
    tick_sign(view, box, COLOR_CONFLICT);
}

static void barrier_sign(struct view *view, struct rect box)
{
    draw_wait(view, rect_inset(box, 0, box.h * 0.22f), 6, ui_color(view->ui, COLOR_IDLE));
}

static void value_sign(struct view *view, struct rect box)
{
    draw_wait(view, rect_inset(box, 0, box.h * 0.35f), 4, ui_color(view->ui, COLOR_ACCESS));
}

static const char *caption_text(struct view *view)
{
    const struct scene *scene = view->scene;
    uint32_t counts[TIMELINE_FAULT + 1] = {0};
    for (uint32_t w = 0; w < scene->warp_count; w++)
        counts[scene->warps[w]]++;
    const struct {
        uint32_t count;
        const char *words;
    } states[] = {{counts[TIMELINE_READY], _("%u ready")},
                  {counts[TIMELINE_MEMORY], _("%u wait for memory")},
                  {counts[TIMELINE_BARRIER], _("%u at the barrier")},
                  {counts[TIMELINE_DONE], _("%u done")}};
    const char *now = "";
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (states[i].count) {
            const char *state = arena_format(view->arena, states[i].words, states[i].count);
            now = *now ? arena_format(view->arena, "%s, %s", now, state) : state;
        }
    return arena_format(view->arena,
                        scene->trace->clock == TRACE_CLOCK_GPU ? _("the GPU's own clock · now %s")
                                                               : _("model clock, not measured · now %s"),
                        now);
}

struct action panel_turns(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    const struct playback *playback = scene->playback;
    float u = ui->unit;
    struct action action = NO_ACTION;
    if (!scene->event || !scene->warp_count)
        return action;
    struct rect caption = rect_cut_top(&box, 30 * u);
    caption.x = columns->x;
    caption.w = columns->pitch * WARP_LANES;
    /* a GPU's trace does not say when a warp waits for its data */
    int const first = scene->trace->clock == TRACE_CLOCK_GPU, count = 4 - first;
    struct view_sign const all[] = {{value_sign, _("waits for data")},
                                    {access_sign, _("access, until its data is there")},
                                    {conflict_sign, _("conflict or waste")},
                                    {barrier_sign, _("waits at the barrier")}};
    struct view_sign const short_words[] = {{value_sign, _("waits")},
                                            {access_sign, _("access")},
                                            {conflict_sign, _("waste")},
                                            {barrier_sign, _("barrier")}};
    const struct view_sign *signs = all + first, *brief = short_words + first;
    const char *text = view->stage->covered ? _("the answer uncovers the turns") : caption_text(view);
    float const words = ui_text_width(ui, FONT_TEXT, text_caption(ui), text) + 8 * u;
    struct rect rest = caption;
    rect_cut_left(&rest, fminf(words, rest.w));
    if (!view->stage->covered && !view_legend(view, &rest, signs, count) && !view_legend(view, &rest, brief, count)) {
        rest = caption; /* the legend goes before the words that the row of warps says, too */
        if (view_legend(view, &rest, brief, count))
            caption.w = rest.w - 8 * u;
        if (scene->trace->clock != TRACE_CLOCK_GPU &&
            ui_text_width(ui, FONT_TEXT, text_caption(ui), _("model clock, not measured")) > caption.w)
            text = _("model clock");
    }
    view_caption(view, caption, text);
    struct view_clock axis = {.track = {columns->x, box.y, columns->pitch * WARP_LANES - 4, box.h},
                              .first = playback_event(playback, 0)->time,
                              .last = playback_event(playback, playback->count - 1)->time};
    float height = fminf(44 * u, box.h / (float)scene->warp_count);
    int every = (int)ceilf(20 * u / height);
    for (uint32_t w = 0; w < scene->warp_count; w++) {
        struct rect row = {axis.track.x, box.y + height * (float)w, axis.track.w, height};
        if (w == scene->warp)
            draw_fill(&ui->draw, row, 2 * u, ui_color(ui, COLOR_ACCESS_SOFT));
        draw_line(&ui->draw, (struct point){row.x, row.y + height / 2},
                  (struct point){row.x + row.w, row.y + height / 2}, hairline(ui), ui_color(ui, COLOR_EDGE));
        size_t const clicked = one_row(view, &axis, row, w, view->stage->covered);
        if (clicked != SIZE_MAX)
            action = (struct action){.kind = ACTION_SEEK, .position = clicked};
        float label_h = fmaxf(height, 20 * u);
        if ((int)w % every == 0)
            view_gutter(view, row.y + (height - label_h) / 2, label_h, arena_format(view->arena, _("warp %u"), w),
                        false);
    }
    view_clock_now(view, &axis, box.y, height * (float)scene->warp_count);
    return action;
}
