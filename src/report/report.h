/* The report of a run: its findings in words. This is the only room that turns a finding into a title, a message, a
 * place and advice, in English or in the user's language. */
#ifndef LANESCOPE_REPORT_REPORT_H
#define LANESCOPE_REPORT_REPORT_H
#include "trace/trace.h"

struct cause;
struct mistake;
struct report {
    const struct trace *trace;
    bool looked_known; /* false for a trace file: it does not say which blocks were checked */
    struct launch_blocks looked;
    const struct cause *causes;    /* in host code, one a finding; NULL: it is no launch of a program */
    const struct mistake *mistake; /* of host code, that this launch shows; NULL: none */
};
uint32_t report_count(const struct report *report);
/* The findings, and behind them the mistake. */
uint32_t report_rows(const struct report *report);
const struct finding *report_finding(const struct report *report, uint32_t index);
/* "in block 0", "in all 64 blocks": the blocks that were checked; "" when they are not known. */
const char *report_scope(struct arena *arena, const struct report *report);

/* JSON and tests are English in every language. */
enum report_language { REPORT_ENGLISH, REPORT_TRANSLATED };

/* The heading of a finding: "out of bounds", "race". */
const char *report_title(const struct finding *finding);
/* The word of its kind, as in JSON, in the user's language. */
const char *report_kind(const struct finding *finding);
/* One sentence with sizes and distances, in compute-sanitizer's words where it has them. */
const char *report_message(struct arena *arena, enum report_language language, const struct finding *finding);
/* The message as a card shows it under the title: shorter for a race. */
const char *report_summary(struct arena *arena, const struct finding *finding);
/* The sentence beside the picture of memory (report_region); the message when there is no picture. */
const char *report_sentence(struct arena *arena, const struct trace *trace, const struct finding *finding);
/* A way to mend the kernel, or NULL. */
const char *report_advice(struct arena *arena, const struct trace *trace, const struct finding *finding);
/* The sentence of the cause in host code if it is known, else report_advice. */
const char *report_remedy(struct arena *arena, const struct report *report, const struct finding *finding);
/* The words of a row of the report: of a finding, or of the mistake behind them. */
struct report_row {
    const char *title, *place, *message, *advice; /* advice: NULL: none */
    bool race;
};
struct report_row report_row(struct arena *arena, const struct report *report, uint32_t index);
/* "line 7 · block 0 · warp 0, lane 3"; of a race both threads: "lines 7 and 9 · block 0 · threads 0 and 64". */
const char *report_place(struct arena *arena, const struct trace *trace, const struct finding *finding);
/* "12:9" or "12" of an instruction, "PTX 15" if it has no line of a source, "?" if it has none at all. */
const char *report_line(struct arena *arena, const struct trace_site *site, bool column);
/* The name of a file of the trace; "": unknown. */
const char *report_file(const struct trace *trace, uint32_t file);
/* A sentence about the part of a check that was left out; NULL: nothing was. */
const char *report_unchecked(struct arena *arena, enum report_language language, const struct unchecked *unchecked);

/* The access of a finding: of a race side 0 is the first one and 1 the second; others have side 0 alone. */
const struct finding_place *report_side(const struct finding *finding, int side);
/* The thread of a side: "thread 64"; of a race between blocks "block 1, thread 0". */
const char *report_thread(struct arena *arena, const struct trace *trace, const struct finding *finding, int side);
/* Source lines: of a fault one, of a race two, which may be the same; 0 none. */
void report_lines(const struct finding *finding, uint32_t lines[2]);
/* The event of a side in the trace. False when the trace does not hold it. */
bool report_event(const struct trace *trace, const struct finding *finding, int side, size_t *event);
/* The lane of a thread in its warp, and the warp in its block. */
uint32_t report_lane(const struct trace *trace, const uint32_t thread[3], uint32_t *warp);

/* A picture that explains a finding: elements and the place beyond them that a lane reached for, a value across a
 * boundary of its size, an element that no thread has written. */
enum report_picture { REPORT_NO_PICTURE, REPORT_BEYOND, REPORT_BYTES, REPORT_ELEMENT };
/* The memory next to the access, in elements as wide as the access. */
struct report_region {
    enum report_picture picture;
    const char *name; /* of a buffer, or the words "shared memory" */
    bool named;       /* the name is a buffer's */
    unsigned width;   /* bytes of an element */
    uint64_t count;   /* of elements */
    int64_t index;    /* of the element that the lane reached for */
};
struct report_region report_region(const struct trace *trace, const struct finding *finding);
/* "x[12]" of a buffer, "[12]" of shared memory. */
const char *report_element(struct arena *arena, const struct report_region *region, int64_t index);
#endif
