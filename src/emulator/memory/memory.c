/* Loads and stores of any lanes, widths and spaces, lane by lane: those that lanes/memory.inc does not take, and
 * every access that faults or is checked. */
#include "emulator/memory/memory.h"
#include "base/processor.h"
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/check/proof.h"
#include "emulator/run/block_record.h"
#include "emulator/run/schedule.h"

const struct region *memory_region(const struct emulation *emulation, uint64_t address)
{
    const struct region *regions = emulation->regions;
    uint32_t low = 0, high = emulation->region_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (address < regions[middle].base)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0 || address - regions[low - 1].base >= regions[low - 1].size)
        return NULL;
    return &regions[low - 1];
}

static void note_use(const struct emulation *emulation, const struct region *region, unsigned char use)
{
    atomic_uchar *uses = &emulation->uses[region - emulation->regions];
    if (use & ~atomic_load_explicit(uses, memory_order_relaxed)) /* other workers read the line, too */
        atomic_fetch_or_explicit(uses, use, memory_order_relaxed);
}

const struct region *memory_find(const struct emulation *emulation, const struct recent *recent, uint64_t address)
{
    const struct region *region = memory_region(emulation, address);
    if (region)
        note_use(emulation, region, recent->use);
    return region;
}

const struct shared_array *memory_array(const struct emulation *emulation, uint64_t offset)
{
    for (uint32_t i = 0; i < emulation->array_count; i++)
        if (offset - emulation->arrays[i].base < emulation->arrays[i].size)
            return &emulation->arrays[i];
    return NULL;
}

/* Returns the space of a generic address; *address becomes the offset in it. */
static enum ptx_space space_of(uint64_t *address)
{
    if (*address >= EMULATOR_WINDOWS_END || *address < EMULATOR_LOCAL_BASE)
        return PTX_SPACE_GLOBAL;
    bool shared = *address >= EMULATOR_SHARED_BASE;
    *address -= shared ? EMULATOR_SHARED_BASE : EMULATOR_LOCAL_BASE;
    return shared ? PTX_SPACE_SHARED : PTX_SPACE_LOCAL;
}

static bool fits(uint64_t address, uint64_t bytes, uint64_t size)
{
    return address < size && bytes <= size - address;
}

/* The host bytes at an offset in shared memory or in a lane's local memory, or NULL. */
static inline uint8_t *find_own(const struct warp *w, enum ptx_space space, uint64_t offset, unsigned bytes,
                                unsigned lane)
{
    const struct emulation *emulation = w->worker->emulation;
    if (space == PTX_SPACE_SHARED)
        return fits(offset, bytes, emulation->shared_bytes) ? w->block->shared + offset : NULL;
    return fits(offset, bytes, emulation->local_bytes) ? w->local + (uint64_t)lane * emulation->local_bytes + offset
                                                       : NULL;
}

/* The host bytes of one lane's access, or NULL where they are not there, or the address is no multiple of `alignment`.
 */
static inline uint8_t *find_bytes(struct warp *w, const struct op *op, enum ptx_space space, uint64_t address,
                                  unsigned bytes, unsigned alignment, unsigned lane, bool store)
{
    if ((address & (alignment - 1)) != 0)
        return NULL;
    if (space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL)
        return find_own(w, space, address, bytes, lane);
    const struct access *access = op->extra;
    struct recent *recent = &w->worker->recent[access->cache];
    const struct region *region = recent->region;
    if (!fits(address - region->base, bytes, region->size))
        region = memory_find(w->worker->emulation, recent, address);
    if (!region || !fits(address - region->base, bytes, region->size) || (store && region->read_only))
        return NULL;
    recent->region = region;
    if (store && region->owners)
        proof_keep(w, region, address, bytes);
    return region->host + (address - region->base);
}

uint8_t *memory_resolve(struct warp *w, const struct op *op, enum ptx_space space, uint64_t address, unsigned bytes,
                        unsigned lane, bool store)
{
    if (space == PTX_SPACE_GENERIC)
        space = space_of(&address);
    uint8_t *found = find_bytes(w, op, space, address, bytes, bytes, lane, store);
    if (!found)
        fault_memory(w, op, lane, space, address, bytes, store);
    return found;
}

/* The same for a load, of which the bytes behind the last one that is used need not be there. */
static const uint8_t *resolve_load(struct warp *w, const struct op *op, uint64_t address, unsigned lane)
{
    const struct access *access = op->extra;
    enum ptx_space space = access->space;
    if (space == PTX_SPACE_GENERIC)
        space = space_of(&address);
    unsigned const there = access->used ? access->reach : access->total;
    const uint8_t *found = find_bytes(w, op, space, address, there, access->total, lane, false);
    if (!found)
        fault_memory(w, op, lane, space, address, access->total, false);
    return found;
}

