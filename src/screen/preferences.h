/* The user's preferences for the window. */
#ifndef LANESCOPE_SCREEN_PREFERENCES_H
#define LANESCOPE_SCREEN_PREFERENCES_H
#include "lesson/lesson.h"
#include <stdbool.h>

enum { TEXT_STEPS = 10, LINKS_BYTES = 400 };

struct preferences {
    enum language language;
    bool dark, theme_chosen; /* chosen: presenting does not change the theme */
    bool presenting;
    bool bare;               /* there is no bar on top: the window is a frame of another page */
    int cells;               /* enum cell_number: what stands in the cells of memory */
    char links[LINKS_BYTES]; /* the address of a page, for links to copy; "": none is known */
    int text_step;           /* the size of text is 1 + text_step / 10: up to TEXT_STEPS */
};
#endif
