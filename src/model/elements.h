/* What a block does with the elements of the launch's arrays that have rows and columns: when and how often each is
 * accessed, the part of an array between two barriers, and the way of a value from one array to another. It follows
 * from the accesses of a trace alone. */
#ifndef LANESCOPE_MODEL_ELEMENTS_H
#define LANESCOPE_MODEL_ELEMENTS_H
#include "model/timeline.h"

/* How several arrays are shown together: alone, in and out side by side, or a at the left, b above and c = a * b in the
 * corner. */
enum arrays_kind { ARRAYS_ALONE, ARRAYS_PAIR, ARRAYS_PRODUCT };
enum { ARRAYS_MOST = 3 };
struct arrays {
    enum arrays_kind kind;
    const char *names[ARRAYS_MOST]; /* of buffers: in, out; a, b, c */
};

/* An event that accesses an element. */
struct element_use {
    uint32_t position; /* in the timeline */
    uint32_t lanes;
    uint32_t loads; /* lanes that have loaded the element up to and including this event */
    bool store;
};
/* From the first row and column to the last ones, which are included; rows[0] > rows[1]: nothing. */
struct element_part {
    uint32_t rows[2], columns[2];
};
struct element_array {
    const struct trace_buffer *buffer;
    uint32_t rows, columns, bytes;    /* columns: with the padding; bytes of an element */
    const uint32_t *first;            /* the uses of element i: uses[first[i]] up to, not including, [first[i + 1]] */
    const struct element_use *uses;   /* in the order of the timeline */
    const struct element_part *parts; /* by phase */
};
struct elements {
    const struct timeline *timeline;
    const struct element_array *arrays;
    uint32_t array_count;
    const uint32_t *phases;  /* by position: the barriers that its warp has arrived at */
    const uint64_t *origins; /* by position and lane: see elements_origin */
    uint32_t phase_count;
};

/* Returns the uses of the block, in the arena. NULL: the launch has no such array, or the block has too many events. */
const struct elements *elements_new(struct arena *arena, const struct timeline *timeline);
/* Returns the array of a buffer's name, or NULL. */
const struct element_array *elements_array(const struct elements *elements, const char *name);
/* Returns the element at an address of the array, or UINT32_MAX. */
uint32_t elements_at(const struct element_array *array, uint64_t address);
/* Returns the last use of an element up to and including a position, or NULL. */
const struct element_use *elements_use(const struct element_array *array, uint32_t element, size_t position);
/* Returns the address in global memory of the value that a lane moves at a position: what it loads there, or what it
 * loaded before it stores it to or reads it from shared memory, or stores it to global memory. 0: it is not known, or
 * computed. A store and the load before it belong together if they name the same register of the PTX and, where values
 * are recorded, move the same value. */
static inline uint64_t elements_origin(const struct elements *elements, size_t position, int lane)
{
    return elements->origins[position * WARP_LANES + (size_t)lane];
}
#endif
