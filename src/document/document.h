/* A document is an open lesson or file (a trace, or a kernel with its launch) with its run and everything that belongs
 * to it. Code that draws or computes takes the document and its playhead as constants; only commands change them.
 *
 * A failed run never removes the last good picture, the setting or the guess; a notice gives the reason. */
#ifndef LANESCOPE_DOCUMENT_DOCUMENT_H
#define LANESCOPE_DOCUMENT_DOCUMENT_H
#include "base/file.h"
#include "document/ladder.h"
#include "document/likeness.h"
#include "document/measure.h"
#include "document/notice.h"
#include "document/playhead.h"
#include "lesson/lesson_run.h"
#include "run/guess.h"
#include "view/report.h"
#include "view/stage.h"

/* A lesson's setting and the executor that runs it. */
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

enum { CHOICES_MAX = 6 };
struct guess {     /* the answer to a step's question, kept until the lesson is closed */
    int chosen;    /* index of a choice, -1 none */
    uint32_t line; /* of the source, picked in a step about a bug; 0 none */
    bool committed, skipped, voted;
    uint16_t votes[CHOICES_MAX];   /* of the class, as its teacher counted them */
    uint8_t cells[MARKS_MAX];      /* the heights of marked cells */
    int cursor;                    /* of the cell after which the keys mark; 0: none yet */
    int paint;                     /* the height that a drag gives */
    struct mark_counts counts;     /* of the marks, when they were checked */
    bool right;                    /* when it was committed */
    bool again;                    /* the run was seen before this answer: it was asked anew */
    bool mended;                   /* the mended kernel was shown */
    struct lesson_setting setting; /* of the run that the question was about */
};

struct counted_pair { /* one count at two settings */
    bool known;
    int beat;
    struct lesson_setting here, there;
    double ratio; /* 0: unknown */
};

/* The block of the other look, which is drawn above this one. */
struct other_block {
    struct arena arena;
    struct run *run; /* NULL: nothing is kept */
    uint64_t block;
    struct playback *playback;
};

/* A trace, a kernel's run, or a kernel that could not run at all. A program is a file without a trace until one of its
 * launches is opened. */
struct open_file {
    struct arena arena;
    const char *path, *name;
    struct trace *trace; /* the run's, when there is one */
    struct run *run;
    struct counts counts;
    struct launch_blocks counted; /* the blocks that `counts` covers */
    const struct caches *caches;  /* what the L1 held for its sites; NULL: not known */
    bool refused;                 /* there is no trace: error says why, source is the file's */
    bool of_lesson;               /* refused: a file of a lesson that cannot be opened */
    struct error error;
    const char *source;
    const char *launch;              /* as options of the command line; NULL for a trace */
    struct digest sources;           /* of the files that a kernel was compiled from */
    struct error failed;             /* of a newer version of the source, which has no run; kind ERROR_NONE: none */
    const char *newer, *newer_name;  /* that version of the file with the error */
    struct launch_guess guess;       /* what of the launch is guessed */
    struct run_file_request request; /* as the user gave it; of a run */
    struct likeness likeness;        /* to the other executor's run */
    const struct cause *causes;      /* of a launch of a program, as in struct report */
    const struct mistake *mistake;
    const struct ptx_placed *variables; /* of its kernel */
    uint32_t variable_count;
};

/* The parts of a lesson's step. PART_OWN: the one that it opens with. */
enum part { PART_OWN, PART_WORDS, PART_PICTURE, PART_CODE, PART_KNOBS, PART_TIME, PART_COUNT };

/* The places that the user turned to where not everything fits on the screen. Each step starts anew. */
struct reading {
    enum part part;
    int words;              /* units above the words in sight */
    uint32_t code, at_line; /* the first line of code in sight, chosen while at_line was the current line */
    uint32_t lit, lit_row;  /* the line and the row of PTX that the user chose; 0: none */
    uint32_t ptx, ptx_at;   /* the first row of PTX in sight; both chosen while ptx_at was the current line */
    uint32_t jumped, from;  /* the definition that the user went to, and the first line in sight before */
};

/* The sources of a bug: the faulty one with the wrong line, the mended one with the lines that stand for it (from 0:
 * nothing new stands there). */
struct bug {
    struct arena arena;
    const char *faulty, *mended;
    uint32_t wrong, from, to;
    uint32_t nearest; /* of the lines from `from` to `to`, the one nearest to the place of the wrong one */
};

