/* The records of the probes become events. The records are built by hand here, so no GPU is needed. */
#include "cuda/driver.h"
#include "cuda/record/decode.h"
#include "cuda/record/lanes.h"
#include "cuda/record/layout.h"
#include "cuda/record/plan.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Sites: 0 ld.global, 1 st.shared, 2 ld (generic), 3 bar.sync, 4 branch. */
static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)\n{\n"
                           ".shared .align 4 .b8 tile[128];\n.reg .pred %p<2>;\n.reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n"
                           "ld.param.u64 %rd1, [p];\n"
                           "ld.global.u32 %r1, [%rd1];\n"
                           "st.shared.u32 [tile], %r1;\n"
                           "ld.u32 %r2, [%rd1];\n"
                           "bar.sync 0;\n"
                           "setp.eq.u32 %p1, %r1, %r2;\n"
                           "@%p1 bra END;\n"
                           "END:\n"
                           "ret;\n}\n";

enum { CHUNK_BYTES = 1024, CHUNKS = 4 };

/* Runs of one event each, and one run of all kinds: a release, a load from and a store to one address in shared memory,
 * an arrival. */
enum { RUN_ARRIVE, RUN_RELEASE, RUN_BRANCH, RUN_MIXED, RUN_COUNT };
static const struct record_entry arrive[] = {{.event = RECORD_ARRIVE, .site = 3}};
static const struct record_entry release[] = {{.event = RECORD_RELEASE, .site = 3}};
static const struct record_entry branch[] = {{.event = RECORD_BRANCH, .site = 4, .at = 8}};
static const struct record_entry mixed[] = {
    {.event = RECORD_RELEASE, .site = 3},
    {.event = RECORD_ACCESS, .site = 0, .at = 16, .offset = -4, .column = 8, .row = 100},
    {.event = RECORD_ACCESS, .site = 1, .at = 8, .small = true, .column = (uint64_t)-4},
    {.event = RECORD_ARRIVE, .site = 3, .at = 24}};
static const struct record_run runs[RUN_COUNT] = {[RUN_ARRIVE] = {.entries = arrive, .entry_count = 1, .bytes = 16},
                                                  [RUN_RELEASE] = {.entries = release, .entry_count = 1, .bytes = 16},
                                                  [RUN_BRANCH] = {.entries = branch, .entry_count = 1, .bytes = 16},
                                                  [RUN_MIXED] = {.entries = mixed, .entry_count = 4, .bytes = 32}};

struct bench {
    struct arena arena;
    struct trace *trace;
    uint64_t memory[CHUNKS][CHUNK_BYTES / 8];
    struct record_batch batch;
    struct error error;
};

static void bench_new(struct bench *bench)
{
    struct launch const launch = {.kernel = "k", .grid = {8, 1, 1}, .block = {64, 1, 1}};
    struct ptx_module *module;
    *bench = (struct bench){0};
    assert_true(ptx_parse(&bench->arena, "test", text, strlen(text), &module, &bench->error));
    bench->trace = trace_new(module, &launch);
    assert_int_equal(bench->trace->site_count, 5);
    bench->trace->recorded = LAUNCH_ALL_BLOCKS;
    bench->batch = (struct record_batch){
        .chunks = (const uint8_t *)bench->memory,
        .layout = {.runs = runs, .run_count = RUN_COUNT},
        .chunk_bytes = CHUNK_BYTES, /* not complete, so no exits are added; one test alone checks those */
        .row_shift = 5,
        .windows = {.shared_base = 1024, .shared_generic = 0x7f0000000000, .local_generic = 0x7e0000000000},
        .clock_khz = 2000000};
}

static void bench_free(struct bench *bench)
{
    trace_free(bench->trace);
    arena_free(&bench->arena);
}

/* Adds a chunk of a warp and returns the place of its first record. */
static uint8_t *add_chunk(struct bench *bench, uint64_t block, uint32_t warp, uint32_t sm, uint64_t timer,
                          uint64_t clock)
{
    uint8_t *chunk = (uint8_t *)bench->memory[bench->batch.chunk_count++];
    struct record_chunk const head = {
        .tag = RECORD_TAG(RECORD_CHUNK, warp), .sm = sm, .block = block, .timer = timer, .clock = clock};
    memcpy(chunk, &head, sizeof head);
    return chunk + sizeof head;
}

static uint8_t *add_record(uint8_t *at, enum record_kind kind, uint32_t site, uint32_t mask, uint32_t other,
                           uint32_t clock)
{
    struct record const record = {.tag = RECORD_TAG(kind, site), .mask = mask, .other = other, .clock = clock};
    memcpy(at, &record, sizeof record);
    return at + sizeof record;
}

static uint8_t *add_line(uint8_t *at, uint32_t mask, int32_t step, uint32_t clock, uint64_t base)
{
    struct record_line const behind = {.address = base, .row = 0x7777, .spare = 0xdead};
    at = add_record(at, RECORD_AFFINE, 0, mask, (uint32_t)step, clock);
    memcpy(at, &behind, sizeof behind);
    return at + sizeof behind;
}

static void a_line_of_addresses_is_expanded(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *at = add_chunk(&bench, 5, 1, 3, 1000, 100);
    at = add_line(at, 0x888, 20, 100, 0x1000); /* lanes 3, 7 and 11 */
    at = add_line(at, 0x6, -16, 200, 0x1000);
    add_line(at, 0x80000000, 77, 300, 0x1234);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 3);
    const struct trace_event *event = bench.trace->events.items;
    assert_int_equal(event->block, 5);
    assert_int_equal(event->warp, 1);
    assert_int_equal(event->sm, 3);
    assert_int_equal(event->mask, 0x888);
    assert_int_equal(trace_addresses(bench.trace, event)[3], 0x1000);
    assert_int_equal(trace_addresses(bench.trace, event)[7], 0x1000 + 80);
    assert_int_equal(trace_addresses(bench.trace, event)[11], 0x1000 + 160);
    assert_int_equal(trace_addresses(bench.trace, event + 1)[1], 0x1000);
    assert_int_equal(trace_addresses(bench.trace, event + 1)[2], 0x1000 - 16);
    assert_int_equal(trace_addresses(bench.trace, event + 2)[31], 0x1234);
    bench_free(&bench);
}

