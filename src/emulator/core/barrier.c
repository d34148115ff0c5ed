/* Barriers count threads, as from compute capability 7.0 on: each fragment arrives and waits by itself, and ended
 * threads are not awaited. This file also lets lanes wait for the other lanes that a warp-wide instruction names. */
#include "emulator/core/barrier.h"
#include "base/processor.h"
#include "emulator/check/fault.h"
#include "emulator/check/order.h"
#include "emulator/core/control.h"
#include "emulator/core/emulation.h"
#include "emulator/memory/mbarrier.h"
#include "emulator/run/block_record.h"
#include "emulator/run/schedule.h"

/* Gives the lanes that waited the result of bar.red. */
static void deliver(const struct barrier *barrier, const struct fragment *f)
{
    const struct op *op = f->wait;
    uint8_t *rows = f->frame->rows;
    if (op->immediate == BARRIER_POPC) {
        EACH_LANE(l, f->mask) memcpy(rows + op->d + 4 * l, &barrier->sum, 4);
        return;
    }
    bool all = barrier->all, any = barrier->any;
    uint32_t result = (op->immediate == BARRIER_AND ? all : any) ? f->mask : 0, old;
    memcpy(&old, rows + op->d, 4);
    old = (old & ~f->mask) | result;
    memcpy(rows + op->d, &old, 4);
}

static bool aligned(const struct op *op)
{
    const struct ptx_instruction *i = op->source;
    return i->opcode != PTX_OP_barrier || ptx_has(i->modifiers, PTX_MOD_aligned);
}

/* Notes threads that wait at different barriers in the source. Hardware counts arrivals wherever they come from, but
 * CUDA wants all threads at one __syncthreads. */
static void note_places(struct worker *worker, const struct barrier *barrier, uint32_t id)
{
    const struct op *first = NULL;
    for (uint32_t i = 0; i < worker->warp_count && !barrier->expected; i++) {
        struct warp *w = &worker->warps[i];
        for (uint32_t k = 0; k < w->other_count; k++) {
            const struct fragment *f = &w->others[k];
            if (f->state != FRAGMENT_BARRIER || f->barrier != id || !aligned(f->wait))
                continue;
            if (!first)
                first = f->wait;
            if (f->wait->source->line == first->source->line)
                continue;
            fault_note(w, f->wait, lowest(f->mask),
                       &(struct finding){.form = FINDING_BARRIER_TWO_LINES,
                                         .barrier = {.number = id, .warp = w->number, .line = first->source->line}});
            return;
        }
    }
}

/* Merges fragments that stand at the same place: they run together from here on. */
static void merge(struct warp *w, uint32_t first)
{
    struct fragment *into = &w->others[first];
    for (uint32_t k = first + 1; k < w->other_count;) {
        struct fragment *f = &w->others[k];
        if (f->state != FRAGMENT_READY || f->pc != into->pc || f->frame != into->frame || f->join != into->join ||
            f->gathered != into->gathered) {
            k++;
            continue;
        }
        into->mask |= f->mask;
        memmove(f, f + 1, (--w->other_count - k) * sizeof *f);
    }
    w->parted &= into->mask != w->live;
}

/* Returns whether all threads of the block wait at this barrier, so that it orders the whole block. */
static bool all_wait(const struct worker *worker, uint32_t id)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < worker->warp_count; i++)
        for (uint32_t k = 0; k < worker->warps[i].other_count; k++) {
            const struct fragment *f = &worker->warps[i].others[k];
            if (f->state == FRAGMENT_BARRIER && f->barrier == id)
                waiting += (uint32_t)__builtin_popcount(f->mask);
        }
    return waiting >= worker->block.live_threads;
}

COUNTS_BITS static void release(struct block *block, struct worker *worker, uint32_t id)
{
    struct barrier *barrier = &block->barriers[id];
    struct meeting *meeting = block->order && !all_wait(worker, id) ? order_barrier(block->order, id) : NULL;
    if (barrier->several)
        note_places(worker, barrier, id);
    if (meeting)
        order_complete(block->order, meeting);
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct warp *w = &worker->warps[i];
        bool found = false;
        for (uint32_t k = 0; k < w->other_count; k++) {
            struct fragment *f = &w->others[k];
            if (f->state != FRAGMENT_BARRIER || f->barrier != id)
                continue;
            if (f->wait->immediate >= BARRIER_POPC)
                deliver(barrier, f);
            f->state = FRAGMENT_READY;
            f->ready = block->clock + schedule_instruction(worker->emulation);
            block->waiting--;
            found = true;
            if (meeting)
                order_observe(w, meeting, f->mask);
            if (w->watched)
                record_event(w, TRACE_BARRIER_RELEASE, f->wait->site, f->mask, 0);
        }
        for (uint32_t k = 0; found && w->parted && k < w->other_count; k++)
            if (w->others[k].state == FRAGMENT_READY)
                merge(w, k);
        if (found && w->state == WARP_WAITING)
            control_next(w);
    }
    *barrier = (struct barrier){.all = 1};
    if (meeting)
        return;
    block_meet(block, worker->time);
    if (block->order)
        order_block(block);
}

