/* The bar on top: the title, the executor's badge, and switches for the mouse. Below it stands the notice, if there is
 * one. */
#include "document/program.h"
#include "document/sass.h"
#include "screen/screen.h"
#include "screen/side/side.h"
#include "ui/action.h"
#include <math.h>
#include <string.h>

struct badge {
    const char *texts[3]; /* from the longest to the shortest; NULL: no more */
    const char *tip;
    enum ui_border border;
};

static const char *badge_text(const struct badge *badge, int wanted)
{
    const char *text = badge->texts[0];
    for (int i = 1; i <= wanted && badge->texts[i]; i++)
        text = badge->texts[i];
    return text;
}

static void recorded_badge(struct drawing *drawing, const struct trace *trace, struct badge *badge)
{
    struct arena *arena = drawing->arena;
    const char *device = trace->device, *driver = trace->driver, *date = trace->date;
    badge->border = UI_DASHED;
    if (trace_is_foreign(trace)) {
        badge->texts[0] = arena_format(arena, _("RECORDED · %s"), device);
        badge->tip = _("the accesses that another program recorded on a GPU (E)");
        return;
    }
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
    const char *words = sass_words(document_run(drawing->document), drawing->arena, &same);
    badge->texts[0] = _("EMULATOR");
    badge->tip = drawing->document->run ? _("this setting was not recorded on a GPU") : NULL;
    if (!words || !same)
        return;
    badge->texts[0] = arena_format(drawing->arena, _("EMULATOR · same counts as the %s"),
                                   gpu_short_name(drawing->arena, run->sass.device));
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
    const char *device = gpu_short_name(drawing->arena, likeness->device);
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

/* Adds sentences to the tip, behind a full stop. */
static void add_to_tip(struct arena *arena, struct badge *badge, const char *words)
{
    size_t const length = badge->tip ? strlen(badge->tip) : 0;
    if (length)
        words = arena_format(arena, "%s%s %s", badge->tip, badge->tip[length - 1] == '.' ? "" : ".", words);
    badge->tip = words;
}

/* With the caches on: the model's counts beside a profiler's. A question may be about them. */
static void add_hits(struct drawing *drawing, struct badge *badge)
{
    const struct run *run = document_run(drawing->document);
    bool same;
    bool const shown = document_wants_caches(drawing->document) && !document_covered(drawing->document);
    const char *words = shown ? sass_hits_words(run, drawing->arena, &same) : NULL;
    if (!words)
        return;
    add_to_tip(drawing->arena, badge, words);
    if (same)
        return;
    const char *gpu = gpu_short_name(drawing->arena, run->sass.device);
    badge->texts[0] = arena_format(drawing->arena, _("EMULATOR · other cache counts than the %s"), gpu);
    badge->texts[1] = arena_format(drawing->arena, _("EMULATOR ≠ %s"), gpu);
    badge->texts[2] = _("EMULATOR");
}

/* With the caches on: whether their rules were measured on the GPU whose sizes they have. */
static void add_unmeasured(struct drawing *drawing, struct badge *badge)
{
    const struct document *document = drawing->document;
    const char *words = document->playback && document_wants_caches(document)
                            ? view_unmeasured_caches(drawing->arena, document->playback)
                            : NULL;
    if (!words)
        return;
    add_to_tip(drawing->arena, badge, words);
    const char *shortest = badge_text(badge, 2);
    badge->texts[0] = arena_format(drawing->arena, _("%s · caches not measured"), shortest);
    badge->texts[1] = shortest;
    badge->texts[2] = NULL;
}

static struct badge badge_now(struct drawing *drawing)
{
    struct badge badge = {.border = UI_SOLID};
    const struct run *run = document_run(drawing->document);
    const struct trace *trace = drawing->document->file.trace;
    if (drawing->document->program && drawing->document->program->run) {
        badge.texts[0] = _("EMULATOR");
    } else if (!run && !trace) {
        badge.border = UI_GREY;
        badge.texts[0] = _("NONE · nothing has run");
        badge.texts[1] = _("NONE");
    } else if (run && run->executor == EXECUTOR_GPU) {
        badge.texts[0] =
            arena_format(drawing->arena, _("LIVE · %s · driver %s"), run->trace->device, run->trace->driver);
        badge.texts[1] = arena_format(drawing->arena, _("LIVE · %s"), run->trace->device);
    } else if (run && run->executor != EXECUTOR_RECORDING) {
        emulator_badge(drawing, &badge);
        add_hits(drawing, &badge);
    } else if ((run ? run->trace : trace)->device[0]) {
        recorded_badge(drawing, run ? run->trace : trace, &badge);
    } else {
        badge.border = UI_DASHED;
        badge.texts[0] = _("RECORDED · emulator");
    }
    add_unmeasured(drawing, &badge);
    return badge;
}

/* How much of the bar is written out. */
struct bar_form {
    int badge;      /* 0: its longest text */
    bool few_words; /* "4 / 9" for "step 4 of 9" */
    int switches;   /* how many of them, from the right: keys, language, glossary, presenting, theme */
    bool few_keys;  /* "?" for "? keys" */
    bool arrow;     /* "‹" for the program's name */
    float dot;      /* distance of the steps' dots, in units */
};

/* The bar gives up its words in this order until the rest has room. The lesson, the step, the badge and the dots stay.
 * After the last form, all of its text becomes smaller. */
static const struct bar_form forms[] = {
    {0, false, 5, false, false, 23}, {0, false, 4, false, false, 23}, {0, false, 4, true, false, 23},
    {0, true, 4, true, false, 23},   {0, true, 3, true, false, 23},   {1, true, 3, true, false, 23},
    {2, true, 3, true, false, 23},   {2, true, 3, true, true, 23},    {2, true, 2, true, true, 23},
    {2, true, 2, true, true, 15},    {2, true, 1, true, true, 15}};
enum { FORMS = (int)(sizeof forms / sizeof *forms) };

static float bar_text(const struct drawing *drawing, enum font_role role, float size, const char *text)
{
    return ui_text_width(drawing->ui, role, size * drawing->ui->unit, text);
}

/* Draws the badge at the right end of the box. A click flips to the next executor. */
static void draw_badge(struct drawing *drawing, struct rect *box, const struct badge *badge, const char *text)
{
    struct ui *ui = drawing->ui;
    float u = ui->unit;
    struct rect place = rect_cut_right(box, bar_text(drawing, FONT_BOLD, 16, text) + 44 * u);
    place = rect_inset(place, 0, fmaxf(0, (place.h - 34 * u) / 2));
    ui_badge(ui, place, badge->border, text);
    rect_cut_right(box, 16 * u);
    if (!drawing->document->run && !drawing->document->file.run)
        return;
    ui_id id = ui_id_text("badge");
    ui_focusable(ui, id, place, place.h / 2);
    if (badge->tip)
        ui_tip(ui, place, "%s", badge->tip);
    if (ui_area(ui, id, place))
        drawing_ask(drawing, ACTION_FLIP, 0);
}

void draw_badge_words(struct drawing *drawing, struct rect *box)
{
    struct badge const badge = badge_now(drawing);
    float const u = drawing->ui->unit;
    struct rect place = rect_cut_right(box, bar_text(drawing, FONT_BOLD, 16, badge.texts[0]) + 44 * u);
    ui_badge(drawing->ui, rect_inset(place, 0, fmaxf(0, (place.h - 34 * u) / 2)), badge.border, badge.texts[0]);
    rect_cut_right(box, 16 * u);
}

static const char *step_words(const struct drawing *drawing, const struct bar_form *form, int step)
{
    return arena_format(drawing->arena, form->few_words ? "%d / %d" : _("step %d of %d"), step,
                        drawing->document->lesson->beat_count);
}

static void beat_dots(struct drawing *drawing, struct rect box, const struct bar_form *form)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, apart = 10 * u;
    int const count = drawing->document->lesson->beat_count;
    const char *words = step_words(drawing, form, drawing->document->beat + 1);
    /* The dots and the words behind them; without room for both the dots alone; else the words alone. */
    float const left = box.w - apart - bar_text(drawing, FONT_TEXT, 16, step_words(drawing, form, count));
    bool const both = left >= 12 * u * (float)count, dots = both || box.w - apart >= 9 * u * (float)count;
    float const step = fminf(form->dot * u, (both ? left : box.w - apart) / (float)count);
    for (int i = 0; dots && i < count; i++) {
        bool now = i == drawing->document->beat;
        float size = fminf(now ? 13 * u : 10 * u, step * 0.66f);
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
        ui_tip(ui, place, _("step %d: %s"), i + 1, beat_full_name(drawing, &drawing->document->lesson->beats[i]));
    }
    rect_cut_left(&box, dots ? apart : 0);
    if (both || !dots)
        ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), words);
}

