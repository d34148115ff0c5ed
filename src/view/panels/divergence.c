/* Divergence: the steps of the warp in focus, downwards in the order in which they ran, on the columns of its lanes. A
 * step is filled where a lane is active and hollow where it is idle. Where branches nest, their masks stand above the
 * steps as a stack. If the steps do not fit, equal ones behind one another share a row; if that is not enough, the
 * panel shows the rows around the current one. */
#include "view/stage.h"
#include <math.h>

struct row {
    size_t position; /* of its first step */
    uint32_t mask, idle, lines[2], first, count;
    const struct trace_event *event;
    bool second; /* steps of an else-path */
};

/* The steps of one warp, read one after the other. */
struct walk {
    const struct playback *playback;
    uint32_t warp, at, end;
    uint32_t present;
    bool merge; /* equal steps share a row */
};

static struct walk walk_new(const struct scene *scene, bool merge)
{
    const struct timeline *timeline = scene->playback->timeline;
    return (struct walk){.playback = scene->playback,
                         .warp = scene->warp,
                         .at = timeline->warp_starts[scene->warp],
                         .end = timeline->warp_starts[scene->warp + 1],
                         .present = trace_warp_lanes(scene->trace, scene->warp),
                         .merge = merge};
}

/* Reads the step of an event. Returns false for an event that is none. */
static bool read_step(const struct walk *walk, uint32_t at, struct row *row)
{
    const struct timeline *timeline = walk->playback->timeline;
    size_t const position = timeline->warp_positions[at];
    const struct trace_event *event = playback_event(walk->playback, position);
    const struct trace_site *site = playback_site(walk->playback, position);
    if (!model_is_step(event))
        return false;
    uint32_t const line = site ? site->line : 0;
    *row = (struct row){.position = position,
                        .mask = event->mask,
                        .idle = walk->present & ~timeline->lanes[position].exited & ~event->mask,
                        .lines = {line, line},
                        .count = 1,
                        .event = event,
                        .second = event->mask & timeline_else(timeline, position)};
    return true;
}

/* Returns whether lanes part at a step. */
static bool parts(const struct row *row)
{
    uint32_t const taken = row->event->other & row->event->mask;
    return row->event->kind == TRACE_BRANCH_TAKEN && taken && taken != row->event->mask;
}

/* Reads the next row. Returns false at the end. A branch at which lanes part has a row of its own. */
static bool next_row(struct walk *walk, struct row *row)
{
    struct row step;
    uint32_t const first = row->first + row->count;
    bool found = false;
    while (walk->at < walk->end && !(found = read_step(walk, walk->at, row)))
        walk->at++;
    if (!found)
        return false;
    row->first = first;
    while (++walk->at < walk->end && walk->merge && !parts(row)) {
        if (!read_step(walk, walk->at, &step))
            continue;
        if (parts(&step) || step.mask != row->mask || step.idle != row->idle || step.second != row->second)
            break;
        row->count++;
        row->lines[0] = step.lines[0] < row->lines[0] ? step.lines[0] : row->lines[0];
        row->lines[1] = step.lines[1] > row->lines[1] ? step.lines[1] : row->lines[1];
    }
    return true;
}

struct summary {
    uint32_t rows, steps, current, current_step, depth;
    uint64_t idle, lanes; /* lane-steps up to and with the current step */
};

/* Sums up the rows: the current one is the last that begins at or before the scene's position. */
static struct summary sum_up(const struct scene *scene, bool merge)
{
    struct summary sum = {0};
    struct walk walk = walk_new(scene, merge);
    for (struct row row = {0}; next_row(&walk, &row);) {
        sum.rows++;
        sum.steps += row.count;
        uint32_t const depth = walk.playback->timeline->lanes[row.position].depth;
        sum.depth = depth > sum.depth ? depth : sum.depth;
        if (row.position > scene->position)
            continue;
        sum.current = sum.rows - 1;
        sum.current_step = row.first + 1;
        sum.idle += (uint64_t)__builtin_popcount(row.idle);
        sum.lanes += (uint64_t)__builtin_popcount(row.idle | row.mask);
    }
    return sum;
}

