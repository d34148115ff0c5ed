/* For src/ui only: the state of the mouse on a widget's box in this frame. */
#ifndef LANESCOPE_UI_WIDGET_H
#define LANESCOPE_UI_WIDGET_H
#include "ui/ui.h"

struct ui_touch {
    bool hot;     /* the mouse is over it, and a press would go to it */
    bool pressed; /* the button went down on it in this frame */
    bool held;    /* the button went down on it and is still down, or comes up in this frame */
    bool clicked; /* the button went down on it and came up on it */
};
struct ui_touch ui_touch(struct ui *ui, ui_id id, struct rect box);
#endif
