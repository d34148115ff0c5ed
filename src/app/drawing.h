/* What a frame is drawn from, and what drawing it yields: the draw list of ui, and the actions that were asked for.
 * Nothing else is changed. */
#ifndef LANESCOPE_APP_DRAWING_H
#define LANESCOPE_APP_DRAWING_H
#include "app/commands/action.h"
#include "app/document/document.h"
#include "app/preferences.h"

struct drawing {
    struct ui *ui;
    struct arena *arena; /* the frame's */
    const struct document *document;
    const struct playhead *playhead;
    const struct preferences *preferences;
    const struct notice *notice;
    struct actions *actions;
    bool at_list;      /* the list of lessons is on screen, else the document */
    bool compact;      /* there is no right column */
    bool knobs_aside;  /* the right column shows the knobs; else the stage does */
    uint32_t hot;      /* lanes under the mouse, as the last frame found them ... */
    uint32_t hot_next; /* ... and this one */
};

static inline void drawing_ask(struct drawing *drawing, enum action_kind kind, int value)
{
    action_ask(drawing->actions, (struct action){.kind = kind, .value = value});
}
/* Asks for the action that does what the user wanted of a panel. */
void drawing_want(struct drawing *drawing, struct panel_action want);
static inline bool drawing_lesson(const struct drawing *drawing) /* a lesson's step is on screen */
{
    return drawing->document->kind == DOCUMENT_LESSON;
}
#endif
