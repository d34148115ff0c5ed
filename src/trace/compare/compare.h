/* Shared by compare.c and lanes.c. */
#ifndef LANESCOPE_TRACE_COMPARE_COMPARE_H
#define LANESCOPE_TRACE_COMPARE_COMPARE_H
#include "trace/trace.h"

/* What both traces record. Those of earlier releases lack loads from constant memory, shuffles and products of
 * matrices, and their sites name none; the last two are recorded with values only. */
struct compare_scope {
    bool constants, shuffles, products;
};
struct compare_scope compare_scope(const struct trace *a, const struct trace *b);
/* Returns true for the events that are compared: accesses, arrivals, branches, shuffles and registers, as far as both
 * traces record them. */
bool compare_counts(const struct trace *trace, const struct trace_event *event, struct compare_scope scope);
/* Returns true for the same kind of event at the same source line. */
bool compare_same_site(const struct trace *a, const struct trace_event *left, const struct trace *b,
                       const struct trace_event *right);
bool compare_same_place(const struct trace *a, const struct trace_event *left, const struct trace *b,
                        const struct trace_event *right, unsigned lane);
/* Returns true for equal values, and when one of the two traces holds none. */
bool compare_same_value(const struct trace *a, const struct trace_event *left, const struct trace *b,
                        const struct trace_event *right, unsigned lane);
/* Returns true for a global address in no buffer. */
bool compare_outside(const struct trace *trace, const struct trace_event *event, unsigned lane);
/* Returns the kind of difference between two traces that differ. */
enum trace_difference_kind compare_lanes(const struct trace *a, const struct trace *b, struct launch_blocks blocks);
#endif
