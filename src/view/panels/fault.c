/* The memory of a fault as cells to count. Out of bounds: the last elements of the array, its end, and the distance to
 * the element that the lane accessed. Misaligned: the bytes of the value. Uninitialised: the word that was never
 * written. */
#include "view/stage.h"
#include <inttypes.h>
#include <math.h>

float fault_height(const struct view *view, const struct finding *fault)
{
    return report_region(view->scene->trace, fault).picture == REPORT_NO_PICTURE ? 0 : 150 * view->ui->unit;
}

struct cells { /* one row of the 32 columns with labels below it */
    struct view *view;
    const struct columns *columns;
    struct rect box;
    float height; /* of a cell */
    bool told;    /* there is room for the captions above */
    const char *lane;
};

static struct rect cell_of(const struct cells *cells, int column)
{
    return column_cell(cells->columns, column, cells->box.y + 26 * cells->view->ui->unit, cells->height);
}

/* Draws a text below a column, from the column's left edge, or leftwards from its right edge. */
static void label_under(const struct cells *cells, int column, bool leftwards, bool bad, const char *text)
{
    struct ui *ui = cells->view->ui;
    struct rect cell = cell_of(cells, column);
    float width = cells->columns->pitch * 9;
    struct rect at = {leftwards ? cell.x + cell.w - width : cell.x, cell.y + cell.h + 4 * ui->unit, width,
                      26 * ui->unit};
    ui_label(ui, at, FONT_CODE, text_caption(ui), leftwards ? UI_RIGHT : UI_LEFT,
             ui_color(ui, bad ? COLOR_CONFLICT : COLOR_TEXT_DIM), text);
}

/* Draws a text above columns, at their left, or at their right if the lane's line passes on the left. */
static void caption_over(const struct cells *cells, int first, int last, int reached, bool bad, const char *text)
{
    struct ui *ui = cells->view->ui;
    struct rect a = cell_of(cells, first), b = cell_of(cells, last);
    struct rect at = {a.x, cells->box.y - 2 * ui->unit, b.x + b.w - a.x, 24 * ui->unit};
    if (!cells->told) {
        ui_tip(ui, (struct rect){a.x, a.y, at.w, a.h}, "%s", text);
        return;
    }
    bool const crossed = reached >= first && reached < (first + last) / 2;
    ui_label(ui, at, bad ? FONT_BOLD : FONT_TEXT, text_caption(ui), crossed ? UI_RIGHT : UI_LEFT,
             ui_color(ui, bad ? COLOR_CONFLICT : COLOR_TEXT_DIM), text);
}

static void reached_cell(const struct cells *cells, int column)
{
    struct ui *ui = cells->view->ui;
    struct rect cell = cell_of(cells, column);
    view_chip(cells->view, cell, COLOR_CONFLICT, cells->lane);
    view_cursor_ring(cells->view, cell);
    ui_tip(ui, cell, _("lane %s accesses this"), cells->lane);
}

static void valid_cell(const struct cells *cells, int column, uint64_t index)
{
    struct ui *ui = cells->view->ui;
    struct rect cell = cell_of(cells, column);
    draw_fill(&ui->draw, cell, 3 * ui->unit, ui_color(ui, COLOR_ACCESS_SOFT));
    draw_outline(&ui->draw, cell, 3 * ui->unit, hairline(ui), ui_color(ui, COLOR_ACCESS));
    ui_chip_label(ui, rect_inset(cell, 1, 0), FONT_TEXT, text_caption(ui), ui_color(ui, COLOR_TEXT),
                  arena_format(cells->view->arena, "%" PRIu64, index));
}

static void missing_cell(const struct cells *cells, int column)
{
    struct ui *ui = cells->view->ui;
    struct rect cell = cell_of(cells, column);
    draw_hatch(&ui->draw, cell, 8 * ui->unit, hairline(ui),
               color_mix(ui_color(ui, COLOR_CONFLICT), ui_color(ui, COLOR_BACKGROUND), 0.55f));
    view_hollow(cells->view, cell, true);
}

static void wall_before(const struct cells *cells, int column)
{
    struct ui *ui = cells->view->ui;
    struct rect cell = cell_of(cells, column);
    float x = cell.x - 2 * ui->unit;
    draw_line(&ui->draw, (struct point){x, cell.y - 8 * ui->unit}, (struct point){x, cell.y + cell.h + 8 * ui->unit},
              4 * ui->unit, ui_color(ui, COLOR_TEXT));
}

static void draw_gap(const struct cells *cells, int first, int last, uint64_t elements)
{
    struct ui *ui = cells->view->ui;
    struct rect a = cell_of(cells, first), b = cell_of(cells, last);
    struct rect box = {a.x, a.y, b.x + b.w - a.x, a.h};
    ui_label(ui, box, FONT_TEXT, text_caption(ui), UI_CENTER, ui_color(ui, COLOR_TEXT),
             arena_format(cells->view->arena, _("… %s more …"), words_count(cells->view->arena, elements)));
}

enum { SHOWN = 12, NEAR = 12, STUMP = 3, GAP = 7 }; /* over the elements is room for the array's name and size */

/* Draws the last elements, the end of the array, the gap and the element that the lane accessed; mirrored for an index
 * below 0. Returns the column of that element. */
