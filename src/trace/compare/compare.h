/* What compare.c and compare_lanes.c share. */
#ifndef LANESCOPE_TRACE_COMPARE_COMPARE_H
#define LANESCOPE_TRACE_COMPARE_COMPARE_H
#include "trace/trace.h"

/* Accesses, arrivals and branches are compared. */
bool compare_counts(const struct trace *trace, const struct trace_event *event);
/* The same kind of event at the same line of the source. */
bool compare_same_site(const struct trace *a, const struct trace_event *left, const struct trace *b,
                       const struct trace_event *right);
bool compare_same_place(const struct trace *a, const struct trace_event *left, const struct trace *b,
                        const struct trace_event *right, unsigned lane);
/* True also where one of the two holds no values. */
bool compare_same_value(const struct trace *a, const struct trace_event *left, const struct trace *b,
                        const struct trace_event *right, unsigned lane);
/* A global address in no buffer. */
bool compare_outside(const struct trace *trace, const struct trace_event *event, unsigned lane);
/* Of two traces that differ. */
enum trace_difference_kind compare_lanes(const struct trace *a, const struct trace *b, struct launch_blocks blocks);
#endif
