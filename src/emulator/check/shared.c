/* What is known of each byte of shared memory: who wrote and read it last. Two threads that touch a byte, one of them
 * writing, are a race unless something orders them: a barrier of the block; what makes lanes of one warp wait for each
 * other for memory's sake (bar.warp.sync; not shuffles or votes), and not running in step; a phase of a barrier object,
 * or a barrier of some threads, that the later one saw complete (order.c). A byte read that nobody wrote is worth
 * saying. Atomics do not race with each other. Two that write the same value do not race. All this is what
 * compute-sanitizer's racecheck says on an H200; unlike it, a plain access and an atomic by another thread race, too.
 * Where only barriers of the whole block order warps, all who read since the last one are alike, and the last of them
 * stands for all; else each is kept, until the byte is written. */
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/check/order.h"
#include "emulator/memory/memory.h"
#include <stdlib.h>

enum copied { NOT_COPIED, COPIED_BY_THREAD, COPIED_IN_BULK }; /* what wrote last */
enum how { /* READ_BY_WARPS: several, since the last barrier; BY_LANES: of one warp, since its last sync */
           WRITE_ATOMIC = 1,
           READ_ATOMIC = 2,
           READ_BY_WARPS = 4,
           READ_BY_LANES = 8
};
enum { READERS_MAX = 1 << 18 }; /* of a block; further ones are not kept */

struct cell {
    uint64_t write_time, read_time; /* 0: never */
    uint32_t writer_site, reader_site, other_site;
    uint32_t group;          /* of cp.async, of the writer's warp; in bulk: the object's number */
    uint32_t readers;        /* index in shadow.readers + 1; 0: none, or they are not kept */
    uint16_t writer, reader; /* threads of the block */
    uint16_t other;          /* reader of another warp, or of READ_BY_LANES alone another lane */
    uint8_t value;           /* that was written */
    uint8_t copied;          /* enum copied */
    uint8_t how;             /* enum how */
};

struct reader { /* lanes of a warp that read a byte at the same time; an atomic writes it, too */
    uint64_t time;
    uint32_t next, site, lanes;
    uint16_t warp;
    bool atomic;
};

struct shadow {
    struct {
        struct reader *items;
        size_t count, capacity;
    } readers;
    uint32_t spare; /* first of those that are free, as cell.readers */
    struct cell cells[];
};

struct shadow *checks_new(uint32_t bytes)
{
    return calloc(1, sizeof(struct shadow) + bytes * sizeof(struct cell));
}

void checks_free(struct shadow *shadow)
{
    if (shadow)
        free(shadow->readers.items);
    free(shadow);
}

void checks_block(struct block *block, const struct machine *machine)
{
    memset(block->shadow->cells, 0, machine->shared_bytes * sizeof(struct cell));
    block->shadow->readers.count = 0;
    block->shadow->spare = 0;
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
                   uint64_t block, uint16_t other, uint16_t self, enum finding_order order)
{
    struct machine *machine = w->worker->machine;
    struct finding hazard = {.kind = FINDING_RACE,
                             .form = FINDING_RACING,
                             .at = {.site = op->site, .block = w->block->number},
                             .lanes = 1u << self % WARP_LANES,
                             .address = address,
                             .time = w->worker->time,
                             .race = {.order = order, .space = space, .first = {.site = site, .block = block}}};
    thread_of(machine, other, hazard.race.first.thread);
    thread_of(machine, self, hazard.at.thread);
    pthread_mutex_lock(&machine->lock);
    for (size_t i = 0; i < machine->hazards.count; i++) {
        struct finding *known = &machine->hazards.items[i];
        if (known->race.first.site != site || known->at.site != op->site || known->race.order != order ||
            known->race.space != space)
            continue;
        if (known->at.block > hazard.at.block)
            *known = hazard;
        pthread_mutex_unlock(&machine->lock);
        return;
    }
    array_push(&machine->hazards, hazard);
    pthread_mutex_unlock(&machine->lock);
}

/* Does nothing order what another thread did at a time before what this one does now? */
static bool unordered(const struct warp *w, uint16_t other, uint16_t self, uint64_t time)
{
    if (other == self || time <= w->block->barrier_time)
        return false;
    if (other / WARP_LANES == w->number && time <= w->sync_time)
        return false;
    return !w->block->order || order_of_thread(w->block->order, self, other) < time;
}

