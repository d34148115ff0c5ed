/* The inputs of a frame's drawing as constants, and its results: the draw list of ui, the actions, and the lanes under
 * the mouse. Drawing changes nothing else. */
#ifndef LANESCOPE_SCREEN_DRAWING_H
#define LANESCOPE_SCREEN_DRAWING_H
#include "document/document.h"
#include "screen/lookup.h"
#include "screen/overview.h"
#include "screen/preferences.h"

struct drawing {
    struct ui *ui;
    struct arena *arena; /* of the frame */
    const struct document *document;
    const struct playhead *playhead;
    const struct preferences *preferences;
    const struct notice *notice;
    const struct glossary *glossary;
    const struct lookup *lookup;
    const struct overview *overview;
    struct actions *actions;
    const char *explained[EXPLAIN_KINDS]; /* of the open page of the overview: titles of the lessons; NULL: none */
    const char *next_lesson;              /* its title; NULL: this one is the last, or not in the list */
    int help_page;                        /* of the list of keys */
    bool all_switches;                    /* of the bar, in place of the step */
    bool at_list;                         /* the list of lessons is on screen, else the document */
    bool bug_stage;                       /* a kernel whose line is asked for has the stage */
    bool code_stage;                      /* the kernel stands below the cells that are asked for */
    bool bug_shown;                       /* its wrong line stands above the picture ... */
    bool bug_told;                        /* ... with the reason */
    bool bug_aside;                       /* it has no room there, so it stands among the words */
    bool in_class;                        /* a clicker leads: see app_in_class */
    bool pointer_hidden;                  /* a presentation whose mouse rests: no menus */
    bool compact;                         /* there is no right column */
    bool paged;                           /* the picture and the words of a lesson are different pages */
    bool knobs_aside;                     /* the cards always show the knobs; else the stage does */
    bool time_aside;                      /* the cards show the times */
    uint32_t hot;                         /* lanes under the mouse in the last frame ... */
    uint32_t hot_next;                    /* ... and in this one */
    struct panel_shown *shown;            /* of each panel of the stage: see struct view */
};

static inline void drawing_ask(struct drawing *drawing, enum action_kind kind, int value)
{
    action_ask(drawing->actions, (struct action){.kind = kind, .value = value});
}
static inline bool drawing_lesson(const struct drawing *drawing) /* returns whether a lesson is open, not a file */
{
    return drawing->document->kind == DOCUMENT_LESSON;
}
#endif
