#include "model/cache_pairs.h"
#include "base/arena.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The first region is for small launches. The others are as large as the pages that they are to have, or a multiple. */
enum { REGION_LEAST = 64 << 10, REGION_BYTES = 4 << 20, LARGE_PAGE = 2 << 20, CHUNK_BITS_LEAST = 8 };

static unsigned count_of(unsigned sectors)
{
    return (sectors & 1) + (sectors >> 1 & 1);
}

static struct l2_rule rule_of(unsigned asked, unsigned inside, unsigned wanted, bool write)
{
    unsigned const read = !write && (wanted & ~inside), after = read ? L2_BOTH : inside | wanted;
    unsigned const along = read && (asked | wanted) != L2_BOTH ? L2_COMES_ALONG : 0;
    return (struct l2_rule){.state = (uint8_t)((asked | wanted) << 2 | after),
                            .hits = (uint8_t)((wanted & inside) << 2 | (wanted & asked)),
                            .reads = read ? 2 : 0,
                            .more = (uint8_t)((count_of(after) - count_of(inside)) | along)};
}

static void fill_rules(struct l2 *l2)
{
    for (unsigned state = 0; state < 1 << L2_STATE_BITS; state++)
        for (unsigned wanted = 0; wanted <= L2_BOTH; wanted++)
            for (unsigned write = 0; write < 2; write++)
                l2->rules[l2_rule_number(state, wanted, write)] = rule_of(state >> 2, state & L2_BOTH, wanted, write);
}

/* The tables of the sets are read here and there: with small pages, finding where a page lies takes longer than reading
 * it. */
