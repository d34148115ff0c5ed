/* Inside src/ui: what the mouse did to a widget's box this frame. */
#ifndef LANESCOPE_UI_WIDGET_H
#define LANESCOPE_UI_WIDGET_H
#include "ui/ui.h"

struct ui_touch {
    bool hot;     /* the mouse is over it and would press it */
    bool pressed; /* went down on it in this frame */
    bool held;    /* went down on it and is still down, or comes up in this frame */
    bool clicked; /* went down on it and came up on it */
};
struct ui_touch ui_touch(struct ui *ui, ui_id id, struct rect box);
#endif
