/* The cards beside and below the stage. The app fills plain values, asks for their heights and decides where they
 * stand. */
#ifndef LANESCOPE_VIEW_CARDS_CARDS_H
#define LANESCOPE_VIEW_CARDS_CARDS_H
#include "trace/time.h"
#include "ui/rich_text.h"
#include "view/view.h"

struct code_mark {
    uint32_t line, column; /* column: of a compiler's error; 0: none */
    const char *words;     /* at the end of the line, in place of its cost */
    const char *said;      /* below the line: what the compiler says; NULL: nothing */
};
struct code_value { /* what a name of the source is in this run: "n = 1024" */
    const char *name, *said;
};
/* The PTX of the kernel as rows, linked to the lines of the source that they come from. */
struct code_ptx_row {
    const char *text;
    bool label;                       /* a label or the head of a function: no instruction */
    uint32_t line, column, call_line; /* as in ptx_instruction; 0: unknown */
    uint32_t site;                    /* of the trace; PTX_NO_INDEX: none */
    bool counted;
    uint64_t executed; /* by warps, in the whole run */
    const char *value; /* of the result, for the lane of the way; NULL: not on the way, or not known */
};
/* How a lane computes the address of the access on screen. */
struct code_way {
    const char *title;   /* "Lane 5, thread (5, 0, 0)" */
    const char *formula; /* in the names of the source */
    const char *numbers; /* with the lane's numbers, and the address; NULL: not all are known */
    const char *ends;    /* the registers that are not followed, a line each; "": none */
};
struct code_ptx {
    const struct code_ptx_row *rows;
    uint32_t count;
    uint32_t current, lit; /* the row of the event on screen and the one that the user chose, counted from 1; 0: none */
    uint32_t first;        /* the first row in sight, counted from 1; 0: those around the current line */
    const struct code_way *way; /* NULL: the event is no access, or a question hides it */
    bool partly;                /* only the instructions that make events are known */
    bool events_only;           /* only these are counted */
};
struct code_view {
    bool is_text; /* a file of a lesson, not a kernel */
    const char *source, *name;
    const struct trace *trace;     /* the counts are of its sites */
    const struct counts *counts;   /* NULL: no counts are shown, because they would give an answer away */
    bool no_passes;                /* the counts of shared memory are not shown */
    uint32_t from, to;             /* only these lines; 0: all */
    uint32_t first;                /* the first line shown; 0: the lines around the current one */
    uint32_t sight;                /* where `first` is 0: a line that is in sight, near the end; 0: none */
    uint32_t line, filter;         /* the current line, and the line that the timeline is filtered to; 0: none */
    const struct code_mark *marks; /* lines with a finding or an error */
    uint32_t mark_count;
    const char *foot;   /* a note below the code, if there is room; NULL: none */
    bool foot_good;     /* the note begins with a tick */
    int strip;          /* above 0: so many lines and no title */
    bool reads;         /* the key that reads on goes to the lines below */
    bool picks;         /* a click picks the line */
    const char *launch; /* "kernel<<<2, 64>>>(out, in, 1)"; NULL: unknown */
    const struct code_value *values;
    uint32_t value_count;
    uint32_t head, end;         /* the lines of the kernel, in which the values hold; 0: all */
    uint32_t jumped;            /* the line of a definition that the user went to; 0: none */
    bool ptx_known;             /* there is PTX to show */
    const struct code_ptx *ptx; /* NULL: it is not open */
    uint32_t lit;               /* the line that the user chose beside the PTX; 0: none */
};
/* Returns the heights of the card: with all lines, and the least one, with the title, three rows, and as many as the
 * longest line needs. It lays out every line, so ask once. */
struct code_heights {
    float best, least;
};
struct code_heights card_code_heights(const struct view *view, float width, const struct code_view *code);
struct action card_code(struct view *view, struct rect box, const struct code_view *code);

