/* The first line of the stage: the block on screen, the warp in focus and, without a right column, the knobs. */
#include "view/stage.h"
#include <math.h>

int view_stepper(struct view *view, struct rect *line, ui_id id, enum font_role role, enum color_role color,
                 const char *text)
{
    struct ui *ui = view->ui;
    float u = ui->unit, width = ui_text_width(ui, role, text_caption(ui), text) + 4 * u;
    if (width + 76 * u > line->w)
        return 0;
    struct rect up = rect_cut_right(line, 26 * u), name = rect_cut_right(line, width);
    struct rect down = rect_cut_right(line, 26 * u);
    rect_cut_right(line, 12 * u);
    if (!ui->paper) {
        ui_label(ui, down, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "‹");
        ui_label(ui, up, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "›");
    }
    ui_label(ui, name, role, text_caption(ui), UI_CENTER, ui_color(ui, color), text);
    int pressed = 0;
    if (ui_area(ui, ui_id_child(id, 1), down))
        pressed = -1;
    if (ui_area(ui, ui_id_child(id, 2), up))
        pressed = 1;
    if (ui_area(ui, id, name))
        pressed = 2;
    return pressed;
}

/* The variant where there is room for it, left of the knobs. */
static struct action variant_stepper(struct view *view, struct rect *line, const struct knobs_view *knobs)
{
    int const pressed = knobs->variant_count > 1 && knobs->variant >= 0
                            ? view_stepper(view, line, ui_id_text("variant stepper"), FONT_TEXT, COLOR_TEXT,
                                           knobs->variants[knobs->variant])
                            : 0;
    int const variant = knobs->variant + (pressed == 2 ? 0 : pressed);
    bool const other = variant != knobs->variant && variant >= 0 && variant < knobs->variant_count && !knobs->rest;
    return other ? (struct action){.kind = ACTION_CHOOSE_VARIANT, .value = variant} : NO_ACTION;
}

static struct action knob_steppers(struct view *view, struct rect *line, const struct knobs_view *knobs)
{
    struct action action = NO_ACTION;
    for (int k = knobs->count - 1; k >= 0; k--) {
        const struct knob_view *knob = &knobs->knobs[k];
        const char *text = arena_format(view->arena, "%s %s", knob->label, knob->values[knob->at]);
        float const right = line->x + line->w;
        int const pressed =
            view_stepper(view, line, ui_id_child(ui_id_text("stepper"), (uint32_t)k),
                         k == knobs->current ? FONT_BOLD : FONT_TEXT, knob->idle ? COLOR_TEXT_DIM : COLOR_TEXT, text);
        if (knob->tip)
            ui_tip(view->ui, (struct rect){line->x + line->w, line->y, right - line->x - line->w, line->h}, "%s",
                   knob->tip);
        if (pressed == 2)
            action = (struct action){.kind = ACTION_CHOOSE_KNOB, .value = k};
        else if (pressed)
            action = (struct action){.kind = ACTION_SET_KNOB, .value = k, .other = knob->at + pressed};
    }
    struct action const chosen = variant_stepper(view, line, knobs);
    return chosen.kind != ACTION_NONE ? chosen : action;
}

/* Returns what the last active lane does with which value, or NULL if the trace holds none. It serves readers without a
 * mouse. */
static const char *value_example(const struct view *view)
{
    const struct scene *scene = view->scene;
    int const lane =
        scene->addresses && scene->event && scene->event->mask ? 31 - __builtin_clz(scene->event->mask) : 0;
    if (view->stage->covered || !scene->addresses || !scene_values(scene, view->arena, lane))
        return NULL;
    const char *words = scene->site->operation == TRACE_LOAD    ? _("lane %d reads %s")
                        : scene->site->operation == TRACE_STORE ? _("lane %d writes %s")
                                                                : _("lane %d, atomic: %s");
    return arena_format(view->arena, words, lane, scene_name_lane(scene, view->arena, lane));
}

