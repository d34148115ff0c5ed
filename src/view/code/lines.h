/* A line of code as it is drawn: on as many rows as it needs, or cut to one row. */
#ifndef LANESCOPE_VIEW_CODE_LINES_H
#define LANESCOPE_VIEW_CODE_LINES_H
#include "view/view.h"

enum { CODE_PIECES_MAX = 6 };
struct code_line {
    uint32_t number, rows, code_rows; /* rows: with those of `below` */
    const char *words;                /* without its indentation */
    size_t left_out;                  /* bytes of the indentation */
    float indent;
    struct {
        size_t from, length; /* in `words` */
    } pieces[CODE_PIECES_MAX];
    const char *end; /* the finding on this line, else its cost; NULL: neither */
    float end_width;
    const char *below; /* what stands below the code of the line; NULL: nothing */
    bool bad;
};

/* Returns the height of a row of code. */
float code_row_height(const struct view *view);
/* Returns the indentation of the rows of a line below its first. */
float code_hanging(struct view *view);
/* Returns a line of a text with spaces in place of tabs. */
const char *code_line_text(struct arena *arena, const char *start);
/* Splits a line into rows. The text at its end takes the rest of the last row, or a row of its own. */
void code_part_words(struct view *view, struct code_line *line, float width);
#endif
