/* Open branches at which lanes diverged form a stack. Executors need not record reconvergence: a branch closes when
 * lanes of both its sides, or lanes that never reached it, run together. */
#include "model/divergence.h"

/* Each open branch splits one side of the branch below it, so 32 lanes have at most 31 open branches. */
enum { OPEN_MAX = WARP_LANES };

struct open_branch {
    uint32_t taken, rest; /* lanes on each side */
    uint32_t ran;         /* lanes seen since the branch */
    uint32_t stepped;     /* lanes that made a step since the branch */
    uint32_t lines[2];    /* the line of the first step of each side: of `taken`, of `rest` */
    uint32_t depth, site;
    size_t from; /* the branch's index in the warp's list of events */
};

struct branch_stack {
    struct open_branch items[OPEN_MAX];
    unsigned count;
};

bool model_is_step(const struct trace_event *event)
{
    return event->kind == TRACE_ACCESS || event->kind == TRACE_BARRIER_ARRIVE || event->kind == TRACE_BRANCH_TAKEN;
}

/* Marks the lanes of an open branch that run for the first time since it, at event i: until now they were waiting. */
static void mark_waiting(struct open_branch *branch, uint32_t mask, size_t i, struct lane_masks *masks)
{
    uint32_t const fresh = mask & (branch->taken | branch->rest) & ~branch->ran;
    for (size_t at = branch->from + 1; fresh && at < i; at++)
        masks[at].waiting |= fresh;
    branch->ran |= mask;
}

/* Notes a step of one side of an open branch. */
static void note_step(struct open_branch *branch, const struct trace *trace, const struct trace_event *event)
{
    bool const rest = !(event->mask & branch->taken);
    uint32_t const side = rest ? branch->rest : branch->taken;
    if (!(branch->stepped & side) && event->site < trace->site_count)
        branch->lines[rest] = trace->sites[event->site].line;
    branch->stepped |= event->mask;
}

/* Names the side that is the else-path: the one with the later line, because compilers put either side behind the
 * jump. On the same line it is the side that jumped. */
static void name_sides(const struct open_branch *branch, struct lane_masks *masks)
{
    if ((branch->stepped & branch->taken) && (branch->stepped & branch->rest))
        masks[branch->from].else_lanes = branch->lines[1] > branch->lines[0] ? branch->rest : branch->taken;
}

static void close_branches(struct branch_stack *open, uint32_t mask, uint32_t exited, size_t i,
                           struct lane_masks *masks)
{
    while (open->count) {
        struct open_branch *top = &open->items[open->count - 1];
        uint32_t const taken = top->taken & ~exited, rest = top->rest & ~exited;
        bool const together = (mask & taken) && (mask & rest);
        bool const outside = (mask & ~(top->taken | top->rest)) != 0;
        bool const whole = ((taken | rest) & ~mask) == 0;
        if (!together && !outside && !whole)
            return;
        if (!together) /* the other side has exited */
            mark_waiting(top, mask, i, masks);
        name_sides(top, masks);
        open->count--;
    }
}

static void open_branch(struct branch_stack *open, const struct trace_event *event, uint32_t taken, size_t i)
{
    const struct open_branch *parent = open->count ? &open->items[open->count - 1] : NULL;
    struct open_branch const branch = {
        .taken = taken,
        .rest = event->mask & ~taken,
        .from = i,
        .site = event->site,
        .depth = !parent ? 1 : parent->depth + (parent->site != event->site),
    };
    open->items[open->count++] = branch;
}

void model_lane_masks(const struct trace *trace, const uint32_t *events, size_t count, struct lane_masks *masks)
{
    struct branch_stack open = {.count = 0};
    uint32_t exited = 0;
    for (size_t i = 0; i < count; i++) {
        const struct trace_event *event = &trace->events.items[events[i]];
        masks[i] = (struct lane_masks){.exited = exited, .branch = NO_BRANCH};
        if (event->kind == TRACE_FAULT || event->mask == 0)
            continue;
        close_branches(&open, event->mask, exited, i, masks);
        for (unsigned b = 0; b < open.count; b++) {
            mark_waiting(&open.items[b], event->mask, i, masks);
            if (model_is_step(event))
                note_step(&open.items[b], trace, event);
        }
        if (open.count) {
            masks[i].branch = (uint32_t)open.items[open.count - 1].from;
            masks[i].depth = open.items[open.count - 1].depth;
        }
        uint32_t const taken = event->other & event->mask;
        if (event->kind == TRACE_BRANCH_TAKEN && taken && taken != event->mask && open.count < OPEN_MAX)
            open_branch(&open, event, taken, i);
        if (event->kind == TRACE_EXIT)
            exited |= event->mask;
    }
    while (open.count)
        name_sides(&open.items[--open.count], masks);
}

void model_lane_states(const struct trace *trace, const struct trace_event *event, struct lane_masks masks,
                       enum lane_state lanes[32])
{
    uint32_t const present = trace_warp_lanes(trace, event->warp);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t const bit = UINT32_C(1) << lane;
        lanes[lane] = !(present & bit)      ? LANE_ABSENT
                      : event->mask & bit   ? LANE_ACTIVE
                      : masks.exited & bit  ? LANE_EXITED
                      : masks.waiting & bit ? LANE_ELSE
                                            : LANE_MASKED;
    }
}

void model_divergence(const struct trace *trace, uint64_t block, uint32_t warp, struct divergence *result)
{
    uint32_t live = trace_warp_lanes(trace, warp);
    *result = (struct divergence){0};
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->block != block || event->warp != warp)
            continue;
        if (event->kind == TRACE_EXIT)
            live &= ~event->mask;
        if (!model_is_step(event))
            continue;
        result->steps++;
        result->lane_steps += (uint32_t)__builtin_popcount(event->mask);
        result->idle_steps += (uint32_t)__builtin_popcount(live & ~event->mask);
        if (event->kind == TRACE_BRANCH_TAKEN) {
            result->branches++;
            result->divergent += event->other != 0 && event->other != event->mask;
        }
    }
}