/* The last form shows all switches in place of the step and the badge. */
static const struct bar_form switches_form = {2, true, 5, true, true, 15};

struct bar_switch {
    const char *text;
    bool strong;
    enum action_kind kind;
};

enum { SWITCHES = 5 };
static void switches_now(const struct drawing *drawing, const struct bar_form *form, struct bar_switch out[SWITCHES])
{
    const struct preferences *preferences = drawing->preferences;
    out[0] = (struct bar_switch){form->few_keys ? "?" : _("? keys"), false, ACTION_HELP};
    out[1] = (struct bar_switch){preferences->language == LANGUAGE_KO ? "EN" : "한국어", true, ACTION_LANGUAGE};
    out[2] = (struct bar_switch){_("Glossary"), false, ACTION_GLOSSARY};
    out[3] = (struct bar_switch){preferences->presenting ? _("Leave") : _("Present"), false, ACTION_PRESENT};
    out[4] = (struct bar_switch){preferences->dark ? _("Light") : _("Dark"), false, ACTION_THEME};
}

/* Returns the switch that leads to those which the bar has given up, or back; its text is NULL if there are none. */
static struct bar_switch more_switch(const struct drawing *drawing, const struct bar_form *form)
{
    if (drawing->at_list || (form->switches == SWITCHES && form != &switches_form))
        return (struct bar_switch){.text = NULL};
    return (struct bar_switch){form == &switches_form ? "×" : "…", true, ACTION_SWITCHES};
}