/* The byte that a lane wrote. */
static uint8_t written_byte(const struct warp *w, const struct access *access, unsigned lane, unsigned at)
{
    if (access->staged)
        return w->worker->staged[lane][at];
    uint32_t row = access->rows[at / access->bytes];
    return (uint8_t)(lane_get(w, row, access->row_bytes, lane) >> 8 * (at % access->bytes));
}

/* Does this thread not know that the copy which wrote this has ended? It does when it saw the phase that the copy
 * completes; of cp.async also when someone waited for it, and the rest is as with other writes. */
static bool is_in_flight(const struct block *block, const struct cell *cell, uint16_t self)
{
    if (cell->copied == COPIED_IN_BULK)
        return order_of_bulk(block->order, self, cell->group) < cell->write_time;
    unsigned warp = cell->writer / WARP_LANES;
    return cell->copied == COPIED_BY_THREAD && cell->group >= block->copied[warp] &&
           (!block->order || cell->group >= order_of_copies(block->order, self, warp));
}

static bool is_write_unordered(const struct warp *w, const struct cell *cell, uint16_t self)
{
    const struct order *order = w->block->order;
    if (cell->copied == COPIED_IN_BULK)
        return false; /* unless it is in flight */
    if (cell->copied == COPIED_BY_THREAD && order &&
        cell->group < order_of_copies(order, self, cell->writer / WARP_LANES))
        return false;
    return unordered(w, cell->writer, self, cell->write_time);
}

/* ---- who read a byte, where each counts ---- */

static void forget_readers(struct shadow *shadow, struct cell *cell)
{
    while (cell->readers) {
        struct reader *reader = &shadow->readers.items[cell->readers - 1];
        uint32_t const next = reader->next;
        reader->next = shadow->spare;
        shadow->spare = cell->readers;
        cell->readers = next;
    }
}

static uint32_t reader_new(struct shadow *shadow)
{
    uint32_t const spare = shadow->spare;
    if (spare) {
        shadow->spare = shadow->readers.items[spare - 1].next;
        return spare;
    }
    if (shadow->readers.count == READERS_MAX)
        return 0;
    array_push(&shadow->readers, (struct reader){0});
    return (uint32_t)shadow->readers.count;
}

/* What a thread read before needs no keeping: who is ordered after this is ordered after that. */
static void keep_reader(const struct warp *w, const struct op *op, struct cell *cell, uint16_t self, bool atomic)
{
    struct shadow *shadow = w->block->shadow;
    uint32_t const lane = 1u << self % WARP_LANES;
    uint32_t *at = &cell->readers;
    while (*at) {
        struct reader *reader = &shadow->readers.items[*at - 1];
        bool const mine = reader->warp == w->number && reader->atomic == atomic;
        if (mine && reader->time == w->worker->time && reader->site == op->site) {
            reader->lanes |= lane;
            return;
        }
        reader->lanes &= mine ? ~lane : UINT32_MAX;
        if (reader->lanes) {
            at = &reader->next;
            continue;
        }
        uint32_t const gone = *at;
        *at = reader->next;
        reader->next = shadow->spare;
        shadow->spare = gone;
    }
    uint32_t const fresh = reader_new(shadow);
    if (!fresh)
        return;
    shadow->readers.items[fresh - 1] = (struct reader){.time = w->worker->time,
                                                       .next = cell->readers,
                                                       .site = op->site,
                                                       .lanes = lane,
                                                       .warp = (uint16_t)w->number,
                                                       .atomic = atomic};
    cell->readers = fresh;
}

/* One that nothing orders before this thread, or NULL: any of them, or none but atomics, or none of these. */
static const struct reader *find_reader(const struct warp *w, const struct cell *cell, uint16_t self, bool plain,
                                        bool atomics, uint16_t *thread)
{
    const struct shadow *shadow = w->block->shadow;
    for (uint32_t at = cell->readers; at; at = shadow->readers.items[at - 1].next) {
        const struct reader *reader = &shadow->readers.items[at - 1];
        EACH_LANE(l, (reader->atomic ? atomics : plain) ? reader->lanes : 0)
        {
            *thread = (uint16_t)(reader->warp * WARP_LANES + l);
            if (unordered(w, *thread, self, reader->time))
                return reader;
        }
    }
    return NULL;
}

/* ---- bytes ---- */

struct touch { /* of some bytes, now */
    uint16_t self;
    bool reads, writes, atomic;
    const uint8_t *values; /* that are written; NULL: by an atomic, or none */
};

