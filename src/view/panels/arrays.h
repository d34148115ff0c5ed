/* For src/view/panels only: several arrays in one picture of the panel `matrix`, each a grid of cells. */
#ifndef LANESCOPE_VIEW_PANELS_ARRAYS_H
#define LANESCOPE_VIEW_PANELS_ARRAYS_H
#include "scene/follow.h"
#include "view/stage.h"

struct grid {
    const struct element_array *array;
    struct rect area;
    float cell_w, cell_h;
    uint32_t rows, columns; /* columns: with the padding */
    uint32_t *now;          /* by cell: the lanes that access it in this event */
    uint32_t *from;         /* by cell: the lanes that move its value in this event, between other places */
};

/* The arrays of the lesson that are shown together; kind ARRAYS_ALONE: the launch has no such arrays. */
struct arrays_view {
    enum arrays_kind kind;
    const struct elements *elements;
    struct grid grids[ARRAYS_MOST]; /* in the order of the lesson's names */
    struct followed followed;
    struct arena *arena;
};
/* Finds the arrays, without their places on screen. */
struct arrays_view arrays_find(const struct view *view);
struct panel_size arrays_size(const struct view *view, const struct arrays_view *arrays);
struct action arrays_draw(struct view *view, struct arrays_view *arrays, struct rect box);

/* What the two kinds draw with. A grid's labels stand above it and at its left, its name where they meet. */
float grid_line(const struct view *view);                         /* the height of a line of labels */
float grid_gap(const struct view *view, const struct grid *grid); /* the width of its row labels */
struct rect grid_cell(const struct grid *grid, uint32_t row, uint32_t column);
struct rect grid_cells(const struct grid *grid, uint32_t row, uint32_t column, uint32_t rows, uint32_t columns);
/* Fills each run of cells of a row that have the same colour. color: returns false for a cell that stays as it is. */
void grid_fill(struct view *view, const struct grid *grid,
               bool (*color)(struct view *view, const struct grid *grid, uint32_t cell, struct color *color));
/* Draws the empty array; and, above its cells, a line each so many rows and columns. */
void grid_ground(struct view *view, const struct grid *grid);
void grid_lines(struct view *view, const struct grid *grid, uint32_t every);
/* free: of a row, the box of a cell to whose left no label stands, for an arrow that comes from there; NULL: none */
void grid_labels(struct view *view, const struct grid *grid, bool gutter, bool rows, bool columns,
                 const struct rect *free);
/* Notes the cells of this event. */
void grid_note(const struct view *view, struct grid *grid);
/* Draws the cells of this event. */
void grid_now(struct view *view, const struct grid *grid);
/* Draws a frame around a part of the array. */
void grid_frame(struct view *view, const struct grid *grid, const struct element_part *part);
/* Returns the marks of the grid if its cells are to be marked; NULL: they are not. */
const struct marks *grid_marks(const struct view *view, const struct grid *grid);
/* Draws the cells to mark. */
struct action grid_marked(struct view *view, const struct grid *grid, const struct marks *marks);
/* Returns the cell under the mouse, or UINT32_MAX. */
uint32_t grid_hovered(const struct view *view, const struct grid *grid);
/* Says what the cell under the mouse is. */
void grid_tip(struct view *view, const struct grid *grid);
const char *grid_name(struct arena *arena, const struct grid *grid, uint32_t cell); /* "a[0][5]" */

void product_arrange(const struct view *view, struct arrays_view *arrays, struct rect box);
struct action product_draw(struct view *view, struct arrays_view *arrays, struct rect box);
void pair_arrange(const struct view *view, struct arrays_view *arrays, struct rect box);
struct action pair_draw(struct view *view, struct arrays_view *arrays, struct rect box);
#endif
