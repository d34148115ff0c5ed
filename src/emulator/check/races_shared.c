/* Races in shared memory. Two threads that access a byte, at least one of them writing, race unless something orders
 * them: a barrier of the block; a bar.warp.sync of their warp (shuffles, votes and running in lockstep order
 * nothing); a phase of a barrier object, or a barrier of some threads, that the later thread saw complete (order.c).
 * Atomics do not race with each other, and two plain writes of the same value do not. compute-sanitizer's racecheck
 * says the same on an H200, except that here a plain access and an atomic of another thread race, too.
 *
 * A byte keeps its plain writes, atomics and plain reads apart, so an access never hides one of another class: the
 * atomic of a thread does not hide the plain store that it made before. Within a class, three visits suffice where
 * only barriers of the block and of a warp order threads: the last visit, the last one by another warp, and the last
 * one by another lane of the same warp. Where phases order threads too (block->order), every reader is kept until
 * the next barrier of the block.
 *
 * Nearly all accesses are to whole words. So the first byte of an aligned word speaks for all four until an access
 * treats them differently. */
#include "emulator/check/check.h"
#include "emulator/check/order.h"
#include <stdlib.h>
#include <string.h>

enum copied { NOT_COPIED, COPIED_BY_THREAD, COPIED_IN_BULK }; /* the last plain write */
enum { READERS_MAX = 1 << 18, MORE_MAX = 1 << 18 };           /* of a block; further ones are not kept */
enum { TIME_BITS = 48, THREAD_BITS = 16, WORD = 4 };
#define TIME_MAX ((UINT64_C(1) << TIME_BITS) - 1)

struct visit { /* time 0: none */
    uint64_t time : TIME_BITS, thread : THREAD_BITS;
};

/* Threads that made accesses of one class. */
struct visits {
    struct visit last, other_warp, other_lane; /* of other_warp and other_lane: when they are later than barriers */
    uint32_t last_site, other_warp_site, other_lane_site;
};

struct cell { /* of a byte, or of a whole word */
    struct visits reads;
    struct visit write, atomic; /* the last of each; the others are in shadow.more */
    uint32_t write_site, atomic_site;
    uint32_t serial;  /* shadow.serial of the block that this is about */
    uint32_t more;    /* index in shadow.more + 1; 0: none */
    uint32_t group;   /* of cp.async, of the writer's warp; in bulk: the object's number */
    uint32_t readers; /* index in shadow.readers + 1; 0: none, or they are not kept */
    uint32_t value;   /* that the last plain write wrote */
    uint8_t copied;   /* enum copied */
    bool whole;       /* the cells of the next three bytes are not in use: they are as this one */
};

/* Of a cell: all atomics, and all plain writes that wrote the value that is there now. */
struct more {
    struct visits atomics, writes;
};

struct reader { /* lanes of a warp that read a byte at the same time; an atomic writes it, too */
    uint64_t time;
    uint32_t next, site, lanes;
    uint16_t warp;
    bool atomic;
};

struct shadow {
    uint32_t serial; /* of the block */
    struct {
        struct reader *items;
        size_t count, capacity;
    } readers;
    uint32_t spare; /* first of those that are free, as cell.readers */
    struct {
        struct more *items;
        size_t count, capacity;
    } more;
    struct cell cells[];
};

static enum check_start start(struct emulation *emulation)
{
    return emulation->shared_bytes && !(emulation->proving & PROVE_SHARED) ? CHECK_ACTIVE : CHECK_IDLE;
}

static struct shadow *shadow_of(const struct block *block)
{
    return block->checks[CHECK_races_shared];
}

static void *block_new(const struct emulation *emulation)
{
    return calloc(1, sizeof(struct shadow) + emulation->shared_bytes * sizeof(struct cell));
}

static void block_free(void *state)
{
    struct shadow *shadow = state;
    if (!shadow)
        return;
    free(shadow->readers.items);
    free(shadow->more.items);
    free(shadow);
}

/* Cells of earlier blocks have another serial number. Clearing all cells would take longer than running many a
 * block. */
static void block_start(const struct emulation *emulation, void *state)
{
    struct shadow *shadow = state;
    shadow->readers.count = shadow->more.count = 0;
    shadow->spare = 0;
    if (++shadow->serial == 0) {
        memset(shadow->cells, 0, emulation->shared_bytes * sizeof(struct cell));
        shadow->serial = 1;
    }
}

/* Returns whether nothing orders an access of another thread, at a time, before the current access of thread `self`. */
static bool unordered(const struct warp *w, uint16_t other, uint16_t self, uint64_t time)
{
    if (other == self || time <= w->block->barrier_time)
        return false;
    if (other / WARP_LANES == w->number && time <= w->sync_time)
        return false;
    return !w->block->order || order_of_thread(w->block->order, self, other) < time;
}

