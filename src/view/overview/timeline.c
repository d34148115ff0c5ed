/* The timeline: a tick for each event of the block. Barriers have taller ticks, and accesses that cost more than
 * necessary have the conflict colour. If events are denser than pixels, a tick stands for several and shows the most
 * important. The cursor can be dragged. */
#include "view/cards/cards.h"
#include <math.h>

struct tick {
    unsigned marks;
    bool filtered; /* one of its events is on the filtered line */
};

static float place_of(const struct playback *playback, size_t position, struct rect track)
{
    if (playback->count < 2)
        return track.x;
    return track.x + track.w * (float)position / (float)(playback->count - 1);
}

static void draw_tick(struct view *view, float x, struct rect track, struct tick tick, uint32_t filter)
{
    struct ui *ui = view->ui;
    float u = ui->unit, base = track.y + track.h;
    float height = 12 * u, width = fmaxf(1.5f, 1.8f * u);
    enum color_role role = COLOR_ACCESS;
    if (tick.marks & EVENT_BARRIER) {
        role = COLOR_TEXT;
        height = 28 * u;
        width = 2.4f * u;
    } else if (tick.marks & (EVENT_CONFLICT | EVENT_FAULT)) {
        role = COLOR_CONFLICT;
        height = 20 * u;
        width = 2.4f * u;
    } else if (!(tick.marks & EVENT_ACCESS)) {
        role = COLOR_IDLE;
        height = 6 * u;
    }
    struct color color = ui_color(ui, role);
    if (filter && !tick.filtered)
        color = color_mix(color, ui_color(ui, COLOR_BAR), 0.75f);
    draw_line(&ui->draw, (struct point){x, base}, (struct point){x, base - fminf(height, track.h)}, width, color);
}

static void ticks(struct view *view, struct rect track, const struct timeline_view *timeline)
{
    const struct playback *playback = timeline->playback;
    float least = 4 * view->ui->unit;
    size_t bins = (size_t)fmaxf(1, floorf(track.w / least));
    size_t per = (playback->count + bins - 1) / bins;
    per = per ? per : 1;
    for (size_t i = 0; i < playback->count; i += per) {
        struct tick tick = {0};
        for (size_t e = i; e < i + per && e < playback->count; e++) {
            tick.marks |= playback->marks[e];
            const struct trace_site *site = timeline->filter ? playback_site(playback, e) : NULL;
            tick.filtered |= site && site->line == timeline->filter;
        }
        draw_tick(view, place_of(playback, i, track), track, tick, timeline->filter);
    }
}

static void cursor(struct view *view, float x, struct rect track)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    struct rect box = {x - 2.5f * u, track.y - 6 * u, 5 * u, track.h + 14 * u};
    draw_fill(&ui->draw, rect_inset(box, -1.5f * u, -1.5f * u), 2 * u, ui_color(ui, COLOR_CURSOR_RING));
    draw_fill(&ui->draw, box, 1 * u, ui_color(ui, COLOR_CURSOR));
}

static void sign_of(struct view *view, struct rect box, unsigned marks)
{
    draw_tick(view, box.x + box.w / 2, box, (struct tick){.marks = marks}, 0);
}

static void barrier_sign(struct view *view, struct rect box)
{
    sign_of(view, box, EVENT_BARRIER);
}

static void conflict_sign(struct view *view, struct rect box)
{
    sign_of(view, box, EVENT_CONFLICT);
}

static void access_sign(struct view *view, struct rect box)
{
    sign_of(view, box, EVENT_ACCESS);
}

static void other_sign(struct view *view, struct rect box)
{
    sign_of(view, box, EVENT_BRANCH);
}

/* Draws which accesses are shown if that are only some. A click shows all again. */
static struct action draw_filter(struct view *view, struct rect box, uint32_t line, const char *words)
{
    struct ui *ui = view->ui;
    ui_label(ui, box, FONT_BOLD, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_ACCESS), words);
    ui_tip(ui, box, _("a click shows the accesses of all lines"));
    return ui_area(ui, ui_id_text("filter"), box)
               ? (struct action){ACTION_CHOOSE_LINE, .value = (int)line, .other = (int)view->scene->line}
               : NO_ACTION;
}