const uint8_t *memory_peek(const struct warp *w, uint64_t address, unsigned bytes, unsigned lane)
{
    enum ptx_space const space = space_of(&address);
    if (space != PTX_SPACE_GLOBAL)
        return find_own(w, space, address, bytes, lane);
    const struct region *region = memory_region(w->worker->emulation, address);
    if (!region || !fits(address - region->base, bytes, region->size))
        return NULL;
    note_use(w->worker->emulation, region, USE_READ);
    return region->host + (address - region->base);
}

/* Whether an element of each lane of the mask lies inside. */
static bool all_inside(const uint64_t *addresses, uint32_t mask, unsigned bytes, uint64_t base, uint64_t size)
{
    EACH_LANE(l, mask)
    if (!fits(addresses[l] - base, bytes, size))
        return false;
    return true;
}

/* All checks of the lanes of a mask that access one region, or shared memory: false: lane by lane instead. */
static bool check_lanes(struct warp *w, const struct op *op, const struct region *region, uint32_t mask, bool atomic)
{
    if (!region && checks_active(w->worker->emulation, CHECK_races_shared))
        return false;
    if (!region && atomic) /* generous: see checks_access */
        w->acquired = w->block->acquired_by_any;
    if (!region)
        return proof_check_shared_lanes(w, op, mask, w->addresses, atomic);
    if (region->pages)
        return races_check_lanes(w, op, region, mask, w->addresses, atomic);
    return (mask == ALL_LANES && !atomic && proof_check_narrow(w, op, region, w->addresses)) ||
           proof_check_lanes(w, op, region, mask, w->addresses, atomic);
}

bool memory_check_lanes(struct warp *w, const struct op *op, uint32_t mask, bool atomic)
{
    const struct access *access = op->extra;
    const struct region *r = w->worker->recent[access->cache].region; /* where some lane was found */
    unsigned const bytes = access->total;
    if (!w->whole)
        return false;
    if (access->space == PTX_SPACE_SHARED)
        return all_inside(w->addresses, mask, bytes, 0, w->worker->emulation->shared_bytes) &&
               check_lanes(w, op, NULL, mask, atomic);
    return access->space == PTX_SPACE_GLOBAL && r && all_inside(w->addresses, mask, bytes, r->base, r->size) &&
           check_lanes(w, op, r, mask, atomic);
}

/* The rest of memory_check_whole, where each half of the warp has one place, or one place for each lane. */
static bool check_whole(struct warp *w, const struct op *op, const struct recent *r, const struct region *region,
                        unsigned bytes, bool store)
{
    uint64_t const first = r->base + op->immediate;
    struct proof_access const access = {.first = {first, first + (uint64_t)((int64_t)r->shape >> SHAPE_WAY)},
                                        .run = {r->shape & SHAPE_FIRST_RUN, r->shape & SHAPE_SECOND_RUN},
                                        .bytes = bytes,
                                        .store = store};
    if (region)
        return !region->pages && proof_check_global(w, op, region, &access);
    return !checks_active(w->worker->emulation, CHECK_races_shared) && proof_check_shared(w, op, &access);
}

bool memory_check_whole(struct warp *w, const struct op *op, const struct recent *r, const struct region *region,
                        unsigned bytes, bool store)
{
    const struct access *access = op->extra;
    if (access->silent || !w->whole)
        return false;
    if (r->shape && w->mask == ALL_LANES && bytes >= PROOF_WORD && check_whole(w, op, r, region, bytes, store))
        return true;
    for (unsigned l = 0; l < WARP_LANES; l++)
        w->addresses[l] = r->base + op->immediate + r->distances[l];
    return check_lanes(w, op, region, w->mask, false);
}

/* The addresses of the lanes of the mask, 0 for the others. The machine uses only the low half of a wide register for
 * shared memory; the sign is kept, so that an access before the array is told as such. */
static void gather_addresses(struct warp *w, const struct op *op, const struct access *access, uint64_t *addresses)
{
    memset(addresses, 0, WARP_LANES * sizeof *addresses);
    uint64_t limit = access->wide ? UINT64_MAX : UINT32_MAX;
    EACH_LANE(l, w->mask) addresses[l] = (lane_get(w, op->a, access->wide ? 8 : 4, l) + op->immediate) & limit;
    if (access->wide && access->space == PTX_SPACE_SHARED)
        EACH_LANE(l, w->mask) addresses[l] = (uint64_t)(int64_t)(int32_t)(uint32_t)addresses[l];
}

