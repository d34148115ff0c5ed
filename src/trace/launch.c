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

bool launch_allowed(const struct ptx_function *kernel, const struct launch *launch, struct error *error)
{
    const uint32_t *g = launch->grid, *b = launch->block, *most = kernel->max_threads;
    unsigned long long const fixed = kernel->shared_bytes;
    switch (launch_check(kernel, g, b, launch->shared_bytes)) {
    case LAUNCH_EMPTY:
        return error_set(error, ERROR_INPUT,
                         "A launch of %u x %u x %u blocks of %u x %u x %u threads has nothing to run", g[0], g[1], g[2],
                         b[0], b[1], b[2]);
    case LAUNCH_THREADS:
        return error_set(error, ERROR_INPUT, "A block of %u x %u x %u threads is above the limit of %d threads", b[0],
                         b[1], b[2], LAUNCH_THREADS_MAX);
    case LAUNCH_BLOCK_Z:
        return error_set(error, ERROR_INPUT, "A block %u threads deep is above the limit of %d in z", b[2],
                         LAUNCH_BLOCK_Z_MAX);
    case LAUNCH_GRID:
        return error_set(error, ERROR_INPUT, "A grid of %u x %u x %u blocks is above the limits of %d x %d x %d", g[0],
                         g[1], g[2], LAUNCH_GRID_X_MAX, LAUNCH_GRID_YZ_MAX, LAUNCH_GRID_YZ_MAX);
    case LAUNCH_OTHER_BLOCK:
        return launch_other_block("", kernel, b, error);
    case LAUNCH_BOUNDS:
        return error_set(error, ERROR_INPUT, "%s was compiled for at most %u x %u x %u threads a block", kernel->name,
                         most[0], most[1], most[2]);
    case LAUNCH_STATIC_SHARED:
        return error_set(
            error, ERROR_INPUT,
            "%s declares %llu bytes of shared memory; the limit is %d (dynamic shared memory can be larger)",
            kernel->name, fixed, LAUNCH_STATIC_SHARED_MAX);
    case LAUNCH_SHARED:
        return error_set(error, ERROR_INPUT, "%s needs %llu bytes of shared memory; the limit is %d", kernel->name,
                         fixed + launch->shared_bytes, LAUNCH_SHARED_MAX);
    case LAUNCH_FITS:
        break;
    }
    return true;
}

void launch_children_free(struct launch_children *children)
{
    free(children->list.items);
    free(children->bytes.items);
    free(children->refused.items);
    memset(children, 0, sizeof *children);
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
