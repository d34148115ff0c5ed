/* What went wrong in a run as one list: faults first, then races. Each finding has a place in the source, a thread, and
 * where the trace holds it an event to go to. The message is in compute-sanitizer's words where it has a word. All of
 * it is told in the user's language. */
#ifndef LANESCOPE_VIEW_REPORT_H
#define LANESCOPE_VIEW_REPORT_H
#include "run/run.h"
#include "view/view.h"

struct report {
    const struct trace *trace;
    const struct emulator_hazard *hazards; /* a trace file keeps none */
    uint32_t hazard_count;
    bool looked_known; /* else nobody knows which blocks were looked at: a trace file */
    struct launch_blocks looked;
};
struct finding { /* one of the two is set */
    const struct trace_fault *fault;
    const struct emulator_hazard *hazard;
};
uint32_t report_count(const struct report *report);
struct finding report_finding(const struct report *report, uint32_t index);

const char *finding_title(const struct finding *finding);
const char *finding_message(struct arena *arena, const struct finding *finding);
const char *finding_advice(struct arena *arena, const struct report *report, const struct finding *finding);
/* What its address is of: cp.async names shared memory and reads global memory too, whose addresses no offset reaches.
 */
enum ptx_space finding_space(const struct trace *trace, const struct trace_fault *fault);
/* What a fault did, to be read beside its picture; its message where there is none. */
const char *finding_sentence(struct arena *arena, const struct report *report, const struct trace_fault *fault);
/* "line 7 · block 0 · warp 0, lane 3" of the fault, or of a race's second access. */
const char *finding_place(struct arena *arena, const struct report *report, const struct finding *finding);
/* Source lines: of a fault one, of a race two (they may be the same); 0 none. */
void finding_lines(const struct report *report, const struct finding *finding, uint32_t lines[2]);
/* The event of a fault (side 0), or of either side of a race. False when the trace does not hold it. */
bool finding_event(const struct report *report, const struct finding *finding, int side, size_t *event);
/* The position of that event in a block's playback, looked for once a finding; SIZE_MAX: it is not there. */
size_t finding_position(const struct report *report, const struct finding *finding, int side,
                        struct playback *playback);
/* The lane of a thread in its warp, and the warp in its block. */
uint32_t finding_lane(const struct trace *trace, const uint32_t thread[3], uint32_t *warp);

/* "in block 0", "in all 64 blocks": where what the report holds was looked for; "" when that is not known. */
const char *report_scope(struct arena *arena, const struct report *report);

struct report_view {
    const struct report *report;
    int current; /* -1 none */
};
float card_report_height(const struct view *view, float width, const struct report_view *report);
/* As many rows as fit; the current one with its message and advice. */
struct panel_action card_report(struct view *view, struct rect box, const struct report_view *report);

/* The place in memory that a fault speaks of, with the lane that reached for it. Height 0: a fault that no picture of
 * memory explains (a barrier, a loop). */
float fault_height(const struct view *view, const struct trace_fault *fault);
#endif