/* Returns bytes, up to 8, as a number. The usual sizes are copied as a whole: a number that is read at once, but
 * written byte by byte, makes the processor wait. */
static inline uint64_t number_of(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;
    uint32_t word;
    switch (bytes) {
    case 1:
        return *from;
    case sizeof word:
        memcpy(&word, from, sizeof word);
        return word;
    case sizeof value:
        memcpy(&value, from, sizeof value);
        return value;
    default:
        memcpy(&value, from, bytes);
        return value;
    }
}

static uint64_t load_bytes(const uint8_t *from, const struct access *access)
{
    uint64_t value = number_of(from, access->bytes);
    if (access->is_signed && access->bytes < 8) {
        uint64_t sign = UINT64_C(1) << (8 * access->bytes - 1);
        value = (value ^ sign) - sign;
    }
    return value;
}

/* Returns the bytes that the record keeps of an access, as they lie in memory. */
static uint64_t first_bytes(const uint8_t *at, const struct access *access)
{
    unsigned const there = access->used ? access->reach : access->total;
    return number_of(at, there < sizeof(uint64_t) ? there : (unsigned)sizeof(uint64_t));
}

/* Checks and records an access that is done. Returns the next op, or NULL after a fault. */
static const struct op *noted(struct warp *w, const struct op *op, uint32_t mask)
{
    const struct access *access = op->extra;
    if (access->silent)
        return op + 1;
    if (w->checked && (access->used || !memory_check_lanes(w, op, mask, false)) &&
        !checks_access(w, op, mask, w->addresses, false))
        return NULL;
    if (w->watched)
        record_access(w, op, mask, w->addresses);
    return op + 1;
}

VECTORISES uintptr_t memory_plain(struct warp *w, const struct op *op, uint32_t mask, const uint64_t *addresses)
{
    const struct access *access = op->extra;
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) { /* without a branch for each lane */
        bool const takes = mask >> l & 1;
        uint64_t const address = addresses[l];
        low = takes && address < low ? address : low;
        high = takes && address > high ? address : high;
        bits |= takes ? address : 0;
    }
    uint64_t const all = high - low + access->total;
    if (!mask || (bits & (access->total - 1u)) != 0)
        return 0;
    if (access->space == PTX_SPACE_SHARED)
        return high < UINT32_MAX && fits(low, all, w->worker->emulation->shared_bytes) ? (uintptr_t)w->block->shared
                                                                                       : 0;
    struct recent *recent = &w->worker->recent[access->cache];
    const struct region *region = recent->region;
    if (access->space != PTX_SPACE_GLOBAL)
        return 0;
    if (!fits(low - region->base, all, region->size))
        region = memory_find(w->worker->emulation, recent, low);
    if (!region || !fits(low - region->base, all, region->size))
        return 0;
    recent->region = region;
    return (uintptr_t)region->host - (uintptr_t)region->base;
}

/* Returns what to add to each lane's address for its host bytes, and *apart, to be added once more for each lane before
 * it; 0: lane by lane, since something is unusual. */
static uintptr_t plain_places(struct warp *w, const struct op *op, uint32_t mask, uintptr_t *apart)
{
    const struct access *access = op->extra;
    uint64_t bits = 0;
    *apart = 0;
    if (access->space != PTX_SPACE_LOCAL)
        return memory_plain(w, op, mask, w->addresses);
    *apart = w->worker->emulation->local_bytes;
    EACH_LANE(l, mask) bits |= w->addresses[l];
    return !(bits & (access->total - 1u)) && all_inside(w->addresses, mask, access->total, 0, *apart)
               ? (uintptr_t)w->local
               : 0;
}

/* Loads one element for each lane, all from one buffer, or from local memory. */
static bool load_plain(struct warp *w, const struct op *op, uint32_t mask)
{
    const struct access *access = op->extra;
    uintptr_t apart = 0;
    uintptr_t const host = access->elements == 1 ? plain_places(w, op, mask, &apart) : 0;
    if (!host)
        return false;
    EACH_LANE(l, mask)
    {
        const uint8_t *from = (const uint8_t *)(host + (uintptr_t)w->addresses[l] + l * apart);
        w->values[l] = number_of(from, access->bytes);
        if (access->rows[0] != PTX_NO_INDEX)
            lane_set(w, access->rows[0], access->row_bytes, l, load_bytes(from, access));
    }
    return true;
}

