/* Barrier objects (mbarrier) in shared memory, and the bulk copies that complete them. An object is a word of 64
 * bits, which PTX keeps opaque. Here it holds, from below: missing arrivals (20 bits), arrivals of a phase (20),
 * missing bytes (21, signed), a mark (2), and the phase's parity. A thread that waits for a phase is parked until
 * some phase of the block completes. When no other thread can continue either, all parked threads look again: PTX
 * lets a wait give up, and the program may then do something that helps. After some fruitless rounds it is a
 * deadlock. */
#include "emulator/memory/mbarrier.h"
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/check/order.h"
#include "emulator/core/control.h"
#include "emulator/memory/memory.h"
#include "emulator/run/block_record.h"
#include "emulator/run/schedule.h"

enum { COUNT_BITS = 20, BYTES_BITS = 21, BYTES_MAX = (1 << COUNT_BITS) - 1, MARK = 1 };
enum { FRUITLESS_MAX = 256, PIECE = TRACE_PIECE };

struct object {
    int64_t missing, expected, bytes;
    bool parity;
};

static uint64_t field(uint64_t word, unsigned from, unsigned bits)
{
    return word >> from & ((UINT64_C(1) << bits) - 1);
}

static bool unpack(uint64_t word, struct object *object)
{
    int64_t const sign = INT64_C(1) << (BYTES_BITS - 1);
    *object = (struct object){.missing = (int64_t)field(word, 0, COUNT_BITS),
                              .expected = (int64_t)field(word, COUNT_BITS, COUNT_BITS),
                              .bytes = ((int64_t)field(word, 2 * COUNT_BITS, BYTES_BITS) ^ sign) - sign,
                              .parity = word >> 63};
    return field(word, 2 * COUNT_BITS + BYTES_BITS, 2) == MARK;
}

static uint64_t pack(const struct object *object)
{
    return (uint64_t)object->missing | (uint64_t)object->expected << COUNT_BITS |
           ((uint64_t)object->bytes & ((UINT64_C(1) << BYTES_BITS) - 1)) << 2 * COUNT_BITS |
           (uint64_t)MARK << (2 * COUNT_BITS + BYTES_BITS) | (uint64_t)object->parity << 63;
}

/* Finds the object's offset in shared memory and returns its bytes; NULL after a fault. */
static uint8_t *find(struct warp *w, const struct op *op, uint32_t row, uint64_t offset, bool wide, unsigned lane,
                     uint64_t *address)
{
    const struct access *access = op->extra;
    *address = lane_get(w, row, wide ? 8 : 4, lane) + offset;
    if (!wide)
        *address = (uint32_t)*address;
    if (access->space == PTX_SPACE_GENERIC && wide && *address >= EMULATOR_SHARED_BASE)
        *address -= EMULATOR_SHARED_BASE;
    return memory_resolve(w, op, PTX_SPACE_SHARED, *address, sizeof(uint64_t), lane, true);
}

static bool load(struct warp *w, const struct op *op, unsigned lane, uint64_t address, const uint8_t *at,
                 struct object *object)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    if (unpack(word, object))
        return true;
    fault_at(
        w, op, lane,
        &(struct finding){.form = FINDING_MBARRIER_UNINITIALIZED, .address = address, .mbarrier = {.offset = address}});
    return false;
}

/* Parked fragments look again. */
static void wake(struct worker *worker, bool in_vain)
{
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct warp *w = &worker->warps[i];
        bool found = false;
        for (uint32_t k = 0; k < w->other_count; k++) {
            struct fragment *f = &w->others[k];
            if (f->state != FRAGMENT_MBARRIER)
                continue;
            f->state = FRAGMENT_READY;
            f->gathered = in_vain;
            f->ready = worker->block.clock + schedule_instruction(worker->emulation);
            found = true;
        }
        if (found && w->state == WARP_WAITING)
            control_next(w);
    }
}

/* Returns where arrivals at the object are gathered; NULL: races are not checked, or the block has too many objects. */
static struct meeting *meeting_of(const struct warp *w, uint64_t offset)
{
    return w->block->order ? order_object(w->block->order, offset) : NULL;
}

/* Completes the phase if nothing is missing. */
static void settle(struct warp *w, struct object *object, struct meeting *meeting)
{
    if (object->missing || object->bytes)
        return;
    object->missing = object->expected;
    object->parity = !object->parity;
    w->block->fruitless = 0;
    if (meeting)
        order_complete(w->block->order, meeting);
    else
        block_meet(w->block, w->worker->time);
    wake(w->worker, false);
}

