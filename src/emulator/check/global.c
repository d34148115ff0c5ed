/* What is known of each word of global memory while races are looked for: who wrote it last and which two threads read
 * it last, and when. Two accesses by different threads, one of them a write, race unless something orders them: a
 * barrier of their block, a __syncwarp of their warp, a phase of a barrier object (order.c), or atomics (or volatile
 * accesses) through which one block saw what another had done. That last rule is generous: whoever takes part in such
 * an exchange counts as ordered after all that was done before it, so that a missing fence is not found. The same value
 * written twice is no race, as in racecheck. One processor does the run then, so that the order, and what is found, is
 * the same everywhere. What is kept of a word is twenty times as long as the word: only so many pages of memory are
 * watched, those touched first. */
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/check/order.h"
#include "emulator/memory/memory.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { WORD = 4, PAGE = 4096, WATCHED = 64 << 20 };
enum { TIME_BITS = 48, THREAD_BITS = 10, THREAD_MAX = (1 << THREAD_BITS) - 1 };
#define TIME_MAX ((UINT64_C(1) << TIME_BITS) - 1)

enum page { PAGE_UNTOUCHED, PAGE_WATCHED, PAGE_LEFT_OUT };

/* There are many: in 16 bytes a time that a machine cannot use up, and 10 bits for the threads of a block. */
struct visit { /* time 0: never; block and thread as numbers */
    uint64_t time : TIME_BITS, thread : THREAD_BITS;
    uint64_t bytes : 4;  /* of the word, a bit each */
    uint64_t strong : 1; /* atomic, volatile, relaxed, acquire, release */
    uint64_t bulk : 1;   /* read by a copy in the background that the thread began */
    uint32_t block, site;
};

struct word {
    struct visit write, strong_write, read[2]; /* read[1]: by another thread than read[0], before it */
    uint64_t signal_time : TIME_BITS, signal_thread : THREAD_BITS; /* the last strong access */
    uint32_t signal_block;
    uint32_t value; /* that write left */
};

bool global_watch(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->region_count; i++) {
        struct region *r = &machine->regions[i];
        bool heap = machine->heap_bytes && r->base == machine->heap_base;
        if ((r->unwritten || heap) && machine->options->checks.memory) {
            if (heap)
                r->state = machine->heap_state = calloc(1, r->size + 1);
            else
                r->written = calloc(r->size / 64 + 1, sizeof *r->written);
            machine->watch_global = true;
            if (!r->state && !r->written)
                return false;
        }
        if (!machine->options->checks.races || r->read_only || !r->shared_by_all)
            continue;
        size_t size = (r->size / WORD + 1) * sizeof(struct word);
        void *words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (words == MAP_FAILED) {
            machine->left_out_bytes += r->size;
            continue;
        }
        r->words = words;
        r->pages = arena_alloc(machine->arena, r->size / PAGE + 1);
        machine->watch_global = machine->watch_races = true;
    }
    return true;
}

struct unchecked global_unchecked(const struct machine *machine)
{
    return (struct unchecked){.reason = machine->left_out_bytes ? UNCHECKED_MEMORY : UNCHECKED_NOTHING,
                              .watched_bytes = machine->watched_bytes,
                              .left_out_bytes = machine->left_out_bytes};
}

void global_forget(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->region_count; i++) {
        struct region *r = &machine->regions[i];
        if (r->words)
            munmap(r->words, (r->size / WORD + 1) * sizeof(struct word));
        free(r->written);
        free(r->state);
    }
}

/* Does something order the earlier visit before what thread self of the warp does now? */
static bool ordered(const struct warp *w, const struct visit *earlier, uint16_t self)
{
    if (earlier->time <= w->block->acquired)
        return true;
    if (earlier->block != (uint32_t)w->block->number)
        return false;
    if (earlier->thread == self || earlier->time <= w->block->barrier_time)
        return true;
    if (earlier->thread / WARP_LANES == w->number && earlier->time <= w->sync_time)
        return true;
    const struct order *order = w->block->order;
    return order && (earlier->time <= order_of_thread(order, self, earlier->thread) ||
                     (earlier->bulk && earlier->time <= order_of_any_bulk(order, self)));
}

