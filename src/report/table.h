/* Runs for other programs: the accesses of a trace and the counters of launches as tables, and warps along the clock.
 * All are written line by line, in English, whatever the user's language. */
#ifndef LANESCOPE_REPORT_TABLE_H
#define LANESCOPE_REPORT_TABLE_H
#include "trace/trace.h"
#include <jansson.h>
#include <stdio.h>

/* Writes CSV (RFC 4180) with a head: a row for each lane of each access, in the order of the trace. Columns:
 *   access     number of the access in the trace, from 1: rows of one access share it
 *   time       by the trace's clock, in cycles
 *   block, warp, lane   from 0; warp within its block
 *   file, line, column  of the source; line 0: not known
 *   operation  ld, st, atom or red; space: global, shared, local or constant; bytes of a lane
 *   address    hexadecimal; of shared memory from the block's first byte
 *   buffer, element     of global memory: name of the buffer and index in it; empty: in no buffer
 *   value      hexadecimal: the first 8 bytes read or written; empty: values were not recorded
 *   sectors    that the whole access fetches from global memory; passes of the whole access over shared memory; empty
 *              where the space has none
 * Sectors and passes are those of the models (model/coalescing.h, model/banks.h). */
void report_accesses_csv(FILE *out, const struct trace *trace);

/* Writes the trace in the JSON form of Chrome's trace events, which Perfetto opens: a process for each block, a thread
 * for each warp, a slice for each access and each wait at a barrier, an instant for branches, exits and faults. A cycle
 * is shown as a microsecond. */
void report_timeline_json(FILE *out, const struct trace *trace);

/* Writes CSV with a head: a row for each counter of each launch that was counted, in the order of the report, which is
 * the JSON of a run or of a program (report/run.h). Columns:
 *   launch     number of the launch, from 1
 *   kernel
 *   grid, block   blocks and threads as XxYxZ
 *   counter    by Nsight Compute's name where it has the same
 *   value      of the whole launch
 * Those of caches, if they were modelled, come behind the others of their launch, and behind them `caches_measured`, 0,
 * where their rules were not measured on the GPU. What is not known has no row. */
void report_counters_csv(FILE *out, const json_t *report);
#endif
