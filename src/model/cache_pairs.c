#include "model/cache_pairs.h"
#include "base/memory.h"
#include <string.h>
#include <sys/mman.h>

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

/* The tables are read here and there: with small pages, finding where a page lies takes longer than reading it. */
bool l2_new(struct l2 *l2, uint64_t bytes)
{
    size_t const count = bytes / (2 * 32 * L2_WAYS), one = sizeof *l2->pairs + sizeof *l2->fetched + sizeof *l2->sets;
    *l2 = (struct l2){.set_count = (uint32_t)count, .memory_bytes = count * one};
    void *memory =
        mmap(NULL, l2->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    memory_prefer_large_pages(memory, l2->memory_bytes);
    l2->memory = memory;
    l2->pairs = memory;
    l2->fetched = (uint32_t(*)[L2_WAYS])(l2->pairs + count);
    l2->sets = (struct l2_set *)(l2->fetched + count);
    fill_rules(l2);
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
    if (l2->memory)
        munmap(l2->memory, l2->memory_bytes);
}

unsigned l2_bring(struct l2 *l2, const struct l2_place *place)
{
    struct l2_set *set = &l2->sets[place->set];
    unsigned const way = l2_oldest_of(set), shift = way % 8 * 8;
    uint64_t *pair = &l2->pairs[place->set][way];
    set->order = ((set->order ^ L2_ORDER) << 4 | way) ^ L2_ORDER;
    set->hints[way / 8] = (set->hints[way / 8] & ~(UINT64_C(255) << shift)) | (uint64_t)place->hint << shift;
    l2->sectors -= count_of(*pair & L2_BOTH);
    *pair = (place->pair + 1) << L2_STATE_BITS;
    return way;
}

struct l2_answer l2_use(struct l2 *l2, uint64_t line, uint8_t sectors, bool write, uint32_t time, uint32_t soon)
{
    struct l2_answer answer = {0};
    for (unsigned half = 0; half < 2; half++) {
        uint8_t const wanted = sectors >> half * 2 & L2_BOTH;
        if (!wanted)
            continue;
        struct l2_place const place = l2_place_of(l2, line * 2 + half);
        struct l2_answer const of_pair = l2_use_pair(l2, &place, wanted, write, time, soon);
        answer.hits |= (uint8_t)(of_pair.hits << half * 2);
        answer.reads += of_pair.reads;
    }
    return answer;
}
