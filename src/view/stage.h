/* The stage: panels below one another on the 32 columns. The app fills a struct stage_view. The stage chooses the
 * panels, shares out the room among them and draws them. */
#ifndef LANESCOPE_VIEW_STAGE_H
#define LANESCOPE_VIEW_STAGE_H
#include "model/occupancy.h"
#include "model/roofline.h"
#include "model/sass.h"
#include "view/cards/cards.h"
#include "view/marks.h"
#include "view/panel.h"
#include "view/report.h"

struct tally {
    const char *number;
    /* Its words with {} for the number: "{} passes", "패스 {}번". NULL: none. The line with {} is the headline; another
     * line follows it where there is room, else it stands above the sentence. */
    const char *words;
    const char *sentence; /* "32 of 256 slots used ..." */
    const char *answer;   /* the right answer to the step's question; NULL: none, or the number */
    bool bad;             /* wrong, or higher than necessary */
    bool of_access;       /* it counts passes or sectors: bad where the access needs too many */
    const char *step;     /* a sentence on the step, shown below if there is room; NULL: none */
    const char *further;  /* what follows it: as many sentences as have room, and a sign for the rest */
};

struct ladder_point {
    double x, y;
    const char *label;
};
struct ladder_line { /* of another variant */
    const char *label;
    const double *values; /* one for each point; NAN: none */
};
struct ladder {
    const struct ladder_point *points; /* y: NAN: none */
    const struct ladder_line *others;
    int other_count;
    int count, current; /* current: -1: none */
    int known;          /* how many have a value yet, from the start */
    int knob;           /* the one along the x axis */
    bool times;         /* it has the measured times */
    const char *x_name, *y_name;
    const char *name; /* of the points, beside those of the others */
};

/* The counts of a launch as written and as a GPU ran it. */
struct sass_view {
    const struct sass_counts *counts; /* of the machine code; `counted` is false without any */
    const struct counts *written;     /* of the PTX */
    const struct sass_line *lines;    /* loads and stores */
    size_t line_count;
};

/* What the numbers in the cells of memory are. */
enum cell_number { CELL_LANE, CELL_VALUE, CELL_WORD, CELL_NUMBERS };

/* What a stage shows beside the scene: from the document and the playhead, all constant. NULL: not there. */
struct stage_view {
    unsigned shown, focus; /* STAGE_ flags of the step; focus 0: all panels */
    bool plain;            /* memory is drawn without chunks and sectors by name */
    bool no_caches;        /* the caches are not offered while they are off */
    bool covered;          /* until the question is answered */
    unsigned secrets;      /* SECRET_ flags; 0 on a stage that is not covered */
    bool of_lesson;        /* a step has chosen the panels */
    bool compact;          /* there is no right column */
    const char *half;      /* the name of one of two stages of a comparison; NULL: the only stage */
    enum cell_number cells;
    const char *beside; /* text at the right end of the block's line */
    const struct report *report;
    const struct finding *fault;    /* the fault at this event */
    const struct finding *race;     /* the race to show */
    bool race_here;                 /* this event is one of the race's sides */
    bool race_said;                 /* the notice above says what the race is */
    const struct tally *tally;      /* the step's own number; NULL: the cost of this access */
    const char *explained;          /* a sentence on the step, beside that number; NULL: none */
    const char *further;            /* what follows it; NULL: nothing */
    const struct knobs_view *knobs; /* knobs in the block's line */
    const struct ladder *ladder;    /* NULL none */
    const struct sass_view *sass;   /* NULL none */
    const struct occupancy_case *occupancy;
    const struct roofline *roofline;      /* NULL: the roofs of the GPU are not known */
    const struct time_view *time;         /* below the panels, in place of the code */
    const struct code_view *code;         /* below the panels of a stage without a right column */
    const char *prompt;                   /* the question in one sentence */
    const struct words_view *words;       /* all its words, or the last ones; without a right column */
    const struct question_view *question; /* NULL also when it is answered */
    const struct marks *marks;            /* cells that the student marks */
    const struct ways_view *ways;         /* buttons below, on a stage without a right column */
    /* Set by stage_chosen: SCENE_SHARED, SCENE_GLOBAL, SCENE_BARRIER, SCENE_FAULT, or SCENE_EMPTY for none. */
    enum scene_kind access; /* the memory at the end of the lanes' lines */
    bool gate;              /* the gate of a barrier stands in the room of `access` */
    enum scene_kind second; /* the memory below it: words of shared memory, or DRAM */
    struct rect band;       /* the room of the lanes' lines; set by stage_draw */
    bool crowded;           /* there is no room for letters below the lanes; set by stage_draw */
};

