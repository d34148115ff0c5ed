/* The caches by hand-made accesses: which lines an L1 keeps, what leaves it, what the L2 and the DRAM deliver. */
#include "model/caches.h"
#include "model/cache_pairs.h"
#include "model/cache_sets.h"
#include "model/coalescing.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct trace_site sites[] = {
    {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4, .text = "ld.global.f32 %f1, [%rd1]"},
    {.operation = TRACE_STORE, .space = PTX_SPACE_GLOBAL, .bytes = 4, .text = "st.global.f32 [%rd1], %f1"},
    {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4, .text = "ld.global.cg.f32 %f1, [%rd1]"},
    {.operation = TRACE_REDUCTION, .space = PTX_SPACE_GLOBAL, .bytes = 4, .text = "red.global.add.f32 [%rd1], %f1"},
    {.operation = TRACE_LOAD, .space = PTX_SPACE_LOCAL, .bytes = 4, .text = "ld.local.f32 %f1, [%rd1]"},
    {.operation = TRACE_BARRIER, .text = "bar.sync 0"},
};
enum { LOAD, STORE, PAST, ADD, LOCAL, BARRIER };

static struct caches_run *caches_before(struct trace_listener *listener, uint64_t blocks, const char *dram)
{
    struct caches_machine const machine = {.multiprocessors = 2,
                                           .l2_bytes = 1 << 20,
                                           .blocks = blocks,
                                           .resident = 2,
                                           .l1_room = 240 << 10,
                                           .dram = dram_preset(dram)};
    struct caches_run *run = caches_new(sites, sizeof sites / sizeof *sites, &machine, (struct trace_listener){0});
    assert_non_null(run);
    *listener = caches_listener(run);
    return run;
}

static struct caches_run *caches_of(struct trace_listener *listener, uint64_t blocks)
{
    return caches_before(listener, blocks, NULL);
}

/* All lanes of a warp access neighbouring words from an address on. */
static void access_by(const struct trace_listener *listener, uint64_t block, uint32_t warp, uint32_t site,
                      uint64_t address)
{
    struct trace_event const event = {
        .kind = TRACE_ACCESS, .site = site, .block = block, .warp = warp, .mask = UINT32_MAX};
    uint64_t addresses[WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++)
        addresses[l] = site == LOCAL ? address : address + 4 * l;
    listener->event(listener->context, 0, &event, addresses);
}

static struct caches result_of(struct caches_run *run)
{
    struct arena arena = {0};
    bool overflowed = true;
    const struct caches *sums = caches_sum(run, &arena, &overflowed);
    assert_non_null(sums);
    assert_false(overflowed);
    struct caches const result = *sums;
    caches_free(run);
    arena_free(&arena);
    return result;
}

static void a_line_loaded_twice_is_in_the_l1(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 1);
    access_by(&listener, 0, 0, LOAD, 0);
    access_by(&listener, 0, 0, LOAD, 0);
    access_by(&listener, 0, 1, LOAD, 64); /* half of it, and half of the next */
    listener.ended(listener.context, 0, 0);
    struct caches const sums = result_of(run);
    assert_int_equal(sums.load_hits, 6);
    assert_int_equal(sums.l2_reads, 6);
    assert_int_equal(sums.dram_reads, 6);
    assert_false(sums.shared);
}

/* Only what the L2 does not hold opens a row: both sectors of each pair, and nothing for a store or a second load. */
static void rows_are_opened_for_what_no_cache_holds(void **state)
{
    (void)state;
    enum { ROW = 1024, BANKS = 4 };
    static const uint64_t lines[] = {0, 128, ROW, BANKS * ROW, 256, 0};
    enum { LINES = sizeof lines / sizeof *lines };
    struct trace_listener listener;
    struct caches_run *run = caches_before(&listener, 1, "classroom");
    struct dram alone;
    dram_reset(&alone, dram_preset("classroom"));
    for (unsigned i = 0; i < LINES; i++) {
        access_by(&listener, 0, 0, LOAD, lines[i]);
        for (uint64_t sector = 0; sector < CHUNK_SECTORS && i < LINES - 1; sector++)
            dram_request(&alone, lines[i] + sector * SECTOR_BYTES);
    }
    access_by(&listener, 0, 0, PAST, 128); /* the L2 holds it */
    access_by(&listener, 0, 0, STORE, 64 * ROW);
    listener.ended(listener.context, 0, 0);
    struct caches const sums = result_of(run);
    assert_int_equal(alone.misses, 2);
    assert_int_equal(alone.conflicts, 2);
    assert_int_equal(sums.dram_reads, alone.requests);
    assert_int_equal(sums.row_hits, alone.hits);
    assert_int_equal(sums.row_misses, alone.misses);
    assert_int_equal(sums.row_conflicts, alone.conflicts);
}