/* Rows of 8 lanes, 4 bytes from lane to lane and 256 from row to row; then a whole warp in two halves -512 bytes apart,
 * 8 bytes from lane to lane. */
static void rows_of_lanes_are_expanded(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 100);
    struct record_line const line = {.address = 0x2004, .row = 256};
    at = add_record(at, RECORD_AFFINE, 0, 0xfffffffe, 4, 100);
    memcpy(at, &line, sizeof line);
    bench.batch.row_shift = 3;
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    const uint64_t *lanes = trace_addresses(bench.trace, bench.trace->events.items);
    for (uint32_t i = 1; i < WARP_LANES; i++)
        assert_int_equal(lanes[i], 0x2000 + 4 * (i % 8) + 256 * (i / 8));
    bench_free(&bench);
    bench_new(&bench);
    at = add_chunk(&bench, 0, 0, 0, 0, 100);
    add_record(at, RECORD_FULL32, 1, 2048, (uint32_t)-512 << 16 | 8, 100);
    bench.batch.row_shift = 4;
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.items[0].mask, UINT32_MAX);
    lanes = trace_addresses(bench.trace, bench.trace->events.items);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        assert_int_equal(lanes[i], 2048 + 8 * (i % 16) - 512 * (i / 16));
    bench_free(&bench);
    bench_new(&bench); /* one row: steps may be longer */
    at = add_chunk(&bench, 0, 0, 0, 0, 100);
    add_record(at, RECORD_FULL32, 1, 0x300000, (uint32_t)-70000, 100);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    lanes = trace_addresses(bench.trace, bench.trace->events.items);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        assert_int_equal(lanes[i], 0x300000 - 70000 * i);
    bench_free(&bench);
}

