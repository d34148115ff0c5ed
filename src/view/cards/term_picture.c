#include "view/cards/term_picture.h"
#include <math.h>
#include <string.h>

enum { ROWS_MAX = 5, LINKS_MAX = 8 };

/* A drawing: rows of cells and, from the first row to the last, links from column to column.
 *   #  filled, an access      .  an empty cell           /  idle or unused, hatched
 *   x  a conflict             e  the else-path           b  broadcast, or the part meant
 *   |  a line, such as a barrier or an edge              a space: nothing
 * A row is as wide as the drawing, whatever the number of its cells: all rows have that of the first. */
struct term_drawing {
    const char *term;
    const char *rows[ROWS_MAX];
    struct {
        int from, to;
    } links[LINKS_MAX];
    int link_count;
};

static const struct term_drawing drawings[] = {
    {.term = "lane", .rows = {".....#.........................."}},
    {.term = "warp", .rows = {"################################"}},
    {.term = "block",
     .rows = {"################################", "################################",
              "################################"}},
    {.term = "grid", .rows = {"####  ####  ####", "####  ####  ####"}},
    {.term = "thread", .rows = {"#               "}},
    {.term = "active lane", .rows = {"####.##..#######....############"}},
    {.term = "mask", .rows = {"####.##..#######....############"}},
    {.term = "lockstep", .rows = {"################################", "################################"}},
    {.term = "divergence", .rows = {"################////////////////", "////////////////eeeeeeeeeeeeeeee"}},
    {.term = "predicate", .rows = {"################////////////////"}},
    {.term = "word", .rows = {"#..............."}},
    {.term = "sector", .rows = {"########|........|........|........"}},
    {.term = "chunk", .rows = {"########|########|########|########"}},
    {.term = "coalesced access",
     .rows = {"########        ", "                ", "########........"},
     .links = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}},
     .link_count = 8},
    {.term = "coalesced",
     .rows = {"########        ", "                ", "########........"},
     .links = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}},
     .link_count = 8},
    {.term = "stride",
     .rows = {"####            ", "                ", "#...#...#...#..."},
     .links = {{0, 0}, {1, 4}, {2, 8}, {3, 12}},
     .link_count = 4},
    {.term = "offset",
     .rows = {"####            ", "                ", "..####.........."},
     .links = {{0, 2}, {1, 3}, {2, 4}, {3, 5}},
     .link_count = 4},
    {.term = "bank",
     .rows = {".....#..........................", ".....#..........................",
              ".....#.........................."}},
    {.term = "pass", .rows = {"################................", "................################"}},
    {.term = "bank conflict",
     .rows = {"###             ", "                ", "x...............", "x...............", "x..............."},
     .links = {{0, 0}, {1, 0}, {2, 0}},
     .link_count = 3},
    {.term = "broadcast",
     .rows = {"########        ", "                ", "b..............."},
     .links = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}},
     .link_count = 8},
    {.term = "padding", .rows = {"############/   ", "############/   ", "############/   "}},
    {.term = "pitch", .rows = {"##########////  ", "##########////  ", "|            |  "}},
    {.term = "swizzle", .rows = {"#...#...#...#...", ".#...#...#...#..", "..#...#...#...#."}},
    {.term = "tile",
     .rows = {"................", "....####........", "....####........", "....####........", "................"}},
    {.term = "halo", .rows = {"...bbbbbb.......", "...b####b.......", "...b####b.......", "...bbbbbb......."}},
    {.term = "barrier", .rows = {"####   |        ", "##     |        ", "#####  |        ", "###    |        "}},
    {.term = "race",
     .rows = {"#              e", "                ", "       x        "},
     .links = {{0, 7}, {15, 7}},
     .link_count = 2},
    {.term = "array of structs", .rows = {"#be#be#be#be#be "}},
    {.term = "struct of arrays", .rows = {"#####bbbbbeeeee "}},
    {.term = "matrix", .rows = {"................", "................", "................"}},
    {.term = "transpose", .rows = {"####    #...    ", "....    #...    ", "....    #...    ", "....    #...    "}},
    {.term = "element", .rows = {"...#............"}},
    {.term = "row buffer", .rows = {"bbbbbbbbbbbbbbbb", "                ", "................", "................"}},
    {.term = "burst", .rows = {"....####........"}},
    {.term = "occupancy", .rows = {"############////"}},
};

static float columns_of(const struct term_drawing *drawing)
{
    return (float)strlen(drawing->rows[0]);
}

static const struct term_drawing *find(const char *term)
{
    for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++)
        if (strcmp(drawings[i].term, term) == 0)
            return &drawings[i];
    return NULL;
}

static int row_count(const struct term_drawing *drawing)
{
    int rows = 0;
    while (rows < ROWS_MAX && drawing->rows[rows])
        rows++;
    return rows;
}

float term_picture_height(const char *term, float width)
{
    const struct term_drawing *drawing = find(term);
    return drawing ? (float)row_count(drawing) * floorf(width / columns_of(drawing)) : 0;
}

static void draw_cell(struct ui *ui, struct rect cell, char kind)
{
    float const u = ui->unit, round = 2 * u;
    enum color_role const role = kind == 'x'   ? COLOR_CONFLICT
                                 : kind == 'e' ? COLOR_ELSE
                                 : kind == 'b' ? COLOR_BROADCAST
                                               : COLOR_ACCESS;
    if (kind == '#' || kind == 'x' || kind == 'e' || kind == 'b')
        draw_fill(&ui->draw, cell, round, ui_color(ui, role));
    else if (kind == '.' || kind == '/')
        draw_outline(&ui->draw, cell, round, fmaxf(1, u), ui_color(ui, kind == '.' ? COLOR_EDGE : COLOR_IDLE));
    else if (kind == '|')
        draw_fill(&ui->draw, (struct rect){cell.x + cell.w / 2 - u, cell.y - 2 * u, 2 * u, cell.h + 4 * u}, 0,
                  ui_color(ui, COLOR_IDLE));
    if (kind == 'x' || kind == '/')
        draw_hatch(&ui->draw, rect_inset(cell, u, u), 4 * u, fmaxf(1, u),
                   ui_color(ui, kind == 'x' ? COLOR_ON_ACCENT : COLOR_IDLE));
    if (kind == 'e') /* a dot, besides the colour */
        draw_fill(&ui->draw, rect_inset(cell, cell.w * 0.36f, cell.h * 0.36f), cell.w, ui_color(ui, COLOR_ON_ACCENT));
}

void term_picture(struct ui *ui, struct rect box, const char *term)
{
    const struct term_drawing *drawing = find(term);
    if (!drawing)
        return;
    int const rows = row_count(drawing);
    float const size = floorf(fminf(box.w / columns_of(drawing), box.h / (float)rows)),
                gap = fmaxf(1, roundf(size * 0.12f));
    for (int i = 0; i < drawing->link_count; i++) {
        float const from = box.x + ((float)drawing->links[i].from + 0.5f) * size,
                    to = box.x + ((float)drawing->links[i].to + 0.5f) * size, top = box.y + size * 0.9f,
                    bottom = box.y + size * 2.1f;
        draw_line(&ui->draw, (struct point){from, top}, (struct point){to, bottom}, fmaxf(1, 1.5f * ui->unit),
                  ui_color(ui, COLOR_IDLE));
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; drawing->rows[r][c]; c++)
            draw_cell(ui,
                      rect_inset((struct rect){box.x + (float)c * size, box.y + (float)r * size, size, size}, gap, gap),
                      drawing->rows[r][c]);
}