static void nothing_is_told_where_a_block_did_not_end(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 2);
    bool overflowed = true;
    access_by(&listener, 0, 0, LOAD, 0);
    access_by(&listener, 1, 0, LOAD, 0);
    listener.ended(listener.context, 0, 0);
    assert_null(caches_sum(run, &arena, &overflowed));
    assert_false(overflowed);
    caches_free(run);
    arena_free(&arena);
}

static void each_multiprocessor_has_its_own_l1(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 3);
    for (uint64_t block = 0; block < 3; block++) { /* blocks 0 and 2 share a multiprocessor */
        access_by(&listener, block, 0, LOAD, 4096);
        listener.ended(listener.context, 0, block);
    }
    struct caches const sums = result_of(run);
    assert_int_equal(sums.load_hits, 4);
    assert_int_equal(sums.dram_reads, 4);
}

static void the_l2_delivers_what_another_multiprocessor_has_loaded(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 2);
    access_by(&listener, 0, 0, LOAD, 0);
    for (unsigned i = 1; i < 1000; i++) /* much later */
        access_by(&listener, 1, 0, LOAD, 128 * i);
    access_by(&listener, 1, 0, LOAD, 0);
    listener.ended(listener.context, 0, 0);
    listener.ended(listener.context, 0, 1);
    struct caches const sums = result_of(run);
    assert_int_equal(sums.l2_reads, 4004);
    assert_int_equal(sums.l2_read_hits, 4);
    assert_int_equal(sums.dram_reads, 4000);
}

static void the_dram_delivers_sectors_in_pairs(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 1);
    struct trace_event const event = {.kind = TRACE_ACCESS, .site = LOAD, .mask = 1};
    uint64_t addresses[WARP_LANES] = {160};
    listener.event(listener.context, 0, &event, addresses);
    listener.ended(listener.context, 0, 0);
    struct caches const sums = result_of(run);
    assert_int_equal(sums.l2_reads, 1);
    assert_int_equal(sums.dram_reads, 2);
}

static void stores_need_nothing_from_the_dram_and_stay_in_the_l1(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 1);
    access_by(&listener, 0, 0, STORE, 0);
    access_by(&listener, 0, 0, LOAD, 0);
    listener.ended(listener.context, 0, 0);
    struct caches const sums = result_of(run);
    assert_int_equal(sums.load_hits, 4);
    assert_int_equal(sums.l2_writes, 4);
    assert_int_equal(sums.l2_reads, 0);
    assert_int_equal(sums.dram_reads, 0);
}

static void an_atomic_takes_its_sectors_out_of_the_l1(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 1);
    access_by(&listener, 0, 0, LOAD, 0);
    access_by(&listener, 0, 0, ADD, 0);
    access_by(&listener, 0, 0, LOAD, 0);
    listener.ended(listener.context, 0, 0);
    struct caches const sums = result_of(run);
    assert_int_equal(sums.load_hits, 0);
    assert_int_equal(sums.dram_reads, 4);
}

static void a_load_that_goes_past_the_l1_never_hits(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 1);
    access_by(&listener, 0, 0, LOAD, 0);
    access_by(&listener, 0, 0, PAST, 0);
    listener.ended(listener.context, 0, 0);
    assert_int_equal(result_of(run).load_hits, 0);
}

