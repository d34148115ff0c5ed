/* How the threads of the warp in focus combine numbers, step by step: a row for each step, a column for each lane, and
 * lines from the numbers that a thread takes. Threads that have nothing to do are dots. */
#include "view/stage.h"
#include <math.h>

enum { CAPTION = 30, ROW_BEST = 46, ROW_LEAST = 22 };

struct drawing_tree {
    const struct tree *tree;
    struct rect area;      /* of the rows */
    uint32_t first, count; /* of the levels drawn */
    uint32_t now;          /* the level that the block has reached */
    float row, cell;       /* heights */
};

struct panel_size panel_tree_size(const struct view *view)
{
    const struct tree *tree = view->scene->playback->tree;
    if (!tree || view->stage->fault || view->stage->race || !view->scene->event)
        return NOT_SHOWN;
    float const rows = (float)tree->level_count;
    return (struct panel_size){.least = CAPTION + ROW_LEAST * rows, .best = CAPTION + ROW_BEST * rows};
}

static uint32_t level_now(const struct tree *tree, size_t position)
{
    uint32_t now = 0;
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].begin <= position && tree->nodes[i].level > now)
            now = tree->nodes[i].level;
    return now;
}

/* Returns what the threads of the block do in the step that it has reached; brief: without where the numbers come from.
 */
static const char *caption_text(const struct view *view, const struct drawing_tree *drawing, bool brief)
{
    const struct trace *trace = view->scene->trace;
    const struct tree_level *level = &drawing->tree->levels[drawing->now];
    uint32_t const threads = trace->block[0] * trace->block[1] * trace->block[2];
    struct arena *arena = view->arena;
    if (!drawing->now)
        return arena_format(arena, _("every thread brings a number; steps until one is left: %u"),
                            drawing->tree->level_count - 1);
    uint32_t const steps = drawing->tree->level_count - 1, needed = level->combined - level->wasted;
    if (level->shuffles)
        return arena_format(arena, _("step %u of %u, by shuffles: %u of %u threads combine numbers; needed: %u"),
                            drawing->now, steps, level->combined, threads, needed);
    const char *text =
        arena_format(arena, _("step %u of %u: %u of %u threads combine numbers, %u are idle"), drawing->now, steps,
                     level->combined, threads, threads > level->combined ? threads - level->combined : 0);
    if (level->apart && !brief)
        return arena_format(arena, _("%s · the other number is that of thread t %s %llu"), text,
                            level->distance < 0 ? "−" : "+",
                            (unsigned long long)(level->distance < 0 ? -level->distance : level->distance));
    return text;
}

static void draw_caption(struct view *view, struct rect line, const struct drawing_tree *drawing)
{
    const char *text = caption_text(view, drawing, false);
    if (ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), text) > line.w)
        text = caption_text(view, drawing, true);
    view_caption(view, line, text);
}

static bool is_drawn(const struct view *view, const struct drawing_tree *drawing, const struct tree_node *node)
{
    return node->thread / WARP_LANES == view->scene->warp && node->level >= drawing->first &&
           node->level < drawing->first + drawing->count;
}

/* Returns the cell of a node: its thread's column, divided among the nodes that the thread makes in one step. */
static struct rect cell_of(const struct view *view, const struct drawing_tree *drawing, const struct tree_node *node)
{
    const struct tree *tree = drawing->tree;
    float const y = drawing->area.y + (float)(node->level - drawing->first) * drawing->row;
    struct rect cell = column_cell(&view->columns, (int)(node->thread % WARP_LANES), y, drawing->cell);
    uint32_t before = 0, all = 0;
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].thread == node->thread && tree->nodes[i].level == node->level) {
            before += &tree->nodes[i] < node;
            all++;
        }
    cell.h /= (float)all;
    cell.y += cell.h * (float)before;
    return cell;
}

/* Draws the way of a number into a node. A number from another warp comes from the side. */
static void draw_edge(struct view *view, const struct drawing_tree *drawing, const struct tree_node *node,
                      const struct tree_node *source)
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    size_t const position = view->scene->position;
    struct rect const to = cell_of(view, drawing, node);
    struct point const end = {to.x + to.w / 2, to.y};
    bool const now = node->begin <= position && node->done >= position, later = node->begin > position;
    if (later && !node->used)
        return; /* many lines that lead nowhere would hide the others */
    struct color color = view_color(view, now ? COLOR_ACCESS : COLOR_IDLE);
    if (later || !node->used)
        color = color_mix(color, ui_color(ui, COLOR_BACKGROUND), now ? 0.5f : 0.72f);
    bool const crowded = drawing->tree->levels[node->level].combined > WARP_LANES / 4;
    float const width = now && !crowded ? fmaxf(2, 2.4f * u) : fmaxf(1, (now ? 1.6f : 1.2f) * u);
    if (is_drawn(view, drawing, source)) {
        struct rect const from = cell_of(view, drawing, source);
        draw_line(&ui->draw, (struct point){from.x + from.w / 2, from.y + from.h}, end, width, color);
        return;
    }
    float const side = source->thread > node->thread ? 1.0f : -1.0f, gap = drawing->row - drawing->cell;
    struct point const start = {end.x + side * to.w * 0.42f, end.y - gap * 0.8f};
    draw_line(&ui->draw, start, end, width, color);
    draw_fill(&ui->draw, (struct rect){start.x - 2 * u, start.y - 2 * u, 4 * u, 4 * u}, 2 * u, color);
}

static const char *value_text(const struct view *view, const struct drawing_tree *drawing, const struct tree_node *node)
{
    bool const made = node->done <= view->scene->position;
    return made && node->known ? scene_number(view->arena, drawing->tree->type, node->value) : "";
}

