/* Where the variables of the kernel live: a multiprocessor with its registers, shared memory and caches, the L2 cache
 * and DRAM around it. Each variable stands in the space that the compiler gave it; the way of this access is outlined.
 */
#include "view/panels/spaces.h"
#include <math.h>
#include <string.h>

static const char *const part_names[PARTS] = {
    [PLACE_REGISTERS] = N_("Registers"),
    [PLACE_SHARED] = N_("Shared memory"),
    [PLACE_LOCAL] = N_("Local memory"),
    [PLACE_GLOBAL] = N_("Global memory"),
    [PLACE_CONSTANT] = N_("Constant memory"),
    [PLACE_PARAMETERS] = N_("Parameters"),
    [PART_L1] = N_("L1 cache"),
    [PART_CONSTANT_CACHE] = N_("Constant cache"),
    [PART_L2] = N_("L2 cache"),
    [PART_DRAM] = N_("DRAM"),
    [PART_MULTIPROCESSOR] = N_("Multiprocessor"),
};

/* for narrow boxes */
static const char *const short_names[PARTS] = {
    [PLACE_REGISTERS] = N_("Registers"),
    [PLACE_SHARED] = N_("Shared"),
    [PLACE_LOCAL] = N_("Local"),
    [PLACE_GLOBAL] = N_("Global"),
    [PLACE_CONSTANT] = N_("Constant"),
    [PLACE_PARAMETERS] = N_("Params"),
    [PART_L1] = N_("L1"),
    [PART_CONSTANT_CACHE] = N_("Constant"),
    [PART_L2] = N_("L2"),
    [PART_DRAM] = N_("DRAM"),
    [PART_MULTIPROCESSOR] = N_("Multiprocessor"),
};

static const char *const owners[] = {
    [PTX_OWNER_THREAD] = N_("each thread its own"),
    [PTX_OWNER_BLOCK] = N_("one for each block"),
    [PTX_OWNER_GRID] = N_("one for the whole grid"),
};

static const char *const short_owners[] = {
    [PTX_OWNER_THREAD] = N_("for a thread"),
    [PTX_OWNER_BLOCK] = N_("for a block"),
    [PTX_OWNER_GRID] = N_("for the grid"),
};

static const char *const lifetimes[] = {
    [PTX_LIFE_THREAD] = N_("until the thread ends"),
    [PTX_LIFE_BLOCK] = N_("until the block ends"),
    [PTX_LIFE_LAUNCH] = N_("until the kernel ends"),
    [PTX_LIFE_PROGRAM] = N_("until the program ends"),
};

static bool is_marked(const struct view *view)
{
    return marks_of(view, CELLS_VARIABLES) != NULL;
}

const char *spaces_name(const struct view *view, const struct ptx_placed *variable)
{
    return variable->pointed_to ? arena_format(view->arena, "%s[]", variable->name) : variable->name;
}

struct rect spaces_chip(const struct view *view, struct flow *flow, float height, const char *text)
{
    float const u = view->ui->unit, gap = CHIP_GAP * u;
    float const wanted = ui_text_width(view->ui, FONT_CODE, text_caption(view->ui), text) + 18 * u;
    float const width = wanted * (1 - flow->narrower);
    if (flow->x > 0 && flow->x + width > flow->box.w) {
        flow->x = 0;
        flow->y += height + gap;
    }
    if (flow->y + height > flow->box.h + 1)
        return (struct rect){0};
    struct rect const chip = {flow->box.x + flow->x, flow->box.y + flow->y, fminf(width, flow->box.w), height};
    flow->x += width + gap;
    return chip;
}

/* Returns whether variables wait for their places. */
static bool is_asked(const struct view *view)
{
    return is_marked(view) && !marks_of(view, CELLS_VARIABLES)->right;
}

/* Returns the height of all variables side by side, in as many rows as they need. The room does not change while they
 * leave it. */
static float waiting_height(const struct view *view, float chip)
{
    float const gap = CHIP_GAP * view->ui->unit;
    struct flow flow = {.box = rect_inset(view_columns(view, (struct rect){.h = 1e6f}), gap, 0)};
    if (!is_asked(view))
        return 0;
    for (uint32_t i = 0; i < view->scene->variable_count; i++)
        if (marks_exist(view->scene, CELLS_VARIABLES, i))
            spaces_chip(view, &flow, chip, spaces_name(view, &view->scene->variables[i]));
    return flow.y + chip + 2 * gap;
}