static void lanes_words_of_one_place_in_local_memory_are_one_line(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 1);
    access_by(&listener, 0, 0, LOCAL, 8);
    access_by(&listener, 0, 0, LOCAL, 8);
    access_by(&listener, 0, 1, LOCAL, 8); /* of other threads */
    listener.ended(listener.context, 0, 0);
    struct caches const sums = result_of(run);
    assert_int_equal(sums.local_loads, 12);
    assert_int_equal(sums.local_load_hits, 4);
}

static void warps_take_turns_between_barriers(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct caches_run *run = caches_of(&listener, 1);
    enum { LINES = 1500 }; /* of each warp; both together are more than the L1 holds */
    struct trace_event arrival = {.kind = TRACE_BARRIER_ARRIVE, .site = BARRIER, .mask = UINT32_MAX};
    for (uint32_t warp = 0; warp < 2; warp++) { /* as the emulator runs them: each to its barrier */
        arrival.warp = warp;
        if (warp == 0)
            for (unsigned i = 0; i < 2 * LINES; i++)
                access_by(&listener, 0, warp, LOAD, 128 * (i % LINES));
        listener.event(listener.context, 0, &arrival, NULL);
    }
    for (unsigned i = 0; i < 2 * LINES; i++)
        access_by(&listener, 0, 1, LOAD, 128 * (LINES + i % LINES));
    listener.ended(listener.context, 0, 0);
    /* One after the other, each fits, but for a set that gets too many lines. At the same time they would not. */
    assert_in_range(result_of(run).load_hits, 2 * 4 * LINES * 99 / 100, 2 * 4 * LINES);
}

static void five_lines_of_one_set_do_not_stay(void **state)
{
    (void)state;
    static const uint64_t lines[] = {0, 25048, 28356, 27359, 21683}; /* found on an H100 to throw each other out */
    struct l1 *l1 = malloc(sizeof *l1);
    assert_non_null(l1);
    l1_reset(l1, 240 << 10);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(l1_set(lines[i]), l1_set(0));
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(l1_use(l1, lines[i], 15, false), round ? 15 : 0);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 5; i++)
            if (round)
                assert_int_equal(l1_use(l1, lines[i], 15, false), 0);
            else
                l1_use(l1, lines[i], 15, false);
    free(l1);
}

static void an_l1_holds_what_shared_memory_leaves(void **state)
{
    (void)state;
    struct l1 *l1 = malloc(sizeof *l1);
    assert_non_null(l1);
    for (uint32_t shared = 8 << 10; shared <= 228 << 10; shared += 20 << 10) {
        uint32_t const room = l1_room(256 << 10, shared), lines = room / 128;
        unsigned hits = 0;
        assert_int_equal(room, (248 << 10) - shared);
        l1_reset(l1, room);
        for (unsigned round = 0; round < 2; round++)
            for (uint32_t i = 0; i < lines; i++)
                hits += l1_use(l1, i, 1, false);
        assert_int_equal(hits, lines);
        for (unsigned round = 0; round < 2; round++)
            for (uint32_t i = hits = 0; i < lines * 2; i++)
                hits += l1_use(l1, i, 1, false);
        assert_true(hits < lines / 2);
    }
    free(l1);
}

static void an_l1_without_room_still_holds_a_line_of_each_slice(void **state)
{
    (void)state;
    assert_int_equal(l1_room(64 << 10, 56 << 10), 4 * 128);
    assert_int_equal(l1_room(64 << 10, 64 << 10), 4 * 128);
}

static const struct occupancy_limits *limits_of(const char *capability)
{
    static struct arena arena;
    static const struct occupancy_limits *all;
    static size_t count;
    struct error error = {0};
    if (!all && !occupancy_read(&arena, &all, &count, &error))
        fail_msg("%s", error.message);
    const struct occupancy_limits *limits = occupancy_find(all, count, capability);
    assert_non_null(limits);
    return limits;
}

/* Returns the hits in the second round over so many bytes, in the L1 beside blocks without shared memory. */
static uint32_t hits_again(const char *capability, uint32_t bytes)
{
    struct l1 *l1 = malloc(sizeof *l1);
    uint32_t hits = 0;
    assert_non_null(l1);
    l1_reset(l1, l1_launch_of(limits_of(capability), 256, 0).room);
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t line = hits = 0; line < bytes / 128; line++)
            hits += l1_use(l1, line, 1, false);
    free(l1);
    return hits;
}

