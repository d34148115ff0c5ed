/* A whole program on screen: the list of its calls with the strip, the code at the chosen call, and its output. */
#include "screen/side/program.h"
#include "base/file.h"
#include "base/words.h"
#include "document/program.h"
#include "report/explain.h"
#include "report/mistake.h"
#include "screen/side/stale.h"
#include "screen/side/what_if.h"
#include <string.h>

/* Returns how the program ended, "" if it ended well. */
static const char *end_words(const struct drawing *drawing, const struct program_run *run)
{
    struct arena *arena = drawing->arena;
    switch (run->end) {
    case PROGRAM_EXITED:
        return run->status ? arena_format(arena, _("The program ended with status %d."), run->status)
               : run->left ? _("The program left processes running; they were ended.")
                           : "";
    case PROGRAM_SIGNALLED:
        if (run->crash && *run->crash->at.file)
            return arena_format(arena, _("The program was ended by signal %d (%s), at %s:%d."), run->signal,
                                strsignal(run->signal), run->crash->at.file, run->crash->at.line);
        return arena_format(arena, _("The program was ended by signal %d (%s)."), run->signal, strsignal(run->signal));
    case PROGRAM_TIME:
        return arena_format(arena, _("The program was ended after %.0f seconds, the limit."), run->seconds);
    case PROGRAM_OUTPUT:
        return _("The program was ended because it printed more than --print allows.");
    case PROGRAM_CANCELLED:
        return _("The program was stopped.");
    }
    return "";
}

/* Returns the mistakes of host code in words, one for each of the run. */
static const struct program_mistake *mistakes_of(const struct drawing *drawing)
{
    const struct open_program *program = drawing->document->program;
    const struct program_run *run = program->run;
    struct arena *arena = drawing->arena;
    struct program_mistake *mistakes = arena_array(arena, struct program_mistake, (size_t)run->mistake_count + 1);
    for (uint32_t i = 0; i < run->mistake_count; i++) {
        const struct mistake *mistake = &run->mistakes[i];
        const char *words = report_mistake(arena, REPORT_TRANSLATED, mistake);
        const char *error = report_mistake_error(arena, REPORT_TRANSLATED, mistake);
        if (mistake->times > 1 && mistake->kind != MISTAKE_LEAK)
            words = arena_format(arena, _("%s (%u {time|times})"), words, mistake->times);
        mistakes[i] = (struct program_mistake){.item = program->mistake_items[i],
                                               .fault = mistake_is_fault(mistake),
                                               .title = report_mistake_title(REPORT_TRANSLATED, mistake),
                                               .words = error ? arena_format(arena, "%s. %s", words, error)
                                                              : arena_format(arena, "%s.", words),
                                               .advice = report_mistake_advice(arena, REPORT_TRANSLATED, mistake)};
    }
    return mistakes;
}

/* Returns how a knob tries the remedy on a copy of the kernel, behind a space, or "". */
static const char *trial_words(const struct drawing *drawing, enum explain_kind kind, const char *kernel)
{
    const struct what_if *what_if = &drawing->document->program->what_if;
    for (size_t i = 0; i < what_if->knobs.count && kind == EXPLAIN_EXCHANGED; i++) {
        const struct source_knob *knob = &what_if->knobs.items[i];
        if (knob->role == SOURCE_KNOB_EXCHANGE && strcmp(knob->kernel, kernel) == 0)
            return arena_format(drawing->arena, _(" Try it on a copy: ] turns \"%s: x and y\" in WHAT IF."), kernel);
    }
    return "";
}

/* Fills what the chosen launch wastes most, unless it has a finding, which comes first. */
static void note_waste(const struct drawing *drawing, struct program_view *shown)
{
    const struct open_program *program = drawing->document->program;
    const struct program_item *item = program->count ? &program->items[program->chosen] : NULL;
    const struct explanation *most = item && item->launch == program->advice.launch ? program->advice.item : NULL;
    struct arena *arena = drawing->arena;
    if (!most || item->findings)
        return;
    const char *title = report_explain_title(REPORT_TRANSLATED, most->kind);
    shown->waste = most->site ? arena_format(arena, _("no finding, but waste in line %u: %s"), most->site->line, title)
                              : arena_format(arena, _("no finding, but waste in the launch: %s"), title);
    shown->cost = arena_format(arena, "%s.", report_explain_cost(arena, REPORT_TRANSLATED, most));
    const struct program_launch *launch = &program->run->launches[program->run->calls[item->call].launch];
    shown->remedy = arena_format(arena, "%s%s %s", report_explain_remedy(arena, REPORT_TRANSLATED, most),
                                 trial_words(drawing, most->kind, launch->kernel),
                                 _("Enter, then Alt + O: all that is wasted, and why."));
}

