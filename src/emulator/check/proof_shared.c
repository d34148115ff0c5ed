/* Owners in shared memory: of each word of four bytes, between two barriers of the block. Only the worker that runs the
 * block uses them. In a kernel with __syncwarp, a word that only one warp has accessed is free again for this warp
 * after its lanes have waited for each other. */
#include "emulator/check/proof.h"
#include <stdlib.h>
#include <string.h>

enum { WORD = PROOF_WORD };
/* A cell: the thread that alone has accessed the word; whether it has written; or that many threads have read it, or
 * accessed it with atomics; and the number of the interval between barriers in which all this was so. */
enum { CELL_THREAD = 0x3ff, CELL_PATTERN = 10, CELL_WRITTEN = 1 << 12, CELL_MANY = 1 << 13, CELL_ATOMIC = 1 << 14 };
enum { CELL_ONE_WARP = 3 << CELL_PATTERN }; /* many threads, all of one warp: that of the first of them */
static const uint64_t TIME_WRITTEN = UINT64_C(1) << 63;
enum { CELL_INTERVAL = 15, INTERVALS = 1 << (32 - CELL_INTERVAL) };

struct owners {
    uint64_t barrier_time; /* of the block, when the interval began */
    uint32_t interval;     /* from 1 on */
    uint32_t cell_count;
    uint64_t *times; /* of the last access to each word, as worker.time; NULL in a kernel without __syncwarp */
    uint32_t cells[];
};

static enum check_start start(struct emulation *emulation)
{
    return (emulation->proving & PROVE_SHARED) && emulation->shared_bytes ? CHECK_ACTIVE : CHECK_IDLE;
}

static void *block_new(const struct emulation *emulation)
{
    uint32_t const count = emulation->shared_bytes / WORD + 1;
    struct owners *owners = calloc(1, sizeof *owners + count * sizeof *owners->cells);
    if (!owners)
        return NULL;
    owners->cell_count = count;
    owners->times = emulation->syncs ? calloc(count, sizeof *owners->times) : NULL;
    if (owners->times || !emulation->syncs)
        return owners;
    free(owners);
    return NULL;
}

static void block_free(void *state)
{
    struct owners *owners = state;
    if (owners)
        free(owners->times);
    free(owners);
}

static void next_interval(struct owners *owners)
{
    if (++owners->interval < INTERVALS)
        return;
    memset(owners->cells, 0, owners->cell_count * sizeof *owners->cells);
    owners->interval = 1;
}

static void block_start(const struct emulation *emulation, void *state)
{
    (void)emulation;
    struct owners *owners = state;
    owners->barrier_time = 0;
    next_interval(owners);
}

static struct owners *owners_now(const struct block *block)
{
    struct owners *owners = block->checks[CHECK_proof_shared];
    if (owners && owners->barrier_time != block->barrier_time) {
        owners->barrier_time = block->barrier_time;
        next_interval(owners);
    }
    return owners;
}

/* Each returns the cell after an act of a thread (`own`: its number, pattern and the interval), and whether the act
 * refutes the proof. */
static inline uint32_t after_read(uint32_t cell, uint32_t own, uint32_t *refuted)
{
    bool const fresh = (cell ^ own) >> CELL_INTERVAL, mine = (cell & ~(uint32_t)CELL_WRITTEN) == own;
    *refuted |= !fresh & !mine & ((cell & (CELL_WRITTEN | CELL_ATOMIC)) != 0);
    uint32_t const many = (own & ~(uint32_t)((1 << CELL_INTERVAL) - 1)) | CELL_MANY;
    return fresh ? own : mine ? cell : many;
}

static inline uint32_t after_write(uint32_t cell, uint32_t own, uint32_t *refuted)
{
    bool const fresh = (cell ^ own) >> CELL_INTERVAL, mine = (cell & ~(uint32_t)CELL_WRITTEN) == own;
    *refuted |= !fresh & !mine;
    return own | CELL_WRITTEN;
}

