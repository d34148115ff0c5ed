/* How the threads of the warp in focus combine numbers, step by step: a row for each step, a column for each lane, and
 * lines from the numbers that a thread takes, dashed where a shuffle brings them. Threads that have nothing to do are
 * dots. Where a thread has several numbers from the start, a column is a place of the array instead; 64 places of a
 * block with two numbers a thread then stand one above the other in 32 columns, and a place that stays as it is has the
 * dot. A number that another one overwrites in the same step stands above it, struck out, in a higher row. */
#include "model/tree.h"
#include "view/stage.h"
#include <math.h>

enum { CAPTION = 30, ROW_BEST = 46, ROW_LEAST = 22, ROWS_LOW = 5, ROWS_LEAST = 12, ROW_EVEN = 30, ROW_CLASS = 34 };
static const float part_desk = 0.56f, part_class = 0.62f; /* of a row's height that its cells have */

struct drawing_tree {
    const struct tree *tree;
    struct rect area;        /* of the rows */
    uint32_t first, count;   /* of the levels drawn */
    uint32_t now;            /* the level that the block has reached */
    float row, later;        /* heights of the rows with one number in a column: up to the present step, and after it */
    float above;             /* height between the caption and the first row that lines may use */
    float part;              /* of a row's height that its cells have */
    float tall[TREE_LEVELS]; /* heights of the levels, in rows with one number in a column */
    uint32_t stack;          /* places that share a column; 1 where a column is a lane */
};

/* The tree needs steps of the warp in focus. A single step, such as a difference to a
 * neighbour, is no tree. */
bool panel_tree_in_file(const struct scene *scene)
{
    const struct tree *tree = playback_tree(scene->playback);
    if (!tree || tree->level_count < 3)
        return false;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (node->shares && node->level && (tree->places || node->thread / WARP_LANES == scene->warp))
            return true;
    }
    return false;
}

/* Finds the heights of the levels, in rows with one number in a column: each further number there adds a cell. Returns
 * their sum. */
static float measure_levels(const struct tree *tree, float part, float tall[TREE_LEVELS])
{
    float sum = 0;
    for (uint32_t level = 0; level < tree->level_count; level++)
        tall[level] = 1;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (node->shares > 1 && node->level < tree->level_count)
            tall[node->level] = fmaxf(tall[node->level], 1 + part * (float)(node->shares - 1));
    }
    for (uint32_t level = 0; level < tree->level_count; level++)
        sum += tall[level];
    return sum;
}

struct panel_size panel_tree_size(const struct view *view)
{
    const struct tree *tree = playback_tree(view->scene->playback);
    if (!tree || view->stage->fault || view->stage->race || !view->scene->event)
        return NOT_SHOWN;
    bool const class = view->stage->compact; /* numbers that are read from afar, of two rows at least */
    float tall[TREE_LEVELS];
    float const rows = measure_levels(tree, class ? part_class : part_desk, tall);
    float const higher = class ? 2 * (ROW_CLASS - ROW_LEAST) : 0;
    return (struct panel_size){.least = CAPTION + ROW_LEAST * fminf(rows, ROWS_LEAST) + higher,
                               .low = CAPTION + ROW_LEAST * fminf(rows, ROWS_LOW) + higher,
                               .best = CAPTION + ROW_BEST * rows,
                               .stays = class};
}

static uint32_t level_now(const struct tree *tree, size_t position)
{
    uint32_t now = 0;
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].begin <= position && tree->nodes[i].shares && tree->nodes[i].level > now)
            now = tree->nodes[i].level;
    return now;
}

/* Returns how many numbers the last step makes that a result needs: 1 in a reduction. */
static uint32_t results_of(const struct tree *tree)
{
    uint32_t results = 0;
    for (uint32_t i = 1; i < tree->node_count; i++)
        results += tree->nodes[i].used && tree->nodes[i].level == tree->level_count - 1;
    return results;
}

static uint32_t threads_of(const struct view *view)
{
    const uint32_t *block = view->scene->trace->block;
    return block[0] * block[1] * block[2];
}

