/* The registry of the stage's panels: each row of ui/panels.def is one struct panel. A panel asks for its height, draws
 * itself in a rectangle and returns the user's action. It changes nothing; the app performs the action after the frame
 * is drawn. */
#ifndef LANESCOPE_VIEW_PANEL_H
#define LANESCOPE_VIEW_PANEL_H
#include "ui/panels.h"
#include "view/view.h"

/* Heights in units (ui.unit pixels each). best 0: the panel is not shown now. */
struct panel_size {
    float least, best;
    float low;   /* below `least`: with this height the panel shows a part, and says so; 0: it shows all or nothing */
    float more;  /* usable height above `best`, for a growth of PANEL_MOST */
    bool stays;  /* never left out, whatever its row says */
    bool steady; /* does not grow, whatever its row says */
};
#define NOT_SHOWN ((struct panel_size){.best = 0})

enum panel_traits {
    PANEL_COVERED = 1,     /* gives the answer away: a sheet covers it until the question is answered */
    PANEL_DIMS = 2,        /* drawn in softer colours while the step's focus is on other panels */
    PANEL_ASIDE = 4,       /* left out if room is short and the step's focus is on other panels */
    PANEL_NOT_IN_HALF = 8, /* left out where two runs share the stage */
    PANEL_EXTRA = 16,      /* beside the point: a class may lose it */
    PANEL_ELSEWHERE = 32,  /* has a page of its own: the first to go before a panel in focus does */
    PANEL_RACE = 64,       /* the race on screen: always in the step's focus */
    PANEL_QUESTION = 128,  /* the question on a stage without a right column */
    PANEL_ACCESS = 256,    /* shows the access: a question about a race and the gate of a barrier take its room */
    PANEL_LINES = 512,     /* has the lines from the lanes to their memory */
    PANEL_LETTERS = 1024,  /* has room for letters below the lanes */
    /* only lessons show it: it stands beside the stage of a file, or needs what a lesson has */
    PANEL_NOT_IN_FILE = 2048,
    PANEL_NOT_AT_MATRIX = 4096, /* in a file, leaves its room to the fragments of a matrix instruction */
    PANEL_LEAVES_GATE = 8192,   /* leaves the middle of the stage to the gate of a barrier */
    PANEL_SHEET = 16384         /* shares the height of a question that covers it with other panels */
};

/* Spare room is given away in turns, which all panels share. In its turn a panel grows by `most` units; below 1 by that
 * part of its height; or by panel_size.more for PANEL_MOST. */
enum { GROWTH_TURNS = 13, GROWTHS = 3, PANEL_MOST = -1 };
enum { STEP_TURNS = 4 }; /* of step_out; the last one not for a class */
struct panel_growth {
    int turn; /* 1 .. GROWTH_TURNS; 0: none */
    float most;
};

struct panel {
    const char *name;   /* in lesson.yaml; NULL: no lesson names it */
    unsigned flag;      /* STAGE_...; 0 without a name */
    const char *label;  /* in the gutter; NULL: the panel draws its own */
    float label_height; /* units; 0 or less: the panel's height, less so much */
    int left_out;       /* 1: the first to go if the least heights do not fit; 0: never left out */
    int step_out;       /* 1: the first to go before a panel of a lesson's step does; 0: goes in turn */
    unsigned traits;
    unsigned memories; /* MEMORY_ flags: playing stops at accesses of these if a lesson's step shows the panel */
    struct panel_growth grows[GROWTHS];
    struct panel_size (*size)(const struct view *view);
    struct action (*draw)(struct view *view, struct rect box);
    bool (*in_file)(const struct scene *scene); /* whether a file shows it at this event; NULL: always */
    struct action (*title)(struct view *view, struct rect line); /* draws the line above it; NULL: none */
};

/* The panels in the order of the stage, from top to bottom. */
extern const struct panel stage_panels[STAGE_PANELS];
/* Draws the emblem of a lesson: its own, else one for the panels of its first step. */
void draw_emblem(struct ui *ui, struct rect box, const char *lesson, unsigned shown);

#define PANEL(name, FLAG, ...) FIXTURE(name, )
#define FIXTURE(name, ...)                                                                                             \
    struct panel_size panel_##name##_size(const struct view *view);                                                    \
    struct action panel_##name(struct view *view, struct rect box);
#include "ui/panels.def"
#undef FIXTURE
#undef PANEL
#endif
