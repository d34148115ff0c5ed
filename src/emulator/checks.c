/* What is known of each byte of shared memory: who wrote and read it last since the last barrier of the block. Two
 * threads that touch a byte between the same two barriers, one of them writing, are a race; a byte read that nobody
 * wrote is worth saying. Atomics do not race with each other. Lanes of one warp are ordered by what makes them wait for
 * each other for memory's sake (bar.warp.sync; not shuffles or votes), not by running in step. Two that write the same
 * value do not race. All this is what compute-sanitizer's racecheck says on an H200; unlike it, a plain access and an
 * atomic by another thread race, too. */
#include "emulator/machine.h"
#include <stdlib.h>

enum copied { NOT_COPIED, COPIED_BY_THREAD, COPIED_IN_BULK }; /* what wrote last */

struct cell {
    uint32_t write_epoch, read_epoch; /* 0: never */
    uint32_t writer_site, reader_site;
    uint32_t write_sync, read_sync; /* the warp's count of syncs then */
    uint16_t writer, reader;        /* threads of the block */
    uint8_t value;                  /* that was written */
    uint32_t group;                 /* of cp.async, of the writer's warp; in bulk: waits for objects until then */
    enum copied copied;
    bool write_atomic, read_atomic, read_by_several;
};

struct shadow {
    uint32_t epoch;
    struct cell cells[];
};

struct shadow *checks_new(uint32_t bytes)
{
    return calloc(1, sizeof(struct shadow) + bytes * sizeof(struct cell));
}

void checks_block(struct block *block, const struct machine *machine)
{
    memset(block->shadow->cells, 0, machine->shared_bytes * sizeof(struct cell));
    block->shadow->epoch = 1;
}

void checks_barrier(struct block *block, const struct machine *machine)
{
    (void)machine;
    block->shadow->epoch++;
}

static void thread_of(const struct machine *machine, uint32_t linear, uint32_t thread[3])
{
    const uint32_t *block = machine->launch->block;
    thread[0] = linear % block[0];
    thread[1] = linear / block[0] % block[1];
    thread[2] = linear / block[0] / block[1];
}

/* Keeps one hazard for each pair of instructions: the one in the lowest block, and there the first. */
void checks_hazard(struct warp *w, const struct op *op, enum ptx_space space, uint64_t address, uint32_t site,
                   uint64_t block, uint16_t other, uint16_t self, const char *message)
{
    struct machine *machine = w->worker->machine;
    struct emulator_hazard hazard = {.space = space,
                                     .first_site = site,
                                     .second_site = op->site,
                                     .block = w->block->number,
                                     .first_block = block,
                                     .address = address,
                                     .message = message};
    thread_of(machine, other, hazard.first_thread);
    thread_of(machine, self, hazard.second_thread);
    pthread_mutex_lock(&machine->lock);
    for (size_t i = 0; i < machine->hazards.count; i++) {
        struct emulator_hazard *known = &machine->hazards.items[i];
        if (known->first_site != hazard.first_site || known->second_site != hazard.second_site ||
            known->message != message)
            continue;
        if (known->block > hazard.block)
            *known = hazard;
        pthread_mutex_unlock(&machine->lock);
        return;
    }
    array_push(&machine->hazards, hazard);
    pthread_mutex_unlock(&machine->lock);
}

static const char raw[] = "Read after write: one thread reads what another wrote, with no barrier between";
static const char war[] = "Write after read: one thread overwrites what another reads, with no barrier between";
static const char waw[] = "Write after write: two threads write the same place, with no barrier between";

/* Is an earlier access by another thread not ordered before this one? Both lie between the same barriers. */
static bool unordered(const struct warp *w, uint16_t other, uint16_t self, uint32_t sync)
{
    return other / WARP_LANES != self / WARP_LANES || (other != self && sync == w->syncs);
}

/* The byte that a lane wrote. */
static uint8_t written_byte(const struct warp *w, const struct access *access, unsigned lane, unsigned at)
{
    if (access->staged)
        return w->worker->staged[lane][at];
    uint32_t row = access->rows[at / access->bytes];
    return (uint8_t)(lane_get(w, row, access->row_bytes, lane) >> 8 * (at % access->bytes));
}

/* Did nobody wait for the copy that wrote this? For one in bulk, any wait for a barrier object since will do. */
static bool is_in_flight(const struct block *block, const struct cell *cell)
{
    if (cell->copied == COPIED_IN_BULK)
        return cell->group == block->awaited;
    return cell->copied && cell->group >= block->copied[cell->writer / WARP_LANES];
}

static void check_byte(struct warp *w, const struct op *op, struct cell *cell, uint64_t address, uint16_t self,
                       bool reads, bool writes, bool atomic, uint8_t value)
{
    uint32_t epoch = w->block->shadow->epoch;
    bool races = w->worker->machine->options->check_races;
    bool other_wrote = cell->write_epoch == epoch && !(atomic && cell->write_atomic) &&
                       unordered(w, cell->writer, self, cell->write_sync) &&
                       (reads || cell->write_atomic || cell->value != value);
    bool other_read = cell->read_epoch == epoch && !(atomic && cell->read_atomic) &&
                      (cell->read_by_several || unordered(w, cell->reader, self, cell->read_sync));
    bool in_flight = is_in_flight(w->block, cell);
    if (races && (other_wrote || in_flight))
        checks_hazard(w, op, PTX_SPACE_SHARED, address, cell->writer_site, w->block->number, cell->writer, self,
                      writes ? waw : raw);
    else if (races && writes && other_read)
        checks_hazard(w, op, PTX_SPACE_SHARED, address, cell->reader_site, w->block->number, cell->reader, self, war);
    if (reads) {
        bool again = cell->read_epoch == epoch;
        cell->read_by_several = again && (cell->read_by_several || cell->reader / WARP_LANES != self / WARP_LANES);
        cell->read_epoch = epoch, cell->reader = self, cell->reader_site = op->site, cell->read_atomic = atomic;
        cell->read_sync = w->syncs;
    }
    if (writes) {
        cell->write_epoch = epoch, cell->writer = self, cell->writer_site = op->site, cell->write_atomic = atomic;
        cell->write_sync = w->syncs, cell->value = value;
        cell->copied = NOT_COPIED;
    }
}