const struct op *memory_load(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    uint64_t *addresses = w->addresses;
    gather_addresses(w, op, access, addresses);
    uint32_t mask = w->mask;
    if (load_plain(w, op, mask))
        return noted(w, op, mask);
    EACH_LANE(l, mask)
    {
        const uint8_t *from = resolve_load(w, op, addresses[l], l);
        if (!from)
            return NULL;
        w->values[l] = first_bytes(from, access);
        for (unsigned k = 0; k < access->elements && (!access->used || k * access->bytes < access->reach); k++) {
            uint64_t value = load_bytes(from + k * access->bytes, access);
            if (access->rows[k] != PTX_NO_INDEX)
                lane_set(w, access->rows[k], access->row_bytes, l, value);
        }
    }
    return noted(w, op, mask);
}

void memory_note_poll(struct warp *w, const struct access *access, uint32_t mask, const uint64_t *x)
{
    uint64_t *last = &w->worker->reads[access->batch / BATCH_SHAPES];
    uint64_t hash = ((uint64_t)w->number << 32 | mask) ^ w->block->number << 40;
    EACH_LANE(l, mask)
    {
        hash = (hash ^ w->addresses[l]) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ hash >> 29 ^ w->values[l]) * UINT64_C(0xbf58476d1ce4e5b9) + (x ? x[l] : 0);
    }
    bool again = *last == hash;
    *last = hash;
    w->polls++;
    w->slice_polls += again;
    w->slice -= schedule_cost(w->worker, again ? POLL_COST : PAUSE_COST);
}

/* ld.volatile, ld.acquire and ld.relaxed: the reads of a loop that waits for another thread. */
const struct op *memory_poll(struct warp *w, const struct op *op)
{
    uint32_t mask = w->mask;
    const struct op *next = memory_load(w, op);
    if (next)
        memory_note_poll(w, op->extra, mask, NULL);
    return next;
}

/* A fence or a nap: a loop around one may wait for a plain read to change. */
const struct op *memory_pause(struct warp *w, const struct op *op)
{
    w->polls++;
    w->slice -= schedule_cost(w->worker, PAUSE_COST);
    return op + 1;
}

/* In a recorded block, the warp is not ready before the nap of its first lane is over. A cycle counts as a nanosecond:
 * a nap may last up to twice the time asked for. Source: PTX ISA 9.0, nanosleep. */
const struct op *memory_nap(struct warp *w, const struct op *op)
{
    w->hold = lane_get(w, op->a, 4, lowest(w->mask));
    return memory_pause(w, op);
}

static void store_lane(struct warp *w, const struct access *access, unsigned lane, uint8_t *to)
{
    for (unsigned k = 0; k < access->elements; k++) {
        uint64_t const value = lane_get(w, access->rows[k], access->row_bytes, lane);
        uint32_t const word = (uint32_t)value;
        if (access->bytes == sizeof word) /* sizes that the compiler knows need no call */
            memcpy(to + k * sizeof word, &word, sizeof word);
        else if (access->bytes == sizeof value)
            memcpy(to + k * sizeof value, &value, sizeof value);
        else
            memcpy(to + k * access->bytes, &value, access->bytes);
    }
    w->values[lane] = first_bytes(to, access);
}

/* Stores to one buffer, or to local memory. */
static bool store_plain(struct warp *w, const struct op *op, uint32_t mask)
{
    const struct access *access = op->extra;
    uintptr_t apart;
    uintptr_t const host = plain_places(w, op, mask, &apart);
    const struct region *region = w->worker->recent[access->cache].region;
    bool const global = access->space == PTX_SPACE_GLOBAL;
    if (!host || (global && region->read_only))
        return false;
    EACH_LANE(l, global && region->owners ? mask : 0) proof_keep(w, region, w->addresses[l], access->total);
    EACH_LANE(l, mask) store_lane(w, access, l, (uint8_t *)(host + (uintptr_t)w->addresses[l] + l * apart));
    return true;
}

const struct op *memory_store(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    uint64_t *addresses = w->addresses;
    gather_addresses(w, op, access, addresses);
    uint32_t mask = w->mask;
    if (store_plain(w, op, mask))
        return noted(w, op, mask);
    EACH_LANE(l, mask)
    {
        uint8_t *to = memory_resolve(w, op, access->space, addresses[l], access->total, l, true);
        if (!to)
            return NULL;
        store_lane(w, access, l, to);
    }
    return noted(w, op, mask);
}

const struct op *memory_copy_commit(struct warp *w, const struct op *op)
{
    block_end_group(w->block, w->number);
    record_group(w, TRACE_COPY_GROUP);
    return op + 1;
}

