/* The panels: each draws itself in a rectangle and, where it can be used, says what was asked. Heights are asked for
 * first, so that a stage can share out its room. */
#ifndef LANESCOPE_VIEW_PANELS_H
#define LANESCOPE_VIEW_PANELS_H
#include "view/view.h"

/* Warps of the block as strips; returns the warp clicked, or -1. */
int panel_warps(struct view *view, const struct columns *columns, struct rect box);
/* The 32 lanes, numbered. */
void panel_lanes(struct view *view, const struct columns *columns, struct rect box);

/* The slot grid: columns are banks, rows are passes. height: what it would like. `top` receives where the lanes' lines
 * end. */
float panel_banks_height(const struct view *view, float limit);
void panel_banks(struct view *view, const struct columns *columns, struct rect box);
/* Lines from lanes to the banks or the words of chunks they ask for, in the room between two panels. */
void panel_curves(struct view *view, const struct columns *columns, struct rect box);
/* Shared memory, 128 bytes a row. most: with rows around those that are touched. */
float panel_shared_height(const struct view *view);
float panel_shared_most(const struct view *view);
void panel_shared(struct view *view, const struct columns *columns, struct rect box);
/* Global memory, a row for each 128-byte chunk. */
float panel_chunks_height(const struct view *view, float limit);
void panel_chunks(struct view *view, const struct columns *columns, struct rect box);
float panel_dram_height(const struct view *view, float limit);
/* Banks that fit side by side. */
uint32_t panel_dram_fit(const struct view *view, const struct columns *columns);
void panel_dram(struct view *view, const struct columns *columns, struct rect box);
/* Who ran when, a row a warp, along the trace's clock; returns the position clicked, or SIZE_MAX. covered: conflicts
 * are not given away. */
float panel_turns_height(const struct view *view);
size_t panel_turns(struct view *view, const struct columns *columns, struct rect box, bool covered);
/* How often the block has touched each word of the array of this access, so far. Height 0: there is none. */
float panel_touched_height(const struct view *view);
void panel_touched(struct view *view, const struct columns *columns, struct rect box);
/* Where warps wait for one another. */
void panel_gate(struct view *view, const struct columns *columns, struct rect box);

struct tally {
    const char *number, *words, *sentence; /* "8", "passes", "32 of 256 slots used ..." */
    bool bad;                              /* more than it need be */
};
void panel_tally(struct view *view, struct rect box, const struct tally *tally, float size);

struct ladder_point {
    double x, y;
    const char *label;
};
struct ladder {
    const struct ladder_point *points;
    int count, current; /* current: -1 none */
    int known;          /* how many are measured so far, from the start */
    const char *x_name, *y_name;
};
/* Returns the point clicked, or -1. */
int panel_ladder(struct view *view, struct rect box, const struct ladder *ladder);

struct code_mark {
    uint32_t line, column; /* column: of a compiler's error; 0 none */
    const char *words;     /* said at the line's end, in place of its counts */
};
struct code_view {
    const char *source, *name;
    const struct trace *trace;     /* whose sites the counts are of */
    const struct counts *counts;   /* by line; NULL: none are shown (covered) */
    uint32_t line, filter;         /* current line, and the line the timeline is filtered to; 0 none */
    const struct code_mark *marks; /* lines that something went wrong on */
    uint32_t mark_count;
    const char *foot; /* said below it where there is room, or NULL */
    bool foot_good;   /* a tick before it */
    int strip;        /* > 0: so many lines and no title */
};
float panel_code_height(const struct view *view, float width, const struct code_view *code);
/* Returns the line clicked, or 0. */
uint32_t panel_code(struct view *view, struct rect box, const struct code_view *code);

struct timeline_view {
    const struct playback *playback;
    size_t position;
    bool playing;
    float speed;
    uint32_t filter;                 /* a source line, 0 none */
    bool covered;                    /* conflicts are not given away */
    const char *where, *where_short; /* "block 0, warp 2 · model clock (NVIDIA H200) 130", and for little room */
};
struct timeline_result {
    bool toggle, slower, faster, seek;
    size_t position;
};
struct timeline_result panel_timeline(struct view *view, struct rect box, const struct timeline_view *timeline);

struct time_bar {
    const char *label;
    struct measured_time time;
    struct lesson_setting setting; /* what it is the time of */
    bool current;
};
struct time_view {
    const struct time_bar *bars;
    int count;
    const char *measure; /* the button that measures now; NULL none */
    bool busy;
    const char *why; /* said when counts and clock disagree, or NULL */
};
float panel_time_height(const struct view *view, const struct time_view *time, float width);
/* True when `measure` was pressed. */
bool panel_time(struct view *view, struct rect box, const struct time_view *time);

float panel_knobs_height(const struct view *view, const struct lesson *lesson);
/* True when the setting was changed. */
bool panel_knobs(struct view *view, struct rect box, const struct lesson *lesson, enum language language,
                 struct lesson_setting *setting, int current);

struct words_view {
    const char *title;
    const struct text_paragraph *paragraphs; /* filled in already */
    size_t count;
    const char *hint;   /* a last line, bold, in the accent colour; NULL none */
    const char *button; /* NULL none */
    const char *beside; /* said next to the button */
    float size;         /* of the text */
    bool bare;          /* no card of its own */
};
float panel_words_height(const struct view *view, float width, const struct words_view *words);
/* True when the button was pressed. */
bool panel_words(struct view *view, struct rect box, const struct words_view *words);

enum { QUESTION_NOTHING = -1, QUESTION_CLASS = -2, QUESTION_SKIP = -3, QUESTION_COMMIT = -4 };
struct question_view {
    const char *const *choices;
    int count, chosen; /* chosen: -1 none yet */
    bool large;        /* on the stage, for a class to see */
};
float panel_question_height(const struct view *view, float width, const struct question_view *question);
/* The choice clicked, or one of QUESTION_... */
int panel_question(struct view *view, struct rect box, const struct question_view *question);
/* What lies over the stage until the question is answered. */
void panel_cover(struct view *view, struct rect box, const char *question, const char *hint);
#endif
