/* The line of a Python program that a call comes from. */
#ifndef LANESCOPE_CUDART_PYTHON_H
#define LANESCOPE_CUDART_PYTHON_H
#include <stdbool.h>

struct python_line {
    char path[512]; /* "" in a process without Python */
    int line;
};

/* Finds the innermost line of this thread that is of the program: of a file beside the one that it began with, or else
 * of one that nobody installed, or else the innermost of all. Another thread may hold the interpreter's lock for a
 * while, so that this thread calls it before it takes a lock of ours. */
void python_line(struct python_line *line);
#endif
