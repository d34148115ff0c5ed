/* A above B on one scrubber: the other setting, or the other executor, drawn from its own run at the same access. Only
 * B can be touched; A follows. */
#include "app/state.h"
#include <string.h>

/* What sets one apart from the other: "stride 8", "shared memory", "EMULATOR". */
static const char *look_name(struct app *app, const struct looked_at *look, const struct looked_at *against)
{
    const struct lesson *lesson = app->open.lesson;
    struct arena *arena = &app->frame;
    const char *name = "";
    if (look->setting.variant != against->setting.variant)
        name = lesson->variants[look->setting.variant].label[app->language];
    for (int k = 0; k < lesson->knob_count; k++)
        if (look->setting.value[k] != against->setting.value[k])
            name = arena_format(arena, "%s%s%s %lld", name, *name ? ", " : "", lesson->knobs[k].label[app->language],
                                (long long)lesson->knobs[k].values[look->setting.value[k]]);
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

void app_toggle_above(struct app *app)
{
    if (!app->open.lesson || !app->open.has_other || app->screen != SCREEN_LESSON)
        app_say(app, "%s", _("turn a knob first, or press E: there is nothing to compare with yet"));
    else
        app->open.above = !app->open.above;
}

static struct looked_at looked_at_now(const struct app *app)
{
    return (struct looked_at){app->run,           app->playback, app->position,
                              app->beat_position, app->block,    app->open.setting};
}

static struct looked_at exchange(struct app *app, const struct looked_at *next)
{
    struct looked_at const before = looked_at_now(app);
    app->run = next->run;
    app->playback = next->playback;
    app->position = next->position;
    app->beat_position = next->beat_position;
    app->block = next->block;
    app->open.setting = next->setting;
    return before;
}

static bool look_at_other(struct app *app, struct looked_at *other)
{
    struct above *above = &app->above;
    struct error error;
    struct kept_run *kept = app_kept_run(app, &app->open.other, &error);
    if (!kept)
        return false;
    if (above->run != kept->run || above->block != app->block) {
        arena_reset(&above->arena);
        above->playback = playback_new(&above->arena, kept->run->trace, app->block);
        above->run = kept->run;
        above->block = app->block;
    }
    struct playback_place const place = playback_place(app->playback, app->position);
    size_t const position = above->playback->count ? playback_find_place(above->playback, &place) : 0;
    *other = (struct looked_at){.run = kept->run,
                                .playback = above->playback,
                                .position = position,
                                .beat_position = app->position == app->beat_position ? position : SIZE_MAX,
                                .block = app->block,
                                .setting = app->open.other.setting};
    return true;
}

/* With the mouse and the keys taken away, so that nothing of it can be used. */
static void draw_other(struct app *app, const struct view *below, struct rect box, bool compact, const char *name,
                       const struct looked_at *other)
{
    struct ui_input const input = app->ui.input;
    struct looked_at const mine = exchange(app, other);
    struct scene scene;
    app_scene(app, &scene);
    app_motion(app, &scene);
    struct view view = *below;
    view.scene = &scene;
    view.hot = 0;
    view.hot_next = NULL;
    app->ui.input = (struct ui_input){0};
    draw_stage(app, &view, box, compact, name);
    app->ui.input = input;
    exchange(app, &mine);
}

struct panel_action draw_both(struct app *app, struct view *view, struct rect box, bool compact)
{
    struct looked_at const now = looked_at_now(app);
    struct looked_at other;
    float u = app->ui.unit;
    if (!app->run || !look_at_other(app, &other)) {
        app->open.above = false; /* asked again with Shift+Tab, not in each frame */
        return draw_stage(app, view, box, compact, NULL);
    }
    const char *a = arena_format(&app->frame, "A · %s", look_name(app, &other, &now));
    const char *b = arena_format(&app->frame, "B · %s", look_name(app, &now, &other));
    struct rect top = rect_cut_top(&box, (box.h - 16 * u) / 2);
    draw_other(app, view, top, compact, a, &other);
    rect_cut_top(&box, 8 * u);
    draw_line(&app->ui.draw, (struct point){box.x, box.y}, (struct point){box.x + box.w, box.y}, 2 * u,
              ui_color(&app->ui, COLOR_EDGE));
    rect_cut_top(&box, 8 * u);
    return draw_stage(app, view, box, compact, b);
}