bool l2_new(struct l2 *l2, uint64_t bytes)
{
    size_t const count = bytes / (2 * 32 * L2_WAYS), one = sizeof *l2->members + sizeof *l2->order;
    *l2 = (struct l2){.set_count = (uint32_t)count, .chunk_bits = CHUNK_BITS_LEAST, .memory_bytes = count * one};
    void *memory =
        mmap(NULL, l2->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    memory_prefer_large_pages(memory, l2->memory_bytes);
    l2->members = memory;
    l2->order = (uint64_t *)(l2->members + count);
    fill_rules(l2);
    l2->chunks = calloc((size_t)1 << l2->chunk_bits, sizeof *l2->chunks);
    if (!l2->chunks)
        l2_free(l2);
    return l2->chunks != NULL;
}

static void free_chunks(struct l2 *l2)
{
    for (size_t i = 0; i < l2->regions.count; i++)
        free(l2->regions.items[i]);
    l2->regions.count = 0;
    l2->free = l2->emptied = NULL;
    l2->chunk_count = l2->emptied_count = 0;
}

void l2_empty(struct l2 *l2)
{
    if (!l2->chunks)
        return;
    free_chunks(l2);
    memset(l2->chunks, 0, sizeof *l2->chunks << l2->chunk_bits);
    memset(l2->order, 0, l2->set_count * sizeof *l2->order);
    memset(l2->members, 0, l2->set_count * sizeof *l2->members);
    l2->sectors = 0;
}

void l2_free(struct l2 *l2)
{
    free_chunks(l2);
    free(l2->regions.items);
    free(l2->chunks);
    if (l2->members)
        munmap(l2->members, l2->memory_bytes);
    *l2 = (struct l2){0};
}

static uint32_t region_chunks(const struct l2 *l2)
{
    return (l2->regions.count > 1 ? REGION_BYTES : REGION_LEAST) / sizeof(struct l2_chunk);
}

static struct l2_chunk *chunk_new(struct l2 *l2)
{
    struct l2_chunk *chunk = l2->free;
    if (chunk) {
        l2->free = chunk->next;
        return chunk;
    }
    if (!l2->regions.count || l2->region_used == region_chunks(l2)) {
        size_t const bytes = l2->regions.count ? REGION_BYTES : REGION_LEAST;
        struct l2_chunk *region = aligned_alloc(l2->regions.count ? LARGE_PAGE : L2_CHUNK_PAIRS, bytes);
        if (!region)
            return NULL;
        if (l2->regions.count)
            memory_prefer_large_pages(region, bytes);
        array_push(&l2->regions, region);
        l2->region_used = 0;
    }
    chunk = &l2->regions.items[l2->regions.count - 1][l2->region_used++];
    memset(chunk, 0, sizeof *chunk);
    return chunk;
}

/* Returns the place of a chunk in the table, or the free one where it belongs. */
static size_t search(const struct l2 *l2, uint64_t number)
{
    size_t const last = ((size_t)1 << l2->chunk_bits) - 1;
    size_t at = (size_t)(l2_entry_of(l2, number) - l2->chunks);
    while (l2->chunks[at].chunk && l2->chunks[at].number != number)
        at = (at + 1) & last;
    return at;
}

/* Doubles the table of chunks. */
static bool widen(struct l2 *l2)
{
    struct l2_entry *before = l2->chunks;
    size_t const places = (size_t)1 << l2->chunk_bits;
    l2->chunks = calloc(2 * places, sizeof *l2->chunks);
    if (!l2->chunks) {
        l2->chunks = before;
        return false;
    }
    l2->chunk_bits++;
    for (size_t i = 0; i < places; i++)
        if (before[i].chunk)
            l2->chunks[search(l2, before[i].number)] = before[i];
    free(before);
    return true;
}

/* Returns a chunk, which comes into being when there is none. */
struct l2_chunk *l2_find_chunk(struct l2 *l2, uint64_t number)
{
    struct l2_chunk *chunk = l2->chunks[search(l2, number)].chunk;
    if (chunk)
        return chunk;
    if ((l2->chunk_count + 1) * 4 > (size_t)1 << l2->chunk_bits && !widen(l2))
        l2->failed = true;
    chunk = l2->failed ? NULL : chunk_new(l2);
    if (!chunk) {
        l2->failed = true;
        l2->spare.emptied = true; /* never used again */
        return &l2->spare;
    }
    chunk->number = number;
    l2->chunk_count++;
    l2->chunks[search(l2, number)] = (struct l2_entry){number, chunk};
    return chunk;
}

/* Takes a chunk out of the table. Those behind it that it kept from their places move up. */
static void take_out(struct l2 *l2, uint64_t number)
{
    size_t const last = ((size_t)1 << l2->chunk_bits) - 1;
    size_t gap = search(l2, number);
    for (size_t at = (gap + 1) & last; l2->chunks[at].chunk; at = (at + 1) & last) {
        size_t const wished = (size_t)(l2_entry_of(l2, l2->chunks[at].number) - l2->chunks);
        if (((at - wished) & last) < ((at - gap) & last))
            continue;
        l2->chunks[gap] = l2->chunks[at];
        gap = at;
    }
    l2->chunks[gap].chunk = NULL;
    l2->chunk_count--;
}

void l2_tidy(struct l2 *l2)
{
    for (struct l2_chunk *chunk = l2->emptied, *next; chunk; chunk = next) {
        next = chunk->next;
        chunk->emptied = false;
        if (chunk->inside)
            continue;
        take_out(l2, chunk->number);
        chunk->next = l2->free;
        l2->free = chunk;
    }
    l2->emptied = NULL;
    l2->emptied_count = 0;
}

static void throw_out(struct l2 *l2, uintptr_t member)
{
    struct l2_chunk *chunk = (struct l2_chunk *)(member / L2_CHUNK_PAIRS * L2_CHUNK_PAIRS);
    uint64_t *pair = &chunk->pairs[member % L2_CHUNK_PAIRS];
    l2->sectors -= count_of(*pair & L2_BOTH);
    *pair = 0;
    if (--chunk->inside || chunk->emptied)
        return;
    chunk->emptied = true;
    chunk->next = l2->emptied;
    l2->emptied = chunk;
    l2->emptied_count++;
}

uint64_t l2_bring(struct l2 *l2, const struct l2_place *place)
{
    uint64_t *order = &l2->order[place->set], way = l2_oldest_of(*order);
    uintptr_t *member = &l2->members[place->set][way];
    *order = ((*order ^ L2_ORDER) << 4 | way) ^ L2_ORDER;
    if (*member)
        throw_out(l2, *member);
    *member = (uintptr_t)place->chunk + place->at;
    place->chunk->inside++;
    return way << L2_STATE_BITS;
}

/* The pairs of each set, the one used longest ago first. */
struct l2_copy {
    size_t count;
    struct {
        uint64_t number, kept; /* address / 64; as a chunk keeps it */
    } pairs[];
};

struct l2_copy *l2_copy(const struct l2 *l2)
{
    struct l2_copy *copy = malloc(sizeof *copy + (size_t)l2->set_count * L2_WAYS * sizeof *copy->pairs);
    if (!copy)
        return NULL;
    copy->count = 0;
    for (uint32_t set = 0; set < l2->set_count; set++)
        for (unsigned i = L2_WAYS; i-- > 0;) {
            uintptr_t const member = l2->members[set][(l2->order[set] ^ L2_ORDER) >> 4 * i & (L2_WAYS - 1)];
            if (!member)
                continue;
            const struct l2_chunk *chunk = (const struct l2_chunk *)(member / L2_CHUNK_PAIRS * L2_CHUNK_PAIRS);
            unsigned const at = member % L2_CHUNK_PAIRS;
            copy->pairs[copy->count].number = chunk->number << L2_CHUNK_BITS | at;
            copy->pairs[copy->count++].kept = chunk->pairs[at];
        }
    return copy;
}

void l2_restore(struct l2 *l2, const struct l2_copy *copy)
{
    uint64_t const ways = (uint64_t)(L2_WAYS - 1) << L2_STATE_BITS;
    l2_empty(l2);
    for (size_t i = 0; i < copy->count; i++) {
        uint64_t const kept = copy->pairs[i].kept;
        struct l2_place const place = l2_place_of(l2, copy->pairs[i].number);
        place.chunk->pairs[place.at] = (kept & ~ways) | l2_bring(l2, &place);
        l2->sectors += count_of(kept & L2_BOTH);
    }
}

struct l2_answer l2_use(struct l2 *l2, uint64_t line, uint8_t sectors, bool write, uint32_t time, uint32_t soon)
{
    struct l2_answer answer = {0};
    l2_tidy(l2);
    for (unsigned half = 0; half < 2; half++) {
        uint8_t const wanted = sectors >> half * 2 & L2_BOTH;
        if (!wanted)
            continue;
        struct l2_place const place = l2_place_of(l2, line * 2 + half);
        struct l2_answer const of_pair = l2_use_pair(l2, &place, wanted, write, time, soon);
        answer.hits |= (uint8_t)(of_pair.hits << half * 2);
        answer.along |= (uint8_t)(of_pair.along << half * 2);
        answer.late |= (uint8_t)(of_pair.late << half * 2);
        answer.reads += of_pair.reads;
    }
    return answer;
}