static inline uint32_t after_atomic(uint32_t cell, uint32_t own, uint32_t *refuted)
{
    uint32_t const atomic = (own & ~(uint32_t)((1 << CELL_INTERVAL) - 1)) | CELL_ATOMIC;
    *refuted |= !((cell ^ own) >> CELL_INTERVAL) & (cell != atomic);
    return atomic;
}

static inline uint32_t after_read_by_many(uint32_t cell, uint32_t own, uint32_t *refuted)
{
    bool const fresh = (cell ^ own) >> CELL_INTERVAL;
    *refuted |= !fresh & ((cell & (CELL_WRITTEN | CELL_ATOMIC)) != 0);
    return (own & ~(uint32_t)((1 << CELL_INTERVAL) - 1)) | CELL_MANY;
}

enum act { ACT_READ, ACT_WRITE, ACT_ATOMIC };

static inline uint32_t after(uint32_t cell, uint32_t own, enum act act, uint32_t *refuted)
{
    return act == ACT_ATOMIC  ? after_atomic(cell, own, refuted)
           : act == ACT_WRITE ? after_write(cell, own, refuted)
                              : after_read(cell, own, refuted);
}

/* Whether a cell says that threads of one warp alone have accessed the word, and that this is the warp. */
static bool is_of_warp(uint32_t cell, uint32_t own)
{
    bool const one = !(cell & CELL_ATOMIC) && (!(cell & CELL_MANY) || (cell & CELL_ONE_WARP) == CELL_ONE_WARP);
    return one && !((cell ^ own) >> CELL_INTERVAL) && !(((cell ^ own) & CELL_THREAD) / WARP_LANES);
}

/* The same in a kernel with __syncwarp. That the warp has written before its lanes waited is kept beside the time:
 * other warps are not ordered behind that. */
static void touch_synced(const struct warp *w, struct owners *owners, uint64_t place, uint32_t own, enum act act,
                         uint32_t *refuted)
{
    uint32_t *cell = &owners->cells[place];
    bool const fresh = (*cell ^ own) >> CELL_INTERVAL, of_warp = is_of_warp(*cell, own);
    uint64_t const last = owners->times[place] & ~TIME_WRITTEN;
    uint64_t written = fresh ? 0 : owners->times[place] & TIME_WRITTEN;
    *refuted |= written && !of_warp;
    if (of_warp && last <= w->sync_time && act != ACT_ATOMIC) { /* ordered: the warp begins anew */
        written |= *cell & CELL_WRITTEN ? TIME_WRITTEN : 0;
        *cell = 0;
    }
    owners->times[place] = w->worker->time | written;
    if (of_warp && act == ACT_READ && *cell & CELL_MANY)
        return;
    *cell = after(*cell, own, act, refuted);
    if (of_warp && *cell & CELL_MANY)
        *cell |= (own & CELL_THREAD) | CELL_ONE_WARP;
}

static bool all_read_by_many(const uint32_t *cells, uint32_t count, uint32_t interval)
{
    uint32_t others = 0;
    for (uint32_t i = 0; i < count; i++)
        others |= cells[i] ^ (interval | CELL_MANY);
    return others == 0;
}

