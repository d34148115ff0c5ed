/* The check of a whole record: docs/trace-format.md, "What a record must be". Readers check a record before anything
 * believes it, and the writer checks it before it writes, so models and views rely on these rules. */
#ifndef LANESCOPE_TRACE_CHECK_H
#define LANESCOPE_TRACE_CHECK_H
#include "trace/trace.h"

/* A field that breaks a rule: events.mask[17] "has lanes that its warp does not have". */
struct trace_problem {
    const char *field;
    size_t index; /* in its table */
    bool indexed;
    const char *what;
};

/* Returns true when a record obeys every rule; else sets the first problem. */
bool trace_check(const struct trace *trace, struct trace_problem *problem);
/* The part of it that looks at the events. */
bool trace_check_events(const struct trace *trace, struct trace_problem *problem);

static inline bool trace_refuse(struct trace_problem *problem, const char *field, size_t index, const char *what)
{
    *problem = (struct trace_problem){field, index, true, what};
    return false;
}
#endif