/* Returns the model time at which all groups of the warp but the last `left` have arrived. Of more groups than are
 * kept, none is waited for. */
static uint64_t groups_there(const struct warp *w, uint32_t left)
{
    uint32_t const begun = w->block->copies[w->number];
    return begun > left && left < COPY_GROUPS ? w->block->group_there[w->number][(begun - left - 1) % COPY_GROUPS] : 0;
}

const struct op *memory_copy_wait(struct warp *w, const struct op *op)
{
    uint32_t const left = (uint32_t)op->immediate;
    if (left == 0) { /* wait_all: copies that were not committed yet as well */
        block_end_group(w->block, w->number);
        record_group(w, TRACE_COPY_GROUP);
    }
    uint32_t const begun = w->block->copies[w->number];
    uint64_t const now = w->block->clock, there = groups_there(w, left);
    w->hold = there > now ? there - now : 0;
    record_group(w, TRACE_COPY_WAIT);
    if (begun >= left && begun - left > w->block->copied[w->number])
        w->block->copied[w->number] = begun - left;
    return op + 1;
}

/* False after a fault. from: 0 when nothing is read. */
static bool check_copy(struct warp *w, const struct op *op, unsigned lane, uint64_t from, uint64_t to,
                       const uint8_t *bytes)
{
    const struct access *access = op->extra;
    struct check_access read = {
        .op = op, .lane = lane, .bytes = access->total, .address = from, .reads = true, .strong = access->strong};
    struct check_access const write = {.op = op,
                                       .lane = lane,
                                       .bytes = access->total,
                                       .address = to,
                                       .writes = true,
                                       .copy = CHECK_ASYNC,
                                       .values = bytes};
    return (!from || checks_global(w, &read)) && checks_shared(w, &write);
}

/* Returns how many bytes a lane takes from its source; the rest becomes zeros. */
static uint64_t taken_bytes(const struct warp *w, const struct op *op, unsigned lane)
{
    const struct access *access = op->extra;
    uint64_t bytes = access->total;
    if (op->c && (*predicate(w, op->c) ^ op->flip) >> lane & 1)
        return 0;
    if (access->rows[1] != PTX_NO_INDEX)
        bytes = lane_get(w, access->rows[1], 4, lane);
    return bytes < access->total ? bytes : access->total;
}

/* cp.async copies at once, which is legal, because a correct program waits before it reads. The checks find a
 * missing wait. rows[0]: the row of the source's address; rows[1]: bytes to copy, or PTX_NO_INDEX; c: the predicate
 * of lanes that ignore the source, or 0. A lane that takes nothing does not access global memory (tests/copies). */
const struct op *memory_copy_async(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    uint64_t *addresses = w->addresses;
    uint32_t mask = w->mask, readers = 0;
    uint64_t targets[WARP_LANES];
    memset(addresses, 0, WARP_LANES * sizeof *addresses);
    w->worker->time++;
    EACH_LANE(l, mask)
    {
        uint64_t target = lane_get(w, op->a, access->wide ? 8 : 4, l) + op->immediate;
        addresses[l] = lane_get(w, access->rows[0], 8, l) + access->offset;
        uint64_t const take = taken_bytes(w, op, l);
        uint8_t bytes[16] = {0};
        readers |= (uint32_t)(take != 0) << l;
        if (take) {
            const uint8_t *from = memory_resolve(w, op, PTX_SPACE_GLOBAL, addresses[l], access->total, l, false);
            if (!from)
                return NULL;
            memcpy(bytes, from, take);
        }
        uint8_t *to =
            memory_resolve(w, op, PTX_SPACE_SHARED, access->wide ? target : (uint32_t)target, access->total, l, true);
        if (!to)
            return NULL;
        memcpy(to, bytes, access->total);
        targets[l] = access->wide ? target : (uint32_t)target;
        w->values[l] = first_bytes(bytes, access);
        if (w->checked && !check_copy(w, op, l, take ? addresses[l] : 0, targets[l], bytes))
            return NULL;
    }
    w->event.space = PTX_SPACE_GLOBAL; /* the event describes the read */
    if (w->watched && readers) {
        record_access(w, op, readers, addresses);
        record_target(w, op, mask, targets);
    }
    w->event.space = PTX_SPACE_GENERIC;
    uint64_t *there = &w->block->copies_there[w->number];
    if (w->block->clock + w->flight > *there)
        *there = w->block->clock + w->flight;
    w->hold = 0; /* the warp goes on at once */
    return op + 1;
}
