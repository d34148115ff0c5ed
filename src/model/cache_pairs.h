/* The tags of the L2: sets of 16 pairs of sectors, 64 bytes, which the DRAM delivers together. The table is larger than
 * the caches of the processor that runs this, so a search reads as few lines of it as can be: the set, and of its
 * sixteen pairs those whose hint is that of the pair. No pair moves when one is used; the order of its set says when
 * each was used. */
#ifndef LANESCOPE_MODEL_CACHE_PAIRS_H
#define LANESCOPE_MODEL_CACHE_PAIRS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The share of the L2 that a launch found to hold its data. */
#define L2_SHARE_THAT_HOLDS 0.8
enum { L2_WAYS = 16, L2_STATE_BITS = 4, L2_BOTH = 3 };
/* What a search in a set reads first: few bytes, so that those of all sets stay in the processor's caches. */
struct l2_set {
    uint64_t order;    /* the places, 4 bits each, the one used last lowest; exclusive or the order at the beginning */
    uint64_t hints[2]; /* by place, 8 bits each: those of the hash of its pair */
    uint64_t unused;
};
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
struct l2 {
    void *memory; /* of the tables: as far as they are not used, it takes none */
    size_t memory_bytes;
    struct l2_set *sets;
    /* By set and place. A pair: 1 + address / 64, then its state. 0: none. */
    uint64_t (*pairs)[L2_WAYS];
    uint32_t (
        *fetched)[L2_WAYS]; /* time at which the DRAM was asked for both sectors of a pair, where one came along */
    uint32_t set_count;
    uint64_t sectors;               /* that are inside or on their way */
    struct l2_rule rules[L2_RULES]; /* by l2_rule_number */
};
/* Returns false without memory. bytes: what the cache can hold. */
bool l2_new(struct l2 *l2, uint64_t bytes);
void l2_free(struct l2 *l2);
void l2_empty(struct l2 *l2);

static inline unsigned l2_rule_number(unsigned state, unsigned wanted, bool write)
{
    return state << 3 | wanted << 1 | write;
}

struct l2_answer {
    uint8_t hits;  /* sectors that were inside */
    uint8_t reads; /* sectors that the DRAM delivers */
};
/* Asks for sectors of a line at a time. write: they are written whole, so that the DRAM need not deliver them. A sector
 * that came along with another counts as a hit from `soon` on after that. */
struct l2_answer l2_use(struct l2 *l2, uint64_t line, uint8_t sectors, bool write, uint32_t time, uint32_t soon);

/* The same for one pair, in steps that can be done ahead: where its set is; reading the set; reading the pair. */
struct l2_place {
    uint64_t pair; /* address / 64 */
    uint32_t set;
    uint8_t hint;
};
static inline struct l2_place l2_place_of(const struct l2 *l2, uint64_t pair)
{
    /* Spreads the pairs over the sets: which one NVIDIA chooses is not known. */
    uint64_t const hash = pair * UINT64_C(0x9e3779b97f4a7c15);
    return (struct l2_place){pair, (uint32_t)((hash >> 32) * l2->set_count >> 32), (uint8_t)(hash >> 24)};
}
/* Inlined for sure: gcc leaves out a call of a function that only prefetches. */
#define L2_PREFETCHES static inline __attribute__((always_inline)) void
L2_PREFETCHES l2_prefetch_set(const struct l2 *l2, const struct l2_place *place)
{
    __builtin_prefetch(&l2->sets[place->set], 1);
}

#define L2_ORDER UINT64_C(0xfedcba9876543210)
#define L2_EACH_BYTE UINT64_C(0x0101010101010101)
#define L2_EACH_WAY UINT64_C(0x1111111111111111)

/* Returns the ways whose hint is this one, of one half of the set, as bits 8 n + 7. */
static inline uint64_t l2_ways_of(const struct l2_set *set, unsigned half, uint8_t hint)
{
    uint64_t const apart = set->hints[half] ^ hint * L2_EACH_BYTE;
    return (apart - L2_EACH_BYTE) & ~apart & L2_EACH_BYTE << 7;
}
static inline unsigned l2_way_of(unsigned half, uint64_t bits)
{
    return half * 8 + (unsigned)__builtin_ctzll(bits) / 8;
}
static inline unsigned l2_oldest_of(const struct l2_set *set)
{
    return (unsigned)((set->order ^ L2_ORDER) >> 60);
}
L2_PREFETCHES l2_prefetch_pair(const struct l2 *l2, const struct l2_place *place)
{
    const struct l2_set *set = &l2->sets[place->set];
    uint64_t const low = l2_ways_of(set, 0, place->hint), high = l2_ways_of(set, 1, place->hint);
    unsigned const way = low ? l2_way_of(0, low) : high ? l2_way_of(1, high) : l2_oldest_of(set);
    __builtin_prefetch(&l2->pairs[place->set][way], 1);
}
/* Puts a way before the others. */
static inline void l2_use_way(struct l2_set *set, uint64_t way)
{
    uint64_t const order = set->order ^ L2_ORDER, apart = order ^ way * L2_EACH_WAY; /* 0 where the way is */
    unsigned const at = (unsigned)__builtin_ctzll((apart - L2_EACH_WAY) & ~apart & L2_EACH_WAY << 3) & ~3u;
    uint64_t const from = UINT64_MAX << at;
    set->order = ((order & from << 4) | (order & ~from) << 4 | way) ^ L2_ORDER;
}
/* Gives a pair the way used longest ago; empty ones come before. */
unsigned l2_bring(struct l2 *l2, const struct l2_place *place);
/* Returns the way of a pair, used now. */
static inline unsigned l2_way(struct l2 *l2, const struct l2_place *place)
{
    struct l2_set *set = &l2->sets[place->set];
    const uint64_t *pairs = l2->pairs[place->set];
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t is = l2_ways_of(set, half, place->hint); is; is &= is - 1) {
            unsigned const way = l2_way_of(half, is);
            if (pairs[way] >> L2_STATE_BITS == place->pair + 1) {
                l2_use_way(set, way);
                return way;
            }
        }
    return l2_bring(l2, place);
}
static inline struct l2_answer l2_use_pair(struct l2 *l2, const struct l2_place *place, uint8_t wanted, bool write,
                                           uint32_t time, uint32_t soon)
{
    unsigned const way = l2_way(l2, place);
    uint64_t *pair = &l2->pairs[place->set][way];
    const struct l2_rule *rule = &l2->rules[l2_rule_number(*pair & 15, wanted, write)];
    uint8_t hits = rule->hits & L2_BOTH;
    if (rule->hits >> 2 != hits && time - l2->fetched[place->set][way] >= soon)
        hits = rule->hits >> 2;
    if (rule->more & L2_COMES_ALONG)
        l2->fetched[place->set][way] = time;
    *pair = (*pair & ~UINT64_C(15)) | rule->state;
    l2->sectors += rule->more & L2_BOTH;
    return (struct l2_answer){hits, rule->reads};
}
#endif