static bool change_bytes(struct warp *w, const struct op *op, unsigned lane, uint64_t address, struct object *object,
                         int64_t bytes)
{
    object->bytes += bytes;
    if (object->bytes <= BYTES_MAX && object->bytes >= -BYTES_MAX)
        return true;
    fault_at(w, op, lane,
             &(struct finding){.form = FINDING_MBARRIER_BYTES,
                               .address = address,
                               .mbarrier = {.offset = address, .bytes = object->bytes, .most = BYTES_MAX}});
    return false;
}

static bool arrive(struct warp *w, const struct op *op, unsigned lane, uint64_t address, struct object *object,
                   int64_t count)
{
    if (count > 0 && count <= object->missing) {
        object->missing -= count;
        return true;
    }
    fault_at(w, op, lane,
             &(struct finding){.form = FINDING_MBARRIER_ARRIVALS,
                               .address = address,
                               .mbarrier = {.offset = address, .missing = object->missing, .arrivals = count}});
    return false;
}

/* Returns whether an arrival publishes the thread's earlier accesses. An arrival with .relaxed does not, and neither
 * does one that copies make. */
static bool releases(const struct op *op)
{
    enum mbarrier_action const action = (enum mbarrier_action)op->combine;
    return op->flags & OP_RELEASES && action != MBARRIER_EXPECT && action != MBARRIER_COMPLETE &&
           !ptx_has(op->source->modifiers, PTX_MOD_relaxed);
}

/* Does one lane's part of an instruction on an object. operand: the value of row b, if there is one. */
static bool act(struct warp *w, const struct op *op, unsigned lane, uint64_t address, struct object *object,
                int64_t operand)
{
    switch ((enum mbarrier_action)op->combine) {
    case MBARRIER_ARRIVE:
        return arrive(w, op, lane, address, object, operand);
    case MBARRIER_ARRIVE_EXPECT:
        return change_bytes(w, op, lane, address, object, operand) && arrive(w, op, lane, address, object, 1);
    case MBARRIER_DROP:
    case MBARRIER_DROP_EXPECT: {
        bool const expects = op->combine == MBARRIER_DROP_EXPECT;
        int64_t const count = expects ? 1 : operand;
        if (expects && !change_bytes(w, op, lane, address, object, operand))
            return false;
        if (!arrive(w, op, lane, address, object, count))
            return false;
        object->expected -= count;
        return true;
    }
    case MBARRIER_EXPECT:
        return change_bytes(w, op, lane, address, object, operand);
    default:
        return change_bytes(w, op, lane, address, object, -operand);
    }
}

const struct op *mbarrier_act(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    EACH_LANE(l, w->mask)
    {
        uint64_t address, word;
        struct object object;
        uint8_t *at = find(w, op, op->a, op->immediate, access->wide, l, &address);
        if (!at || !load(w, op, l, address, at, &object))
            return NULL;
        memcpy(&word, at, sizeof word);
        int64_t const operand = op->b ? (int64_t)(uint32_t)lane_get(w, op->b, 4, l) : 1;
        if (!act(w, op, l, address, &object, operand))
            return NULL;
        if (op->d)
            lane_set(w, op->d, 8, l, word);
        struct meeting *meeting = meeting_of(w, address);
        if (meeting && releases(op))
            order_arrive(w, meeting, l);
        settle(w, &object, meeting);
        word = pack(&object);
        memcpy(at, &word, sizeof word);
    }
    return op + 1;
}

const struct op *mbarrier_init(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    EACH_LANE(l, w->mask)
    {
        uint64_t address, word = 0;
        uint8_t *at = find(w, op, op->a, op->immediate, access->wide, l, &address);
        if (!at)
            return NULL;
        int64_t const count = op->b ? (int64_t)(uint32_t)lane_get(w, op->b, 4, l) : 0;
        if (op->b && (count < 1 || count > BYTES_MAX))
            return fault_at(w, op, l,
                            &(struct finding){.form = FINDING_MBARRIER_COUNT,
                                              .address = address,
                                              .mbarrier = {.offset = address, .arrivals = count, .most = BYTES_MAX}});
        if (op->b) /* else it is to be forgotten */
            word = pack(&(struct object){.missing = count, .expected = count});
        struct meeting *meeting = meeting_of(w, address);
        if (meeting)
            order_forget(w->block->order, meeting);
        memcpy(at, &word, sizeof word);
    }
    return op + 1;
}

const struct op *mbarrier_pending(struct warp *w, const struct op *op)
{
    EACH_LANE(l, w->mask) lane_set(w, op->d, 4, l, field(lane_get(w, op->a, 8, l), 0, COUNT_BITS));
    return op + 1;
}

