/* The tags of the L2: sets of 16 pairs of sectors, 64 bytes, which the DRAM delivers together. Pairs are looked up by
 * their address, in chunks of neighbours: what a launch accesses lies mostly side by side, so that few lines of the
 * processor that runs this hold it. The sets say which pair goes when another comes. */
#ifndef LANESCOPE_MODEL_CACHE_PAIRS_H
#define LANESCOPE_MODEL_CACHE_PAIRS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The share of the L2 that a launch found to hold its data. */
#define L2_SHARE_THAT_HOLDS 0.8
enum { L2_WAYS = 16, L2_STATE_BITS = 4, L2_BOTH = 3 };
/* What becomes of a pair that is asked for. */
struct l2_rule {
    uint8_t state; /* of the pair afterwards: which of its sectors someone asked for or wrote, 2 bits; then which are
                      inside or on their way, 2 bits: another may have come along */
    uint8_t hits;  /* sectors that were inside, also those asked for before: at once, 2 bits; when what came along has
                      arrived, 2 bits */
    uint8_t reads; /* sectors that the DRAM delivers */
    uint8_t more;  /* sectors more than before that are inside; 4: another comes along */
};
enum { L2_COMES_ALONG = 4, L2_RULES = 1 << (L2_STATE_BITS + 2 + 1) };

/* Neighbouring pairs. */
enum { L2_CHUNK_BITS = 8, L2_CHUNK_PAIRS = 1 << L2_CHUNK_BITS };
struct l2_chunk {
    _Alignas(L2_CHUNK_PAIRS) uint64_t number; /* of its first pair / L2_CHUNK_PAIRS */
    struct l2_chunk *next;                    /* of those to use again, or of the emptied ones */
    uint32_t inside;                          /* pairs */
    bool emptied;                             /* it is among the emptied ones */
    /* 0: not inside. Else the state, the way in its set (4 bits), and in the upper half the time at which the DRAM was
     * asked for both sectors, where one came along. */
    uint64_t pairs[L2_CHUNK_PAIRS];
};
struct l2 {
    struct {
        struct l2_chunk **items;
        size_t count, capacity;
    } regions;            /* of chunks */
    uint32_t region_used; /* chunks of the last one */
    struct l2_entry {
        uint64_t number;
        struct l2_chunk *chunk; /* NULL: free */
    } * chunks;                 /* by the hash of their numbers */
    unsigned chunk_bits;        /* of the hash */
    size_t chunk_count;
    struct l2_chunk *free, *emptied;
    size_t emptied_count;
    size_t memory_bytes; /* of the two tables of sets: as far as they are not used, they take none */
    uint64_t *order;     /* of each set: the ways, 4 bits each, the one used last lowest; exclusive or the order at the
                        beginning */
    uintptr_t (*members)[L2_WAYS]; /* of each set: a chunk + the pair's place in it; 0: none */
    uint32_t set_count;
    uint64_t sectors;               /* that are inside or on their way */
    struct l2_rule rules[L2_RULES]; /* by l2_rule_number */
    bool failed;                    /* memory ran out: nothing is true any more */
    struct l2_chunk spare;          /* that takes all pairs then */
};
/* Returns false without memory. bytes: what the cache can hold. */
bool l2_new(struct l2 *l2, uint64_t bytes);
void l2_free(struct l2 *l2);
void l2_empty(struct l2 *l2);
/* Returns what is inside, which the caller frees; NULL without memory. */
struct l2_copy *l2_copy(const struct l2 *l2);
/* Puts that inside again, and nothing else. */
void l2_restore(struct l2 *l2, const struct l2_copy *copy);

static inline unsigned l2_rule_number(unsigned state, unsigned wanted, bool write)
{
    return state << 3 | wanted << 1 | write;
}

struct l2_answer {
    uint8_t hits;  /* sectors that were inside */
    uint8_t along; /* of these, those that came along with another: nobody asked for them before */
    uint8_t late;  /* sectors on their way, which came along with another: whether they had arrived is not known */
    uint8_t reads; /* sectors that the DRAM delivers */
};
/* Asks for sectors of a line at a time. write: they are written whole, so that the DRAM need not deliver them. A sector
 * that came along with another counts as a hit from `soon` on after that. */
struct l2_answer l2_use(struct l2 *l2, uint64_t line, uint8_t sectors, bool write, uint32_t time, uint32_t soon);

/* The same for one pair, in two steps. The first finds out where it is kept, and that is read meanwhile. A chunk stays
 * where it is until l2_tidy, which uses again those that have become empty. */
