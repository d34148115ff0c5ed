/* Checks of a launch, and the places of its threads. */
#include "trace/launch.h"
#include <stdlib.h>

void launch_heap_free(struct launch_heap *heap)
{
    free(heap->given.items);
    heap->given.items = NULL;
    heap->given.count = heap->given.capacity = 0;
}

const char *launch_shape_problem(const struct launch_shape *shape, uint64_t count, uint64_t size)
{
    if (!shape->pitch)
        return shape->rows || shape->columns ? "has no pitch" : NULL;
    if (!shape->rows || !shape->columns)
        return "has no row or no column";
    if (size == 0 || shape->pitch % size)
        return "has a pitch that is not a multiple of an element's size";
    if (shape->columns > shape->pitch / size)
        return "has a pitch that is smaller than a row";
    uint64_t const pitch = shape->pitch / size; /* elements */
    if (shape->columns > count || shape->rows - 1 > (count - shape->columns) / pitch)
        return "needs more elements than the buffer has";
    return NULL;
}

void launch_thread(const struct launch *launch, uint32_t number, uint32_t thread[3])
{
    const uint32_t *block = launch->block;
    thread[0] = number % block[0];
    thread[1] = number / block[0] % block[1];
    thread[2] = number / block[0] / block[1];
}