/* These lanes saw that the phases of their objects are complete. */
static void observe(struct warp *w, const struct op *op, const uint64_t *addresses, uint32_t lanes)
{
    if (!w->block->order || ptx_has(op->source->modifiers, PTX_MOD_relaxed))
        return;
    for (uint32_t same; lanes; lanes &= ~same) {
        uint64_t const address = addresses[lowest(lanes)];
        same = 0;
        EACH_LANE(l, lanes) same |= (uint32_t)(addresses[l] == address) << l;
        struct meeting *meeting = order_object(w->block->order, address);
        if (meeting)
            order_observe(w, meeting, same);
    }
}

const struct op *mbarrier_wait(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    uint32_t done = 0;
    uint64_t addresses[WARP_LANES];
    EACH_LANE(l, w->active)
    {
        struct object object;
        uint8_t *at = find(w, op, op->a, op->immediate, access->wide, l, &addresses[l]);
        if (!at || !load(w, op, l, addresses[l], at, &object))
            return NULL;
        bool const awaited = op->combine ? lane_get(w, op->b, 4, l) & 1 : lane_get(w, op->b, 8, l) >> 63;
        done |= (uint32_t)(object.parity != awaited) << l;
    }
    if (!done && !w->gathered) {
        control_park(w, op, FRAGMENT_MBARRIER)->wait = op;
        control_wait(w);
        return NULL;
    }
    w->gathered = false;
    observe(w, op, addresses, done);
    uint64_t const now = w->block->clock, there = w->block->bulk_there;
    w->hold = done && there > now ? there - now : 0; /* model time: of all that was begun */
    uint32_t *p = predicate(w, op->d);
    *p = (*p & ~w->active) | done;
    w->pc = op + 1;
    return NULL;
}

bool mbarrier_idle(struct worker *worker)
{
    bool parked = false;
    for (uint32_t i = 0; i < worker->warp_count; i++)
        for (uint32_t k = 0; k < worker->warps[i].other_count; k++)
            parked |= worker->warps[i].others[k].state == FRAGMENT_MBARRIER;
    if (!parked || worker->block.fruitless++ > FRUITLESS_MAX)
        return false;
    for (uint32_t i = 0; i < worker->warp_count; i++)
        if (worker->warps[i].state == WARP_WAITING)
            control_release_joins(&worker->warps[i]);
    wake(worker, true);
    return true;
}

struct finding_mbarrier mbarrier_measure(const struct warp *w, const struct fragment *f)
{
    const struct access *access = f->wait->extra;
    uint64_t address, word;
    uint64_t row;
    memcpy(&row, f->frame->rows + f->wait->a + (access->wide ? 8 : 4) * lowest(f->mask), access->wide ? 8 : 4);
    address = access->wide ? row : (uint32_t)row;
    address += f->wait->immediate;
    if (access->space == PTX_SPACE_GENERIC && address >= EMULATOR_SHARED_BASE)
        address -= EMULATOR_SHARED_BASE;
    struct object object;
    memcpy(&word, w->block->shared + address, sizeof word);
    unpack(word, &object);
    return (struct finding_mbarrier){
        .offset = address, .missing = object.missing, .expected = object.expected, .bytes = object.bytes};
}

/* Sets the model time at which the copies that objects wait for are complete. */
static void arrives_at(struct block *block, uint64_t time)
{
    if (time > block->bulk_there)
        block->bulk_there = time;
}

/* cp.async.mbarrier.arrive: copies are made at once, so it arrives now. With `.noinc` its arrival was counted on. */
const struct op *mbarrier_after_copies(struct warp *w, const struct op *op)
{
    const struct access *access = op->extra;
    uint32_t const groups = block_end_group(w->block, w->number);
    record_group(w, TRACE_COPY_GROUP);
    arrives_at(w->block, w->block->copies_there[w->number]);
    EACH_LANE(l, w->block->order ? w->mask : 0)
    {
        uint64_t address;
        if (!find(w, op, op->a, op->immediate, access->wide, l, &address))
            return NULL;
        struct meeting *meeting = order_object(w->block->order, address);
        if (meeting)
            order_copies(w, meeting, groups);
        else
            w->block->copied[w->number] = groups;
    }
    return op->flip ? mbarrier_act(w, op) : op + 1;
}

/* ---- bulk copies ---- */

/* The copy of one lane: `size` bytes to an address from another, and the object whose phase it completes, if any. */
struct bulk {
    uint64_t to, from, size;
    uint8_t *object;
    uint64_t address; /* of the object */
    struct meeting *meeting;
};

