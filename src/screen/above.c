/* Two runs under one another: A, the other look at the same access, above B, the document on screen. Only B takes
 * input. */
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

/* Draws A, which takes no mouse and no focus. */
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
    const char *a = arena_format(drawing->arena, "A · %s", look_name(drawing, &other, drawing->document));
    const char *b = arena_format(drawing->arena, "B · %s", look_name(drawing, drawing->document, &other));
    struct rect top = rect_cut_top(&box, (box.h - 16 * u) / 2);
    draw_other(drawing, view, top, a, &other, &playhead);
    rect_cut_top(&box, 8 * u);
    draw_line(&ui->draw, (struct point){box.x, box.y}, (struct point){box.x + box.w, box.y}, 2 * u,
              ui_color(ui, COLOR_EDGE));
    rect_cut_top(&box, 8 * u);
    draw_stage(drawing, view, box, b);
}