struct l2_place {
    struct l2_chunk *chunk;
    uint32_t set;
    uint8_t at; /* in the chunk */
};
struct l2_chunk *l2_find_chunk(struct l2 *l2, uint64_t number);
void l2_tidy(struct l2 *l2);

#define L2_SPREAD UINT64_C(0x9e3779b97f4a7c15)
static inline struct l2_entry *l2_entry_of(const struct l2 *l2, uint64_t number)
{
    return &l2->chunks[number * L2_SPREAD >> (64 - l2->chunk_bits)];
}
static inline struct l2_chunk *l2_chunk_of(struct l2 *l2, uint64_t number)
{
    const struct l2_entry *entry = l2_entry_of(l2, number);
    return entry->number == number && entry->chunk ? entry->chunk : l2_find_chunk(l2, number);
}
static inline struct l2_place l2_place_of(struct l2 *l2, uint64_t pair)
{
    /* Spreads the pairs over the sets: which one NVIDIA chooses is not known. */
    uint64_t const hash = pair * L2_SPREAD;
    return (struct l2_place){l2_chunk_of(l2, pair >> L2_CHUNK_BITS), (uint32_t)((hash >> 32) * l2->set_count >> 32),
                             (uint8_t)(pair % L2_CHUNK_PAIRS)};
}
#define L2_ORDER UINT64_C(0xfedcba9876543210)
#define L2_EACH_WAY UINT64_C(0x1111111111111111)
static inline unsigned l2_oldest_of(uint64_t set)
{
    return (unsigned)((set ^ L2_ORDER) >> 60);
}
/* Puts a way before the others. */
static inline void l2_use_way(uint64_t *set, uint64_t way)
{
    uint64_t const order = *set ^ L2_ORDER, apart = order ^ way * L2_EACH_WAY; /* 0 where the way is */
    if (!(apart & (L2_WAYS - 1)))
        return;
    unsigned const at = (unsigned)__builtin_ctzll((apart - L2_EACH_WAY) & ~apart & L2_EACH_WAY << 3) & ~3u;
    uint64_t const from = UINT64_MAX << at;
    *set = ((order & from << 4) | (order & ~from) << 4 | way) ^ L2_ORDER;
}
/* Inlined for sure: gcc leaves out a call of a function that only prefetches. The first for right after l2_place_of,
 * the second for some time later. */
#define L2_PREFETCHES static inline __attribute__((always_inline)) void
L2_PREFETCHES l2_prefetch_pair(const struct l2 *l2, const struct l2_place *place)
{
    __builtin_prefetch(&place->chunk->pairs[place->at], 1);
    __builtin_prefetch(&l2->order[place->set], 1);
}
L2_PREFETCHES l2_prefetch_member(const struct l2 *l2, const struct l2_place *place)
{
    if (place->chunk->pairs[place->at])
        return;
    __builtin_prefetch(&place->chunk->inside, 1);
    __builtin_prefetch(&l2->members[place->set][l2_oldest_of(l2->order[place->set])], 1);
}
/* Gives a pair the way used longest ago; empty ones come before. Returns the pair as it is kept, in state 0. */
uint64_t l2_bring(struct l2 *l2, const struct l2_place *place);

static inline struct l2_answer l2_use_pair(struct l2 *l2, const struct l2_place *place, uint8_t wanted, bool write,
                                           uint32_t time, uint32_t soon)
{
    enum { STATES = (1 << L2_STATE_BITS) - 1, TIME_SHIFT = 32 };
    uint64_t *at = &place->chunk->pairs[place->at], pair = *at;
    if (pair)
        l2_use_way(&l2->order[place->set], pair >> L2_STATE_BITS & (L2_WAYS - 1));
    else
        pair = l2_bring(l2, place);
    if (!(wanted & ~(pair >> 2))) /* someone asked for all of them before: nothing changes */
        return (struct l2_answer){.hits = wanted};
    const struct l2_rule *rule = &l2->rules[l2_rule_number(pair & STATES, wanted, write)];
    uint8_t hits = rule->hits & L2_BOTH, along = 0, late = 0;
    if (rule->hits >> 2 != hits) {
        uint8_t const brought = rule->hits >> 2 & ~hits;
        if (time - (uint32_t)(pair >> TIME_SHIFT) >= soon)
            along = brought;
        else
            late = brought;
    }
    if (rule->more & L2_COMES_ALONG)
        pair = (pair & UINT32_MAX) | (uint64_t)time << TIME_SHIFT;
    *at = (pair & ~(uint64_t)STATES) | rule->state;
    l2->sectors += rule->more & L2_BOTH;
    return (struct l2_answer){hits | along, along, late, rule->reads};
}
#endif
