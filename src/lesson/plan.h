/* What a lesson runs: the part of lesson.yaml that the story does not show. Only the files of src/lesson use it. Every
 * `const char *` that is not a name is an expression over knobs, `host`, `variant` (0 the first) and the lets. */
#ifndef LANESCOPE_LESSON_PLAN_H
#define LANESCOPE_LESSON_PLAN_H
#include "base/words.h"
#include "compile/compile.h"
#include "lesson/expression.h"
#include "lesson/lesson.h"
#include "run/fill.h"

struct plan_let {
    const char *name, *value;
};

struct plan_define { /* a -D of the compiler, chosen by a knob: values[i] for the knob's i-th value */
    const char *name;
    int knob;
    const char **values;
};

struct plan_argument {
    const char *name;
    int knob; /* types[i] for its i-th value; -1: types[0] */
    enum ptx_type *types;
    const char *count, *value; /* a buffer has count, a scalar has value */
    struct fill fill;
};

/* An access of the story by name: the source lines it may stand on (each variant has its own) and what it does. */
struct lesson_access {
    const char *name;
    const char **lines;
    size_t line_count;
    int operation, space; /* enum trace_operation, enum ptx_space; -1: any */
    const char *block, *warp, *occurrence;
};

struct plan_elsewhere { /* a number of another setting, under a name of its own */
    const char *name, *value;
    struct lesson_set *sets;
    int set_count;
};

struct plan_sweep {    /* settings to record: all combinations of the values named, the rest at the defaults */
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

struct kept; /* lesson/kept.h */

struct lesson_plan {
    const char *grid[3], *block[3], *shared;
    const char *first_block, *last_block; /* recorded */
    struct plan_let *lets;
    size_t let_count;
    struct plan_define *defines;
    size_t define_count;
    struct plan_argument *arguments;
    size_t argument_count;
    int check; /* the argument that a variant's reference computes; -1: nothing is checked */
    struct lesson_access *accesses;
    size_t access_count;
    struct plan_elsewhere *elsewhere;
    size_t elsewhere_count;
    struct plan_timed timed;
    struct plan_sweep *timings, *traces, *counted;
    size_t timing_count, trace_count, counted_count;
    struct kept *kept;
};

/* en.md or ko.md into the lesson's title, summary and beats. */
bool words_read(struct lesson *lesson, struct lesson_beat *beats, enum language language, const char *path,
                struct error *error);

/* Knob and variant by name; -1 when there is none. */
int lesson_knob_index(const struct lesson *lesson, const char *name);
int lesson_variant_index(const struct lesson *lesson, const char *name);
/* "stride=8" as a set; the error names the range. */
bool lesson_parse_set(const struct lesson *lesson, const char *assignment, struct lesson_set *set, struct error *error);

/* The names an expression of the plan may use at a setting, in the arena; timed: with the lets of `timed`. */
bool plan_names(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                struct run_fact **names, size_t *count, struct error *error);
/* Every kernel file with every set of defines that the lesson can ask for, in the arena: what assets/ptx holds. */
size_t lesson_compilations(const struct lesson *lesson, struct arena *arena, struct compile_request **requests);
size_t plan_defines(const struct lesson *lesson, const struct lesson_setting *setting, struct arena *arena,
                    struct compile_define **defines);
/* The kernel compiled and parsed, kept by the lesson. */
bool plan_find_program(const struct lesson *lesson, const struct lesson_setting *setting,
                       const struct ptx_program **program, struct error *error);
/* Whether the measured time depends on a knob: not where `timed` puts a number in its place. */
bool plan_times_knob(const struct lesson *lesson, int knob);
/* What a launch at this setting is, as text: kernel, shape, defines, numbers. Equal settings give equal texts. */
const char *plan_key(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                     struct error *error);
/* Block, warp and occurrence of a named access at a setting. */
bool plan_place(const struct lesson *lesson, const struct lesson_setting *setting, int access, int *block, int *warp,
                int *occurrence, struct error *error);
/* The launch of a setting with its buffers filled; freed with launch_buffers_free. */
bool plan_launch(const struct lesson *lesson, const struct lesson_setting *setting, bool timed, struct arena *arena,
                 struct launch *launch, struct launch_blocks *recorded, struct error *error);
#endif
