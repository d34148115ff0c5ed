/* The table of the L2. It is larger than the caches of the processor that runs this, so a search reads as few lines of
 * it as can be: the set, and of its sixteen pairs those whose hint is that of the pair. No pair moves when one is used;
 * the order of its set says when each was used. */
#include "model/cache_sets.h"
#include <stdlib.h>
#include <string.h>

enum { STATE_BITS = 4, BOTH = 3 };
#define PLACES UINT64_C(0xfedcba9876543210)
#define EACH_BYTE UINT64_C(0x0101010101010101)
#define EACH_PLACE UINT64_C(0x1111111111111111)

bool l2_new(struct l2 *l2, uint64_t bytes)
{
    enum { LINE = 64 };
    size_t const count = bytes / (2 * 32 * L2_WAYS), one = sizeof *l2->pairs + sizeof *l2->fetched + sizeof *l2->sets;
    *l2 = (struct l2){.memory = calloc(count * one + LINE, 1), .set_count = (uint32_t)count};
    if (!l2->memory)
        return false;
    char *tables = (char *)l2->memory + (LINE - (uintptr_t)l2->memory % LINE);
    l2->pairs = (uint64_t(*)[L2_WAYS])tables;
    l2->fetched = (uint32_t(*)[L2_WAYS])(l2->pairs + count);
    l2->sets = (struct l2_set *)(l2->fetched + count);
    return true;
}

void l2_empty(struct l2 *l2)
{
    if (!l2->memory)
        return;
    memset(l2->pairs, 0, l2->set_count * sizeof *l2->pairs);
    memset(l2->sets, 0, l2->set_count * sizeof *l2->sets);
    l2->sectors = 0;
}

void l2_free(struct l2 *l2)
{
    free(l2->memory);
}

/* Spreads the pairs over the sets: which one NVIDIA chooses is not known. */
static inline uint64_t hash_of(uint64_t pair)
{
    return pair * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint32_t set_of(const struct l2 *l2, uint64_t hash)
{
    return (uint32_t)((hash >> 32) * l2->set_count >> 32);
}

static inline uint8_t hint_of(uint64_t hash)
{
    return (uint8_t)(hash >> 24);
}

void l2_prefetch(const struct l2 *l2, uint64_t line)
{
    for (unsigned half = 0; half < 2; half++) {
        uint32_t const set = set_of(l2, hash_of(line * 2 + half));
        __builtin_prefetch(&l2->sets[set], 1);
        __builtin_prefetch(&l2->pairs[set][0], 1);
        __builtin_prefetch(&l2->pairs[set][8], 1);
    }
}

static inline unsigned count_of(uint64_t sectors)
{
    return (sectors & 1) + (sectors >> 1 & 1);
}

/* Puts a place before the others. */
static inline void use_place(struct l2_set *set, uint64_t place)
{
    uint64_t const order = set->order ^ PLACES, apart = order ^ place * EACH_PLACE; /* 0 where the place is */
    unsigned const at = (unsigned)__builtin_ctzll((apart - EACH_PLACE) & ~apart & EACH_PLACE << 3) & ~3u;
    uint64_t const from = UINT64_MAX << at;
    set->order = ((order & from << 4) | (order & ~from) << 4 | place) ^ PLACES;
}

/* Returns where a pair is, used now. It takes the place used longest ago when it has none; empty ones come before. */
static uint64_t *find(struct l2 *l2, uint32_t number, uint64_t pair, uint8_t hint)
{
    struct l2_set *set = &l2->sets[number];
    uint64_t *pairs = l2->pairs[number];
    for (unsigned half = 0; half < 2; half++) {
        uint64_t const apart = set->hints[half] ^ hint * EACH_BYTE;
        for (uint64_t is = (apart - EACH_BYTE) & ~apart & EACH_BYTE << 7; is; is &= is - 1) {
            unsigned const place = half * 8 + (unsigned)__builtin_ctzll(is) / 8;
            if (pairs[place] >> STATE_BITS == pair + 1) {
                use_place(set, place);
                return &pairs[place];
            }
        }
    }
    uint64_t const order = set->order ^ PLACES, place = order >> 60;
    unsigned const shift = place % 8 * 8;
    set->order = (order << 4 | place) ^ PLACES;
    set->hints[place / 8] = (set->hints[place / 8] & ~(UINT64_C(255) << shift)) | (uint64_t)hint << shift;
    l2->sectors -= count_of(pairs[place]);
    pairs[place] = (pair + 1) << STATE_BITS;
    return &pairs[place];
}

struct l2_answer l2_use(struct l2 *l2, uint64_t line, uint8_t sectors, bool write, uint32_t time, uint32_t soon)
{
    struct l2_answer answer = {0};
    for (unsigned half = 0; half < 2; half++) {
        uint8_t const wanted = sectors >> half * 2 & BOTH;
        if (!wanted)
            continue;
        uint64_t const hash = hash_of(line * 2 + half);
        uint32_t const set = set_of(l2, hash);
        uint64_t *pair = find(l2, set, line * 2 + half, hint_of(hash));
        uint8_t inside = *pair & BOTH, asked = *pair >> 2 & BOTH, arrived = asked;
        unsigned const before = count_of(inside);
        uint32_t *fetched = &l2->fetched[set][pair - l2->pairs[set]];
        if (wanted & inside & ~asked && time - *fetched >= soon)
            arrived = inside;
        answer.hits |= (uint8_t)((wanted & arrived) << half * 2);
        if (!write && (wanted & ~inside)) {
            answer.reads += 2;
            inside = BOTH;
            if ((asked | wanted) != BOTH)
                *fetched = time;
        }
        inside |= wanted;
        asked |= wanted;
        *pair = (*pair & ~UINT64_C(15)) | (uint64_t)asked << 2 | inside;
        l2->sectors += count_of(inside) - before;
    }
    return answer;
}
