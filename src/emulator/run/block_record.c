/* Events for the listener and for the trace. Events of a recorded block are kept with the block and appended to the
 * trace in the order of the blocks, so the trace does not depend on the number of threads. The timer decides how
 * long an access holds its warp, and when its value is there. */
#include "emulator/run/block_record.h"
#include "base/processor.h"
#include "emulator/memory/memory.h"
#include "emulator/run/scoreboard.h"
#include <stdlib.h>

struct block_record {
    struct {
        struct trace_event *items;
        size_t count, capacity;
    } events;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } addresses, values;
    uint64_t lost; /* events beyond TRACE_BLOCK_EVENTS_MAX */
    const struct trace_timer *timer;
    void *timed;                          /* the timer's state of this block */
    struct scoreboard boards[WARP_LANES]; /* of each warp */
};

struct block_record *record_start(const struct emulation *emulation)
{
    const struct trace_timer *timer = &emulation->options->timer;
    struct block_record *record = calloc(1, sizeof *record);
    if (record && timer->instruction) {
        record->timer = timer;
        record->timed = timer->begin(timer->context, emulation->trace->sites);
    }
    if (record && record->timer && !record->timed) {
        free(record);
        record = NULL;
    }
    return record;
}

static void record_free(struct block_record *record)
{
    if (record->timer)
        record->timer->end(record->timed);
    for (unsigned i = 0; i < WARP_LANES; i++)
        free(record->boards[i].items);
    free(record->events.items);
    free(record->addresses.items);
    free(record->values.items);
    free(record);
}

/* Returns whether there is room for one more event; else the event counts as lost, so that an endless kernel does
 * not fill the memory. */
static bool has_room(struct block_record *record)
{
    if (record->events.count < TRACE_BLOCK_EVENTS_MAX)
        return true;
    record->lost++;
    return false;
}

static void keep(struct warp *w, uint32_t mask, const uint64_t *addresses)
{
    struct block_record *record = w->block->record;
    if (!has_room(record))
        return;
    w->event.lanes = record->addresses.count;
    array_push(&record->events, w->event);
    size_t count = record->addresses.count;
    record->addresses.items =
        array_grow(record->addresses.items, &record->addresses.capacity, count + WARP_LANES, sizeof(uint64_t));
    for (unsigned l = 0; l < WARP_LANES; l++)
        record->addresses.items[count + l] = mask >> l & 1 ? addresses[l] : 0;
    record->addresses.count = count + WARP_LANES;
    if (w->worker->emulation->options->checks.values) {
        record->values.items =
            array_grow(record->values.items, &record->values.capacity, count + WARP_LANES, sizeof(uint64_t));
        for (unsigned l = 0; l < WARP_LANES; l++)
            record->values.items[count + l] = mask >> l & 1 ? w->values[l] : 0;
        record->values.count = count + WARP_LANES;
    }
}

static uint32_t cycles_in_event(uint64_t cycles)
{
    return cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
}

static void time_access(struct warp *w, const struct op *op, const uint64_t *addresses)
{
    struct block_record *record = w->block->record;
    if (!record->timer)
        return;
    struct trace_latency const latency = record->timer->access(record->timed, &w->event, addresses);
    w->hold = latency.issue > w->hold ? latency.issue : w->hold;
    w->flight = latency.value > w->flight ? latency.value : w->flight;
    w->event.other = cycles_in_event(latency.value);
    scoreboard_note(
        &record->boards[w->number], op->source,
        (struct pending){
            .frame = w->frame, .site = op->site, .space = w->event.space, .there = w->block->clock + latency.value});
}

static void tell_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses)
{
    struct trace_event *event = &w->event;
    const struct trace_listener *listener = &w->worker->emulation->options->listener;
    event->kind = TRACE_ACCESS;
    event->site = op->site;
    event->mask = mask;
    event->other = 0;
    event->time = w->block->clock;
    record_order(w);
    if (listener->event)
        listener->event(listener->context, w->worker->number, event, addresses);
    if (w->block->recorded) {
        time_access(w, op, addresses);
        keep(w, mask, addresses);
    }
}

static void record_words(struct warp *w, const struct op *op, enum trace_kind kind, uint32_t mask, uint32_t other,
                         const uint64_t *words)
{
    if (!w->block->recorded)
        return;
    w->event.kind = kind;
    w->event.site = op->site;
    w->event.mask = mask;
    w->event.other = other;
    w->event.time = w->block->clock;
    keep(w, mask, words);
}

void record_shuffle(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *sources)
{
    record_words(w, op, TRACE_SHUFFLE, mask, 0, sources);
}

