/* The lines of a Python program that a call comes from. */
#ifndef LANESCOPE_CUDART_PYTHON_H
#define LANESCOPE_CUDART_PYTHON_H
#include <stdbool.h>

enum { PYTHON_FRAMES = 12, PYTHON_PATH = 256 };
struct python_lines { /* the innermost first */
    int count;
    struct {
        char path[PYTHON_PATH];
        int line;
    } frames[PYTHON_FRAMES];
};

/* Fills the lines of this thread; none in a process without Python. Another thread may hold the interpreter's lock for
 * a while, so that it is called while this thread has no lock of ours. */
void python_lines(struct python_lines *lines);
#endif
