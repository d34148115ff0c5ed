/* A warp's access is served in groups of lanes that together request at most 128 bytes: the whole warp for lanes of up
 * to 4 bytes, a half warp for 8, a quarter for 16. Within a group, the bank with the most distinct words determines the
 * number of passes. model_banks lays the passes out. model_wavefronts only counts them, fast enough for every access of
 * a launch. */
#include "model/banks.h"
#include "model/lanes.h"
#include <string.h>

enum { GROUPS_MAX = 4, ROW_BYTES = BANKS * BANK_BYTES };

static bool is_atomic(enum trace_operation operation)
{
    return operation == TRACE_ATOMIC || operation == TRACE_REDUCTION;
}

static uint32_t lanes_a_group(uint32_t bytes)
{
    return bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
}

/* Returns whether every active lane's partner (lane ^ distance) is idle or requests the same address. */
static bool partners_agree(const uint64_t addresses[32], uint32_t mask, unsigned distance)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned const partner = lane ^ distance;
        if (partner > lane && (mask >> lane & mask >> partner & 1) && addresses[lane] != addresses[partner])
            return false;
    }
    return true;
}

/* Writes the lanes of each group and returns the number of groups; groups without active lanes are left out. Two
 * neighbouring groups of a wide load are served together when lanes request the same words in pairs, because both
 * groups then request at most 128 bytes together. Stores never are. Found by experiment on an H200: docs/model.md. */
static unsigned split_lanes(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, enum trace_operation operation,
                            uint32_t groups[GROUPS_MAX])
{
    uint32_t width = lanes_a_group(bytes);
    if (width == WARP_LANES) {
        groups[0] = mask;
        return mask != 0;
    }
    unsigned count = 0;
    if (operation == TRACE_LOAD && (partners_agree(addresses, mask, 1) || partners_agree(addresses, mask, 2)))
        width *= 2;
    uint32_t const all = width == WARP_LANES ? UINT32_MAX : (UINT32_C(1) << width) - 1;
    for (unsigned first = 0; first < WARP_LANES; first += width)
        if (mask & all << first)
            groups[count++] = mask & all << first;
    return count;
}

/* Puts one lane's word into the first pass of its group in which the bank is free or already serves that word. Returns
 * the number of passes of the group so far. */
static uint32_t place_word(struct bank_slot (*slots)[BANKS], uint32_t passes, uint64_t word, unsigned lane, bool share)
{
    unsigned const bank = (unsigned)(word % BANKS);
    uint32_t pass = 0; /* stays below 32: a lane has one word in a bank, so each earlier pass holds another lane's */
    while (slots[pass][bank].lanes != 0 && (slots[pass][bank].word != word || !share))
        pass++;
    slots[pass][bank].lanes |= UINT32_C(1) << lane;
    slots[pass][bank].word = word;
    return pass + 1 > passes ? pass + 1 : passes;
}

void model_banks(const uint64_t addresses[32], uint32_t mask, uint32_t bytes, enum trace_operation operation,
                 struct bank_passes *result)
{
    uint32_t groups[GROUPS_MAX];
    unsigned const group_count = split_lanes(addresses, mask, bytes, operation, groups);
    uint32_t const width = bytes == 0 ? 1 : bytes > 16 ? 16 : bytes;
    memset(result, 0, sizeof *result);
    result->passes_ideal = group_count;
    for (unsigned group = 0; group < group_count; group++) {
        uint32_t passes = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (!(groups[group] >> lane & 1))
                continue;
            uint64_t const first = addresses[lane] / BANK_BYTES;
            uint64_t const words = (addresses[lane] % BANK_BYTES + width - 1) / BANK_BYTES + 1;
            for (uint64_t word = first; word < first + words; word++)
                passes = place_word(result->slots + result->passes, passes, word, lane, !is_atomic(operation));
        }
        result->passes += passes;
    }
    for (uint32_t pass = 0; pass < result->passes; pass++)
        for (unsigned bank = 0; bank < BANKS; bank++)
            result->slots_used += result->slots[pass][bank].lanes != 0;
    result->conflicts = result->passes - result->passes_ideal;
}

/* Returns the lanes of the busiest bank. */
LANES_INLINE uint32_t count_most_lanes(const uint32_t units[32], uint32_t mask, uint32_t unit_banks)
{
    uint8_t lanes[BANKS] = {0}, busiest = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes[units[lane] & (unit_banks - 1)] = (uint8_t)(lanes[units[lane] & (unit_banks - 1)] + (mask >> lane & 1));
    for (unsigned bank = 0; bank < BANKS; bank++)
        busiest = lanes[bank] > busiest ? lanes[bank] : busiest;
    return busiest;
}

/* Returns the number of distinct units in the busiest bank, of units that lie near: less than NEAR from the least. A
 * row has a bit for each bank. The bits of all rows are added bank by bank: planes[k] has bit k of each bank's sum.
 * Without branches, which no processor could foresee. The number of banks is a power of two. */
