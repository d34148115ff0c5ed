/* A barrier as a gate. Warps that have arrived wait before it, released warps stand behind it, and warps that have not
 * arrived are listed. */
#include "view/stage.h"
#include <math.h>

/* title: of the place, for the words on a warp under the mouse. */
static void parked(struct view *view, struct rect box, const uint32_t *warps, uint32_t count, enum color_role role,
                   const char *title)
{
    struct ui *ui = view->ui;
    float const gap = 6 * ui->unit, most = (view->stage->compact ? 76 : 50) * ui->unit;
    float const step = /* the same on both sides of the gate */
        fminf(most, fmaxf(34 * ui->unit, (box.w + gap) / fmaxf(1, (float)view->scene->warp_count)));
    uint32_t across = (uint32_t)fmaxf(1, floorf(box.w / step));
    float height = fminf(0.8f * step, box.h / ceilf(fmaxf(1, (float)count) / (float)across) - gap);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = i / across;
        struct rect cell = {box.x + (float)(i % across) * step, box.y + (float)row * (height + gap), step - gap,
                            height};
        ui_tip(ui, cell, _("warp %u: %s"), warps[i], title);
        if (role == COLOR_EDGE) {
            view_hollow(view, cell, true);
            ui_chip_label(ui, cell, FONT_TEXT, text_caption(ui), ui_color(ui, COLOR_TEXT_DIM),
                          arena_format(view->arena, "%u", warps[i]));
        } else
            view_chip(view, cell, role, arena_format(view->arena, "%u", warps[i]));
    }
}

/* Returns whether the warp was let through a barrier and has none ahead. */
static bool passed(const struct scene *scene, uint32_t warp)
{
    const struct timeline *timeline = scene->playback->timeline;
    bool released = false;
    for (uint32_t i = timeline->warp_starts[warp]; i < timeline->warp_starts[warp + 1]; i++) {
        size_t const position = timeline->warp_positions[i];
        enum trace_kind const kind = playback_event(scene->playback, position)->kind;
        released |= kind == TRACE_BARRIER_RELEASE && position <= scene->position;
        if (kind == TRACE_BARRIER_ARRIVE && position > scene->position)
            return false;
    }
    return released;
}

struct panel_size panel_gate_size(const struct view *view)
{
    if (view->stage->access != SCENE_BARRIER)
        return NOT_SHOWN;
    return panel_access_size(view, 126 * view->ui->unit);
}

struct action panel_gate(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    uint32_t *kinds[3];
    uint32_t counts[3] = {0};
    for (int i = 0; i < 3; i++)
        kinds[i] = arena_array(view->arena, uint32_t, scene->warp_count + 1);
    bool opening = scene->event->kind == TRACE_BARRIER_RELEASE;
    for (uint32_t w = 0; w < scene->warp_count; w++) {
        bool waits = scene->warps[w] == TIMELINE_BARRIER || scene->warps[w] == TIMELINE_FAULT;
        if (scene->warps[w] == TIMELINE_DONE)
            continue;
        int kind = waits ? 1 : opening || passed(scene, w) ? 2 : 0;
        kinds[kind][counts[kind]++] = w;
    }
    bool const open = opening || (counts[2] && !counts[0] && !counts[1]);
    box.x = columns->x;
    box.w = columns->pitch * WARP_LANES;
    const char *titles[3] = {_("under way"), _("waiting at the gate"), _("let through")};
    const enum color_role roles[3] = {COLOR_EDGE, COLOR_IDLE, COLOR_ACCESS};
    struct rect titles_row = rect_cut_top(&box, 30 * ui->unit);
    for (int i = 0; i < 3; i++) {
        struct rect column = rect_column(box, i, 3, 40 * ui->unit),
                    title = rect_column(titles_row, i, 3, 40 * ui->unit);
        const char *words = arena_format(view->arena, "%s: %u", titles[i], counts[i]);
        if (i == 1 && ui_text_width(ui, FONT_BOLD, text_caption(ui), words) > title.w)
            words = arena_format(view->arena, "%s: %u", _("waiting"), counts[i]);
        ui_label(ui, title, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), words);
        parked(view, column, kinds[i], counts[i], roles[i], titles[i]);
        if (i != 1)
            continue;
        float x = column.x + column.w + 20 * ui->unit; /* the gate itself */
        struct color color = ui_color(ui, COLOR_TEXT);
        float width = 4 * ui->unit;
        float closed = open ? 0.22f : 0.5f;
        draw_line(&ui->draw, (struct point){x, titles_row.y},
                  (struct point){x, titles_row.y + closed * (box.h + 30 * ui->unit)}, width, color);
        draw_line(&ui->draw, (struct point){x, box.y + box.h - closed * (box.h + 30 * ui->unit)},
                  (struct point){x, box.y + box.h}, width, color);
    }
    return NO_ACTION;
}
