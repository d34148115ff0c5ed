/* Checks of a launch, and the places of its threads. */
#include "trace/launch.h"
#include "trace/limits.h"
#include <stdlib.h>
#include <string.h>

uint64_t launch_count(const uint32_t size[3])
{
    uint64_t count;
    return __builtin_mul_overflow((uint64_t)size[0] * size[1], size[2], &count) ? UINT64_MAX : count;
}

uint64_t launch_bound(const struct ptx_function *kernel)
{
    const uint32_t *most = kernel->max_threads;
    return (uint64_t)most[0] * (most[1] ? most[1] : 1) * (most[2] ? most[2] : 1);
}

enum launch_refusal launch_check(const struct ptx_function *kernel, const uint32_t grid[3], const uint32_t block[3],
                                 uint64_t dynamic_shared)
{
    uint64_t const threads = launch_count(block);
    if (!threads || !launch_count(grid))
        return LAUNCH_EMPTY;
    if (threads > LAUNCH_THREADS_MAX)
        return LAUNCH_THREADS;
    if (block[2] > LAUNCH_BLOCK_Z_MAX)
        return LAUNCH_BLOCK_Z;
    if (grid[0] > LAUNCH_GRID_X_MAX || grid[1] > LAUNCH_GRID_YZ_MAX || grid[2] > LAUNCH_GRID_YZ_MAX)
        return LAUNCH_GRID;
    if (!kernel)
        return LAUNCH_FITS;
    const uint32_t *required = kernel->required_threads;
    return required[0] && memcmp(block, required, 3 * sizeof *block) != 0 ? LAUNCH_OTHER_BLOCK
           : launch_bound(kernel) && threads > launch_bound(kernel)       ? LAUNCH_BOUNDS
           : kernel->shared_bytes > LAUNCH_STATIC_SHARED_MAX              ? LAUNCH_STATIC_SHARED
           : kernel->shared_bytes + dynamic_shared > LAUNCH_SHARED_MAX    ? LAUNCH_SHARED
                                                                          : LAUNCH_FITS;
}

bool launch_other_block(const char *file, const struct ptx_function *kernel, const uint32_t block[3],
                        struct error *error)
{
    const uint32_t *required = kernel->required_threads;
    error_at(error, ERROR_INPUT, file, 0, 0,
             "kernel %s was compiled for blocks of %u x %u x %u threads alone (.reqntid), not of %u x %u x %u",
             kernel->name, required[0], required[1], required[2], block[0], block[1], block[2]);
    return error_remedy(error, "give --block %u,%u,%u, or leave it out", required[0], required[1], required[2]);
}

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
