/* Each worker gathers the bursts of the block it is at. When it goes on to another, the block is handed in; those that
 * come before their turn wait. Workers take blocks in order, so few wait at a time. A block that had made room for
 * others and goes on is counted from there as it comes. */
#include "lesson/bursts.h"
#include "model/coalescing.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 256 };

struct block_bursts {
    uint64_t block;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } addresses;
    struct block_bursts *next; /* waiting ones, by block */
};

struct bursts {
    const struct trace_site *sites;
    uint32_t site_count;
    struct trace_listener next;
    struct block_bursts *workers[WORKERS_MAX]; /* the block each is at */
    pthread_mutex_t lock;                      /* of what follows */
    uint64_t turn;
    struct block_bursts *waiting;
    struct dram dram;
};

static void count(struct bursts *bursts, struct block_bursts *block)
{
    for (size_t i = 0; i < block->addresses.count; ++i)
        dram_request(&bursts->dram, block->addresses.items[i]);
    free(block->addresses.items);
    free(block);
}

static void hand_in(struct bursts *bursts, struct block_bursts *block)
{
    pthread_mutex_lock(&bursts->lock);
    if (block->block < bursts->turn) {
        count(bursts, block);
        pthread_mutex_unlock(&bursts->lock);
        return;
    }
    struct block_bursts **at = &bursts->waiting;
    while (*at && (*at)->block <= block->block)
        at = &(*at)->next;
    block->next = *at;
    *at = block;
    while (bursts->waiting && bursts->waiting->block <= bursts->turn) { /* below it: more of the one before */
        struct block_bursts *first = bursts->waiting;
        bursts->waiting = first->next;
        bursts->turn += first->block == bursts->turn;
        count(bursts, first);
    }
    pthread_mutex_unlock(&bursts->lock);
}

/* The sectors of an access whose addresses ascend, as nearly all do, without the full picture of its chunks. */
static bool add_ascending(struct block_bursts *block, const uint64_t *addresses, uint32_t mask, uint32_t bytes)
{
    uint64_t sectors[WARP_LANES * 2], last = 0;
    size_t found = 0;
    for (unsigned lane = 0; lane < WARP_LANES; ++lane) {
        if (!(mask >> lane & 1))
            continue;
        uint64_t const from = addresses[lane] / SECTOR_BYTES, to = (addresses[lane] + bytes - 1) / SECTOR_BYTES;
        if (found && from < last)
            return false;
        for (uint64_t sector = from; sector <= to; ++sector)
            if (!found || sector > last)
                sectors[found++] = last = sector;
    }
    for (size_t i = 0; i < found; ++i)
        array_push(&block->addresses, sectors[i] * SECTOR_BYTES);
    return true;
}

static void add_access(struct block_bursts *block, const uint64_t *addresses, uint32_t mask, uint32_t bytes)
{
    struct coalescing all;
    if (bytes <= SECTOR_BYTES && add_ascending(block, addresses, mask, bytes))
        return;
    model_coalescing(addresses, mask, bytes, &all);
    for (uint32_t c = 0; c < all.chunk_count; ++c)
        for (unsigned s = 0; s < CHUNK_SECTORS; ++s)
            if (all.chunks[c].sectors >> s & 1)
                array_push(&block->addresses, all.chunks[c].address + s * SECTOR_BYTES);
}

static void hear(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
{
    struct bursts *bursts = context;
    struct block_bursts **at = &bursts->workers[worker % WORKERS_MAX];
    if (bursts->next.event)
        bursts->next.event(bursts->next.context, worker, event, addresses);
    if (*at && (*at)->block != event->block) {
        hand_in(bursts, *at);
        *at = NULL;
    }
    if (!*at && (*at = calloc(1, sizeof **at)))
        (*at)->block = event->block;
    if (*at && event->kind == TRACE_ACCESS && event->site < bursts->site_count &&
        trace_space(&bursts->sites[event->site], event) == PTX_SPACE_GLOBAL)
        add_access(*at, addresses, event->mask, bursts->sites[event->site].bytes);
}

struct bursts *bursts_new(const struct trace_site *sites, uint32_t site_count, const struct dram_preset *preset,
                          uint64_t first, struct trace_listener next)
{
    struct bursts *bursts = calloc(1, sizeof *bursts);
    if (!bursts)
        return NULL;
    bursts->sites = sites;
    bursts->site_count = site_count;
    bursts->next = next;
    bursts->turn = first;
    pthread_mutex_init(&bursts->lock, NULL);
    dram_reset(&bursts->dram, preset);
    return bursts;
}

struct trace_listener bursts_listener(struct bursts *bursts)
{
    return (struct trace_listener){.context = bursts, .event = hear};
}

const struct dram *bursts_sum(struct bursts *bursts)
{
    for (int i = 0; i < WORKERS_MAX; ++i)
        if (bursts->workers[i]) {
            hand_in(bursts, bursts->workers[i]);
            bursts->workers[i] = NULL;
        }
    while (bursts->waiting) { /* after a block that made no event at all, or a stop */
        struct block_bursts *first = bursts->waiting;
        bursts->waiting = first->next;
        count(bursts, first);
    }
    return &bursts->dram;
}

void bursts_free(struct bursts *bursts)
{
    if (!bursts)
        return;
    bursts_sum(bursts);
    pthread_mutex_destroy(&bursts->lock);
    free(bursts);
}
