/* Two ways to one answer. model_coalescing builds the whole picture byte by byte. model_sectors only counts, for every
 * access of a launch. Most warps walk their addresses in one direction; a sector is then new exactly where it differs
 * from the previous lane's, and compilers vectorise that loop because it has no branches. */
#include "model/coalescing.h"
#include "model/lanes.h"
#include <stdbool.h>

static uint32_t divide_up(uint32_t value, uint32_t by)
{
    return (value + by - 1) / by;
}

static struct chunk *chunk_at(struct coalescing *result, uint64_t address)
{
    for (uint32_t i = result->chunk_count; i-- > 0;)
        if (result->chunks[i].address == address)
            return &result->chunks[i];
    struct chunk *chunk = &result->chunks[result->chunk_count++];
    *chunk = (struct chunk){.address = address};
    return chunk;
}

static void use_bytes(struct chunk *chunk, uint32_t first, uint32_t last, unsigned lane)
{
    chunk->lanes |= UINT32_C(1) << lane;
    for (uint32_t byte = first; byte <= last; byte++)
        chunk->used[byte / 64] |= UINT64_C(1) << (byte % 64);
    for (uint32_t sector = first / SECTOR_BYTES; sector <= last / SECTOR_BYTES; sector++)
        chunk->sectors |= (uint8_t)(1u << sector);
}

void model_coalescing(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, struct coalescing *result)
{
    uint32_t const width = bytes == 0 ? 1 : bytes > CHUNK_BYTES ? CHUNK_BYTES : bytes;
    result->chunk_count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t const first = (uint32_t)(addresses[lane] % CHUNK_BYTES);
        uint64_t const chunk = addresses[lane] - first;
        uint32_t const end = first + width - 1;
        use_bytes(chunk_at(result, chunk), first, end < CHUNK_BYTES ? end : CHUNK_BYTES - 1, lane);
        if (end >= CHUNK_BYTES) /* a lane is no wider than a chunk, so it ends in the next one */
            use_bytes(chunk_at(result, chunk + CHUNK_BYTES), 0, end - CHUNK_BYTES, lane);
    }
    result->requests = mask != 0;
    result->sectors = result->bytes_used = 0;
    for (uint32_t i = 0; i < result->chunk_count; i++) {
        const struct chunk *chunk = &result->chunks[i];
        result->sectors += (uint32_t)__builtin_popcount(chunk->sectors);
        result->bytes_used += (uint32_t)(__builtin_popcountll(chunk->used[0]) + __builtin_popcountll(chunk->used[1]));
    }
    result->sectors_ideal = divide_up(result->bytes_used, SECTOR_BYTES);
    result->bytes_fetched = result->sectors * SECTOR_BYTES;
}

uint32_t coalescing_sectors(const struct coalescing *coalescing, uint64_t sectors[SECTORS_MAX])
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < coalescing->chunk_count; c++)
        for (unsigned s = 0; s < CHUNK_SECTORS; s++)
            if (coalescing->chunks[c].sectors >> s & 1)
                sectors[count++] = coalescing->chunks[c].address + s * SECTOR_BYTES;
    return count;
}

/* Lists the lines of an access whose lines ascend, which are in the order of model_coalescing. Returns 0 when they do
 * not ascend. */
static uint32_t list_ascending(const uint64_t addresses[32], uint32_t mask, uint32_t bytes,
                               struct line_part parts[CHUNKS_MAX])
{
    struct line_part last = {.line = 0};
    uint32_t count = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t const address = addresses[__builtin_ctz(left)], from = address / SECTOR_BYTES,
                       to = (address + bytes - 1) / SECTOR_BYTES;
        if (to < from) /* behind the last address comes the first */
            return 0;
        for (uint64_t sector = from; sector <= to; sector++) {
            uint64_t const line = sector / CHUNK_SECTORS;
            if (last.sectors && line < last.line)
                return 0;
            if (!last.sectors || line > last.line) {
                last = (struct line_part){.line = line};
                count++;
            }
            last.sectors |= (uint8_t)(1u << sector % CHUNK_SECTORS);
            parts[count - 1] = last;
        }
    }
    return count;
}