static float switch_width(const struct drawing *drawing, const struct bar_switch *one)
{
    return bar_text(drawing, one->strong ? FONT_BOLD : FONT_TEXT, 16, one->text) + 26 * drawing->ui->unit;
}

static void draw_switch(struct drawing *drawing, struct rect *box, const struct bar_switch *one)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const char *tip = action_tip(one->kind);
    struct rect const at = rect_cut_right(box, switch_width(drawing, one));
    if (drawing->pointer_hidden) /* its place stays free, so that nothing moves */
        return;
    ui_label(ui, at, one->strong ? FONT_BOLD : FONT_TEXT, text_caption(ui), UI_CENTER,
             ui_color(ui, ui_hovered(ui, at) ? COLOR_ACCESS : COLOR_TEXT_DIM), one->text);
    ui_focusable(ui, ui_id_text(tip), rect_inset(at, 2 * u, 12 * u), 4 * u);
    ui_tip(ui, at, "%s", tip);
    if (ui_area(ui, ui_id_text(tip), at))
        drawing_ask(drawing, one->kind, 0);
}

/* Draws words that ask for an action, from the right end of the box. */
static void draw_switches(struct drawing *drawing, struct rect *box, const struct bar_form *form)
{
    struct bar_switch all[SWITCHES];
    struct bar_switch const more = more_switch(drawing, form);
    switches_now(drawing, form, all);
    if (more.text)
        draw_switch(drawing, box, &more);
    for (int i = 0; i < form->switches; i++)
        draw_switch(drawing, box, &all[i]);
}

static const char *bar_title(const struct drawing *drawing)
{
    return drawing_lesson(drawing) ? drawing->document->lesson->title[drawing->preferences->language]
                                   : drawing->document->file.name;
}

/* Returns the room for the badge: in a lesson enough for its usual longest text, so that the bar's form is the same in
 * all steps. */
static float badge_width(const struct drawing *drawing, const struct badge *badge, int wanted)
{
    static const char *const usual[] = {N_("EMULATOR · same accesses as the %s"), N_("EMULATOR = %s"), N_("EMULATOR")};
    float const now = bar_text(drawing, FONT_BOLD, 16, badge_text(badge, wanted));
    int const which = wanted < 0 || wanted > 2 ? 2 : wanted;
    return !drawing_lesson(drawing)
               ? now
               : fmaxf(now, bar_text(drawing, FONT_BOLD, 16, arena_format(drawing->arena, _(usual[which]), "H200")));
}