/* Returns what the threads of the block do in the step that it has reached, in parts, the most important first. */
static const char *caption_text(const struct view *view, const struct drawing_tree *drawing)
{
    const struct tree *tree = drawing->tree;
    const struct tree_level *level = &tree->levels[drawing->now];
    uint32_t const threads = threads_of(view), steps = tree->level_count - 1;
    uint32_t const keep = threads > level->threads + level->idle ? threads - level->threads - level->idle : 0;
    struct arena *arena = view->arena;
    if (!drawing->now && tree->places)
        return arena_format(arena, _("numbers: %u, by place, not by lane; rounds: %u"), tree->places, steps);
    if (!drawing->now && results_of(tree) == 1)
        return arena_format(arena, _("every thread brings a number; rounds until one is left: %u"), steps);
    if (!drawing->now)
        return arena_format(arena, _("every thread brings a number; rounds: %u"), steps);
    const char *text = level->shuffles
                           ? arena_format(arena, _("round %u of %u, by shuffles: combining threads: %u of %u"),
                                          drawing->now, steps, level->threads, threads)
                           : arena_format(arena, _("round %u of %u: combining threads: %u of %u, idle: %u"),
                                          drawing->now, steps, level->threads, threads, level->idle);
    if (level->shuffles)
        text = view_joined(arena, text, arena_format(arena, _("needed: %u"), level->combined - level->wasted));
    else if (keep)
        text = view_joined(arena, text, arena_format(arena, _("keep theirs: %u"), keep));
    text = view_joined(arena, text,
                       arena_format(arena, _("conflicts: %u, barriers: %u"), level->conflicts, level->barriers));
    if (!level->apart || level->shuffles || tree->places)
        return text;
    const char *other =
        arena_format(arena, _("the other number is that of thread t %s %llu"), level->distance < 0 ? "−" : "+",
                     (unsigned long long)(level->distance < 0 ? -level->distance : level->distance));
    return view_joined(arena, text, other);
}

/* Returns the caption with a sign where rows have no room and where columns stand in the pictures of other warps. */
static const char *caption_of(const struct view *view, const struct drawing_tree *drawing)
{
    const struct tree *tree = drawing->tree;
    uint32_t const across = WARP_LANES * drawing->stack, columns = tree->places ? tree->places : threads_of(view);
    struct arena *arena = view->arena;
    const char *words = caption_text(view, drawing);
    words = view_joined(arena, view_rows_shown(view, drawing->first, drawing->count, tree->level_count), words);
    if (columns > across) /* first: what has no room is left out from the end */
        words = view_joined(arena,
                            arena_format(arena, _("⋯ %u–%u of %u"), view->scene->warp * across,
                                         (view->scene->warp + 1) * across - 1, columns),
                            words);
    return words;
}

/* Returns the name of a row with the numbers combined in it, of shuffles only those that are needed. */
static const char *level_name(const struct view *view, const struct tree *tree, uint32_t level, bool in_short)
{
    const struct tree_level *step = &tree->levels[level];
    uint32_t const combined = step->combined - (step->shuffles ? step->wasted : 0);
    if (!level)
        return _("numbers");
    return arena_format(view->arena, in_short ? "%u: %u" : _("round %u: %u"), level, combined);
}

/* Returns whether the name of a row that is drawn is too long. Then all rows have short ones. */
static bool is_name_too_long(const struct view *view, const struct drawing_tree *drawing)
{
    bool too_long = false;
    for (uint32_t level = drawing->first; level < drawing->first + drawing->count; level++)
        too_long = too_long || ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui),
                                             level_name(view, drawing->tree, level, false)) > view->columns.label_w;
    return too_long;
}

/* Returns the number's column among those of all warps: of WARP_LANES columns, or of as many for each of the stack. */
static uint32_t column_of(const struct drawing_tree *drawing, const struct tree_node *node)
{
    return drawing->tree->places ? node->place : node->thread;
}

static bool is_drawn(const struct view *view, const struct drawing_tree *drawing, const struct tree_node *node)
{
    return column_of(drawing, node) / (WARP_LANES * drawing->stack) == view->scene->warp && node->shares &&
           node->level >= drawing->first && node->level < drawing->first + drawing->count;
}

/* Returns the height of a row with one number in a column. */
static float row_height(const struct drawing_tree *drawing, uint32_t level)
{
    return level > drawing->now ? drawing->later : drawing->row;
}

static float row_top(const struct drawing_tree *drawing, uint32_t level)
{
    float top = drawing->area.y;
    for (uint32_t above = drawing->first; above < level; above++)
        top += row_height(drawing, above) * drawing->tall[above];
    return top;
}

