/* Blocks in flight. A block has its worker to itself until it ends, so memory does not grow with the grid. A block
 * that only polls (a flag, a lock, a barrier of the whole grid) may wait for a block that has not begun. It is put
 * aside with its warps and its shared memory, other blocks begin or continue, and it has its turn again later, as on
 * a GPU, which holds many blocks at once. No more blocks are in flight than a GPU would hold. When all of them poll
 * and none makes progress, it is a deadlock; see schedule.c. Blocks that may depend on each other run on one worker,
 * so that every run is the same. With more workers, a block that polls can wait for its own threads only. */
#include "emulator/run/resident.h"
#include "emulator/check/check.h"
#include "emulator/run/block_record.h"
#include <stdlib.h>

enum { MULTIPROCESSORS = 132 /* of an H200 */, STUCK_ROUNDS = 8 };

struct resident { /* a block put aside, or its empty room */
    struct resident *next;
    struct warp *warps;
    uint32_t warp_count;
    struct block block;
};

uint64_t resident_most(const struct emulation *emulation)
{
    if (emulation->options->resident)
        return emulation->options->resident;
    uint32_t blocks = SM_WARPS_MAX / emulation->warps,
             shared = SM_SHARED / (emulation->shared_bytes + SM_SHARED_RESERVED);
    blocks = blocks > SM_BLOCKS_MAX ? SM_BLOCKS_MAX : blocks;
    blocks = blocks > shared ? shared : blocks;
    return (uint64_t)MULTIPROCESSORS * (blocks ? blocks : 1);
}

static void take(struct worker *worker, const struct resident *room)
{
    worker->warps = room->warps;
    worker->warp_count = room->warp_count;
    worker->block = room->block;
}

bool resident_room(struct worker *worker)
{
    const struct emulation *emulation = worker->emulation;
    struct resident *room = worker->spare;
    if (worker->warps)
        return true;
    if (room) {
        worker->spare = room->next;
        take(worker, room);
        free(room);
        return true;
    }
    struct block *block = &worker->block;
    memset(block, 0, sizeof *block);
    worker->warp_count = 0;
    worker->warps = aligned_alloc(64, emulation->warps * sizeof *worker->warps);
    block->shared = calloc(emulation->shared_bytes + 16, 1);
    return checks_block_new(emulation, block) && worker->warps && block->shared;
}

bool resident_warps(struct worker *worker, uint32_t count)
{
    const struct emulation *emulation = worker->emulation;
    const struct code *code = emulation->code;
    for (; worker->warp_count < count; worker->warp_count++) {
        struct warp *w = &worker->warps[worker->warp_count];
        memset(w, 0, sizeof *w);
        w->worker = worker;
        w->recent = worker->recent;
        w->batches = worker->batches;
        w->bottom = aligned_alloc(64, (sizeof *w->bottom + code->frame_bytes + 63) / 64 * 64);
        w->local = calloc(emulation->local_bytes ? emulation->local_bytes : 1, WARP_LANES);
        if (!w->bottom || !w->local) {
            free(w->bottom);
            free(w->local);
            return false;
        }
        memset(w->bottom, 0, sizeof *w->bottom + code->frame_bytes);
        w->bottom->code = code;
        memcpy(w->bottom->rows + code->constant_start, code->constants, code->frame_bytes - code->constant_start);
    }
    return true;
}

static void free_room(struct worker *worker)
{
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        free(worker->warps[i].bottom);
        free(worker->warps[i].local);
        free(worker->warps[i].joins);
    }
    free(worker->warps);
    free(worker->block.shared);
    checks_block_free(&worker->block);
    free(worker->block.output.items);
    record_drop(worker->block.record);
    worker->warps = NULL;
}

bool resident_put_aside(struct worker *worker)
{
    struct resident *room = malloc(sizeof *room);
    if (!room)
        return false;
    *room = (struct resident){NULL, worker->warps, worker->warp_count, worker->block};
    if (worker->aside)
        worker->aside_last->next = room;
    else
        worker->aside = room;
    worker->aside_last = room;
    worker->aside_count++;
    worker->warps = NULL;
    return true;
}

