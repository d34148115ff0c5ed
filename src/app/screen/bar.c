/* The bar on top: the title, the executor's badge, and switches for the mouse. Below it stands the notice, if there is
 * one. */
#include "app/commands/commands.h"
#include "app/document/machine.h"
#include "app/screen/screen.h"
#include <math.h>

struct badge {
    const char *texts[3]; /* from the longest to the shortest; NULL: no more */
    const char *tip;
    enum ui_border border;
};

static void recorded_badge(struct drawing *drawing, const struct trace *trace, struct badge *badge)
{
    struct arena *arena = drawing->arena;
    const char *device = trace->device, *driver = trace->driver, *date = trace->date;
    badge->border = UI_DASHED;
    badge->texts[0] = arena_format(arena, _("RECORDED · %s · driver %s · %s"), device, driver, date);
    badge->texts[1] = arena_format(arena, _("RECORDED · %s · %s"), device, date);
    badge->texts[2] = arena_format(arena, _("RECORDED · %s"), device);
    badge->tip = arena_format(arena, _("the accesses that %s made, in the order in which its warps ran (E)"), device);
}

/* Fills the badge of a run that has no GPU's trace, by a profiler's counters if it has them. */
static void counted_badge(struct drawing *drawing, struct badge *badge)
{
    const struct run *run = document_run(drawing->document);
    bool same = false;
    const char *words = machine_words(document_run(drawing->document), drawing->arena, &same);
    badge->texts[0] = _("EMULATOR");
    badge->tip = drawing->document->run ? _("this setting was not recorded on a GPU") : NULL;
    if (!words || !same)
        return;
    badge->texts[0] =
        arena_format(drawing->arena, _("EMULATOR · same counts as the %s"), machine_short_name(run->machine.device));
    badge->texts[1] = _("EMULATOR");
    badge->tip = words;
}

static void emulator_badge(struct drawing *drawing, struct badge *badge)
{
    const struct likeness *likeness = document_likeness(drawing->document);
    if (!likeness) {
        counted_badge(drawing, badge);
        return;
    }
    const char *device = machine_short_name(likeness->device);
    bool same = likeness->verdict == LIKE_SAME;
    badge->texts[0] = arena_format(
        drawing->arena, same ? _("EMULATOR · same accesses as the %s") : _("EMULATOR · differs from the %s"), device);
    badge->texts[1] = arena_format(drawing->arena, same ? _("EMULATOR = %s") : _("EMULATOR ≠ %s"), device);
    badge->texts[2] = _("EMULATOR");
    badge->tip =
        same ? arena_format(drawing->arena,
                            _("compared with the %s's own trace, access by access: the same (E shows it)"), device)
             : likeness_words(likeness);
}

static struct badge badge_now(struct drawing *drawing)
{
    struct badge badge = {.border = UI_SOLID};
    const struct run *run = document_run(drawing->document);
    const struct trace *trace = drawing->document->file.trace;
    if (!run && !trace) {
        badge.border = UI_GREY;
        badge.texts[0] = _("NONE · nothing has run");
        badge.texts[1] = _("NONE");
    } else if (run && run->executor == EXECUTOR_GPU) {
        badge.texts[0] =
            arena_format(drawing->arena, _("LIVE · %s · driver %s"), run->trace->device, run->trace->driver);
        badge.texts[1] = arena_format(drawing->arena, _("LIVE · %s"), run->trace->device);
    } else if (run && run->executor != EXECUTOR_RECORDING) {
        emulator_badge(drawing, &badge);
    } else if ((run ? run->trace : trace)->device[0]) {
        recorded_badge(drawing, run ? run->trace : trace, &badge);
    } else {
        badge.border = UI_DASHED;
        badge.texts[0] = _("RECORDED · emulator");
    }
    return badge;
}

/* Draws the badge with the longest text that leaves room for the title and the dots. A click flips to the next
 * executor. */
static void draw_badge(struct drawing *drawing, struct rect *box)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    struct badge badge = badge_now(drawing);
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
    if (!drawing->document->run && !drawing->document->file.run)
        return;
    ui_id id = ui_id_text("badge");
    ui_focusable(ui, id, place, place.h / 2);
    if (badge.tip)
        ui_tip(ui, place, "%s", badge.tip);
    if (ui_area(ui, id, place))
        drawing_ask(drawing, ACTION_FLIP, 0);
}

static void beat_dots(struct drawing *drawing, struct rect box)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    int count = drawing->document->lesson->beat_count;
    const char *text = arena_format(drawing->arena, _("step %d of %d"), drawing->document->beat + 1, count);
    float words = ui_text_width(ui, FONT_TEXT, text_caption(ui), text) + 14 * u;
    float step = 23 * u;
    if ((float)count * step + words > box.w)
        step = 0;
    for (int i = 0; i < count && step > 0; i++) {
        bool now = i == drawing->document->beat;
        float size = (now ? 13 : 10) * u;
        struct rect place = rect_cut_left(&box, step);
        struct rect dot = {place.x + (step - size) / 2, place.y + (place.h - size) / 2, size, size};
        if (i <= drawing->document->beat)
            draw_fill(&ui->draw, dot, size, ui_color(ui, COLOR_ACCESS));
        else
            draw_outline(&ui->draw, dot, size, fmaxf(1.5f, 1.5f * u), ui_color(ui, COLOR_ACCESS));
        if (now)
            draw_outline(&ui->draw, rect_inset(dot, -3 * u, -3 * u), size, fmaxf(1, u), ui_color(ui, COLOR_ACCESS));
        if (ui_area(ui, ui_id_child(ui_id_text("beat"), (uint32_t)i), place))
            drawing_ask(drawing, ACTION_GO_BEAT, i);
        ui_tip(ui, place, _("step %d"), i + 1);
    }
    rect_cut_left(&box, 10 * u);
    ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), text);
}