/* Returns the height between the cells of a level and those below it. */
static float gap_below(const struct drawing_tree *drawing, uint32_t level)
{
    return row_height(drawing, level) * (1 - drawing->part);
}

static float cell_height(const struct drawing_tree *drawing, uint32_t level)
{
    return row_height(drawing, level) * drawing->tall[level] - gap_below(drawing, level);
}

/* Returns the height between the cells of a level and those above it. */
static float gap_above(const struct drawing_tree *drawing, uint32_t level)
{
    if (level == drawing->first) /* below the caption */
        return fminf(gap_below(drawing, level), drawing->above);
    return gap_below(drawing, level - 1);
}

/* Returns the cell of a column in a row. */
static struct rect column_of_row(const struct view *view, const struct drawing_tree *drawing, uint32_t column,
                                 uint32_t level)
{
    struct rect cell =
        column_cell(&view->columns, (int)(column % WARP_LANES), row_top(drawing, level), cell_height(drawing, level));
    cell.h /= (float)drawing->stack;
    cell.y += cell.h * (float)(column / WARP_LANES % drawing->stack);
    return cell;
}

/* Returns the cell of a node: its column, divided among the nodes of one step there. */
static struct rect cell_of(const struct view *view, const struct drawing_tree *drawing, const struct tree_node *node)
{
    struct rect cell = column_of_row(view, drawing, column_of(drawing, node), node->level);
    cell.h /= (float)node->shares;
    cell.y += cell.h * (float)node->share;
    return cell;
}

/* Draws a line, dashed where a shuffle takes the number from lane to lane. */
static void draw_way(struct view *view, struct point from, struct point to, float width, struct color color,
                     bool shuffle)
{
    struct point const points[] = {from, to};
    float const u = view->ui->unit;
    if (shuffle)
        draw_polyline(&view->ui->draw, points, 2, width, 3 * u, color);
    else
        draw_line(&view->ui->draw, from, to, width, color);
}

/* Draws the way of a number into a node. A number from another warp comes from the side. */
static void draw_edge(struct view *view, const struct drawing_tree *drawing, const struct tree_node *node,
                      uint32_t number)
{
    const struct tree_node *source = &drawing->tree->nodes[node->sources[number]];
    bool const shuffle = node->by_shuffle && number == 1;
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
        draw_way(view, (struct point){from.x + from.w / 2, from.y + from.h}, end, width, color, shuffle);
        return;
    }
    if (source->level < drawing->first && column_of(drawing, source) == column_of(drawing, node)) {
        draw_way(view, (struct point){end.x, end.y - gap_above(drawing, node->level)}, end, width, color, false);
        return;
    }
    float const side = column_of(drawing, source) > column_of(drawing, node) ? 1.0f : -1.0f,
                gap = gap_above(drawing, node->level);
    struct point const start = {end.x + side * to.w * 0.42f, end.y - gap * 0.8f};
    draw_line(&ui->draw, start, end, width, color);
    draw_fill(&ui->draw, (struct rect){start.x - 2 * u, start.y - 2 * u, 4 * u, 4 * u}, 2 * u, color);
}

static const char *value_text(const struct view *view, const struct drawing_tree *drawing, const struct tree_node *node)
{
    bool const made = node->done <= view->scene->position;
    return made && node->known ? scene_number(view->arena, drawing->tree->type, node->value) : "";
}

/* Returns the number that has overwritten a node in its word within the same step, or NULL. */
static const struct tree_node *overwritten_by(const struct view *view, const struct drawing_tree *drawing,
                                              const struct tree_node *node)
{
    const struct tree *tree = drawing->tree;
    for (uint32_t i = 1; node->word && node->share + 1 < node->shares && i < tree->node_count; i++) {
        const struct tree_node *other = &tree->nodes[i];
        if (other->word == node->word && other->level == node->level && other->share > node->share &&
            other->done <= view->scene->position)
            return other;
    }
    return NULL;
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
        arena_format(arena, node->level ? _("thread %u, round %u") : _("thread %u"), node->thread, node->level);
    if (*value)
        whose = arena_format(arena, "%s: %s", whose, value);
    if (node->source_count)
        whose = arena_format(arena, _("%s, from %s"), whose, from);
    const struct tree_node *next = overwritten_by(view, drawing, node);
    const char *value_next = next ? value_text(view, drawing, next) : "";
    if (*value_next)
        whose = arena_format(arena, _("%s; overwritten by %s"), whose, value_next);
    else if (!node->used)
        whose = arena_format(arena, _("%s; no result needs it"), whose);
    ui_tip(view->ui, cell, "%s", whose);
}

