/* Inside src/cli: what both tellings of a run, as JSON and as text, are made of. */
#ifndef LANESCOPE_CLI_REPORT_H
#define LANESCOPE_CLI_REPORT_H
#include "cli/cli.h"
#include "model/timeline.h"

const char *report_operation(enum trace_operation operation);
bool report_is_access(const struct trace_site *site);
/* "global": the space that a site's accesses were in, where it was one and the same; else that of the instruction. */
const char *report_space(const struct trace_site *site, const struct site_counts *counts);
const char *report_file(const struct trace *trace, uint32_t file); /* "" where it is not known */
/* A GPU's trace does not count instructions: that is not known, which is another thing than none. */
bool report_instructions_known(const struct run *run);
/* A choice of blocks, or a recording that has only some. */
bool report_some_blocks(const struct run *run);
/* What the model clock says of the first recorded block; false when nothing was recorded by it. */
bool report_block_cycles(const struct run *run, uint64_t *block, struct timeline_cycles *cycles);
#endif