static void hear(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
{
    unsigned char *heard = context;
    (void)worker;
    (void)addresses;
    heard[event->block]++; /* one thread delivers all events of a block */
}

static void a_listener_receives_blocks_outside_the_trace(void **state)
{
    (void)state;
    struct bench bench;
    unsigned char heard[8] = {0};
    struct trace_listener const listener = {.context = heard, .event = hear};
    uint64_t bytes = 0;
    bench_new(&bench);
    for (uint64_t block = 0; block < CHUNKS; block++)
        add_record(add_chunk(&bench, block, 0, 0, 10, 100), RECORD_RUN, RUN_ARRIVE, 1, 0, 100);
    bench.trace->recorded = (struct launch_blocks){1, 2};
    bench.batch.bytes = &bytes;
    assert_true(record_decode(&bench.batch, &listener, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 2);
    for (uint64_t block = 0; block < 8; block++)
        assert_int_equal(heard[block], block < CHUNKS);
    assert_int_equal(bytes, CHUNKS * (sizeof(struct record_chunk) + sizeof(struct record)));
    bench_free(&bench);
}

static void addresses_of_four_bytes_follow_a_record_of_shared_memory(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 50);
    at = add_record(at, RECORD_LANES32, 1, UINT32_MAX, 0, 60);
    uint32_t lanes[WARP_LANES];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        lanes[i] = 1024 + i * i;
    memcpy(at, lanes, sizeof lanes);
    add_record(at + sizeof lanes, RECORD_RUN, RUN_ARRIVE, UINT32_MAX, 0, 70);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 2);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        assert_int_equal(trace_addresses(bench.trace, bench.trace->events.items)[i], 1024 + i * i);
    assert_int_equal(bench.trace->events.items[1].kind, TRACE_BARRIER_ARRIVE);
    bench_free(&bench);
}

static void generic_addresses_make_one_event_a_space(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 50);
    at = add_record(at, RECORD_LANES64, 2, 0xff, 0, 60);
    uint64_t lanes[WARP_LANES] = {0x1000,         0x1004,         0x7f0000000400, 0x7f0000000404,
                                  0x7e0000000010, 0x7e0000000020, 0x7f0001000000, 0x2000};
    memcpy(at, lanes, sizeof lanes);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 3);
    const struct trace_event *event = bench.trace->events.items;
    assert_int_equal(event[0].space, PTX_SPACE_GLOBAL);
    assert_int_equal(event[0].mask, 0xc3);
    assert_int_equal(event[1].space, PTX_SPACE_SHARED);
    assert_int_equal(event[1].mask, 0x0c);
    assert_int_equal(trace_addresses(bench.trace, event + 1)[3], 0x404);
    assert_int_equal(event[2].space, PTX_SPACE_LOCAL);
    assert_int_equal(event[2].mask, 0x30);
    bench_free(&bench);
}

/* Lane 4 leads: with 8 lanes a row, it is the first lane of the second row. */
static const uint32_t mixed_words[] = {RECORD_TAG(RECORD_RUN, RUN_MIXED), 0xf0f0, 2000, 50, 0x5004, 1, 90, 0};

static void check_mixed(const struct bench *bench)
{
    static const enum trace_kind kinds[] = {TRACE_BARRIER_RELEASE, TRACE_ACCESS, TRACE_ACCESS, TRACE_BARRIER_ARRIVE};
    static const uint64_t times[] = {0, 0, 0, 40};
    assert_int_equal(bench->trace->events.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct trace_event *event = &bench->trace->events.items[i];
        assert_int_equal(event->kind, kinds[i]);
        assert_int_equal(event->time, times[i]);
        assert_int_equal(event->mask, 0xf0f0);
    }
    const uint64_t *wide = trace_addresses(bench->trace, &bench->trace->events.items[1]);
    const uint64_t *small = trace_addresses(bench->trace, &bench->trace->events.items[2]);
    assert_int_equal(wide[4], 0x100005000);
    assert_int_equal(wide[7], 0x100005000 + 3 * 8);
    assert_int_equal(wide[13], 0x100005000 + 8 + 100);
    assert_int_equal(small[4], 2000);
    assert_int_equal(small[15], 2000 - 3 * 4);
}

static void one_record_expands_to_a_whole_run(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    bench.batch.row_shift = 3;
    memcpy(add_chunk(&bench, 0, 0, 0, 0, 50), mixed_words, sizeof mixed_words);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    check_mixed(&bench);
    bench_free(&bench);
}