/* Does it race with what was read? Where readers are not kept the last one tells, and what is known of all. */
static bool races_with_reader(const struct warp *w, const struct cell *cell, const struct touch *now, uint32_t *site,
                              uint16_t *thread)
{
    if (w->block->order) {
        const struct reader *reader = find_reader(w, cell, now->self, now->writes, !now->atomic, thread);
        *site = reader ? reader->site : 0;
        return reader != NULL;
    }
    *site = cell->reader_site, *thread = cell->reader;
    if (!now->writes || cell->read_time <= w->block->barrier_time || (now->atomic && cell->how & READ_ATOMIC))
        return false;
    bool const mine = cell->reader / WARP_LANES == w->number;
    bool const lanes = cell->how & READ_BY_LANES && mine && cell->read_time > w->sync_time;
    if (cell->how & READ_BY_WARPS ? mine : lanes && cell->reader == now->self)
        *site = cell->other_site, *thread = cell->other;
    return cell->how & READ_BY_WARPS || lanes || unordered(w, cell->reader, now->self, cell->read_time);
}

static void find_race(struct warp *w, const struct op *op, const struct cell *cell, const struct touch *now,
                      uint64_t address, uint8_t value)
{
    uint32_t site;
    uint16_t thread;
    bool const atomic = cell->how & WRITE_ATOMIC;
    bool const harmless = (now->atomic && atomic) || (!now->reads && !atomic && cell->value == value);
    if ((!harmless && is_write_unordered(w, cell, now->self)) || is_in_flight(w->block, cell, now->self))
        checks_hazard(w, op, PTX_SPACE_SHARED, address, cell->writer_site, w->block->number, cell->writer, now->self,
                      now->writes ? FINDING_WRITE_AFTER_WRITE : FINDING_READ_AFTER_WRITE);
    else if (races_with_reader(w, cell, now, &site, &thread))
        checks_hazard(w, op, PTX_SPACE_SHARED, address, site, w->block->number, thread, now->self,
                      now->writes ? FINDING_WRITE_AFTER_READ : FINDING_READ_AFTER_WRITE);
}

/* The loop over bytes keeps what is the same for all of them at hand. */
struct moment {
    uint64_t time, barrier_time, sync_time;
    uint32_t site, warp;
};

static inline void note_read(struct cell *cell, const struct touch *now, const struct moment *moment)
{
    unsigned how = cell->how & WRITE_ATOMIC;
    if (cell->read_time > moment->barrier_time) {
        bool const mine = cell->reader / WARP_LANES == moment->warp;
        if (!mine || (!(cell->how & READ_BY_WARPS) && cell->reader != now->self))
            cell->other = cell->reader, cell->other_site = cell->reader_site;
        how |= cell->how & READ_BY_WARPS;
        if (!mine)
            how |= READ_BY_WARPS;
        else if (cell->read_time > moment->sync_time)
            how |= (cell->how & READ_BY_LANES) | (cell->reader != now->self ? READ_BY_LANES : 0);
    }
    cell->read_time = moment->time, cell->reader = now->self, cell->reader_site = moment->site;
    cell->how = (uint8_t)(how | (now->atomic ? READ_ATOMIC : 0));
}

static inline void note_write(struct cell *cell, const struct touch *now, const struct moment *moment, uint8_t value)
{
    cell->write_time = moment->time, cell->writer = now->self, cell->writer_site = moment->site;
    cell->how = (uint8_t)((cell->how & ~WRITE_ATOMIC) | (now->atomic ? WRITE_ATOMIC : 0));
    cell->value = value;
    cell->copied = NOT_COPIED;
}

static void touch_bytes(struct warp *w, const struct op *op, uint64_t offset, unsigned count, const struct touch *touch)
{
    struct shadow *shadow = w->block->shadow;
    bool const races = w->worker->machine->options->checks.races, ordered = w->block->order != NULL;
    struct touch const now = *touch;
    struct moment const moment = {w->worker->time, w->block->barrier_time, w->sync_time, op->site, w->number};
    for (unsigned i = 0; i < count; i++) {
        struct cell *cell = &shadow->cells[offset + i];
        uint8_t const value = now.values ? now.values[i] : 0;
        /* Most were left alone since the last barrier. */
        bool const met =
            cell->write_time > moment.barrier_time || (now.writes && cell->read_time > moment.barrier_time);
        if (races && (met || cell->copied || cell->readers))
            find_race(w, op, cell, touch, offset + i, value);
        if (ordered && ((now.reads && cell->read_time <= moment.barrier_time) || (now.writes && !now.atomic)))
            forget_readers(shadow, cell);
        if (ordered && now.reads)
            keep_reader(w, op, cell, now.self, now.atomic);
        if (races && now.reads)
            note_read(cell, &now, &moment);
        if (now.writes)
            note_write(cell, &now, &moment, value);
    }
}