static void note_unwritten(struct warp *w, const struct op *op, unsigned lane, uint64_t address)
{
    const struct shared_array *array = origin_at(w->worker->machine, address);
    if (array)
        fault_note(w, op, lane, "uninitialized read", address,
                   "Uninitialized __shared__ memory read: nobody in the block has written byte %llu of %s",
                   (unsigned long long)(address - array->base), array->name);
    else
        fault_note(w, op, lane, "uninitialized read", address,
                   "Uninitialized __shared__ memory read: nobody in the block has written offset %llu",
                   (unsigned long long)address);
}

const struct op *checks_divisor(struct warp *w, const struct op *op)
{
    unsigned bytes = (unsigned)op->immediate;
    uint64_t all = bytes == 2 ? UINT16_MAX : UINT64_MAX;
    EACH_LANE(l, w->mask)
    {
        if (lane_get(w, op->b, bytes, l) & all)
            continue;
        fault_note(w, op, l, "division by zero", 0, "Integer division by zero: hardware gives a number all the same");
        break;
    }
    return op + 1;
}

static bool check_global(struct warp *w, const struct op *op, unsigned lane, uint64_t address, bool atomic)
{
    const struct access *access = op->extra;
    uint8_t bytes[32] = {0};
    bool store = access->store && !atomic;
    for (unsigned i = 0; i < access->total && store; i++)
        bytes[i] = written_byte(w, access, lane, i);
    return global_access(w, op, lane, address, access->total,
                         atomic  ? GLOBAL_ATOMIC
                         : store ? GLOBAL_STORE
                                 : GLOBAL_LOAD,
                         store ? bytes : NULL);
}

/* Is the access outside the array whose address it was made from? */
static bool leaves_array(const struct warp *w, const struct access *access, uint64_t offset)
{
    const struct shared_array *array = access->array;
    return array && w->worker->machine->options->check_memory &&
           (offset < array->base || offset + access->total > array->base + array->size);
}

void checks_copy(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes)
{
    const struct access *access = op->extra;
    uint16_t self = (uint16_t)(w->number * WARP_LANES + lane);
    for (unsigned i = 0; i < access->total; i++) {
        struct cell *cell = &w->block->shadow->cells[offset + i];
        check_byte(w, op, cell, offset + i, self, false, true, false, bytes[i]);
        cell->copied = COPIED_BY_THREAD;
        cell->group = w->block->copies[w->number];
    }
}

void checks_bulk(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes, bool writes)
{
    enum { PIECE = 16 };
    uint16_t self = (uint16_t)(w->number * WARP_LANES + lane);
    for (unsigned i = 0; i < PIECE; i++) {
        struct cell *cell = &w->block->shadow->cells[offset + i];
        if (!writes && cell->write_epoch == 0 && w->worker->machine->options->check_memory)
            note_unwritten(w, op, lane, offset + i);
        check_byte(w, op, cell, offset + i, self, !writes, writes, false, bytes[i]);
        if (writes)
            cell->copied = COPIED_IN_BULK, cell->group = w->block->awaited;
    }
}

bool checks_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses, bool atomic)
{
    const struct machine *machine = w->worker->machine;
    const struct access *access = op->extra;
    bool noted = !machine->options->check_memory;
    if (machine->watch_races) /* one worker then */
        w->worker->machine->time++;
    EACH_LANE(l, mask)
    {
        uint64_t address = addresses[l];
        bool generic = access->space == PTX_SPACE_GENERIC;
        if (machine->watch_global &&
            (access->space == PTX_SPACE_GLOBAL || (generic && address >= EMULATOR_GLOBAL_BASE))) {
            if (!check_global(w, op, l, address, atomic))
                return false;
            continue;
        }
        if (!machine->shadowed)
            continue;
        if (generic && address < EMULATOR_GLOBAL_BASE && address >= EMULATOR_SHARED_BASE)
            address -= EMULATOR_SHARED_BASE;
        else if (access->space != PTX_SPACE_SHARED)
            continue;
        if (leaves_array(w, access, address))
            return fault_array(w, op, l, address) != NULL;
        uint16_t self = (uint16_t)(w->number * WARP_LANES + l);
        for (unsigned i = 0; i < access->total; i++) {
            struct cell *cell = &w->block->shadow->cells[address + i];
            if (!noted && (atomic || !access->store) && cell->write_epoch == 0) {
                note_unwritten(w, op, l, address);
                noted = true;
            }
            uint8_t value = access->store && !atomic ? written_byte(w, access, l, i) : 0;
            check_byte(w, op, cell, address + i, self, atomic || !access->store, access->store, atomic, value);
        }
    }
    return true;
}
