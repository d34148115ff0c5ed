/* Measured times, never modelled ones. The border is solid for LIVE, dashed for RECORDED and grey for NONE, which
 * leaves a gap. Bars are medians and whiskers quartiles. If quartiles overlap, the card says that there is no clear
 * difference. */
#include "model/gpu.h"
#include "view/cards/cards.h"
#include <math.h>
#include <string.h>

static float bar_height(const struct view *view)
{
    return 34 * view->ui->unit;
}

static float least_bar_height(const struct view *view)
{
    return 20 * view->ui->unit;
}

static const struct time_bar *current_bar(const struct time_view *time)
{
    for (int i = 0; i < time->count; i++)
        if (time->bars[i].current)
            return &time->bars[i];
    return time->count ? &time->bars[0] : NULL;
}

/* Returns the bar whose device the title names: the current one if it was measured, else the first that was. */
static const struct time_bar *named_bar(const struct time_view *time)
{
    const struct time_bar *current = current_bar(time);
    if (current && current->time.source != TIME_NONE)
        return current;
    for (int i = 0; i < time->count; i++)
        if (time->bars[i].time.source != TIME_NONE)
            return &time->bars[i];
    return NULL;
}

static const struct measured_time *named_time(const struct time_view *time)
{
    const struct time_bar *bar = named_bar(time);
    return bar ? &bar->time : NULL;
}

/* Returns the title, with the device's whole name if it fits into the width. */
static const char *title_text(struct view *view, const struct measured_time *time, float width)
{
    if (!time)
        return _("TIME · NOT MEASURED");
    const char *words = time->source == TIME_LIVE ? _("TIME · LIVE on %s") : _("TIME · RECORDED on %s");
    const char *whole = arena_format(view->arena, words, time->device);
    bool const fits = ui_text_width(view->ui, FONT_BOLD, text_caption(view->ui), whole) <= width;
    return fits ? whole : arena_format(view->arena, words, gpu_short_name(view->arena, time->device));
}

/* Returns the title of a card that has room for one bar of several: it says how many there are and, where there is
 * room, the device by its whole name or its short one. */
static const char *title_of_one(struct view *view, const struct measured_time *time, int count, float width)
{
    float const names[] = {INFINITY, 0}; /* the width of the title's own words: the whole name, the short one */
    for (int i = 0; i < 2; i++) {
        const char *title = title_text(view, time, names[i]);
        const char *whole = arena_format(view->arena, _("%s · times shown: 1 of %d"), title, count);
        if (!time || ui_text_width(view->ui, FONT_BOLD, text_caption(view->ui), whole) <= width)
            return whole;
    }
    return arena_format(view->arena, _("TIME · times shown: 1 of %d"), count);
}

static const char *whole_title(struct view *view, const struct time_view *time, const struct measured_time *named,
                               bool one, float width)
{
    return one ? title_of_one(view, named, time->count, width) : title_text(view, named, width);
}

/* Returns all bars in words. */
static const char *all_bars(struct view *view, const struct time_view *time)
{
    const char *text = "";
    for (int i = 0; i < time->count; i++) {
        const struct measured_time *of = &time->bars[i].time;
        text = arena_format(view->arena, "%s%s%s %s", text, i ? " · " : "", time->bars[i].label,
                            of->source == TIME_NONE ? _("none") : view_duration(view->arena, of->median));
    }
    return text;
}

/* Returns the state of the GPU during the measurement, as far as it is known: "; at 1980 MHz; 34 to 41 °C". */
static const char *state_text(struct view *view, const struct measured_time *time)
{
    struct arena *arena = view->arena;
    const unsigned *clock = time->state.clock_mhz, *degrees = time->state.temperature;
    const char *text = "";
    if (clock[0] && clock[0] == clock[1])
        text = arena_format(arena, _("; at %u MHz"), clock[0]);
    else if (clock[0])
        text = arena_format(arena, _("; at %u to %u MHz"), clock[0], clock[1]);
    if (degrees[0] && degrees[0] == degrees[1])
        text = arena_format(arena, _("%s; %u °C"), text, degrees[0]);
    else if (degrees[0])
        text = arena_format(arena, _("%s; %u to %u °C"), text, degrees[0], degrees[1]);
    return text;
}

