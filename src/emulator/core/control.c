/* Flow of control. Lanes that diverge at a branch become fragments. They reconverge at a join, which is the branch's
 * immediate post-dominator. A fragment runs until it arrives at its join, ends, or waits; then another fragment of
 * the warp runs. A fragment that polls memory in vain yields, and lanes at a join do not wait for it for ever:
 * threads of a warp progress independently, as from compute capability 7.0 on. */
#include "emulator/core/control.h"
#include "base/processor.h"
#include "emulator/check/fault.h"
#include "emulator/core/barrier.h"
#include "emulator/core/emulation.h"
#include "emulator/run/block_record.h"
#include <stdlib.h>

enum { PATIENCE = 4096, DEPTH_MAX = 4096 };

static uint32_t join_new(struct warp *w, struct join join)
{
    uint32_t index;
    if (w->free_join >= 0) {
        index = (uint32_t)w->free_join;
        w->free_join = w->joins[index].parent;
    } else {
        if (w->join_count == w->join_capacity) {
            size_t capacity = w->join_capacity;
            w->joins = array_grow(w->joins, &capacity, w->join_count + 1, sizeof *w->joins);
            w->join_capacity = (uint32_t)capacity;
        }
        index = w->join_count++;
    }
    w->joins[index] = join;
    return index;
}

static void join_free(struct warp *w, uint32_t index)
{
    w->joins[index].expected = w->joins[index].arrived = 0;
    w->joins[index].parent = w->free_join;
    w->free_join = (int32_t)index;
}

static void frame_free(struct warp *w, struct frame *frame)
{
    struct worker *worker = w->worker;
    size_t index = (size_t)(frame->code - worker->emulation->codes);
    frame->parent = worker->free_frames[index];
    worker->free_frames[index] = frame;
}

static void enter_frame(struct warp *w, struct frame *frame)
{
    w->frame = frame;
    w->rows = frame->rows;
}

static void push_fragment(struct warp *w, struct fragment fragment)
{
    w->others[w->other_count++] = fragment;
}

struct fragment *control_park(struct warp *w, const struct op *pc, enum fragment_state state)
{
    push_fragment(w,
                  (struct fragment){.pc = pc, .frame = w->frame, .mask = w->active, .join = w->join, .state = state});
    return &w->others[w->other_count - 1];
}

COUNTS_BITS static void take_up(struct warp *w, uint32_t index)
{
    struct fragment f = w->others[index];
    if (index < --w->other_count)
        memmove(w->others + index, w->others + index + 1, (w->other_count - index) * sizeof f);
    enter_frame(w, f.frame);
    w->join = f.join;
    w->pc = f.pc;
    w->gathered = f.gathered;
    set_active(w, f.mask);
    w->state = WARP_READY;
    if (f.ready > w->ready)
        w->ready = f.ready;
}

bool control_next(struct warp *w)
{
    for (uint32_t i = w->other_count; i-- > 0;) {
        if (w->others[i].state == FRAGMENT_READY) {
            take_up(w, i);
            return true;
        }
    }
    return false;
}

void control_wait(struct warp *w)
{
    if (w->state == WARP_FAULT || control_next(w))
        return;
    w->active = w->mask = 0;
    w->state = w->live ? WARP_WAITING : WARP_DONE;
    if (!w->live)
        w->block->live_warps--;
}

/* All lanes that are still expected have arrived: they continue together. */
COUNTS_BITS static void join_complete(struct warp *w, uint32_t index, bool current)
{
    struct join join = w->joins[index];
    join_free(w, index);
    const struct op *pc = join.at;
    if (join.callee) {
        frame_free(w, join.callee);
    } else if (w->watched) {
        record_event(w, TRACE_RECONVERGE, join.site, join.expected, 0);
    }
    if (current) {
        enter_frame(w, join.frame);
        w->join = join.parent;
        w->pc = pc;
        set_active(w, join.expected);
    } else {
        push_fragment(w, (struct fragment){.pc = pc, .frame = join.frame, .mask = join.expected, .join = join.parent});
    }
}

/* The active lanes have arrived at their join: they wait there for those that are missing. */
static void arrive(struct warp *w)
{
    struct join *join = &w->joins[w->join];
    join->arrived |= w->active;
    if (join->arrived == join->expected)
        join_complete(w, (uint32_t)w->join, true);
    else
        control_wait(w);
}

const struct op *control_join(struct warp *w, const struct op *op)
{
    if (w->join < 0 || w->joins[w->join].at != op || w->joins[w->join].frame != w->frame) {
        w->pc = op + 1;
        return NULL;
    }
    arrive(w);
    return NULL;
}

/* Returns the join for a branch of the current fragment. A branch that reconverges at the fragment's own join shares
 * that join. */