static bool complete(const struct block *block, const struct barrier *barrier)
{
    return barrier->arrived && barrier->arrived >= (barrier->expected ? barrier->expected : block->live_threads);
}

void barrier_check(struct block *block, struct worker *worker)
{
    for (uint32_t id = 0; id < BARRIERS; id++)
        if (block->barriers[id].arrived && complete(block, &block->barriers[id]))
            release(block, worker, id);
}

/* All live threads of a warp must arrive at an aligned barrier together. Where some lanes poll, the emulator
 * releases the others from their join early (control_yield); on hardware they may wait and arrive together, so
 * nothing is noted. */
static void note_divergence(struct warp *w, const struct op *op)
{
    if (w->active == w->live || w->parted || !aligned(op))
        return;
    fault_note(w, op, lowest(w->active),
               &(struct finding){.form = FINDING_BARRIER_PART_OF_WARP,
                                 .barrier = {.warp = w->number,
                                             .arrived = w->active_count,
                                             .threads = (uint32_t)__builtin_popcount(w->live)}});
}

/* Adds the current lanes to the barrier an instruction names; NULL after a fault. */
COUNTS_BITS static struct barrier *arrive(struct warp *w, const struct op *op, uint32_t *id)
{
    unsigned lane = lowest(w->active);
    uint64_t number = lane_get(w, op->a, 4, lane), count = op->b ? lane_get(w, op->b, 4, lane) : 0;
    if (number >= BARRIERS - !op->combine || count % WARP_LANES || (op->b && count == 0)) {
        fault_at(w, op, lane,
                 &(struct finding){.form = FINDING_BARRIER_NUMBER,
                                   .address = number,
                                   .barrier = {.number = number, .expected = count}});
        return NULL;
    }
    struct barrier *barrier = &w->block->barriers[number];
    note_divergence(w, op);
    if (count > w->block->live_threads + barrier->arrived && count > w->worker->emulation->warps * WARP_LANES) {
        fault_at(w, op, lane,
                 &(struct finding){
                     .form = FINDING_BARRIER_COUNT,
                     .address = number,
                     .barrier = {.number = number, .expected = count, .threads = w->worker->emulation->threads}});
        return NULL;
    }
    barrier->expected = (uint32_t)count;
    /* a barrier with a count counts whole warps: lanes that ended, or that never existed, count as well */
    uint32_t here = (uint32_t)__builtin_popcount(w->active);
    barrier->arrived += count && w->active == w->live ? WARP_LANES : here;
    EACH_LANE(l, w->block->order ? w->active : 0)
    order_arrive(w, order_barrier(w->block->order, (uint32_t)number), l);
    *id = (uint32_t)number;
    if (w->watched)
        record_event(w, TRACE_BARRIER_ARRIVE, op->site, w->active, 0);
    return barrier;
}

static void reduce(struct warp *w, const struct op *op, struct barrier *barrier)
{
    uint32_t set = (*predicate(w, op->c) ^ op->flip) & w->active;
    barrier->sum += (uint32_t)__builtin_popcount(set);
    barrier->any |= set != 0;
    barrier->all &= set == w->active;
}

COUNTS_BITS const struct op *barrier_wait(struct warp *w, const struct op *op)
{
    uint32_t id;
    struct barrier *barrier = arrive(w, op, &id);
    if (!barrier)
        return NULL;
    if (op->immediate >= BARRIER_POPC)
        reduce(w, op, barrier);
    struct fragment *f = control_park(w, op + 1, FRAGMENT_BARRIER);
    f->barrier = id;
    f->wait = op;
    barrier->several |= barrier->first && barrier->first != op;
    barrier->first = op;
    w->block->waiting++;
    w->active = w->mask = 0;
    w->state = WARP_WAITING;
    if (complete(w->block, barrier))
        release(w->block, w->worker, id);
    if (w->state == WARP_WAITING)
        control_wait(w);
    return NULL;
}

const struct op *barrier_arrive(struct warp *w, const struct op *op)
{
    uint32_t id;
    struct barrier *barrier = arrive(w, op, &id);
    if (!barrier)
        return NULL;
    w->pc = op + 1;
    if (complete(w->block, barrier))
        release(w->block, w->worker, id);
    return NULL;
}

/* These lanes of a warp waited for each other: their accesses to memory are ordered. */
static void order_warp(struct warp *w, uint32_t lanes)
{
    if (w->block->order)
        order_lanes(w, lanes);
    if (!w->block->order || lanes == w->live)
        w->sync_time = w->worker->time;
}

/* Releases lanes of a warp that wait for each other, as soon as all live lanes that they name wait as well. Lanes at
 * the same instruction run together afterwards. */