static const char *note_text(struct view *view, const struct time_view *time)
{
    const struct measured_time *named = named_time(time);
    const struct time_bar *current = current_bar(time);
    if (!named)
        return _("nothing was measured for this setting");
    const char *verdict = "";
    bool several = false, overlap = false;
    for (int i = 0; i < time->count && current && current->time.source != TIME_NONE; i++) {
        const struct time_bar *bar = &time->bars[i];
        if (bar == current || bar->time.source == TIME_NONE)
            continue;
        several = true;
        overlap |= !time_differs(&bar->time, &current->time);
    }
    if (several && overlap)
        verdict = _("; overlapping quartiles: no clear difference");
    const char *subject = named_bar(time)->subject;
    const char *what = subject && *subject ? arena_format(view->arena, "%s; ", subject) : "";
    const char *from = named->driver[0] && named->source == TIME_RECORDED
                           ? arena_format(view->arena, _("; driver %s, %s"), named->driver, named->date)
                           : "";
    const char *inputs = named->beyond_cache ? _("; inputs larger than the L2") : "";
    const char *others = "";
    for (int i = 0; i < time->count; i++) { /* devices that the title does not name */
        const struct measured_time *other = &time->bars[i].time;
        if (other->source != TIME_NONE && (other->source != named->source || strcmp(other->device, named->device) != 0))
            others = arena_format(view->arena,
                                  other->source == TIME_LIVE ? _("; solid edge: live on %s")
                                                             : _("; dashed edge: recorded on %s"),
                                  other->device);
    }
    return arena_format(view->arena, _("%smedian of %u {launch|launches}, whiskers are quartiles%s%s%s%s"), what,
                        named->runs, inputs, from, others, verdict);
}

static float note_height(const struct view *view, const char *note, float width)
{
    struct ui_span span = {note, FONT_TEXT, COLOR_TEXT_DIM};
    return ui_paragraph_height(view->ui, width, text_caption(view->ui), &span, 1);
}

float card_time_height(const struct view *view, const struct time_view *time, float width)
{
    struct view copy = *view;
    float u = view->ui->unit;
    float height = 56 * u + bar_height(view) * (float)time->count;
    height += note_height(view, note_text(&copy, time), width - 36 * u);
    if (time->measure)
        height += 44 * u;
    if (time->why)
        height += 4 * u + note_height(view, time->why, width - 36 * u);
    return height;
}

float card_time_slot(const struct view *view, int bars)
{
    return 46 * view->ui->unit + (float)bars * (bars > 4 ? 26 : 32) * view->ui->unit +
           2 * 1.4f * text_caption(view->ui);
}

static void whisker(struct view *view, float from, float to, float y, float height)
{
    struct ui *ui = view->ui;
    struct color color = ui_color(ui, COLOR_TEXT);
    float line = fmaxf(1.5f, 1.5f * ui->unit);
    draw_line(&ui->draw, (struct point){from, y}, (struct point){to, y}, line, color);
    draw_line(&ui->draw, (struct point){from, y - height / 2}, (struct point){from, y + height / 2}, line, color);
    draw_line(&ui->draw, (struct point){to, y - height / 2}, (struct point){to, y + height / 2}, line, color);
}

static double bar_end(const struct time_bar *bar)
{
    return bar->time.source == TIME_NONE ? 0 : fmax(bar->time.p75, bar->time.median);
}

/* Returns the time that fills the width: the longest. A bar that dwarfs all others is broken instead, so that the
 * others can be told apart. */
static double full_width(const struct time_view *time)
{
    static const double dwarfs = 20, room = 1.25; /* the broken bar reaches so much farther than the others */
    double longest = 0, second = 0;
    for (int i = 0; i < time->count; i++) {
        double const end = bar_end(&time->bars[i]);
        second = fmax(second, fmin(end, longest));
        longest = fmax(longest, end);
    }
    double const full = second > 0 && longest > dwarfs * second ? room * second : longest;
    return full > 0 ? full : 1;
}

