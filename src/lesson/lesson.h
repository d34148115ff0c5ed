/* A lesson: a kernel, its variants, its knobs, and the beats of its story. Read from lessons/NAME/lesson.yaml (schema
 * in docs/lessons.md) with its words in en.md and ko.md. */
#ifndef LANESCOPE_LESSON_LESSON_H
#define LANESCOPE_LESSON_LESSON_H
#include "base/arena.h"
#include "base/error.h"
#include "model/cells.h"
#include "model/elements.h"
#include "ui/panels.h"
#include "ui/rich_text.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { LESSON_KNOBS_MAX = 3, LESSON_VALUES_MAX = 4096 /* of a knob */, LESSON_SETTINGS_MAX = 1 << 20 };
enum language { LANGUAGE_EN, LANGUAGE_KO, LANGUAGE_COUNT };

struct lesson_knob {
    const char *name;                  /* as on the command line */
    const char *label[LANGUAGE_COUNT]; /* as on screen */
    const char *unit;                  /* "bytes" or "" */
    const int64_t *values;             /* every value it can take, ascending: see lesson_knob_number */
    int value_count, default_index;
};

struct lesson_variant {
    const char *name;
    const char *label[LANGUAGE_COUNT];
    const char *source; /* a file in the lesson's folder or in kernels/ */
    const char *kernel;
    const char *reference; /* the host function in run/reference.c that computes the expected results; or NULL */
    const char *expect;    /* or an expression for element i of the checked buffer; or NULL */
    const char *result;    /* what it computes, in one word: times are compared among variants of one result */
    bool faulty;           /* wrong on purpose: its findings and wrong results are the lesson's */
    bool host;             /* a loop of the host, shown as one thread and timed on this processor */
    const char *loop;      /* for a host variant: the loop's name in run/reference.c */
};

/* A text of the lesson; its spans may hold {expressions} until run_fill_words. */
struct lesson_text {
    const struct text_paragraph *paragraphs;
    size_t count;
};

struct lesson_set { /* a value that a beat gives to a knob or to the variant when it opens */
    int knob;       /* -1: the variant */
    int value_index;
};

/* What an expression counts, where a chart or a card says so in words. */
enum fact_counts {
    COUNTS_OTHER,
    COUNTS_PASSES,
    COUNTS_SECTORS,
    COUNTS_STEPS,
    COUNTS_TIME,
    COUNTS_MISTAKES,
    COUNTS_PER_CENT_IN_L1,
    COUNTS_GIGABYTES_OF_DRAM
};

enum beat_kind {
    BEAT_TELL,
    BEAT_ASK,     /* a prediction: the run stays covered until it is answered */
    BEAT_OBSERVE, /* a question after a reveal: the picture answers it */
    BEAT_MARK,    /* the student marks cells as the machine would; the run answers cell by cell */
    BEAT_BUG,     /* a faulty variant runs, and the student picks the line that is wrong */
    BEAT_TASK,    /* something to build: done when the run makes the goal true */
    BEAT_REMEMBER /* the last card: three lines, the guesses made, the way on */
};
/* SECTORS: chunks, sectors and their counts. PASSES: banks, passes and their counts. CONFLICTS: the timeline's legend.
 * CACHES: the switch of the caches. LEGEND: without any of these words the timeline has no legend. */
enum lesson_later {
    LATER_SECTORS = 1,
    LATER_PASSES = 2,
    LATER_CONFLICTS = 4,
    LATER_CACHES = 8,
    LATER_LEGEND = LATER_SECTORS | LATER_PASSES | LATER_CONFLICTS
};

