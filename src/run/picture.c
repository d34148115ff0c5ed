#include "run/picture.h"
#include <stdbool.h>

enum { LETTERS = 10, LETTER_COLUMNS = 6, LETTER_ROWS = 7, LINE_ROWS = 10, MARGIN = 2, SHIFT = 3 };

/* "LANESCOPE ", five columns for each letter: the highest bit is the left column. */
static const uint8_t letters[LETTERS][LETTER_ROWS] = {
    {16, 16, 16, 16, 16, 16, 31}, {14, 17, 17, 31, 17, 17, 17},
    {17, 25, 21, 19, 17, 17, 17}, {31, 16, 16, 30, 16, 16, 31},
    {15, 16, 16, 14, 1, 1, 30},   {14, 17, 16, 16, 16, 17, 14},
    {14, 17, 17, 17, 17, 17, 14}, {30, 17, 17, 30, 16, 16, 16},
    {31, 16, 16, 30, 16, 16, 31}, {0},
};

static bool has_ink(uint64_t row, uint64_t column)
{
    if (row < MARGIN || column < MARGIN)
        return false;
    uint64_t const line = (row - MARGIN) / LINE_ROWS, down = (row - MARGIN) % LINE_ROWS;
    uint64_t const place = (column - MARGIN) / LETTER_COLUMNS, across = (column - MARGIN) % LETTER_COLUMNS;
    return down < LETTER_ROWS && across < 5 && (letters[(place + SHIFT * line) % LETTERS][down] >> (4 - across) & 1);
}

unsigned picture_pixel(uint64_t row, uint64_t column, uint64_t rows, uint64_t columns)
{
    enum { LIGHTEST = 240, DARKER_RIGHT = 90, DARKER_BELOW = 70, INK = 48 };
    unsigned const paper =
        LIGHTEST - (unsigned)(DARKER_RIGHT * column / columns) - (unsigned)(DARKER_BELOW * row / rows);
    return has_ink(row, column) ? paper - INK : paper;
}