/* Returns which columns of those drawn have a number in a row. */
static const bool *find_busy(const struct view *view, const struct drawing_tree *drawing, uint32_t level)
{
    const struct tree *tree = drawing->tree;
    uint32_t const columns = WARP_LANES * drawing->stack;
    bool *busy = arena_array(view->arena, bool, columns);
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (tree->nodes[i].level == level && is_drawn(view, drawing, &tree->nodes[i]))
            busy[column_of(drawing, &tree->nodes[i]) % columns] = true;
    return busy;
}

/* Draws a number that was overwritten: struck out, over the free column at its left where it needs that. */
static void draw_overwritten(struct view *view, const struct drawing_tree *drawing, const struct tree_node *node,
                             struct rect cell, const char *text)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, size = fminf(text_caption(ui), cell.h * 0.8f), middle = cell.y + cell.h * 0.55f;
    float const width = ui_text_width(ui, FONT_TEXT, size, text), past = 3 * u, right = cell.x + cell.w - 1 * u;
    uint32_t const column = column_of(drawing, node) % (WARP_LANES * drawing->stack);
    bool const free = column % WARP_LANES > 0 && !find_busy(view, drawing, node->level)[column - 1];
    struct rect label = cell;
    if (free && width + past > cell.w)
        label = (struct rect){right - width - past, cell.y, width + past, cell.h};
    draw_fill(&ui->draw, label, 3 * u, ui_color(ui, COLOR_BACKGROUND)); /* over the lines */
    ui_chip_label(ui, label, FONT_TEXT, size, ui_color(ui, COLOR_TEXT_DIM), text);
    draw_line(&ui->draw, (struct point){label.x, middle + 2 * u}, (struct point){label.x + label.w, middle - 2 * u},
              fmaxf(1, 1.4f * u), ui_color(ui, COLOR_TEXT));
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
        if (overwritten_by(view, drawing, node) && *text && cell.h >= 12 * ui->unit) {
            draw_overwritten(view, drawing, node, cell, text);
            return;
        }
        view_hollow(view, cell, !node->used);
        if (node->done <= position && cell.h >= 12 * ui->unit)
            ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_TEXT, view_chip_text(ui, cell), ui_color(ui, COLOR_TEXT_DIM),
                          text);
        return;
    }
    view_chip(view, cell, now && node->source_count > 1 ? COLOR_ACCESS : COLOR_ACCESS_SOFT, text);
    if (now && node->done > position) /* on the way: no number yet */
        view_cursor_ring(view, cell);
}

/* Draws a dot for every column that gets no number in a step. */
static void draw_idle(struct view *view, struct drawing_tree *drawing, uint32_t level)
{
    struct ui *ui = view->ui;
    const struct tree *tree = drawing->tree;
    uint32_t const columns = WARP_LANES * drawing->stack, first = view->scene->warp * columns;
    uint32_t const all = tree->places ? tree->places : first + view->scene->lane_count;
    const bool *busy = find_busy(view, drawing, level);
    float const high = row_height(drawing, level) * drawing->part / (float)drawing->stack; /* of one number */
    for (uint32_t column = first; column < first + columns && column < all; column++) {
        struct rect const cell = column_of_row(view, drawing, column, level);
        float const size = fminf(high * 0.3f, 9 * ui->unit);
        struct rect const dot = {cell.x + (cell.w - size) / 2, cell.y + cell.h - (high + size) / 2, size, size};
        if (busy[column - first])
            continue;
        draw_outline(&ui->draw, dot, size / 2, hairline(ui), ui_color(ui, COLOR_IDLE));
        if (tree->places)
            ui_tip(ui, cell, _("round %u leaves place %u as it is"), level, column);
        else
            ui_tip(ui, cell, _("lane %d is idle in round %u"), (int)(column - first), level);
    }
}