/* Returns whether the copy that wrote the byte may still be in flight for this thread. A bulk copy has ended for a
 * thread that saw its phase complete. A cp.async has ended also when a thread of its warp waited for it; from then
 * on it is ordered like other writes. */
static bool is_in_flight(const struct block *block, const struct cell *cell, uint16_t self)
{
    if (cell->copied == COPIED_IN_BULK)
        return order_of_bulk(block->order, self, cell->group) < cell->write.time;
    unsigned warp = cell->write.thread / WARP_LANES;
    return cell->copied == COPIED_BY_THREAD && cell->group >= block->copied[warp] &&
           (!block->order || cell->group >= order_of_copies(block->order, self, warp));
}

static bool is_write_unordered(const struct warp *w, const struct cell *cell, uint16_t self)
{
    const struct order *order = w->block->order;
    if (cell->copied == COPIED_IN_BULK)
        return false; /* unless it is in flight */
    if (cell->copied == COPIED_BY_THREAD && order &&
        cell->group < order_of_copies(order, self, cell->write.thread / WARP_LANES))
        return false;
    return unordered(w, (uint16_t)cell->write.thread, self, cell->write.time);
}

/* ---- threads of one class ---- */

struct side { /* the earlier access of a race; time 0: none */
    uint64_t time;
    uint32_t site;
    uint16_t thread;
    bool in_flight; /* a copy that this thread has not waited for */
};

static inline void visit(struct visits *visits, struct visit now, uint32_t site)
{
    if (visits->last.thread / WARP_LANES != now.thread / WARP_LANES) {
        visits->other_warp = visits->last, visits->other_warp_site = visits->last_site;
        visits->other_lane.time = 0;
    } else if (visits->last.thread != now.thread) {
        visits->other_lane = visits->last, visits->other_lane_site = visits->last_site;
    }
    visits->last = now, visits->last_site = site;
}

static struct side side_if(const struct warp *w, struct visit visit, uint32_t site, uint16_t self)
{
    uint16_t const thread = (uint16_t)visit.thread;
    return unordered(w, thread, self, visit.time) ? (struct side){.time = visit.time, .site = site, .thread = thread}
                                                  : (struct side){0};
}

/* Returns a visit that nothing orders before this thread. A visit of another warp is preferred to one of its own
 * warp. */
static struct side find_visit(const struct warp *w, const struct visits *visits, uint16_t self)
{
    struct side side = {0};
    bool const mine = visits->last.thread / WARP_LANES == w->number;
    if (visits->last.time <= w->block->barrier_time)
        return side; /* and so are the others */
    if (mine)
        side = side_if(w, visits->other_warp, visits->other_warp_site, self);
    if (!side.time)
        side = side_if(w, visits->last, visits->last_site, self);
    if (!side.time)
        side = side_if(w, visits->other_lane, visits->other_lane_site, self);
    return side.time || mine ? side : side_if(w, visits->other_warp, visits->other_warp_site, self);
}

/* Returns room for more than the last visit, or NULL. The visits that were alone so far are the first in it. */
static struct more *more_of(struct shadow *shadow, struct cell *cell)
{
    if (!cell->more && shadow->more.count < MORE_MAX) {
        struct more const more = {.atomics = {.last = cell->atomic, .last_site = cell->atomic_site},
                                  .writes = {.last = cell->write, .last_site = cell->write_site}};
        array_push(&shadow->more, more);
        cell->more = (uint32_t)shadow->more.count;
    }
    return cell->more ? &shadow->more.items[cell->more - 1] : NULL;
}

static void note_atomic(struct shadow *shadow, struct cell *cell, struct visit now, uint32_t site)
{
    bool const alone = !cell->atomic.time || cell->atomic.thread == now.thread;
    struct more *more = alone && !cell->more ? NULL : more_of(shadow, cell);
    if (more)
        visit(&more->atomics, now, site);
    cell->atomic = now, cell->atomic_site = site;
}

/* A write of another value replaces the earlier ones: each of them is ordered, or its race has just been found. */
static void note_write(struct shadow *shadow, struct cell *cell, struct visit now, uint32_t site, uint32_t value)
{
    bool const again = cell->write.time && cell->value == value && !cell->copied;
    bool const alone = !again || cell->write.thread == now.thread;
    struct more *more = alone && !cell->more ? NULL : more_of(shadow, cell);
    if (more && !again)
        more->writes = (struct visits){.last = now, .last_site = site};
    else if (more)
        visit(&more->writes, now, site);
    cell->write = now, cell->write_site = site;
    cell->value = value;
    cell->copied = NOT_COPIED;
}

