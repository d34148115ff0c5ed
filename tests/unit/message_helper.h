/* The English messages of findings. A test that includes this links `report`. */
#ifndef LANESCOPE_TESTS_MESSAGE_HELPER_H
#define LANESCOPE_TESTS_MESSAGE_HELPER_H
#include "report/report.h"
#include <stdio.h>

/* Returns the English message, which is valid until the next call. */
static inline const char *message_of(const struct finding *finding)
{
    static char text[4096];
    struct arena arena = {0};
    snprintf(text, sizeof text, "%s", report_message(&arena, REPORT_ENGLISH, finding));
    arena_free(&arena);
    return text;
}
#endif
