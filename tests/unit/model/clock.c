#include "model/clock.h"
#include "trace/sites.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

enum { INSTRUCTION = 4, SHARED = 20, L1 = 30, L2 = 200, DRAM = 600, CONSTANT = 40, STEP = 10, WARPS = 32 };
static const struct clock_figures figures = {
    "a GPU of round figures", false, INSTRUCTION, SHARED, L1, L2, DRAM, CONSTANT, STEP};

struct bench {
    struct trace *trace; /* holds the sites */
    struct trace_timer timer;
    void *block;
};

static void bench_start(struct bench *bench)
{
    bench->trace = sample_empty(SAMPLE_BUFFER);
    bench->timer = clock_timer(&figures);
    bench->block = bench->timer.begin(bench->timer.context, bench->trace->sites);
    assert_non_null(bench->block);
}

static void bench_stop(struct bench *bench)
{
    bench->timer.end(bench->block);
    trace_free(bench->trace);
}

/* Returns the cycles until the value is there of an access of 32 lanes at address + lane * stride, issued at `time`. */
static unsigned wait_in(const struct bench *bench, uint32_t site, enum ptx_space space, uint64_t time, uint64_t address,
                        uint64_t stride)
{
    uint64_t addresses[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = address + stride * lane;
    struct trace_event const event = {
        .kind = TRACE_ACCESS, .site = site, .mask = UINT32_MAX, .space = space, .time = time};
    return (unsigned)bench->timer.access(bench->block, &event, addresses).value;
}

static unsigned wait_for(const struct bench *bench, uint32_t site, uint64_t time, uint64_t address, uint64_t stride)
{
    return wait_in(bench, site, PTX_SPACE_GENERIC, time, address, stride);
}

static void the_first_touch_of_a_sector_comes_from_dram_the_next_from_l1(void **state)
{
    (void)state;
    struct bench bench;
    bench_start(&bench);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 0, 4096, 4), DRAM);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 10000, 4096, 4), L1);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 20000, 4096 + 64, 4),
                     DRAM + 1); /* half of it is new, in a second chunk */
    bench_stop(&bench);
}

static void a_sector_under_way_is_not_requested_again(void **state)
{
    (void)state;
    struct bench bench;
    bench_start(&bench);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 0, 4096, 4), DRAM);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 100, 4096, 4), DRAM - 100);
    assert_int_equal(wait_for(&bench, SITE_LOAD, DRAM - 1, 4096, 4), L1);
    bench_stop(&bench);
}

static void a_store_holds_no_warp_and_leaves_its_data_in_l2(void **state)
{
    (void)state;
    struct bench bench;
    bench_start(&bench);
    assert_int_equal(wait_for(&bench, SITE_STORE, 0, 4096, 4), INSTRUCTION);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 1000, 4096, 4), L2);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 2000, 4096, 4), L1);
    bench_stop(&bench);
}

static void atomics_are_done_in_l2_and_lanes_on_one_word_take_turns(void **state)
{
    (void)state;
    struct bench bench;
    bench_start(&bench);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 0, 4096, 4), DRAM);
    assert_int_equal(wait_in(&bench, SITE_GENERIC, PTX_SPACE_GLOBAL, 1000, 4096, 0), L2 + 31);
    bench_stop(&bench);
}

/* Words on which the two operations take different numbers of passes. Their sectors were loaded before. */
static void a_compare_and_exchange_takes_its_own_passes(void **state)
{
    (void)state;
    struct trace_site sites[] = {{.operation = TRACE_ATOMIC,
                                  .space = PTX_SPACE_GLOBAL,
                                  .bytes = 4,
                                  .text = "atom.global.add.u32 %r1, [%rd1], 1"},
                                 {.operation = TRACE_ATOMIC,
                                  .space = PTX_SPACE_GLOBAL,
                                  .bytes = 4,
                                  .text = "atom.global.cas.b32 %r1, [%rd1], 0, 1"}};
    trace_sites_read(sites, 2);
    static const unsigned words[] = {321, 27, 346, 347}, waits[] = {L2 + 3, L2 + 2};
    uint64_t addresses[WARP_LANES] = {0};
    for (unsigned lane = 0; lane < 4; lane++)
        addresses[lane] = 4096 + UINT64_C(4) * words[lane];
    struct trace_timer const timer = clock_timer(&figures);
    void *block = timer.begin(timer.context, sites);
    assert_non_null(block);
    struct trace_event event = {.kind = TRACE_ACCESS, .mask = 15};
    timer.access(block, &event, addresses);
    for (event.site = 0; event.site < 2; event.site++) {
        event.time += 10000;
        assert_int_equal(timer.access(block, &event, addresses).value, waits[event.site]);
    }
    timer.end(block);
}