enum { NEAR = 1024, AT_ONCE = 8, PLANES = 6 };
LANES_INLINE uint32_t count_most_units(const uint32_t units[32], uint32_t unit_banks, uint32_t least, uint32_t most)
{
    uint32_t rows[NEAR / 8 + AT_ONCE], planes[PLANES] = {0}, busiest = 0, banks = UINT32_MAX;
    unsigned const shift = (unsigned)__builtin_ctz(unit_banks);
    uint32_t const first = least >> shift, count = (most >> shift) - first + 1;
    for (uint32_t row = 0; row < count; row += AT_ONCE)
        memset(rows + row, 0, AT_ONCE * sizeof *rows);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        rows[(units[lane] >> shift) - first] |= UINT32_C(1) << (units[lane] & (unit_banks - 1));
    for (uint32_t row = 0; row < count; row++) {
        uint32_t carry = rows[row];
        for (unsigned k = 0; k < PLANES; k++) {
            uint32_t const both = planes[k] & carry;
            planes[k] ^= carry;
            carry = both;
        }
    }
    for (unsigned k = PLANES; k-- > 0;) {
        uint32_t const have = banks & planes[k];
        busiest |= (uint32_t)(have != 0) << k;
        banks = have ? have : banks;
    }
    return busiest;
}

/* Returns the number of distinct units in the busiest bank. Each bank has a linked list of lanes. */
static uint32_t count_busiest(const uint32_t units[32], uint32_t mask, uint32_t unit_banks)
{
    uint8_t length[BANKS] = {0}, newest[BANKS], older[WARP_LANES];
    uint32_t busiest = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t const bank = units[lane] & (unit_banks - 1);
        unsigned found = length[bank];
        for (unsigned other = newest[bank]; found && units[other] != units[lane]; found--)
            other = older[other];
        if (found)
            continue;
        older[lane] = newest[bank];
        newest[bank] = (uint8_t)lane;
        length[bank]++;
        busiest = length[bank] > busiest ? length[bank] : busiest;
    }
    return busiest;
}

/* Returns the passes of neighbouring lanes at one stride, or 0 for any other pattern. With g the greatest common
 * divisor of stride and banks, banks / g lanes fit in a pass. */
LANES_INLINE uint32_t count_run(const uint32_t units[32], uint32_t mask, uint32_t unit_banks)
{
    unsigned const first = (unsigned)__builtin_ctz(mask), last = 31 - (unsigned)__builtin_clz(mask);
    uint32_t const lanes = last - first + 1;
    if ((uint32_t)__builtin_popcount(mask) != lanes || lanes < 2)
        return 0;
    uint32_t const stride = units[first + 1] - units[first];
    uint32_t different = 0;
    if (stride == 0)
        return 0;
    for (unsigned lane = first; lane < last; lane++)
        different |= (units[lane + 1] - units[lane]) ^ stride;
    if (different)
        return 0;
    uint32_t const divisor = stride & (0 - stride); /* the number of banks is a power of two, and so is the divisor */
    uint32_t const fit = divisor >= unit_banks ? 1 : unit_banks / divisor;
    return (lanes + fit - 1) / fit;
}

/* Returns the passes of one group. near: see lanes_narrow. */
LANES_INLINE uint32_t count_group(const uint32_t near[32], uint32_t mask, uint32_t bytes, bool share)
{
    uint32_t const shift = bytes <= BANK_BYTES ? 2 : (uint32_t)__builtin_ctz(bytes);
    uint32_t const unit_banks = ROW_BYTES >> shift;
    uint32_t units[WARP_LANES], least = UINT32_MAX, most = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t const unit = near[lane] >> shift;
        units[lane] = unit;
        least = unit < least ? unit : least;
        most = unit > most ? unit : most;
    }
    if (share && most - least < unit_banks)
        return 1;
    if (!share) /* each lane has a pass of its own in its bank */
        return count_most_lanes(units, mask, unit_banks);
    uint32_t const run = count_run(units, mask, unit_banks);
    if (run)
        return run;
    return most - least < NEAR ? count_most_units(units, unit_banks, least, most)
                               : count_busiest(units, mask, unit_banks);
}

static __attribute__((noinline)) uint32_t count_whole(const uint64_t addresses[32], uint32_t mask, uint32_t bytes,
                                                      enum trace_operation operation)
{
    struct bank_passes whole;
    model_banks(addresses, mask, bytes, operation, &whole);
    return whole.passes;
}

LANES_INLINE uint32_t count_wavefronts(const uint64_t addresses[32], uint32_t mask, uint32_t bytes,
                                       enum trace_operation operation, uint32_t *ideal)
{
    uint32_t groups[GROUPS_MAX], near[WARP_LANES], passes = 0;
    int64_t stride;
    if (mask == UINT32_MAX && (bytes == 4 || bytes == 8 || bytes == 16) && lanes_affine(addresses, &stride) &&
        stride != 0 && (((uint64_t)stride | addresses[0]) & (bytes - 1)) == 0) {
        /* the greatest power of two that divides the stride */
        uint64_t const shared = (uint64_t)stride & (0 - (uint64_t)stride);
        *ideal = bytes / BANK_BYTES;
        return *ideal * (uint32_t)((shared < ROW_BYTES ? shared : ROW_BYTES) / bytes);
    }
    unsigned const group_count = split_lanes(addresses, mask, bytes, operation, groups);
    bool fast = bytes != 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
    for (unsigned group = 0; group < group_count && fast; group++) {
        fast = lanes_narrow(addresses, groups[group], bytes, near);
        if (fast)
            passes += count_group(near, groups[group], bytes, !is_atomic(operation));
    }
    *ideal = group_count;
    if (fast)
        return passes;
    return count_whole(addresses, mask, bytes, operation);
}

LANES_CLONES(uint32_t, model_wavefronts, count_wavefronts,
             (const uint64_t addresses[32], uint32_t mask, uint32_t bytes, enum trace_operation operation,
              uint32_t *ideal),
             (addresses, mask, bytes, operation, ideal))
