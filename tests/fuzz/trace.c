/* Trace files: as a whole (header, checksum, zstd), and as a body with a valid checksum, as an attacker would write it.
 * A trace that the reader accepts must survive all operations on traces: counting, the timeline, the dump, comparison,
 * writing and reading back. Seeds are uncompressed files, so that a changed byte is a changed field. */
#include "explained.h"
#include "fuzz.h"
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/counts.h"
#include "model/divergence.h"
#include "model/timeline.h"
#include "trace/format/format.h"
#include <string.h>

static void check_round_trip(const struct trace *trace, struct arena *arena)
{
    struct error error = {0};
    struct trace *back = NULL;
    uint8_t *bytes, *again;
    size_t size, again_size;
    require(trace_pack(trace, arena, &bytes, &size, &error));
    require(trace_unpack("fuzz.trace", bytes, size, &back, &error));
    require(trace_pack(back, arena, &again, &again_size, &error));
    require(size == again_size && memcmp(bytes, again, size) == 0);
    struct trace_difference difference;
    trace_compare(trace, back, &difference);
    require(!difference.differ || trace->lost || trace->recorded.first > trace->recorded.last);
    trace_free(back);
}

static void check_access(const struct trace *trace, const struct trace_event *event)
{
    const struct trace_site *site = &trace->sites[event->site];
    const uint64_t *addresses = trace_addresses(trace, event);
    if (trace_space(site, event) == PTX_SPACE_SHARED) {
        struct bank_passes passes;
        model_banks(addresses, event->mask, site->bytes, site->operation, &passes);
        require(passes.passes <= PASSES_MAX);
    } else {
        struct coalescing coalescing;
        uint32_t ideal;
        model_coalescing(addresses, event->mask, site->bytes, &coalescing);
        require(coalescing.chunk_count <= CHUNKS_MAX);
        require(coalescing.sectors == model_sectors(addresses, event->mask, site->bytes, &ideal));
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t element;
        const struct trace_buffer *buffer = trace_find_buffer(trace, addresses[lane], &element);
        require(!buffer || element < buffer->count);
    }
}

static void check_timeline(const struct trace *trace, uint64_t block, struct arena *arena)
{
    const struct timeline *timeline = timeline_new(arena, trace, block);
    enum timeline_state *states = arena_array(arena, enum timeline_state, timeline->warp_count);
    enum lane_state lanes[WARP_LANES];
    for (size_t position = 0; position < timeline->count; position++) {
        require(timeline->events[position] < trace->events.count);
        timeline_lanes(timeline, position, lanes);
        timeline_warps(timeline, position, states);
    }
}

static void use(struct trace *trace)
{
    struct arena arena = {0};
    struct counts counts;
    struct counter *counters;
    struct divergence divergence;
    check_round_trip(trace, &arena);
    trace_sort(trace);
    counts_of_trace(trace, &arena, &counts);
    counts_counters(&counts, trace->sites, &arena, &counters);
    explained(trace, &counts);
    require(trace_dump(trace, &arena));
    for (size_t i = 0; i < trace->events.count && i < 64; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind == TRACE_ACCESS)
            check_access(trace, event);
        model_divergence(trace, event->block, event->warp, &divergence);
        if (i < 4)
            check_timeline(trace, event->block, &arena);
    }
    arena_free(&arena);
}

static void read(bool decoded, struct trace *trace, const struct error *error)
{
    if (decoded) {
        use(trace);
        trace_free(trace);
    } else {
        require(error->kind == ERROR_INPUT && error->message[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace *trace = NULL;
    struct error error = {0};
    bool decoded = trace_unpack("fuzz.trace", data, size, &trace, &error);
    read(decoded, trace, &error);
    if (size < TRACE_HEADER_BYTES)
        return 0;
    for (uint32_t version = TRACE_VERSION_LEAST; version <= TRACE_VERSION; version++) {
        error = (struct error){0};
        decoded =
            trace_decode("fuzz.trace", version, data + TRACE_HEADER_BYTES, size - TRACE_HEADER_BYTES, &trace, &error);
        read(decoded, trace, &error);
    }
    return 0;
}