static void cell_tip(struct view *view, const struct drawing_tree *drawing, const struct tree_node *node,
                     struct rect cell)
{
    struct arena *arena = view->arena;
    const char *value = value_text(view, drawing, node), *from = "";
    if (!ui_hovered(view->ui, cell))
        return;
    for (uint32_t i = 0; i < node->source_count; i++) {
        const struct tree_node *source = &drawing->tree->nodes[node->sources[i]];
        const char *one = arena_format(arena, _("thread %u"), source->thread);
        if (*value && source->known)
            one = arena_format(arena, "%s (%s)", scene_number(arena, drawing->tree->type, source->value), one);
        const char *sign =
            node->operation == '+' || node->operation == '*' ? arena_format(arena, " %c ", node->operation) : ", ";
        from = arena_format(arena, "%s%s%s", from, i ? sign : "", one);
    }
    const char *whose =
        arena_format(arena, node->level ? _("thread %u, step %u") : _("thread %u"), node->thread, node->level);
    if (*value)
        whose = arena_format(arena, "%s: %s", whose, value);
    if (node->source_count)
        whose = arena_format(arena, _("%s, from %s"), whose, from);
    if (!node->used)
        whose = arena_format(arena, _("%s; no result needs it"), whose);
    ui_tip(view->ui, cell, "%s", whose);
}

static void draw_node(struct view *view, const struct drawing_tree *drawing, const struct tree_node *node)
{
    struct ui *ui = view->ui;
    size_t const position = view->scene->position;
    struct rect const cell = cell_of(view, drawing, node);
    const char *text = value_text(view, drawing, node);
    bool const now = node->begin <= position && node->done >= position && node->level > 0;
    cell_tip(view, drawing, node, cell);
    if (node->begin > position || !node->used) {
        draw_fill(&ui->draw, cell, 3 * ui->unit, ui_color(ui, COLOR_BACKGROUND)); /* over the lines */
        view_hollow(view, cell, !node->used);
        if (node->done <= position && cell.h >= 12 * ui->unit)
            ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_TEXT, view_chip_text(ui, cell), ui_color(ui, COLOR_TEXT_DIM),
                          text);
        return;
    }
    view_chip(view, cell, now ? COLOR_ACCESS : COLOR_ACCESS_SOFT, text);
    if (now && node->done > position) /* on the way: no number yet */
        view_cursor_ring(view, cell);
}

/* Draws a dot for every thread that makes no number in a step. */
static void draw_idle(struct view *view, struct drawing_tree *drawing, uint32_t level)
{
    struct ui *ui = view->ui;
    const struct tree *tree = drawing->tree;
    float const size = fminf(drawing->cell * 0.3f, 9 * ui->unit);
    bool busy[WARP_LANES] = {false};
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].level == level && tree->nodes[i].thread / WARP_LANES == view->scene->warp)
            busy[tree->nodes[i].thread % WARP_LANES] = true;
    for (int lane = 0; lane < (int)view->scene->lane_count; lane++) {
        struct rect const cell = column_cell(
            &view->columns, lane, drawing->area.y + (float)(level - drawing->first) * drawing->row, drawing->cell);
        struct rect const dot = {cell.x + (cell.w - size) / 2, cell.y + (cell.h - size) / 2, size, size};
        if (busy[lane])
            continue;
        draw_outline(&ui->draw, dot, size / 2, hairline(ui), ui_color(ui, COLOR_IDLE));
        ui_tip(ui, cell, _("lane %d is idle in step %u"), lane, level);
    }
}

static void draw_levels(struct view *view, struct drawing_tree *drawing)
{
    const struct tree *tree = drawing->tree;
    float const u = view->ui->unit;
    for (uint32_t level = drawing->first; level < drawing->first + drawing->count; level++) {
        float const y = drawing->area.y + (float)(level - drawing->first) * drawing->row;
        const char *name = level ? arena_format(view->arena, _("step %u: %u"), level,
                                                tree->levels[level].combined - tree->levels[level].wasted)
                                 : _("numbers");
        float const high = fmaxf(drawing->cell, 20 * u);
        view_gutter(view, y + (drawing->cell - high) / 2, high, name, false);
        draw_idle(view, drawing, level);
    }
    for (uint32_t i = 1; i < tree->node_count; i++)
        for (uint32_t k = 0; k < tree->nodes[i].source_count && is_drawn(view, drawing, &tree->nodes[i]); k++)
            draw_edge(view, drawing, &tree->nodes[i], &tree->nodes[tree->nodes[i].sources[k]]);
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (is_drawn(view, drawing, &tree->nodes[i]))
            draw_node(view, drawing, &tree->nodes[i]);
}

struct panel_action panel_tree(struct view *view, struct rect box)
{
    const struct tree *tree = view->scene->playback->tree;
    float const u = view->ui->unit;
    if (!tree || !view->scene->event)
        return NOTHING_DONE;
    struct drawing_tree drawing = {.tree = tree, .now = level_now(tree, view->scene->position)};
    draw_caption(view, view_columns(view, rect_cut_top(&box, CAPTION * u)), &drawing);
    drawing.area = box;
    /* where rows would become too low, those around the present step */
    uint32_t const fit = (uint32_t)fmaxf(2, floorf(box.h / (ROW_LEAST * u) + 0.01f));
    drawing.count = tree->level_count < fit ? tree->level_count : fit;
    drawing.first = drawing.now + 1 > drawing.count ? drawing.now + 1 - drawing.count : 0;
    drawing.row = fminf(box.h / (float)drawing.count, 64 * u);
    drawing.cell = drawing.row * 0.56f;
    draw_levels(view, &drawing);
    return NOTHING_DONE;
}