/* Draws two cuts through a bar that is longer than the room. */
static void break_bar(struct ui *ui, struct rect fill)
{
    float const slant = fill.h * 0.35f, half = fill.h * 0.65f;
    struct point const middle = {fill.x + fill.w - fill.h * 1.8f, fill.y + fill.h / 2};
    for (int side = -1; side <= 1; side += 2) {
        float const x = middle.x + (float)side * 3 * ui->unit;
        draw_line(&ui->draw, (struct point){x - slant, middle.y + half}, (struct point){x + slant, middle.y - half},
                  3 * ui->unit, ui_color(ui, COLOR_PANEL));
    }
}

/* Marks the other bars' times across the only bar that has room. */
static void other_marks(struct view *view, struct rect track, const struct time_view *time, const struct time_bar *only,
                        double full)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, above = 3 * u;
    for (int i = 0; i < time->count; i++) {
        const struct measured_time *other = &time->bars[i].time;
        float const x = track.x + track.w * (float)(other->median / full);
        if (&time->bars[i] == only || other->source == TIME_NONE || other->median > full)
            continue;
        struct rect const mark = {x - 1.5f * u, track.y - above, 3 * u, track.h + 2 * above};
        draw_fill(&ui->draw, mark, 1 * u, ui_color(ui, COLOR_TEXT));
        ui_tip(ui, rect_inset(mark, -3 * u, 0), "%s %s", time->bars[i].label,
               view_duration(view->arena, other->median));
    }
}

/* mixed: the card has bars of several sources, so each bar shows its own. others: where this is the only bar with room,
 * the card's times, which it marks; else NULL. */
static void one_bar(struct view *view, struct rect row, const struct time_bar *bar, bool mixed, float label_w,
                    float value_w, double full, const struct time_view *others)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    ui_label(ui, rect_cut_left(&row, label_w), bar->current ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_LEFT,
             ui_color(ui, COLOR_TEXT), bar->label);
    rect_cut_left(&row, 10 * u);
    struct rect value = rect_cut_right(&row, value_w);
    rect_cut_right(&row, 10 * u);
    struct rect track = rect_inset(row, 0, 7 * u * row.h / bar_height(view));
    if (others)
        other_marks(view, track, others, bar, full);
    if (bar->time.source == TIME_NONE) {
        draw_outline_dashed(&ui->draw, (struct rect){track.x, track.y, track.w * 0.25f, track.h}, 3 * u, hairline(ui),
                            4 * u, ui_color(ui, COLOR_IDLE));
        ui_label(ui, value, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), _("none"));
        return;
    }
    const char *ran = bar->subject && *bar->subject ? arena_format(view->arena, "%s: ", bar->subject) : "";
    float scale = track.w / (float)full;
    bool const broken = bar_end(bar) > full;
    struct rect fill = {track.x, track.y, broken ? track.w : fmaxf(2, (float)bar->time.median * scale), track.h};
    struct color color = ui_color(ui, bar->current ? COLOR_ACCESS : COLOR_IDLE);
    draw_fill(&ui->draw, fill, 3 * u, bar->current ? color : color_mix(color, ui_color(ui, COLOR_PANEL), 0.35f));
    if (mixed && bar->time.source == TIME_RECORDED)
        draw_outline_dashed(&ui->draw, fill, 3 * u, fmaxf(1.5f, 1.5f * u), 4 * u, ui_color(ui, COLOR_TEXT));
    if (broken)
        break_bar(ui, fill);
    else
        whisker(view, track.x + (float)bar->time.p25 * scale, track.x + (float)bar->time.p75 * scale,
                track.y + track.h / 2, track.h * 0.6f);
    ui_label(ui, value, FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
             view_duration(view->arena, bar->time.median));
    ui_tip(ui, row, _("%smedian %s, quartiles %s to %s%s"), ran, view_duration(view->arena, bar->time.median),
           view_duration(view->arena, bar->time.p25), view_duration(view->arena, bar->time.p75),
           state_text(view, &bar->time));
}