/* They need much room, so a file shows them only where no other panel tells of the access. */
bool panel_spaces_in_file(const struct scene *scene)
{
    if (!scene->event || scene->event->kind != TRACE_ACCESS || !scene->site)
        return false;
    enum ptx_space const space = trace_space(scene->site, scene->event);
    return space == PTX_SPACE_LOCAL || space == PTX_SPACE_CONST;
}

struct panel_size panel_spaces_size(const struct view *view)
{
    float const u = view->ui->unit;
    if (view->stage->fault || !view->scene->variable_count ||
        (view->stage->race && !(view->stage->focus & STAGE_SPACES)))
        return NOT_SHOWN;
    if (view->stage->covered && !is_marked(view))
        return panel_access_size(view, 320 * u);
    return (struct panel_size){.least = WHOLE_HEIGHT + 2 * MARGIN + waiting_height(view, LEAST_CHIP * u) / u,
                               .low = LEAST_HEIGHT + waiting_height(view, LEAST_CHIP * u) / u,
                               .best = BEST_HEIGHT + waiting_height(view, BEST_CHIP * u) / u,
                               .stays = is_marked(view)};
}

/* Shares out a low box: two rows of places. */
static void make_low_plan(const struct view *view, struct rect box, struct plan *plan)
{
    float const gap = 6 * view->ui->unit;
    struct rect const rows[] = {rect_cut_top(&box, (box.h - gap) / 2), {box.x, box.y + gap, box.w, box.h - gap}};
    for (enum place place = PLACE_REGISTERS; place < PLACE_COUNT; place++) {
        int const number = (int)place - PLACE_REGISTERS;
        plan->parts[place] = rect_column(rows[number / 3], number % 3, 3, gap);
    }
}

/* Shares out the box: lines of text keep their height, and the three rows of places share the rest. */
static void make_plan(const struct view *view, struct rect box, struct plan *plan)
{
    float const unit = view->ui->unit;
    float const u = fminf(unit, box.h / (BEST_HEIGHT + waiting_height(view, BEST_CHIP * unit) / unit));
    float const gap = 8 * u, between = 16 * u, text = 20 * unit;
    plan->chip = fmaxf(LEAST_CHIP * unit, BEST_CHIP * u);
    plan->caption = rect_cut_bottom(&box, text + 4 * u);
    plan->parts[PLACE_NONE] = rect_cut_top(&box, waiting_height(view, plan->chip));
    rect_cut_top(&box, is_asked(view) ? gap : 0);
    plan->whole = box.h + plan->caption.h >= WHOLE_HEIGHT * unit;
    if (!plan->whole) {
        make_low_plan(view, box, plan);
        return;
    }
    float const cache = fmaxf(text + 6 * unit, 30 * u), lines = 2 * text + cache + 3 * between + 3 * gap;
    float const row = fminf((box.h - lines) / 3, 110 * unit);
    plan->multiprocessor = rect_cut_top(&box, text + 2 * row + between + gap);
    rect_cut_top(&box, between);
    plan->parts[PART_L2] = rect_cut_top(&box, cache);
    rect_cut_top(&box, between);
    plan->dram = rect_cut_top(&box, text + row + gap);
    plan->caption = (struct rect){box.x, box.y, box.w, plan->caption.h};

    struct rect inside = rect_inset(plan->multiprocessor, gap, 0);
    rect_cut_top(&inside, text);
    plan->parts[PLACE_REGISTERS] = rect_cut_top(&inside, row);
    rect_cut_top(&inside, between);
    inside = rect_cut_top(&inside, row);
    plan->parts[PLACE_SHARED] = rect_column(inside, 0, 3, 2 * gap);
    plan->parts[PART_L1] = rect_column(inside, 1, 3, 2 * gap);
    plan->parts[PART_CONSTANT_CACHE] = rect_column(inside, 2, 3, 2 * gap);

    inside = rect_inset(plan->dram, gap, 0);
    rect_cut_top(&inside, text);
    inside = rect_cut_top(&inside, row);
    float const width = inside.w - 3 * gap; /* kernels have more parameters than local arrays */
    plan->parts[PLACE_LOCAL] = rect_cut_left(&inside, 0.19f * width);
    rect_cut_left(&inside, gap);
    plan->parts[PLACE_GLOBAL] = rect_cut_left(&inside, 0.25f * width);
    rect_cut_left(&inside, gap);
    plan->parts[PLACE_CONSTANT] = rect_cut_left(&inside, 0.25f * width);
    rect_cut_left(&inside, gap);
    plan->parts[PLACE_PARAMETERS] = inside;
}