static struct program_view view_of(const struct drawing *drawing)
{
    const struct open_program *program = drawing->document->program;
    uint32_t findings = 0, launches = 0, failed = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct program_item *item = &program->items[i];
        findings += item->findings;
        launches += item->kind == PROGRAM_LAUNCH;
        failed += item->error != 0 && item->kind != PROGRAM_CRASH;
    }
    const char *ended = end_words(drawing, program->run);
    const char *summary =
        arena_format(drawing->arena, _("Launches: %u · findings: %u · mistakes of host code: %u · failed calls: %u"),
                     launches, findings, program->run->mistake_count, failed);
    if (program->run->device)
        summary = arena_format(drawing->arena, _("%s · on %s"), summary, program->run->device);
    if (!program->run->has_record)
        summary = program->run->end == PROGRAM_EXITED ? _("The program made no CUDA call.") : "";
    if (program->run->starved)
        summary = arena_format(drawing->arena, "%s. %s", summary,
                               _("The program reads its input, and the window gives it none: start it with lanescope "
                                 "FILE.cu < INPUT."));
    struct program_view shown = {.items = program->items,
                                 .count = program->count,
                                 .chosen = program->chosen,
                                 .most_in_use = program->most_in_use,
                                 .measured = program->run->device != NULL,
                                 .mistakes = mistakes_of(drawing),
                                 .mistake_count = program->run->mistake_count,
                                 .summary = *ended ? arena_format(drawing->arena, "%s %s", ended, summary) : summary,
                                 .failed = *ended != '\0',
                                 .back = program->shown != 0,
                                 .old = program->failed.kind != ERROR_NONE};
    note_waste(drawing, &shown);
    return shown;
}

/* Returns the beginning of the last part of the text that fits into this height, in whole lines. */
static const char *last_lines(struct drawing *drawing, const char *text, struct rect room)
{
    struct ui *ui = drawing->ui;
    const char *from = text + strlen(text);
    while (from > text) {
        const char *line = from - 1;
        while (line > text && line[-1] != '\n')
            line--;
        struct ui_span const span = {line, FONT_CODE, COLOR_TEXT};
        if (ui_paragraph_height(ui, room.w, text_caption(ui), &span, 1) > room.h)
            break;
        from = line;
    }
    return from;
}

/* Draws what the program printed, its last lines where room is short. Returns nothing of it if there is none. */
static void draw_output(struct drawing *drawing, struct rect *side)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const char *said = drawing->document->program->said;
    size_t length = strlen(said);
    while (length && said[length - 1] == '\n')
        length--;
    if (!length || side->h < 300 * u)
        return;
    const char *text = arena_text_n(drawing->arena, said, length);
    float const frame = 56 * u;
    const char *shown = last_lines(drawing, text, (struct rect){0, 0, side->w - 36 * u, side->h * 0.34f - frame});
    struct ui_span const span = {shown, FONT_CODE, COLOR_TEXT};
    float const height = ui_paragraph_height(ui, side->w - 36 * u, text_caption(ui), &span, 1);
    struct rect card = rect_cut_bottom(side, height + frame);
    rect_cut_bottom(side, 12 * u);
    ui_card(ui, card);
    card = rect_inset(card, 18 * u, 10 * u);
    ui_label(ui, rect_cut_top(&card, 26 * u), FONT_BOLD, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             shown == text ? _("OUTPUT") : _("OUTPUT · the last lines"));
    ui_paragraph(ui, card, text_caption(ui), &span, 1, false);
}

/* Returns the code with the lines of the calls that went wrong, at the chosen call's line. */
static struct code_view host_code(struct drawing *drawing, struct view *view, const struct program_view *shown)
{
    const struct open_program *program = drawing->document->program;
    struct code_view code = code_now(drawing, view, 0);
    if (program->failed.kind) /* the source is newer than the calls */
        return code;
    struct code_mark *marks = arena_array(drawing->arena, struct code_mark, program->count + 1);
    code.is_text = true;
    code.mark_count = 0;
    code.marks = marks;
    code.ptx_known = false;
    code.ptx = NULL;
    for (size_t i = 0; i < program->count; i++) {
        const struct program_item *item = &program->items[i];
        if (item->line && strcmp(item->file, code.name) == 0 && program_item_bad(item))
            marks[code.mark_count++] =
                (struct code_mark){.line = item->line, .words = program_item_wrong(drawing->arena, shown, item)};
    }
    const struct program_item *chosen = program->count ? &program->items[program->chosen] : NULL;
    if (chosen && strcmp(chosen->file, code.name) == 0)
        code.line = chosen->line;
    if (drawing->document->reading.at_line != code.line)
        code.first = 0;
    return code;
}

static void draw_side(struct drawing *drawing, struct view *view, struct rect side, const struct program_view *shown)
{
    struct code_view const code = host_code(drawing, view, shown);
    draw_output(drawing, &side);
    draw_what_if(drawing, view, &side, 240 * drawing->ui->unit);
    if (*code.source)
        action_ask(drawing->actions, card_code(view, side, &code));
}

