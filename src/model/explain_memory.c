/* One pass over the recorded accesses to global memory, with three tables: of the sectors that each instruction
 * accesses in a block, and in all blocks, and of those that each block loads. */
#include "model/coalescing.h"
#include "model/explain_rows.h"
#include <stdlib.h>

/* As many sectors, and those of one access more, fit into tables of 2^19 places: docs/security.md has their bytes. */
enum { SECTORS_MOST = 390000, ACCESSES_MOST = 1 << 19, TABLE_FIRST = 1 << 12 };

struct sector {
    uint64_t number, key, block;
    uint32_t bytes, row;
    uint32_t last;                      /* the event that accessed it last, plus 1; 0: the place is free */
    uint8_t warp;                       /* below LAUNCH_WARPS_MAX */
    bool other_warp, other_row, border; /* border: several blocks access the same bytes */
};
struct table {
    struct sector *items;
    size_t count, capacity;
};

static size_t place_of(const struct table *table, uint64_t number, uint64_t key)
{
    uint64_t hash = (number ^ key * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    size_t at = (size_t)(hash >> 20) & (table->capacity - 1);
    while (table->items[at].last && (table->items[at].number != number || table->items[at].key != key))
        at = (at + 1) & (table->capacity - 1);
    return at;
}

static void grow(struct table *table)
{
    struct table const old = *table;
    table->capacity = old.capacity ? 2 * old.capacity : TABLE_FIRST;
    table->items = NULL;
    size_t room = 0;
    table->items = array_grow(table->items, &room, table->capacity, sizeof *table->items);
    for (size_t i = 0; i < table->capacity; i++)
        table->items[i] = (struct sector){.last = 0};
    for (size_t i = 0; i < old.capacity; i++)
        if (old.items[i].last)
            table->items[place_of(table, old.items[i].number, old.items[i].key)] = old.items[i];
    free(old.items);
}

/* Returns the sector's entry, a new one with last 0. */
static struct sector *entry(struct table *table, uint64_t number, uint64_t key)
{
    if (4 * table->count >= 3 * table->capacity)
        grow(table);
    struct sector *found = &table->items[place_of(table, number, key)];
    if (!found->last) {
        *found = (struct sector){.number = number, .key = key};
        table->count++;
    }
    return found;
}

struct pass {
    struct explain_rows *rows;
    struct table own, everywhere, loads_of_block; /* by instruction and block, by instruction, by block */
    const struct trace_event *event;
    struct explain_row *row;
    uint32_t row_number;
    uint32_t mark; /* the event, plus 1 */
    bool loads;
};

static void touch(struct pass *pass, uint64_t number, uint32_t bytes)
{
    const struct trace_event *event = pass->event;
    struct sector *own = entry(&pass->own, number, event->block * pass->rows->count + pass->row_number);
    bool const first = own->last != pass->mark;
    if (!own->last) {
        own->warp = (uint8_t)event->warp;
        own->block = event->block;
        own->row = pass->row_number;
    }
    own->other_warp = own->other_warp || own->warp != event->warp;
    own->bytes |= bytes;
    own->last = pass->mark;
    struct sector *any = entry(&pass->everywhere, number, pass->row_number);
    any->row = pass->row_number;
    any->border = any->border || (any->last && any->block != event->block && (any->bytes & bytes));
    any->block = event->block;
    any->bytes |= bytes;
    any->last = pass->mark;
    if (!first)
        return;
    pass->row->loaded++;
    if (!pass->loads)
        return;
    struct sector *block = entry(&pass->loads_of_block, number, event->block);
    if (!block->last)
        block->row = pass->row_number;
    block->other_row = block->other_row || block->row != pass->row_number;
    block->last = pass->mark;
}

static void touch_lane(struct pass *pass, uint64_t address, uint32_t bytes)
{
    for (uint64_t at = address, end = address + bytes; at < end;) {
        uint32_t const from = (uint32_t)(at % SECTOR_BYTES);
        uint32_t const rest = SECTOR_BYTES - from;
        uint32_t const some = end - at < rest ? (uint32_t)(end - at) : rest;
        touch(pass, at / SECTOR_BYTES, (some >= SECTOR_BYTES ? UINT32_MAX : (UINT32_C(1) << some) - 1) << from);
        at += some;
    }
}

/* Notes where the access begins, and whether it begins inside of what the warp accessed just before. */
static void note_begin(struct explain_row *row, const struct trace *trace, const struct trace_event *event,
                       const uint64_t *addresses)
{
    uint32_t const bytes = trace->sites[event->site].bytes;
    uint64_t lowest = UINT64_MAX;
    int64_t stride;
    for (uint32_t rest = event->mask; rest; rest &= rest - 1) {
        uint64_t const address = addresses[__builtin_ctz(rest)];
        lowest = address < lowest ? address : lowest;
    }
    uint32_t const behind = (uint32_t)(lowest % SECTOR_BYTES);
    row->behind_varies = row->behind_varies || (row->any_behind && behind != row->first_behind);
    if (!row->any_behind)
        row->first_behind = behind;
    row->any_behind = true;
    if (event->warp >= 32 || !explain_stride(trace, addresses, event->mask, &stride) || stride != bytes)
        return;
    uint64_t const across = (trace->block[0] < WARP_LANES ? trace->block[0] : WARP_LANES) * (uint64_t)bytes;
    if (!row->last_block)
        row->last_block = event->block + 1;
    if (row->last_block != event->block + 1) /* the trace is in the order of time: accesses of blocks alternate */
        return;
    uint64_t const before = row->last_base[event->warp];
    uint64_t const apart = before > lowest ? before - lowest : lowest - before;
    row->shifted = row->shifted || (before && apart && apart < across);
    row->last_base[event->warp] = lowest;
}

static void take_sums(struct pass *pass)
{
    for (size_t i = 0; i < pass->own.capacity; i++) {
        const struct sector *sector = &pass->own.items[i];
        if (!sector->last)
            continue;
        struct explain_row *row = &pass->rows->items[sector->row];
        row->sectors++;
        row->bytes += (uint32_t)__builtin_popcount(sector->bytes);
        row->of_warps += sector->other_warp;
        if (!pass->loads_of_block.capacity)
            continue;
        const struct sector *block =
            &pass->loads_of_block.items[place_of(&pass->loads_of_block, sector->number, sector->block)];
        row->also_others += block->last && block->other_row;
    }
    for (size_t i = 0; i < pass->everywhere.capacity; i++) {
        const struct sector *sector = &pass->everywhere.items[i];
        if (!sector->last)
            continue;
        struct explain_row *row = &pass->rows->items[sector->row];
        row->all_sectors++;
        row->all_bytes += (uint32_t)__builtin_popcount(sector->bytes);
        row->border += sector->border;
    }
}

void explain_memory(struct explain_rows *rows)
{
    const struct trace *trace = rows->trace;
    struct pass pass = {.rows = rows};
    size_t accesses = 0;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || event->site >= trace->site_count || !event->mask ||
            !rows->of_site[event->site])
            continue;
        const struct trace_site *site = &trace->sites[event->site];
        if (trace_space(site, event) != PTX_SPACE_GLOBAL || site->unit == TRACE_IN_BULK)
            continue;
        if (++accesses > ACCESSES_MOST || pass.own.count > SECTORS_MOST) {
            rows->cut = true;
            break;
        }
        pass.event = event;
        pass.mark = (uint32_t)i + 1;
        pass.row_number = rows->of_site[event->site] - 1;
        pass.row = &rows->items[pass.row_number];
        pass.loads = site->operation == TRACE_LOAD;
        const uint64_t *addresses = trace_addresses(trace, event);
        note_begin(pass.row, trace, event, addresses);
        for (uint32_t rest = event->mask; rest; rest &= rest - 1)
            touch_lane(&pass, addresses[__builtin_ctz(rest)], site->bytes);
    }
    take_sums(&pass);
    free(pass.own.items);
    free(pass.everywhere.items);
    free(pass.loads_of_block.items);
}
