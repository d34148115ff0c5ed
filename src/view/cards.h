/* The cards beside and below the stage: what they show, as plain values, and how high they want to be. The app decides
 * where they stand. */
#ifndef LANESCOPE_VIEW_CARDS_H
#define LANESCOPE_VIEW_CARDS_H
#include "trace/time.h"
#include "ui/rich_text.h"
#include "view/view.h"

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
float card_code_height(const struct view *view, float width, const struct code_view *code);
struct panel_action card_code(struct view *view, struct rect box, const struct code_view *code);

struct timeline_view {
    const struct playback *playback;
    size_t position;
    bool playing;
    float speed;
    uint32_t filter;                 /* a source line, 0 none */
    bool covered;                    /* conflicts are not given away */
    const char *where, *where_short; /* "block 0, warp 2 · model clock (NVIDIA H200) 130", and for little room */
};
struct panel_action card_timeline(struct view *view, struct rect box, const struct timeline_view *timeline);

struct time_bar {
    const char *label;
    struct measured_time time;
    const char *subject; /* of the measurement, in the user's language; NULL or "": nothing to say */
    bool current;
};
struct time_view {
    const struct time_bar *bars;
    int count;
    const char *measure; /* the button that measures now; NULL none */
    bool busy;
    const char *why; /* said when counts and clock disagree, or NULL */
};
float card_time_height(const struct view *view, const struct time_view *time, float width);
struct panel_action card_time(struct view *view, struct rect box, const struct time_view *time);

struct knob_view {
    const char *label, *unit; /* unit: "bytes" or "" */
    const int64_t *values;    /* ascending */
    int count, at;            /* at: the index of its value now */
};
struct knobs_view {
    const char *const *variants; /* their labels */
    int variant_count, variant;
    const struct knob_view *knobs;
    int count, current; /* current: the one that the keys turn */
};
float card_knobs_height(const struct view *view, const struct knobs_view *knobs);
struct panel_action card_knobs(struct view *view, struct rect box, const struct knobs_view *knobs);

struct words_view {
    const char *title;
    const struct text_paragraph *paragraphs; /* filled in already */
    size_t count;
    const char *hint;   /* a last line, bold, in the accent colour; NULL none */
    const char *button; /* NULL none */
    int next;           /* the paragraph that the button leads to */
    const char *beside; /* said next to the button */
    float size;         /* of the text */
    bool bare;          /* no card of its own */
};
float card_words_height(const struct view *view, float width, const struct words_view *words);
struct panel_action card_words(struct view *view, struct rect box, const struct words_view *words);

struct question_view {
    const char *const *choices;
    int count, chosen; /* chosen: -1 none yet */
};
/* large: on the stage, for a class to see. */
float card_question_height(const struct view *view, float width, const struct question_view *question, bool large);
struct panel_action card_question(struct view *view, struct rect box, const struct question_view *question, bool large);
/* The sheet that lies over the stage until the question is answered: with the question in one sentence, or where there
 * is no right column with all its words and choices. */
struct panel_action question_cover(struct view *view, struct rect box);
#endif