struct action card_time(struct view *view, struct rect box, const struct time_view *time)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    /* without room for all bars: the current one alone, and its device in the title */
    float const room = box.h - 46 * u, high = fminf(bar_height(view), room / fmaxf(1, (float)time->count));
    bool const one = time->count > 1 && high < least_bar_height(view);
    float const thick = one ? fminf(bar_height(view), room) : high;
    const struct time_bar *current = current_bar(time);
    const struct measured_time *named = !one                                           ? named_time(time)
                                        : current && current->time.source != TIME_NONE ? &current->time
                                                                                       : NULL;
    draw_fill(&ui->draw, box, 6 * u, ui_color(ui, COLOR_PANEL));
    if (!named)
        draw_outline(&ui->draw, box, 6 * u, hairline(ui), ui_color(ui, COLOR_IDLE));
    else if (named->source == TIME_LIVE)
        draw_outline(&ui->draw, box, 6 * u, fmaxf(1.5f, 1.5f * u), ui_color(ui, COLOR_ACCESS));
    else
        draw_outline_dashed(&ui->draw, box, 6 * u, fmaxf(1.5f, 1.5f * u), 6 * u, ui_color(ui, COLOR_ACCESS));
    box = rect_inset(box, 18 * u, 10 * u);
    struct rect head = {box.x, box.y, box.w, 26 * u};
    if (time->why) {
        const char *word = _("why?");
        struct rect title = head,
                    link = rect_cut_right(&title, ui_text_width(ui, FONT_BOLD, text_caption(ui), word) + 4 * u);
        if (ui_text_width(ui, FONT_BOLD, text_caption(ui), whole_title(view, time, named, one, title.w)) <= title.w) {
            ui_label(ui, link, FONT_BOLD, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_ACCESS), word);
            ui_tip(ui, link, "%s", time->why);
            head = title;
        }
    }
    if (one)
        ui_tip(ui, head, "%s", all_bars(view, time));
    view_card_title(view, &box, whole_title(view, time, named, one, head.w));
    bool mixed = false;
    float label_w = 0, value_w = 0;
    for (int i = 0; i < time->count; i++) {
        const struct time_bar *bar = &time->bars[i];
        mixed |= named && bar->time.source != TIME_NONE && bar->time.source != named->source;
        label_w = fmaxf(label_w, ui_text_width(ui, FONT_BOLD, text_caption(ui), bar->label));
        const char *value = bar->time.source == TIME_NONE ? _("none") : view_duration(view->arena, bar->time.median);
        value_w = fmaxf(value_w, ui_text_width(ui, FONT_BOLD, text_caption(ui), value));
    }
    label_w = fminf(label_w + 2, fmaxf(box.w * 0.4f, box.w * 0.82f - value_w - 22 * u)); /* the rest is for the bars */
    double const full = full_width(time);
    for (int i = 0; i < time->count && named_time(time) && box.h >= thick - 0.5f; i++) /* without any time, no rows */
        if (!one || &time->bars[i] == current)
            one_bar(view, rect_cut_top(&box, thick), &time->bars[i], mixed, label_w, value_w + 2, full,
                    one ? time : NULL);
    bool pressed = false;
    if (time->measure && box.h >= 42 * u) {
        struct rect line = rect_cut_bottom(&box, 38 * u);
        const char *label = time->busy ? _("measuring …") : time->measure;
        float width = ui_text_width(ui, FONT_BOLD, text_body(ui), label) + 40 * u;
        pressed = ui_button(ui, ui_id_text("measure"), rect_cut_left(&line, fminf(width, line.w)), label, false);
    }
    const char *note = note_text(view, time), *subject = named ? named_bar(time)->subject : NULL;
    if (subject && *subject && box.h < note_height(view, note, box.w) - 1)
        note = subject; /* what ran comes before how it was measured */
    if (box.h >= note_height(view, note, box.w) - 1)
        rect_cut_top(&box, ui_text(ui, box, FONT_TEXT, text_caption(ui), COLOR_TEXT_DIM, note) + 4 * u);
    if (time->why && box.h >= note_height(view, time->why, box.w) - 1)
        ui_text(ui, box, FONT_TEXT, text_caption(ui), COLOR_TEXT, time->why);
    return pressed ? (struct action){.kind = ACTION_MEASURE} : NO_ACTION;
}