/* Returns the space that this access reads or writes; GENERIC: there is no access to memory. */
static enum ptx_space space_now(const struct scene *scene)
{
    if (!scene->event || !scene->site || scene->event->kind != TRACE_ACCESS)
        return PTX_SPACE_GENERIC;
    return trace_space(scene->site, scene->event);
}

/* Returns whether this access uses the variable. Only global, constant and shared memory have addresses that tell. */
static bool is_used(const struct scene *scene, const struct ptx_placed *variable)
{
    enum ptx_space const space = space_now(scene);
    uint64_t element = 0;
    if (space != variable->space || !scene->event->mask)
        return false;
    const uint64_t *addresses = trace_addresses(scene->trace, scene->event);
    uint64_t const address = addresses[__builtin_ctz(scene->event->mask)];
    if (space == PTX_SPACE_SHARED) {
        uint64_t const offset = scene_shared_offset(scene->trace, address);
        return !variable->bytes || (offset >= variable->offset && offset - variable->offset < variable->bytes);
    }
    const struct trace_buffer *buffer =
        space == PTX_SPACE_LOCAL ? NULL : trace_find_buffer(scene->trace, address, &element);
    return !buffer || strcmp(buffer->name, variable->name) == 0;
}

const char *spaces_place(enum place place)
{
    return place == PLACE_NONE ? _("no place") : _(part_names[place]);
}

/* Returns "16 bytes", or "?" where the size is not known. */
const char *spaces_size(const struct view *view, const struct ptx_placed *variable)
{
    if (!variable->bytes)
        return _("size unknown");
    return arena_format(view->arena, variable->bytes == 1 ? _("%s byte") : _("%s bytes"),
                        words_count(view->arena, variable->bytes));
}

static void tip_of(struct view *view, struct rect box, const struct ptx_placed *variable)
{
    const char *name = variable->by_compiler ? arena_format(view->arena, _("%s (the compiler's name)"), variable->name)
                                             : spaces_name(view, variable);
    ui_tip(view->ui, box, "%s · %s · %s · %s · %s", name, _(part_names[marks_place(variable->space)]),
           spaces_size(view, variable), _(owners[ptx_space_owner(variable->space)]),
           variable->pointed_to ? _("until it is freed") : _(lifetimes[ptx_space_lifetime(variable->space)]));
}

static void draw_chip(struct view *view, struct rect chip, const struct ptx_placed *variable, const char *label,
                      bool used)
{
    struct ui *ui = view->ui;
    float const radius = 5 * ui->unit;
    draw_fill(&ui->draw, chip, radius, view_color(view, used ? COLOR_ACCESS : COLOR_ACCESS_SOFT));
    if (variable->by_compiler)
        draw_outline_dashed(&ui->draw, chip, radius, hairline(ui), 4 * ui->unit, view_color(view, COLOR_IDLE));
    else if (!used)
        draw_outline(&ui->draw, chip, radius, hairline(ui), view_color(view, COLOR_ACCESS));
    ui_label(ui, rect_inset(chip, CHIP_INSET * ui->unit, 0), FONT_CODE, text_caption(ui), UI_CENTER,
             used ? view_text_on(view, COLOR_ACCESS) : ui_color(ui, COLOR_TEXT), label);
    tip_of(view, chip, variable);
}

/* Returns the latency that a load from a part has, in cycles; 0: not known. */
static double latency_of(const struct scene *scene, enum part part)
{
    const struct clock_figures *figures = scene->latencies;
    if (!figures)
        return 0;
    switch ((int)part) {
    case PLACE_SHARED:
        return figures->shared;
    case PART_L1:
        return figures->l1;
    case PART_L2:
        return figures->l2;
    case PART_DRAM:
        return figures->dram;
    case PART_CONSTANT_CACHE:
        return figures->constant;
    default:
        return 0;
    }
}

/* Returns the first of the texts that fits into a width, or "". */
static const char *fitting(const struct view *view, enum font_role role, float width, const char *const *texts,
                           size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ui_text_width(view->ui, role, text_caption(view->ui), texts[i]) <= width)
            return texts[i];
    return "";
}