enum document_kind { DOCUMENT_NONE, DOCUMENT_LESSON, DOCUMENT_FILE };
struct document {
    enum document_kind kind;
    struct notice *notice;
    const struct app_worker *worker;
    const atomic_bool *ended; /* as in struct app_host, as is patience */
    double patience;
    /* These stay when another document is opened. */
    struct look look; /* the look on screen; the next lesson starts with the same executor */
    const char *gpu;  /* as in app_options */
    const char *dram; /* as in app_options, or chosen since */
    bool caches;      /* as in app_options */
    enum { DRAM_BY_DOCUMENT, DRAM_MISSED, DRAM_WHOLE } dram_feed; /* with the caches on: which sectors reach the DRAM */
    bool blocks_chosen;                                           /* only these blocks run and are recorded */
    struct launch_blocks blocks;
    struct error failed; /* of the last requested run; kind ERROR_NONE: it succeeded */
    uint32_t pinned;     /* the lane whose way stays on screen, as a mask; 0: none */
    uint32_t chosen;     /* the element of an array that its panel follows, counted from 1; 0: that of a lane */
    bool ptx;            /* the PTX is open beside the source */
    bool stale;          /* the runs are made again before the next frame is drawn */
    unsigned opened;     /* another number for each document, and for each version of its files */

    /* The block shown, of the run on screen or of the file's trace. */
    struct playback *playback; /* NULL: there is none */
    uint64_t block;
    struct arena block_arenas[2]; /* of the playback; the previous one lives on until its frame is over */
    int block_arena;

    struct open_file file;
    struct kernel_again *kernel;  /* the file's next run; NULL: none is on its way */
    struct kernel_form *form;     /* of the kernel that was opened last; NULL: none was */
    struct open_program *program; /* whose launch, or list of calls, the file is; NULL: none */

    /* The fields of a lesson. */
    struct lesson *lesson;
    struct run *run;   /* the one on screen, one of kept */
    struct look other; /* the look before the last change; Tab shows it */
    bool has_other, showing_other;
    bool above; /* the other is drawn above this one, on one scrubber */
    struct other_block other_block;
    int beat, knob;        /* knob: the one [ and ] turn */
    unsigned knobs_turned; /* by hand: a bit each */
    struct reading reading;
    struct guess *guesses;      /* of the class while it is taught, else the user's own */
    struct guess *guesses_kept; /* the others, which come back when that changes */
    bool in_class;
    struct bug bug;
    struct kept_run kept[RUNS_KEPT];
    uint64_t clock; /* counts uses of kept runs */
    struct ladder_points ladder;
    struct counted_pair pair;
    struct measuring measuring;
};

/* document.c: queries */
const struct lesson_beat *document_beat(const struct document *document);
const struct guess *document_guess(const struct document *document);
/* Sets the value of an expression of the lesson on the run on screen. */
bool document_evaluate(const struct document *document, const char *expression, double *value);
bool document_task_done(const struct document *document);
/* Returns whether the file on screen is a kernel that can be run again. */
bool document_is_kernel(const struct document *document);
/* Returns the lesson's or the file's run; NULL: none. */
const struct run *document_run(const struct document *document);
/* Returns the lesson's text with the run's values filled in. */
const char *document_fill(const struct document *document, struct arena *arena, const char *text);
struct lesson_text document_fill_words(const struct document *document, struct arena *arena,
                                       const struct lesson_text *text);
/* Returns the expression's value as text, or "" if it is not known. */
const char *document_number(const struct document *document, struct arena *arena, const char *expression, bool *known);
/* Returns the lesson's preset or the chosen one. */
const struct dram_preset *document_dram(const struct document *document);
/* Returns the likeness of the emulator's run on screen to a GPU's; NULL: they were not compared. */
const struct likeness *document_likeness(const struct document *document);
/* Builds the scene at the playhead. */
void document_scene(const struct document *document, const struct playhead *playhead, struct arena *arena,
                    struct scene *scene);
/* Returns the memories, MEMORY_ flags, whose accesses the panels of this step show. Playing stops at no other access:
 * its picture would be empty. */
unsigned document_memories(const struct document *document);