static void draw_levels(struct view *view, struct drawing_tree *drawing)
{
    const struct tree *tree = drawing->tree;
    float const u = view->ui->unit;
    bool const in_short = is_name_too_long(view, drawing);
    for (uint32_t level = drawing->first; level < drawing->first + drawing->count; level++) {
        float const one = row_height(drawing, level) * drawing->part, high = fmaxf(one, 20 * u);
        float const top = row_top(drawing, level) + cell_height(drawing, level) - one;
        view_gutter(view, top + (one - high) / 2, high, level_name(view, tree, level, in_short), false);
        draw_idle(view, drawing, level);
    }
    for (uint32_t i = 1; i < tree->node_count; i++)
        for (uint32_t k = 0; k < tree->nodes[i].source_count && is_drawn(view, drawing, &tree->nodes[i]); k++)
            draw_edge(view, drawing, &tree->nodes[i], k);
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (is_drawn(view, drawing, &tree->nodes[i]))
            draw_node(view, drawing, &tree->nodes[i]);
}

/* Returns how many places of the array stand in one column: a warp's share of them. */
static uint32_t places_in_column(const struct view *view, const struct tree *tree)
{
    uint32_t const threads = threads_of(view), least = (tree->places + WARP_LANES - 1) / WARP_LANES;
    uint32_t const share = threads ? (tree->places + threads - 1) / threads : 1;
    uint32_t const stack = share < least ? share : least;
    return stack ? stack : 1;
}

/* Returns the height of levels, in rows with one number in a column. */
static float height_of(const struct drawing_tree *drawing, uint32_t first, uint32_t count)
{
    float height = 0;
    for (uint32_t level = first; level < first + count; level++)
        height += drawing->tall[level];
    return height;
}

/* Chooses rows of one height; where they would become too low, those around the present step. */
static void choose_rows(struct drawing_tree *drawing, float height, float u)
{
    uint32_t const levels = drawing->tree->level_count;
    float const fit = fmaxf(2, height / (ROW_LEAST * u) + 0.01f);
    uint32_t last = drawing->now + 2 < levels ? drawing->now + 2 : levels, first = last;
    while (first > 0 && height_of(drawing, first - 1, last - first + 1) <= fit)
        first--;
    while (first == 0 && last < levels && height_of(drawing, 0, last + 1) <= fit)
        last++;
    drawing->first = first;
    drawing->count = last - first;
    drawing->row = drawing->later = fminf(height / height_of(drawing, first, drawing->count), 64 * u);
}

/* Chooses rows for a class: high ones for the numbers that are there, low ones for the steps to come, and as many of
 * the last rows with numbers as fit. */
static void choose_class_rows(struct drawing_tree *drawing, float height, float u)
{
    uint32_t const levels = drawing->tree->level_count, next = drawing->now + 1;
    uint32_t later = levels - next, first = 0;
    while (next - first > 2 &&
           ROW_CLASS * u * height_of(drawing, first, next - first) + ROW_LEAST * u * height_of(drawing, next, later) >
               height)
        first++;
    while (later > 0 &&
           ROW_CLASS * u * height_of(drawing, first, next - first) + ROW_LEAST * u * height_of(drawing, next, later) >
               height)
        later--;
    drawing->first = first;
    drawing->count = next - first + later;
    drawing->later = ROW_LEAST * u;
    float const rest = height - drawing->later * height_of(drawing, next, later);
    drawing->row = fminf(fmaxf(rest / height_of(drawing, first, next - first), 1), 64 * u);
}

struct action panel_tree(struct view *view, struct rect box)
{
    const struct tree *tree = playback_tree(view->scene->playback);
    float const u = view->ui->unit;
    if (!tree || !view->scene->event)
        return NO_ACTION;
    struct drawing_tree drawing = {.tree = tree,
                                   .now = level_now(tree, view->scene->position),
                                   .stack = places_in_column(view, tree),
                                   .above = 4 * u,
                                   .part = view->stage->compact ? part_class : part_desk};
    float const rows = measure_levels(tree, drawing.part, drawing.tall);
    struct rect const caption = view_columns(view, rect_cut_top(&box, CAPTION * u));
    drawing.area = box;
    if (view->stage->compact && box.h < ROW_EVEN * u * rows)
        choose_class_rows(&drawing, box.h, u);
    else
        choose_rows(&drawing, box.h, u);
    view_caption(view, caption, caption_of(view, &drawing));
    draw_levels(view, &drawing);
    return NO_ACTION;
}