static struct action block_arrows(struct view *view, struct rect *line)
{
    struct ui *ui = view->ui;
    const struct trace *trace = view->scene->trace;
    float u = ui->unit;
    struct action action = NO_ACTION;
    uint64_t last = trace->events.count ? trace->recorded.last : 0, blocks = 1;
    for (int d = 0; d < 3; d++)
        blocks *= trace->grid[d];
    last = last >= blocks ? blocks - 1 : last;
    if (trace->recorded.first >= last || view->stage->half || view->ui->paper)
        return action;
    struct rect back = rect_cut_left(line, 30 * u), on = rect_cut_left(line, 30 * u);
    rect_cut_left(line, 8 * u);
    ui_label(ui, back, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "‹");
    ui_label(ui, on, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "›");
    ui_tip(ui, back, _("the previous block (Shift + N)"));
    ui_tip(ui, on, _("the next block (N)"));
    if (ui_area(ui, ui_id_text("block back"), back) && view->scene->block > trace->recorded.first)
        action = (struct action){.kind = ACTION_STEP_BLOCK, .value = -1};
    if (ui_area(ui, ui_id_text("block on"), on) && view->scene->block < last)
        action = (struct action){.kind = ACTION_STEP_BLOCK, .value = 1};
    return action;
}

static void block_caption(struct view *view, struct rect line)
{
    struct ui *ui = view->ui;
    const struct scene *scene = view->scene;
    if (view->stage->secrets & SECRET_WARPS) {
        view_caption(view, line,
                     arena_format(view->arena, _("grid %s × block %s"), view_shape(view->arena, scene->trace->grid),
                                  view_shape(view->arena, scene->trace->block)));
        return;
    }
    const char *words = _("nothing was recorded");
    if (scene->event)
        words = arena_format(view->arena, _("warp %u of %u is in focus; grid %s × block %s"), scene->warp,
                             scene->warp_count, view_shape(view->arena, scene->trace->grid),
                             view_shape(view->arena, scene->trace->block));
    const char *more = value_example(view);
    more = more ? arena_format(view->arena, "%s · %s", words, more) : words;
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), more) <= line.w)
        words = more;
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), words) > line.w && scene->event)
        words = arena_format(view->arena, _("warp %u of %u"), scene->warp, scene->warp_count);
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), words) <= line.w)
        view_caption(view, line, words);
}

struct panel_size panel_block_size(const struct view *view)
{
    if (stage_is_code(view->stage))
        return NOT_SHOWN;
    return (struct panel_size){.least = 28, .best = 30, .stays = view->stage->half}; /* the line names the half */
}

struct action panel_block(struct view *view, struct rect box)
{
    struct ui *ui = view->ui;
    const struct stage_view *stage = view->stage;
    float u = ui->unit;
    view_gutter(view, box.y, box.h, arena_format(view->arena, _("Block %llu"), (unsigned long long)view->scene->block),
                true);
    struct rect line = view_columns(view, box);
    if (stage->half) {
        float width = ui_text_width(ui, FONT_BOLD, text_body(ui), stage->half) + 24 * u;
        ui_label(ui, rect_cut_left(&line, fminf(width, line.w)), FONT_BOLD, text_body(ui), UI_LEFT,
                 ui_color(ui, COLOR_ACCESS), stage->half);
    }
    struct action action = block_arrows(view, &line);
    if (stage->knobs) {
        struct action const turned = knob_steppers(view, &line, stage->knobs);
        action = turned.kind != ACTION_NONE ? turned : action;
    }
    if (stage->beside) {
        float width = ui_text_width(ui, FONT_BOLD, text_caption(ui), stage->beside) + 4 * u;
        if (width < line.w * 0.5f)
            ui_label(ui, rect_cut_right(&line, width), FONT_BOLD, text_caption(ui), UI_RIGHT,
                     ui_color(ui, COLOR_ACCESS), stage->beside);
        rect_cut_right(&line, 12 * u);
    }
    block_caption(view, line);
    return action;
}
