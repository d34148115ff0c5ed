/* The bar on top: where one is, who ran what is shown, and the few switches a mouse needs. Below it, when there is
 * something to say, the notice. */
#include "app/state.h"
#include <math.h>
#include <string.h>

/* Without the maker: "H200". */
static const char *short_device(const char *device)
{
    return strncmp(device, "NVIDIA ", 7) == 0 ? device + 7 : device;
}

struct badge {
    const char *texts[3]; /* from the longest to the shortest; NULL: no more */
    const char *tip;
    enum ui_border border;
};

static void recorded_badge(struct app *app, const struct trace *trace, struct badge *badge)
{
    struct arena *arena = &app->frame;
    const char *device = trace->device, *driver = trace->driver, *date = trace->date;
    badge->border = UI_DASHED;
    badge->texts[0] = arena_format(arena, _("RECORDED · %s · driver %s · %s"), device, driver, date);
    badge->texts[1] = arena_format(arena, _("RECORDED · %s · %s"), device, date);
    badge->texts[2] = arena_format(arena, _("RECORDED · %s"), device);
    badge->tip = arena_format(arena, _("the accesses that %s made, in the order in which its warps ran (E)"), device);
}

/* Without a GPU's trace, its counters may still speak for the launch. */
static void counted_badge(struct app *app, struct badge *badge)
{
    const struct run *run = app->run ? app->run : app->file.run;
    bool same = false;
    const char *words = app_machine_words(app, &same);
    badge->texts[0] = _("EMULATOR");
    badge->tip = app->run ? _("this setting was not recorded on a GPU") : NULL;
    if (!words || !same)
        return;
    badge->texts[0] =
        arena_format(&app->frame, _("EMULATOR · same counts as the %s"), short_device(run->machine.device));
    badge->texts[1] = _("EMULATOR");
    badge->tip = words;
}

static void emulator_badge(struct app *app, struct badge *badge)
{
    const struct likeness *likeness = app_likeness(app);
    if (!likeness) {
        counted_badge(app, badge);
        return;
    }
    const char *device = short_device(likeness->device);
    bool same = likeness->verdict == LIKE_SAME;
    badge->texts[0] = arena_format(
        &app->frame, same ? _("EMULATOR · same accesses as the %s") : _("EMULATOR · not quite as the %s"), device);
    badge->texts[1] = arena_format(&app->frame, same ? _("EMULATOR = %s") : _("EMULATOR ≠ %s"), device);
    badge->texts[2] = _("EMULATOR");
    badge->tip =
        same ? arena_format(&app->frame, _("compared with the %s's own trace, access by access: the same (E shows it)"),
                            device)
             : app_likeness_words(likeness);
}

static struct badge badge_now(struct app *app)
{
    struct badge badge = {.border = UI_SOLID};
    const struct run *run = app->run ? app->run : app->file.run;
    const struct trace *trace = app->file.trace;
    if (!run && !trace) {
        badge.border = UI_GREY;
        badge.texts[0] = _("NONE · nothing has run");
        badge.texts[1] = _("NONE");
    } else if (run && run->executor == EXECUTOR_GPU) {
        badge.texts[0] = arena_format(&app->frame, _("LIVE · %s · driver %s"), run->trace->device, run->trace->driver);
        badge.texts[1] = arena_format(&app->frame, _("LIVE · %s"), run->trace->device);
    } else if (run && run->executor != EXECUTOR_RECORDING) {
        emulator_badge(app, &badge);
    } else if ((run ? run->trace : trace)->device[0]) {
        recorded_badge(app, run ? run->trace : trace, &badge);
    } else {
        badge.border = UI_DASHED;
        badge.texts[0] = _("RECORDED · emulator");
    }
    return badge;
}

/* The longest text that leaves room for the title and the dots; a click flips to the next executor. */
static void draw_badge(struct app *app, struct rect *box)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    struct badge badge = badge_now(app);
    int chosen = -1;
    float width = 0;
    for (int i = 0; i < 3 && badge.texts[i] && chosen < 0; i++) {
        width = ui_text_width(ui, FONT_BOLD, text_caption(ui), badge.texts[i]) + 44 * u;
        if (width < box->w * (i < 2 && badge.texts[i + 1] ? 0.42f : 0.5f))
            chosen = i;
    }
    if (chosen < 0)
        return;
    struct rect place = rect_cut_right(box, width);
    place = rect_inset(place, 0, fmaxf(0, (place.h - 34 * u) / 2));
    ui_badge(ui, place, badge.border, badge.texts[chosen]);
    rect_cut_right(box, 16 * u);
    if (!app->run && !app->file.run)
        return;
    ui_id id = ui_id_text("badge");
    ui_focusable(ui, id, place, place.h / 2);
    if (badge.tip)
        ui_tip(ui, place, "%s", badge.tip);
    if (ui_area(ui, id, place))
        app_flip(app);
}