enum { STACK_MAX = 4, MERGED_LEAST = 4 };

/* Heights in units. */
enum {
    TOP = 18,
    CAPTION = 28,
    STACK_ROW = 22,
    STACK_GAP = 8,
    ROW_LEAST = 14,
    ROW_CLASS = 20,
    ROW_LABEL = 21,
    ROW_BEST = 25,
    ROW_MOST = 40,
    ROWS_BEST = 14
};

static bool has_steps(const struct scene *scene)
{
    return scene->event && scene->warp < scene->playback->timeline->warp_count;
}

/* Returns the rows of the stack: none where no branch stands in another. */
static uint32_t stack_rows(const struct summary *sum)
{
    return sum->depth < 2 ? 0 : sum->depth + 1 < STACK_MAX ? sum->depth + 1 : STACK_MAX;
}

static float stack_height(const struct summary *sum)
{
    uint32_t const rows = stack_rows(sum);
    return rows ? (float)(STACK_ROW * rows + STACK_GAP) : 0;
}

bool panel_divergence_in_file(const struct scene *scene)
{
    return scene->playback->timeline->diverges;
}

struct panel_size panel_divergence_size(const struct view *view)
{
    if (!has_steps(view->scene))
        return NOT_SHOWN;
    struct summary const sum = sum_up(view->scene, false);
    if (!sum.rows)
        return NOT_SHOWN;
    float const fixed = TOP + CAPTION + 6 + stack_height(&sum);
    float const rows = fminf((float)sum.rows, ROWS_BEST), fewest = fminf((float)sum.rows, 6);
    bool const class = view->stage->compact; /* its labels are read from afar */
    return (struct panel_size){.least = fixed + fewest * (class ? ROW_CLASS : ROW_LEAST),
                               .best = fixed + rows * ROW_BEST,
                               .more = fmaxf(0, (float)sum.rows * ROW_MOST - rows * ROW_BEST)};
}

/* Draws one lane of a row. An idle lane is hollow with a slash, one of an else-path has an E, or dots in a low cell. */
static void one_cell(struct view *view, struct rect cell, const struct row *row, int lane, bool later)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    struct color const background = ui_color(ui, COLOR_BACKGROUND);
    float const soft = later ? 0.55f : 0;
    if (row->mask >> lane & 1) {
        enum color_role const role = row->second ? COLOR_ELSE : COLOR_ACCESS;
        struct color const color = color_mix(view_color(view, role), background, soft);
        draw_fill(&ui->draw, cell, 2 * u, color);
        if (!row->second)
            return;
        for (int dot = 0; dot < 3; dot++)
            draw_fill(&ui->draw,
                      (struct rect){cell.x + cell.w * (0.25f + 0.25f * (float)dot) - 1.5f * u,
                                    cell.y + cell.h / 2 - 1.5f * u, 3 * u, 3 * u},
                      2 * u, background);
        return;
    }
    if (!(row->idle >> lane & 1))
        return;
    struct color const grey = color_mix(view_color(view, COLOR_IDLE), background, later ? 0.75f : 0.5f);
    draw_outline(&ui->draw, cell, 2 * u, hairline(ui), grey);
    float const side = fminf(cell.w, cell.h) * 0.3f;
    struct point const middle = {cell.x + cell.w / 2, cell.y + cell.h / 2};
    draw_line(&ui->draw, (struct point){middle.x - side, middle.y + side},
              (struct point){middle.x + side, middle.y - side}, hairline(ui), grey);
}

/* Returns the label of a row: its line, and what the step is. */
static const char *row_label(struct view *view, const struct row *row)
{
    const struct trace_event *event = row->event;
    uint32_t const taken = event->other & event->mask;
    if (row->count > 1)
        return row->lines[0] == row->lines[1]
                   ? arena_format(view->arena, "%u ×%u", row->lines[0], row->count)
                   : arena_format(view->arena, "%u–%u ×%u", row->lines[0], row->lines[1], row->count);
    const char *word = "";
    switch (event->kind) {
    case TRACE_BRANCH_TAKEN:
        if (parts(row))
            return arena_format(view->arena, "%u: %d+%d", row->lines[0], __builtin_popcount(taken),
                                __builtin_popcount(event->mask & ~taken));
        word = _("agree");
        break;
    case TRACE_BARRIER_ARRIVE:
        word = _("barrier");
        break;
    default: {
        const struct trace_site *site = playback_site(view->scene->playback, row->position);
        word = !site                            ? ""
               : site->operation == TRACE_LOAD  ? _("load")
               : site->operation == TRACE_STORE ? _("store")
                                                : _("atomic");
        break;
    }
    }
    return arena_format(view->arena, "%u: %s", row->lines[0], word);
}

