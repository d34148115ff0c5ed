/* The pattern of one access, of which its kind and its figures follow. */
#include "model/atomics.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/constant.h"
#include "model/explain_rows.h"

static uint32_t popcount(uint32_t mask)
{
    return (uint32_t)__builtin_popcount(mask);
}

bool explain_stride(const struct trace *trace, const uint64_t addresses[WARP_LANES], uint32_t mask, int64_t *stride)
{
    uint32_t const across = trace->block[0];
    int64_t first = 0;
    bool any = false;
    if (trace_stride(addresses, mask, stride))
        return true;
    if (across < 2 || across >= WARP_LANES || WARP_LANES % across)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane += across) {
        uint32_t const row = mask & ((UINT32_C(1) << across) - 1) << lane;
        if (popcount(row) < 2)
            continue;
        if (!trace_stride(addresses, row, stride) || (any && *stride != first))
            return false;
        first = *stride;
        any = true;
    }
    *stride = first;
    return any;
}

/* Returns how many different addresses the lanes have, and sets the number of runs of lanes that lie side by side. */
static uint32_t count_places(const uint64_t addresses[WARP_LANES], uint32_t mask, uint32_t bytes, uint32_t *pieces)
{
    uint32_t places = 0;
    uint64_t before = 0;
    *pieces = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t const address = addresses[__builtin_ctz(rest)];
        bool known = false;
        for (uint32_t earlier = mask & ~rest; earlier && !known; earlier &= earlier - 1)
            known = addresses[__builtin_ctz(earlier)] == address;
        places += !known;
        *pieces += rest == mask || address != before + bytes;
        before = address;
    }
    return places;
}

static void global_pattern(struct explanation *is, const uint64_t addresses[WARP_LANES])
{
    struct coalescing whole;
    uint32_t fewest = WARP_LANES + 1;
    uint64_t lowest = UINT64_MAX;
    model_coalescing(addresses, is->active, is->site->bytes, &whole);
    is->units = whole.sectors;
    is->least = whole.sectors_ideal;
    is->used = whole.bytes_used;
    is->lanes = is->active;
    for (uint32_t rest = is->active; rest; rest &= rest - 1) {
        uint64_t const address = addresses[__builtin_ctz(rest)];
        lowest = address < lowest ? address : lowest;
    }
    is->behind = (uint32_t)(lowest % SECTOR_BYTES);
    if (is->stride != is->site->bytes && is->stride != -(int64_t)is->site->bytes)
        return;
    for (uint32_t i = 0; i < whole.chunk_count; i++) /* of lanes side by side those in the chunk with the fewest */
        if (popcount(whole.chunks[i].lanes) < fewest) {
            fewest = popcount(whole.chunks[i].lanes);
            is->lanes = whole.chunks[i].lanes;
        }
}

static uint32_t passes_of(const struct explanation *is, const uint64_t addresses[WARP_LANES], uint32_t *least)
{
    uint32_t passes = 0;
    enum trace_operation const operation = banks_operation(is->site);
    if (is->site->unit != TRACE_BY_ROWS)
        return model_wavefronts(addresses, is->active, is->site->bytes, operation, least);
    *least = 0;
    for (unsigned first = 0; first < WARP_LANES; first += 8) {
        uint32_t some = 0, rows = is->active & 0xffu << first;
        if (rows)
            passes += model_wavefronts(addresses, rows, is->site->bytes, operation, &some);
        *least += some;
    }
    return passes;
}

/* Finds the bank with the most different words, and the lanes that need them, among these lanes. */
static void fullest_bank(struct explanation *is, uint32_t among, const uint64_t addresses[WARP_LANES], uint64_t base)
{
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        uint64_t words[WARP_LANES];
        uint32_t count = 0, lanes = 0;
        for (uint32_t rest = among; rest; rest &= rest - 1) {
            unsigned const lane = (unsigned)__builtin_ctz(rest);
            uint64_t const word = (addresses[lane] - base) / BANK_BYTES;
            uint32_t at = 0;
            if (word % BANKS != bank)
                continue;
            lanes |= UINT32_C(1) << lane;
            while (at < count && words[at] != word)
                at++;
            if (at == count)
                words[count++] = word;
        }
        if (count > is->together) {
            is->together = count;
            is->bank = bank;
            is->lanes = lanes;
        }
    }
}