void barrier_warp_check(struct warp *w)
{
    for (uint32_t i = 0; i < w->other_count; i++) {
        uint32_t wanted = w->others[i].wanted, there = 0;
        if (w->others[i].state != FRAGMENT_WARP_BARRIER)
            continue;
        for (uint32_t k = 0; k < w->other_count; k++)
            if (w->others[k].state == FRAGMENT_WARP_BARRIER && w->others[k].wanted == wanted)
                there |= w->others[k].mask;
        if (wanted & w->live & ~there)
            continue;
        if (w->others[i].wait->flags & OP_ORDERS)
            order_warp(w, wanted & w->live);
        for (uint32_t k = 0; k < w->other_count; k++) {
            struct fragment *f = &w->others[k];
            if (f->state != FRAGMENT_WARP_BARRIER || f->wanted != wanted)
                continue;
            f->state = FRAGMENT_READY;
            f->gathered = true;
        }
        merge(w, i);
    }
}

bool barrier_gather(struct warp *w, const struct op *op, uint32_t wanted)
{
    if (w->gathered || (wanted & w->live & ~w->active) == 0) {
        w->gathered = false;
        return true;
    }
    struct fragment *f = control_park(w, op, FRAGMENT_WARP_BARRIER);
    f->wanted = wanted;
    f->wait = op;
    barrier_warp_check(w);
    control_wait(w);
    return false;
}

const struct op *barrier_warp(struct warp *w, const struct op *op)
{
    uint32_t wanted = (uint32_t)lane_get(w, op->a, 4, lowest(w->active));
    EACH_LANE(l, w->active & ~wanted)
    {
        uint32_t own = (uint32_t)lane_get(w, op->a, 4, l);
        if (!(own >> l & 1))
            return fault_at(w, op, l,
                            &(struct finding){.form = FINDING_MASK_WAITS_WITHOUT_SELF,
                                              .address = own,
                                              .mask = {.lane = l, .mask = own}});
    }
    bool const gathered = w->gathered; /* then barrier_warp_check has ordered them already */
    if (wanted & w->live & ~w->active && !barrier_gather(w, op, wanted))
        return NULL;
    w->gathered = false;
    if (!gathered)
        order_warp(w, wanted & w->live);
    w->pc = op + 1;
    return NULL;
}

const struct fragment *barrier_waiting(struct worker *worker, struct finding *finding, uint32_t *warp)
{
    const struct fragment *first = NULL;
    struct finding_wait *waits = arena_array(&worker->arena, struct finding_wait, FINDING_WAITS_MAX);
    finding->waits = waits;
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        const struct warp *w = &worker->warps[i];
        for (uint32_t k = 0; k < w->other_count; k++) {
            const struct fragment *f = &w->others[k];
            struct finding_place place = {0};
            if (f->state == FRAGMENT_READY)
                continue;
            if (!first)
                first = f, *warp = i;
            if (finding->wait_total++ == finding->wait_count && finding->wait_count < FINDING_WAITS_MAX) {
                fault_place(worker->emulation->module, f->wait->source, &place);
                waits[finding->wait_count++] =
                    (struct finding_wait){.thing = f->state == FRAGMENT_BARRIER    ? FINDING_AT_BARRIER
                                                   : f->state == FRAGMENT_MBARRIER ? FINDING_AT_MBARRIER
                                                                                   : FINDING_AT_LANES,
                                          .warp = w->number,
                                          .threads = (uint32_t)__builtin_popcount(f->mask),
                                          .line = place.line,
                                          .near = place.near};
            }
        }
    }
    return first;
}

/* Lanes wait for other lanes that their mask names and that never come. */
static void measure_mask(const struct warp *w, const struct fragment *first, struct finding_mask *mask)
{
    for (uint32_t k = 0; k < w->other_count; k++)
        if (w->others[k].state == FRAGMENT_WARP_BARRIER && w->others[k].wanted == first->wanted)
            mask->here |= w->others[k].mask;
    mask->mask = first->wanted;
    mask->missing = first->wanted & w->live & ~mask->here;
}

/* Reports the deadlock of a block in which no warp can go on, with the warps that wait. */
void barrier_deadlock(struct worker *worker)
{
    uint32_t warp;
    struct finding fault = {0};
    const struct fragment *first = barrier_waiting(worker, &fault, &warp);
    if (!first)
        return;
    struct warp *victim = &worker->warps[warp];
    victim->active = first->mask;
    if (first->state == FRAGMENT_MBARRIER) {
        fault.form = FINDING_PHASE_UNFINISHED;
        fault.mbarrier = mbarrier_measure(victim, first);
    } else if (first->state == FRAGMENT_BARRIER) {
        fault.form = FINDING_BARRIER_UNREACHED;
        fault.barrier = (struct finding_barrier){.number = first->barrier, .threads = worker->block.live_threads};
    } else {
        fault.form = FINDING_MASK_UNMET;
        measure_mask(victim, first, &fault.mask);
    }
    fault_at(victim, first->wait, lowest(first->mask), &fault);
}