static void draw_label(struct view *view, struct rect box, const struct row *row)
{
    bool const forks = parts(row);
    struct rect const label = {view->columns.label_x, box.y + (box.h - ROW_LABEL * view->ui->unit) / 2,
                               view->columns.label_w, ROW_LABEL * view->ui->unit};
    ui_label(view->ui, label, forks ? FONT_BOLD : FONT_TEXT, text_caption(view->ui), UI_RIGHT,
             ui_color(view->ui, forks ? COLOR_CONFLICT : COLOR_TEXT_DIM), row_label(view, row));
}

static bool one_row(struct view *view, struct rect box, const struct row *row, bool current, bool later, bool label)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    for (int lane = 0; lane < WARP_LANES; lane++)
        one_cell(view, column_cell(&view->columns, lane, box.y + 1, box.h - 2), row, lane, later);
    if (label)
        draw_label(view, box, row);
    ui_tip(ui, box,
           row->second ? _("step %u, line %u, else-path: %d {lane|lanes} active, %d idle")
                       : _("step %u, line %u: %d {lane|lanes} active, %d idle"),
           row->first + 1, row->lines[0], __builtin_popcount(row->mask), __builtin_popcount(row->idle));
    if (current) {
        struct rect const ring = rect_inset(box, -3 * u, -1 * u);
        draw_outline(&ui->draw, rect_inset(ring, -1.5f * u, -1.5f * u), 3 * u, 5 * u, ui_color(ui, COLOR_CURSOR_RING));
        draw_outline(&ui->draw, ring, 3 * u, 2.5f * u, ui_color(ui, COLOR_CURSOR));
    }
    return ui_area(ui, ui_id_child(ui_id_text("divergence"), (uint32_t)row->position), box);
}

/* Draws the masks of the open branches: the whole warp first, then the side that runs of each branch. The rounds of a
 * loop share a row. */
static void draw_stack(struct view *view, struct rect box, uint32_t rows)
{
    const struct scene *scene = view->scene;
    const struct timeline *timeline = scene->playback->timeline;
    uint32_t const present = trace_warp_lanes(scene->trace, scene->warp);
    struct {
        uint32_t mask, line;
        bool second;
    } levels[WARP_LANES + 1] = {{present, 0, false}};
    uint32_t const depth = timeline->lanes[scene->position].depth;
    uint32_t level = depth, site = PTX_NO_INDEX;
    for (size_t at = scene->position; (at = timeline_branch(timeline, at)) != SIZE_MAX;) {
        const struct trace_event *branch = playback_event(scene->playback, at);
        uint32_t const taken = branch->other & branch->mask;
        uint32_t const side = scene->event->mask & taken ? taken : branch->mask & ~taken;
        const struct trace_site *place = playback_site(scene->playback, at);
        if (branch->site != site && level > 0 && level <= WARP_LANES) {
            levels[level].mask = side;
            levels[level].second = side & timeline->lanes[at].else_lanes;
            levels[level--].line = place ? place->line : 0;
        }
        site = branch->site;
    }
    for (uint32_t i = 0; i < rows; i++, box.y += box.h) {
        /* If the branches are too many, the innermost ones are shown. */
        uint32_t const shown = i > 0 && depth + 1 > rows ? i + depth + 1 - rows : i;
        if (shown > depth)
            continue;
        struct row const row = {
            .mask = levels[shown].mask, .idle = present & ~levels[shown].mask, .second = levels[shown].second};
        for (int lane = 0; lane < WARP_LANES; lane++)
            one_cell(view, column_cell(&view->columns, lane, box.y + box.h * 0.2f, box.h * 0.6f), &row, lane, false);
        view_gutter(view, box.y, box.h,
                    shown ? arena_format(view->arena, _("if, line %u"), levels[shown].line) : _("all lanes"), false);
    }
}