/* guess.c: what a step asks, and the answer to it */
/* Whether the step has a question without an answer yet, and whether its run stays covered until there is one. */
bool document_asks(const struct document *document);
bool document_covered(const struct document *document);
/* Whether the step asked something and has its answer, or was skipped. */
bool document_answered(const struct document *document);
/* Returns whether this step still asks for a time, or, unless it has its answer, a later one. Until then no measured
 * time is shown. */
bool document_time_is_asked(const struct document *document);
/* Whether the step waits for a line of the source. */
bool document_asks_line(const struct document *document);
/* Whether the step waits for marked cells, and of which kind. */
bool document_asks_cells(const struct document *document);
enum mark_cells document_mark_cells(const struct document *document);
/* Sets the marks of the step, if it has some and the scene is its own: the one where it opens. */
bool document_cells(const struct document *document, const struct playhead *playhead, const struct scene *scene,
                    struct arena *arena, struct marks *marks);
/* Checks the guess against the scene where the step opens. */
void document_check_marks(const struct document *document, const struct scene *scene, struct guess *guess);
/* Whether there is an answer to commit. */
bool document_can_commit(const struct document *document);
/* The run's answer to the step's question. False: the run does not give it. */
bool document_answer(const struct document *document, double *value);
/* Whether there is a committed guess about the run on screen; after a turn of a knob it spoke of another one. */
bool document_guess_stands(const struct document *document);
/* Whether that guess is right. False: there is none, or no answer. */
bool document_guess_right(const struct document *document, bool *right);
/* The line of the source that a step about a bug asks for; 0 none. */
uint32_t document_wrong_line(const struct document *document);
/* bug.c */
/* Reads the sources of a step that looks for a bug, when it opens. */
void document_read_bug(struct document *document);
/* Returns the lines of the bug that the step looks for; NULL: it looks for none. */
const struct bug *document_bug(const struct document *document);
/* Returns the name of a variant, or "variant A" for one whose bug is still to be found: its name could tell it. */
const char *document_variant_label(const struct document *document, struct arena *arena, enum language language,
                                   int variant);
/* The lines of the kernel on screen, first and last; 0: unknown. */
void document_kernel_lines(const struct document *document, uint32_t *first, uint32_t *last);

/* secrets.c: what a covered question asks about, and nothing may show before the answer: SECRET_ flags of view/stage.h
 */
unsigned document_secrets(const struct document *document);

/* block.c */
/* Returns the counts of the run on screen, or of the file's trace. blocks: those that they cover. */
const struct counts *document_counts(const struct document *document, struct launch_blocks *blocks);
/* Computes what the overview of the block on screen shows. */
void document_prepare_overview(struct document *document);
/* Shows the block of the trace, from its first event. */
void document_use_block(struct document *document, struct playhead *playhead, const struct trace *trace,
                        uint64_t block);
/* Goes to the block if the run on screen recorded it, at the opening position or the first access. */
void document_show_block(struct document *document, struct playhead *playhead, uint64_t block);

/* findings.c: the findings of the run on screen */
struct report document_report(const struct document *document);
/* Returns whether the run's findings would give away what the step asks. */
bool document_hides_findings(const struct document *document);
void document_go_finding(struct document *document, struct playhead *playhead, int finding, int side);
/* Returns the number of the finding that is shown first: a race of the event on screen, else the first; -1: none. */
int document_first_finding(const struct document *document, const struct playhead *playhead);
/* Returns the fault at this position, or NULL. */
const struct finding *document_fault_here(const struct document *document, const struct playhead *playhead);
/* Returns the lane of the event on screen that the finding is about, as a mask. */
uint32_t document_finding_lanes(const struct document *document, const struct playhead *playhead);
const struct finding *document_race_shown(const struct document *document, const struct playhead *playhead);
struct code_mark *document_marks(const struct document *document, struct arena *arena, uint32_t *count);

/* runs.c: runs of a lesson */
/* Returns the look's run, which is made now if it is not kept. Returns NULL, with error set, if it fails. */
struct kept_run *document_kept_run(struct document *document, const struct look *look, struct error *error);
/* Runs the setting and shows it. keep_place: stays at the same access if the new run has it. */
bool document_show_setting(struct document *document, struct playhead *playhead, bool keep_place);
/* Says what went wrong in the run on screen, if anything did: above it, until another one is shown. While a step asks,
 * it says no more than the symptom. */