/* Returns the passes if an unused element followed each row: the rows are as long as the lanes' distance where that is
 * a row of all banks or more, else 32 words. */
static uint32_t passes_padded(const struct explanation *is, const uint64_t addresses[WARP_LANES], uint64_t base)
{
    uint64_t moved[WARP_LANES] = {0};
    uint32_t least;
    uint64_t const line = BANKS * BANK_BYTES, apart = (uint64_t)(is->stride < 0 ? -is->stride : is->stride);
    uint64_t const row = apart >= line ? apart : line;
    for (uint32_t rest = is->active; rest; rest &= rest - 1) {
        unsigned const lane = (unsigned)__builtin_ctz(rest);
        moved[lane] = addresses[lane] + (addresses[lane] - base) / row * is->site->bytes;
    }
    return passes_of(is, moved, &least);
}

static void shared_pattern(struct explanation *is, const struct trace *trace, const uint64_t addresses[WARP_LANES])
{
    uint64_t lowest = UINT64_MAX;
    for (uint32_t rest = is->active; rest; rest &= rest - 1) {
        uint64_t const address = addresses[__builtin_ctz(rest)];
        lowest = address < lowest ? address : lowest;
    }
    is->units = passes_of(is, addresses, &is->least);
    bool const rows = is->site->unit == TRACE_BY_ROWS; /* which are served eight at a time */
    for (unsigned first = 0; first < WARP_LANES; first += rows ? 8 : WARP_LANES)
        fullest_bank(is, rows ? is->active & 0xffu << first : is->active, addresses, trace->shared_base);
    uint32_t const padded = passes_padded(is, addresses, lowest >= trace->shared_base ? trace->shared_base : lowest);
    is->padded = padded < is->units ? padded : 0;
}

static void atomic_pattern(struct explanation *is, const struct trace_event *event,
                           const uint64_t addresses[WARP_LANES])
{
    struct atomic_passes passes;
    enum ptx_space const space = trace_space(is->site, event);
    model_atomics(addresses, is->active, is->site, space, &passes);
    for (uint32_t i = 0; i < passes.place_count; i++)
        if (passes.places[i].count > 1 && passes.places[i].count == passes.most) {
            is->lanes = passes.places[i].lanes;
            break;
        }
    is->together = passes.most;
    is->units = passes.passes;
    is->least = passes.passes_ideal;
}

static void constant_pattern(struct explanation *is, const uint64_t addresses[WARP_LANES])
{
    is->units = model_constant_passes(addresses, is->active, is->site->bytes, &is->least);
    is->lanes = is->active;
}

void explain_pattern(const struct explain_rows *rows, struct explain_row *row)
{
    struct explanation *is = &row->is;
    if (is->event == SIZE_MAX)
        return;
    const struct trace_event *event = &rows->trace->events.items[is->event];
    is->site = &rows->trace->sites[event->site];
    is->block = event->block;
    is->warp = event->warp;
    is->active = event->mask;
    if (event->kind == TRACE_BRANCH_TAKEN) {
        is->way = event->other & event->mask;
        is->lanes = popcount(is->way) < popcount(event->mask & ~is->way) ? is->way : event->mask & ~is->way;
        return;
    }
    const uint64_t *addresses = trace_addresses(rows->trace, event);
    uint64_t element;
    if (!explain_stride(rows->trace, addresses, event->mask, &is->stride))
        is->stride = 0;
    is->places = count_places(addresses, event->mask, is->site->bytes, &is->pieces);
    const struct trace_buffer *buffer = trace_find_buffer(rows->trace, addresses[__builtin_ctz(event->mask)], &element);
    if (trace_space(is->site, event) == PTX_SPACE_GLOBAL && buffer)
        is->array = buffer->name;
    switch (trace_space(is->site, event)) {
    case PTX_SPACE_GLOBAL:
        global_pattern(is, addresses);
        break;
    case PTX_SPACE_SHARED:
        shared_pattern(is, rows->trace, addresses);
        break;
    case PTX_SPACE_CONST:
        constant_pattern(is, addresses);
        break;
    default:
        is->lanes = is->active;
        break;
    }
}

void explain_atomic(const struct explain_rows *rows, struct explain_row *row)
{
    const struct trace_event *event = &rows->trace->events.items[row->is.event];
    atomic_pattern(&row->is, event, trace_addresses(rows->trace, event));
}