/* Each run has a place of its own. A run that was skipped leaves a gap, and a warp's second chunk may be empty. */
static void runs_with_a_place_are_found_there(void **state)
{
    (void)state;
    struct bench bench;
    struct record_run placed[RUN_COUNT];
    memcpy(placed, runs, sizeof runs);
    placed[RUN_ARRIVE].place = 32; /* skipped */
    placed[RUN_MIXED].place = 48;
    bench_new(&bench);
    bench.batch.row_shift = 3;
    bench.batch.layout = (struct record_layout){.runs = placed, .run_count = RUN_COUNT, .chunk_bytes = CHUNK_BYTES};
    memcpy(add_chunk(&bench, 0, 0, 0, 0, 50) + 16, mixed_words, sizeof mixed_words);
    bench.batch.chunk_count = bench.batch.own_chunks = 2;
    bench.batch.warps = 1;
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    check_mixed(&bench);
    ((uint32_t *)bench.memory[0])[12]--; /* another run's number in its place */
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    bench_free(&bench);
}

static void lanes_exit_after_their_last_record(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    bench.batch.complete = true;
    uint8_t *at = add_chunk(&bench, 2, 1, 0, 0, 100);
    at = add_record(at, RECORD_RUN, RUN_BRANCH, 0xff, 0xf0, 100);
    at = add_record(at, RECORD_RUN, RUN_ARRIVE, 0x0f, 0, 110);
    add_record(at, RECORD_RUN, RUN_RELEASE, 0x0f, 0, 120);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    static const enum trace_kind kinds[] = {TRACE_BRANCH_TAKEN, TRACE_EXIT, TRACE_BARRIER_ARRIVE, TRACE_BARRIER_RELEASE,
                                            TRACE_EXIT};
    static const uint32_t masks[] = {0xff, 0xf0, 0x0f, 0x0f, 0x0f};
    assert_int_equal(bench.trace->events.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(bench.trace->events.items[i].kind, kinds[i]);
        assert_int_equal(bench.trace->events.items[i].mask, masks[i]);
        assert_int_equal(bench.trace->events.items[i].block, 2);
        assert_int_equal(bench.trace->events.items[i].warp, 1);
    }
    bench_free(&bench);
}

static void no_lane_exits_where_records_were_lost(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    add_record(add_chunk(&bench, 0, 0, 0, 0, 0), RECORD_RUN, RUN_ARRIVE, 1, 0, 0);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 1);
    bench_free(&bench);
}

static void two_groups_of_a_warp_are_put_in_the_order_of_the_clock(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *one = add_chunk(&bench, 0, 0, 0, 0, 100), *two = add_chunk(&bench, 0, 0, 0, 0, 210);
    one = add_record(one, RECORD_RUN, RUN_BRANCH, UINT32_MAX, 0xffff, 100);
    two = add_record(two, RECORD_RUN, RUN_ARRIVE, 0xffff0000, 0, 210);
    one = add_record(one, RECORD_RUN, RUN_ARRIVE, 0xffff, 0, 220);
    add_record(two, RECORD_RUN, RUN_RELEASE, 0xffff0000, 0, 240);
    add_record(one, RECORD_RUN, RUN_RELEASE, 0xffff, 0, 230);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    static const uint64_t times[] = {0, 110, 120, 130, 140};
    static const uint32_t masks[] = {UINT32_MAX, 0xffff0000, 0xffff, 0xffff, 0xffff0000};
    assert_int_equal(bench.trace->events.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(bench.trace->events.items[i].time, times[i]);
        assert_int_equal(bench.trace->events.items[i].mask, masks[i]);
    }
    assert_int_equal(bench.trace->events.items[0].other, 0xffff);
    bench_free(&bench);
}

/* Multiprocessor 1 counts from 5,000,000 and starts 500 ns after multiprocessor 0: 1000 cycles at 2 GHz. */
static void clocks_of_two_multiprocessors_are_set_side_by_side(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *one = add_chunk(&bench, 0, 0, 0, 9000, 100), *two = add_chunk(&bench, 1, 0, 1, 9500, 5000000);
    add_record(one, RECORD_RUN, RUN_ARRIVE, 1, 0, 100);
    two = add_record(two, RECORD_RUN, RUN_ARRIVE, 1, 0, 5000000);
    add_record(two, RECORD_RUN, RUN_ARRIVE, 2, 0, 5000007);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.items[0].time, 0);
    assert_int_equal(bench.trace->events.items[1].time, 1000);
    assert_int_equal(bench.trace->events.items[2].time, 1007);
    bench_free(&bench);
}