/* Puts the worker's room among the empty ones: its block has ended, or none has begun. */
static bool empty_room(struct worker *worker)
{
    if (!worker->warps)
        return true;
    struct resident *room = malloc(sizeof *room);
    if (!room)
        return false;
    *room = (struct resident){worker->spare, worker->warps, worker->warp_count, worker->block};
    worker->spare = room;
    return true;
}

bool resident_resume(struct worker *worker)
{
    struct resident *room = worker->aside;
    if (!room || !empty_room(worker))
        return false;
    worker->aside = room->next;
    worker->aside_count--;
    take(worker, room);
    free(room);
    return true;
}

static void free_list(struct worker *worker, struct resident *room)
{
    for (struct resident *next; room; room = next) {
        next = room->next;
        take(worker, room);
        free_room(worker);
        free(room);
    }
}

void resident_free(struct worker *worker)
{
    free_room(worker);
    free_list(worker, worker->aside);
    free_list(worker, worker->spare);
}

static bool may_start(const struct worker *worker)
{
    const struct emulation *emulation = worker->emulation;
    bool taken = worker->next_block < worker->end_block;
    uint64_t next = taken ? worker->next_block : atomic_load(&emulation->next_block);
    if (next >= emulation->end_block || next > emulation->stop_after)
        return false;
    return !worker->aside_count || worker->in_flight < emulation->resident;
}

/* Takes the next block. Workers take several at a time when there are many and none depends on another. */
static bool start(struct worker *worker, uint64_t *number)
{
    struct emulation *emulation = worker->emulation;
    if (worker->next_block == worker->end_block) {
        worker->next_block = atomic_fetch_add(&emulation->next_block, emulation->blocks_at_once);
        worker->end_block = worker->next_block + emulation->blocks_at_once;
    }
    *number = worker->next_block++;
    if (*number >= emulation->end_block || *number > emulation->stop_after)
        return false;
    worker->in_flight++;
    worker->fresh -= worker->fresh > 0;
    return true;
}

/* A deadlock is certain when no block made progress for so many rounds that every thread has seen the last change. */
bool resident_deadlock(const struct worker *worker)
{
    return worker->stuck && worker->waited > worker->emulation->budget && worker->stuck_rounds >= STUCK_ROUNDS &&
           worker->lowest >= worker->block.number;
}

/* Begins a round: all blocks that were put aside have had their turn. If one of them made progress, all have another
 * turn. Else as many more blocks begin as are aside, so that few turns are in vain whether many blocks are needed or
 * one. */
static void next_round(struct worker *worker, bool more)
{
    bool moved = worker->progress != worker->round_progress;
    worker->round_progress = worker->progress;
    worker->turns = worker->aside_count;
    worker->fresh = moved || !more ? 0 : worker->aside_count;
    worker->lowest = UINT64_MAX;
    for (const struct resident *room = worker->aside; room; room = room->next)
        worker->lowest = room->block.number < worker->lowest ? room->block.number : worker->lowest;
    worker->stuck = !moved && !more;
    worker->stuck_rounds = worker->stuck ? worker->stuck_rounds + 1 : 0;
    worker->waited = worker->stuck ? worker->waited : 0;
}

enum resident_next resident_next(struct worker *worker, uint64_t *number)
{
    for (;;) {
        bool more = may_start(worker);
        if (more && (worker->fresh || !worker->aside_count)) {
            if (start(worker, number))
                return RESIDENT_NEW;
            continue;
        }
        if (!worker->aside_count || (worker->stuck && atomic_load(&worker->emulation->broken)))
            return RESIDENT_NONE;
        if (worker->turns == 0) {
            next_round(worker, more);
            continue;
        }
        worker->turns--;
        if (resident_resume(worker))
            return RESIDENT_RESUMED;
        worker->emulation->failed = true; /* no memory */
        return RESIDENT_NONE;
    }
}
