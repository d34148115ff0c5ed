/* What every panel is given, and the few marks that several of them draw. A panel is a pure function of a scene, a
 * rectangle and the ui: it keeps nothing between frames. */
#ifndef LANESCOPE_VIEW_VIEW_H
#define LANESCOPE_VIEW_VIEW_H
#include "base/words.h"
#include "ui/ui.h"
#include "view/scene.h"

/* The 32 columns that never change meaning, and the gutter left of them for labels. */
struct columns {
    float x, pitch;         /* column i covers x + i * pitch .. + pitch */
    float label_x, label_w; /* the gutter */
};

struct view {
    struct ui *ui;
    struct arena *arena; /* the frame's */
    const struct scene *scene;
    struct columns columns;
    const struct stage_view *stage; /* what else a panel of the stage may show: view/stage.h */
    bool dim;                       /* not spoken of now */
    bool still_arrows;              /* reduced motion: lines end in arrow heads */
    uint32_t fault;                 /* lanes that the report is about */
    uint32_t hot;                   /* lanes under the mouse, as the last frame found them ... */
    uint32_t *hot_next;             /* ... and where panels note them for the next */
};

/* What the user asked for with the mouse or the focus: a panel only says so, and the app does it. */
enum panel_action_kind {
    WANT_NOTHING,
    WANT_SEEK,         /* position; with the motion of a step when `animate` is set */
    WANT_WARP,         /* index: to the first access of this warp */
    WANT_BLOCK,        /* value: -1 or +1, to the same place in the block before or after */
    WANT_LINE,         /* index: a line of the source, to see its accesses alone, or all again */
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
    WANT_SKIP,         /* see the run without an answer */
    WANT_PARAGRAPH,    /* index: the first to show */
    WANT_PLAY,         /* or stop */
    WANT_SLOWER,
    WANT_FASTER,
};
struct panel_action {
    enum panel_action_kind kind;
    int index, value;
    size_t position;
    bool animate;
};
#define NOTHING_DONE ((struct panel_action){.kind = WANT_NOTHING})

struct columns columns_in(const struct ui *ui, struct rect stage);
struct rect column_cell(const struct columns *columns, int column, float y, float height);
static inline float column_middle(const struct columns *columns, int column)
{
    return columns->x + ((float)column + 0.5f) * columns->pitch;
}

/* Text sizes, pixels an em: nothing on screen is smaller than the caption. */
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

/* A role's colour, softened when the panel is not spoken of. Fills and lines only: text keeps its contrast. */
struct color view_color(const struct view *view, enum color_role role);
/* The colour of text on a fill of that role. */
struct color view_text_on(const struct view *view, enum color_role fill);

/* The size of a number in a cell: larger cells carry larger ones. */
float view_chip_text(const struct ui *ui, struct rect box);
/* A filled cell with a number in it. */
void view_chip(struct view *view, struct rect box, enum color_role fill, const char *label);
void view_hollow(struct view *view, struct rect box, bool dashed);
void view_cursor_ring(struct view *view, struct rect box);
/* Bold label in the gutter; and a caption over columns, in one line. */
void view_gutter(struct view *view, float y, float height, const char *text, bool strong);
/* The 32 columns' part of a box that is as wide as the stage. */
struct rect view_columns(const struct view *view, struct rect box);
void view_caption(struct view *view, struct rect box, const char *text);
/* Title of a card in the right column, cut off its top. */
void view_card_title(struct view *view, struct rect *box, const char *text);
/* The rest of a line that names what the mouse is over, and the lanes it lights. */
void view_heat(struct view *view, struct rect box, uint32_t lanes);

/* A short piece of code or an option in running text: its spaces do not break. */
const char *view_unbroken(struct arena *arena, const char *text);
/* "1,234" */
const char *view_count(struct arena *arena, uint64_t value);
/* Microseconds with a unit that keeps three digits: "5.71 us", "1.62 ms". */
const char *view_duration(struct arena *arena, double microseconds);
#endif