/* Writes the name of a part at the left of a line, and the cycles of a load at its right if there is room. number: the
 * key that puts a variable here; 0: none. */
static void draw_title(struct view *view, struct rect line, enum part part, int number, double cycles)
{
    struct ui *ui = view->ui;
    float const size = text_caption(ui), gap = 8 * ui->unit;
    const char *before = number ? arena_format(view->arena, "%d  ", number) : "";
    const char *const names[] = {arena_format(view->arena, "%s%s", before, _(part_names[part])),
                                 arena_format(view->arena, "%s%s", before, _(short_names[part]))};
    const char *const latencies[] = {arena_format(view->arena, _("%.0f cycles"), cycles),
                                     arena_format(view->arena, "%.0f", cycles)};
    const char *name = fitting(view, FONT_BOLD, line.w, names, 2);
    float const rest = line.w - ui_text_width(ui, FONT_BOLD, size, name) - gap;
    const char *latency = cycles > 0 ? fitting(view, FONT_TEXT, rest, latencies, 2) : "";
    struct rect right = line;
    struct rect const left = rect_cut_left(&right, ui_text_width(ui, FONT_BOLD, size, name) + 1);
    ui_label(ui, left, FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_TEXT), name);
    if (*latency)
        ui_label(ui, right, FONT_TEXT, size, UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM), latency);
    if (cycles > 0)
        ui_tip(ui, line, _("%s: a load takes %.4g cycles"), _(part_names[part]), cycles);
}

/* Returns who sees the variables of a place, and how long they last, as far as a width allows. */
static const char *scope_words(const struct view *view, enum place place, float width)
{
    static const enum ptx_space spaces[PLACE_COUNT] = {
        [PLACE_REGISTERS] = PTX_SPACE_REGISTER, [PLACE_SHARED] = PTX_SPACE_SHARED,
        [PLACE_LOCAL] = PTX_SPACE_LOCAL,        [PLACE_GLOBAL] = PTX_SPACE_GLOBAL,
        [PLACE_CONSTANT] = PTX_SPACE_CONST,     [PLACE_PARAMETERS] = PTX_SPACE_PARAM};
    const char *owner = _(owners[ptx_space_owner(spaces[place])]);
    const char *both =
        arena_format(view->arena, "%s, %s", owner,
                     place == PLACE_GLOBAL ? _("until it is freed") : _(lifetimes[ptx_space_lifetime(spaces[place])]));
    const char *const words[] = {both, owner, _(short_owners[ptx_space_owner(spaces[place])])};
    return fitting(view, FONT_TEXT, width, words, 3);
}

/* Draws the frame of a part, its title, and below it some words if there is room. Returns the room for variables. */
static struct rect draw_part(struct view *view, const struct plan *plan, enum part part, int number, const char *words,
                             enum color_role fill, bool used)
{
    struct ui *ui = view->ui;
    struct rect const box = plan->parts[part];
    float const u = ui->unit, line = 20 * u;
    draw_fill(&ui->draw, box, 5 * u, view_color(view, fill));
    draw_outline(&ui->draw, box, 5 * u, used ? fmaxf(2, 2.5f * u) : hairline(ui),
                 used ? view_color(view, COLOR_ACCESS) : ui_color(ui, COLOR_EDGE));
    struct rect inside = rect_inset(box, 9 * u, fminf(4 * u, (box.h - line) / 2));
    float const spare = inside.h - plan->chip - line, above = fmaxf(0, fminf(4 * u, spare / 4));
    rect_cut_top(&inside, above);
    draw_title(view, rect_cut_top(&inside, line), part, number, latency_of(view->scene, part));
    if (*words && spare - above >= line)
        ui_label(ui, rect_cut_top(&inside, line), FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM),
                 words);
    rect_cut_top(&inside, fmaxf(0, fminf(4 * u, inside.h - plan->chip)));
    return inside;
}

static struct rect draw_place(struct view *view, const struct plan *plan, enum place place, bool used)
{
    return draw_part(view, plan, (enum part)place, is_asked(view) ? (int)place : 0,
                     scope_words(view, place, plan->parts[place].w - 18 * view->ui->unit), COLOR_BACKGROUND, used);
}

