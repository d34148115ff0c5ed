/* The input of every panel, the action that it returns, and the marks that several panels draw. A panel keeps nothing
 * between frames. */
#ifndef LANESCOPE_VIEW_VIEW_H
#define LANESCOPE_VIEW_VIEW_H
#include "base/words.h"
#include "scene/scene.h"
#include "ui/ui.h"

/* The 32 columns: lanes, banks and words of 4 bytes stand in the same ones. The gutter at their left holds labels. */
struct columns {
    float x, pitch;         /* column i covers x + i * pitch .. + pitch */
    float label_x, label_w; /* the gutter */
};

struct view {
    struct ui *ui;
    struct arena *arena; /* the frame's */
    const struct scene *scene;
    struct columns columns;
    const struct stage_view *stage; /* the rest of what the document offers: view/stage.h */
    bool dim;                       /* the step's focus is on other panels */
    bool still_arrows;              /* reduced motion: lines end in arrow heads */
    uint32_t fault;                 /* lanes of the finding on screen */
    uint32_t hot;                   /* lanes under the mouse in the last frame */
    uint32_t pinned;                /* the lane whose way stays on screen, as a mask; 0: none */
    const char *way;                /* of the lane under the mouse: how it computes its address; NULL: not known */
    uint32_t *hot_next;             /* in this one: panels add them; NULL: nothing to note */
};

/* The user's wish, by mouse or focus. A panel only returns it; the app performs it. */
enum panel_action_kind {
    WANT_NOTHING,
    WANT_SEEK,         /* position; `animate`: with the motion of a step */
    WANT_WARP,         /* index: to the first access of this warp */
    WANT_BLOCK,        /* value: -1 or +1, to the same place in the block before or after */
    WANT_LINE,         /* index: a line of the source; filter the timeline to it, or stop; value: the current one */
    WANT_KNOB,         /* index: the knob that the keys turn */
    WANT_TURN,         /* index: a knob; value: the index of its new value */
    WANT_VARIANT,      /* value */
    WANT_DRAM,         /* value: -1 or +1, the chip before or after */
    WANT_DRAM_MAPPING, /* the chip's other mapping of addresses */
    WANT_FINDING,      /* index: of the report */
    WANT_RACE_SIDE,    /* index: 0 or 1, to this side of the race on screen */
    WANT_MEASURE,      /* measure the time now */
    WANT_CHOOSE,       /* index: of a question's choices */
    WANT_COMMIT,       /* the chosen one is the answer */
    WANT_VOTE,         /* the class has voted */
    WANT_SKIP,         /* show the run without an answer */
    WANT_CODE,         /* index: the first line of the source to show; value: the current one */
    WANT_LANE,         /* index: keep this lane's way on screen, or no longer */
    WANT_PTX,          /* open or close the PTX beside the source */
    WANT_PTX_LIGHT,    /* index: a row of PTX, position: its line; light both, or neither; value: the current line */
    WANT_PTX_ROW,      /* index: the first row of PTX to show; value: the current line */
    WANT_DEFINITION,   /* index: the line that defines a name; 0: back from there; value: the current one */
    WANT_MARK,         /* index: a cell; value: its height; `animate`: a drag that begins here gives it to others */
    WANT_STEP,         /* index: of the story */
    WANT_COMPARE,      /* the run before, and back */
    WANT_NEXT_LESSON,
    WANT_LESSONS, /* the list of them */
    WANT_CELLS,   /* value: -1 or +1, another kind of number in the cells of memory */
    WANT_PLAY,    /* or stop */
    WANT_ACCESS,  /* value: -1 or +1 */
    WANT_PASS,    /* value: -1 or +1 */
    WANT_END,     /* value: -1 to the first event, +1 to the last */
    WANT_SLOWER,
    WANT_FASTER,
    WANT_OVERVIEW,   /* of the run */
    WANT_EVENT,      /* position: an index in trace.events; to it, in its block */
    WANT_ROW,        /* index: of the list of the overview */
    WANT_CALL,       /* index: of a program's calls; its lanes, if it is a launch that has some */
    WANT_CALL_ROW,   /* index: of a program's calls, chosen only */
    WANT_FIELD,      /* index: of a kernel's launch; value: -1, +1: turn it */
    WANT_OWN_VALUES, /* of a program whose values were turned */
    WANT_LESSON,     /* index: enum explain_kind; the lesson that teaches it */
};
struct panel_action {
    enum panel_action_kind kind;
    int index, value;
    size_t position;
    bool animate;
    const struct mark_stroke *stroke; /* of WANT_MARK: the cells of a drag, in place of the index; or NULL */
};
#define NOTHING_DONE ((struct panel_action){.kind = WANT_NOTHING})

