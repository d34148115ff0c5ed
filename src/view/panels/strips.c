/* Lines of the code, or the measured time, below the panels of a stage without a right column. */
#include "view/code/lines.h"
#include "view/stage.h"
#include <math.h>

/* Returns whether at least half of the bars have a time. The empty rows of others are not worth the room of a chart. */
static bool most_measured(const struct time_view *time)
{
    int measured = 0;
    for (int i = 0; i < time->count; i++)
        measured += time->bars[i].time.source != TIME_NONE;
    return 2 * measured >= time->count;
}

struct panel_size panel_time_strip_size(const struct view *view)
{
    if (!view->stage->time || (view->stage->ladder && !most_measured(view->stage->time)))
        return NOT_SHOWN;
    float const count = (float)view->stage->time->count, thin = 54 + 22 * count, thick = 78 + 34 * count;
    if (view->stage->compact && (view->stage->focus & STAGE_LADDER)) /* the chart has the room first */
        return (struct panel_size){.least = thin, .best = thin, .more = thick - thin};
    return (struct panel_size){
        .least = 78 + (count > 4 ? 26 : 34) * count, .best = thick, .low = 64 + (count > 4 ? 26 : 32) * count};
}

struct action panel_time_strip(struct view *view, struct rect box)
{
    box = view_columns(view, box);
    rect_cut_top(&box, 8 * view->ui->unit);
    return card_time(view, box, view->stage->time);
}

/* Returns the height of the card with so many lines, and of the gap above it. */
static float code_height(const struct view *view, int lines)
{
    return 29 + code_row_height(view) / view->ui->unit * (float)lines;
}

struct panel_size panel_code_strip_size(const struct view *view)
{
    const struct code_view *code = view->stage->code;
    int const all = code && code->to ? (int)(code->to - code->from) + 1 : 0; /* of the kernel; 0: the whole file */
    if (!code || !*code->source)
        return NOT_SHOWN;
    float const best = code_height(view, all && all < code->strip ? all : code->strip);
    return (struct panel_size){.least = fminf(best, 179),
                               .best = best,
                               .more = fmaxf(0, code_height(view, all) - best), /* lines where a gap would be */
                               .steady =
                                   view->stage->covered && stage_sheet(view->stage), /* its question has the room */
                               .low = view->stage->of_lesson ? 0 : code_height(view, 1)}; /* the line alone */
}

struct action panel_code_strip(struct view *view, struct rect box)
{
    const struct code_view *code = view->stage->code;
    float const few = code_height(view, code->strip) * view->ui->unit, row = code_row_height(view);
    if (box.h > few)
        box.h = few + floorf((box.h - few) / row) * row;
    box = view_columns(view, box);
    rect_cut_top(&box, 8 * view->ui->unit);
    return card_code(view, box, code);
}
