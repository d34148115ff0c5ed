/* A document: what is open, with its run and all that belongs to it. A lesson or a file (a trace, a kernel with its
 * launch). Whatever draws or computes takes it, and the playhead that says where one looks in it, as constants; only
 * commands change them.
 *
 * A failed run never takes the last good picture away, nor the setting or the guess; the notice says why it failed. */
#ifndef LANESCOPE_APP_DOCUMENT_DOCUMENT_H
#define LANESCOPE_APP_DOCUMENT_DOCUMENT_H
#include "app/document/ladder.h"
#include "app/document/likeness.h"
#include "app/document/measure.h"
#include "app/notice.h"
#include "app/playhead/playhead.h"
#include "lesson/lesson_run.h"
#include "run/file.h"
#include "view/report.h"
#include "view/stage.h"

/* A setting of a lesson, and the executor that runs it. */
struct look {
    struct lesson_setting setting;
    enum executor executor;
};

/* The last few runs are kept, so that turning back is free. */
enum { RUNS_KEPT = 8 };
struct kept_run {
    struct look look;
    struct likeness likeness;
    struct run *run; /* NULL: an empty place */
    uint64_t last_used;
};

struct guess {  /* the answer to a step's question; kept until the lesson is closed */
    int chosen; /* index of a choice, -1 none */
    bool committed, skipped, voted;
    struct lesson_setting setting; /* of the run that the question was about */
};

struct counted_pair { /* one count at two settings */
    bool known;
    int beat;
    struct lesson_setting here, there;
    double ratio; /* 0: it cannot be said */
};

/* The other look's block, drawn above this one. */
struct other_block {
    struct arena arena;
    struct run *run; /* NULL: nothing is kept */
    uint64_t block;
    struct playback *playback;
};

/* A trace, a kernel's run, or a kernel that could not run at all. */
struct open_file {
    struct arena arena;
    const char *path, *name;
    struct trace *trace; /* the run's, when there is one */
    struct run *run;
    struct counts counts;
    bool refused; /* there is no trace: error says why, source is the kernel's */
    struct error error;
    const char *source;
    const char *launch;              /* as options of the command line; NULL for a trace */
    bool assumed;                    /* the launch is a guess */
    struct run_file_request request; /* as it was asked for; of a run */
    struct likeness likeness;        /* of this run and the other executor's */
};

enum document_kind { DOCUMENT_NONE, DOCUMENT_LESSON, DOCUMENT_FILE };
struct document {
    enum document_kind kind;
    struct notice *notice;
    const struct app_worker *worker;
    /* Kept when another document is opened: how runs are made. */
    struct look look;   /* of a lesson: the one on screen; the executor is the next lesson's, too */
    const char *gpu;    /* as in app_options */
    const char *dram;   /* as in app_options, or chosen since */
    bool blocks_chosen; /* only these blocks run and are recorded */
    struct launch_blocks blocks;
    struct error failed; /* of the run asked for last; kind ERROR_NONE: it was made */
    bool stale;          /* the runs are made again before the next frame is drawn */

    /* The block shown, of the run on screen or of the file's trace. */
    struct playback *playback; /* NULL: there is none */
    uint64_t block;
    struct arena block_arenas[2]; /* of the playback; the one before lives on until the frame that drew it is over */
    int block_arena;

    struct open_file file;

    /* A lesson. */
    struct lesson *lesson;
    struct run *run;   /* the one on screen, one of kept */
    struct look other; /* before the last turn of a knob, or flip: Tab shows it */
    bool has_other, showing_other;
    bool above; /* the other is drawn above this one, on one scrubber */
    struct other_block other_block;
    int beat, knob; /* knob: the one [ and ] turn */
    int paragraph;  /* first one shown, when the words do not fit at once */
    struct guess *guesses;
    struct kept_run kept[RUNS_KEPT];
    uint64_t clock; /* counts uses of kept runs */
    struct ladder_points ladder;
    struct counted_pair pair;
    struct measuring measuring;
};

/* document.c: questions to a document */
const struct lesson_beat *document_beat(const struct document *document);
const struct guess *document_guess(const struct document *document);
/* Whether the step has a question without an answer yet, and whether its run stays covered until there is one. */
bool document_asks(const struct document *document);
bool document_covered(const struct document *document);
/* The run's answer to the step's question. False: the run does not give it. */
bool document_answer(const struct document *document, double *value);
/* Whether there is a committed guess about the run on screen; after a turn of a knob it spoke of another one. */
bool document_guess_stands(const struct document *document);
/* Whether that guess is right. False: there is none, or no answer. */
bool document_guess_right(const struct document *document, bool *right);
bool document_task_done(const struct document *document);
const struct run *document_run(const struct document *document); /* the lesson's or the file's; NULL: none */
/* The lesson's text with the run's values filled in. */
const char *document_fill(const struct document *document, struct arena *arena, const char *text);
struct lesson_text document_fill_words(const struct document *document, struct arena *arena,
                                       const struct lesson_text *text);