static bool meet(const struct warp *w, const struct visit *earlier, const struct visit *now)
{
    return earlier->time && earlier->bytes & now->bytes && !(earlier->strong && now->strong) &&
           !ordered(w, earlier, now->thread);
}

/* Does a write leave other bytes than the last one, where both wrote? */
static bool differs(const struct word *word, const struct visit *now, uint32_t value)
{
    uint32_t both = 0;
    for (unsigned i = 0; i < WORD; i++)
        if ((word->write.bytes & now->bytes) >> i & 1)
            both |= 0xffu << 8 * i;
    return (word->value ^ value) & both;
}

static void compare(struct warp *w, const struct op *op, const struct word *word, const struct visit *now,
                    uint64_t address, bool reads, bool writes, uint32_t value)
{
    const struct visit *write = meet(w, &word->write, now) && (reads || differs(word, now, value)) ? &word->write
                                : meet(w, &word->strong_write, now)                                ? &word->strong_write
                                                                                                   : NULL;
    if (write) {
        checks_hazard(w, op, PTX_SPACE_GLOBAL, address, write->site, write->block, write->thread, now->thread,
                      writes ? FINDING_WRITE_AFTER_WRITE : FINDING_READ_AFTER_WRITE);
        return;
    }
    for (unsigned k = 0; writes && k < 2; k++)
        if (meet(w, &word->read[k], now)) {
            checks_hazard(w, op, PTX_SPACE_GLOBAL, address, word->read[k].site, word->read[k].block,
                          word->read[k].thread, now->thread, FINDING_WRITE_AFTER_READ);
            return;
        }
}

/* A strong access sees what the last one of another thread had published. */
static void exchange(struct warp *w, struct word *word, const struct visit *now)
{
    bool other = word->signal_block != now->block || word->signal_thread != now->thread;
    if (other && word->signal_time > w->block->acquired)
        w->block->acquired = word->signal_time;
    word->signal_time = now->time, word->signal_block = now->block, word->signal_thread = now->thread;
}

static void visit_word(struct warp *w, const struct op *op, struct word *word, const struct visit *now,
                       uint64_t address, bool reads, bool writes, uint32_t value)
{
    compare(w, op, word, now, address, reads, writes, value);
    if (now->strong)
        exchange(w, word, now);
    if (reads && !writes) {
        if (word->read[0].block != now->block || word->read[0].thread != now->thread)
            word->read[1] = word->read[0];
        word->read[0] = *now;
    }
    if (writes && now->strong)
        word->strong_write = *now;
    else if (writes)
        word->write = *now, word->value = value;
}

/* False after a fault: the bytes are no allocation's. */
static bool check_heap(struct warp *w, const struct op *op, unsigned lane, const struct region *r, uint64_t offset,
                       unsigned bytes, bool writes)
{
    for (unsigned i = 0; i < bytes; i++) {
        enum heap_state state = r->state[offset + i];
        if (state == HEAP_WRITTEN || state == HEAP_FRESH)
            continue;
        uint64_t before = offset + i;
        while (before && r->state[before] == HEAP_NONE)
            before--;
        struct finding fault = {.form = state == HEAP_FREED ? FINDING_FREED : FINDING_OUTSIDE_HEAP,
                                .address = r->base + offset,
                                .memory = fault_access(w, op, PTX_SPACE_GLOBAL, bytes, writes)};
        fault.memory.distance = state == HEAP_FREED ? 0 : offset + i - before;
        fault_at(w, op, lane, &fault);
        return false;
    }
    return true;
}