/* Draws a cache: it holds no variables. */
static void draw_cache(struct view *view, const struct plan *plan, enum part part, bool used)
{
    const char *const words[] = {part == PART_L1               ? _("for local and global memory")
                                 : part == PART_CONSTANT_CACHE ? _("for constants and parameters")
                                                               : ""};
    draw_part(view, plan, part, 0, fitting(view, FONT_TEXT, plan->parts[part].w - 18 * view->ui->unit, words, 1),
              used ? COLOR_ACCESS_SOFT : COLOR_BACKGROUND, used);
}

/* Draws an arrow between two boxes, one above the other, at x: up for a load, down for a store. */
static void draw_arrow(struct view *view, float x, float above, float below, bool up)
{
    struct ui *ui = view->ui;
    float const u = ui->unit, head = fminf(9 * u, (below - above) * 0.7f);
    struct color const color = view_color(view, COLOR_ACCESS);
    float const tip = up ? above : below, back = up ? above + head : below - head;
    struct point const arrow[] = {{x, tip}, {x - head * 0.7f, back}, {x + head * 0.7f, back}};
    draw_line(&ui->draw, (struct point){x, up ? below : above}, (struct point){x, back}, fmaxf(2, 3 * u), color);
    draw_polygon(&ui->draw, arrow, 3, color);
}

static float middle(struct rect box)
{
    return box.x + box.w / 2;
}

/* Draws the way between the lanes' registers and the memory of this access. */
static void draw_way(struct view *view, const struct plan *plan, enum ptx_space space)
{
    bool const up = view->scene->site->operation != TRACE_STORE && view->scene->site->operation != TRACE_REDUCTION;
    enum place const place = marks_place(space);
    const struct rect *parts = plan->parts, *registers = &parts[PLACE_REGISTERS];
    enum part const near = place == PLACE_SHARED     ? (enum part)PLACE_SHARED
                           : place == PLACE_CONSTANT ? PART_CONSTANT_CACHE
                                                     : PART_L1;
    draw_arrow(view, middle(parts[near]), registers->y + registers->h, parts[near].y, up);
    if (place == PLACE_SHARED)
        return;
    draw_arrow(view, middle(parts[near]), parts[near].y + parts[near].h, parts[PART_L2].y, up);
    draw_arrow(view, middle(parts[place]), parts[PART_L2].y + parts[PART_L2].h, parts[place].y, up);
}

static struct rect title_of(const struct view *view, struct rect frame)
{
    struct rect title = rect_inset(frame, 14 * view->ui->unit, 0);
    title.h = 20 * view->ui->unit;
    return title;
}

/* Draws everything but the variables. rooms: set to the rooms of the variables. */
static void draw_machine(struct view *view, const struct plan *plan, struct rect rooms[PLACE_COUNT])
{
    struct ui *ui = view->ui;
    float const u = ui->unit;
    enum ptx_space const space = view->stage->covered ? PTX_SPACE_GENERIC : space_now(view->scene);
    bool const any = space != PTX_SPACE_GENERIC && !is_marked(view);
    enum place const place = any ? marks_place(space) : PLACE_NONE;
    bool const by_l1 = place == PLACE_GLOBAL || place == PLACE_LOCAL;
    if (plan->whole) {
        draw_fill(&ui->draw, plan->multiprocessor, 8 * u, ui_color(ui, COLOR_BAR));
        draw_fill(&ui->draw, plan->dram, 8 * u, ui_color(ui, COLOR_BAR));
        draw_title(view, title_of(view, plan->multiprocessor), PART_MULTIPROCESSOR, 0, 0);
        draw_title(view, title_of(view, plan->dram), PART_DRAM, 0, latency_of(view->scene, PART_DRAM));
    }
    for (enum place p = PLACE_REGISTERS; p < PLACE_COUNT; p++)
        rooms[p] = draw_place(view, plan, p, p == place || (any && p == PLACE_REGISTERS));
    if (plan->whole) {
        draw_cache(view, plan, PART_L1, by_l1);
        draw_cache(view, plan, PART_CONSTANT_CACHE, place == PLACE_CONSTANT);
        draw_cache(view, plan, PART_L2, by_l1 || place == PLACE_CONSTANT);
    }
    if (any && plan->whole)
        draw_way(view, plan, space);
    ui_tip(ui, plan->parts[PLACE_REGISTERS], "%s",
           _("automatic variables without a place in local memory: in a register, or gone if nothing needs them"));
}