/* The rooms are 216, 152, 88 and 56 KB. */
static void data_between_the_rooms_of_two_gpus_hit_only_on_the_one_with_more(void **state)
{
    (void)state;
    static const struct {
        const char *more, *less;
        uint32_t bytes;
    } pairs[] = {{"9.0", "8.0", 200 << 10},
                 {"9.0", "8.0", 160 << 10},
                 {"8.0", "8.6", 140 << 10},
                 {"8.9", "7.5", 80 << 10},
                 {"10.0", "12.0", 96 << 10}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(hits_again(pairs[i].more, pairs[i].bytes), pairs[i].bytes / 128);
        assert_true(hits_again(pairs[i].less, pairs[i].bytes) < pairs[i].bytes / 128);
    }
    assert_true(hits_again("8.0", 2 * 152 << 10) < 152 * 8 / 10);
}

static bool is_share_of(const struct occupancy_limits *limits, uint32_t share)
{
    for (unsigned i = 0; i < limits->shared_share_count; i++)
        if (limits->shared_shares_kb[i] << 10 == share)
            return true;
    return false;
}

static void shared_memory_takes_a_share_that_the_gpu_has(void **state)
{
    (void)state;
    static const char *const capabilities[] = {"7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "10.0", "12.0"};
    static const uint32_t none[] = {32, 32, 32, 32, 32, 32, 32, 32}, none_of_many[] = {32, 8, 8, 8, 8, 8, 8, 8},
                          some[] = {64, 64, 64, 64, 64, 64, 64, 64}, most[] = {64, 164, 100, 164, 100, 228, 228, 100};
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
        const struct occupancy_limits *limits = limits_of(capabilities[i]);
        assert_int_equal(l1_shared_share(limits, 256, 0, 4), none[i] << 10);
        assert_int_equal(l1_shared_share(limits, 1024, 0, 1), none_of_many[i] << 10);
        assert_int_equal(l1_shared_share(limits, 1024, 40 << 10, 1), some[i] << 10);
        assert_int_equal(l1_shared_share(limits, 256, limits->shared_per_block, 1), most[i] << 10);
        for (uint32_t threads = 32; threads <= 1024; threads += 32)
            for (uint32_t shared = 0; shared <= limits->shared_per_block; shared += 1000) {
                struct occupancy_needs const needs = {.threads = threads, .shared = shared};
                struct occupancy const got = occupancy_of(limits, &needs);
                uint32_t const share = l1_shared_share(limits, threads, shared, got.blocks);
                assert_true(is_share_of(limits, share));
                assert_true(!shared || share >= got.blocks * got.block_shared);
            }
    }
}

static void a_block_that_is_too_large_for_the_gpu_is_told(void **state)
{
    (void)state;
    assert_int_equal(l1_launch_of(limits_of("9.0"), 256, 200 << 10).resident, 1);
    assert_int_equal(l1_launch_of(limits_of("8.0"), 256, 200 << 10).resident, 0);
    assert_int_equal(l1_launch_of(limits_of("8.0"), 256, 0).resident, 8);
}

