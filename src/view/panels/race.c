/* A race: two accesses to one address without a happens-before order, at least one of them a write. Each side shows its
 * thread and its line of source. The address stands between them. */
#include "base/lines.h"
#include "view/stage.h"
#include <math.h>
#include <string.h>

struct side {
    const struct trace_site *site; /* NULL: not known */
    const struct finding_place *place;
    const char *thread; /* with its block where the race is between blocks */
    uint32_t warp, lane;
};

static struct side side_of(struct arena *arena, const struct trace *trace, const struct finding *race, int index)
{
    const struct finding_place *place = report_side(race, index);
    struct side side = {.site = place->site < trace->site_count ? &trace->sites[place->site] : NULL,
                        .place = place,
                        .thread = report_thread(arena, trace, race, index)};
    side.lane = report_lane(trace, place->thread, &side.warp);
    return side;
}

static bool one_side(struct view *view, struct rect box, const struct trace *trace, const struct side *side, int index)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    ui_id id = ui_id_child(ui_id_text("race side"), (uint32_t)index);
    draw_fill(&ui->draw, box, 6 * u, ui_color(ui, ui_hovered(ui, box) ? COLOR_ACCESS_SOFT : COLOR_PANEL));
    draw_outline(&ui->draw, box, 6 * u, fmaxf(1.5f, 2 * u), ui_color(ui, COLOR_CONFLICT));
    ui_focusable(ui, id, box, 6 * u);
    ui_tip(ui, box, _("click: go to this access"));
    struct rect inner = rect_inset(box, 14 * u, 6 * u);
    uint32_t const at = side->place->line;
    const char *source = at && trace->source ? line_words(view->arena, trace->source, at) : "";
    struct ui_span const code = {source, FONT_CODE, COLOR_TEXT};
    float const code_h = ui_paragraph_height(ui, inner.w, text_caption(ui), &code, 1);
    float line = (inner.h - code_h) / 2;
    bool const wraps = *source && line >= 22 * u;
    line = wraps ? line : inner.h / 3;
    bool load = side->site && side->site->operation == TRACE_LOAD;
    bool atomic = side->site && (side->site->operation == TRACE_ATOMIC || side->site->operation == TRACE_REDUCTION);
    bool const copies = load && strncmp(side->site->text, "cp.async", 8) == 0;
    const char *what = copies   ? _("%s copies to it")
                       : load   ? _("%s reads")
                       : atomic ? _("%s reads and writes")
                                : _("%s writes");
    const char *doing = arena_format(view->arena, what, side->thread);
    float const size = ui_text_width(ui, FONT_BOLD, text_body(ui), doing) > inner.w ? text_caption(ui) : text_body(ui);
    if (ui_text_width(ui, FONT_BOLD, size, doing) > inner.w)
        doing = side->thread; /* the line below says what it does */
    ui_label(ui, rect_cut_top(&inner, line), FONT_BOLD, size, UI_LEFT, ui_color(ui, COLOR_TEXT), doing);
    if (wraps)
        ui_paragraph(ui, rect_cut_top(&inner, code_h), text_caption(ui), &code, 1, false);
    else
        ui_label(ui, rect_cut_top(&inner, line), FONT_CODE, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT),
                 source);
    const char *place = arena_format(
        view->arena, side->place->near ? _("near line %u · warp %u, lane %u") : _("line %u · warp %u, lane %u"), at,
        side->warp, side->lane);
    if (ui_text_width(ui, FONT_TEXT, text_caption(ui), place) > inner.w)
        place = arena_format(view->arena, _("line %u"), at);
    ui_label(ui, inner, FONT_TEXT, text_caption(ui), UI_LEFT, ui_color(ui, COLOR_TEXT_DIM), place);
    return ui_area(ui, id, box);
}