static int32_t join_for(struct warp *w, const struct op *meet, uint32_t site)
{
    if (!meet)
        return w->join;
    if (w->join >= 0 && w->joins[w->join].at == meet && w->joins[w->join].frame == w->frame)
        return w->join;
    return (int32_t)join_new(
        w, (struct join){.at = meet, .frame = w->frame, .expected = w->active, .parent = w->join, .site = site});
}

/* Sends some lanes elsewhere: directly to the join, or as a fragment that runs later. */
static void send(struct warp *w, const struct op *target, const struct op *meet, uint32_t lanes)
{
    if (target == meet)
        w->joins[w->join].arrived |= lanes;
    else
        push_fragment(w, (struct fragment){.pc = target, .frame = w->frame, .mask = lanes, .join = w->join});
}

static void part(struct warp *w, const struct op *op, const struct branch *branch, uint32_t taken)
{
    uint32_t passed = w->active & ~taken;
    w->join = join_for(w, branch->meet, op->site);
    if (op + 1 == branch->meet) {
        w->joins[w->join].arrived |= passed;
        w->pc = branch->target;
        set_active(w, taken);
        return;
    }
    send(w, branch->target, branch->meet, taken);
    w->pc = op + 1;
    set_active(w, passed);
}

static void note_branch(struct warp *w, const struct op *op, uint32_t taken)
{
    w->worker->totals.branches++;
    w->worker->totals.branches_divergent += taken != 0 && taken != w->active;
    if (w->watched)
        record_event(w, TRACE_BRANCH_TAKEN, op->site, w->active, taken);
}

COUNTS_BITS const struct op *control_branch(struct warp *w, const struct op *op)
{
    const struct branch *branch = op->extra;
    uint32_t taken = (*predicate(w, op->a) ^ op->flip) & w->active;
    bool parts = taken != 0 && taken != w->active;
    if (branch->counted)
        note_branch(w, op, taken);
    if (parts)
        part(w, op, branch, taken);
    else
        w->pc = taken ? branch->target : op + 1;
    return NULL;
}

const struct op *control_branch_uniform(struct warp *w, const struct op *op)
{
    const struct branch *branch = op->extra;
    w->pc = branch->target;
    return NULL;
}

/* Returns the lanes that branch to the same target as the lowest lane. */
static uint32_t lanes_together(const struct warp *w, const struct op *op, uint32_t lanes)
{
    uint64_t const index = lane_get(w, op->a, 4, lowest(lanes));
    uint32_t together = 0;
    EACH_LANE(l, lanes) together |= (uint32_t)(lane_get(w, op->a, 4, l) == index) << l;
    return together;
}

COUNTS_BITS const struct op *control_branch_table(struct warp *w, const struct op *op)
{
    const struct branch *branch = op->extra;
    uint32_t left = w->active;
    int32_t outer = w->join, inner = outer;
    const struct op *last = NULL;
    uint32_t lanes = 0;
    note_branch(w, op, lanes_together(w, op, left));
    while (left) {
        uint64_t index = lane_get(w, op->a, 4, lowest(left));
        if (index >= branch->target_count)
            return fault_at(w, op, lowest(left),
                            &(struct finding){.form = FINDING_BRANCH_TABLE,
                                              .branch = {.index = index, .targets = branch->target_count}});
        lanes = lanes_together(w, op, left);
        left &= ~lanes;
        last = branch->targets[index];
        if (left && inner == outer)
            w->join = inner = join_for(w, branch->meet, op->site);
        if (left)
            send(w, last, branch->meet, lanes);
    }
    if (last == branch->meet && inner != outer) {
        w->joins[inner].arrived |= lanes;
        control_wait(w);
    } else {
        w->pc = last;
        set_active(w, lanes);
    }
    return NULL;
}

/* Runs the next op, a predicated instruction, for the lanes whose predicate holds. */
COUNTS_BITS const struct op *control_guard(struct warp *w, const struct op *op)
{
    uint32_t mask = (*predicate(w, op->a) ^ op->flip) & w->active;
    if (mask == 0)
        return op + 2;
    w->mask = mask;
    const struct op *next = op[1].run[variant_of(mask)](w, op + 1);
    w->mask = w->active;
    return next;
}

/* Expects the lanes no longer at a join, because they left the function. Returns the join outside of it. */
static int32_t leave_join(struct warp *w, int32_t index, uint32_t lanes)
{
    struct join *join = &w->joins[index];
    int32_t const parent = join->parent;
    join->expected &= ~lanes;
    if (join->expected == 0) {
        if (join->callee)
            frame_free(w, join->callee);
        join_free(w, (uint32_t)index);
    } else if (join->arrived == join->expected) {
        join_complete(w, (uint32_t)index, false);
    }
    return parent;
}

