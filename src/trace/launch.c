/* Checks of a launch. */
#include "trace/launch.h"

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
