/* The stage's lines of words: which block is shown and which knob stands where, and what lies below the access. */
#include "app/stage/stage.h"
#include <math.h>
#include <string.h>

/* "‹ stride 8 ›" at the right end of a line, cut off it: -1 or +1 when an arrow is pressed, 2 when the words are; 0
 * else, and where there is no room for it. */
static int stepper(struct stage *stage, struct rect *line, ui_id id, enum font_role role, const char *text)
{
    struct ui *ui = &stage->app->ui;
    float u = ui->unit, width = ui_text_width(ui, role, text_caption(ui), text) + 4 * u;
    if (width + 76 * u > line->w)
        return 0;
    struct rect up = rect_cut_right(line, 26 * u), name = rect_cut_right(line, width);
    struct rect down = rect_cut_right(line, 26 * u);
    rect_cut_right(line, 12 * u);
    ui_label(ui, down, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "‹");
    ui_label(ui, up, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "›");
    ui_label(ui, name, role, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT), text);
    int pressed = 0;
    if (ui_area(ui, ui_id_child(id, 1), down))
        pressed = -1;
    if (ui_area(ui, ui_id_child(id, 2), up))
        pressed = 1;
    if (ui_area(ui, id, name))
        pressed = 2;
    return pressed;
}

/* Without a right column the knobs stand in the first line. */
static void knob_steppers(struct stage *stage, struct rect *line)
{
    struct app *app = stage->app;
    const struct lesson *lesson = app->open.lesson;
    for (int k = lesson->knob_count - 1; k >= 0; k--) {
        const struct lesson_knob *knob = &lesson->knobs[k];
        const char *text = arena_format(&app->frame, "%s %lld", knob->label[app->language],
                                        (long long)knob->values[app->open.setting.value[k]]);
        int pressed = stepper(stage, line, ui_id_child(ui_id_text("stepper"), (uint32_t)k),
                              k == app->open.knob ? FONT_BOLD : FONT_TEXT, text);
        if (pressed == 2)
            app->open.knob = k;
        else if (pressed)
            app_turn_knob(app, k, app->open.setting.value[k] + pressed);
    }
}

/* "4", "2,2" or "2,2,3": as --grid and --block are written. */
static const char *shape(struct app *app, const uint32_t size[3])
{
    if (size[2] > 1)
        return arena_format(&app->frame, "%u,%u,%u", size[0], size[1], size[2]);
    return size[1] > 1 ? arena_format(&app->frame, "%u,%u", size[0], size[1])
                       : arena_format(&app->frame, "%u", size[0]);
}

/* For a class, and for who has no mouse: what the last lane read or wrote; NULL where nothing says so. */
static const char *value_example(const struct stage *stage)
{
    struct arena *arena = &stage->app->frame;
    const struct scene *scene = stage->view->scene;
    int const lane = scene->addresses && scene->event->mask ? 31 - __builtin_clz(scene->event->mask) : 0;
    if (stage->covered || !scene->addresses || !scene_values(scene, arena, lane))
        return NULL;
    return arena_format(arena, _("lane %d: %s"), lane, scene_name_lane(scene, arena, lane));
}