/* One set, against a plain list of its pairs in the order of their last use. */
static void a_set_of_the_l2_loses_the_pair_used_longest_ago(void **state)
{
    (void)state;
    enum { PAIRS = 24, USES = 4000, SOON = 50 };
    struct {
        uint64_t pair;
        unsigned inside, asked;
        uint32_t fetched;
    } list[L2_WAYS + 1] = {{0}}, used;
    struct l2 l2;
    uint32_t random = 1, evictions = 0, came_along = 0;
    unsigned count = 0;
    assert_true(l2_new(&l2, L2_WAYS * 64));
    for (uint32_t time = SOON; time < SOON + USES; time++) {
        random = random * 1664525 + 1013904223;
        uint64_t const pair = (uint64_t)(random >> 8) % PAIRS * 12345;
        unsigned const asked = 1 + (random >> 16) % 3;
        bool const write = (random >> 20) % 3 == 0;
        unsigned at = 0;
        while (at < count && list[at].pair != pair)
            at++;
        memset(&used, 0, sizeof used);
        if (at < count)
            used = list[at];
        else if (count < L2_WAYS)
            count++;
        else
            at--, evictions++;
        used.pair = pair;
        bool const arrived = time - used.fetched >= SOON;
        unsigned const hits = asked & (arrived ? used.inside : used.asked);
        bool const reads = !write && asked & ~used.inside;
        came_along += !arrived && (asked & used.inside & ~used.asked);
        if (reads) {
            used.fetched = time;
            used.inside = 3;
        }
        used.inside |= asked;
        used.asked |= asked;
        memmove(list + 1, list, at * sizeof *list);
        list[0] = used;
        struct l2_answer const answer = l2_use(&l2, pair / 2, (uint8_t)(asked << pair % 2 * 2), write, time, SOON);
        assert_int_equal(answer.hits, hits << pair % 2 * 2);
        assert_int_equal(answer.reads, reads ? 2 : 0);
        uint64_t sectors = 0;
        for (unsigned i = 0; i < count; i++)
            sectors += (unsigned)__builtin_popcount(list[i].inside);
        assert_int_equal(l2.sectors, sectors);
    }
    assert_true(evictions > USES / 10);
    assert_true(came_along > 0);
    l2_free(&l2);
}

/* Chunks whose pairs are all gone are used again: a walk through much memory takes little. */
static void the_l2_forgets_what_it_lost(void **state)
{
    (void)state;
    enum { PAIRS = 1 << 20, HELD = 1 << 14 };
    struct l2 l2;
    assert_true(l2_new(&l2, HELD * 64));
    for (uint64_t round = 0; round < 2; round++)
        for (uint64_t line = 0; line < PAIRS / 2; line++)
            assert_int_equal(l2_use(&l2, line, 15, false, 0, 0).reads, 4);
    assert_true(l2.chunk_count < PAIRS / L2_CHUNK_PAIRS / 8);
    assert_true(l2.regions.count < 4);
    uint64_t hits = 0;
    for (uint64_t line = PAIRS / 2 - HELD / 8; line < PAIRS / 2; line++)
        hits += l2_use(&l2, line, 15, false, 0, 0).reads == 0;
    assert_true(hits > HELD / 8 * 9 / 10);
    l2_empty(&l2);
    assert_int_equal(l2_use(&l2, PAIRS / 2 - 1, 15, false, 0, 0).reads, 4);
    l2_free(&l2);
}

enum { REPLAYED = 3000 };
/* Asks for pairs at random, and notes the answers. */
static void ask_at_random(struct l2 *l2, uint32_t random, struct l2_answer answers[REPLAYED])
{
    enum { LINES = 1500, SOON = 50 };
    for (uint32_t i = 0; i < REPLAYED; i++) {
        random = random * 1664525 + 1013904223;
        answers[i] = l2_use(l2, (random >> 8) % LINES * 77, (uint8_t)(random >> 4) & 15, random >> 31, i, SOON);
    }
}

/* A launch that begins with what another left in the L2 can begin again. */
static void an_l2_that_is_restored_answers_as_before(void **state)
{
    (void)state;
    enum { HELD = 2048 };
    static struct l2_answer first[REPLAYED], again[REPLAYED];
    struct l2 l2;
    assert_true(l2_new(&l2, HELD * 64));
    ask_at_random(&l2, 1, first);
    struct l2_copy *copy = l2_copy(&l2);
    uint64_t const sectors = l2.sectors;
    assert_non_null(copy);
    ask_at_random(&l2, 2, first);
    l2_restore(&l2, copy);
    assert_int_equal(l2.sectors, sectors);
    ask_at_random(&l2, 2, again);
    unsigned hits = 0;
    for (unsigned i = 0; i < REPLAYED; i++) {
        assert_int_equal(again[i].hits, first[i].hits);
        assert_int_equal(again[i].reads, first[i].reads);
        hits += again[i].hits != 0;
    }
    assert_true(hits > 100 && hits < REPLAYED - 100);
    free(copy);
    l2_free(&l2);
}