const char *spaces_caption(const struct view *view)
{
    const struct clock_figures *figures = view->scene->latencies;
    if (!figures)
        return _("Places: from the PTX of the kernel");
    const char *words =
        arena_format(view->arena,
                     figures->measured ? _("Places: from the PTX. Latencies of a load: measured on %s")
                                       : _("Places: from the PTX. Latencies of a load on %s: from literature"),
                     figures->gpu);
    if (ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), words) <= view->columns.pitch * WARP_LANES)
        return words;
    return arena_format(
        view->arena, figures->measured ? _("Latencies: measured on %s") : _("Latencies: literature, %s"), figures->gpu);
}

/* Returns the line below a picture that has no room for the caches. It names none of them, because they may have panels
 * of their own below. */
static const char *low_caption(const struct view *view)
{
    uint32_t const places = PLACE_COUNT - PLACE_REGISTERS, all = PARTS - PLACE_REGISTERS;
    view_note_part(view, places, all);
    return arena_format(view->arena, _("⋯ %u of %u parts: a larger window shows the others here"), places, all);
}

/* Returns "tile 1,024 B", or the name alone. */
static const char *label_of(const struct view *view, const struct ptx_placed *variable, bool sized)
{
    const char *name = spaces_name(view, variable);
    return sized && variable->bytes
               ? arena_format(view->arena, "%s %s B", name, words_count(view->arena, variable->bytes))
               : name;
}

/* Returns whether the labels of all variables of a place fit into its room. A size is not shortened: "t 12..." would
 * be a wrong number. A name may be. */
static bool all_fit(const struct view *view, const struct plan *plan, struct rect room, enum place place, bool sized)
{
    struct ui *ui = view->ui;
    struct flow flow = {.box = room};
    for (uint32_t i = 0; i < view->scene->variable_count; i++) {
        const struct ptx_placed *variable = &view->scene->variables[i];
        if (marks_place(variable->space) != place)
            continue;
        const char *label = label_of(view, variable, sized);
        float const width = spaces_chip(view, &flow, plan->chip, label).w;
        float const least =
            sized ? ui_text_width(ui, FONT_CODE, text_caption(ui), label) + 2 * CHIP_INSET * ui->unit : 0;
        if (width <= least)
            return false;
    }
    return true;
}

/* Draws the variables of a place, with their sizes if there is room, and the number of those that find no room. */
static void draw_variables(struct view *view, const struct plan *plan, struct rect room, enum place place)
{
    const struct scene *scene = view->scene;
    struct ui *ui = view->ui;
    bool const sized = all_fit(view, plan, room, place, true);
    bool const all = sized || all_fit(view, plan, room, place, false);
    struct rect const rest = rect_cut_right(&room, all ? 0 : 44 * ui->unit);
    struct flow flow = {.box = room};
    unsigned hidden = 0;
    const char *names = "";
    for (uint32_t i = 0; i < scene->variable_count; i++) {
        const struct ptx_placed *variable = &scene->variables[i];
        if (marks_place(variable->space) != place)
            continue;
        const char *label = label_of(view, variable, sized);
        struct rect const chip = hidden ? (struct rect){0} : spaces_chip(view, &flow, plan->chip, label);
        if (chip.w > 0) {
            draw_chip(view, chip, variable, label, is_used(scene, variable));
            continue;
        }
        names = arena_format(view->arena, "%s%s%s", names, hidden ? ", " : "", label);
        hidden++;
    }
    if (!hidden)
        return;
    ui_label(ui, rest, FONT_TEXT, text_caption(ui), UI_RIGHT, ui_color(ui, COLOR_TEXT_DIM),
             arena_format(view->arena, "+%u", hidden));
    ui_tip(ui, rest, "%s", names);
}

struct action panel_spaces(struct view *view, struct rect box)
{
    struct plan plan = {0};
    struct rect rooms[PLACE_COUNT] = {0};
    make_plan(view, rect_inset(view_columns(view, box), 0, MARGIN * view->ui->unit), &plan);
    draw_machine(view, &plan, rooms);
    if (is_marked(view))
        return spaces_play(view, &plan, rooms);
    for (enum place place = PLACE_REGISTERS; place < PLACE_COUNT; place++)
        draw_variables(view, &plan, rooms[place], place);
    view_caption(view, plan.caption, plan.whole ? spaces_caption(view) : low_caption(view));
    return NO_ACTION;
}