/* Draws the place and the legend of the ticks: with as many words of the place, and then of the legend, as fit. */
static struct action below_track(struct view *view, struct rect box, const struct timeline_view *timeline)
{
    struct ui *ui = view->ui;
    struct view_sign const signs[2][4] = {{{access_sign, _("access")},
                                           {conflict_sign, _("conflict or waste")},
                                           {barrier_sign, _("barrier")},
                                           {other_sign, _("other event")}},
                                          {{access_sign, _("access")},
                                           {conflict_sign, _("waste")},
                                           {barrier_sign, _("barrier")},
                                           {other_sign, _("other event")}}};
    enum {
        WAYS = 8
    }; /* the last but one has the legend alone, since the stage names the warp; the last one no legend */
    const char *const places[WAYS / 2] = {timeline->where, timeline->where_short, timeline->where_least, ""};
    bool const alone = timeline->covered || timeline->plain || timeline->filter,
               filtered = timeline->filter && !timeline->covered;
    const char *only = arena_format(view->arena, _("only line %u (Esc: all)"), timeline->filter);
    float const beside = filtered ? ui_text_width(ui, FONT_BOLD, text_caption(ui), only) + 2 : 0;
    for (int i = 0; i < WAYS; i++) {
        struct rect rest = box;
        bool const last = i + 1 == WAYS;
        const char *place = last ? timeline->where_least : places[i / 2];
        float const width = ui_text_width(ui, FONT_TEXT, text_caption(ui), place) + 12 * ui->unit;
        if (width + beside > box.w && !last)
            continue;
        if (filtered && last && width + beside > box.w)
            return draw_filter(view, box, timeline->filter, only);
        struct rect const left = rect_cut_left(&rest, fminf(width, box.w));
        if (!alone && !view_legend(view, &rest, signs[i % 2 || i + 2 >= WAYS], 4) && !last)
            continue;
        ui_label(ui, left, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), place);
        return filtered ? draw_filter(view, rest, timeline->filter, only) : NO_ACTION;
    }
    return NO_ACTION;
}

/* Returns the number of the last access, the widest of all: "access 1,184 of 1,184". */
static const char *last_number(const struct view *view, const struct playback *playback)
{
    const char *all = words_count(view->arena, playback->access_count);
    return arena_format(view->arena, _("access %s of %s"), all, all);
}

static void place_words(struct view *view, struct rect box, const struct timeline_view *timeline)
{
    struct ui *ui = view->ui;
    const struct playback *playback = timeline->playback;
    const struct scene *scene = view->scene;
    const char *all = words_count(view->arena, playback->access_count);
    const char *number =
        arena_format(view->arena, _("access %s of %s"), words_count(view->arena, scene->access_number), all);
    if (timeline->covered)
        number = _("covered");
    else if (scene->kind == SCENE_FAULT)
        number = _("the run stops here");
    else if (!playback->access_count)
        number = _("no access here");
    else if (!scene->access_number)
        number = arena_format(view->arena, _("before access 1 of %s"), all);
    float middle = box.y + box.h / 2;
    ui_label(ui, (struct rect){box.x, middle - 25 * ui->unit, box.w, 26 * ui->unit}, FONT_BOLD, text_body(ui), UI_LEFT,
             ui_color(ui, COLOR_TEXT), number);
    ui_label(ui, (struct rect){box.x, middle + 2 * ui->unit, box.w, 22 * ui->unit}, FONT_TEXT, text_caption(ui),
             UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), timeline->hint);
}

struct action card_timeline(struct view *view, struct rect box, const struct timeline_view *timeline)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_BAR));
    draw_line(&ui->draw, (struct point){box.x, box.y}, (struct point){box.x + box.w, box.y}, hairline(ui),
              ui_color(ui, COLOR_EDGE));
    struct rect inner = rect_inset(box, 24 * u, 0);
    struct action action = view_transport(view, &inner, timeline->playing, timeline->speed);
    rect_cut_left(&inner, 16 * u);
    if (!timeline->playback)
        return action;
    float const hint = ui_text_width(ui, FONT_TEXT, text_caption(ui), timeline->hint) + 2;
    float const last = ui_text_width(ui, FONT_BOLD, text_body(ui), last_number(view, timeline->playback)) + 2;
    float const least = fminf(214 * u, inner.w * 0.4f);
    struct rect words = rect_cut_right(&inner, fmaxf(fmaxf(hint, least), fminf(last, inner.w * 0.5f)));
    rect_cut_right(&inner, (inner.w > 400 * u ? 26 : 12) * u);
    place_words(view, words, timeline);
    struct rect labels = rect_cut_bottom(&inner, 30 * u);
    struct action const below =
        below_track(view, (struct rect){labels.x, labels.y + 2 * u, labels.w, 24 * u}, timeline);
    if (below.kind != ACTION_NONE)
        action = below;
    struct rect track = {inner.x, inner.y + 16 * u, inner.w, inner.h - 20 * u};
    draw_line(&ui->draw, (struct point){track.x, track.y + track.h},
              (struct point){track.x + track.w, track.y + track.h}, hairline(ui), ui_color(ui, COLOR_IDLE));
    if (!timeline->covered) /* they can be counted */
        ticks(view, track, timeline);
    if (timeline->covered)
        return action;
    if (timeline->playback->count)
        cursor(view, place_of(timeline->playback, timeline->position, track), track);
    float along = 0;
    struct rect const hovered = {track.x, track.y - 6 * u, track.w, track.h + 12 * u};
    if (timeline->playback->count && !timeline->plain && ui_hovered(ui, hovered)) {
        float const part = fminf(1, fmaxf(0, (ui->input.mouse.x - track.x) / track.w));
        size_t const position = (size_t)lroundf(part * (float)(timeline->playback->count - 1));
        ui_tip(ui, hovered, "%s", view_event_words(view->arena, timeline->playback, position));
    }
    if (ui_drag(ui, ui_id_text("scrub"), track, &along) && timeline->playback->count) {
        size_t const position = (size_t)lroundf(along * (float)(timeline->playback->count - 1));
        if (position != timeline->position)
            action = (struct action){.kind = ACTION_SCRUB, .position = position};
    }
    return action;
}