void record_registers(struct warp *w, const struct op *op, uint32_t part, const uint64_t *low)
{
    record_words(w, op, TRACE_REGISTERS, ALL_LANES, part, low);
}

void record_target(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *targets)
{
    if (!w->block->recorded)
        return;
    w->event.kind = TRACE_COPY_TO;
    w->event.site = op->site;
    w->event.mask = mask;
    w->event.other = 0;
    w->event.space = PTX_SPACE_SHARED;
    keep(w, mask, targets);
}

void record_group(struct warp *w, enum trace_kind kind)
{
    if (!w->block->recorded || !has_room(w->block->record))
        return;
    w->event.kind = kind;
    w->event.site = PTX_NO_INDEX;
    w->event.mask = w->mask;
    w->event.other = cycles_in_event(w->hold);
    w->event.time = w->block->clock;
    w->event.lanes = 0;
    array_push(&w->block->record->events, w->event);
}

bool record_wait(struct warp *w, uint64_t now)
{
    struct block_record *record = w->block->record;
    const struct op *op = w->pc;
    if (!w->block->recorded || !op->count || !op->source) /* no clock runs, or it begins no instruction */
        return false;
    const struct pending *value = scoreboard_wait(&record->boards[w->number], w->frame, op->source, now);
    if (!value)
        return false;
    w->ready = value->there;
    if (!has_room(record))
        return true;
    struct trace_event const event = {.kind = TRACE_LOAD_WAIT,
                                      .site = value->site,
                                      .block = w->event.block,
                                      .warp = w->number,
                                      .mask = w->active,
                                      .other = cycles_in_event(value->there - now),
                                      .space = value->space,
                                      .time = now};
    array_push(&record->events, event);
    return true;
}

/* Generic addresses: one event for each space they fell in, with offsets in shared and local memory. */
static void tell_generic(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses)
{
    static const struct {
        enum ptx_space space;
        uint64_t base, end;
    } windows[] = {{PTX_SPACE_GLOBAL, EMULATOR_WINDOWS_END, UINT64_MAX},
                   {PTX_SPACE_GLOBAL, 0, EMULATOR_LOCAL_BASE},
                   {PTX_SPACE_SHARED, EMULATOR_SHARED_BASE, EMULATOR_WINDOWS_END},
                   {PTX_SPACE_LOCAL, EMULATOR_LOCAL_BASE, EMULATOR_SHARED_BASE}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        uint64_t offsets[WARP_LANES] = {0};
        uint32_t lanes = 0;
        EACH_LANE(l, mask)
        {
            if (addresses[l] < windows[i].base || addresses[l] >= windows[i].end)
                continue;
            lanes |= 1u << l;
            offsets[l] = windows[i].space == PTX_SPACE_GLOBAL ? addresses[l] : addresses[l] - windows[i].base;
        }
        w->event.space = windows[i].space;
        if (lanes)
            tell_access(w, op, lanes, offsets);
    }
    w->event.space = PTX_SPACE_GENERIC;
}

void record_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses)
{
    const struct access *access = op->extra;
    if (access->space == PTX_SPACE_GENERIC)
        tell_generic(w, op, mask, addresses);
    else
        tell_access(w, op, mask, addresses);
}

/* Passes on the accesses of one op, the first lane's at `first`. */
static void tell_op(struct worker *worker, const struct op *op, uint64_t shape, uint64_t first, uint64_t times)
{
    const struct access *access = op->extra;
    const struct trace_listener *listener = &worker->emulation->options->listener;
    struct trace_event event = {.kind = TRACE_ACCESS, .site = op->site, .mask = ALL_LANES};
    uint64_t addresses[WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++) {
        bool second = l >= WARP_LANES / 2, run = shape & (second ? SHAPE_SECOND_RUN : SHAPE_FIRST_RUN);
        uint64_t half = first + (second ? (uint64_t)((int64_t)shape >> SHAPE_WAY) : 0);
        addresses[l] = half + (run ? l % (WARP_LANES / 2) * access->total : 0);
    }
    listener->accesses(listener->context, worker->number, &event, addresses, times);
}

static void tell_shape(struct worker *worker, const struct batch *batch)
{
    const struct batch_members *members = batch->members;
    if (!members)
        tell_op(worker, batch->op, batch->shape, batch->first, batch->times);
    for (uint32_t i = 0; members && i < members->count; i++) {
        const struct op *op = batch->op + members->ops[i];
        tell_op(worker, op, batch->shape ^ SHAPE_TOGETHER, batch->first + op->immediate, batch->times);
    }
}

void record_shape(struct warp *w, const struct op *op, struct batch *batch, uint64_t shape, uint64_t first,
                  const struct batch_members *members)
{
    if (batch->times)
        tell_shape(w->worker, batch);
    *batch = (struct batch){.op = op, .shape = shape, .first = first, .members = members};
}