static void beat_dots(struct app *app, struct rect box)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    int count = app->open.lesson->beat_count;
    const char *text = arena_format(&app->frame, _("step %d of %d"), app->open.beat + 1, count);
    float words = ui_text_width(ui, FONT_TEXT, text_caption(ui), text) + 14 * u;
    float step = 23 * u;
    if ((float)count * step + words > box.w)
        step = 0;
    for (int i = 0; i < count && step > 0; i++) {
        bool now = i == app->open.beat;
        float size = (now ? 13 : 10) * u;
        struct rect place = rect_cut_left(&box, step);
        struct rect dot = {place.x + (step - size) / 2, place.y + (place.h - size) / 2, size, size};
        if (i <= app->open.beat)
            draw_fill(&ui->draw, dot, size, ui_color(ui, COLOR_ACCESS));
        else
            draw_outline(&ui->draw, dot, size, fmaxf(1.5f, 1.5f * u), ui_color(ui, COLOR_ACCESS));
        if (now)
            draw_outline(&ui->draw, rect_inset(dot, -3 * u, -3 * u), size, fmaxf(1, u), ui_color(ui, COLOR_ACCESS));
        if (ui_area(ui, ui_id_child(ui_id_text("beat"), (uint32_t)i), place))
            app_go_beat(app, i);
        ui_tip(ui, place, _("step %d"), i + 1);
    }
    rect_cut_left(&box, 10 * u);
    ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), text);
}

static bool link_button(struct app *app, struct rect *box, const char *text, bool strong, const char *tip)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    enum font_role role = strong ? FONT_BOLD : FONT_TEXT;
    float width = ui_text_width(ui, role, text_caption(ui), text) + 26 * u;
    if (width > box->w)
        return false;
    struct rect at = rect_cut_right(box, width);
    bool hot = ui_hovered(ui, at);
    ui_label(ui, at, role, text_caption(ui), UI_CENTER, ui_color(ui, hot ? COLOR_ACCESS : COLOR_TEXT_DIM), text);
    ui_focusable(ui, ui_id_text(tip), rect_inset(at, 2 * u, 12 * u), 4 * u);
    ui_tip(ui, at, "%s", tip);
    return ui_area(ui, ui_id_text(tip), at);
}

static void switches(struct app *app, struct rect *box)
{
    if (link_button(app, box, _("? keys"), false, _("all keys (?)")))
        app->help = true;
    if (link_button(app, box, app->presenting ? _("Leave") : _("Present"), false, _("present (F11)")))
        app_present(app, !app->presenting);
    if (link_button(app, box, app->dark ? _("Light") : _("Dark"), false, _("light or dark (T)"))) {
        app->dark = !app->dark;
        app->theme_chosen = true;
    }
    if (link_button(app, box, app->language == LANGUAGE_KO ? "EN" : "한국어", true, _("language (L)"))) {
        app->language = (app->language + 1) % LANGUAGE_COUNT;
        language_use(app->language);
    }
}

void draw_top_bar(struct app *app, struct rect box)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_BAR));
    draw_line(&ui->draw, (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y + box.h},
              hairline(ui), ui_color(ui, COLOR_EDGE));
    box = rect_inset(box, 24 * u, 0);
    float home_w = ui_text_width(ui, FONT_BOLD, 20 * u, "Lanescope") + 2;
    struct rect home = rect_cut_left(&box, home_w);
    ui_label(ui, home, FONT_BOLD, 20 * u, UI_LEFT, ui_color(ui, ui_hovered(ui, home) ? COLOR_ACCESS : COLOR_TEXT_DIM),
             "Lanescope");
    ui_tip(ui, home, _("all lessons"));
    if (ui_area(ui, ui_id_text("home"), home) && app->screen != SCREEN_LIST) {
        app->screen = SCREEN_LIST;
        app->playing = false;
        return;
    }
    switches(app, &box);
    if (app->screen == SCREEN_LIST)
        return;
    rect_cut_left(&box, 20 * u);
    rect_cut_right(&box, 12 * u);
    draw_badge(app, &box);
    const char *title = app->screen == SCREEN_LESSON ? app->open.lesson->title[app->language] : app->file.name;
    float title_w =
        fminf(ui_text_width(ui, FONT_BOLD, 22 * u, title) + 2, box.w * (app->screen == SCREEN_LESSON ? 0.6f : 1));
    ui_label(ui, rect_cut_left(&box, title_w), FONT_BOLD, 22 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), title);
    rect_cut_left(&box, 40 * u);
    if (app->screen == SCREEN_LESSON && box.w > 110 * u)
        beat_dots(app, box);
}

void draw_notice(struct app *app, struct rect box)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    enum color_role role = app->notice_bad ? COLOR_CONFLICT : COLOR_ACCESS;
    draw_fill(&ui->draw, box, 0, ui_color(ui, app->notice_bad ? COLOR_CONFLICT_SOFT : COLOR_ACCESS_SOFT));
    struct rect edge = {box.x, box.y, 8 * u, box.h};
    draw_fill(&ui->draw, edge, 0, ui_color(ui, role));
    if (app->notice_bad)
        draw_hatch(&ui->draw, edge, 6 * u, 2 * u, ui_color(ui, COLOR_ON_ACCENT));
    box = rect_inset(box, 24 * u, 4 * u);
    struct rect close = rect_cut_right(&box, 34 * u);
    ui_label(ui, close, FONT_BOLD, 20 * u, UI_CENTER, ui_color(ui, COLOR_TEXT), "×");
    if (ui_area(ui, ui_id_text("close notice"), close))
        app->notice[0] = 0;
    ui_tip(ui, box, "%s", app->notice);
    ui_label(ui, box, FONT_TEXT, text_body(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
             arena_text(&app->frame, app->notice));
}