/* Returns the width of the bar's content in this form, in pixels. */
static float bar_width(const struct drawing *drawing, const struct bar_form *form, const struct badge *badge)
{
    float const u = drawing->ui->unit;
    struct bar_switch all[SWITCHES];
    float width = bar_text(drawing, FONT_BOLD, 20, form->arrow ? "‹" : "Lanescope") + 8 * u;
    switches_now(drawing, form, all);
    for (int i = 0; i < form->switches; i++)
        width += switch_width(drawing, &all[i]);
    struct bar_switch const more = more_switch(drawing, form);
    if (more.text)
        width += switch_width(drawing, &more);
    if (drawing->at_list || form == &switches_form)
        return width;
    width += bar_text(drawing, FONT_BOLD, 22, bar_title(drawing)) + (form->few_words ? 40 : 60) * u;
    width += badge_width(drawing, badge, form->badge) + 72 * u;
    if (drawing_lesson(drawing))
        width += form->dot * u * (float)drawing->document->lesson->beat_count +
                 bar_text(drawing, FONT_TEXT, 16, step_words(drawing, form, drawing->document->lesson->beat_count)) +
                 14 * u;
    return width;
}

static void draw_home(struct drawing *drawing, struct rect *box, bool arrow)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const char *name = arrow ? "‹" : "Lanescope";
    struct rect const home = rect_cut_left(box, bar_text(drawing, FONT_BOLD, 20, name) + 8 * u);
    ui_label(ui, home, FONT_BOLD, 20 * u, UI_LEFT, ui_color(ui, ui_hovered(ui, home) ? COLOR_ACCESS : COLOR_TEXT_DIM),
             name);
    ui_tip(ui, home, _("all lessons"));
    if (ui_area(ui, ui_id_text("home"), home))
        drawing_ask(drawing, ACTION_HOME, 0);
}

static void draw_bar_parts(struct drawing *drawing, struct rect box, const struct bar_form *form,
                           const struct badge *badge)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    draw_home(drawing, &box, form->arrow);
    draw_switches(drawing, &box, form);
    if (drawing->at_list || form == &switches_form)
        return;
    rect_cut_left(&box, 12 * u);
    rect_cut_right(&box, 12 * u);
    draw_badge(drawing, &box, badge, badge_text(badge, form->badge));
    float const title = bar_text(drawing, FONT_BOLD, 22, bar_title(drawing)) + 2;
    ui_label(ui, rect_cut_left(&box, title), FONT_BOLD, 22 * u, UI_LEFT, ui_color(ui, COLOR_TEXT), bar_title(drawing));
    rect_cut_left(&box, (form->few_words ? 20 : 40) * u);
    if (drawing_lesson(drawing))
        beat_dots(drawing, box, form);
}

/* Returns the passing notice if it has room in the bar, else NULL. */
static const char *passing_notice(const struct drawing *drawing, struct rect bar)
{
    const char *text = drawing->notice->passing;
    return *text && notice_height(drawing, text, bar.w) <= bar.h ? text : NULL;
}

const char *notice_above(const struct drawing *drawing, struct rect bar, bool *bad)
{
    const char *passing = drawing->notice->passing;
    bool const here = *passing && (bar.h <= 0 || !passing_notice(drawing, bar));
    *bad = !here && drawing->notice->bad;
    return here ? passing : drawing->notice->text;
}

struct rect draw_back_bar(struct drawing *drawing, struct rect box, enum action_kind back, int value)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_BAR));
    draw_line(&ui->draw, (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y + box.h},
              hairline(ui), ui_color(ui, COLOR_EDGE));
    box = rect_inset(box, (box.w < 700 * u ? 12 : 24) * u, 8 * u);
    float const back_w = ui_text_width(ui, FONT_TEXT, 18 * u, _("‹ Back")) + 30 * u;
    if (ui_button(ui, ui_id_text("back"), rect_cut_left(&box, back_w), _("‹ Back"), false))
        drawing_ask(drawing, back, value);
    ui_tip(ui, (struct rect){box.x - back_w, box.y, back_w, box.h}, "%s", _("back to where you were (Esc)"));
    rect_cut_left(&box, 16 * u);
    const char *name = drawing->preferences->language == LANGUAGE_KO ? "EN" : "한국어";
    float const name_w = ui_text_width(ui, FONT_TEXT, 18 * u, name) + 30 * u;
    if (ui_button(ui, ui_id_text("language"), rect_cut_right(&box, name_w), name, false))
        drawing_ask(drawing, ACTION_LANGUAGE, 0);
    rect_cut_right(&box, 12 * u);
    return box;
}