static __attribute__((noinline)) void pass_order(struct warp *w)
{
    struct worker *worker = w->worker;
    const struct trace_listener *listener = &worker->emulation->options->listener;
    listener->halves(listener->context, worker->number, w->block->number, w->number, worker->halves,
                     worker->halves_count);
    worker->halves_count = 0;
}

void record_order(struct warp *w)
{
    if (w->worker->halves_count)
        pass_order(w);
}

void record_halves(struct warp *w, const struct op *op, uint64_t shape, uint64_t first)
{
    const struct access *access = op->extra;
    if (access->space != PTX_SPACE_GLOBAL)
        return;
    struct worker *worker = w->worker;
    uint32_t const one = access->total, run = WARP_LANES / 2 * one;
    worker->halves[worker->halves_count++] =
        (struct trace_halves){.first = {first, first + (uint64_t)((int64_t)shape >> SHAPE_WAY)},
                              .bytes = {shape & SHAPE_FIRST_RUN ? run : one, shape & SHAPE_SECOND_RUN ? run : one},
                              .site = op->site};
    if (worker->halves_count == HALVES_KEPT)
        pass_order(w);
}

void record_batches(struct worker *worker)
{
    for (uint32_t i = 0; worker->batches && i < BATCH_SHAPES * worker->emulation->batch_count; i++)
        if (worker->batches[i].times)
            tell_shape(worker, &worker->batches[i]);
    const struct trace_listener *listener = &worker->emulation->options->listener;
    for (uint32_t i = 0; worker->sums && listener->sums && i < worker->emulation->trace->site_count; i++)
        if (worker->sums[i].events)
            listener->sums(listener->context, worker->number, i, &worker->sums[i]);
}

/* The counts take a branch and an arrival at a barrier; see trace_listener.sums. */
COUNTS_BITS static void add_event(struct worker *worker, enum trace_kind kind, uint32_t site, uint32_t mask,
                                  uint32_t other)
{
    if ((kind != TRACE_BRANCH_TAKEN && kind != TRACE_BARRIER_ARRIVE) || !mask ||
        site >= worker->emulation->trace->site_count)
        return;
    struct trace_sums *sums = &worker->sums[site];
    sums->events++;
    sums->lanes += (uint32_t)__builtin_popcount(mask);
    sums->divergent += kind == TRACE_BRANCH_TAKEN && other && other != mask;
}

void record_event(struct warp *w, enum trace_kind kind, uint32_t site, uint32_t mask, uint32_t other)
{
    struct trace_event *event = &w->event;
    const struct trace_listener *listener = &w->worker->emulation->options->listener;
    if (w->together && listener->sums) {
        add_event(w->worker, kind, site, mask, other);
        if (kind == TRACE_BARRIER_ARRIVE && listener->arrived) {
            record_order(w);
            listener->arrived(listener->context, w->worker->number, w->block->number, w->number);
        }
        return;
    }
    record_order(w);
    event->kind = kind;
    event->site = site;
    event->mask = mask;
    event->other = other;
    event->time = w->block->clock;
    if (listener->event)
        listener->event(listener->context, w->worker->number, event, NULL);
    if (w->block->recorded && has_room(w->block->record)) {
        event->lanes = 0;
        array_push(&w->block->record->events, *event);
    }
}

void record_merge(struct trace *trace, const struct block_record *record)
{
    for (size_t i = 0; i < record->events.count; i++) {
        const struct trace_event *event = &record->events.items[i];
        const uint64_t *addresses = record->addresses.items ? record->addresses.items + event->lanes : NULL;
        const uint64_t *values = record->values.items ? record->values.items + event->lanes : NULL;
        bool const has = trace_has_addresses(event->kind);
        trace_add(trace, event, has ? addresses : NULL, has ? values : NULL);
    }
    trace->lost += record->lost;
}

void record_finish(struct emulation *emulation, struct block *block)
{
    pthread_mutex_lock(&emulation->lock);
    emulation->records[block->number - emulation->trace->recorded.first] = block->record;
    block->record = NULL;
    while (emulation->merged < emulation->record_count && emulation->records[emulation->merged] &&
           emulation->trace->recorded.first + emulation->merged <= emulation->stop_after) {
        record_merge(emulation->trace, emulation->records[emulation->merged]);
        record_free(emulation->records[emulation->merged]);
        emulation->records[emulation->merged++] = NULL;
    }
    pthread_mutex_unlock(&emulation->lock);
}

void record_drop(struct block_record *record)
{
    if (record)
        record_free(record);
}
