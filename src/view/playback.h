/* One block of a trace as a film strip: its events in the order of their clock, each with its place among the accesses
 * and what a viewer may want to jump to. Built once for a run and a block; everything on screen is then a function of
 * a position in it, which makes stepping back exact. */
#ifndef LANESCOPE_VIEW_PLAYBACK_H
#define LANESCOPE_VIEW_PLAYBACK_H
#include "model/timeline.h"

enum {
    MARK_ACCESS = 1,
    MARK_CONFLICT = 2, /* more passes, or more sectors, than its width needs */
    MARK_BARRIER = 4,
    MARK_BRANCH = 8,
    MARK_FAULT = 16
};

struct playback {
    const struct timeline *timeline;
    const struct trace *trace;
    size_t count;
    uint32_t *accesses; /* accesses up to and with this event */
    uint8_t *marks;
    uint32_t access_count;
    struct { /* what finding_position found last: see report.h */
        const void *of;
        size_t position[2];
    } finding;
};

struct playback *playback_new(struct arena *arena, const struct trace *trace, uint64_t block);
const struct trace_event *playback_event(const struct playback *playback, size_t position);
/* NULL for an event without a site. */
const struct trace_site *playback_site(const struct playback *playback, size_t position);
/* The next position from `from` (not itself) in a direction, +1 or -1, whose marks hold any of `marks` (0: any event)
 * and, when line is not 0, whose site is on that line. `from` itself when there is none. */
size_t playback_find(const struct playback *playback, size_t from, int direction, unsigned marks, uint32_t line);
/* The access numbered `number`, from 1; the last when there are fewer. */
size_t playback_access(const struct playback *playback, uint32_t number);
/* An event named so that another run of the kernel has it too, wherever its turn came there: the n-th of its warp that
 * is of the same kind, line and lanes. */
struct playback_place {
    bool known;
    uint32_t warp, line, mask, nth, nth_of_line, number; /* number: among the accesses */
    enum trace_kind kind;
    enum trace_operation operation;
    enum ptx_space space;
};
struct playback_place playback_place(const struct playback *playback, size_t position);
/* The place's position there; the nearest there is (other lanes, then the same number) when it has no such event. */
size_t playback_find_place(const struct playback *playback, const struct playback_place *place);
/* The n-th access (from 0) of a warp on a source line; line 0: any. False when there is none. */
bool playback_line_access(const struct playback *playback, uint32_t line, uint32_t warp, int n, size_t *position);

#endif
