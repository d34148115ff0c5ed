/* As written, as the machine ran it: the counts of the PTX beside those of the machine code, which a profiler counted
 * on a GPU. The assembler may merge accesses, or replace a branch by predicates, which switch lanes off without a jump.
 */
#include "model/gpu.h"
#include "view/stage.h"
#include <math.h>

/* Heights in units. */
enum { HEAD = 28, ROW = 24, OPCODES = 28 };
enum { LINES_MAX = 10, OPCODES_SHOWN = 10 };

struct line {
    const char *what, *written, *ran;
    bool same;
};

struct table {
    struct line lines[LINES_MAX];
    size_t count;
};

static void put(struct view *view, struct table *table, const char *what, uint64_t written, bool known, uint64_t ran)
{
    if (table->count == LINES_MAX || (written == 0 && (!known || ran == 0)))
        return;
    table->lines[table->count++] = (struct line){what, words_count(view->arena, written),
                                                 known ? words_count(view->arena, ran) : "—", known && written == ran};
}

static const char *lanes_text(struct view *view, uint64_t threads, uint64_t warps)
{
    return warps ? arena_format(view->arena, "%.1f", (double)threads / (double)warps) : "—";
}

static const char *line_words(const struct sass_line *line)
{
    bool const shared = line->space == PTX_SPACE_SHARED;
    if (line->operation == TRACE_LOAD)
        return shared ? _("loads from shared memory") : _("loads from global memory");
    return shared ? _("stores to shared memory") : _("stores to global memory");
}

static struct table table_of(struct view *view, const struct sass_view *sass)
{
    const struct sass_counts *ran = sass->counts;
    const struct trace_totals *written = &sass->written->totals;
    struct table table = {.count = 0};
    uint64_t warps = 0, threads = 0, on = 0, value = 0;
    bool const counted = sass_counter(ran, "smsp__inst_executed.sum", &warps);
    bool const lanes = sass_counter(ran, "smsp__thread_inst_executed.sum", &threads);
    bool const predicates = sass_counter(ran, "smsp__thread_inst_executed_pred_on.sum", &on) && on <= threads;
    if (written->warp_instructions) { /* a GPU's trace does not count them */
        put(view, &table, _("instructions of warps"), written->warp_instructions, counted, warps);
        table.lines[table.count++] =
            (struct line){_("active lanes an instruction"),
                          lanes_text(view, written->thread_instructions, written->warp_instructions),
                          lanes ? lanes_text(view, threads, warps) : "—", false};
    }
    bool const branches = sass_opcode(ran, "BRA", &value);
    put(view, &table, _("branches"), written->branches, branches, value);
    bool const divergent = sass_counter(ran, "smsp__sass_branch_targets_threads_divergent.sum", &value);
    put(view, &table, _("of them divergent"), written->branches_divergent, divergent, value);
    if (predicates && on < threads)
        table.lines[table.count++] =
            (struct line){_("lane-steps with a false predicate"), "—", words_count(view->arena, threads - on), false};
    for (size_t i = 0; i < sass->line_count; i++)
        put(view, &table, line_words(&sass->lines[i]), sass->lines[i].written, true, sass->lines[i].ran);
    return table;
}

/* Returns the opcodes with the most executions, "IMAD 96 · LDG 64", as many as fit, or NULL if none were counted. */
static const char *opcodes_text(struct view *view, const struct sass_counts *ran, float width)
{
    const char *text = NULL;
    bool *taken = arena_array(view->arena, bool, ran->opcode_count);
    for (size_t n = 0; n < OPCODES_SHOWN && n < ran->opcode_count; n++) {
        size_t most = SIZE_MAX;
        for (size_t i = 0; i < ran->opcode_count; i++)
            if (!taken[i] && (most == SIZE_MAX || ran->opcodes[i].value > ran->opcodes[most].value))
                most = i;
        taken[most] = true;
        const char *one = arena_format(view->arena, "%s %s", ran->opcodes[most].name,
                                       words_count(view->arena, ran->opcodes[most].value));
        const char *longer = text ? arena_format(view->arena, "%s · %s", text, one) : one;
        if (ui_text_width(view->ui, FONT_CODE, text_caption(view->ui), longer) > width)
            break;
        text = longer;
    }
    return text;
}