bool proof_check_shared(struct warp *w, const struct op *op, const struct proof_access *access)
{
    const struct access *form = op->extra;
    const struct shared_array *array = form->array;
    if (w->worker->emulation->syncs)
        return false;
    bool const plain = !form->strong && (access->run[0] || !access->store) && (access->run[1] || !access->store);
    for (unsigned half = 0; half < 2; half++) {
        uint64_t const from = access->first[half], to = from + proof_bytes(access, half);
        if (!plain || (array && (from < array->base || to > array->base + array->size)) ||
            !unwritten_shared_run(w->block, from, (uint32_t)(to - from), access->store))
            return false;
    }
    w->worker->time++;
    struct owners *owners = owners_now(w->block);
    if (!owners)
        return true;
    uint32_t const interval = owners->interval << CELL_INTERVAL, words = access->bytes / WORD;
    uint32_t refuted = 0;
    for (unsigned half = 0; half < 2; half++) {
        uint32_t *cells = owners->cells + access->first[half] / WORD;
        uint32_t const first = interval | (w->number * WARP_LANES + half * WARP_LANES / 2);
        if (!access->store && all_read_by_many(cells, proof_bytes(access, half) / WORD, interval))
            continue;
        if (!access->run[half])
            for (unsigned i = 0; i < words; i++)
                cells[i] = after_read_by_many(cells[i], first, &refuted);
        else if (words == 1 && access->store)
            for (unsigned i = 0; i < WARP_LANES / 2; i++)
                cells[i] = after_write(cells[i], first + i, &refuted);
        else if (words == 1)
            for (unsigned i = 0; i < WARP_LANES / 2; i++)
                cells[i] = after_read(cells[i], first + i, &refuted);
        else
            for (unsigned i = 0; i < WARP_LANES / 2 * words; i++)
                cells[i] = access->store ? after_write(cells[i], first + i / words, &refuted)
                                         : after_read(cells[i], first + i / words, &refuted);
    }
    if (refuted)
        proof_refute(w->worker->emulation, PROVE_SHARED);
    return true;
}

bool proof_check_shared_lanes(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses,
                              bool atomic)
{
    const struct access *form = op->extra;
    const struct shared_array *array = form->array;
    unsigned const bytes = form->total, words = bytes / WORD;
    bool const store = form->store && !atomic;
    if (bytes < WORD || (form->strong && !atomic))
        return false;
    EACH_LANE(l, mask)
    if ((array && (addresses[l] < array->base || addresses[l] + bytes > array->base + array->size)) ||
        !unwritten_shared_run(w->block, addresses[l], bytes, store))
        return false;
    w->worker->time++;
    struct owners *owners = owners_now(w->block);
    enum act const act = atomic ? ACT_ATOMIC : store ? ACT_WRITE : ACT_READ;
    uint32_t refuted = 0;
    EACH_LANE(l, owners ? mask : 0)
    {
        uint64_t const place = addresses[l] / WORD;
        uint32_t const own = owners->interval << CELL_INTERVAL | (w->number * WARP_LANES + l);
        for (unsigned i = 0; i < words; i++)
            if (owners->times)
                touch_synced(w, owners, place + i, own, act, &refuted);
            else
                owners->cells[place + i] = after(owners->cells[place + i], own, act, &refuted);
    }
    if (refuted)
        proof_refute(w->worker->emulation, PROVE_SHARED);
    return true;
}

static bool access_shared(struct warp *w, const struct check_access *access)
{
    struct owners *owners = owners_now(w->block);
    unsigned first = 0;
    uint32_t const pattern =
        access->bytes < WORD ? proof_share(access->address, access->bytes, access->lane, &first) : PROOF_WHOLE;
    uint32_t const thread = w->number * WARP_LANES + access->lane - first;
    enum act const act = access->atomic ? ACT_ATOMIC : access->writes ? ACT_WRITE : ACT_READ;
    uint32_t refuted = 0;
    uint32_t const own = owners->interval << CELL_INTERVAL | pattern << CELL_PATTERN | thread;
    for (uint64_t at = access->address / WORD; at * WORD < access->address + access->bytes; at++) {
        if (owners->times)
            touch_synced(w, owners, at, own, act, &refuted);
        else
            owners->cells[at] = after(owners->cells[at], own, act, &refuted);
    }
    if (refuted || access->copy || (access->strong && !access->atomic))
        proof_refute(w->worker->emulation, PROVE_SHARED);
    return true;
}

const struct checker check_proof_shared = {.start = start,
                                           .block_new = block_new,
                                           .block_free = block_free,
                                           .block_start = block_start,
                                           .shared = access_shared};