/* The same for any addresses: each line in the place of its first use. */
static uint32_t list_scattered(const uint64_t addresses[32], uint32_t mask, uint32_t bytes,
                               struct line_part parts[CHUNKS_MAX])
{
    enum { SLOT_BITS = 7, SLOTS = 1 << SLOT_BITS };
    uint8_t slots[SLOTS] = {0}; /* 1 + the number of a part, by a hash of its line */
    uint32_t count = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t const address = addresses[__builtin_ctz(left)], reach = address % SECTOR_BYTES + bytes - 1;
        for (uint64_t at = 0; at <= reach; at += SECTOR_BYTES) { /* behind the last address comes the first */
            uint64_t const sector = (address + at) / SECTOR_BYTES, line = sector / CHUNK_SECTORS;
            uint32_t slot = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
            while (slots[slot] && parts[slots[slot] - 1].line != line)
                slot = (slot + 1) % SLOTS;
            if (!slots[slot]) {
                parts[count] = (struct line_part){.line = line};
                slots[slot] = (uint8_t)++count;
            }
            parts[slots[slot] - 1].sectors |= (uint8_t)(1u << sector % CHUNK_SECTORS);
        }
    }
    return count;
}

uint32_t model_lines(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, struct line_part parts[CHUNKS_MAX])
{
    if (bytes && bytes <= SECTOR_BYTES) {
        uint32_t const count = list_ascending(addresses, mask, bytes, parts);
        return count ? count : list_scattered(addresses, mask, bytes, parts);
    }
    struct coalescing whole;
    model_coalescing(addresses, mask, bytes, &whole);
    for (uint32_t i = 0; i < whole.chunk_count; i++)
        parts[i] = (struct line_part){whole.chunks[i].address / CHUNK_BYTES, whole.chunks[i].sectors};
    return whole.chunk_count;
}

uint32_t model_sector_list(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint64_t sectors[SECTORS_MAX])
{
    struct line_part parts[CHUNKS_MAX];
    uint32_t const lines = model_lines(addresses, mask, bytes, parts);
    uint32_t count = 0;
    for (uint32_t i = 0; i < lines; i++)
        for (unsigned s = 0; s < CHUNK_SECTORS; s++)
            if (parts[i].sectors >> s & 1)
                sectors[count++] = (parts[i].line * CHUNK_SECTORS + s) * SECTOR_BYTES;
    return count;
}

/* Gives every inactive lane its neighbour's address, which adds no sector. */
static void fill_gaps(const uint64_t addresses[32], uint32_t mask, uint64_t filled[32])
{
    uint64_t here = addresses[__builtin_ctz(mask)];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        here = mask >> lane & 1 ? addresses[lane] : here;
        filled[lane] = here;
    }
}

/* Counts the neighbours that differ among `count` lanes. Returns false when the addresses neither only rise nor only
 * fall. A wrong sign is harmless: in either order, equal addresses are neighbours. */
LANES_INLINE bool count_steps(const uint64_t lanes[32], unsigned count, uint32_t *sectors, uint32_t *elements)
{
    uint64_t rises = 0, falls = 0, sector_steps = 0;
    for (unsigned lane = 0; lane + 1 < count; lane++) {
        int64_t const here = (int64_t)lanes[lane], next = (int64_t)lanes[lane + 1];
        rises += next > here;
        falls += next < here;
        sector_steps += lanes[lane] / SECTOR_BYTES != lanes[lane + 1] / SECTOR_BYTES;
    }
    *sectors = 1 + (uint32_t)sector_steps;
    *elements = 1 + (uint32_t)(rises + falls);
    return rises == 0 || falls == 0;
}

LANES_INLINE bool halves_equal(const uint64_t lanes[32])
{
    uint64_t different = 0;
    for (unsigned lane = 0; lane < WARP_LANES / 2; lane++)
        different |= lanes[lane] ^ lanes[lane + WARP_LANES / 2];
    return different == 0;
}