struct timeline_view {
    const struct playback *playback;
    size_t position;
    bool playing;
    float speed;
    uint32_t filter; /* a line of the source; 0: none */
    bool covered;    /* no tick and no number: the question may ask how many there are */
    bool plain;      /* ticks without their legend and counts, whose words a later step explains */
    /* "block 0, warp 2 · model clock (NVIDIA H200): 130 cycles", with less about the clock, and without it */
    const char *where, *where_short, *where_least;
    const char *hint; /* of the keys, or what comes next */
};
/* Draws the buttons that play and step, and cuts them off the left end of the box. */
struct action view_transport(struct view *view, struct rect *box, bool playing, float speed);
struct action card_timeline(struct view *view, struct rect box, const struct timeline_view *timeline);

struct time_bar {
    const char *label;
    struct measured_time time;
    const char *subject; /* of the measurement, in the user's language; NULL or "": none */
    bool current;
    bool foreign; /* of a program that is not ours: it has no setting */
};
struct time_view {
    const struct time_bar *bars;
    int count;
    const char *measure; /* label of the button that measures now; NULL: none */
    bool busy;
    const char *why; /* why counts and times disagree; NULL: they agree */
};
float card_time_height(const struct view *view, const struct time_view *time, float width);
/* Returns a height with room for so many bars and two lines of notes. */
float card_time_slot(const struct view *view, int bars);
struct action card_time(struct view *view, struct rect box, const struct time_view *time);

struct knob_view {
    const char *label, *unit;  /* unit: "bytes" or "" */
    const char *const *values; /* as texts, ascending */
    int count, at;             /* at: the index of the current value */
    bool idle;                 /* it has no effect in this variant; the tip says so */
    const char *tip;           /* NULL: none */
};
struct knobs_view {
    const char *const *variants; /* their labels */
    int variant_count, variant;
    const struct knob_view *knobs;
    int count, current;  /* current: the keys turn this one */
    bool rest;           /* until a question is answered: they show their values and cannot be turned */
    const char *verdict; /* of the step's task, below the knobs, where its words are out of sight; NULL: none */
};
/* The best and the least height of the card in this width. Many variants take more than one line. */
float card_knobs_height(const struct view *view, float width, const struct knobs_view *knobs);
float card_knobs_least(const struct view *view, float width, const struct knobs_view *knobs);
struct action card_knobs(struct view *view, struct rect box, const struct knobs_view *knobs);
/* Draws the knobs alone, a row of this height each. The ids of their controls are those of `name` from `first` on. */
struct action view_knob_rows(struct view *view, struct rect box, float height, const struct knobs_view *knobs,
                             const char *name, uint32_t first);

struct words_view {
    const char *title;
    const struct text_paragraph *paragraphs; /* without {expressions} */
    size_t count;
    const char *hint; /* a line, bold, in the accent colour; NULL: none */
    bool hint_first;  /* it stands above the words, else below */
    float size;       /* of the text, pixels an em */
    bool bare;        /* no card of its own */
};
float card_words_height(const struct view *view, float width, const struct words_view *words);
void card_words(struct view *view, struct rect box, const struct words_view *words);

struct question_view {
    const char *const *choices;
    int count, chosen;  /* chosen: -1: none yet */
    bool worded;        /* the choices are sentences, one below the other */
    const char *commit; /* label of the button that commits the answer; NULL: "Answer" */
    bool ready;         /* there is an answer to commit */
    bool class_voted;   /* offers to go on by the votes of a class */
    const char *hint;   /* how to answer, on the sheet; NULL: by a number */
};
/* large: on the stage, for a class. */
float card_question_height(const struct view *view, float width, const struct question_view *question, bool large);
struct action card_question(struct view *view, struct rect box, const struct question_view *question, bool large);
/* Buttons for the ways on from a step. */
struct way {
    const char *caption; /* a line above it, where a new row begins; NULL: beside the one before */
    const char *label, *tip;
    bool primary;
    struct action action;
};
struct ways_view {
    const struct way *ways;
    int count;
};
float card_ways_height(const struct view *view, float width, const struct ways_view *ways);
struct action card_ways(struct view *view, struct rect box, const struct ways_view *ways);
/* Draws the sheet over the stage until the question is answered. It shows the question in one sentence or, without a
 * right column, all its words and choices. */
struct action question_cover(struct view *view, struct rect box);
#endif
