/* Chooses the warp that runs next. In a block that is not recorded, each warp runs for a long slice or until it must
 * wait. A recorded block keeps the model clock: one instruction a cycle, from the warp that has been ready longest.
 * A warp is ready again when its instruction is done; for an access, the timer knows when. An instruction that names
 * a register whose value is on its way waits for it. A slice that goes into polling is idle. When the slices of all
 * runnable warps are idle, the block makes room for others (resident.c). Once all blocks in flight are idle and none
 * can begin, idle slices cost more of the budget than they run, so a deadlock is reported quickly. */
#include "emulator/run/schedule.h"
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/core/barrier.h"
#include "emulator/core/control.h"
#include "emulator/memory/mbarrier.h"
#include "emulator/run/block_record.h"
#include "emulator/run/endless.h"
#include "emulator/run/executed.h"
#include "emulator/run/resident.h"
#include "emulator/tier/tier.h"

/* Idle slices before a block makes room: enough to free lanes from joins (see control_yield) and some more; fewer
 * after others had their turn. */
enum { PATIENCE = 72, PATIENCE_AGAIN = 2 };
enum { LOOPS_OFTEN = 1000 };     /* after so many rounds a block is said to loop */
enum { PROGRESS_CALLS = 16 };    /* calls of is_cancelled between two reports of progress */
enum { IDLE_COST = 16 * SLICE }; /* taken from the budget by an idle slice when all blocks wait */

/* Returns the next op that is an instruction of the module. */
static const struct op *next_named(const struct warp *w)
{
    const struct code *code = w->frame->code;
    for (const struct op *op = w->pc; op < code->ops + code->op_count; op++)
        if (op->source && op->source->line)
            return op;
    return w->pc;
}

static bool say(struct warp *w, enum finding_form form)
{
    struct worker *worker = w->worker;
    struct finding fault = {.form = form,
                            .loop = {.warp = w->number,
                                     .other_blocks = form == FINDING_DEADLOCKED ? worker->aside_count : 0,
                                     .instructions = w->block->instructions}};
    uint32_t first;
    barrier_waiting(worker, &fault, &first);
    fault_at(w, next_named(w), lowest(w->active ? w->active : w->live), &fault);
    return true;
}

static bool over_budget(struct warp *w)
{
    bool deadlock = w->idle && resident_deadlock(w->worker);
    return (deadlock || w->block->instructions > w->worker->emulation->budget) &&
           say(w, deadlock ? FINDING_DEADLOCKED : FINDING_ENDLESS);
}

static void begin_slice(struct warp *w, uint64_t most)
{
    w->slice = most < SLICE ? (int64_t)most : SLICE;
    w->slice_start = w->instructions;
    w->slice_polls = 0;
    w->timed = false;
}

/* The slice is over, or the warp waits. */
static void end_slice(struct warp *w)
{
    struct worker *worker = w->worker;
    if (w->state == WARP_FAULT || !w->live)
        return;
    bool idle = w->state == WARP_READY && w->slice <= 0 && w->instructions - w->slice_start < SLICE - SLICE / 8;
    w->idle = idle ? w->idle + 1 : 0;
    if (!idle || w->timed) { /* time moves by itself */
        worker->progress++;
        worker->stuck = false;
    } else if (w->slice_polls) {
        worker->waited += IDLE_COST;
    }
    if (!over_budget(w) && w->state == WARP_READY)
        control_yield(w);
}

