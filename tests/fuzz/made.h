/* Records made by structure, for the fuzz target of records: honest ones with all kinds of events, and lies in them. */
#ifndef LANESCOPE_TESTS_MADE_H
#define LANESCOPE_TESTS_MADE_H
#include "trace/trace.h"

/* The input as choices: its bytes first, then numbers that follow from all of them. */
struct choices {
    const uint8_t *bytes;
    size_t size, at;
    uint64_t random;
};
struct choices choices_of(const uint8_t *bytes, size_t size);
/* Returns a number below `below`. */
uint64_t choose(struct choices *choices, uint64_t below);

/* Makes an honest record, which the reader must accept. */
struct trace *made_record(struct choices *choices);
/* Changes one thing of a record: an event, its order, a site, the launch, a buffer or a finding. */
void made_lie(struct trace *trace, struct choices *choices);
#endif