/* Draws an arrow from a side to the address, dashed because either side may come first. */
static void arm(struct view *view, struct point from, struct point to)
{
    struct ui *ui = view->ui;
    float u = ui->unit, head = to.x > from.x ? -8 * u : 8 * u;
    struct point *points = arena_array(view->arena, struct point, 2);
    points[0] = from;
    points[1] = to;
    struct color color = ui_color(ui, COLOR_CONFLICT);
    draw_polyline(&ui->draw, points, 2, 2.5f * u, 6 * u, color);
    struct point arrow[3] = {to, {to.x + head, to.y - 5 * u}, {to.x + head, to.y + 5 * u}};
    draw_polygon(&ui->draw, arrow, 3, color);
}

static const char *address_text(struct view *view, const struct trace *trace, const struct finding *race)
{
    uint64_t element = 0;
    if (race->race.space == PTX_SPACE_SHARED)
        return scene_name_byte(view->scene, view->arena, race->address);
    const struct trace_buffer *buffer = trace_find_buffer(trace, race->address, &element);
    if (buffer)
        return arena_format(view->arena, "%s[%llu]", buffer->name, (unsigned long long)element);
    return arena_format(view->arena, "0x%llx", (unsigned long long)race->address);
}

/* Draws both sides. Returns the one that was clicked, 0 or 1, or -1. */
static int both_sides(struct view *view, struct rect box, const struct trace *trace, const struct finding *race)
{
    struct ui *ui = view->ui;
    float u = ui->unit;
    struct side const sides[2] = {side_of(view->arena, trace, race, 0), side_of(view->arena, trace, race, 1)};
    const char *address = address_text(view, trace, race), *either = _("order: either");
    float middle_w = fmaxf(ui_text_width(ui, FONT_CODE, text_body(ui), address),
                           ui_text_width(ui, FONT_BOLD, text_caption(ui), either)) +
                     36 * u;
    float arm_w = fminf(60 * u, box.w * 0.035f), side_w = (box.w - middle_w - 2 * arm_w) / 2;
    int clicked = -1;
    struct rect left = {box.x, box.y, side_w, box.h}, right = {box.x + box.w - side_w, box.y, side_w, box.h};
    if (one_side(view, left, trace, &sides[0], 0))
        clicked = 0;
    if (one_side(view, right, trace, &sides[1], 1))
        clicked = 1;
    struct rect cell = {left.x + left.w + arm_w, box.y + box.h * 0.22f, middle_w, box.h * 0.38f};
    float y = cell.y + cell.h / 2;
    arm(view, (struct point){left.x + left.w, y}, (struct point){cell.x, y});
    arm(view, (struct point){right.x, y}, (struct point){cell.x + cell.w, y});
    draw_fill(&ui->draw, cell, 5 * u, ui_color(ui, COLOR_CONFLICT_SOFT));
    draw_outline(&ui->draw, cell, 5 * u, 2 * u, ui_color(ui, COLOR_CONFLICT));
    ui_label(ui, cell, FONT_CODE, text_body(ui), UI_CENTER, ui_color(ui, COLOR_TEXT), address);
    ui_label(ui, (struct rect){cell.x, cell.y + cell.h + 2 * u, cell.w, 26 * u}, FONT_BOLD, text_caption(ui), UI_CENTER,
             ui_color(ui, COLOR_CONFLICT), either);
    return clicked;
}

struct panel_size panel_race_size(const struct view *view)
{
    return view->stage->race ? (struct panel_size){.least = 148, .best = 168} : NOT_SHOWN;
}

struct action panel_race(struct view *view, struct rect box)
{
    const struct stage_view *stage = view->stage;
    float const u = view->ui->unit;
    struct rect area = view_columns(view, box);
    const char *words = report_summary(view->arena, stage->race); /* where nothing else says it */
    if (stage->race_here || stage->race_said ||
        ui_text_width(view->ui, FONT_TEXT, text_caption(view->ui), words) > area.w)
        words = view->ui->paper ? _("two accesses to one place")
                                : _("two accesses to one place; a click goes to the other");
    view_caption(view, rect_cut_top(&area, 30 * u), words);
    area.w -= 3 * u;
    int const side = both_sides(view, rect_inset(area, 0, 4 * u), stage->report->trace, stage->race);
    return side >= 0 ? (struct action){.kind = ACTION_GO_RACE_SIDE, .value = side} : NO_ACTION;
}
