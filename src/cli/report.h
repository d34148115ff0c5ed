/* For src/cli only: shared by both reports of a run, JSON and text. */
#ifndef LANESCOPE_CLI_REPORT_H
#define LANESCOPE_CLI_REPORT_H
#include "cli/cli.h"
#include "model/explain.h"
#include "model/timeline.h"
#include <jansson.h>

const char *report_operation(enum trace_operation operation);
bool report_is_access(const struct trace_site *site);
/* Returns the space of a site's accesses, such as "global", if it is the same for all; otherwise the instruction's. */
const char *report_space(const struct trace_site *site, const struct site_counts *counts);
const char *report_file(const struct trace *trace, uint32_t file); /* "" when unknown */
/* Print text, or a number, in so many columns. right: aligned to the right. Letters of Korean are two columns wide. */
void report_cell(const char *text, int columns, bool right);
void report_number(struct arena *arena, uint64_t number, int columns);
/* Report the instructions and the warps that waste most memory traffic. */
json_t *report_outliers_json(const struct run *run);
void report_outliers_text(struct arena *arena, const struct run *run);
/* Explains what the run wastes. Prints an explanation, and the lessons about findings. */
struct explain *report_explain_run(struct arena *arena, const struct run *run, const char *gpu);
void report_explain_text(struct arena *arena, const struct explain *explain);
void report_lessons_text(const struct trace *trace);
/* Explains a recorded launch of a program. */
struct program_launch;
struct explain *report_explain_launch(struct arena *arena, const struct cli_options *options,
                                      const struct program_launch *launch, const struct trace *trace);
/* What all launches of a program waste: one row for each instruction and kind. Zeroed it is empty; its owner frees the
 * arena. */
struct explain_sum {
    struct arena arena;
    struct explain_sum_row *rows;
    size_t count, capacity;
};
void report_explain_add(struct explain_sum *sum, const struct explain *explain, const char *kernel, uint64_t times);
void report_explain_sum_text(struct arena *arena, struct explain_sum *sum);
json_t *report_explain_sum_json(struct explain_sum *sum);
/* Returns whether instructions were counted. A GPU's trace does not count them, so 0 means unknown there. */
bool report_instructions_known(const struct run *run);
/* Returns whether the figures cover only some blocks: a choice, or a recording that has only some. */
bool report_some_blocks(const struct run *run);
/* Prints the findings of a run, and what was looked at. */
void report_findings_text(struct arena *arena, const struct cli_run *result);
/* Fills the model clock's cycles of the first recorded block. Returns false when there are none. */
bool report_block_cycles(const struct run *run, uint64_t *block, struct timeline_cycles *cycles);
#endif