/* The expression's value as text; "" where it is not known. */
const char *document_number(const struct document *document, struct arena *arena, const char *expression, bool *known);
const struct dram_preset *document_dram(const struct document *document); /* as the lesson says, or as it was chosen */
/* Of the emulator's run on screen and a GPU's; NULL: not compared. */
const struct likeness *document_likeness(const struct document *document);
bool document_speaks_of_time(const struct document *document, enum language language);
/* The scene at the playhead. */
void document_scene(const struct document *document, const struct playhead *playhead, struct arena *arena,
                    struct scene *scene);

/* block.c */
/* Shows the block of the trace, from its first event. */
void document_use_block(struct document *document, struct playhead *playhead, const struct trace *trace,
                        uint64_t block);
/* Goes to the block where the run on screen recorded it, at the opening position or the first access. */
void document_show_block(struct document *document, struct playhead *playhead, uint64_t block);

/* findings.c: what went wrong in the run on screen */
struct report document_report(const struct document *document);
void document_go_finding(struct document *document, struct playhead *playhead, int finding, int side);
/* The fault at this very position, or NULL. */
const struct finding *document_fault_here(const struct document *document, const struct playhead *playhead);
/* Of the event on screen, the lane that the finding is about. */
uint32_t document_finding_lanes(const struct document *document, const struct playhead *playhead);
const struct finding *document_race_shown(const struct document *document, const struct playhead *playhead);
struct code_mark *document_marks(const struct document *document, struct arena *arena, uint32_t *count);

/* runs.c: runs of a lesson */
/* The look's run, made now if need be. NULL, with error set: it could not be made. */
struct kept_run *document_kept_run(struct document *document, const struct look *look, struct error *error);
/* Runs the setting and shows it. keep_place: stays at the same step of the story's line when the new run has it. */
bool document_show_setting(struct document *document, struct playhead *playhead, bool keep_place);
/* A new measurement, or another DRAM, changes what runs say: the one on screen is made again now, others when they are
 * wanted. */
void document_renew_runs(struct document *document, struct playhead *playhead);
void document_free_runs(struct document *document);
/* Shows the look before instead of this one, and back. */
void document_compare(struct document *document, struct playhead *playhead);
/* The same place in the run of the lesson's next executor: GPU, emulator, recording. */
void document_flip_lesson(struct document *document, struct playhead *playhead);
void document_say_likeness(struct document *document); /* when the run on screen is not as a GPU's, why */
/* other.c: the other look above this one */
/* Makes the other's run and its block ready to be drawn; gives the comparison up where it cannot run. */
void document_prepare_other(struct document *document);
/* The second document and playhead to draw; both share what they point to with the first. */
void document_other(const struct document *document, const struct playhead *playhead, struct document *other,
                    struct playhead *other_playhead);

/* lesson.c */
bool document_open_lesson(struct document *document, struct playhead *playhead, const char *name, struct error *error);
void document_close(struct document *document, struct playhead *playhead);
void document_go_beat(struct document *document, struct playhead *playhead, int beat);
/* The setting was changed by hand: runs it, and remembers the one before. */
void document_change_setting(struct document *document, struct playhead *playhead,
                             const struct lesson_setting *setting);
void document_turn_knob(struct document *document, struct playhead *playhead, int knob, int value);
void document_want_ladder(struct document *document);

/* dram.c */
void document_turn_dram(struct document *document, int direction);
void document_turn_dram_mapping(struct document *document);

/* file.c */
bool document_open_trace(struct document *document, struct playhead *playhead, const char *path, struct error *error);
/* Runs a kernel's file, with both checks on. False: what was open stays, the notice says why. A kernel that cannot run
 * is shown all the same, with the line that stands in its way. */
bool document_open_kernel(struct document *document, struct playhead *playhead, const struct run_file_request *request,
                          enum executor executor);
/* With all that it points to in the arena. */
struct run_file_request document_copy_request(struct arena *arena, const struct run_file_request *from);
/* The same place in the other executor's run of the file. */
void document_flip_file(struct document *document, struct playhead *playhead);

/* times.c: measured times, of a lesson */
/* The variant that this machine can time now: the one on screen where a GPU ran it or the host runs it, else a host
 * variant that has no time yet. -1: none. */
int document_measurable(const struct document *document);
void document_measure(struct document *document);
void document_start_measuring(struct document *document, const struct lesson_setting *setting);
/* settings: of the bars' times. */
int document_time_bars(const struct document *document, struct arena *arena, enum language language,
                       struct time_bar bars[4], struct lesson_setting settings[4]);
/* Why counts and clock tell different stories. NULL: they agree, or the step does not speak of time. */
const char *document_time_why(const struct document *document, struct arena *arena, enum language language,
                              const struct time_bar *bars, const struct lesson_setting *settings, int count);
/* Finds the counts that document_time_why sets beside the times: that takes two runs. */
void document_find_counts(struct document *document, struct arena *arena, enum language language);
/* The next time to measure unasked. False: none. */
bool document_next_time(const struct document *document, struct arena *arena, enum language language,
                        struct lesson_setting *setting);
#endif