/* The same loads of one warp, as halves and lane by lane. */
static void halves_count_as_their_lanes(void **state)
{
    (void)state;
    enum { LOADS = 5000, BATCH = 7 };
    struct trace_listener by_lanes, by_halves;
    struct caches_run *lanes = caches_of(&by_lanes, 1), *together = caches_of(&by_halves, 1);
    struct trace_halves halves[BATCH];
    uint64_t random = 1;
    for (unsigned i = 0; i < LOADS; i++) {
        struct trace_halves *at = &halves[i % BATCH];
        struct trace_event const event = {.kind = TRACE_ACCESS, .site = LOAD, .mask = UINT32_MAX};
        uint64_t addresses[WARP_LANES];
        *at = (struct trace_halves){.site = LOAD};
        for (unsigned half = 0; half < 2; half++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            bool const run = random >> 63;
            uint64_t const near = i % 3 ? 32 : 4096; /* words */
            uint64_t const before = half ? at->first[0] : 1 << 20;
            at->first[half] =
                i % 5 || half ? before + (random >> 33) % near * 4 : halves[(i + BATCH - 1) % BATCH].first[0];
            at->bytes[half] = run ? 64 : 4;
            for (unsigned l = 0; l < 16; l++)
                addresses[16 * half + l] = at->first[half] + (run ? l * 4 : 0);
        }
        by_lanes.event(by_lanes.context, 0, &event, addresses);
        if (i % BATCH == BATCH - 1)
            by_halves.halves(by_halves.context, 0, 0, 0, halves, BATCH);
    }
    by_halves.halves(by_halves.context, 0, 0, 0, halves, LOADS % BATCH);
    by_lanes.ended(by_lanes.context, 0, 0);
    by_halves.ended(by_halves.context, 0, 0);
    struct caches const expected = result_of(lanes), sums = result_of(together);
    assert_true(expected.load_hits > LOADS);
    assert_int_equal(sums.load_hits, expected.load_hits);
    assert_int_equal(sums.l2_reads, expected.l2_reads);
    assert_int_equal(sums.dram_reads, expected.dram_reads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_loaded_twice_is_in_the_l1),
        cmocka_unit_test(the_l2_forgets_what_it_lost),
        cmocka_unit_test(an_l2_that_is_restored_answers_as_before),
        cmocka_unit_test(halves_count_as_their_lanes),
        cmocka_unit_test(rows_are_opened_for_what_no_cache_holds),
        cmocka_unit_test(nothing_is_told_where_a_block_did_not_end),
        cmocka_unit_test(each_multiprocessor_has_its_own_l1),
        cmocka_unit_test(the_l2_delivers_what_another_multiprocessor_has_loaded),
        cmocka_unit_test(the_dram_delivers_sectors_in_pairs),
        cmocka_unit_test(stores_need_nothing_from_the_dram_and_stay_in_the_l1),
        cmocka_unit_test(an_atomic_takes_its_sectors_out_of_the_l1),
        cmocka_unit_test(a_load_that_goes_past_the_l1_never_hits),
        cmocka_unit_test(lanes_words_of_one_place_in_local_memory_are_one_line),
        cmocka_unit_test(warps_take_turns_between_barriers),
        cmocka_unit_test(five_lines_of_one_set_do_not_stay),
        cmocka_unit_test(an_l1_holds_what_shared_memory_leaves),
        cmocka_unit_test(an_l1_without_room_still_holds_a_line_of_each_slice),
        cmocka_unit_test(data_between_the_rooms_of_two_gpus_hit_only_on_the_one_with_more),
        cmocka_unit_test(shared_memory_takes_a_share_that_the_gpu_has),
        cmocka_unit_test(a_block_that_is_too_large_for_the_gpu_is_told),
        cmocka_unit_test(a_set_of_the_l2_loses_the_pair_used_longest_ago),
    };
    return cmocka_run_group_tests_name("caches", tests, NULL, NULL);
}
