/* For src/trace only: the buffers of a trace from a file, ordered by address. A file may have many of them. */
#ifndef LANESCOPE_TRACE_PLACES_H
#define LANESCOPE_TRACE_PLACES_H
#include "trace/trace.h"

struct trace_places {
    uint64_t *starts;  /* of ranges of addresses, ascending */
    uint32_t *buffers; /* of each range, or PTX_NO_INDEX */
    size_t count;
};
/* Fills trace->places. The buffers must not change afterwards, and must not leave the address space. */
void trace_index_buffers(struct trace *trace);
/* Returns the index of the first buffer that holds an address, or PTX_NO_INDEX. */
uint32_t trace_places_find(const struct trace_places *places, uint64_t address);
#endif
