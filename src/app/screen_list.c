/* The first screen: the lessons as cards, and what else the program opens. Also the list of keys, which covers all. */
#include "app/state.h"
#include <math.h>

static float card_height(struct app *app, float width)
{
    struct ui *ui = &app->ui;
    float most = 0;
    for (size_t i = 0; i < app->card_count; i++) {
        struct ui_span span = {app->cards[i].summary[app->language], FONT_TEXT, COLOR_TEXT};
        most = fmaxf(most, ui_paragraph_height(ui, width - 48 * ui->unit, text_body(ui), &span, 1));
    }
    return most + 120 * ui->unit;
}

static bool one_card(struct app *app, struct rect box, size_t index)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    const struct lesson_card *card = &app->cards[index];
    bool chosen = index == app->card;
    ui_card(ui, box);
    if (chosen || ui_hovered(ui, box))
        draw_outline(&ui->draw, box, 6 * u, fmaxf(2, 2 * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, ui_id_child(ui_id_text("card"), (uint32_t)index), box, 6 * u);
    bool clicked = ui_area(ui, ui_id_child(ui_id_text("card"), (uint32_t)index), box);
    struct rect inner = rect_inset(box, 24 * u, 18 * u);
    ui_label(ui, rect_cut_top(&inner, 34 * u), FONT_BOLD, 24 * u, UI_LEFT, ui_color(ui, COLOR_TEXT),
             arena_format(&app->frame, "%zu  %s", index + 1, card->title[app->language]));
    rect_cut_top(&inner, 6 * u);
    struct rect foot = rect_cut_bottom(&inner, 26 * u);
    ui_text(ui, inner, FONT_TEXT, text_body(ui), COLOR_TEXT, card->summary[app->language]);
    ui_label(ui, foot, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             arena_format(&app->frame, _("%d steps"), card->beats));
    return clicked;
}

static void list_problems(struct app *app, struct rect box)
{
    struct ui *ui = &app->ui;
    for (size_t i = 0; i < app->card_error_count; i++) {
        char line[1024];
        error_line(&app->card_errors[i], line, sizeof line);
        float used = ui_text(ui, box, FONT_TEXT, text_caption(ui), COLOR_CONFLICT, arena_text(&app->frame, line));
        rect_cut_top(&box, used + 6 * ui->unit);
    }
    if (!app->card_count && !app->card_error_count)
        ui_text(ui, box, FONT_TEXT, text_body(ui), COLOR_CONFLICT,
                _("no lessons were found; set LANESCOPE_DATA to the folder that holds lessons/ and kernels/"));
}

void screen_list(struct app *app)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    struct layout layout = app_layout(app, app->notice[0] != 0);
    draw_top_bar(app, layout.top);
    if (app->screen != SCREEN_LIST)
        return;
    if (app->notice[0])
        draw_notice(app, layout.notice);
    struct rect all = {24 * u, layout.top.h + layout.notice.h, (float)app->width - 48 * u, 0};
    all.h = (float)app->height - all.y - 20 * u;
    float width = fminf(all.w, 1240 * u);
    all.x += (all.w - width) / 2;
    all.w = width;
    rect_cut_top(&all, fminf(60 * u, all.h * 0.08f));
    ui_label(ui, rect_cut_top(&all, 56 * u), FONT_BOLD, 40 * u, UI_LEFT, ui_color(ui, COLOR_TEXT),
             _("What a kernel does to memory, lane by lane"));
    ui_label(ui, rect_cut_top(&all, 34 * u), FONT_TEXT, text_body(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             _("Choose a lesson: a click, or the arrows and Enter. A .cu, .ptx or .trace file can be dropped here."));
    rect_cut_top(&all, 24 * u);
    int across = all.w > 820 * u ? 2 : 1;
    float gap = 22 * u, height = card_height(app, (all.w - gap * (float)(across - 1)) / (float)across);
    size_t clicked = SIZE_MAX;
    for (size_t i = 0; i < app->card_count && all.h > 40 * u; i += (size_t)across) {
        struct rect row = rect_cut_top(&all, fminf(height, all.h));
        rect_cut_top(&all, gap);
        for (size_t j = i; j < app->card_count && j < i + (size_t)across; j++)
            if (one_card(app, rect_column(row, (int)(j - i), across, gap), j))
                clicked = j;
    }
    list_problems(app, all);
    if (clicked != SIZE_MAX) {
        app->card = clicked;
        app_commit(app);
    }
}

void screen_help(struct app *app)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    struct rect all = rect_inset(ui->screen, 36 * u, 28 * u);
    ui_label(ui, rect_cut_top(&all, 50 * u), FONT_BOLD, 30 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), _("Keys"));
    struct rect foot = rect_cut_bottom(&all, 56 * u);
    ui_text(ui, foot, FONT_TEXT, text_caption(ui), COLOR_TEXT_DIM,
            _("The mouse does everything too: hover names a cell, a click on a line of code filters to it. Any key "
              "closes this list."));
    struct help_row *rows;
    size_t count = app_help(&app->frame, &rows);
    int across = all.w > 1000 * u ? 2 : 1;
    size_t per = (count + (size_t)across - 1) / (size_t)across;
    float height = fminf(38 * u, (all.h - 10 * u) / (float)per);
    float keys_w = 0;
    for (size_t i = 0; i < count; i++)
        keys_w = fmaxf(keys_w, ui_text_width(ui, FONT_BOLD, text_body(ui), rows[i].keys) + 18 * u);
    for (size_t i = 0; i < count; i++) {
        struct rect column = rect_column(all, (int)(i / per), across, 32 * u);
        struct rect row = {column.x, column.y + (float)(i % per) * height, column.w, height};
        ui_label(ui, rect_cut_left(&row, keys_w), FONT_BOLD, fminf(text_body(ui), height * 0.8f), UI_LEFT,
                 ui_color(ui, COLOR_ACCESS), rows[i].keys);
        ui_label(ui, row, FONT_TEXT, fminf(text_body(ui), height * 0.8f), UI_LEFT, ui_color(ui, COLOR_TEXT),
                 rows[i].text);
    }
    if (ui_area(ui, ui_id_text("help"), ui->screen))
        app->help = false;
}