COUNTS_BITS const struct op *control_exit(struct warp *w, const struct op *op)
{
    (void)op;
    uint32_t lanes = w->active;
    if (w->watched)
        record_event(w, TRACE_EXIT, PTX_NO_INDEX, lanes, 0);
    w->live &= ~lanes;
    w->block->live_threads -= (uint32_t)__builtin_popcount(lanes);
    for (int32_t i = w->join; i >= 0;)
        i = leave_join(w, i, lanes);
    barrier_warp_check(w);
    if (w->worker->emulation->waits)
        barrier_check(w->block, w->worker);
    control_wait(w);
    return NULL;
}

const struct op *control_trap(struct warp *w, const struct op *op)
{
    return fault_at(w, op, lowest(w->active), &(struct finding){.form = FINDING_TRAPPED});
}

const struct op *control_call_nowhere(struct warp *w, const struct op *op)
{
    return fault_at(w, op, lowest(w->mask), &(struct finding){.form = FINDING_CALL_NOWHERE});
}

static void fill_wide(uint8_t *to, uint64_t value)
{
    uint64_t row[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        row[lane] = value;
    memcpy(to, row, sizeof row);
}

static void fill_narrow(uint8_t *to, uint32_t value)
{
    uint32_t row[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        row[lane] = value;
    memcpy(to, row, sizeof row);
}

/* Fills a row that depends on the warp, the block or the frame's place. Rows that are the same in a whole launch are
 * constants; see decode_special. */
static void fill_special(const struct warp *w, struct frame *frame, const struct special_row *row)
{
    uint8_t *to = frame->rows + row->offset;
    if (row->special == PTX_SR_tid) {
        const uint32_t *from = w->worker->emulation->tid[row->component] + w->number * WARP_LANES;
        uint64_t wide[WARP_LANES];
        for (unsigned lane = 0; row->wide && lane < WARP_LANES; lane++)
            wide[lane] = from[lane];
        if (row->wide)
            memcpy(to, wide, sizeof wide);
        else
            memcpy(to, from, WARP_LANES * sizeof *from);
        return;
    }
    uint64_t const value = row->special == SPECIAL_LOCAL   ? frame->local_base + row->addend
                           : row->special == PTX_SR_warpid ? w->number
                                                           : w->block->index[row->component];
    if (row->wide)
        fill_wide(to, value);
    else
        fill_narrow(to, (uint32_t)value);
}

static void frame_init(struct warp *w, struct frame *frame)
{
    const struct code *code = frame->code;
    if (code->clear)
        memset(frame->rows, 0, code->register_end);
    for (uint32_t i = 0; i < code->special_count; i++)
        fill_special(w, frame, &code->specials[i]);
}

void control_start(struct warp *w, uint32_t lanes)
{
    w->join = w->free_join = -1;
    w->join_count = 0;
    w->other_count = 0;
    w->carry = 0;
    w->polls = w->idle = 0;
    w->sync_time = w->acquired = 0;
    w->gathered = w->parted = false;
    w->live = lanes;
    w->state = WARP_READY;
    w->ready = w->hold = w->flight = 0;
    w->bottom->local_base = w->worker->emulation->stack_bytes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        w->stack[lane] = w->bottom->local_base;
    enter_frame(w, w->bottom);
    frame_init(w, w->bottom);
    w->pc = w->frame->code->ops;
    set_active(w, lanes);
}

static struct frame *frame_new(struct warp *w, const struct code *code)
{
    struct worker *worker = w->worker;
    size_t index = (size_t)(code - worker->emulation->codes);
    struct frame *frame = worker->free_frames[index];
    if (frame) {
        worker->free_frames[index] = frame->parent;
        return frame;
    }
    frame = aligned_alloc(64, (sizeof *frame + code->frame_bytes + 63) / 64 * 64);
    if (!frame)
        return NULL;
    memset(frame, 0, sizeof *frame + code->frame_bytes);
    frame->code = code;
    frame->made_before = worker->made;
    worker->made = frame;
    memcpy(frame->rows + code->constant_start, code->constants, code->frame_bytes - code->constant_start);
    return frame;
}

/* Copies arguments or results between frames, for some lanes. */
static void copy_values(const struct warp *w, const struct frame *from, struct frame *to,
                        const struct call_value *values, uint32_t count, uint32_t lanes)
{
    uint64_t stride = w->worker->emulation->local_bytes;
    for (uint32_t i = 0; i < count; i++) {
        const struct call_value *v = &values[i];
        if (v->predicate) {
            uint32_t given, kept;
            memcpy(&given, from->rows + v->from, sizeof given);
            memcpy(&kept, to->rows + v->to, sizeof kept);
            kept = (kept & ~lanes) | (given & lanes);
            memcpy(to->rows + v->to, &kept, sizeof kept);
            continue;
        }
        EACH_LANE(l, lanes)
        {
            uint8_t *local = w->local + l * stride;
            unsigned step = v->row_bytes == 8 ? 8 : 4;
            const uint8_t *source =
                v->in_register ? from->rows + v->from + step * l : local + from->local_base + v->from;
            uint8_t *target = v->callee_register ? to->rows + v->to + step * l : local + to->local_base + v->to;
            memcpy(target, source, v->bytes);
        }
    }
}

static const struct op *call_into(struct warp *w, const struct op *op, const struct code *callee)
{
    const struct call *call = op->extra;
    uint64_t base = (uint64_t)w->frame->local_base + w->frame->code->local_bytes;
    if (w->frame->depth >= DEPTH_MAX || base + callee->local_bytes > w->worker->emulation->local_bytes)
        return fault_at(
            w, op, lowest(w->active),
            &(struct finding){.form = FINDING_STACK_CALLS,
                              .address = base,
                              .stack = {.depth = w->frame->depth + 1, .size = w->worker->emulation->local_bytes}});
    struct frame *frame = frame_new(w, callee);
    if (!frame)
        return fault_at(w, op, lowest(w->active), &(struct finding){.form = FINDING_STACK_MEMORY, .address = base});
    frame->parent = w->frame;
    frame->depth = w->frame->depth + 1;
    frame->local_base = (uint32_t)base;
    frame_init(w, frame);
    copy_values(w, w->frame, frame, call->arguments, call->argument_count, w->active);
    w->join = (int32_t)join_new(
        w, (struct join){
               .at = op + 1, .frame = w->frame, .callee = frame, .expected = w->active, .parent = w->join, .call = op});
    enter_frame(w, frame);
    w->pc = callee->ops;
    return NULL;
}

COUNTS_BITS const struct op *control_call(struct warp *w, const struct op *op)
{
    const struct call *call = op->extra;
    if (call->callee)
        return call_into(w, op, call->callee);
    /* Lanes that call another function through the pointer do so after these have returned; op + 1 is a join. */
    uint64_t target = lane_get(w, op->a, 8, lowest(w->active));
    uint64_t index = (target - EMULATOR_CODE_BASE) / 16;
    const struct emulation *emulation = w->worker->emulation;
    if (target < EMULATOR_CODE_BASE || index >= emulation->module->function_count || !emulation->codes[index].ops)
        return fault_at(w, op, lowest(w->active), &(struct finding){.form = FINDING_CALL_NOWHERE, .address = target});
    if (emulation->codes[index].signature != call->signature)
        return fault_at(w, op, lowest(w->active),
                        &(struct finding){.form = FINDING_CALL_OTHER,
                                          .address = target,
                                          .call = {.function = emulation->module->functions[index].name}});
    uint32_t lanes = 0;
    EACH_LANE(l, w->active) if (lane_get(w, op->a, 8, l) == target) lanes |= 1u << l;
    if (lanes != w->active) {
        w->join = join_for(w, op + 1, PTX_NO_INDEX);
        push_fragment(w, (struct fragment){.pc = op, .frame = w->frame, .mask = w->active & ~lanes, .join = w->join});
        set_active(w, lanes);
    }
    return call_into(w, op, &emulation->codes[index]);
}

const struct op *control_return(struct warp *w, const struct op *op)
{
    struct frame *frame = w->frame;
    if (!frame->parent)
        return control_exit(w, op);
    while (!w->joins[w->join].callee) /* a return by some lanes, inside a branch of the function */
        w->join = leave_join(w, w->join, w->active);
    struct join *join = &w->joins[w->join];
    const struct call *call = join->call->extra;
    copy_values(w, frame, join->frame, call->results, call->result_count, w->active);
    arrive(w);
    return NULL;
}

void control_release_joins(struct warp *w)
{
    for (uint32_t i = 0; i < w->join_count; i++) {
        struct join *join = &w->joins[i];
        if (!join->arrived || join->callee)
            continue;
        push_fragment(
            w, (struct fragment){.pc = join->at, .frame = join->frame, .mask = join->arrived, .join = join->parent});
        join->expected &= ~join->arrived;
        join->arrived = 0;
        w->parted = true;
    }
}

void control_yield(struct warp *w)
{
    if (w->polls >= PATIENCE || (w->idle && w->worker->stuck)) {
        control_release_joins(w);
        w->polls = 0;
    }
    uint32_t first = 0;
    while (first < w->other_count && w->others[first].state != FRAGMENT_READY)
        first++;
    if (first == w->other_count)
        return;
    control_park(w, w->pc, FRAGMENT_READY)->gathered = w->gathered;
    take_up(w, first);
}
