/* The rules for events. Each event is checked by itself first, then against what its warp did before. */
#include "trace/check.h"
#include <stdlib.h>
#include <string.h>

enum { SM_MOST = 1 << 16 };
/* Leaves room for the cycles that are added to a time. */
static const uint64_t time_most = UINT64_MAX / 2;

/* The history of one warp. */
struct past {
    uint64_t block;
    uint32_t warp;
    bool used;
    uint32_t arrived; /* lanes that wait at a barrier */
    uint32_t ended;   /* lanes after their exit */
    size_t last;      /* its last event */
};

/* The warps of the events so far, by block and warp: a table with open addresses. */
struct pasts {
    struct past *items;
    size_t count, room; /* a power of two */
};

struct checker {
    const struct trace *trace;
    struct trace_problem *problem;
    size_t i; /* the event's index */
    const struct trace_event *event;
    const struct trace_site *site; /* NULL: none */
    struct pasts pasts;
};

static bool refuse(struct checker *checker, const char *field, const char *what)
{
    return trace_refuse(checker->problem, field, checker->i, what);
}

static bool has_values(const struct trace *trace)
{
    return trace->values.count != 0 && trace->values.count == trace->addresses.count;
}

/* ---- one event ---- */

static bool fits_operation(const struct trace_event *event, const struct trace_site *site)
{
    switch (event->kind) {
    case TRACE_ACCESS:
        return site->operation <= TRACE_REDUCTION;
    case TRACE_COPY_TO:
        return site->operation == TRACE_LOAD;
    case TRACE_LOAD_WAIT:
        return site->operation == TRACE_LOAD || site->operation == TRACE_ATOMIC;
    case TRACE_BARRIER_ARRIVE:
    case TRACE_BARRIER_RELEASE:
        return site->operation == TRACE_BARRIER;
    case TRACE_BRANCH_TAKEN:
        return site->operation == TRACE_BRANCH;
    case TRACE_SHUFFLE:
        return site->operation == TRACE_EXCHANGE;
    case TRACE_REGISTERS:
        return site->operation == TRACE_PRODUCT;
    default:
        return true;
    }
}

static bool check_site(struct checker *checker)
{
    const struct trace_event *event = checker->event;
    bool const without = event->kind == TRACE_EXIT || event->kind == TRACE_COPY_GROUP || event->kind == TRACE_COPY_WAIT;
    bool const needed =
        trace_has_addresses(event->kind) || event->kind == TRACE_BRANCH_TAKEN || event->kind == TRACE_LOAD_WAIT;
    if (event->site != PTX_NO_INDEX && event->site >= checker->trace->site_count)
        return refuse(checker, "events.site", "is not in the table");
    if (without && event->site != PTX_NO_INDEX)
        return refuse(checker, "events.site", "belongs to an event that has none");
    if (needed && event->site == PTX_NO_INDEX)
        return refuse(checker, "events.site", "is missing");
    if (event->site == PTX_NO_INDEX)
        return true;
    checker->site = &checker->trace->sites[event->site];
    if (!fits_operation(event, checker->site))
        return refuse(checker, "events.site", "has another operation");
    uint8_t const bytes = checker->site->bytes;
    if ((event->kind == TRACE_ACCESS || event->kind == TRACE_COPY_TO) && (bytes == 0 || (bytes & (bytes - 1)) != 0))
        return refuse(checker, "events.site", "has bytes that are not a power of two");
    return true;
}

static bool check_place(struct checker *checker)
{
    const struct trace *trace = checker->trace;
    const struct trace_event *event = checker->event;
    if (event->block >= launch_count(trace->grid))
        return refuse(checker, "events.block", "is outside the grid");
    if (event->block < trace->recorded.first || event->block > trace->recorded.last)
        return refuse(checker, "events.block", "is not one of the recorded blocks");
    if (event->warp >= (launch_count(trace->block) + WARP_LANES - 1) / WARP_LANES)
        return refuse(checker, "events.warp", "is outside its block");
    if (event->sm >= SM_MOST)
        return refuse(checker, "events.sm", "is larger than it can be");
    return true;
}

static bool check_lanes(struct checker *checker)
{
    const struct trace_event *event = checker->event;
    bool const pieces = trace_has_addresses(event->kind) && checker->site->by_pieces;
    if (!pieces && event->mask & ~trace_warp_lanes(checker->trace, event->warp))
        return refuse(checker, "events.mask", "has lanes that its warp does not have");
    if (event->kind == TRACE_BRANCH_TAKEN && event->other & ~event->mask)
        return refuse(checker, "events.other", "has lanes that did not reach the branch");
    return true;
}

static bool check_space(struct checker *checker)
{
    enum ptx_space const space = checker->event->space;
    bool const lies = space == PTX_SPACE_GLOBAL || space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL;
    if (space != PTX_SPACE_GENERIC && !lies)
        return refuse(checker, "events.space", "is not a space that a generic address falls in");
    return true;
}

static bool check_time(struct checker *checker)
{
    const struct trace_event *event = checker->event, *before = event - 1;
    if (event->time > time_most)
        return refuse(checker, "events.time", "is larger than it can be");
    if (checker->i == 0 || before->time < event->time)
        return true;
    if (before->time > event->time)
        return refuse(checker, "events.time", "runs back");
    if (before->block > event->block || (before->block == event->block && before->warp > event->warp))
        return refuse(checker, "events.warp", "is out of order among events of one time");
    return true;
}