/* "Block 3 of 0–3": a click on the arrows changes it. */
void stage_block_line(struct stage *stage, struct rect box)
{
    struct app *app = stage->app;
    struct ui *ui = &app->ui;
    const struct scene *scene = stage->view->scene;
    const struct trace *trace = scene->trace;
    float u = ui->unit;
    view_gutter(stage->view, &stage->columns, box.y, box.h,
                arena_format(&app->frame, _("Block %llu"), (unsigned long long)scene->block), true);
    struct rect line = stage_columns(stage, box);
    if (stage->half) {
        float width = ui_text_width(ui, FONT_BOLD, text_body(ui), stage->half) + 24 * u;
        ui_label(ui, rect_cut_left(&line, fminf(width, line.w)), FONT_BOLD, text_body(ui), UI_LEFT,
                 ui_color(ui, COLOR_ACCESS), stage->half);
    }
    uint64_t last = trace->events.count ? trace->recorded.last : 0, blocks = 1;
    for (int d = 0; d < 3; d++)
        blocks *= trace->grid[d];
    last = last >= blocks ? blocks - 1 : last;
    if (trace->recorded.first < last && !stage->half) {
        struct rect back = rect_cut_left(&line, 30 * u), on = rect_cut_left(&line, 30 * u);
        rect_cut_left(&line, 8 * u);
        ui_label(ui, back, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "‹");
        ui_label(ui, on, FONT_BOLD, text_body(ui), UI_CENTER, ui_color(ui, COLOR_ACCESS), "›");
        ui_tip(ui, back, _("the previous block (Shift + N)"));
        ui_tip(ui, on, _("the next block (N)"));
        if (ui_area(ui, ui_id_text("block back"), back) && scene->block > trace->recorded.first)
            app_step_block(app, -1);
        if (ui_area(ui, ui_id_text("block on"), on) && scene->block < last)
            app_step_block(app, 1);
    }
    const char *what = _("nothing was recorded");
    if (scene->event)
        what = arena_format(&app->frame, _("warp %u of %u is in focus; grid %s × block %s"), scene->warp,
                            scene->warp_count, shape(app, trace->grid), shape(app, trace->block));
    if (!app->knobs_aside && app->screen == SCREEN_LESSON && !stage->covered && !stage->half)
        knob_steppers(stage, &line);
    if (app->open.has_other && !stage->half) {
        const char *side = app->open.showing_other ? _("A: what was before (Tab)") : _("B: what is now (Tab)");
        float width = ui_text_width(ui, FONT_BOLD, text_caption(ui), side) + 4 * u;
        if (width < line.w * 0.5f)
            ui_label(ui, rect_cut_right(&line, width), FONT_BOLD, text_caption(ui), UI_RIGHT,
                     ui_color(ui, COLOR_ACCESS), side);
        rect_cut_right(&line, 12 * u);
    }
    const char *more = value_example(stage);
    more = more ? arena_format(&app->frame, "%s · %s", what, more) : what;
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), more) <= line.w)
        what = more;
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), what) > line.w && scene->event)
        what = arena_format(&app->frame, _("warp %u of %u"), scene->warp, scene->warp_count);
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), what) <= line.w)
        view_caption(stage->view, line, what);
}

/* Which DRAM the model has, and how it spreads addresses over it. */
static void dram_steppers(struct stage *stage, struct rect *line)
{
    struct app *app = stage->app;
    const struct dram_preset *preset = stage->view->scene->dram.preset;
    const char *chip = arena_text_n(&app->frame, preset->name, strcspn(preset->name, ":"));
    const char *mapping = preset->mapping == DRAM_CH_RA_BA_RO_CO ? "ChRaBaRoCo" : "RoBaRaCoCh";
    int const by = stepper(stage, line, ui_id_text("dram mapping"), FONT_TEXT, mapping);
    int const which = stepper(stage, line, ui_id_text("dram preset"), FONT_BOLD, chip);
    if (by)
        app_turn_dram_mapping(app);
    else if (which)
        app_turn_dram(app, which == 2 ? 1 : which);
}

/* That it is a model, and where there is room for it how many of the banks that the block asks are not drawn. */
static const char *dram_caption(const struct stage *stage, float room)
{
    const struct ui *ui = stage->view->ui;
    uint32_t const asked = stage->view->scene->dram.banks_asked;
    uint32_t const drawn = panel_dram_fit(stage->view, &stage->columns);
    const char *model = _("model: the real address mapping is not published");
    const char *both = arena_format(&stage->app->frame, _("%s · %u of the %u banks asked"), model, drawn, asked);
    return asked > drawn && ui_text_width(&stage->app->ui, FONT_TEXT, text_caption(ui), both) <= room ? both : model;
}

void stage_second(struct stage *stage)
{
    struct view *view = stage->view;
    struct slot *title = &stage->slots[SLOT_SECOND_TITLE], *slot = &stage->slots[SLOT_SECOND];
    if (slot->given <= 0)
        return;
    bool shared = stage->second == SCENE_SHARED;
    view_gutter(view, &stage->columns, title->box.y, title->box.h, shared ? _("Memory") : _("DRAM"), true);
    struct rect line = stage_columns(stage, title->box);
    if (!shared && view->scene->dram.preset)
        dram_steppers(stage, &line);
    view_caption(view, line,
                 shared ? _("shared memory, 128 bytes a row: the words these lanes want")
                        : dram_caption(stage, line.w));
    view->dim = stage_dimmed(stage, shared ? STAGE_SHARED : STAGE_DRAM);
    if (shared)
        panel_shared(view, &stage->columns, slot->box);
    else
        panel_dram(view, &stage->columns, slot->box);
    view->dim = false;
}
