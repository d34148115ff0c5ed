/* For src/lesson and src/author only: the launches of a lesson, the part of lesson.yaml without the story. Every `const
 * char *` that is not a name is an expression over knobs, `host`, `variant` (from 0) and the lets. */
#ifndef LANESCOPE_LESSON_PLAN_H
#define LANESCOPE_LESSON_PLAN_H
#include "base/words.h"
#include "compile/compile.h"
#include "lesson/expression.h"
#include "lesson/lesson.h"
#include "run/fill.h"

struct trace;
struct lesson_problems;
struct plan_let {
    const char *name, *value;
};

struct plan_define { /* a -D option of the compiler, chosen by a knob: values[i] for the knob's i-th value */
    const char *name;
    int knob;
    const char **values;
};

struct plan_argument {
    const char *name;
    int knob; /* types[i] for its i-th value; -1: types[0] */
    enum ptx_type *types;
    const char *count, *value;          /* a buffer has count, a scalar has value */
    const char *rows, *columns, *pitch; /* of a buffer with a shape; pitch in bytes; NULL: none */
    struct fill fill, *fills;           /* fills[i] for the knob's i-th value; NULL: fill */
    const char **fill_words;            /* of fills, as written */
};

/* A named access of the story: its source lines (each variant may have its own), operation and space. */
struct lesson_access {
    const char *name;
    const char **lines;
    size_t line_count;
    int operation, space; /* enum trace_operation, enum ptx_space; -1: any */
    const char *block, *warp, *occurrence;
    unsigned lane; /* in focus in a matrix instruction */
};

struct plan_elsewhere { /* a named number of another setting */
    const char *name, *value;
    struct lesson_set *sets;
    int set_count;
};

struct plan_sweep {    /* settings to record: all combinations of these values, other knobs at their defaults */
    unsigned variants; /* bit per variant */
    int *values[LESSON_KNOBS_MAX];
    int value_count[LESSON_KNOBS_MAX];
};

struct plan_timed {
    struct plan_let *lets; /* in place of knobs and lets of the same name */
    size_t let_count;
    const char *what[WORDS_LANGUAGES]; /* text with {expressions} */
    bool beyond_cache;                 /* as struct cuda_timing has it */
};

struct plan_compare { /* a program that is not ours, of which only the time is recorded */
    const char *label[WORDS_LANGUAGES];
    const char *recording; /* the name of its file in assets/recordings/GPU; NULL: none */
    const char *variant;   /* in its rows */
    const char *by;        /* a knob or a let, whose value at the timed launch finds the row */
    const char *flop;      /* its operations, for the roofline; NULL: unknown */
};

struct kept; /* lesson/kept.h */

struct lesson_limits {
    unsigned compiler_seconds; /* 0: the usual ones */
    uint64_t block, launch;    /* warp instructions */
    uint64_t bytes;            /* of a launch's buffers and their check */
};

struct lesson_plan {
    struct lesson_limits limits;
    const char *grid[3], *block[3], *shared;
    const char *first_block, *last_block; /* recorded */
    struct plan_let *lets;
    size_t let_count;
    struct plan_define *defines;
    size_t define_count;
    struct plan_argument *arguments;
    size_t argument_count;
    int check;                  /* the argument that is checked; -1: none */
    int picture;                /* the argument that the checked one is computed from, as a picture; -1: none */
    const char *picture_window; /* NULL: not said */
    struct lesson_access *accesses;
    size_t access_count;
    struct plan_elsewhere *elsewhere;
    size_t elsewhere_count;
    struct plan_timed timed;
    struct plan_compare compare;
    struct plan_sweep *timings, *traces, *counted;
    size_t timing_count, trace_count, counted_count;
    const atomic_bool *cancel; /* ends the compiler when it becomes true; NULL: nothing does */
    struct kept *kept;
};

/* Reads the lesson's file `name`, en.md or ko.md, into the lesson's title, summary and beats, and lists its problems.
 */
void words_read(struct lesson *lesson, struct lesson_beat *beats, enum language language, const char *name,
                struct lesson_problems *problems);
/* Reads notes.en.md or notes.ko.md if it is there, and lists its problems as warnings. */
void notes_read(struct lesson *lesson, struct lesson_beat *beats, enum language language, const char *name,
                struct lesson_problems *problems);

/* Returns the index of a knob or a variant by name, -1 when there is none. */
int lesson_knob_index(const struct lesson *lesson, const char *name);
int lesson_variant_index(const struct lesson *lesson, const char *name);
/* Reads "stride=8" as a set. The error names the range. */
bool lesson_parse_set(const struct lesson *lesson, const char *assignment, struct lesson_set *set, struct error *error);

/* Lists the names that an expression of the plan may use at a setting, in the arena. timed: with the lets of `timed`.
 */
bool plan_names(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                struct run_fact **names, size_t *count, struct error *error);
size_t plan_defines(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena,
                    struct compile_define **defines);
/* Compiles and parses the kernel of a setting. The lesson keeps the program. */
bool plan_find_module(const struct lesson *lesson, const struct lesson_setting *setting,
                      const struct ptx_module **module, struct error *error);
/* Returns the parameters, a bit each, that the kernel of a setting reads. They are all of them where that is not known:
 * a kernel of an installed lesson is compiled for this, another is not. */
uint64_t plan_read_parameters(const struct lesson *lesson, const struct lesson_setting *setting);
/* Finds the text of the source of that program. */
bool plan_find_source(const struct lesson *lesson, const struct lesson_setting *setting, const char **source);
/* Returns whether the measured time depends on a knob. It does not where `timed` replaces the knob by a number. */
bool plan_times_knob(const struct lesson *lesson, int knob);
/* Returns the key of the launch at this setting (run/launch_key.h), or NULL with the error. */
const char *plan_key(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                     struct error *error);
/* Returns the launch and the timed launch of a setting, with the blocks that are recorded and the shapes of the
 * buffers, as text, or NULL if there is none. Equal texts of a variant are equal runs: numbers that the kernel never
 * reads are left out. */
const char *plan_launches(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena);
/* Returns the setting with every knob at its start that changes no launch by that: recordings have it so. */
struct lesson_setting plan_plain(const struct lesson *lesson, const struct lesson_setting *setting);
/* Gives the buffers of a recorded trace the shapes that the lesson says. */
void plan_shapes(const struct lesson *lesson, const struct lesson_setting *setting, struct trace *trace);
/* Evaluates block, warp and occurrence of a named access at a setting. */
bool plan_place(const struct lesson *lesson, const struct lesson_setting *setting, int access, int *block, int *warp,
                int *occurrence, struct error *error);
/* Sets the launch of a setting without the data of its buffers; an empty launch if the plan is wrong. */
void plan_describe(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena,
                   struct launch *launch);
/* Makes the launch of a setting with its buffers filled. launch_buffers_free frees them. */
bool plan_launch(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                 struct launch *launch, struct launch_blocks *recorded, struct error *error);
#endif