/* Returns whether all runnable warps only poll. Each of a warp's fragments has had its turn then. */
static bool only_polls(const struct worker *worker)
{
    for (uint32_t i = 0; i < worker->emulation->warps; i++) {
        const struct warp *w = &worker->warps[i];
        if (w->state == WARP_READY && w->idle < worker->block.patience + w->other_count)
            return false;
    }
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

uint32_t schedule_instruction(const struct emulation *emulation)
{
    return emulation->options->timer.instruction ? emulation->options->timer.instruction : 1;
}

/* Runs one instruction, and the ops before it that are none. If the instruction must wait then, it runs later. */
static void run_one(struct warp *w)
{
    bool counted = false;
    w->hold = w->flight = 0;
    if (w->slice <= 0)
        begin_slice(w, SLICE);
    while (w->state == WARP_READY && !counted) {
        const struct op *op = w->pc;
        if (endless_is_due(w) && endless_look(w) && say(w, FINDING_SAME_AGAIN))
            return;
        counted = op->count != 0;
        count(w, op->count);
        w->worker->executions[op->number].alone++;
        w->block->instructions += op->count;
        w->run = ++w->worker->run;
        const struct op *next = op->run[w->variant](w, op);
        if (next)
            w->pc = next;
        if (!counted && w->state == WARP_READY && record_wait(w, w->block->clock))
            return;
    }
    uint64_t const least = schedule_instruction(w->worker->emulation);
    uint64_t const ready = w->block->clock + (w->hold > least ? w->hold : least);
    w->ready = ready > w->ready ? ready : w->ready;
    if (w->slice <= 0 || w->state != WARP_READY)
        end_slice(w);
}

/* Runs until the warp waits, ends or faults, or its slice is over. A function of its own: a browser replaces its first,
 * slow translation of a function only when that is called again. */
static __attribute__((noinline)) void run_slice(struct warp *w)
{
    while (endless_is_due(w) && w->state == WARP_READY)
        run_one(w);
    record_order(w);
    if (w->state != WARP_READY)
        return;
    tier_turn(w->worker);
    uint64_t before = w->instructions, left = w->worker->emulation->budget - w->block->instructions;
    handler const *const compiled = w->worker->compiled;
    begin_slice(w, left + 1);
    while (w->slice > 0 && w->state == WARP_READY) {
        const struct op *op = w->pc;
        enum variant variant = w->variant;
        count(w, op->run_count);
        w->worker->executions[op->number].runs++;
        w->run = ++w->worker->run;
        if (compiled && variant == FOR_ALL && compiled[op->number])
            op = compiled[op->number](w, op);
        else
            op = op->run[variant](w, op);
        while (op)
            op = op->run[variant](w, op);
    }
    record_order(w);
    w->block->instructions += w->instructions - before;
    end_slice(w);
}

/* Returns where the worker's block is: the line of the first warp that can run. */
static struct executor_progress progress_of(const struct worker *worker)
{
    const struct emulation *emulation = worker->emulation;
    const struct block *block = &worker->block;
    struct executor_progress at = {.done = atomic_load_explicit(&emulation->ended, memory_order_relaxed),
                                   .blocks = emulation->blocks,
                                   .block = block->number,
                                   .instructions = block->instructions,
                                   .budget = emulation->budget};
    uint32_t const begun = block->mode == BLOCK_ONE_BY_ONE ? 1 : emulation->warps;
    for (uint32_t i = 0; i < begun && !at.line; i++)
        if (worker->warps[i].state == WARP_READY && next_named(&worker->warps[i])->source) {
            at.line = next_named(&worker->warps[i])->source->line;
            at.doing = worker->warps[i].idle ? EXECUTOR_POLLS : EXECUTOR_GOES_ON;
        }
    /* by then, some warp has run some instruction that often */
    bool const often = block->instructions / LOOPS_OFTEN > (uint64_t)emulation->op_count * emulation->warps;
    if (often && at.doing == EXECUTOR_GOES_ON)
        at.doing = EXECUTOR_LOOPS;
    return at;
}

static void note_stop(struct worker *worker)
{
    struct emulation *emulation = worker->emulation;
    struct executor_progress const at = progress_of(worker);
    pthread_mutex_lock(&emulation->lock);
    if (at.line && (!emulation->at.line || at.block < emulation->at.block))
        emulation->at = at;
    pthread_mutex_unlock(&emulation->lock);
}

/* Returns true when the run is to end early. Reports progress from time to time. */
static bool is_cancelled(struct worker *worker)
{
    const struct emulation *emulation = worker->emulation;
    const struct emulator_options *options = emulation->options;
    if (options->progress && worker->number == 0 && ++worker->progress_calls % PROGRESS_CALLS == 0) {
        struct executor_progress const at = progress_of(worker);
        options->progress(options->progress_context, &at);
    }
    bool const cancelled = options->cancel && atomic_load_explicit(options->cancel, memory_order_relaxed);
    if (cancelled)
        note_stop(worker);
    return cancelled || atomic_load_explicit(&emulation->refuted, memory_order_relaxed);
}

static bool run_fast(struct worker *worker)
{
    struct block *block = &worker->block;
    uint32_t warps = worker->emulation->warps;
    while (block->live_warps) {
        bool progress = false;
        for (uint32_t i = 0; i < warps; i++) {
            struct warp *w = &worker->warps[i];
            if (w->state != WARP_READY)
                continue;
            progress = true;
            run_slice(w);
            if (w->state == WARP_FAULT)
                return true;
            if (w->idle >= block->patience && only_polls(worker))
                return false;
        }
        if (!progress && mbarrier_idle(worker))
            continue;
        if (!progress)
            barrier_deadlock(worker);
        if (!progress || is_cancelled(worker))
            return true;
    }
    return true;
}

static bool run_recorded(struct worker *worker)
{
    struct block *block = &worker->block;
    uint32_t warps = worker->emulation->warps, last = warps - 1;
    while (block->live_warps) {
        struct warp *best = NULL;
        for (uint32_t i = 1; i <= warps; i++) {
            struct warp *w = &worker->warps[(last + i) % warps];
            if (w->state == WARP_READY && (!best || w->ready < best->ready))
                best = w;
        }
        if (!best && mbarrier_idle(worker))
            continue;
        if (!best) {
            barrier_deadlock(worker);
            return true;
        }
        uint64_t const now = best->ready > block->clock + 1 ? best->ready : block->clock + 1;
        if (record_wait(best, now))
            continue;
        last = best->number;
        block->clock = now;
        run_one(best);
        if (best->state == WARP_FAULT || ((block->clock & 1023) == 0 && is_cancelled(worker)))
            return true;
        if (best->idle >= block->patience && only_polls(worker))
            return false;
    }
    return true;
}

static uint32_t lanes_of(const struct emulation *emulation, uint32_t warp)
{
    uint32_t threads = emulation->threads - warp * WARP_LANES;
    return threads >= WARP_LANES ? ALL_LANES : (1u << threads) - 1;
}

static void start_warp(struct worker *worker, struct warp *w, uint32_t number)
{
    const struct emulation *emulation = worker->emulation;
    w->number = number;
    w->block = &worker->block;
    w->instructions = 0;
    begin_slice(w, SLICE);
    w->watched = worker->block.recorded || emulation->options->listener.event;
    w->together = !worker->block.recorded && emulation->options->listener.accesses;
    w->in_order = w->together && emulation->options->listener.halves;
    w->checked = emulation->checks->shared || emulation->checks->global ||
                 (emulation->options->checks.values && worker->block.recorded);
    w->whole = !worker->block.recorded;
    w->event = (struct trace_event){.block = worker->block.number, .warp = number};
    control_start(w, lanes_of(emulation, number));
}

/* Starts all warps of the block: one that polls may wait for a warp that has not begun. They take turns from here
 * on. */
static bool begin_all(struct worker *worker)
{
    const struct emulation *emulation = worker->emulation;
    struct block *block = &worker->block;
    uint32_t now = block->next_warp;
    block->mode = BLOCK_FAST;
    if (!resident_warps(worker, emulation->warps))
        return false;
    struct warp running = worker->warps[0];
    worker->warps[0] = worker->warps[now];
    worker->warps[now] = running;
    for (uint32_t i = 0; i < now; i++) {
        worker->warps[i].state = WARP_DONE;
        worker->warps[i].other_count = 0;
    }
    for (uint32_t i = now + 1; i < emulation->warps; i++)
        start_warp(worker, &worker->warps[i], i);
    return true;
}

static bool run_one_by_one(struct worker *worker)
{
    struct block *block = &worker->block;
    struct warp *w = &worker->warps[0];
    for (; block->next_warp < worker->emulation->warps; block->next_warp++) {
        start_warp(worker, w, block->next_warp);
        while (w->state == WARP_READY && !is_cancelled(worker)) {
            run_slice(w);
            if (w->idle < block->patience)
                continue;
            if (!begin_all(worker))
                worker->emulation->failed = true;
            return worker->emulation->failed || run_fast(worker);
        }
        if (w->state == WARP_WAITING)
            barrier_deadlock(worker);
        if (w->state != WARP_DONE || is_cancelled(worker))
            return true;
    }
    return true;
}

void schedule_start(struct worker *worker)
{
    const struct emulation *emulation = worker->emulation;
    struct block *block = &worker->block;
    block->live_threads = emulation->threads;
    block->live_warps = emulation->warps;
    block->clock = block->instructions = 0;
    endless_start(worker);
    block->waiting = block->next_warp = block->fruitless = 0;
    block->patience = worker->aside_count ? PATIENCE_AGAIN : PATIENCE;
    memset(block->copies, 0, sizeof block->copies);
    memset(block->copied, 0, sizeof block->copied);
    block->bulk_there = 0;
    memset(block->copies_there, 0, sizeof block->copies_there);
    block->barrier_time = block->acquired = block->acquired_by_any = 0;
    for (uint32_t i = 0; i < BARRIERS; i++)
        block->barriers[i] = (struct barrier){.all = 1};
    block->mode = block->recorded ? BLOCK_RECORDED : emulation->waits ? BLOCK_FAST : BLOCK_ONE_BY_ONE;
    for (uint32_t i = 0; i < emulation->warps && block->mode != BLOCK_ONE_BY_ONE; i++)
        start_warp(worker, &worker->warps[i], i);
}

bool schedule_run(struct worker *worker)
{
    struct block *block = &worker->block;
    worker->endless.warp = NULL;
    for (uint32_t i = 0; i < worker->warp_count; i++)
        worker->warps[i].idle = 0;
    bool ended = block->mode == BLOCK_RECORDED ? run_recorded(worker)
                 : block->mode == BLOCK_FAST   ? run_fast(worker)
                                               : run_one_by_one(worker);
    block->patience = PATIENCE_AGAIN;
    return ended;
}