static bool check_piece(struct warp *w, const struct op *op, const struct bulk_copy *copy, unsigned lane,
                        const struct bulk *bulk, uint64_t at, const uint8_t *bytes)
{
    struct check_access read = {
        .op = op, .lane = lane, .bytes = PIECE, .address = bulk->from + at, .reads = true, .copy = CHECK_BULK};
    struct check_access write = {.op = op,
                                 .lane = lane,
                                 .bytes = PIECE,
                                 .address = bulk->to + at,
                                 .writes = true,
                                 .copy = CHECK_BULK,
                                 .meeting = bulk->meeting,
                                 .values = bytes};
    return (copy->from == PTX_SPACE_GLOBAL ? checks_global(w, &read) : checks_shared(w, &read)) &&
           (copy->to == PTX_SPACE_GLOBAL ? checks_global(w, &write) : checks_shared(w, &write));
}

/* Records up to 32 pieces as if lanes had moved them. */
static void tell(struct warp *w, const struct op *op, const struct bulk_copy *copy, uint64_t first, uint64_t bytes)
{
    uint32_t const mask = trace_pieces(first, bytes, w->addresses);
    w->event.space = copy->to == PTX_SPACE_GLOBAL ? copy->to : copy->from;
    record_access(w, op, mask, w->addresses);
    w->event.space = PTX_SPACE_GENERIC;
}

static bool copy_all(struct warp *w, const struct op *op, const struct bulk_copy *copy, unsigned lane,
                     const struct bulk *bulk)
{
    uint64_t const told = copy->to == PTX_SPACE_GLOBAL ? bulk->to : bulk->from;
    for (uint64_t at = 0; at < bulk->size; at += PIECE) {
        const uint8_t *source = memory_resolve(w, op, copy->from, bulk->from + at, PIECE, lane, false);
        uint8_t *target = source ? memory_resolve(w, op, copy->to, bulk->to + at, PIECE, lane, true) : NULL;
        if (!target)
            return false;
        memcpy(&w->values[at / PIECE % WARP_LANES], source, 8);
        memmove(target, source, PIECE);
        if (w->checked && !check_piece(w, op, copy, lane, bulk, at, target))
            return false;
        uint64_t const pieces = at / PIECE % WARP_LANES + 1;
        if (w->watched && (pieces == WARP_LANES || at + PIECE == bulk->size))
            tell(w, op, copy, told + at - (pieces - 1) * PIECE, pieces * PIECE);
    }
    return true;
}

/* False after a fault. */
static bool read_bulk(struct warp *w, const struct op *op, unsigned lane, struct bulk *bulk)
{
    const struct bulk_copy *copy = op->extra;
    uint64_t const to = lane_get(w, op->a, copy->access.wide ? 8 : 4, lane) + op->immediate;
    uint64_t const from = lane_get(w, op->b, copy->wide_from ? 8 : 4, lane) + copy->offset_from;
    *bulk = (struct bulk){.to = copy->access.wide ? to : (uint32_t)to,
                          .from = copy->wide_from ? from : (uint32_t)from,
                          .size = lane_get(w, op->c, 4, lane)};
    if (bulk->size % PIECE || bulk->to % PIECE || bulk->from % PIECE) {
        fault_at(w, op, lane,
                 &(struct finding){.form = FINDING_MISALIGNED_COPY,
                                   .address = bulk->to % PIECE ? bulk->to : bulk->from,
                                   .copy = {.bytes = bulk->size, .from = bulk->from, .to = bulk->to}});
        return false;
    }
    if (!copy->completes)
        return true;
    bulk->object = find(w, op, op->e, copy->offset_object, copy->wide_object, lane, &bulk->address);
    bulk->meeting = bulk->object ? meeting_of(w, bulk->address) : NULL;
    return bulk->object != NULL;
}

const struct op *bulk_copy(struct warp *w, const struct op *op)
{
    const struct bulk_copy *copy = op->extra;
    w->worker->time++;
    EACH_LANE(l, w->mask)
    {
        struct bulk bulk;
        struct object object;
        if (!read_bulk(w, op, l, &bulk) || !copy_all(w, op, copy, l, &bulk))
            return NULL;
        if (!copy->completes)
            continue;
        if (!load(w, op, l, bulk.address, bulk.object, &object) ||
            !change_bytes(w, op, l, bulk.address, &object, -(int64_t)bulk.size))
            return NULL;
        if (bulk.meeting)
            order_bulk(w, bulk.meeting);
        settle(w, &object, bulk.meeting);
        uint64_t const word = pack(&object);
        memcpy(bulk.object, &word, sizeof word);
    }
    arrives_at(w->block, w->block->clock + w->flight);
    w->hold = 0; /* the warp goes on at once */
    return op + 1;
}