/* Draws the stage in the box, with view.columns and view.stage set for its panels. Returns the user's action. */
struct action stage_draw(struct view *view, struct rect box, const struct stage_view *offered);
/* Returns the height that the panels of the step need, without those that go before they do; low: where they show as
 * little as they can. */
float stage_least(struct view *view, struct rect box, const struct stage_view *offered, bool low);
/* Returns the height of the box that no panel takes. */
float stage_spare(struct view *view, struct rect box, const struct stage_view *offered);
/* Returns the panels that have room in the box at the unit now, a bit each; 0: even the least of them have none. */
uint64_t stage_kept(struct view *view, struct rect box, const struct stage_view *offered);
/* Returns the stage with its memory chosen and with the panels that follow from this choice. */
struct stage_view stage_chosen(const struct view *view, const struct stage_view *offered);

/* Returns whether a sheet covers panels until the question is answered. Where cells are marked in one of these panels,
 * there is none: the others are left out. */
bool stage_sheet(const struct stage_view *stage);
/* Returns whether the stage is left to the code, because a class looks for a line in it: as many lines as fit. */
bool stage_is_code(const struct stage_view *stage);
/* Returns the size of a panel that shows the access, from its height in pixels. On a covered stage the size is fixed,
 * so that it gives nothing away. */
struct panel_size panel_access_size(const struct view *view, float height);
/* Returns the height of the question that stands on a covered stage without a right column, with its last paragraph
 * alone; 0 on other stages. */
float question_least(const struct view *view);
/* Returns the flags of the panels that a file shows at this event. */
unsigned stage_in_file(const struct scene *scene);
/* Returns the memories whose accesses these panels show, as MEMORY_ flags. */
unsigned stage_memories(unsigned shown);
/* Returns the flags of the panels with the trait (view/panel.h). */
unsigned stage_with(unsigned trait);
bool panel_divergence_in_file(const struct scene *scene);
bool panel_atomics_in_file(const struct scene *scene);
bool panel_fragments_in_file(const struct scene *scene);
bool panel_spaces_in_file(const struct scene *scene);
bool panel_tree_in_file(const struct scene *scene);
bool panel_overlap_in_file(const struct scene *scene);
bool panel_caches_in_file(const struct scene *scene);
/* Draw the line above shared memory and above DRAM. */
struct action panel_shared_title(struct view *view, struct rect line);
struct action panel_dram_title(struct view *view, struct rect line);
/* Cuts a stepper, "‹ stride 8 ›", off the right end of a line. Returns -1 or +1 if an arrow was pressed, 2 if the text
 * was, else 0. Draws nothing if room is short. */
int view_stepper(struct view *view, struct rect *line, ui_id id, enum font_role role, enum color_role color,
                 const char *text);
/* Returns whether a lane has the E of the else-path below it. */
bool lanes_letter(const struct scene *scene, int lane);
/* Returns the lanes under the mouse or, without one, the lane that a step with the threads of a block asks about. */
uint32_t lanes_lit(const struct view *view);
/* Draws lines from the lanes to the banks or words that they access. */
void view_links(struct view *view, struct rect box);
/* Returns the number in a cell of memory: the lane, its value ("·" if it is not known), or the word's number, as the
 * user has chosen. */
const char *view_cell_number(const struct view *view, int lane, const char *value, uint64_t word);
/* Draws a number with its sentence. size: of the number. */
void view_tally(struct view *view, struct rect box, const struct tally *tally, float size);
#endif
