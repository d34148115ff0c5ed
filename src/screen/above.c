/* Two runs under one another: A, the run before, above B, the run now. Only the one that is on screen without the other
 * takes input: B, or A after Tab. */
#include "screen/screen.h"
#include "screen/stage.h"

/* Returns the difference between the two as a name: "stride 8", "shared memory", "EMULATOR". */
static const char *look_name(const struct drawing *drawing, const struct document *look, const struct document *against)
{
    const struct lesson *lesson = drawing->document->lesson;
    struct arena *arena = drawing->arena;
    const char *name = "";
    if (look->look.setting.variant != against->look.setting.variant)
        name = document_variant_label(drawing->document, arena, drawing->preferences->language,
                                      look->look.setting.variant);
    for (int k = 0; k < lesson->knob_count; k++)
        if (look->look.setting.value[k] != against->look.setting.value[k])
            name = arena_format(arena, "%s%s%s", name, *name ? ", " : "",
                                lesson_knob_label(&lesson->knobs[k], look->look.setting.value[k],
                                                  drawing->preferences->language, arena));
    if (*name)
        return name;
    switch (look->run->executor) {
    case EXECUTOR_GPU:
        return arena_format(arena, _("LIVE · %s"), look->run->trace->device);
    case EXECUTOR_RECORDING:
        return arena_format(arena, _("RECORDED · %s"), look->run->trace->device);
    default:
        return _("EMULATOR");
    }
}

/* Draws the other look, which takes no mouse and no focus. */
static void draw_other(const struct drawing *drawing, const struct view *below, struct rect box, const char *name,
                       const struct document *document, const struct playhead *playhead)
{
    struct scene scene;
    struct drawing above = *drawing;
    above.document = document;
    above.playhead = playhead;
    document_scene(document, playhead, above.arena, &scene);
    playhead_motion(playhead, &scene);
    struct view view = *below;
    view.scene = &scene;
    view.hot = 0;
    view.hot_next = NULL;
    ui_passive(above.ui, true);
    draw_stage(&above, &view, box, name);
    ui_passive(above.ui, false);
}

void draw_both(struct drawing *drawing, struct view *view, struct rect box)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    struct document other;
    struct playhead playhead;
    document_other(drawing->document, drawing->playhead, &other, &playhead);
    bool const first = drawing->document->showing_other; /* the run before has the screen */
    const char *its =
        arena_format(drawing->arena, first ? "B · %s" : "A · %s", look_name(drawing, &other, drawing->document));
    const char *own =
        arena_format(drawing->arena, first ? "A · %s" : "B · %s", look_name(drawing, drawing->document, &other));
    struct rect top = rect_cut_top(&box, (box.h - 16 * u) / 2);
    if (first)
        draw_stage(drawing, view, top, own);
    else
        draw_other(drawing, view, top, its, &other, &playhead);
    rect_cut_top(&box, 8 * u);
    draw_line(&ui->draw, (struct point){box.x, box.y}, (struct point){box.x + box.w, box.y}, 2 * u,
              ui_color(ui, COLOR_EDGE));
    rect_cut_top(&box, 8 * u);
    if (first)
        draw_other(drawing, view, box, its, &other, &playhead);
    else
        draw_stage(drawing, view, box, own);
}
