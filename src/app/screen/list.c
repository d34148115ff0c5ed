/* The first screen: the lessons as cards, and what else the program opens. Also the list of keys, which covers all. */
#include "app/state.h"
#include "view/panel.h"
#include <math.h>

/* Sizes of a card, in units: larger where the window has room. */
struct card_style {
    float title, text, emblem, pad;
};

static float card_height(struct app *app, float width, const struct card_style *style)
{
    struct ui *ui = &app->ui;
    float u = ui->unit, most = 0;
    for (size_t i = 0; i < app->card_count; i++) {
        struct ui_span span = {app->cards[i].summary[app->language], FONT_TEXT, COLOR_TEXT};
        most = fmaxf(most, ui_paragraph_height(ui, width - 2 * style->pad * u, style->text * u, &span, 1));
    }
    return most + (2 * style->pad + style->emblem + style->title * 1.4f + 58) * u;
}

static bool one_card(struct app *app, struct rect box, size_t index, const struct card_style *style)
{
    struct ui *ui = &app->ui;
    float u = ui->unit;
    const struct lesson_card *card = &app->cards[index];
    bool chosen = index == app->card;
    ui_card(ui, box);
    if (chosen || ui_hovered(ui, box))
        draw_outline(&ui->draw, box, 6 * u, fmaxf(2, 3 * u), ui_color(ui, COLOR_ACCESS));
    ui_focusable(ui, ui_id_child(ui_id_text("card"), (uint32_t)index), box, 6 * u);
    bool clicked = ui_area(ui, ui_id_child(ui_id_text("card"), (uint32_t)index), box);
    struct rect inner = rect_inset(box, style->pad * u, style->pad * u);
    if (style->emblem > 0 && inner.h > (style->emblem + 150) * u)
        draw_emblem(ui, rect_cut_top(&inner, style->emblem * u), card->stage);
    rect_cut_top(&inner, 12 * u);
    ui_label(ui, rect_cut_top(&inner, style->title * 1.4f * u), FONT_BOLD, style->title * u, UI_LEFT,
             ui_color(ui, COLOR_TEXT), arena_format(&app->frame, "%zu  %s", index + 1, card->title[app->language]));
    rect_cut_top(&inner, 6 * u);
    struct rect foot = rect_cut_bottom(&inner, 28 * u);
    ui_text(ui, inner, FONT_TEXT, style->text * u, COLOR_TEXT, card->summary[app->language]);
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
    if (app->awaited.here) { /* the list would be gone before anyone could read it */
        ui_label(ui, (struct rect){0, 0, (float)app->width, (float)app->height}, FONT_BOLD, 30 * u, UI_CENTER,
                 ui_color(ui, COLOR_TEXT), app->notice);
        return;
    }
    if (app->notice[0])
        draw_notice(app, layout.notice);
    struct rect all = {24 * u, layout.top.h + layout.notice.h, (float)app->width - 48 * u, 0};
    all.h = (float)app->height - all.y - 20 * u;
    bool const roomy = all.h > 800 * u && all.w > 1400 * u;
    struct card_style style = roomy ? (struct card_style){34, 22, 150, 36} : (struct card_style){24, 18, 90, 24};
    float width = fminf(all.w, (roomy ? 1560 : 1240) * u);
    all.x += (all.w - width) / 2;
    all.w = width;
    rect_cut_top(&all, all.h * (roomy ? 0.09f : 0.05f));
    ui_label(ui, rect_cut_top(&all, (roomy ? 76 : 56) * u), FONT_BOLD, (roomy ? 54 : 40) * u, UI_LEFT,
             ui_color(ui, COLOR_TEXT), _("What a kernel does to memory, lane by lane"));
    ui_label(ui, rect_cut_top(&all, 34 * u), FONT_TEXT, fmaxf(text_body(ui), style.text * 0.9f * u), UI_LEFT,
             ui_color(ui, COLOR_TEXT_DIM),
             _("Choose a lesson: a click, or the arrows and Enter. A .cu, .ptx or .trace file can be dropped here."));
    rect_cut_top(&all, (roomy ? 40 : 24) * u);
    int across = all.w > 820 * u ? 2 : 1, rows = ((int)app->card_count + across - 1) / across;
    float gap = 22 * u, card_w = (all.w - gap * (float)(across - 1)) / (float)across;
    float height = card_height(app, card_w, &style);
    if ((height + gap) * (float)rows > all.h) { /* many lessons, or little room: without the signs */
        style.emblem = 0;
        height = card_height(app, card_w, &style);
    }
    size_t clicked = SIZE_MAX;
    for (size_t i = 0; i < app->card_count && all.h > 40 * u; i += (size_t)across) {
        struct rect row = rect_cut_top(&all, fminf(height, all.h));
        rect_cut_top(&all, gap);
        for (size_t j = i; j < app->card_count && j < i + (size_t)across; j++)
            if (one_card(app, rect_column(row, (int)(j - i), across, gap), j, &style))
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
            _("The mouse does everything, too: point at a cell to see its name, click a line of code to see its "
              "accesses only. Any key closes this list."));
    struct help_row *rows;
    size_t count = app_help(&app->frame, &rows);
    int across = all.w > 1000 * u || all.h < 26 * u * (float)count ? 2 : 1;
    size_t per = (count + (size_t)across - 1) / (size_t)across;
    float height = fminf(58 * u, (all.h - 10 * u) / (float)per);
    float const column_w = rect_column(all, 0, across, 32 * u).w, gap = 22 * u;
    float size = fmaxf(text_body(ui), fminf(26 * u, height * 0.5f)), keys_w[2] = {0}, fits = 1;
    for (size_t i = 0; i < count; i++)
        keys_w[i / per] = fmaxf(keys_w[i / per], ui_text_width(ui, FONT_BOLD, size, rows[i].keys));
    for (size_t i = 0; i < count; i++)
        fits = fminf(fits, (column_w - gap) / (keys_w[i / per] + ui_text_width(ui, FONT_TEXT, size, rows[i].text)));
    size = fminf(height * 0.8f, fmaxf(text_caption(ui), floorf(size * fits)));
    for (size_t i = 0; i < count; i++) {
        struct rect column = rect_column(all, (int)(i / per), across, 32 * u);
        struct rect row = {column.x, column.y + (float)(i % per) * height, column.w, height};
        ui_label(ui, rect_cut_left(&row, keys_w[i / per] * fits + gap), FONT_BOLD, size, UI_LEFT,
                 ui_color(ui, COLOR_ACCESS), rows[i].keys);
        ui_label(ui, row, FONT_TEXT, size, UI_LEFT, ui_color(ui, COLOR_TEXT), rows[i].text);
    }
    if (ui_area(ui, ui_id_text("help"), ui->screen))
        app->help = false;
}
