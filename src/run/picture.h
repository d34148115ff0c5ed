/* A grey picture drawn by a formula: lines of dark text on paper that grows darker to the lower right. */
#ifndef LANESCOPE_RUN_PICTURE_H
#define LANESCOPE_RUN_PICTURE_H
#include <stdint.h>

/* Returns the grey level of a pixel, from 0 (black) to 255 (white), always a whole number. */
unsigned picture_pixel(uint64_t row, uint64_t column, uint64_t rows, uint64_t columns);
#endif