static bool check_registers(struct checker *checker)
{
    if (!has_values(checker->trace))
        return refuse(checker, "events.kind", "is recorded with values only");
    if (checker->event->kind == TRACE_REGISTERS && checker->event->other >= checker->site->parts)
        return refuse(checker, "events.other", "is a part that the product does not have");
    return true;
}

static bool check_addresses(struct checker *checker)
{
    const struct trace_event *event = checker->event;
    const uint64_t *addresses = trace_addresses(checker->trace, event);
    bool const accesses = event->kind == TRACE_ACCESS || event->kind == TRACE_COPY_TO;
    bool const shared = accesses && trace_space(checker->site, event) == PTX_SPACE_SHARED;
    uint64_t const most = event->kind == TRACE_SHUFFLE ? WARP_LANES - 1
                          : !accesses                  ? UINT64_MAX
                                      : (shared ? UINT32_MAX : UINT64_MAX) - (checker->site->bytes - 1u);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (event->mask >> lane & 1 && addresses[lane] > most)
            return refuse(checker, "lanes",
                          event->kind == TRACE_SHUFFLE ? "are not lanes"
                          : shared                     ? "leave the window of shared memory"
                                                       : "leave the address space");
    return true;
}

static bool check_event(struct checker *checker)
{
    enum trace_kind const kind = checker->event->kind;
    checker->site = NULL;
    return check_place(checker) && check_site(checker) && check_lanes(checker) && check_space(checker) &&
           check_time(checker) && ((kind != TRACE_SHUFFLE && kind != TRACE_REGISTERS) || check_registers(checker)) &&
           (!trace_has_addresses(kind) || check_addresses(checker));
}

/* ---- the events of a warp ---- */

static size_t place_of(const struct pasts *pasts, uint64_t block, uint32_t warp)
{
    uint64_t const mixed = (block * LAUNCH_WARPS_MAX + warp) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mixed >> 32) & (pasts->room - 1);
    while (pasts->items[at].used && (pasts->items[at].block != block || pasts->items[at].warp != warp))
        at = (at + 1) & (pasts->room - 1);
    return at;
}

static void make_room(struct pasts *pasts)
{
    struct pasts more = {.count = pasts->count, .room = pasts->room ? 2 * pasts->room : 64};
    size_t capacity = 0;
    more.items = array_grow(NULL, &capacity, more.room, sizeof *more.items);
    memset(more.items, 0, more.room * sizeof *more.items);
    for (size_t i = 0; i < pasts->room; i++)
        if (pasts->items[i].used)
            more.items[place_of(&more, pasts->items[i].block, pasts->items[i].warp)] = pasts->items[i];
    free(pasts->items);
    *pasts = more;
}

static struct past *past_of(struct pasts *pasts, const struct trace_event *event)
{
    if (2 * pasts->count >= pasts->room)
        make_room(pasts);
    struct past *past = &pasts->items[place_of(pasts, event->block, event->warp)];
    if (!past->used) {
        *past = (struct past){.block = event->block, .warp = event->warp, .used = true, .last = SIZE_MAX};
        pasts->count++;
    }
    return past;
}

/* Checks an event against those before it in its warp. */
static bool check_history(struct checker *checker)
{
    const struct trace_event *event = checker->event;
    struct past *past = past_of(&checker->pasts, event);
    const struct trace_event *last = past->last == SIZE_MAX ? NULL : &checker->trace->events.items[past->last];
    bool const pieces = checker->site && checker->site->by_pieces;
    past->last = checker->i;
    if (!pieces && event->mask & past->ended)
        return refuse(checker, "events.mask", "has lanes that have ended");
    if (event->kind == TRACE_BARRIER_RELEASE && event->mask & ~past->arrived)
        return refuse(checker, "events.mask", "has lanes that did not arrive at the barrier");
    if (event->kind == TRACE_COPY_TO && (!last || last->kind != TRACE_ACCESS || last->site != event->site))
        return refuse(checker, "events.kind", "is the end of a copy without its access");
    if (event->kind == TRACE_REGISTERS && event->other > 0 &&
        (!last || last->kind != TRACE_REGISTERS || last->site != event->site || last->other + 1 != event->other))
        return refuse(checker, "events.other", "is a part out of order");
    if (event->kind == TRACE_RECONVERGE && event->mask == 0)
        return refuse(checker, "events.mask", "has no lane that reconverges");
    if (event->kind == TRACE_BARRIER_ARRIVE)
        past->arrived |= event->mask;
    if (event->kind == TRACE_BARRIER_RELEASE)
        past->arrived &= ~event->mask;
    if (event->kind == TRACE_EXIT)
        past->ended |= event->mask;
    return true;
}

bool trace_check_events(const struct trace *trace, struct trace_problem *problem)
{
    struct checker checker = {.trace = trace, .problem = problem};
    bool const history = trace->clock == TRACE_CLOCK_MODEL && trace->lost == 0;
    bool good = true;
    for (size_t i = 0; i < trace->events.count && good; i++) {
        checker.i = i;
        checker.event = &trace->events.items[i];
        good = check_event(&checker) && (!history || check_history(&checker));
    }
    free(checker.pasts.items);
    return good;
}
