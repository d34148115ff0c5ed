/* Findings of a trace by number. */
#ifndef LANESCOPE_TESTS_FINDING_HELPER_H
#define LANESCOPE_TESTS_FINDING_HELPER_H
#include "trace/trace.h"

static inline const struct finding *nth_finding(const struct trace *trace, bool race, uint32_t index)
{
    for (uint32_t i = 0; i < trace->finding_count; i++)
        if (finding_is_race(&trace->findings[i]) == race && index-- == 0)
            return &trace->findings[i];
    return NULL;
}

/* Returns the fault or note at an index, or NULL. */
static inline const struct finding *nth_fault(const struct trace *trace, uint32_t index)
{
    return nth_finding(trace, false, index);
}

static inline const struct finding *nth_hazard(const struct trace *trace, uint32_t index)
{
    return nth_finding(trace, true, index);
}

/* Fails with the word and the line of the first finding, if there is one. */
static inline void expect_no_finding(const struct trace *trace)
{
    if (trace->finding_count)
        fail_msg("%s at line %u", finding_word(trace->findings), trace->findings->at.line);
}

#define assert_kind(finding, of_kind) assert_int_equal((finding)->kind, FINDING_##of_kind)
#endif
