/* Whether a kernel has exchanged x and y. A warp follows x, so neighbours in x should lie side by side in memory. Where
 * they lie far apart, but neighbours in y lie side by side or share an address, y should be x. One access alone does
 * not tell: in a transposition one of the two always walks down a column. So the sectors of all accesses of the launch
 * are counted again, with x and y exchanged. */
#include "model/coalescing.h"
#include "model/explain_rows.h"

/* The launch must need at most two thirds of its sectors then, and a blamed access three quarters. */
enum { LAUNCH_NOW = 2, LAUNCH_THEN = 3, ACCESS_NOW = 3, ACCESS_THEN = 4 };

/* Takes one thread's address. False: the addresses are no sum of a part by x and a part by y. */
static bool take_thread(struct explain_threads *threads, uint32_t x, uint32_t y, uint64_t address)
{
    int64_t const right = (int64_t)x - threads->x, down = (int64_t)y - threads->y;
    int64_t const apart = (int64_t)(address - threads->address);
    if (right && !down && !threads->has_x) {
        threads->by_x = apart / right;
        threads->has_x = true;
    }
    if (down && !right && !threads->has_y) {
        threads->by_y = apart / down;
        threads->has_y = true;
    }
    if ((right && !threads->has_x) || (down && !threads->has_y))
        return true; /* not known yet */
    uint64_t const sum = (uint64_t)threads->by_x * (uint64_t)right + (uint64_t)threads->by_y * (uint64_t)down;
    return sum == (uint64_t)apart;
}

static void take_access(struct explain_threads *threads, const struct trace *trace, const struct trace_event *event)
{
    const uint64_t *addresses = trace_addresses(trace, event);
    uint32_t const across = trace->block[0];
    if (event->warp >= LAUNCH_WARPS_MAX || (threads->block && threads->block != event->block + 1) ||
        threads->warps >> event->warp & 1)
        return;
    threads->warps |= UINT32_C(1) << event->warp;
    for (uint32_t rest = event->mask; rest && !threads->broken; rest &= rest - 1) {
        unsigned const lane = (unsigned)__builtin_ctz(rest);
        uint32_t const thread = event->warp * WARP_LANES + lane;
        if (!threads->block)
            *threads = (struct explain_threads){.block = event->block + 1,
                                                .warps = threads->warps,
                                                .x = thread % across,
                                                .y = thread / across,
                                                .address = addresses[lane]};
        threads->broken = !take_thread(threads, thread % across, thread / across, addresses[lane]);
    }
}

/* Returns the sectors of the accesses of all warps of a block, as it is or with x and y exchanged. */
static uint64_t block_sectors(const struct explain_threads *threads, const uint32_t block[3], uint32_t bytes,
                              bool exchanged)
{
    uint64_t const by_x = (uint64_t)(exchanged ? threads->by_y : threads->by_x);
    uint64_t const by_y = (uint64_t)(exchanged ? threads->by_x : threads->by_y);
    uint64_t const first =
        threads->address - (uint64_t)threads->by_x * threads->x - (uint64_t)threads->by_y * threads->y;
    uint32_t const count = block[0] * block[1];
    uint64_t sum = 0;
    for (uint32_t warp = 0; warp * WARP_LANES < count; warp++) {
        uint64_t addresses[WARP_LANES] = {0};
        uint32_t mask = 0, ideal;
        for (unsigned lane = 0; lane < WARP_LANES && warp * WARP_LANES + lane < count; lane++) {
            uint32_t const thread = warp * WARP_LANES + lane;
            addresses[lane] = first + by_x * (thread % block[0]) + by_y * (thread / block[0]);
            mask |= UINT32_C(1) << lane;
        }
        sum += model_sectors(addresses, mask, bytes, &ideal);
    }
    return sum;
}

static uint64_t distance(int64_t stride)
{
    return (uint64_t)(stride < 0 ? -stride : stride);
}

/* Fills what one instruction would access. Without a known order of its threads it would access what it does now. */
static void exchange_row(const struct trace *trace, struct explain_row *row)
{
    const struct explain_threads *threads = &row->threads;
    struct explain_exchange *exchange = &row->is.exchange;
    exchange->sectors = row->is.counts.sectors;
    if (!threads->block || threads->broken || !threads->has_x || !threads->has_y)
        return;
    uint64_t const warps = ((uint64_t)trace->block[0] * trace->block[1] + WARP_LANES - 1) / WARP_LANES;
    uint64_t const now = block_sectors(threads, trace->block, row->is.site->bytes, false);
    uint64_t const then = block_sectors(threads, trace->block, row->is.site->bytes, true);
    exchange->by_x = distance(threads->by_x);
    exchange->by_y = distance(threads->by_y);
    exchange->units = (uint32_t)((then + warps - 1) / warps);
    exchange->sectors = (uint64_t)((double)row->is.counts.sectors * (double)then / (double)now);
}

void explain_exchange(struct explain_rows *rows)
{
    const struct trace *trace = rows->trace;
    uint64_t all = 0, all_then = 0;
    if (trace->block[0] < 2 || trace->block[1] < 2 || trace->block[2] > 1)
        return;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind == TRACE_ACCESS && event->site < trace->site_count && event->mask &&
            rows->of_site[event->site] && trace_space(&trace->sites[event->site], event) == PTX_SPACE_GLOBAL)
            take_access(&rows->items[rows->of_site[event->site] - 1].threads, trace, event);
    }
    for (size_t i = 0; i < rows->count; i++) {
        exchange_row(trace, &rows->items[i]);
        all += rows->items[i].is.counts.sectors;
        all_then += rows->items[i].is.exchange.sectors;
    }
    bool const pays = LAUNCH_THEN * all_then <= LAUNCH_NOW * all;
    for (size_t i = 0; i < rows->count; i++) {
        struct explanation *is = &rows->items[i].is;
        if (pays && is->exchange.units && ACCESS_THEN * is->exchange.sectors <= ACCESS_NOW * is->counts.sectors) {
            is->exchange.all = all;
            is->exchange.all_then = all_then;
        } else {
            is->exchange = (struct explain_exchange){0};
        }
    }
}