/* Draws a word that asks for an action, if there is room for it. */
static void link_button(struct drawing *drawing, struct rect *box, const char *text, bool strong, enum action_kind kind)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    const char *tip = action_tip(kind);
    enum font_role role = strong ? FONT_BOLD : FONT_TEXT;
    float width = ui_text_width(ui, role, text_caption(ui), text) + 26 * u;
    if (width > box->w)
        return;
    struct rect at = rect_cut_right(box, width);
    bool hot = ui_hovered(ui, at);
    ui_label(ui, at, role, text_caption(ui), UI_CENTER, ui_color(ui, hot ? COLOR_ACCESS : COLOR_TEXT_DIM), text);
    ui_focusable(ui, ui_id_text(tip), rect_inset(at, 2 * u, 12 * u), 4 * u);
    ui_tip(ui, at, "%s", tip);
    if (ui_area(ui, ui_id_text(tip), at))
        drawing_ask(drawing, kind, 0);
}

static void switches(struct drawing *drawing, struct rect *box)
{
    const struct preferences *preferences = drawing->preferences;
    link_button(drawing, box, _("? keys"), false, ACTION_HELP);
    link_button(drawing, box, preferences->presenting ? _("Leave") : _("Present"), false, ACTION_PRESENT);
    link_button(drawing, box, preferences->dark ? _("Light") : _("Dark"), false, ACTION_THEME);
    link_button(drawing, box, preferences->language == LANGUAGE_KO ? "EN" : "한국어", true, ACTION_LANGUAGE);
}

void draw_top_bar(struct drawing *drawing, struct rect box)
{
    struct ui *ui = drawing->ui;
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
    if (ui_area(ui, ui_id_text("home"), home))
        drawing_ask(drawing, ACTION_HOME, 0);
    switches(drawing, &box);
    if (drawing->at_list)
        return;
    rect_cut_left(&box, 20 * u);
    rect_cut_right(&box, 12 * u);
    draw_badge(drawing, &box);
    const char *title = drawing_lesson(drawing) ? drawing->document->lesson->title[drawing->preferences->language]
                                                : drawing->document->file.name;
    float title_w =
        fminf(ui_text_width(ui, FONT_BOLD, 22 * u, title) + 2, box.w * (drawing_lesson(drawing) ? 0.6f : 1));
    ui_label(ui, rect_cut_left(&box, title_w), FONT_BOLD, 22 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), title);
    rect_cut_left(&box, 40 * u);
    if (drawing_lesson(drawing) && box.w > 110 * u)
        beat_dots(drawing, box);
}

enum { NOTICE_LINE = 44 }; /* height of a notice of one line, in units */

float notice_height(const struct drawing *drawing)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, width = ui->screen.w - (2 * 24 + 34) * u;
    if (ui_text_width(ui, FONT_TEXT, text_body(ui), drawing->notice->text) <= width)
        return NOTICE_LINE * u;
    struct ui_span const span = {drawing->notice->text, FONT_TEXT, COLOR_TEXT};
    return fmaxf(NOTICE_LINE * u, ui_paragraph_height(ui, width, text_body(ui), &span, 1) + 12 * u);
}

void draw_notice(struct drawing *drawing, struct rect box)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    enum color_role role = drawing->notice->bad ? COLOR_CONFLICT : COLOR_ACCESS;
    draw_fill(&ui->draw, box, 0, ui_color(ui, drawing->notice->bad ? COLOR_CONFLICT_SOFT : COLOR_ACCESS_SOFT));
    struct rect edge = {box.x, box.y, 8 * u, box.h};
    draw_fill(&ui->draw, edge, 0, ui_color(ui, role));
    if (drawing->notice->bad)
        draw_hatch(&ui->draw, edge, 6 * u, 2 * u, ui_color(ui, COLOR_ON_ACCENT));
    box = rect_inset(box, 24 * u, 4 * u);
    struct rect close = rect_cut_right(&box, 34 * u);
    ui_label(ui, close, FONT_BOLD, 20 * u, UI_CENTER, ui_color(ui, COLOR_TEXT), "×");
    if (ui_area(ui, ui_id_text("close notice"), close))
        drawing_ask(drawing, ACTION_CLOSE_NOTICE, 0);
    ui_tip(ui, box, "%s", drawing->notice->text);
    if (notice_height(drawing) > NOTICE_LINE * u)
        ui_text(ui, box, FONT_TEXT, text_body(ui), COLOR_TEXT, drawing->notice->text);
    else
        ui_label(ui, box, FONT_TEXT, text_body(ui), UI_LEFT, ui_color(ui, COLOR_TEXT), drawing->notice->text);
}
