/* The stage: panels under one another on the 32 columns. The app says in a struct stage_view what there is to show; the
 * stage chooses the panels, shares out its room among them and draws them. */
#ifndef LANESCOPE_VIEW_STAGE_H
#define LANESCOPE_VIEW_STAGE_H
#include "view/cards.h"
#include "view/panel.h"
#include "view/report.h"

struct tally {
    const char *number, *words, *sentence; /* "8", "passes", "32 of 256 slots used ..." */
    bool bad;                              /* more than it need be */
};

struct ladder_point {
    double x, y;
    const char *label;
};
struct ladder {
    const struct ladder_point *points;
    int count, current; /* current: -1 none */
    int known;          /* how many are measured so far, from the start */
    int knob;           /* that is swept */
    const char *x_name, *y_name;
};

/* What the document offers and where the playhead stands, beside the scene itself. */
struct stage_view {
    unsigned shown, focus; /* STAGE_ flags of the step; focus 0: it speaks of all panels */
    bool covered;          /* until the question is answered */
    bool compact;          /* there is no right column */
    const char *half;      /* of a comparison: its name; NULL: the whole stage */
    const char *beside;    /* said at the right of the block's line; NULL nothing */
    const struct report *report;
    const struct finding *fault;          /* what this very event is the fault of; NULL none */
    const struct finding *race;           /* shown below; NULL none */
    bool race_here;                       /* this event is one of its sides */
    const struct tally *tally;            /* the step's own number, where it opens; NULL: this access's */
    const struct knobs_view *knobs;       /* to be turned in the block's line; NULL none */
    const struct ladder *ladder;          /* NULL none */
    const struct time_view *time;         /* in place of the code; NULL none */
    const struct code_view *code;         /* below all, where there is no right column; NULL none */
    const char *asked;                    /* the question in one sentence */
    const struct words_view *words;       /* the whole question, for a stage without a right column */
    const struct question_view *question; /* NULL: there is none, or it is answered */
    /* stage_chosen sets these: SCENE_SHARED, SCENE_GLOBAL, SCENE_BARRIER or SCENE_FAULT, SCENE_EMPTY: none. */
    enum scene_kind access; /* what the lanes' lines lead to */
    enum scene_kind second; /* memory below it: words of shared memory, or DRAM */
    struct rect band;       /* of the lines above the access's panel */
};

/* Draws the stage in the box; view.columns and view.stage are set for its panels. */
struct panel_action stage_draw(struct view *view, struct rect box, const struct stage_view *offered);
/* The same with the memory chosen that the middle of the stage shows, and the panels that this choice rules out or asks
 * for. */
struct stage_view stage_chosen(const struct view *view, const struct stage_view *offered);

/* For the panels that show the access itself: its height in pixels, or when covered one that says nothing. */
struct panel_size panel_access_size(const struct view *view, float height);
/* A line above shared memory and DRAM. */
struct panel_action panel_shared_title(struct view *view, struct rect line);
struct panel_action panel_dram_title(struct view *view, struct rect line);
/* A knob in a line, "‹ stride 8 ›", cut off its right end: -1 or +1 when an arrow is pressed, 2 when the words are; 0
 * else, and where there is no room for it. */
int view_stepper(struct view *view, struct rect *line, ui_id id, enum font_role role, const char *text);
/* Lines from lanes to the banks or the words of chunks they ask for. */
void view_links(struct view *view, struct rect box);
/* A number with its sentence; size: of the number. */
void view_tally(struct view *view, struct rect box, const struct tally *tally, float size);
/* Whether the step speaks of other panels than this one. */
bool stage_dimmed(const struct stage_view *stage, const struct panel *panel);

/* Emblems of lessons. */
void emblem_banks(struct ui *ui, struct rect box);
void emblem_chunks(struct ui *ui, struct rect box);
#endif
