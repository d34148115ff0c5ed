/* The buttons that move through a run: to its ends, by accesses, by passes; to play; the speed; the overview. */
#include "view/cards/cards.h"
#include <math.h>

/* The marks of a button: chevrons, as many as the step is large, and a bar for the end of the run. */
struct leap {
    enum action_kind kind;
    int direction, chevrons;
    bool bar;
    int left_out; /* the buttons with 1 are the first to go where room is short; 0: never */
    const char *id, *tip;
};
static const struct leap leaps[] = {
    {ACTION_GO_END, -1, 2, true, 1, "first", N_("first event (Home)")},
    {ACTION_STEP_ACCESS, -1, 2, false, 0, "access before", N_("previous access (←)")},
    {ACTION_STEP_PASS, -1, 1, false, 2, "pass before", N_("previous pass (Alt + ←)")},
    {ACTION_PLAY, 0, 0, false, 0, "play", NULL},
    {ACTION_STEP_PASS, 1, 1, false, 2, "pass after", N_("next pass (Alt + →)")},
    {ACTION_STEP_ACCESS, 1, 2, false, 0, "access after", N_("next access (→)")},
    {ACTION_GO_END, 1, 2, true, 1, "last", N_("last event (End)")},
    {ACTION_OVERVIEW, 0, 0, false, 0, "overview", N_("overview: all warps of the block along the clock (O)")},
};
enum { LEAPS = (int)(sizeof leaps / sizeof *leaps), LEAP_WIDTH = 32, PLAY_WIDTH = 44, SPEED_HEIGHT = 26 };

static void draw_chevrons(struct view *view, struct rect box, const struct leap *leap, struct color color)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, tall = 8 * u, wide = 6 * u, gap = 7 * u, line = fmaxf(2, 2.2f * u);
    float const whole = wide + gap * (float)(leap->chevrons - 1) + (leap->bar ? gap : 0);
    float const way = (float)leap->direction, y = box.y + box.h / 2;
    float x = box.x + box.w / 2 - way * whole / 2;
    for (int i = 0; i < leap->chevrons; i++, x += way * gap) {
        struct point const tip = {x + way * wide, y};
        draw_line(&ui->draw, (struct point){x, y - tall}, tip, line, color);
        draw_line(&ui->draw, (struct point){x, y + tall}, tip, line, color);
    }
    if (leap->bar)
        draw_line(&ui->draw, (struct point){x + way * (wide - 1 * u), y - tall},
                  (struct point){x + way * (wide - 1 * u), y + tall}, line, color);
}

static void draw_play(struct view *view, struct rect box, bool playing, struct color color)
{
    struct ui *ui = view->ui;
    float const s = fminf(box.w, box.h) * 0.34f;
    struct point const middle = {box.x + box.w / 2, box.y + box.h / 2};
    if (playing) {
        draw_fill(&ui->draw, (struct rect){middle.x - s, middle.y - s, s * 0.7f, s * 2}, 1, color);
        draw_fill(&ui->draw, (struct rect){middle.x + s * 0.3f, middle.y - s, s * 0.7f, s * 2}, 1, color);
        return;
    }
    struct point const triangle[3] = {
        {middle.x - s * 0.8f, middle.y - s}, {middle.x + s, middle.y}, {middle.x - s * 0.8f, middle.y + s}};
    draw_polygon(&ui->draw, triangle, 3, color);
}

/* Draws three warps along a clock: the sign of the overview. */
static void draw_rows(struct view *view, struct rect box, struct color color)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, wide = 20 * u, thick = 4 * u, y = box.y + box.h / 2, x = box.x + (box.w - wide) / 2;
    static const float begins[] = {0, 0.3f, 0.15f}, ends[] = {0.6f, 1, 0.75f};
    for (int i = 0; i < 3; i++)
        draw_fill(&ui->draw,
                  (struct rect){x + wide * begins[i], y + (float)(i - 1) * 7 * u - thick / 2,
                                wide * (ends[i] - begins[i]), thick},
                  1, color);
}

static void one_button(struct view *view, struct rect box, const struct leap *leap, bool playing, struct action *action)
{
    struct ui *ui = view->ui;
    ui_id const id = ui_id_child(ui_id_text("transport"), ui_id_text(leap->id));
    struct color const color = ui_color(ui, ui_hovered(ui, box) ? COLOR_ACCESS : COLOR_TEXT);
    if (leap->kind == ACTION_PLAY)
        draw_play(view, box, playing, color);
    else if (leap->kind == ACTION_OVERVIEW)
        draw_rows(view, box, color);
    else
        draw_chevrons(view, box, leap, color);
    ui_focusable(ui, id, box, 6 * ui->unit);
    ui_tip(ui, box, "%s", leap->tip ? _(leap->tip) : playing ? _("pause (Space)") : _("play from here (Space)"));
    if (ui_area(ui, id, box))
        *action = (struct action){.kind = leap->kind, .value = leap->direction};
}

static void speed_buttons(struct view *view, struct rect box, float speed, struct action *action)
{
    struct ui *ui = view->ui;
    const char *text = arena_format(view->arena, speed < 1 ? "%.2gx" : "%.0fx", (double)speed);
    float const width = 30 * ui->unit, all = 2 * width + 56 * ui->unit;
    box = (struct rect){box.x + (box.w - all) / 2, box.y, all, box.h};
    struct rect const ends[2] = {rect_cut_left(&box, width), rect_cut_right(&box, width)};
    ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT_DIM), text);
    ui_tip(ui, box, "%s", _("speed: ; slower, ' faster"));
    bool const wheel = ui_hovered(ui, box) && ui->input.wheel != 0;
    if (wheel)
        *action = (struct action){.kind = ACTION_SPEED, .value = ui->input.wheel < 0 ? -1 : 1};
    for (int i = 0; i < 2; i++) {
        ui_id const id = ui_id_text(i ? "faster" : "slower");
        ui_label(ui, ends[i], FONT_BOLD, text_body(ui), UI_CENTER,
                 ui_color(ui, ui_hovered(ui, ends[i]) ? COLOR_ACCESS : COLOR_TEXT), i ? "+" : "−");
        ui_focusable(ui, id, ends[i], 4 * ui->unit);
        ui_tip(ui, ends[i], "%s", i ? _("faster (')") : _("slower (;)"));
        if (ui_area(ui, id, ends[i]))
            *action = (struct action){.kind = ACTION_SPEED, .value = i ? 1 : -1};
    }
}

static bool has_room(const struct view *view, const struct leap *leap, float width)
{
    static const float least[] = {0, 740, 520}; /* units, by left_out */
    return width >= least[leap->left_out] * view->ui->unit;
}

struct action view_transport(struct view *view, struct rect *box, bool playing, float speed)
{
    float const u = view->ui->unit;
    float const room = box->w;
    float width = PLAY_WIDTH - LEAP_WIDTH;
    for (int i = 0; i < LEAPS; i++)
        width += has_room(view, &leaps[i], room) ? LEAP_WIDTH : 0;
    struct rect part = rect_cut_left(box, width * u);
    float const margin = fmaxf(2 * u, (part.h - 76 * u) / 2);
    part = rect_inset(part, 0, margin);
    struct action action = NO_ACTION;
    speed_buttons(view, rect_cut_bottom(&part, SPEED_HEIGHT * u), speed, &action);
    for (int i = 0; i < LEAPS; i++)
        if (has_room(view, &leaps[i], room))
            one_button(view, rect_cut_left(&part, (leaps[i].kind == ACTION_PLAY ? PLAY_WIDTH : LEAP_WIDTH) * u),
                       &leaps[i], playing, &action);
    return action;
}
