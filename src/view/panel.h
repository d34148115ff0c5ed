/* The registry of the stage's panels. Each row of ui/panels.def is one struct panel: a panel says how much height it
 * wants for what view.stage holds, draws itself in a rectangle, and returns what the user asked for. It changes
 * nothing: the app applies the action once the frame is drawn. */
#ifndef LANESCOPE_VIEW_PANEL_H
#define LANESCOPE_VIEW_PANEL_H
#include "ui/panels.h"
#include "view/view.h"

/* Heights in units (ui.unit pixels each). best 0: the panel is not shown now. */
struct panel_size {
    float least, best;
    float more;  /* what it can use above `best`, for a growth of PANEL_MOST */
    bool stays;  /* never left out, whatever the row says */
    bool steady; /* does not grow now, whatever the row says */
};
#define NOT_SHOWN ((struct panel_size){.best = 0})

enum panel_traits {
    PANEL_COVERED = 1,    /* gives the answer away: under a sheet until the question is answered */
    PANEL_DIMS = 2,       /* softened while the step speaks of other panels */
    PANEL_ASIDE = 4,      /* left out while the step speaks of other panels and room is short */
    PANEL_NOT_IN_HALF = 8 /* not drawn where two runs share the stage */
};

/* Room to spare is given away in turns, the same for all panels: in its turn a panel grows by `most` units, below 1 by
 * that part of its height, or by all it can use. */
enum { GROWTH_TURNS = 13, GROWTHS = 3, PANEL_MOST = -1 };
struct panel_growth {
    int turn; /* 1 .. GROWTH_TURNS; 0: none */
    float most;
};

struct panel {
    const char *name;   /* as in lesson.yaml, where a lesson can name it */
    unsigned flag;      /* STAGE_...; 0: no lesson names it */
    const char *label;  /* in the gutter; NULL: the panel draws its own */
    float label_height; /* units from the top; not above 0: as high as the panel, so much less */
    int left_out;       /* 1: the first to go when the least heights do not fit; 0: never */
    unsigned traits;
    struct panel_growth grows[GROWTHS];
    struct panel_size (*size)(const struct view *view);
    struct panel_action (*draw)(struct view *view, struct rect box);
    struct panel_action (*title)(struct view *view, struct rect line); /* a line above it; or NULL */
    void (*emblem)(struct ui *ui, struct rect box);                    /* of a lesson about it; or NULL */
};

/* In the order of the stage, from top to bottom. */
extern const struct panel stage_panels[STAGE_PANELS];
/* The sign of a lesson whose first step shows these panels: that of the first of them that has one. */
void draw_emblem(struct ui *ui, struct rect box, unsigned shown);

#define PANEL(name, FLAG, ...) FIXTURE(name, )
#define FIXTURE(name, ...)                                                                                             \
    struct panel_size panel_##name##_size(const struct view *view);                                                    \
    struct panel_action panel_##name(struct view *view, struct rect box);
#include "ui/panels.def"
#undef FIXTURE
#undef PANEL
#endif
