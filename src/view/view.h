/* The input of every panel, the action that it returns, and the marks that several panels draw. A panel keeps nothing
 * between frames. */
#ifndef LANESCOPE_VIEW_VIEW_H
#define LANESCOPE_VIEW_VIEW_H
#include "base/words.h"
#include "scene/scene.h"
#include "ui/action.h"
#include "ui/ui.h"

/* The 32 columns: lanes, banks and words of 4 bytes stand in the same ones. The gutter at their left holds labels. */
struct columns {
    float x, pitch;         /* column i covers x + i * pitch .. + pitch */
    float label_x, label_w; /* the gutter */
};

/* What a frame shows of a panel of the stage, for a test that looks for what is left out. */
struct panel_shown {
    struct rect box;    /* without any height: it has nothing to show, or is left out */
    bool squeezed;      /* it has less than its least height */
    uint32_t part, all; /* it shows so many of its rows or other things; 0, 0: all of them */
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
    struct panel_shown *shown;      /* of each panel, in the order of the stage; NULL: nobody looks */
    struct panel_shown *noted;      /* of the panel that draws now; NULL as above */
};

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
/* Notes that the panel shows a part of its rows or other things. It says so itself, by a text with ⋮ or ⋯ and how many
 * there are. */
void view_note_part(const struct view *view, uint32_t part, uint32_t all);
/* Returns "⋮ rows 3 to 8 of 20" and notes the part, where not all rows are shown; else "". first: counted from 0. */
const char *view_rows_shown(const struct view *view, uint32_t first, uint32_t count, uint32_t all);
/* Returns two texts with a dot between them, or the one that is not "". */
const char *view_joined(struct arena *arena, const char *first, const char *second);
/* Returns what is to be said of caches whose rules were not measured on their GPU; NULL: they were, or are not known.
 */
const char *view_unmeasured_caches(struct arena *arena, const struct playback *playback);
/* Cuts off the right end of the line and draws "not measured" there, for such caches. Returns whether it did. */
bool view_unmeasured_word(struct view *view, struct rect *line);
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
/* Returns a size: "4", "(2, 2)" or "(2, 2, 3)". */
const char *view_shape(struct arena *arena, const uint32_t size[3]);
/* A track that stands for a range of the trace's clock. */
struct view_clock {
    struct rect track;
    uint64_t first, last;
};
float view_clock_place(const struct view_clock *clock, uint64_t time);
/* Draws the line of the access on screen across rows of this height. */
void view_clock_now(struct view *view, const struct view_clock *clock, float y, float height);
/* Returns a duration with three digits and a unit: "5.71 µs", "1.62 ms". */
const char *view_duration(struct arena *arena, double microseconds);
/* Draws the row that turns the pages of a list, by its buttons, the wheel or the keys. Returns 1 or -1 when the next
 * page or the one before is asked for, else 0. */
int view_turn(struct view *view, struct rect foot, size_t page, size_t pages);
/* The same for pages of as many rows each. Returns `wish`, whose value is
 * the first row of another page, when it was turned. */
struct action view_turn_page(struct view *view, struct rect foot, size_t page, size_t pages, size_t per_page,
                             enum action_kind wish);
#endif