static bool was_written(const struct region *r, uint64_t at)
{
    if (r->state)
        return r->state[at] == HEAP_WRITTEN;
    return __atomic_load_n(&r->written[at / 64], __ATOMIC_RELAXED) >> at % 64 & 1;
}

static void now_written(const struct region *r, uint64_t offset, unsigned bytes)
{
    if (r->state) {
        memset(r->state + offset, HEAP_WRITTEN, bytes);
        return;
    }
    for (uint64_t at = offset; at < offset + bytes; at++) { /* other workers write other bits of the same words */
        uint64_t bit = UINT64_C(1) << at % 64;
        if (!was_written(r, at))
            __atomic_fetch_or(&r->written[at / 64], bit, __ATOMIC_RELAXED);
    }
}

static void check_written(struct warp *w, const struct op *op, unsigned lane, const struct region *r, uint64_t offset,
                          unsigned bytes, bool reads, bool writes)
{
    for (unsigned i = 0; i < bytes && reads; i++)
        if (!was_written(r, offset + i)) {
            struct finding note = {.form = FINDING_UNWRITTEN_GLOBAL,
                                   .address = r->base + offset,
                                   .memory = fault_access(w, op, PTX_SPACE_GLOBAL, bytes, false)};
            note.memory.name = r->name, note.memory.base = r->base, note.memory.size = r->size;
            note.memory.offset = (int64_t)(offset + i);
            fault_note(w, op, lane, &note);
            break;
        }
    if (writes)
        now_written(r, offset, bytes);
}

/* Is the page of an address one of those watched? An access never lies on two, as it is aligned. */
static bool watched(struct machine *machine, const struct region *r, uint64_t offset)
{
    uint8_t *page = &r->pages[offset / PAGE];
    if (*page == PAGE_UNTOUCHED) {
        uint64_t most = machine->options->watched ? machine->options->watched : WATCHED;
        bool room = machine->watched_bytes < most;
        *page = room ? PAGE_WATCHED : PAGE_LEFT_OUT;
        *(room ? &machine->watched_bytes : &machine->left_out_bytes) += PAGE;
    }
    return *page == PAGE_WATCHED;
}

bool global_access(struct warp *w, const struct op *op, unsigned lane, uint64_t address, unsigned bytes,
                   enum global_use use, const uint8_t *value)
{
    struct machine *machine = w->worker->machine;
    const struct access *access = op->extra;
    const struct region *r = w->worker->recent[access->cache].region; /* where the access was found */
    if (address - r->base >= r->size)
        r = memory_region(machine, address);
    if (!r || address - r->base + bytes > r->size)
        return true;
    uint64_t offset = address - r->base;
    bool reads = use != GLOBAL_STORE, writes = use == GLOBAL_STORE || use == GLOBAL_ATOMIC;
    if (r->state && !check_heap(w, op, lane, r, offset, bytes, writes))
        return false;
    if (r->written || r->state)
        check_written(w, op, lane, r, offset, bytes, reads, writes);
    if (!r->words || !watched(machine, r, offset))
        return true;
    struct visit now = {.time = w->worker->time & TIME_MAX,
                        .block = (uint32_t)w->block->number,
                        .site = op->site,
                        .thread = (w->number * WARP_LANES + lane) & THREAD_MAX,
                        .strong = use == GLOBAL_ATOMIC || access->strong,
                        .bulk = use == GLOBAL_BULK_LOAD};
    for (unsigned i = 0; i < bytes;) {
        unsigned in = (unsigned)((offset + i) % WORD), count = WORD - in < bytes - i ? WORD - in : bytes - i;
        uint32_t bits = 0;
        memcpy((uint8_t *)&bits + in, (value ? value : r->host + offset) + i, count);
        now.bytes = ((1u << count) - 1) << in & 0xf;
        visit_word(w, op, &r->words[(offset + i) / WORD], &now, address + i, reads, writes, bits);
        i += count;
    }
    return true;
}