void document_describe_run(struct document *document, struct playhead *playhead);
/* Repeats the run on screen now and the others on demand: a measurement or another DRAM has changed their facts. */
void document_renew_runs(struct document *document, struct playhead *playhead);
void document_free_runs(struct document *document);
void document_forget_runs(struct document *document); /* all but the one on screen */
/* Switches between this look and the one before. */
void document_compare(struct document *document, struct playhead *playhead);
/* Goes to the same place in the run of the next executor: GPU, emulator, recording. */
void document_flip_lesson(struct document *document, struct playhead *playhead);
/* Says why the run on screen differs from a GPU's, if it does. */
void document_say_likeness(struct document *document);
/* other.c: the other look, drawn above this one */
/* Prepares the other look's run and block for drawing, and ends the comparison if that run fails. */
void document_prepare_other(struct document *document);
/* Sets the second document and playhead to draw. They are views: all that they point to belongs to the first. */
void document_other(const struct document *document, const struct playhead *playhead, struct document *other,
                    struct playhead *other_playhead);

/* lesson.c */
bool document_open_lesson(struct document *document, struct playhead *playhead, const char *name, struct error *error);
/* Shows the file of a lesson that cannot be opened, with the wrong line. */
void document_refuse_lesson(struct document *document, struct playhead *playhead, const struct error *error);
void document_close(struct document *document, struct playhead *playhead);
void document_go_beat(struct document *document, struct playhead *playhead, int beat);
/* Returns the setting that the step opens with. */
struct lesson_setting document_setting_of_beat(const struct document *document, int beat);
/* Goes to the step with the setting at which it was left. A question with choices is asked at its own. */
void document_resume_beat(struct document *document, struct playhead *playhead, int beat,
                          const struct lesson_setting *setting);
/* Forgets all answers and turned knobs, and goes to the first step. */
void document_restart(struct document *document, struct playhead *playhead);
/* Returns whether the knobs rest: a question with choices is asked at its step's setting alone, where one of them is
 * right. */
bool document_setting_rests(const struct document *document);
/* Returns the knobs, a bit each, that have no effect in the variant on screen. While they rest, none is said to. */
unsigned document_idle_knobs(const struct document *document);
/* Skips a question that was opened at another setting, by options, where none of its choices is right. */
void document_drop_unfit_question(struct document *document, struct playhead *playhead);
/* Runs a setting that the user has changed, and remembers the look before. While the knobs rest it only says so. */
void document_change_setting(struct document *document, struct playhead *playhead,
                             const struct lesson_setting *setting);
void document_turn_knob(struct document *document, struct playhead *playhead, int knob, int value);
void document_want_ladder(struct document *document);
/* Begins a class's run of the lesson, without answers, or ends it: the user's own answers then come back. */
void document_teach(struct document *document, struct playhead *playhead, bool in_class);

/* task.c */
/* Turns knobs and variant to a setting that does the task of the step. Returns false if none was found. */
bool document_do_task(struct document *document, struct playhead *playhead);

/* dram.c */
void document_turn_dram(struct document *document, int direction);
void document_turn_dram_mapping(struct document *document);
/* Returns whether the DRAM is shown with those sectors alone that the caches did not hold. */
bool document_dram_missed(const struct document *document);
/* Shows all sectors in the DRAM, or again those that the caches did not hold. */
void document_turn_dram_feed(struct document *document);

/* caches.c */
/* Tells a playback whose caches to follow, and why it cannot. run: the run of its trace, or another. */
void document_follow_caches(const struct document *document, const struct run *run, struct playback *playback);
/* Returns whether the user, the lesson or its step wants to see them. */
bool document_wants_caches(const struct document *document);
/* Shows where sectors came from, or no longer. A notice says why it cannot be told, or what hides it. */
void document_turn_caches(struct document *document, const struct playhead *playhead);

/* file.c */
bool document_open_trace(struct document *document, struct playhead *playhead, const char *path, struct error *error);
/* From now on the open file is shown under this name, and said to lie at this path. Both are copied. */
void document_name_file(struct document *document, const char *name, const char *path);
/* Runs a kernel's file with both checks. A kernel that cannot run is shown with the offending line. Returns false, with
 * a notice, if this computer lacks something; the document then stays. */
bool document_open_kernel(struct document *document, struct playhead *playhead, const struct run_file_request *request,
                          enum executor executor);
/* Goes to the same place in the other executor's run of the file. */
void document_flip_file(struct document *document, struct playhead *playhead);

