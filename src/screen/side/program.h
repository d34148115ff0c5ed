/* The parts of a program's screen. */
#ifndef LANESCOPE_SCREEN_SIDE_PROGRAM_H
#define LANESCOPE_SCREEN_SIDE_PROGRAM_H
#include "screen/side/side.h"

/* The list, with the code and the output beside it unless there is no room for them. */
void draw_program(struct drawing *drawing, struct view *view, struct rect stage, struct rect side, struct rect bar);
/* Draws the strip at the bottom of the stage of a launch, if there is room, and cuts it off. */
void draw_program_strip(struct drawing *drawing, struct view *view, struct rect *stage);
/* Draws that the program is built or runs. */
void draw_program_work(struct drawing *drawing, struct rect box);
#endif