/* The low half of the clock overflows between the second and the third record. */
static void a_clock_that_runs_over_goes_on(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, UINT64_C(0x7ffffffe0));
    at = add_record(at, RECORD_RUN, RUN_ARRIVE, 1, 0, 0xffffffe0);
    at = add_record(at, RECORD_RUN, RUN_RELEASE, 1, 0, 0xfffffff0);
    add_record(at, RECORD_RUN, RUN_ARRIVE, 1, 0, 0x10);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 3);
    assert_int_equal(bench.trace->events.items[1].time, 0x10);
    assert_int_equal(bench.trace->events.items[2].kind, TRACE_BARRIER_ARRIVE);
    assert_int_equal(bench.trace->events.items[2].time, 0x30);
    bench_free(&bench);
}

/* A copy of 1,552 bytes makes three events of 32 pieces and one of a single piece; an empty copy makes none. */
static void bulk_copies_become_events_of_32_pieces(void **state)
{
    (void)state;
    static const struct record_unfold bulk = {.in_bulk = true};
    const struct record_unfold *const unfolded[5] = {&bulk};
    struct bench bench;
    bench_new(&bench);
    bench.batch.layout.unfolded = unfolded;
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 100);
    for (uint32_t lane = 3; lane < 5; lane++) {
        struct record_line const line = {.address = 0x4000, .row = 0x7777};
        at = add_record(at, RECORD_GIVEN, 0, 1u << lane, lane == 3 ? 0 : 1552, 100);
        memcpy(at, &line, sizeof line);
        at += sizeof line;
    }
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const struct trace_event *event = &bench.trace->events.items[i];
        assert_int_equal(event->mask, i < 3 ? UINT32_MAX : 1);
        assert_int_equal(event->time, bench.trace->events.items[0].time);
        for (unsigned l = 0; l < (i < 3 ? 32u : 1u); l++)
            assert_int_equal(trace_addresses(bench.trace, event)[l], 0x4000 + 512 * i + 16 * l);
    }
    bench_free(&bench);
}

static void damaged_records_are_refused(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 0);
    add_record(at, RECORD_RUN, RUN_COUNT, 1, 1, 0);
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.error.kind, ERROR_RUN);
    add_record(at, (enum record_kind)99, 0, 1, 1, 0);
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    add_record(at, RECORD_GIVEN, 0, 1, 1, 0); /* of a site with one address per lane */
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    memset(bench.memory, 0, sizeof bench.memory);
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    add_chunk(&bench, 0, 0, UINT32_MAX, 0, 0);
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    bench_free(&bench);
}

static void a_record_that_leaves_its_chunk_is_refused(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 0), *end = (uint8_t *)bench.memory[1];
    while (end - at > 128)
        at = add_record(at, RECORD_RUN, RUN_ARRIVE, 1, 0, 0);
    add_record(at, RECORD_LANES32, 1, 1, 0, 0);
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    bench_free(&bench);
}

/* On a GPU, ld.const counts its addresses from the window of constant memory. */
static void addresses_of_constants_become_generic(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    struct trace_site *sites = (struct trace_site *)bench.trace->sites;
    sites[0].space = PTX_SPACE_CONST;
    bench.batch.windows.constant_generic = 0x700000000;
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 100);
    add_line(at, UINT32_MAX, 4, 100, 64);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 1);
    const struct trace_event *event = bench.trace->events.items;
    assert_int_equal(trace_space(&sites[0], event), PTX_SPACE_CONST);
    assert_int_equal(trace_addresses(bench.trace, event)[1], 0x700000000 + 64 + 4);
    bench_free(&bench);
}

/* Lane 1 in shared memory and lane 3 in global memory; then too little room for another of the kind. */
static void values_stand_beside_their_addresses(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench);
    struct record_values record = {.head = {.tag = RECORD_TAG(RECORD_VALUES, 2), .mask = 0xa, .clock = 100}};
    record.lanes[1] = (struct record_value){bench.batch.windows.shared_generic + 1028, 77};
    record.lanes[3] = (struct record_value){0x5000, UINT64_MAX};
    record.lanes[4] = (struct record_value){0xdead, 0xdead};
    uint8_t *at = add_chunk(&bench, 0, 0, 0, 0, 100);
    memcpy(at, &record, sizeof record);
    assert_true(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    assert_int_equal(bench.trace->events.count, 2);
    const struct trace_event *global = bench.trace->events.items, *shared = global + 1;
    assert_int_equal(global->mask, 8);
    assert_int_equal(trace_addresses(bench.trace, global)[3], 0x5000);
    assert_true(trace_values(bench.trace, global)[3] == UINT64_MAX);
    assert_int_equal(trace_values(bench.trace, global)[4], 0);
    assert_int_equal(shared->mask, 2);
    assert_int_equal(trace_addresses(bench.trace, shared)[1], 1028);
    assert_int_equal(trace_values(bench.trace, shared)[1], 77);
    memcpy(at + sizeof record, &record, sizeof record - 64);
    assert_false(record_decode(&bench.batch, NULL, bench.trace, &bench.error));
    bench_free(&bench);
}