struct panel_size panel_machine_size(const struct view *view)
{
    const struct sass_view *sass = view->stage->sass;
    if (!sass || !sass->counts->counted)
        return NOT_SHOWN;
    struct view copy = *view;
    struct table const table = table_of(&copy, sass);
    float const height = HEAD + (float)(ROW * table.count) + (sass->counts->opcode_count ? OPCODES : 0);
    return (struct panel_size){.least = height, .best = height + 8};
}

static void draw_line_of(struct view *view, struct rect row, const struct line *line, float written, float ran)
{
    struct ui *ui = view->ui;
    struct color const dim = ui_color(ui, COLOR_TEXT_DIM), text = ui_color(ui, COLOR_TEXT);
    float const size = text_caption(ui);
    draw_line(&ui->draw, (struct point){row.x, row.y}, (struct point){row.x + row.w, row.y}, hairline(ui),
              ui_color(ui, COLOR_EDGE));
    ui_label(ui, (struct rect){row.x, row.y, written - row.x, row.h}, FONT_TEXT, size, UI_LEFT, dim, line->what);
    ui_label(ui, (struct rect){written, row.y, ran - written, row.h}, FONT_TEXT, size, UI_LEFT, text, line->written);
    ui_label(ui, (struct rect){ran, row.y, row.x + row.w - ran, row.h}, line->same ? FONT_TEXT : FONT_BOLD, size,
             UI_LEFT, line->same ? text : ui_color(ui, COLOR_ACCESS), line->ran);
}

static const char *fitting(struct ui *ui, float width, const char *words, const char *shorter)
{
    return ui_text_width(ui, FONT_BOLD, text_caption(ui), words) <= width ? words : shorter;
}

/* Returns the width of the first column: as much as its words need, and not less than two fifths. */
static float first_width(struct view *view, const struct table *table, float width)
{
    float widest = width * 0.42f;
    for (size_t i = 0; i < table->count; i++)
        widest = fmaxf(widest, ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), table->lines[i].what) +
                                   10 * view->ui->unit);
    return fminf(widest, width * 0.6f);
}

struct action panel_machine(struct view *view, struct rect box)
{
    const struct sass_view *sass = view->stage->sass;
    struct ui *ui = view->ui;
    float const u = ui->unit, size = text_caption(ui);
    if (!sass || !sass->counts->counted)
        return NO_ACTION;
    struct table const table = table_of(view, sass);
    struct rect area = view_columns(view, box);
    float const first = first_width(view, &table, area.w);
    float const written = area.x + first, ran = fmaxf(area.x + area.w * 0.62f, written + (area.w - first) * 0.3f);
    const char *device = gpu_short_name(view->arena, sass->counts->device);
    struct rect head = rect_cut_top(&area, HEAD * u);
    struct color const strong = ui_color(ui, COLOR_TEXT);
    ui_label(ui, (struct rect){written, head.y, ran - written, head.h}, FONT_BOLD, size, UI_LEFT, strong,
             fitting(ui, ran - written, _("as written (PTX)"), "PTX"));
    ui_label(ui, (struct rect){ran, head.y, head.x + head.w - ran, head.h}, FONT_BOLD, size, UI_LEFT, strong,
             fitting(ui, head.x + head.w - ran,
                     arena_format(view->arena, _("as the %s ran it (%s)"), device, sass->counts->date), device));
    for (size_t i = 0; i < table.count; i++)
        draw_line_of(view, rect_cut_top(&area, ROW * u), &table.lines[i], written, ran);
    const char *opcodes = opcodes_text(view, sass->counts, area.w);
    if (opcodes)
        ui_label(ui, rect_cut_top(&area, OPCODES * u), FONT_CODE, size, UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), opcodes);
    return NO_ACTION;
}