void draw_top_bar(struct drawing *drawing, struct rect box)
{
    if (box.h <= 0)
        return;
    struct ui *ui = drawing->ui;
    if (passing_notice(drawing, box)) {
        draw_notice(drawing, box, drawing->notice->passing, false);
        return;
    }
    float const u = ui->unit, least = ui->minimum_text / 16;
    draw_fill(&ui->draw, box, 0, ui_color(ui, COLOR_BAR));
    draw_line(&ui->draw, (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y + box.h},
              hairline(ui), ui_color(ui, COLOR_EDGE));
    box = rect_inset(box, (box.w < 700 * u ? 12 : 24) * u, 0);
    struct badge const badge = badge_now(drawing);
    const struct bar_form *form = forms;
    while (form + 1 < forms + FORMS && bar_width(drawing, form, &badge) > box.w)
        form++;
    if (drawing->all_switches && !drawing->at_list && form->switches < SWITCHES)
        form = &switches_form;
    while (ui->unit > least && bar_width(drawing, form, &badge) > box.w)
        ui->unit = fmaxf(least, ui->unit * 0.95f);
    draw_bar_parts(drawing, box, form, &badge);
    ui->unit = u;
}

enum { NOTICE_LINE = 44 }; /* height of a notice of one line, in units */

/* Returns the width of the button in a notice; 0: it has none. */
static float offer_width(const struct drawing *drawing, const char *text)
{
    struct ui *ui = drawing->ui;
    return drawing->notice->from_start && text == drawing->notice->text
               ? ui_text_width(ui, FONT_BOLD, text_caption(ui), _("From the beginning")) + 40 * ui->unit
               : 0;
}

/* Returns the size of a notice's text: smaller if it would take more than two lines, and its height in `height`. */
static float notice_size(const struct drawing *drawing, const char *text, float wide, float *height)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, width = wide - (2 * 24 + 34) * u - offer_width(drawing, text),
                least = fminf(ui->minimum_text, 18 * u);
    struct ui_span const span = {text, FONT_TEXT, COLOR_TEXT};
    float size = text_body(ui);
    while (size > least && ui_paragraph_height(ui, width, size, &span, 1) > 2 * 1.5f * size + 1)
        size = fmaxf(least, size - 1);
    *height = ui_paragraph_height(ui, width, size, &span, 1);
    return size;
}

float notice_height(const struct drawing *drawing, const char *text, float width)
{
    float height;
    notice_size(drawing, text, width, &height);
    return fmaxf(NOTICE_LINE * drawing->ui->unit, height + 12 * drawing->ui->unit);
}

void draw_notice(struct drawing *drawing, struct rect box, const char *text, bool bad)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit, whole = box.w;
    enum color_role role = bad ? COLOR_CONFLICT : COLOR_ACCESS;
    draw_fill(&ui->draw, box, 0, ui_color(ui, bad ? COLOR_CONFLICT_SOFT : COLOR_ACCESS_SOFT));
    struct rect edge = {box.x, box.y, 8 * u, box.h};
    draw_fill(&ui->draw, edge, 0, ui_color(ui, role));
    if (bad)
        draw_hatch(&ui->draw, edge, 6 * u, 2 * u, ui_color(ui, COLOR_ON_ACCENT));
    box = rect_inset(box, 24 * u, 4 * u);
    struct rect close = rect_cut_right(&box, 34 * u);
    ui_label(ui, close, FONT_BOLD, 20 * u, UI_CENTER, ui_color(ui, COLOR_TEXT), "×");
    if (ui_area(ui, ui_id_text("close notice"), close))
        drawing_ask(drawing, ACTION_CLOSE_NOTICE, 0);
    float const wide = offer_width(drawing, text);
    if (wide > 0) {
        struct rect offer = rect_cut_right(&box, wide);
        offer.w -= 12 * u;
        offer = rect_inset(offer, 0, fmaxf(0, (offer.h - 34 * u) / 2));
        ui_tip(ui, offer, "%s", action_tip(ACTION_RESTART));
        if (ui_button(ui, ui_id_text("from the beginning"), offer, _("From the beginning"), false))
            drawing_ask(drawing, ACTION_RESTART, 0);
    }
    ui_tip(ui, box, "%s", text);
    float height;
    float const size = notice_size(drawing, text, whole, &height);
    rect_cut_top(&box, fmaxf(0, (box.h - height) / 2));
    ui_text(ui, box, FONT_TEXT, size, COLOR_TEXT, text);
}