static void memory_for_records_stays_within_its_limit(void **state)
{
    (void)state;
    static const struct {
        uint64_t blocks;
        uint32_t warps;
        uint64_t a_block, limit;
    } cases[] = {{1, 1, 0, 1 << 30},
                 {65536, 8, 0, UINT64_C(2) << 30},
                 {1, 32, 0, 1 << 20},
                 {UINT64_MAX, 32, 0, UINT64_C(1) << 31},
                 {100, 4, 1 << 20, 1 << 29},
                 {100, 4, 1 << 30, 1 << 29}, /* one block needs more than there is */
                 {4096, 8, 700000, UINT64_C(32) << 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record_plan const plan =
            record_plan(cases[i].blocks, cases[i].warps, 0, cases[i].a_block, cases[i].limit);
        assert_true(plan.blocks > 0 && plan.blocks <= cases[i].blocks);
        assert_int_equal(plan.own_chunks, plan.blocks * cases[i].warps * 2);
        assert_true((plan.own_chunks + plan.more_chunks) * plan.chunk_bytes <= cases[i].limit);
        assert_true(plan.all_memory || plan.more_chunks * plan.chunk_bytes >= plan.blocks * cases[i].a_block);
        assert_int_equal(plan.all_memory, i == 5);
        assert_true(plan.chunk_bytes >= sizeof(struct record_chunk) + sizeof(struct record) + 256);
    }
    assert_int_equal(record_plan(5, 32, 0, 0, 1000).blocks, 0);
    assert_int_equal(record_plan(5, 32, 160, 0, 1 << 30).chunk_bytes, 160); /* the size that the probes ask for */
}

static void the_drivers_version_is_found_in_the_kernels_words(void **state)
{
    (void)state;
    char version[32];
    assert_true(
        driver_version_parse("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build"
                             "  (nixbld@)\nGCC version:  gcc version 15.3.0 (GCC)\n",
                             version, sizeof version));
    assert_string_equal(version, "580.159.04");
    assert_true(driver_version_parse("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54  Tue Jun", version,
                                     sizeof version));
    assert_string_equal(version, "535.54");
    assert_false(driver_version_parse("GCC version:  gcc version 15.3.0 (GCC)\n", version, sizeof version));
    assert_false(driver_version_parse("NVRM version: none\nGCC version 15.3.0\n", version, sizeof version));
    assert_string_equal(version, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_addresses_is_expanded),
        cmocka_unit_test(rows_of_lanes_are_expanded),
        cmocka_unit_test(a_listener_receives_blocks_outside_the_trace),
        cmocka_unit_test(addresses_of_four_bytes_follow_a_record_of_shared_memory),
        cmocka_unit_test(generic_addresses_make_one_event_a_space),
        cmocka_unit_test(one_record_expands_to_a_whole_run),
        cmocka_unit_test(runs_with_a_place_are_found_there),
        cmocka_unit_test(lanes_exit_after_their_last_record),
        cmocka_unit_test(no_lane_exits_where_records_were_lost),
        cmocka_unit_test(two_groups_of_a_warp_are_put_in_the_order_of_the_clock),
        cmocka_unit_test(clocks_of_two_multiprocessors_are_set_side_by_side),
        cmocka_unit_test(a_clock_that_runs_over_goes_on),
        cmocka_unit_test(bulk_copies_become_events_of_32_pieces),
        cmocka_unit_test(damaged_records_are_refused),
        cmocka_unit_test(a_record_that_leaves_its_chunk_is_refused),
        cmocka_unit_test(addresses_of_constants_become_generic),
        cmocka_unit_test(values_stand_beside_their_addresses),
        cmocka_unit_test(memory_for_records_stays_within_its_limit),
        cmocka_unit_test(the_drivers_version_is_found_in_the_kernels_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