/* Returns how many of the 32 addresses differ above their low bits. Uses a small hash set, at most half full. */
static uint32_t count_distinct(const uint64_t lanes[32], unsigned low_bits)
{
    enum { SLOT_BITS = 6, SLOTS = 1 << SLOT_BITS };
    uint64_t slots[SLOTS], used = 0; /* bit s of used: slots[s] holds a value */
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t const key = lanes[lane] >> low_bits;
        uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
        while ((used >> slot & 1) && slots[slot] != key)
            slot = (slot + 1) % SLOTS;
        used |= UINT64_C(1) << slot;
        slots[slot] = key;
    }
    return (uint32_t)__builtin_popcountll(used);
}

/* Returns the sectors of all lanes at one stride, a multiple of their width. A step of at most one sector skips no
 * sector of the range; with a longer step no two lanes share a sector. */
LANES_INLINE uint32_t count_affine(uint64_t first, int64_t stride, uint32_t bytes, uint32_t *ideal)
{
    uint64_t const last = first + (uint64_t)stride * (WARP_LANES - 1);
    *ideal = stride == 0 ? 1 : bytes;
    if (stride > SECTOR_BYTES || stride < -SECTOR_BYTES)
        return WARP_LANES;
    uint64_t const from = first / SECTOR_BYTES, to = last / SECTOR_BYTES;
    return 1 + (uint32_t)(stride < 0 ? from - to : to - from);
}

/* Returns the sectors of addresses that are multiples of `bytes`. */
LANES_INLINE uint32_t count_aligned(const uint64_t lanes[32], uint32_t bytes, uint32_t *ideal)
{
    uint32_t sectors, elements;
    if (!count_steps(lanes, WARP_LANES, &sectors, &elements) &&
        !(halves_equal(lanes) && count_steps(lanes, WARP_LANES / 2, &sectors, &elements))) {
        elements = count_distinct(lanes, (unsigned)__builtin_ctz(bytes));
        sectors = count_distinct(lanes, (unsigned)__builtin_ctz(SECTOR_BYTES));
    }
    *ideal = divide_up(elements * bytes, SECTOR_BYTES);
    return sectors;
}

/* Returns the sectors of lanes that may cross sector borders. */
static __attribute__((noinline)) uint32_t count_whole(const uint64_t addresses[32], uint32_t mask, uint32_t bytes,
                                                      uint32_t *ideal)
{
    struct coalescing whole;
    model_coalescing(addresses, mask, bytes, &whole);
    *ideal = whole.sectors_ideal;
    return whole.sectors;
}

LANES_INLINE uint32_t count_sectors(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t *ideal)
{
    uint64_t filled[WARP_LANES], all = 0;
    const uint64_t *lanes = addresses;
    int64_t stride;
    *ideal = 0;
    if (mask == 0)
        return 0;
    bool const narrow = bytes - 1 < SECTOR_BYTES && (bytes & (bytes - 1)) == 0;
    if (mask != UINT32_MAX) {
        fill_gaps(addresses, mask, filled);
        lanes = filled;
    } else if (narrow && lanes_affine(lanes, &stride) && (((uint64_t)stride | lanes[0]) & (bytes - 1)) == 0) {
        return count_affine(lanes[0], stride, bytes, ideal);
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        all |= lanes[lane];
    if (narrow && (all & (bytes - 1)) == 0)
        return count_aligned(lanes, bytes, ideal);
    return count_whole(addresses, mask, bytes, ideal);
}

LANES_CLONES(uint32_t, model_sectors, count_sectors,
             (const uint64_t addresses[32], uint32_t mask, uint32_t bytes, uint32_t *ideal),
             (addresses, mask, bytes, ideal))

uint32_t model_pair_lines(const uint64_t addresses[32], uint32_t mask)
{
    uint32_t lines = 0;
    for (unsigned l = 0; l < 32; l += 2) {
        uint32_t const pair = mask >> l & 3;
        bool const both = pair == 3 && addresses[l] / CHUNK_BYTES != addresses[l + 1] / CHUNK_BYTES;
        lines += (uint32_t)(pair != 0) + both;
    }
    return lines;
}
