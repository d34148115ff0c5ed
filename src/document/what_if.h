/* What if: the integers of a program's source as knobs. A turned program is built from a copy of the source in the
 * cache; what its launches count is compared with the run of the file's own values. */
#ifndef LANESCOPE_DOCUMENT_WHAT_IF_H
#define LANESCOPE_DOCUMENT_WHAT_IF_H
#include "program/program.h"
#include "source/knobs.h"

struct launch_sum {
    const char *kernel;
    uint64_t launch; /* its number */
    unsigned nth;    /* of this kernel's launches */
    uint32_t grid[3], block[3];
    uint64_t instructions, sectors, passes, findings; /* passes: of shared memory */
    double model_us;
};
struct run_sum {
    struct arena arena;
    struct launch_sum *items;
    size_t count;
    bool known;
};

enum { WHAT_IF_VALUES = 12 };
struct what_if {
    struct arena arena;        /* of the knobs */
    struct source_knobs knobs; /* of the newest source */
    struct source_turn turns[SOURCE_KNOBS_MAX];
    size_t turn_count;
    struct arena turn_arena;
    int current;                     /* the knob that the keys turn */
    struct run_sum own, before, now; /* own: of the file's values. before: not known: nothing is compared */
    bool edited;                     /* before is of another version of the file */
};

/* In the thread that works: writes the source with these values to the cache. Returns its path, or NULL with the error
 * set; *text is what was written. The path is the file's own if no value differs. */
const char *what_if_write(struct arena *arena, const char *path, const char *source,
                          const struct run_file_request *request, const struct source_turn *turns, size_t turn_count,
                          const char **text, struct error *error);
/* Takes over the knobs of the newest source. */
void what_if_note_source(struct what_if *what_if, const char *source, const struct run_file_request *request);
/* Takes over what a run counted. turned: it had other values than the file; edited: the file changed since the run
 * before. */
void what_if_note_run(struct what_if *what_if, const struct program_run *run, bool turned, bool edited);
/* Returns the value of a knob now. */
long long what_if_value(const struct what_if *what_if, const struct source_knob *knob);
/* Fills the values that a knob can be turned to, ascending, with the file's own, and returns their number. at: the
 * index of the one now. */
int what_if_values(const struct what_if *what_if, const struct source_knob *knob, long long values[WHAT_IF_VALUES],
                   int *at);
void what_if_set(struct what_if *what_if, const struct source_knob *knob, long long value);
void what_if_free(struct what_if *what_if);
#endif
