/* lesson.yaml as its schema reads it, before the loader checks anything that the schema cannot say. All in the arena.
 */
#ifndef LANESCOPE_LESSON_SCHEMA_H
#define LANESCOPE_LESSON_SCHEMA_H
#include "base/arena.h"
#include "lesson/problems.h"

struct raw_words {
    char *en, *ko;
};
struct raw_texts {
    char **items;
    unsigned items_count;
};
struct raw_knob {
    char *name, *unit;
    struct raw_words label;
    int64_t from, to, step, start;
    int64_t *values;
    unsigned values_count;
};
struct raw_variant {
    char *name, *source, *kernel, *reference, *host, *expect, *result;
    bool faulty;
    struct raw_words label;
};
struct raw_let {
    char *name, *value;
};
struct raw_define {
    char *name, *by;
    char **values;
    unsigned values_count;
};
struct raw_argument {
    char *name, *by, *count, *value, *fill, *pitch;
    char **types, **fills, **shape;
    unsigned types_count, fills_count, shape_count;
};
struct raw_access {
    char *name, *block, *warp, *occurrence;
    char **lines;
    unsigned lines_count;
    int operation, space, lane;
};
struct raw_elsewhere {
    char *name, *value;
    char **set;
    unsigned set_count;
};
struct raw_sweep {
    char **variants, **over;
    unsigned variants_count, over_count;
};
struct raw_launch {
    char *grid, *grid_y, *grid_z, *block, *block_y, *block_z, *shared, *first, *last;
};
struct raw_timed {
    struct raw_let *let;
    unsigned let_count;
    struct raw_words what;
    bool beyond_cache;
};
struct raw_compare {
    struct raw_words label;
    char *recording, *variant, *by, *flop;
};
struct raw_arrays {
    char **pair, **product;
    unsigned pair_count, product_count;
};
struct raw_picture {
    char *input, *window; /* input NULL: the lesson has no picture */
};
struct raw_record {
    struct raw_sweep *timings, *traces, *counters;
    unsigned timings_count, traces_count, counters_count;
};
struct raw_beat {
    char *id, *at, *answer, *goal, *big, *ladder, *ladder_knob, *line, *mended, *caches;
    enum beat_kind kind;
    int mark; /* enum mark_cells + 1; 0: absent */
    unsigned stage, focus, later;
    char **set;
    double *choices;
    unsigned set_count, choices_count;
};
struct raw_minutes {
    unsigned alone, in_class;
};
struct raw_lesson {
    int order;
    struct raw_minutes *minutes; /* NULL: not said */
    bool values;
    char *dram, *caches, *check;
    struct raw_knob *knobs;
    struct raw_variant *variants;
    struct raw_let *let;
    struct raw_launch launch;
    struct raw_define *defines;
    struct raw_argument *arguments;
    struct raw_access *accesses;
    struct raw_elsewhere *elsewhere;
    struct raw_picture picture;
    struct raw_arrays arrays;
    struct raw_timed timed;
    struct raw_compare compare;
    struct raw_record record;
    struct raw_beat *beats;
    unsigned knobs_count, variants_count, let_count, defines_count, arguments_count, accesses_count, elsewhere_count,
        beats_count;
};
/* Lists every place where the text differs from the schema. path is for them. Returns false when nothing of the file
 * can be used; fields that do not exist alone do not hinder. */
bool schema_read(struct arena *arena, const char *path, const char *text, size_t size, struct raw_lesson **raw,
                 struct lesson_problems *problems);
#endif
