/* Global memory serves an atomic way by way (docs/model.md). Shared memory serves it as model_banks lays it out. */
#include "model/atomics.h"
#include "model/coalescing.h"
#include <string.h>

/* Returns which of four ways looks up this line. Each bit of the line's number within 16 MiB flips the low bit of the
 * way, the high bit or both. Measured on an H200 bit by bit (docs/model.md); the effect of higher bits is unknown. */
static unsigned way_of(uint64_t address)
{
    enum { LOW = 0x07ab5, HIGH = 0x1d5da };
    uint64_t const line = address / CHUNK_BYTES;
    return (unsigned)(__builtin_parityll(line & LOW) | __builtin_parityll(line & HIGH) << 1);
}

/* Returns the lanes that a way serves in one pass. Of the lanes at the same offset in their 128-byte lines, only the
 * first comes forward. The pass serves those in the same `reach` bytes as the first lane. */
static uint32_t serve(const uint64_t addresses[32], uint32_t lanes, uint32_t reach)
{
    uint64_t const unit = addresses[__builtin_ctz(lanes)] / reach;
    uint32_t served = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned const lane = (unsigned)__builtin_ctz(rest);
        bool forward = addresses[lane] / reach == unit;
        for (uint32_t before = lanes & ((UINT32_C(1) << lane) - 1); before && forward; before &= before - 1)
            forward = addresses[__builtin_ctz(before)] % CHUNK_BYTES != addresses[lane] % CHUNK_BYTES;
        served |= (uint32_t)forward << lane;
    }
    return served;
}

/* Serves an atomic of global memory. Returns its sectors and, where pass is not NULL, the pass of each lane. */
static uint32_t serve_all(const uint64_t addresses[32], uint32_t mask, bool compare, uint8_t *pass)
{
    enum { WAYS = 4 };
    uint32_t ways[WAYS] = {0}, sectors = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        ways[way_of(addresses[__builtin_ctz(rest)])] |= rest & -rest;
    for (unsigned way = 0; way < WAYS; way++)
        for (uint32_t lanes = ways[way], served, now = 0; lanes; lanes &= ~served, now++) {
            uint32_t touched = 0; /* sectors of the line, one bit each */
            served = serve(addresses, lanes, compare ? CHUNK_BYTES / 2 : CHUNK_BYTES);
            for (uint32_t rest = served; rest; rest &= rest - 1) {
                touched |= UINT32_C(1) << addresses[__builtin_ctz(rest)] % CHUNK_BYTES / SECTOR_BYTES;
                if (pass)
                    pass[__builtin_ctz(rest)] = (uint8_t)now;
            }
            sectors += (uint32_t)__builtin_popcount(touched);
        }
    return sectors;
}

uint32_t model_atomic_sectors(const uint64_t addresses[32], uint32_t mask, bool compare)
{
    return serve_all(addresses, mask, compare, NULL);
}

/* Sets the pass of each lane from the slots of the banks: the last one in which a word of it is served. */
static void serve_banks(const uint64_t addresses[32], uint32_t mask, const struct trace_site *site,
                        struct atomic_passes *result)
{
    struct bank_passes banks;
    model_banks(addresses, mask, site->bytes, banks_operation(site), &banks);
    result->passes = banks.passes;
    result->passes_ideal = banks.passes_ideal;
    for (uint32_t pass = 0; pass < banks.passes; pass++)
        for (unsigned bank = 0; bank < BANKS; bank++)
            for (uint32_t rest = banks.slots[pass][bank].lanes; rest; rest &= rest - 1)
                result->pass[__builtin_ctz(rest)] = (uint8_t)pass;
}

/* Returns the place of an address in the order of the places. */
static uint64_t order_of(uint64_t address, enum ptx_space space)
{
    return space == PTX_SPACE_SHARED ? address / BANK_BYTES % BANKS << 32 | (address & UINT32_MAX) : address;
}

static struct atomic_place *place_of(struct atomic_passes *result, uint64_t address, enum ptx_space space)
{
    uint32_t at = 0;
    while (at < result->place_count && order_of(result->places[at].address, space) < order_of(address, space))
        at++;
    struct atomic_place *place = &result->places[at];
    if (at < result->place_count && place->address == address)
        return place;
    memmove(place + 1, place, (result->place_count - at) * sizeof *place);
    result->place_count++;
    *place = (struct atomic_place){.address = address};
    return place;
}

/* Inserts a lane behind those that are served before it. */
static void add_lane(struct atomic_place *place, const uint8_t pass[WARP_LANES], unsigned lane)
{
    uint32_t at = place->count++;
    for (; at > 0 && pass[place->order[at - 1]] > pass[lane]; at--)
        place->order[at] = place->order[at - 1];
    place->order[at] = (uint8_t)lane;
    place->lanes |= UINT32_C(1) << lane;
}

void model_atomics(const uint64_t addresses[32], uint32_t mask, const struct trace_site *site, enum ptx_space space,
                   struct atomic_passes *result)
{
    memset(result, 0, sizeof *result);
    if (!mask)
        return;
    if (space == PTX_SPACE_SHARED)
        serve_banks(addresses, mask, site, result);
    else {
        result->sectors = serve_all(addresses, mask, site->compares, result->pass);
        result->passes_ideal = 1;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        struct atomic_place *place = place_of(result, addresses[lane], space);
        add_lane(place, result->pass, lane);
        result->most = place->count > result->most ? place->count : result->most;
        if (result->pass[lane] >= result->passes)
            result->passes = result->pass[lane] + 1u;
    }
}
