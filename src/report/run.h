/* The report of a run, or of a whole program: its launches with their figures and findings, as JSON in English or as
 * text in the user's language. */
#ifndef LANESCOPE_REPORT_RUN_H
#define LANESCOPE_REPORT_RUN_H
#include "model/timeline.h"
#include "program/program.h"
#include "report/explain.h"
#include "run/guess.h"
#include "run/run.h"

struct report_run {
    const struct run *run;
    const struct launch_guess *guess;   /* of the launch; NULL: nothing is guessed */
    const struct cause *causes;         /* of a program's launch, as in struct report */
    const char *launch;                 /* a guessed one as options */
    bool unasked_memory, unasked_races; /* the emulator ran without these checks */
    bool outliers, explain;             /* the lists of what wastes memory traffic, and why */
    const char *gpu;                    /* whose multiprocessors an explanation means; NULL: the usual one */
};
json_t *report_run_json(const struct report_run *report);
void report_run_text(FILE *out, const struct report_run *report);

struct report_program {
    const struct program_run *run;
    const char *name;
    struct launch_checks checks; /* those that were asked for */
    bool explain;
    const char *gpu;
};
json_t *report_program_json(const struct report_program *report);
void report_program_text(FILE *out, const struct report_program *report);
/* Returns the call that told of a kernel's fault on a GPU, after which the context is lost, or NULL. */
const struct program_call *report_program_fault(const struct program_run *run);

/* Returns "compiled by clang 14.0.6" for a run's compiler name. */
const char *report_compiled(struct arena *arena, const char *compiler);

/* ---- for src/report only: parts of the reports ---- */

json_t *report_outliers_json(const struct run *run);
void report_outliers_text(FILE *out, struct arena *arena, const struct run *run);
/* Writes explanations, and the lessons about findings. */
void report_explain_text(FILE *out, struct arena *arena, const struct explain *explain);
void report_lessons_text(FILE *out, const struct trace *trace);
/* What all launches of a program waste: one row for each instruction and kind. Zeroed it is empty; its owner frees the
 * arena. */
struct explain_sum {
    struct arena arena;
    struct explain_sum_row *rows;
    size_t count, capacity;
    bool cached; /* the caches of a launch are known: what the L1 held does not count for the order */
};
void report_explain_add(struct explain_sum *sum, const struct explain *explain, const char *kernel, uint64_t times);
void report_explain_sum_text(FILE *out, struct arena *arena, struct explain_sum *sum);
json_t *report_explain_sum_json(struct explain_sum *sum);
/* Writes the findings of a run, and the blocks that were checked. */
void report_findings_text(FILE *out, struct arena *arena, const struct report_run *report);
/* Writes the instructions and branches that a launch executed. warps: 0 if they are not known. */
void report_instructions_text(FILE *out, uint64_t warps, uint64_t threads, uint64_t branches, uint64_t divergent);
/* Returns the words for the checks that ran besides that of bad accesses: ", and for races". */
const char *report_checks(bool memory, bool races);
json_t *report_launch_json(const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes);
/* Returns the keys `file` to `bytes` of an instruction. trace: NULL leaves the file out. */
json_t *report_site_json(const struct trace *trace, const struct trace_site *site, const char *operation,
                         const char *space);
/* Returns "ld.global 4 B  x2". copies: instructions that the row stands for. */
const char *report_access(struct arena *arena, const struct trace_site *site, const char *space, unsigned copies);
json_t *report_sites_json(const struct run *run);
/* Returns where the sectors of a run came from, or why that cannot be told; NULL: nobody asked. The text says it in a
 * line; loads: sectors of all loads from global memory. */
/* Returns how the bursts of a launch find the rows of a model of the DRAM. */
json_t *report_rows_json(const char *model, uint64_t requests, uint64_t hits, uint64_t misses, uint64_t conflicts);
json_t *report_caches_json(struct arena *arena, const struct run *run);
void report_caches_text(FILE *out, const json_t *caches, uint64_t loads);
void report_sites_text(FILE *out, struct arena *arena, const struct run *run);
/* Writes a line. */
void report_put(FILE *out, const char *line);
/* Returns whether the figures cover only some blocks: a choice, or a recording that has only some. */
bool report_some_blocks(const struct run *run);
/* Fills the model clock's cycles of the first recorded block. Returns false when there are none. */
bool report_block_cycles(const struct run *run, uint64_t *block, struct timeline_cycles *cycles);
/* Returns what a run wastes, in the arena. */
struct explain *report_explain_run(struct arena *arena, const struct run *run, const char *gpu);
#endif
