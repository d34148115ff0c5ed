/* Findings of a trace by number, and their English messages. */
#ifndef LANESCOPE_TESTS_FINDING_HELPER_H
#define LANESCOPE_TESTS_FINDING_HELPER_H
#include "report/report.h"
#include <stdio.h>

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

/* Returns the English message, which is valid until the next call. */
static inline const char *message_of(const struct finding *finding)
{
    static char text[4096];
    struct arena arena = {0};
    snprintf(text, sizeof text, "%s", report_message(&arena, REPORT_ENGLISH, finding));
    arena_free(&arena);
    return text;
}

#define assert_kind(finding, of_kind) assert_int_equal((finding)->kind, FINDING_##of_kind)
#endif
