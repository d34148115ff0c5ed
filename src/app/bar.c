/* The bar on top: where one is, who ran what is shown, and the few switches a mouse needs. Below it, when there is
 * something to say, the notice. */
#include "app/state.h"
#include <math.h>

static const char *badge_text(struct app *app, enum ui_border *border)
{
    *border = UI_SOLID;
    if (app->file.trace && !app->file.run) {
        *border = UI_DASHED;
        const struct trace *trace = app->file.trace;
        return trace->device[0] ? arena_format(&app->frame, _("RECORDED · %s"), trace->device)
                                : _("RECORDED · emulator");
    }
    const struct run *run = app->run ? app->run : app->file.run;
    if (!run) {
        *border = UI_GREY;
        return _("NO RUN");
    }
    switch (run->executor) {
    case RUN_GPU:
        return arena_format(&app->frame, _("GPU LIVE · %s"), run->trace->device);
    case RUN_RECORDING:
        *border = UI_DASHED;
        return arena_format(&app->frame, _("RECORDED · %s"), run->trace->device);
    case RUN_EMULATOR:
    case RUN_BEST:
        break;
    }
    return _("EMULATOR");
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
    enum ui_border border = UI_SOLID;
    const char *badge = badge_text(app, &border);
    float badge_w = ui_text_width(ui, FONT_BOLD, text_caption(ui), badge) + 44 * u;
    rect_cut_right(&box, 12 * u);
    if (badge_w < box.w * 0.5f) {
        struct rect at = rect_cut_right(&box, badge_w);
        ui_badge(ui, rect_inset(at, 0, fmaxf(0, (at.h - 34 * u) / 2)), border, badge);
        rect_cut_right(&box, 16 * u);
    }
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
