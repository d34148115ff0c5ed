/* Who runs next. A block that nobody records runs each warp for a long slice or until it must wait. A recorded block
 * keeps the model clock: one instruction a cycle, from the warp that has been ready longest, in turn; a warp is ready
 * again when its instruction is done, which for an access the timer knows. */
#include "emulator/machine.h"

/* The next op that is an instruction of the program. */
static const struct op *next_named(const struct warp *w)
{
    const struct code *code = w->frame->code;
    for (const struct op *op = w->pc; op < code->ops + code->op_count; op++)
        if (op->source && op->source->line)
            return op;
    return w->pc;
}

static bool over_budget(struct warp *w)
{
    struct worker *worker = w->worker;
    if (w->block->instructions <= worker->machine->budget)
        return false;
    char where[300];
    uint32_t first;
    bool others = barrier_waiting(worker, where, sizeof where, &first) != NULL;
    unsigned lane = lowest(w->active ? w->active : w->live);
    fault_at(w, next_named(w), lane, "endless loop", 0,
             "The block ran %llu warp instructions without coming to its end%s%s",
             (unsigned long long)w->block->instructions, others ? "; meanwhile these wait: " : "", where);
    return true;
}

static void count(struct warp *w, uint32_t instructions)
{
    struct trace_totals *totals = &w->worker->totals;
    totals->warp_instructions += instructions;
    totals->thread_instructions += (uint64_t)instructions * w->active_count;
    w->instructions += instructions;
    w->slice -= instructions;
}

/* Runs until the warp waits, ends or faults, or its slice is over. */
static void run_slice(struct warp *w)
{
    uint64_t before = w->instructions, left = w->worker->machine->budget - w->block->instructions;
    w->slice = left < SLICE ? (int64_t)left + 1 : SLICE;
    while (w->slice > 0 && w->state == WARP_READY) {
        const struct op *op = w->pc;
        enum variant variant = w->variant;
        count(w, op->run_count);
        w->run = ++w->worker->run;
        do
            op = op->run[variant](w, op);
        while (op);
    }
    w->block->instructions += w->instructions - before;
    if (w->state != WARP_FAULT && w->live && !over_budget(w) && w->state == WARP_READY)
        control_yield(w);
}

uint32_t schedule_instruction(const struct machine *machine)
{
    return machine->options->timer.instruction ? machine->options->timer.instruction : 1;
}

/* One instruction, and the pseudo ops before it. */
static void run_one(struct warp *w)
{
    bool counted = false;
    w->hold = 0;
    w->slice = w->slice > 0 ? w->slice : SLICE;
    while (w->state == WARP_READY && !counted) {
        const struct op *op = w->pc;
        counted = op->count != 0;
        count(w, op->count);
        w->block->instructions += op->count;
        w->run = ++w->worker->run;
        const struct op *next = op->run[w->variant](w, op);
        if (next)
            w->pc = next;
    }
    uint64_t const least = schedule_instruction(w->worker->machine);
    uint64_t const ready = w->block->clock + (w->hold > least ? w->hold : least);
    w->ready = ready > w->ready ? ready : w->ready;
    if (w->slice <= 0 && w->state != WARP_FAULT && w->live && !over_budget(w) && w->state == WARP_READY)
        control_yield(w);
}

static bool cancelled(const struct machine *machine)
{
    return machine->options->cancel && atomic_load_explicit(machine->options->cancel, memory_order_relaxed);
}

static void run_fast(struct worker *worker)
{
    struct block *block = &worker->block;
    uint32_t warps = worker->machine->warps;
    while (block->live_warps) {
        bool progress = false;
        for (uint32_t i = 0; i < warps; i++) {
            struct warp *w = &worker->warps[i];
            if (w->state != WARP_READY)
                continue;
            progress = true;
            run_slice(w);
            if (w->state == WARP_FAULT)
                return;
        }
        if (!progress)
            barrier_deadlock(worker);
        if (!progress || cancelled(worker->machine))
            return;
    }
}

static void run_recorded(struct worker *worker)
{
    struct block *block = &worker->block;
    uint32_t warps = worker->machine->warps, last = warps - 1;
    while (block->live_warps) {
        struct warp *best = NULL;
        for (uint32_t i = 1; i <= warps; i++) {
            struct warp *w = &worker->warps[(last + i) % warps];
            if (w->state == WARP_READY && (!best || w->ready < best->ready))
                best = w;
        }
        if (!best) {
            barrier_deadlock(worker);
            return;
        }
        last = best->number;
        block->clock = best->ready > block->clock + 1 ? best->ready : block->clock + 1;
        run_one(best);
        if (best->state == WARP_FAULT || ((block->clock & 1023) == 0 && cancelled(worker->machine)))
            return;
    }
}

static uint32_t lanes_of(const struct machine *machine, uint32_t warp)
{
    uint32_t threads = machine->threads - warp * WARP_LANES;
    return threads >= WARP_LANES ? ALL_LANES : (1u << threads) - 1;
}

static void start_warp(struct worker *worker, struct warp *w, uint32_t number)
{
    const struct machine *machine = worker->machine;
    w->number = number;
    w->block = &worker->block;
    w->instructions = 0;
    w->slice = SLICE;
    w->watched = worker->block.recorded || machine->options->listener.event;
    w->together = !worker->block.recorded && machine->options->listener.accesses;
    w->checked = machine->shadowed || machine->watch_global || machine->options->record_values;
    w->event = (struct trace_event){.block = worker->block.number, .warp = number};
    control_start(w, lanes_of(machine, number));
}

static void run_one_by_one(struct worker *worker)
{
    struct warp *w = &worker->warps[0];
    for (uint32_t i = 0; i < worker->machine->warps; i++) {
        start_warp(worker, w, i);
        while (w->state == WARP_READY && !cancelled(worker->machine))
            run_slice(w);
        if (w->state == WARP_WAITING)
            barrier_deadlock(worker);
        if (w->state != WARP_DONE || cancelled(worker->machine))
            return;
    }
}

void schedule_block(struct worker *worker)
{
    const struct machine *machine = worker->machine;
    struct block *block = &worker->block;
    block->live_threads = machine->threads;
    block->live_warps = machine->warps;
    block->clock = block->instructions = 0;
    block->waiting = 0;
    memset(block->copies, 0, sizeof block->copies);
    memset(block->copied, 0, sizeof block->copied);
    memset(block->copies_there, 0, sizeof block->copies_there);
    block->barrier_time = block->acquired = 0;
    for (uint32_t i = 0; i < BARRIERS; i++)
        block->barriers[i] = (struct barrier){.all = 1};
    if (!block->recorded && !machine->waits) {
        run_one_by_one(worker);
        return;
    }
    for (uint32_t i = 0; i < machine->warps; i++)
        start_warp(worker, &worker->warps[i], i);
    if (block->recorded)
        run_recorded(worker);
    else
        run_fast(worker);
}