/* Draws the button for the calls that the compiler adds, such as __cudaRegisterFatBinary, if there are some. */
static void draw_calls_button(struct drawing *drawing, struct rect *bar)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const struct open_program *program = drawing->document->program;
    const char *label = program->all_calls ? _("Hide the compiler's calls") : _("Show the compiler's calls");
    float const wide = ui_text_width(ui, FONT_TEXT, text_caption(ui), label) + 40 * u;
    if ((!program->hidden && !program->all_calls) || bar->w < wide + 300 * u)
        return;
    struct rect const box = rect_cut_right(bar, wide);
    rect_cut_right(bar, 16 * u);
    if (ui_button(ui, ui_id_text("compiler's calls"), box, label, false))
        drawing_ask(drawing, ACTION_ALL_CALLS, 0);
    ui_tip(ui, box, "%s", _("calls that the compiler adds before main, such as __cudaRegisterFatBinary"));
}

static void draw_bar(struct drawing *drawing, struct rect bar)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    bool const works = drawing->document->program->work.started;
    draw_fill(&ui->draw, bar, 0, ui_color(ui, COLOR_BAR));
    draw_line(&ui->draw, (struct point){bar.x, bar.y}, (struct point){bar.x + bar.w, bar.y}, hairline(ui),
              ui_color(ui, COLOR_EDGE));
    bar = rect_inset(bar, 24 * u, (bar.h - 40 * u) / 2);
    const char *label = works ? _("Cancel") : _("Run again");
    float const wide = ui_text_width(ui, FONT_BOLD, text_body(ui), label) + 40 * u;
    if (ui_button(ui, ui_id_text("run program"), rect_cut_left(&bar, wide), label, false))
        drawing_ask(drawing, works ? ACTION_LEAVE : ACTION_RESET, 0);
    rect_cut_left(&bar, 20 * u);
    draw_calls_button(drawing, &bar);
    ui_label(ui, bar, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
             works ? _("the program runs again · Esc: stop")
                   : _("↑ ↓ call · PageDown launch · Enter or a click: its lanes · R run again"));
}

void draw_program(struct drawing *drawing, struct view *view, struct rect stage, struct rect side, struct rect bar)
{
    float const u = drawing->ui->unit;
    struct program_view const shown = view_of(drawing);
    draw_stale_words(drawing, &stage);
    struct rect const whole = stage;
    if (!drawing->compact)
        draw_side(drawing, view, side, &shown);
    bool const changed = drawing->document->program->what_if.before.known;
    float const strip = changed && stage.h < 900 * u ? 48 * u : 132 * u; /* the list keeps its rows */
    if (stage.h > 330 * u) {
        action_ask(drawing->actions, card_program_strip(view, rect_cut_bottom(&stage, strip), &shown));
        rect_cut_bottom(&stage, 12 * u);
    }
    draw_changes(drawing, view, &stage, 380 * u);
    if (drawing->compact)
        draw_what_if(drawing, view, &stage, 230 * u);
    card_program_mistakes(view, &stage, &shown);
    action_ask(drawing->actions, card_program_list(view, stage, &shown));
    draw_stale_veil(drawing, whole);
    draw_bar(drawing, bar);
}

void draw_program_strip(struct drawing *drawing, struct view *view, struct rect *stage)
{
    float const u = drawing->ui->unit;
    const struct open_program *program = drawing->document->program;
    if (!program || !program->run || stage->h < 420 * u)
        return;
    bool const low = stage->h < 560 * u;
    struct program_view const shown = view_of(drawing);
    action_ask(drawing->actions, card_program_strip(view, rect_cut_bottom(stage, (low ? 48 : 92) * u), &shown));
    rect_cut_bottom(stage, (low ? 8 : 10) * u);
}

void draw_program_work(struct drawing *drawing, struct rect box)
{
    struct ui *ui = drawing->ui;
    float const u = ui->unit;
    const struct open_program *program = drawing->document->program;
    bool const works = program->work.started;
    int const seconds = works ? (int)(clock_seconds() - program->work.begin_s) : 0;
    const char *name = drawing->document->file.name;
    const char *words = !works                              ? arena_format(drawing->arena, _("%s was stopped"), name)
                        : atomic_load(&program->work.built) ? arena_format(drawing->arena, _("running %s …"), name)
                                                            : arena_format(drawing->arena, _("compiling %s …"), name);
    rect_cut_top(&box, box.h * 0.3f);
    ui_label(ui, rect_cut_top(&box, 44 * u), FONT_BOLD, 28 * u, UI_CENTER, ui_color(ui, COLOR_TEXT), words);
    ui_label(ui, rect_cut_top(&box, 34 * u), FONT_TEXT, text_body(ui), UI_CENTER, ui_color(ui, COLOR_TEXT_DIM),
             seconds >= 2 ? arena_format(drawing->arena, _("%d s"), seconds) : "");
    rect_cut_top(&box, 16 * u);
    struct rect row = rect_cut_top(&box, 44 * u);
    rect_cut_left(&row, (row.w - 220 * u) / 2);
    if (ui_button(ui, ui_id_text("stop program"), rect_cut_left(&row, 220 * u), works ? _("Cancel") : _("Run again"),
                  true))
        drawing_ask(drawing, works ? ACTION_LEAVE : ACTION_RESET, 0);
}