static int draw_beyond(const struct cells *cells, const struct report_region *region)
{
    bool const before = region->index < 0;
    int const shown = region->count < SHOWN ? (int)region->count : SHOWN;
    uint64_t const missing = before ? (uint64_t)(-region->index - 1) : (uint64_t)region->index - region->count;
    bool const near = missing < NEAR;
    int const stump = near ? (int)missing : STUMP, gap = near ? 0 : GAP;
    int const start = before ? stump + gap + 1 : 0; /* the column of the first element of the array */
    int const reached = before ? 0 : shown + stump + gap;
    int const edge = before ? start : start + shown;
    for (int i = 0; i < shown; i++)
        valid_cell(cells, start + i, before ? (uint64_t)i : region->count - (uint64_t)(shown - i));
    for (int i = 0; i < stump; i++)
        missing_cell(cells, before ? start - 1 - i : edge + i);
    if (gap)
        draw_gap(cells, before ? 1 : edge + stump, (before ? 1 : edge + stump) + gap - 1, missing - STUMP);
    reached_cell(cells, reached);
    if (!before)
        missing_cell(cells, reached + 1);
    wall_before(cells, edge);
    int const last = start + shown - 1;
    label_under(cells, reached, false, true, report_element(cells->view->arena, region, region->index));
    caption_over(cells, start, before ? 31 : last, reached, false,
                 arena_format(cells->view->arena, _("%s: %s {element|elements}"), region->name,
                              words_count(cells->view->arena, region->count)));
    int const words = reached - edge < 6 ? reached + 1 : edge; /* beside the lane's line */
    if (!before || stump + gap > 6)
        caption_over(cells, before ? 1 : words, before ? start - 1 : 31, 0, true, _("nothing is here"));
    return reached;
}

/* Draws 32 bytes with the multiples of the access width marked, and the value across one of them. Returns its column.
 */
static int draw_bytes(const struct cells *cells, const struct finding *fault, unsigned bytes)
{
    struct view *view = cells->view;
    uint64_t const base = fault->address - fault->address % bytes;
    int const first = (int)(fault->address - base) + (bytes <= 8 ? (int)bytes : 0);
    uint64_t const start = bytes <= 8 ? base - bytes : base;
    for (int byte = 0; byte < 32; byte++) {
        struct rect cell = cell_of(cells, byte);
        if (byte >= first && byte < first + (int)bytes)
            view_chip(view, cell, COLOR_CONFLICT, byte == first ? cells->lane : NULL);
        else
            view_hollow(view, cell, false);
        if ((unsigned)byte % bytes == 0) {
            wall_before(cells, byte);
            if (bytes >= 4)
                label_under(cells, byte, false, false,
                            arena_format(view->arena, "…%03llx", (unsigned long long)(start + (unsigned)byte) & 0xfff));
        }
    }
    caption_over(cells, 0, 31, first, false,
                 arena_format(view->arena, _("bytes; a value of %u may begin at a thick line only"), bytes));
    return first;
}

static int draw_word(const struct cells *cells, const struct report_region *region)
{
    int const column = region->index < 0 ? 0 : (int)(region->index % WARP_LANES);
    for (int i = 0; i < WARP_LANES; i++)
        if (i != column)
            view_hollow(cells->view, cell_of(cells, i), false);
    reached_cell(cells, column);
    label_under(cells, column, column > 20, true, report_element(cells->view->arena, region, region->index));
    caption_over(cells, 0, 31, column, false,
                 arena_format(cells->view->arena, _("%s: no thread has written the marked element"), region->name));
    return column;
}

struct panel_size panel_fault_size(const struct view *view)
{
    if (view->stage->access != SCENE_FAULT)
        return NOT_SHOWN;
    return panel_access_size(view, fault_height(view, view->stage->fault));
}

/* Draws into the band of lines as well, because this panel has its own line. */
struct action panel_fault(struct view *view, struct rect box)
{
    const struct columns *columns = &view->columns;
    const struct finding *fault = view->stage->fault;
    const struct trace *trace = view->scene->trace;
    struct report_region const region = report_region(trace, fault);
    uint32_t warp;
    box = (struct rect){box.x, view->stage->band.y, box.w, box.y + box.h - view->stage->band.y};
    uint32_t const lane = report_lane(trace, fault->at.thread, &warp);
    float const u = view->ui->unit, least = 40 * u;
    float const cell = fminf(fmaxf(least, fminf(72 * u, (box.h - 100 * u) * 0.4f)), fmaxf(20 * u, box.h - 40 * u));
    float const height = 26 * u + cell + 40 * u;
    struct cells const cells = {.view = view,
                                .columns = columns,
                                .box = {box.x, box.y + box.h - height, box.w, height},
                                .height = cell,
                                .told = height <= box.h,
                                .lane = arena_format(view->arena, "%u", lane)};
    if (region.picture == REPORT_NO_PICTURE)
        return NO_ACTION;
    int const column = region.picture == REPORT_BYTES     ? draw_bytes(&cells, fault, region.width)
                       : region.picture == REPORT_ELEMENT ? draw_word(&cells, &region)
                                                          : draw_beyond(&cells, &region);
    float const from = column_middle(columns, (int)lane), to = column_middle(columns, column);
    float const foot = cells.box.y + 20 * view->ui->unit; /* above the ring */
    if (foot - box.y < 40 * view->ui->unit)
        return NO_ACTION;
    struct point *points = arena_array(view->arena, struct point, 4);
    points[0] = (struct point){from, box.y};
    points[1] = (struct point){from, box.y + (foot - box.y) * 0.6f};
    points[2] = (struct point){to, box.y + (foot - box.y) * 0.4f};
    points[3] = (struct point){to, foot};
    draw_curve(&view->ui->draw, points, 2.5f * view->ui->unit, ui_color(view->ui, COLOR_CONFLICT));
    return NO_ACTION;
}