struct lesson_beat {
    const char *id;
    const char *title[LANGUAGE_COUNT]; /* its name on buttons that lead to it; NULL: none */
    enum beat_kind kind;
    unsigned stage; /* STAGE_... panels shown */
    unsigned focus; /* those not dimmed; 0: all */
    unsigned later; /* LATER_...: words that a later step explains; nothing on screen says them yet */
    bool caches;    /* the sectors of loads show where they came from */
    const char *at; /* text of the source line whose first access by warp `warp` opens the beat; NULL: the start */
    int access;     /* the same as an index into the accesses in lesson.yaml, for run_find_beat; -1: none */
    int warp, block, occurrence;
    unsigned lane; /* in focus in a matrix instruction */
    /* The whole setting of the beat, the variant and every knob, including values inherited from earlier beats: opening
     * a beat directly gives the same picture as walking to it. */
    const struct lesson_set *sets;
    int set_count;
    /* BEAT_ASK, BEAT_OBSERVE: the right choice is the run's own value of `answer`. */
    const char *answer; /* an expression over facts, evaluated on the run */
    const double *choices;
    int choice_count;
    /* The words of each choice; NULL: the choices are shown as numbers. */
    const char **choice_words[LANGUAGE_COUNT];
    enum mark_cells mark; /* BEAT_MARK */
    const char *line;     /* BEAT_BUG: text of the source line that is wrong ... */
    int mended;           /* ... and the variant that repairs it */
    /* BEAT_TASK: done when the run makes this true. */
    const char *goal;
    const char *ladder; /* fact drawn against `ladder_knob` when STAGE_LADDER is shown */
    enum fact_counts ladder_counts;
    int ladder_knob;
    const char *big;                          /* the number in 56 px: an expression ... */
    struct lesson_text words[LANGUAGE_COUNT]; /* the text; for an ask: the question */
    struct lesson_text after[LANGUAGE_COUNT]; /* ... and the text after it is answered or done */
    /* The reply to a wrong answer: one text for each choice, and behind them one for any other wrong answer (of a
     * mark, a bug). count 0: there is none. */
    struct lesson_text *wrong[LANGUAGE_COUNT];
    const char *big_words[LANGUAGE_COUNT];    /* ... with its words, "{} passes": see struct tally */
    const char *tally[LANGUAGE_COUNT];        /* the sentence beside it, with {expressions} */
    struct lesson_text notes[LANGUAGE_COUNT]; /* for the teacher; count 0: none */
    bool tells_time[LANGUAGE_COUNT];          /* the words show a measured time */
    bool asks_time;                           /* the answer is made of measured times */
};

/* Returns whether the step asks something that is answered, and kept. */
static inline bool lesson_beat_asks(const struct lesson_beat *beat)
{
    return beat->kind == BEAT_ASK || beat->kind == BEAT_OBSERVE || beat->kind == BEAT_MARK || beat->kind == BEAT_BUG;
}

struct lesson {
    const char *name, *folder;
    int order;
    unsigned minutes_alone, minutes_in_class;                    /* how long it takes; 0: lesson.yaml does not say it */
    const char *title[LANGUAGE_COUNT], *summary[LANGUAGE_COUNT]; /* plain text, no {expressions} */
    struct lesson_text notes[LANGUAGE_COUNT]; /* for the teacher, on the whole lesson; count 0: none */
    const struct lesson_knob *knobs;
    int knob_count;
    const struct lesson_variant *variants;
    int variant_count;
    const struct lesson_beat *beats;
    int beat_count;
    bool caches; /* its runs follow the caches: run/options.h */
    bool caches_warm;
    bool caches_asked; /* the same, of those that are shown, because the user wants to see the caches */
    const char *dram_preset;
    struct arrays arrays;     /* that the panel `matrix` shows together; kind ARRAYS_ALONE: none */
    bool values;              /* runs record the values that each lane reads or writes */
    struct lesson_plan *plan; /* launch, arguments, checks, timing and recording: see lesson/plan.h */
    struct arena arena;
};

/* Where the user stands: a variant, and an index into each knob's values. */
struct lesson_setting {
    int variant;
    int value[LESSON_KNOBS_MAX]; /* indices */
};

/* Loads a lesson by its name, or by a folder that holds a lesson.yaml. Names are those of installed lessons and of
 * folder_user_data()/lessons. */