/* Constants do not use the pipe, so another access may enter it meanwhile. */
static void each_further_address_of_constants_waits_longer_beside_the_pipe(void **state)
{
    (void)state;
    struct bench bench;
    bench_start(&bench);
    assert_int_equal(wait_in(&bench, SITE_GENERIC, PTX_SPACE_CONST, 0, 4096, 0), CONSTANT);
    assert_int_equal(wait_in(&bench, SITE_GENERIC, PTX_SPACE_CONST, 0, 4096, 4), CONSTANT + 31 * STEP);
    assert_int_equal(wait_in(&bench, SITE_GENERIC, PTX_SPACE_SHARED, 1, 4096, 4), SHARED);
    bench_stop(&bench);
    struct clock_figures unknown = figures;
    unknown.constant = unknown.constant_step = 0;
    struct trace_timer const timer = clock_timer(&unknown);
    bench_start(&bench);
    void *block = timer.begin(timer.context, bench.trace->sites);
    uint64_t const addresses[WARP_LANES] = {0};
    struct trace_event const event = {
        .kind = TRACE_ACCESS, .site = SITE_GENERIC, .mask = UINT32_MAX, .space = PTX_SPACE_CONST};
    assert_int_equal(timer.access(block, &event, addresses).value, INSTRUCTION);
    timer.end(block);
    bench_stop(&bench);
}

static void each_further_chunk_is_one_pass_more(void **state)
{
    (void)state;
    struct bench bench;
    bench_start(&bench);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 0, 4096, 128), DRAM + 31);
    assert_int_equal(wait_for(&bench, SITE_LOAD, 10000, 4096, 128), L1 + 31);
    /* other sectors of the same chunks */
    assert_int_equal(wait_for(&bench, SITE_LOAD, 20000, 4096 + 32, 128), DRAM + 31);
    bench_stop(&bench);
}

/* More warps hide latency but not bank conflicts, because the pipe to memory takes one pass a cycle from all of
 * them. */
static void warps_overlap_their_latency_but_not_their_passes(void **state)
{
    (void)state;
    struct bench bench;
    bench_start(&bench);
    unsigned last = 0;
    for (unsigned warp = 0; warp < WARPS; warp++)
        last = warp + wait_in(&bench, SITE_GENERIC, PTX_SPACE_SHARED, warp, 0, 4);
    assert_int_equal(last, WARPS - 1 + SHARED); /* one word per bank: one pass, in step with the issue */
    bench_stop(&bench);
    bench_start(&bench);
    for (unsigned warp = 0; warp < WARPS; warp++)
        last = warp + wait_in(&bench, SITE_GENERIC, PTX_SPACE_SHARED, warp, 0, 128);
    assert_int_equal(last, WARPS * 32 - 1 + SHARED); /* all words in one bank: 32 passes a warp, one after another */
    bench_stop(&bench);
}

/* A warp goes on after its access as soon as the passes are in the pipe: those before it, and its own. Constants hold
 * it for their further passes. */
static void an_access_holds_its_warp_for_passes_and_not_for_its_value(void **state)
{
    (void)state;
    static const struct {
        uint32_t site;
        enum ptx_space space;
        uint64_t time, stride;
        unsigned issue, value;
    } rows[] = {{SITE_LOAD, PTX_SPACE_GENERIC, 0, 4, INSTRUCTION, DRAM},
                {SITE_LOAD, PTX_SPACE_GENERIC, 1000, 128, INSTRUCTION + 31, DRAM + 31},
                {SITE_GENERIC, PTX_SPACE_SHARED, 1002, 4, INSTRUCTION + 30, SHARED + 30}, /* behind those passes */
                {SITE_STORE, PTX_SPACE_GENERIC, 2000, 128, INSTRUCTION + 31, INSTRUCTION + 31},
                {SITE_GENERIC, PTX_SPACE_CONST, 3000, 4, INSTRUCTION + 31 * STEP, CONSTANT + 31 * STEP}};
    struct bench bench;
    bench_start(&bench);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t addresses[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            addresses[lane] = 4096 + rows[i].stride * lane;
        struct trace_event const event = {.kind = TRACE_ACCESS,
                                          .site = rows[i].site,
                                          .mask = UINT32_MAX,
                                          .space = rows[i].space,
                                          .time = rows[i].time};
        struct trace_latency const latency = bench.timer.access(bench.block, &event, addresses);
        assert_int_equal(latency.issue, rows[i].issue);
        assert_int_equal(latency.value, rows[i].value);
    }
    bench_stop(&bench);
}

/* Many more sectors than the table begins with, in an order that jumps about. Each one is found again. */
static void many_sectors_are_all_remembered(void **state)
{
    (void)state;
    enum { ACCESSES = 3000 };
    struct bench bench;
    bench_start(&bench);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < ACCESSES; i++) {
            uint64_t const address = (i * UINT64_C(7919) % ACCESSES) * 131072;
            uint64_t const now = (round * ACCESSES + i) * UINT64_C(1000);
            assert_int_equal(wait_for(&bench, SITE_LOAD, now, address, 4), round ? L1 : DRAM);
        }
    bench_stop(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_touch_of_a_sector_comes_from_dram_the_next_from_l1),
        cmocka_unit_test(a_sector_under_way_is_not_requested_again),
        cmocka_unit_test(a_store_holds_no_warp_and_leaves_its_data_in_l2),
        cmocka_unit_test(atomics_are_done_in_l2_and_lanes_on_one_word_take_turns),
        cmocka_unit_test(a_compare_and_exchange_takes_its_own_passes),
        cmocka_unit_test(each_further_address_of_constants_waits_longer_beside_the_pipe),
        cmocka_unit_test(each_further_chunk_is_one_pass_more),
        cmocka_unit_test(warps_overlap_their_latency_but_not_their_passes),
        cmocka_unit_test(an_access_holds_its_warp_for_passes_and_not_for_its_value),
        cmocka_unit_test(many_sectors_are_all_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