struct columns columns_in(const struct ui *ui, struct rect stage);
struct rect column_cell(const struct columns *columns, int column, float y, float height);
static inline float column_middle(const struct columns *columns, int column)
{
    return columns->x + ((float)column + 0.5f) * columns->pitch;
}

/* Return text sizes in pixels an em. No text on screen is smaller than the caption. */
static inline float text_caption(const struct ui *ui)
{
    return 16 * ui->unit;
}
static inline float text_body(const struct ui *ui)
{
    return 18 * ui->unit;
}
static inline float hairline(const struct ui *ui)
{
    return ui->unit > 1 ? ui->unit : 1;
}

/* Returns the colour of a role, softer in a dimmed panel. It is for fills and lines: text keeps its contrast. */
struct color view_color(const struct view *view, enum color_role role);
/* Returns the colour of text on a fill of that role. */
struct color view_text_on(const struct view *view, enum color_role fill);

/* Returns the size of a number in a cell, larger in larger cells. */
float view_chip_text(const struct ui *ui, struct rect box);
/* Draws a filled cell with a label; NULL: none. */
void view_chip(struct view *view, struct rect box, enum color_role fill, const char *label);
void view_hollow(struct view *view, struct rect box, bool dashed);
void view_cursor_ring(struct view *view, struct rect box);
/* Draw a label in the gutter, bold if strong, and a caption of one line. */
void view_gutter(struct view *view, float y, float height, const char *text, bool strong);
/* Returns the part of a box that the 32 columns cover. */
struct rect view_columns(const struct view *view, struct rect box);
void view_caption(struct view *view, struct rect box, const char *text);
/* Draws the title of a card and cuts it off the top. */
void view_card_title(struct view *view, struct rect *box, const char *text);
/* Notes the lanes of a box if the mouse is over it. */
void view_heat(struct view *view, struct rect box, uint32_t lanes);

/* Returns what happens at a position: "warp 2, line 27: load from shared memory, passes: 8 · at cycle ..." */
const char *view_event_words(struct arena *arena, const struct playback *playback, size_t position);
/* A sign of a legend and its words. draw: in the box at the left of the words. */
struct view_sign {
    void (*draw)(struct view *view, struct rect box);
    const char *words;
};
/* Draws a legend at the right end of the box and cuts it off. Returns false and draws nothing if it has no room. */
bool view_legend(struct view *view, struct rect *box, const struct view_sign *signs, int count);
/* Returns the text with no-break spaces, for a short piece of code in running text. */
const char *view_unbroken(struct arena *arena, const char *text);
/* Returns "1,234". */
const char *view_count(struct arena *arena, uint64_t value);
/* Returns a duration with three digits and a unit: "5.71 µs", "1.62 ms". */
const char *view_duration(struct arena *arena, double microseconds);
/* Draws the row that turns the pages of a list, by its buttons, the wheel or the keys. Returns `wish`, whose index is
 * the first row of another page, when it was turned. */
struct panel_action view_turn_page(struct view *view, struct rect foot, size_t page, size_t pages, size_t per_page,
                                   enum panel_action_kind wish);
#endif
