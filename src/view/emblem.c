/* Emblems: a small picture of what a lesson is about, on its card in the list. It is a sign and comes from no run. */
#include "view/stage.h"
#include <math.h>
#include <string.h>

/* A picture is a grid of cells. '#' lanes, words and taken paths; 'e' the else-path, another warp; 'o' results,
 * broadcasts; 'x' conflicts; '.' an empty place; '-' idle or padding; ' ' nothing. A row of blanks is room for lines;
 * they go from the cells of the row above to those of the row below: to[c] is the letter of the column, 'a' the first,
 * that column c is joined with, ' ' none. */
enum { ROWS = 6, LINES = 2 };
struct emblem {
    const char *name;
    const char *rows[ROWS];
    struct {
        const char *to;
        enum color_role color;
    } lines[LINES];
};
#define EVERY "################"
static const struct emblem emblems[] = {
    {"start", {EVERY, "", "oooooooooooooooo"}, {{"abcdefghijklmnop", COLOR_ACCESS}}},
    {"warps", {EVERY, "eeeeeeeeeeeeeeee", EVERY, "eeeeeeeeee------"}, {{0}}},
    {"coalescing", {"   ########", "", "#.#.#.#.#.#.#.#."}, {{"   acegikmo", COLOR_ACCESS}}},
    {"dram-rows", {"...x............", EVERY, "...x............", "...x............"}, {{0}}},
    {"pitch", {"#############---", "#############---", "#############---", "#############---"}, {{0}}},
    {"memory-spaces", {"       ##", "     oooooo", "   eeeeeeeeee", EVERY}, {{0}}},
    {"adjdiff", {EVERY, "", ".ooooooooooooooo"}, {{" bcdefghijklmnop", COLOR_ACCESS}, {"bcdefghijklmnop", COLOR_ELSE}}},
    {"barrier", {"######     x", "########## x", "####       x", "########   x"}, {{0}}},
    {"banks", {EVERY, "", "x...x...x...x..."}, {{"aaaaeeeeiiiimmmm", COLOR_CONFLICT}}},
    {"transpose",
     {"#####      #....", ".....      #....", ".....      #....", ".....      #....", ".....      #...."},
     {{0}}},
    {"stencil", {".....#####......", "", ".......o........"}, {{"     hhhhh", COLOR_ACCESS}}},
    {"matmul", {"....  .e..  ....", "####  .e..  .o..", "....  .e..  ....", "....  .e..  ...."}, {{0}}},
    {"divergence", {"########eeeeeeee", "########--------", "--------eeeeeeee"}, {{0}}},
    {"reduction",
     {EVERY, "", "#   #   #   #", "", "o"},
     {{"aaaaeeeeiiiimmmm", COLOR_ACCESS}, {"a   a   a   a", COLOR_ACCESS}}},
    {"occupancy", {"####eeee####----", "####eeee####----", "####eeee####----", "####eeee####----"}, {{0}}},
    {"histogram", {"     o", "  o  o     o", "  o oo  o  oo", " oo oooooo ooo", "oooooooooooooooo"}, {{0}}},
    {"scan",
     {"             ooo", "          oooooo", "      oooooooooo", "   ooooooooooooo", "oooooooooooooooo"},
     {{0}}},
    {"fragments", {"##ee##ee  oo..oo", "ee##ee##  ..oo..", "##ee##ee  oo..oo", "ee##ee##  ..oo.."}, {{0}}},
    {"pipeline", {"####oooo", "    ####oooo", "        ####oooo"}, {{0}}},
};

static void draw_cell(struct ui *ui, struct rect box, char kind)
{
    float const u = ui->unit, round = 2 * u;
    switch (kind) {
    case '#':
    case 'e':
    case 'o': {
        enum color_role const role = kind == '#' ? COLOR_ACCESS : kind == 'e' ? COLOR_ELSE : COLOR_BROADCAST;
        draw_fill(&ui->draw, box, round, ui_color(ui, role));
        return;
    }
    case 'x':
        draw_fill(&ui->draw, box, round, ui_color(ui, COLOR_CONFLICT));
        draw_hatch(&ui->draw, rect_inset(box, 1, 1), 6 * u, hairline(ui),
                   color_fade(ui_color(ui, COLOR_ON_ACCENT), 0.3f));
        return;
    case '-':
        draw_hatch(&ui->draw, box, 6 * u, hairline(ui), ui_color(ui, COLOR_IDLE));
        draw_outline(&ui->draw, box, round, hairline(ui), ui_color(ui, COLOR_EDGE));
        return;
    case '.':
        draw_outline(&ui->draw, box, round, hairline(ui), ui_color(ui, COLOR_EDGE));
        return;
    default:
        return;
    }
}

static struct rect cell_at(struct ui *ui, struct rect box, int row, int rows, int column)
{
    enum { COLUMNS = 16 };
    float const gap = 2 * ui->unit, height = (box.h - gap * (float)(rows - 1)) / (float)rows;
    struct rect cell = rect_column(box, column, COLUMNS, gap);
    cell.y = box.y + (float)row * (height + gap);
    cell.h = height;
    return cell;
}

static void draw_lines(struct ui *ui, struct rect box, int row, int rows, const char *to, enum color_role role)
{
    struct color const color = color_fade(ui_color(ui, role), 0.6f);
    for (int column = 0; to[column]; column++) {
        if (to[column] == ' ')
            continue;
        struct rect const from = cell_at(ui, box, row - 1, rows, column);
        struct rect const below = cell_at(ui, box, row + 1, rows, to[column] - 'a');
        float const x0 = from.x + from.w / 2, x1 = below.x + below.w / 2, y0 = from.y + from.h, y1 = below.y;
        struct point const curve[4] = {{x0, y0}, {x0, (y0 + y1) / 2}, {x1, (y0 + y1) / 2}, {x1, y1}};
        draw_curve(&ui->draw, curve, fmaxf(1, 1.5f * ui->unit), color);
    }
}

static void draw(struct ui *ui, struct rect box, const struct emblem *emblem)
{
    int rows = 0, gaps = 0;
    while (rows < ROWS && emblem->rows[rows])
        gaps += !*emblem->rows[rows++];
    for (int row = 0, lines = 0; row < rows; row++) {
        for (int column = 0; emblem->rows[row][column]; column++)
            draw_cell(ui, cell_at(ui, box, row, rows, column), emblem->rows[row][column]);
        if (*emblem->rows[row])
            continue;
        do
            draw_lines(ui, box, row, rows, emblem->lines[lines].to, emblem->lines[lines].color);
        while (++lines < LINES && emblem->lines[lines].to && gaps == 1);
    }
}

static const struct emblem *emblem_named(const char *lesson)
{
    for (size_t i = 0; i < sizeof emblems / sizeof *emblems; i++)
        if (strcmp(emblems[i].name, lesson) == 0)
            return &emblems[i];
    return NULL;
}

void draw_emblem(struct ui *ui, struct rect box, const char *lesson, unsigned shown)
{
    const struct emblem *emblem = emblem_named(lesson);
    draw(ui, box, emblem ? emblem : emblem_named(shown & STAGE_BANKS ? "banks" : "coalescing"));
}
