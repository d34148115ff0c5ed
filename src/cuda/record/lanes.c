/* Computes the lanes' addresses from the one or two steps in a record, or copies them when the record lists them. */
#include "cuda/record/lanes.h"
#include <string.h>

static int32_t low_half(uint32_t pair)
{
    return (int16_t)(uint16_t)pair;
}

/* Computes lanes in rows: see enum record_kind. */
static void addresses_in_rows(const struct record *record, uint32_t row_shift, uint64_t addresses[WARP_LANES])
{
    bool const full = record_kind_of(record->tag) == RECORD_FULL32;
    const struct record_line *line = full ? NULL : (const void *)(record + 1);
    int const first = full || !record->mask ? 0 : __builtin_ctz(record->mask), width = 1 << row_shift;
    int64_t const step = full && width < WARP_LANES ? low_half(record->other) : (int32_t)record->other;
    int64_t const row = full ? low_half(record->other >> 16) : line->row;
    uint64_t const start = full ? record->mask : line->address;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int64_t const columns = lane % width - first % width, rows = lane / width - first / width;
        addresses[lane] = start + (uint64_t)(step * columns + row * rows);
    }
}

static void addresses_of(const struct record *record, uint32_t row_shift, struct record_lanes *lanes)
{
    enum record_kind const kind = record_kind_of(record->tag);
    const uint64_t *wide = (const void *)(record + 1);
    const uint32_t *narrow = (const void *)(record + 1);
    const struct record_line *line = (const void *)(record + 1);
    const struct record_values *both = (const void *)record;
    lanes->small = kind == RECORD_FULL32 || kind == RECORD_LANES32 || (kind == RECORD_VALUES && record->other & 1);
    lanes->valued = kind == RECORD_VALUES;
    if (kind == RECORD_AFFINE || kind == RECORD_FULL32) {
        addresses_in_rows(record, row_shift, lanes->addresses);
        return;
    }
    for (int lane = 0; lane < WARP_LANES; lane++) {
        lanes->addresses[lane] = kind == RECORD_VALUES    ? both->lanes[lane].address
                                 : kind == RECORD_GIVEN   ? line->address
                                 : kind == RECORD_LANES64 ? wide[lane]
                                                          : narrow[lane];
        lanes->values[lane] = lanes->valued ? both->lanes[lane].value : 0;
    }
}

/* Computes the addresses from the one address in a run's record. */
static void addresses_of_entry(const struct record *record, const struct record_entry *entry, uint32_t row_shift,
                               uint64_t addresses[WARP_LANES])
{
    uint32_t const mask = record->mask, width = UINT32_C(1) << row_shift;
    uint32_t const first = mask ? (uint32_t)__builtin_ctz(mask) : 0;
    uint64_t base = 0;
    if (entry->at)
        memcpy(&base, (const uint8_t *)record + entry->at, entry->small ? sizeof(uint32_t) : sizeof base);
    base += (uint64_t)entry->offset - entry->column * (first % width) - entry->row * (first / width);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        addresses[lane] = base + entry->column * (lane % width) + entry->row * (lane / width);
        if (entry->small)
            addresses[lane] = (uint32_t)addresses[lane];
    }
}

void record_find_lanes(const struct record *record, const struct record_entry *entry, uint32_t row_shift,
                       struct record_lanes *lanes)
{
    lanes->small = entry && entry->small;
    lanes->valued = false;
    if (entry)
        addresses_of_entry(record, entry, row_shift, lanes->addresses);
    else
        addresses_of(record, row_shift, lanes);
}
