/* What the window shows, for tests of it. */
#ifndef LANESCOPE_TESTS_APP_HELPER_H
#define LANESCOPE_TESTS_APP_HELPER_H
#include "app/app.h"
#include <string.h>

/* Whether a text of the frame, its motion over, holds the words. */
static inline bool shows(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words))
            return true;
    return false;
}
#endif
