/* The model of one block alone on a multiprocessor. All its warps share one pipe to memory, which takes one pass a
 * cycle. An access waits until the pipe is free, occupies it for its passes, and holds its warp until then. The value
 * of a load is there after the latency of the slowest level that serves one of its sectors; the warp goes on until it
 * uses the value. More warps, and more loads of a warp before the first use, therefore hide latency, but not bank
 * conflicts. */
#include "model/clock.h"
#include "model/atomics.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/constant.h"
#include <stdlib.h>

struct sector {            /* a sector of global memory that the block has accessed */
    uint64_t number;       /* address / SECTOR_BYTES + 1; 0: an empty slot */
    uint64_t in_l2, in_l1; /* cycle at which it arrives in that cache; UINT64_MAX: never */
};

struct clock {
    const struct clock_figures *figures;
    const struct trace_site *sites;
    uint64_t pipe_free; /* cycle at which the pipe is free */
    struct arena arena;
    struct sector *sectors; /* hash table, at most half full */
    size_t capacity, count;
    struct coalescing coalescing; /* of the current access */
    uint64_t fetched[SECTORS_MAX];
};

static struct sector *find_place(struct sector *sectors, size_t capacity, uint64_t number)
{
    size_t place = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);
    while (sectors[place].number && sectors[place].number != number)
        place = (place + 1) & (capacity - 1);
    return &sectors[place];
}

static struct sector *find_sector(struct clock *clock, uint64_t address)
{
    if (2 * clock->count >= clock->capacity) {
        size_t const capacity = clock->capacity ? 2 * clock->capacity : 1024;
        struct sector *sectors = arena_array(&clock->arena, struct sector, capacity);
        for (size_t i = 0; i < clock->capacity; i++)
            if (clock->sectors[i].number)
                *find_place(sectors, capacity, clock->sectors[i].number) = clock->sectors[i];
        clock->sectors = sectors;
        clock->capacity = capacity;
    }
    struct sector *sector = find_place(clock->sectors, clock->capacity, address / SECTOR_BYTES + 1);
    if (!sector->number) {
        *sector = (struct sector){address / SECTOR_BYTES + 1, UINT64_MAX, UINT64_MAX};
        clock->count++;
    }
    return sector;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the cycle at which a sector requested at `now` arrives. A sector that is already under way is not requested
 * again. */
static uint64_t sector_there(struct clock *clock, uint64_t address, uint64_t now, enum trace_operation operation)
{
    const struct clock_figures *figures = clock->figures;
    struct sector *sector = find_sector(clock, address);
    if (operation == TRACE_LOAD && sector->in_l1 != UINT64_MAX)
        return later(now + figures->l1, sector->in_l1);
    uint64_t const there = sector->in_l2 == UINT64_MAX ? now + figures->dram : later(now + figures->l2, sector->in_l2);
    if (sector->in_l2 == UINT64_MAX)
        sector->in_l2 = operation == TRACE_STORE ? now : there; /* a store brings its data with it */
    if (operation == TRACE_LOAD)
        sector->in_l1 = there;
    return there;
}

/* Returns the cycle at which all sectors of clock->coalescing have arrived, for an access that enters the pipe at
 * `now`.
 */
static uint64_t global_there(struct clock *clock, const struct trace_site *site, uint64_t now)
{
    uint64_t there = now;
    uint32_t const count = coalescing_sectors(&clock->coalescing, clock->fetched);
    for (uint32_t i = 0; i < count; i++)
        there = later(there, sector_there(clock, clock->fetched[i], now, site->operation));
    return there;
}

uint32_t clock_passes(const struct trace_site *site, const struct trace_event *event, const uint64_t addresses[32],
                      struct coalescing *coalescing)
{
    bool const turns = site->operation == TRACE_ATOMIC || site->operation == TRACE_REDUCTION;
    uint32_t passes, ideal;
    switch (trace_space(site, event)) {
    case PTX_SPACE_CONST:
        return 0;
    case PTX_SPACE_SHARED:
        passes = model_wavefronts(addresses, event->mask, site->bytes, banks_operation(site), &ideal);
        break;
    case PTX_SPACE_GLOBAL:
        model_coalescing(addresses, event->mask, site->bytes, coalescing);
        passes = turns ? model_atomic_sectors(addresses, event->mask, site->compares) : coalescing->chunk_count;
        break;
    default: /* local memory: lanes' words lie side by side */
        passes = site->bytes > 4 ? site->bytes / 4 : 1;
    }
    return passes ? passes : 1;
}

/* Returns the cycles of a load of constants. It goes by the pipe: the constant cache is a memory of its own, which each
 * further pass occupies. On a GPU whose figures are not known it takes an instruction's time. */
static struct trace_latency constant_latency(const struct clock_figures *figures, uint32_t passes)
{
    double const further = figures->constant_step * (passes > 1 ? passes - 1 : 0);
    uint64_t const issue = figures->instruction + (uint64_t)(further + 0.5);
    return (struct trace_latency){issue, later(issue, (uint64_t)(figures->constant + further + 0.5))};
}

static struct trace_latency access_latency(void *block, const struct trace_event *event, const uint64_t *addresses)
{
    struct clock *clock = block;
    const struct clock_figures *figures = clock->figures;
    const struct trace_site *site = &clock->sites[event->site];
    uint64_t const start = later(event->time, clock->pipe_free);
    uint32_t const passes = clock_passes(site, event, addresses, &clock->coalescing);
    uint32_t ideal;
    if (!passes)
        return constant_latency(figures, model_constant_passes(addresses, event->mask, site->bytes, &ideal));
    enum ptx_space const space = trace_space(site, event);
    uint64_t const there = space == PTX_SPACE_GLOBAL   ? global_there(clock, site, start)
                           : space == PTX_SPACE_SHARED ? start + figures->shared
                                                       : start + figures->l1; /* local memory is in L1 */
    clock->pipe_free = start + passes;
    uint64_t const wait = start + passes - 1 - event->time, issue = wait + figures->instruction;
    bool const valued = site->operation == TRACE_LOAD || site->operation == TRACE_ATOMIC;
    return (struct trace_latency){issue, valued ? wait + there - start : issue};
}

static void *block_begins(const void *context, const struct trace_site *sites)
{
    struct clock *clock = calloc(1, sizeof *clock);
    if (clock) {
        clock->figures = context;
        clock->sites = sites;
    }
    return clock;
}

static void block_ends(void *block)
{
    struct clock *clock = block;
    if (clock)
        arena_free(&clock->arena);
    free(clock);
}

struct trace_timer clock_timer(const struct clock_figures *figures)
{
    return (struct trace_timer){figures, figures->instruction, block_begins, access_latency, block_ends};
}