bool lesson_load(const char *name, struct lesson **lesson, struct error *error);
/* Returns whether lesson_load would find a lesson, without reading it. */
bool lesson_exists(const char *name);
/* Returns whether lesson_load would load this lesson, and not another one, by a name or a folder. */
bool lesson_is_named(const struct lesson *lesson, const char *name);
/* Returns whether the lesson is one of those installed with the program: only these have shipped recordings. */
bool lesson_is_installed(const struct lesson *lesson);
/* Returns the seconds that a compiler has for a source of the lesson; 0: the usual ones. */
unsigned lesson_compiler_seconds(const struct lesson *lesson);
/* Returns whether a step shows one of these panels (STAGE_ flags). */
bool lesson_shows(const struct lesson *lesson, unsigned panels);
/* Returns the path of a variant's source, in the arena: beside lesson.yaml if it is there, else in kernels/. */
const char *lesson_source_path(const struct lesson *lesson, int variant, struct arena *arena);
bool lesson_load_folder(const char *folder, struct lesson **lesson, struct error *error);
void lesson_free(struct lesson *lesson);
struct compile_request;
/* Lists every kernel file with every set of defines that the lesson can use, in the arena: assets/ptx holds their PTX.
 */
size_t lesson_compilations(const struct lesson *lesson, struct arena *arena, struct compile_request **requests);
/* From now on a compilation of its kernels ends when this becomes true. */
void lesson_cancel_with(struct lesson *lesson, const atomic_bool *cancel);
/* Chooses the GPU whose latencies order the emulator's accesses, and whose caches they go through: see model/gpu.h. The
 * default is GPU_DEFAULT. */
bool lesson_use_gpu(struct lesson *lesson, const char *gpu, struct error *error);
/* Returns whether two variants compute the same result, so that their times can be compared. */
bool lesson_same_result(const struct lesson *lesson, int a, int b);
/* Replaces the DRAM of lesson.yaml by a name of dram_presets(). */
bool lesson_use_dram(struct lesson *lesson, const char *preset, struct error *error);
/* Sets the error for a program without lessons, and returns false. */
bool lesson_none(struct error *error);
/* Loads the installed lessons and the user's own, in their order; the caller frees each with lesson_free. An unreadable
 * lesson is left out and its error appended to errors (count error_count), so that one bad file does not hide the
 * rest. */
size_t lesson_load_all(struct arena *arena, struct lesson ***lessons, struct error **errors, size_t *error_count);
/* Returns only their names. */
size_t lesson_names(struct arena *arena, const char ***names, struct error **errors, size_t *error_count);
/* Returns the names of the installed lessons alone. */
size_t lesson_names_installed(struct arena *arena, const char ***names, struct error **errors, size_t *error_count);

/* Returns the number that a value of a knob stands for, in expressions, charts and files. */
int64_t lesson_knob_number(const struct lesson_knob *knob, int value);
/* Returns the constant distance between the values when they are too many to list; otherwise 0. */
int64_t lesson_knob_step(const struct lesson_knob *knob);
/* Return a value of a knob as text, in the arena: "8"; "stride 8", with the knob's label; "stride=8", with its name. */
const char *lesson_knob_value(const struct lesson_knob *knob, int value, struct arena *arena);
const char *lesson_knob_label(const struct lesson_knob *knob, int value, enum language language, struct arena *arena);
const char *lesson_knob_assignment(const struct lesson_knob *knob, int value, struct arena *arena);

struct lesson_setting lesson_defaults(const struct lesson *lesson);
bool lesson_setting_same(const struct lesson *lesson, const struct lesson_setting *a, const struct lesson_setting *b);
void lesson_apply_sets(struct lesson_setting *setting, const struct lesson_set *sets, int set_count);
/* Applies "stride=8" or "variant=store". The error names the range. */
bool lesson_set_text(const struct lesson *lesson, struct lesson_setting *setting, const char *assignment,
                     struct error *error);
#endif
