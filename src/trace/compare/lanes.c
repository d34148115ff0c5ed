/* Finds the kind of a difference from each lane alone. The events of a lane are listed in order, whichever other lanes
 * took part. Two traces in which every lane did the same differ only in the lanes that ran together. */
#include "trace/compare/compare.h"
#include <stdlib.h>

struct lane_event {
    uint64_t block, thread; /* in its block */
    uint32_t event;         /* index in trace.events */
    bool waits;             /* stands for several branches that asked whether a phase was over */
};

struct lane_list {
    struct lane_event *items;
    size_t count, capacity;
};

static int compare_events(const void *left, const void *right)
{
    const struct lane_event *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

static struct lane_list make_list(const struct trace *trace, struct launch_blocks blocks, struct compare_scope scope)
{
    struct lane_list list = {0};
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (!compare_counts(trace, event, scope) || event->block < blocks.first || event->block > blocks.last)
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (event->mask >> lane & 1) {
                struct lane_event const added = {
                    .block = event->block, .thread = (uint64_t)event->warp * WARP_LANES + lane, .event = (uint32_t)i};
                array_push(&list, added);
            }
    }
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_events);
    return list;
}

static bool may_wait(const struct trace *trace, const struct lane_event *event)
{
    const struct trace_event *branch = &trace->events.items[event->event];
    return branch->kind == TRACE_BRANCH_TAKEN && trace_waits(&trace->sites[branch->site]);
}

/* Replaces a lane's branches, from one that waits to the last one that waits, by one event, if only branches lie
 * between. */
static void gather_waits(const struct trace *trace, struct lane_list *list)
{
    size_t kept = 0, last; /* the last branch that waits */
    for (size_t i = 0; i < list->count; i = last + 1) {
        struct lane_event *event = &list->items[i];
        last = i;
        event->waits = may_wait(trace, event);
        for (size_t k = i + 1; event->waits && k < list->count && list->items[k].block == event->block &&
                               list->items[k].thread == event->thread &&
                               trace->events.items[list->items[k].event].kind == TRACE_BRANCH_TAKEN;
             k++)
            last = may_wait(trace, &list->items[k]) ? k : last;
        list->items[kept++] = *event;
    }
    list->count = kept;
}

/* Returns true when both events are the same for their lane. *outside becomes true when they differ only in addresses
 * that lie in no buffer. */
static bool same_for_lane(const struct trace *a, const struct lane_event *x, const struct trace *b,
                          const struct lane_event *y, bool *outside)
{
    const struct trace_event *left = &a->events.items[x->event], *right = &b->events.items[y->event];
    unsigned const lane = (unsigned)(x->thread % WARP_LANES);
    if (x->block != y->block || x->thread != y->thread || x->waits != y->waits)
        return false;
    if (x->waits)
        return true;
    if (!compare_same_site(a, left, b, right))
        return false;
    if (left->kind == TRACE_BRANCH_TAKEN) /* for a branch by a table, `other` describes the lowest lane only */
        return a->sites[left->site].by_table || (left->other >> lane & 1) == (right->other >> lane & 1);
    if (!trace_has_addresses(left->kind) || compare_same_place(a, left, b, right, lane))
        return true;
    *outside = compare_outside(a, left, lane) && compare_outside(b, right, lane);
    return *outside;
}

static bool same_value_for_lane(const struct trace *a, const struct lane_event *x, const struct trace *b,
                                const struct lane_event *y)
{
    return compare_same_value(a, &a->events.items[x->event], b, &b->events.items[y->event],
                              (unsigned)(x->thread % WARP_LANES));
}

/* Returns true when a read whose result may depend on time comes before the event in its block. */
static bool had_timed_read(const struct trace *trace, const struct lane_event *last)
{
    for (size_t i = 0; i <= last->event; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->block == last->block && event->kind == TRACE_ACCESS && event->site < trace->site_count &&
            trace->sites[event->site].timed)
            return true;
    }
    return false;
}

/* The length of the common start of two lists. */
struct likeness {
    size_t same;   /* events that are the same, from the start */
    size_t valued; /* the first of them with another value, or `same` */
    bool outside;  /* one of them differs in an address in no buffer */
    bool whole;    /* the common start is all of both lists */
};

static struct likeness likeness_of(const struct trace *a, const struct lane_list *left, const struct trace *b,
                                   const struct lane_list *right)
{
    struct likeness found = {.valued = SIZE_MAX};
    size_t i = 0;
    bool outside = false;
    while (i < left->count && i < right->count && same_for_lane(a, &left->items[i], b, &right->items[i], &outside)) {
        found.outside = found.outside || outside;
        outside = false;
        if (found.valued == SIZE_MAX && !same_value_for_lane(a, &left->items[i], b, &right->items[i]))
            found.valued = i;
        i++;
    }
    found.same = i;
    found.valued = found.valued < i ? found.valued : i;
    found.whole = i == left->count && i == right->count;
    return found;
}

static enum trace_difference_kind kind_of(const struct trace *a, const struct lane_list *left, const struct trace *b,
                                          const struct lane_list *right)
{
    struct likeness const found = likeness_of(a, left, b, right);
    size_t const i = found.valued < found.same ? found.valued : found.same;
    bool const timed = (i < left->count && had_timed_read(a, &left->items[i])) ||
                       (i < right->count && had_timed_read(b, &right->items[i]));
    if (found.whole && found.valued == found.same)
        return found.outside ? TRACE_OUTSIDE : TRACE_GROUPED;
    return timed ? TRACE_TIMED : found.whole ? TRACE_VALUED : TRACE_DIFFERENT;
}

enum trace_difference_kind compare_lanes(const struct trace *a, const struct trace *b, struct launch_blocks blocks)
{
    struct compare_scope const scope = compare_scope(a, b);
    struct lane_list left = make_list(a, blocks, scope), right = make_list(b, blocks, scope);
    enum trace_difference_kind kind = kind_of(a, &left, b, &right);
    if (kind == TRACE_DIFFERENT || kind == TRACE_TIMED) {
        gather_waits(a, &left);
        gather_waits(b, &right);
        enum trace_difference_kind const gathered = kind_of(a, &left, b, &right);
        kind = gathered == TRACE_GROUPED ? TRACE_POLLED : gathered == TRACE_TIMED ? TRACE_TIMED : kind;
    }
    free(left.items);
    free(right.items);
    return kind;
}