static const char *caption_text(struct view *view, const struct summary *sum, const char *shown)
{
    const char *step = arena_format(view->arena, _("step %u of %u"), sum->current_step, sum->steps);
    const char *words = arena_format(view->arena, _("time runs downwards · %s · idle so far: %s of %s lane-steps"),
                                     step, words_count(view->arena, sum->idle), words_count(view->arena, sum->lanes));
    return view_joined(view->arena, shown, words);
}

static void active_sign(struct view *view, struct rect box)
{
    one_cell(view, box, &(struct row){.mask = 1}, 0, false);
}

static void else_sign(struct view *view, struct rect box)
{
    one_cell(view, box, &(struct row){.mask = 1, .second = true}, 0, false);
}

static void idle_sign(struct view *view, struct rect box)
{
    one_cell(view, box, &(struct row){.idle = 1}, 0, false);
}

/* Draws the caption and, if there is room, the legend of the cells. */
static void draw_caption(struct view *view, struct rect line, const struct summary *sum, const char *shown)
{
    struct view_sign const signs[] = {{active_sign, _("active")}, {else_sign, _("else-path")}, {idle_sign, _("idle")}};
    const char *text = caption_text(view, sum, shown);
    struct rect rest = line;
    rect_cut_left(&rest, fminf(line.w, ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), text)));
    if (!view_legend(view, &rest, signs, 3)) { /* it goes before the last words of the caption */
        rest = line;
        if (rest.w > 640 * view->ui->unit && view_legend(view, &rest, signs, 3))
            line.w = rest.w - 8 * view->ui->unit;
    }
    view_caption(view, line, text);
}

struct action panel_divergence(struct view *view, struct rect box)
{
    const struct scene *scene = view->scene;
    struct action action = NO_ACTION;
    float const u = view->ui->unit;
    if (!has_steps(scene))
        return action;
    struct summary const steps = sum_up(scene, false);
    struct summary sum = steps;
    rect_cut_top(&box, TOP * u); /* the letters below the lanes */
    struct rect const caption = view_columns(view, rect_cut_top(&box, CAPTION * u));
    uint32_t const stack = stack_rows(&sum);
    if (stack)
        draw_stack(view, (struct rect){box.x, box.y, box.w, STACK_ROW * u}, stack);
    rect_cut_top(&box, stack_height(&sum) * u);
    box.h -= 6 * u;
    bool merge = (float)sum.rows * ROW_LEAST * u > box.h;
    if (merge) {
        struct summary const merged = sum_up(scene, true);
        merge = merged.rows >= MERGED_LEAST; /* fewer rows would not show where the run is */
        sum = merge ? merged : sum;
    }
    bool const window = (float)sum.rows * ROW_LEAST * u > box.h;
    uint32_t const fit = window ? (uint32_t)fmaxf(1, floorf(box.h / (ROW_LABEL * u))) : sum.rows;
    uint32_t first = sum.current > fit / 2 ? sum.current - fit / 2 : 0;
    first = first + fit > sum.rows ? sum.rows - fit : first;
    draw_caption(view, caption, &steps, view_rows_shown(view, first, fit, sum.rows));
    float const height = fminf(box.h / (float)fit, ROW_MOST * u);
    uint32_t const every = (uint32_t)ceilf(ROW_LABEL * u / height);
    struct walk walk = walk_new(scene, merge);
    uint32_t i = 0;
    for (struct row row = {0}; i < first + fit && next_row(&walk, &row); i++) {
        if (i < first)
            continue;
        struct rect const line =
            view_columns(view, (struct rect){box.x, box.y + height * (float)(i - first), box.w, height});
        bool const current = i == sum.current;
        if (one_row(view, line, &row, current, i > sum.current, i % every == sum.current % every))
            action = (struct action){.kind = ACTION_SEEK, .position = row.position};
    }
    return action;
}