/* Closes the document and begins a file of this path. */
struct open_file *document_begin_file(struct document *document, struct playhead *playhead, const char *path);
/* Shows the trace at its first finding, or else at the lowest block's first access. The file keeps it. */
void document_show_trace(struct document *document, struct playhead *playhead, struct trace *trace);

/* kernel_again.c: a kernel's file is run again beside the window, because it was saved or the user asks */
void document_rerun_kernel(struct document *document);
/* Takes the result over, and returns true once, when it is there. */
bool document_follow_kernel(struct document *document, struct playhead *playhead);
/* Ends the run, whose result nobody wants. */
void document_forget_kernel(struct document *document);

/* stale.c: a run that is older than its source */
/* Returns why the newest source of the document has no run, and that source. NULL: the run on screen is of it. */
struct newer_source {
    const struct error *error;
    const char *text, *name;
};
bool document_newer_source(const struct document *document, struct newer_source *newer);
/* Says so above the picture. */
void document_say_stale(struct document *document);

/* program.c: whole programs */
struct program_start;
/* Builds and runs the program beside the window; document_follow_program takes the result over when it is there, and
 * returns whether it did. */
void document_open_program(struct document *document, struct playhead *playhead, const struct program_start *asked);
bool document_follow_program(struct document *document, struct playhead *playhead);
void document_rerun_program(struct document *document);
/* what_if_turn.c: the knobs of the program on screen. It is built and run again with each new value. */
void document_turn_value(struct document *document, int direction); /* of the marked knob */
void document_set_value(struct document *document, int knob, int index);
void document_next_value(struct document *document, int direction); /* marks another knob */
void document_own_values(struct document *document);
/* kernel_form.c, kernel_edit.c: the launch of a kernel that stands alone. It runs again with each new value. */
void document_choose_field(struct document *document, int index);
void document_next_field(struct document *document, int direction);
void document_turn_field(struct document *document, int direction); /* of the chosen field */
void document_own_fields(struct document *document);
/* Takes a digit, '.', '-', '\b', '\n' (the end) or '\033' (no value) for the chosen field. Returns whether it did. */
bool document_is_typing(const struct document *document);
bool document_type_field(struct document *document, char letter);
/* Chooses a call. open: shows the lanes of a launch, and the list for any other call. */
void document_go_call(struct document *document, struct playhead *playhead, size_t index, bool open);
/* Returns false if the call is no launch with recorded lanes. */
bool document_open_launch(struct document *document, struct playhead *playhead, size_t index);
/* Goes to the next or previous launch: to its lanes, if those of one are on screen. */
void document_step_launch(struct document *document, struct playhead *playhead, int direction);
/* Shows the calls that the compiler adds in the list, too, or hides them again. */
void document_turn_calls(struct document *document);
void document_leave_launch(struct document *document, struct playhead *playhead);

/* times.c: measured times of a lesson */
/* Returns the variant that this computer can time now: the one on screen if a GPU or the host ran it, else a host
 * variant without a time. -1: none. */
int document_measurable(const struct document *document);
void document_measure(struct document *document);
void document_start_measuring(struct document *document, const struct lesson_setting *setting);
/* Fills the bars of the time card and their settings, and returns their number. Each has a time but the current one. */
enum { TIME_BARS_MAX = 8 };
int document_time_bars(const struct document *document, struct arena *arena, enum language language,
                       struct time_bar bars[TIME_BARS_MAX], struct lesson_setting settings[TIME_BARS_MAX]);
/* Returns whether the lesson is about times: a step asks for one or says one. */
bool document_has_clock(const struct document *document);
/* Returns whether the words on screen are about measured times. */
bool document_tells_time(const struct document *document, enum language language);
/* Returns the number of bars that the card of the times has at most in this lesson. */
int document_most_bars(const struct document *document);
/* Returns the sentence that explains why counts and times disagree. NULL: they agree, or the step has no times in its
 * words. */
const char *document_time_why(const struct document *document, struct arena *arena, enum language language,
                              const struct time_bar *bars, const struct lesson_setting *settings, int count);
/* Finds the counts that document_time_why compares with the times; this takes two runs. */
void document_find_counts(struct document *document, struct arena *arena, enum language language);
/* Sets the setting that should be timed automatically next. Returns false if there is none. */
bool document_next_time(const struct document *document, struct arena *arena, enum language language,
                        struct lesson_setting *setting);
#endif