/* ---- readers of a byte, where each is kept ---- */

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

/* Earlier reads of the same thread are dropped: any access that is ordered after this read is ordered after those. */
static void keep_reader(const struct warp *w, const struct op *op, struct cell *cell, uint16_t self, bool atomic)
{
    struct shadow *shadow = shadow_of(w->block);
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

/* Returns a reader that nothing orders before this thread, among the plain ones or among the atomics. */
static struct side find_reader(const struct warp *w, const struct cell *cell, uint16_t self, bool atomics)
{
    const struct shadow *shadow = shadow_of(w->block);
    for (uint32_t at = cell->readers; at; at = shadow->readers.items[at - 1].next) {
        const struct reader *reader = &shadow->readers.items[at - 1];
        EACH_LANE(l, reader->atomic == atomics ? reader->lanes : 0)
        {
            uint16_t const thread = (uint16_t)(reader->warp * WARP_LANES + l);
            if (unordered(w, thread, self, reader->time))
                return (struct side){.time = reader->time, .site = reader->site, .thread = thread};
        }
    }
    return (struct side){0};
}

/* ---- words and their bytes ---- */

/* Returns the cell of one byte of a word that is not whole. */
static struct cell *byte_at(struct shadow *shadow, uint64_t offset)
{
    struct cell *cell = &shadow->cells[offset];
    if (cell->serial != shadow->serial)
        *cell = (struct cell){.serial = shadow->serial};
    return cell;
}

/* Returns a copy of a list of readers. */
static uint32_t copy_readers(struct shadow *shadow, uint32_t from)
{
    uint32_t first = 0, last = 0;
    for (; from; from = shadow->readers.items[from - 1].next) {
        uint32_t const fresh = reader_new(shadow);
        if (!fresh)
            break;
        shadow->readers.items[fresh - 1] = shadow->readers.items[from - 1];
        shadow->readers.items[fresh - 1].next = 0;
        if (last)
            shadow->readers.items[last - 1].next = fresh;
        else
            first = fresh;
        last = fresh;
    }
    return first;
}

/* Gives each byte of a whole word a cell of its own. */
static void split(struct shadow *shadow, struct cell *word)
{
    uint32_t const value = word->value;
    word->whole = false;
    word->value = value & UINT8_MAX;
    for (unsigned i = 1; i < WORD; i++) {
        struct cell *byte = word + i;
        *byte = *word;
        byte->value = value >> 8 * i & UINT8_MAX;
        byte->readers = copy_readers(shadow, word->readers);
        byte->more = 0;
        if (word->more && shadow->more.count < MORE_MAX) {
            struct more const more = shadow->more.items[word->more - 1];
            array_push(&shadow->more, more);
            byte->more = (uint32_t)shadow->more.count;
        }
    }
}

/* Returns the cell of a whole word, or NULL if its bytes have their own. */
static struct cell *word_at(struct shadow *shadow, uint64_t offset)
{
    struct cell *cell = &shadow->cells[offset];
    if (cell->serial != shadow->serial)
        *cell = (struct cell){.serial = shadow->serial, .whole = true};
    return cell->whole ? cell : NULL;
}

/* Makes sure that the bytes of a word have their own cells. */
static void part(struct shadow *shadow, uint64_t offset)
{
    struct cell *word = &shadow->cells[offset / WORD * WORD];
    if (word->serial != shadow->serial)
        *word = (struct cell){.serial = shadow->serial};
    else if (word->whole)
        split(shadow, word);
}

/* Returns whether a write since the last barrier left the same value in some bytes of the word, and another value in
 * others: these bytes may race, and those not. */
static bool differs_in_part(const struct warp *w, const struct cell *word, uint32_t value)
{
    uint32_t const change = word->value ^ value;
    bool const same = !(change & 0xff) || !(change & 0xff00) || !(change & 0xff0000) || !(change & 0xff000000);
    return change && same && word->write.time > w->block->barrier_time;
}

/* ---- accesses ---- */

struct touch { /* of some bytes, now */
    uint16_t self;
    bool reads, writes, atomic;
    const uint8_t *values; /* that are written; NULL: by an atomic, or none */
};

static struct side find_atomic(const struct warp *w, const struct cell *cell, uint16_t self)
{
    if (w->block->order)
        return find_reader(w, cell, self, true);
    if (!cell->more)
        return side_if(w, cell->atomic, cell->atomic_site, self);
    return find_visit(w, &shadow_of(w->block)->more.items[cell->more - 1].atomics, self);
}

/* Returns a plain write that races with this access. If the last write wrote the value that this access writes as
 * well, or if this access only reads, the earlier writes of that value are harmless. */
static struct side find_write(const struct warp *w, const struct cell *cell, const struct touch *now, uint32_t value)
{
    struct side const last = {.time = cell->write.time,
                              .site = cell->write_site,
                              .thread = (uint16_t)cell->write.thread,
                              .in_flight = is_in_flight(w->block, cell, now->self)};
    bool const same = !now->reads && cell->value == value;
    if (last.in_flight || (!same && is_write_unordered(w, cell, now->self)))
        return last;
    if (same || !now->writes || !cell->more || cell->copied)
        return (struct side){0};
    return find_visit(w, &shadow_of(w->block)->more.items[cell->more - 1].writes, now->self);
}

static void find_race(struct warp *w, const struct op *op, const struct cell *cell, const struct touch *now,
                      uint64_t address, uint32_t value)
{
    struct side first = find_write(w, cell, now, value);
    struct side const atomic = now->atomic ? (struct side){0} : find_atomic(w, cell, now->self);
    enum finding_order order = now->writes ? FINDING_WRITE_AFTER_WRITE : FINDING_READ_AFTER_WRITE;
    if (atomic.time > first.time)
        first = atomic;
    if (!first.time && now->writes) {
        first = w->block->order ? find_reader(w, cell, now->self, false) : find_visit(w, &cell->reads, now->self);
        order = FINDING_WRITE_AFTER_READ;
    }
    if (first.time)
        checks_hazard(w, op, first.in_flight ? FINDING_RACING_COPY : FINDING_RACING, PTX_SPACE_SHARED, address,
                      first.site, w->block->number, first.thread, now->self, order);
}

static void touch_cell(struct warp *w, const struct op *op, struct cell *cell, uint64_t offset,
                       const struct touch *touch, uint32_t value)
{
    struct shadow *shadow = shadow_of(w->block);
    bool const ordered = w->block->order != NULL;
    uint64_t const barrier_time = w->block->barrier_time;
    struct visit const here = {.time = w->worker->time & TIME_MAX, .thread = touch->self};
    /* most bytes were not accessed since the last barrier */
    bool const met = cell->write.time > barrier_time || cell->atomic.time > barrier_time ||
                     (touch->writes && cell->reads.last.time > barrier_time);
    if (met || cell->copied || cell->readers)
        find_race(w, op, cell, touch, offset, value);
    if (ordered && touch->reads && cell->reads.last.time <= barrier_time && cell->atomic.time <= barrier_time)
        forget_readers(shadow, cell);
    if (ordered && touch->reads)
        keep_reader(w, op, cell, touch->self, touch->atomic);
    if (touch->atomic)
        note_atomic(shadow, cell, here, op->site);
    else if (touch->writes)
        note_write(shadow, cell, here, op->site, value);
    else
        visit(&cell->reads, here, op->site);
}

static void touch_bytes(struct warp *w, const struct op *op, uint64_t offset, unsigned count, const struct touch *touch)
{
    struct shadow *shadow = shadow_of(w->block);
    for (unsigned i = 0; i < count;) {
        uint64_t const at = offset + i;
        struct cell *word = at % WORD == 0 && count - i >= WORD ? word_at(shadow, at) : NULL;
        uint32_t value = 0;
        if (touch->values)
            memcpy(&value, touch->values + i, word ? WORD : 1);
        if (word && !(touch->values && differs_in_part(w, word, value))) {
            touch_cell(w, op, word, at, touch, value);
            i += WORD;
            continue;
        }
        part(shadow, at);
        touch_cell(w, op, byte_at(shadow, at), at, touch, value & UINT8_MAX);
        i++;
    }
}

static bool access_shared(struct warp *w, const struct check_access *access)
{
    struct shadow *shadow = w->block->checks[CHECK_races_shared];
    touch_bytes(w, access->op, access->address, access->bytes,
                &(struct touch){.self = (uint16_t)(w->number * WARP_LANES + access->lane),
                                .reads = access->reads,
                                .writes = access->writes,
                                .atomic = access->atomic,
                                .values = access->values});
    bool const in_bulk = access->copy == CHECK_BULK;
    for (unsigned i = 0; i < access->bytes && access->copy && access->writes && (access->meeting || !in_bulk); i++) {
        struct cell *word = &shadow->cells[(access->address + i) / WORD * WORD];
        struct cell *cell = word->whole ? word : byte_at(shadow, access->address + i);
        cell->copied = in_bulk ? COPIED_IN_BULK : COPIED_BY_THREAD;
        cell->group = in_bulk ? order_number(w->block->order, access->meeting) : w->block->copies[w->number];
    }
    return true;
}

const struct checker check_races_shared = {.start = start,
                                           .block_new = block_new,
                                           .block_free = block_free,
                                           .block_start = block_start,
                                           .shared = access_shared};