static void note_unwritten(struct warp *w, const struct op *op, unsigned lane, uint64_t address, unsigned bytes)
{
    const struct shared_array *array = origin_at(w->worker->machine, address);
    struct finding note = {.form = FINDING_UNWRITTEN_SHARED,
                           .address = address,
                           .memory = fault_access(w, op, PTX_SPACE_SHARED, bytes, false)};
    note.memory.offset = (int64_t)address;
    note.memory.space_bytes = w->worker->machine->shared_bytes;
    if (array) {
        note.memory.name = array->name, note.memory.base = array->base, note.memory.size = array->size;
        note.memory.offset -= (int64_t)array->base;
    }
    fault_note(w, op, lane, &note);
}

const struct op *checks_divisor(struct warp *w, const struct op *op)
{
    unsigned bytes = (unsigned)op->immediate;
    uint64_t all = bytes == 2 ? UINT16_MAX : UINT64_MAX;
    EACH_LANE(l, w->mask)
    {
        if (lane_get(w, op->b, bytes, l) & all)
            continue;
        fault_note(w, op, l, &(struct finding){.form = FINDING_DIVISION_BY_ZERO});
        break;
    }
    return op + 1;
}

static bool check_global(struct warp *w, const struct op *op, unsigned lane, uint64_t address, bool atomic)
{
    const struct access *access = op->extra;
    uint8_t bytes[ACCESS_BYTES] = {0};
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
    return array && w->worker->machine->options->checks.memory &&
           (offset < array->base || offset + access->total > array->base + array->size);
}

void checks_copy(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes)
{
    const struct access *access = op->extra;
    uint16_t self = (uint16_t)(w->number * WARP_LANES + lane);
    touch_bytes(w, op, offset, access->total, &(struct touch){.self = self, .writes = true, .values = bytes});
    for (unsigned i = 0; i < access->total; i++) {
        struct cell *cell = &w->block->shadow->cells[offset + i];
        cell->copied = COPIED_BY_THREAD;
        cell->group = w->block->copies[w->number];
    }
}

/* Says so where nobody wrote one of these bytes. */
static bool check_written(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (w->block->shadow->cells[offset + i].write_time == 0) {
            note_unwritten(w, op, lane, offset + i, count);
            return false;
        }
    return true;
}

void checks_bulk(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, const uint8_t *bytes, bool writes,
                 const struct meeting *meeting)
{
    enum { PIECE = 16 };
    uint16_t self = (uint16_t)(w->number * WARP_LANES + lane);
    if (!writes && w->worker->machine->options->checks.memory)
        check_written(w, op, lane, offset, PIECE);
    touch_bytes(w, op, offset, PIECE,
                &(struct touch){.self = self, .reads = !writes, .writes = writes, .values = bytes});
    for (unsigned i = 0; i < PIECE && writes && meeting; i++) {
        struct cell *cell = &w->block->shadow->cells[offset + i];
        cell->copied = COPIED_IN_BULK;
        cell->group = order_number(w->block->order, meeting);
    }
}

/* False after a fault. */
static bool check_shared(struct warp *w, const struct op *op, unsigned lane, uint64_t offset, bool atomic, bool *noted)
{
    const struct access *access = op->extra;
    uint8_t values[ACCESS_BYTES];
    bool const store = access->store && !atomic;
    if (leaves_array(w, access, offset))
        return fault_array(w, op, lane, offset) != NULL;
    for (unsigned i = 0; i < access->total && store; i++)
        values[i] = written_byte(w, access, lane, i);
    if (!store && !*noted)
        *noted = !check_written(w, op, lane, offset, access->total);
    touch_bytes(w, op, offset, access->total,
                &(struct touch){.self = (uint16_t)(w->number * WARP_LANES + lane),
                                .reads = !store,
                                .writes = access->store,
                                .atomic = atomic,
                                .values = store ? values : NULL});
    return true;
}

bool checks_access(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses, bool atomic)
{
    const struct machine *machine = w->worker->machine;
    const struct access *access = op->extra;
    bool noted = !machine->options->checks.memory;
    w->worker->time++;
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
        if (!check_shared(w, op, l, address, atomic, &noted))
            return false;
    }
    return true;
}
