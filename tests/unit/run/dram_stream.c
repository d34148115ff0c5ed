/* The DRAM bursts keep the order of the blocks with any number of workers, even when a block makes room for others and
 * continues later. The memory for them does not grow with the grid. */
#include "model/dram_stream.h"
#include "model/coalescing.h"
#include "run/file.h"
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NEXT_ROW = 1 << 20 }; /* the same bank in any preset with RoBaRaCoCh, in the next row */

static const struct trace_site site = {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4};

static struct bursts *bursts_of(struct trace_listener *listener)
{
    struct bursts *bursts = bursts_new(&site, 1, dram_preset("classroom"), (struct trace_listener){0});
    assert_non_null(bursts);
    *listener = bursts_listener(bursts);
    return bursts;
}

static void access_by(const struct trace_listener *listener, unsigned worker, uint64_t block, uint64_t address)
{
    struct trace_event const event = {.kind = TRACE_ACCESS, .block = block, .mask = 1};
    uint64_t addresses[WARP_LANES] = {address};
    listener->event(listener->context, worker, &event, addresses);
}

static void ended(const struct trace_listener *listener, unsigned worker, uint64_t block)
{
    listener->ended(listener->context, worker, block);
}

static void a_block_in_two_parts_keeps_its_order(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        struct trace_listener listener;
        struct bursts *bursts = bursts_of(&listener);
        access_by(&listener, 0, 1, 0); /* parts of block 1, before block 0 has begun */
        access_by(&listener, 0, 2, 2 * NEXT_ROW);
        access_by(&listener, 1, 0, 0);
        if (told)
            ended(&listener, 1, 0);
        access_by(&listener, 0, 1, NEXT_ROW);
        access_by(&listener, 0, 2, 2 * NEXT_ROW);
        if (told) {
            ended(&listener, 0, 2);
            ended(&listener, 0, 1);
        }
        const struct dram *dram = bursts_sum(bursts);
        assert_int_equal(dram->requests, 5);
        assert_int_equal(dram->hits, 2); /* blocks 0 and 1 begin in one row; both parts of block 2 are in another */
        assert_int_equal(dram->misses, 1);
        assert_int_equal(dram->conflicts, 2);
        bursts_free(bursts);
    }
}

/* Merged streams equal the one stream of a plain count in order. */
static void the_order_of_workers_changes_nothing(void **state)
{
    (void)state;
    enum { BLOCKS = 200, ACCESSES = 20, WORKERS = 3 };
    struct dram plain;
    struct trace_listener listener;
    struct bursts *bursts = bursts_of(&listener);
    uint64_t random = 1, address[BLOCKS][ACCESSES];
    dram_reset(&plain, dram_preset("classroom"));
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < ACCESSES; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            address[b][i] = (random >> 40) % 64 * 1024;
            dram_request(&plain, address[b][i]);
        }
    for (int b = 0; b < BLOCKS; b += WORKERS)
        for (int i = 0; i < ACCESSES; i++)
            for (int w = WORKERS - 1; w >= 0; w--) {
                unsigned const block = (unsigned)(b + w);
                if (block >= BLOCKS)
                    continue;
                access_by(&listener, (unsigned)w, block, address[block][i]);
                if (i == ACCESSES - 1)
                    ended(&listener, (unsigned)w, block);
            }
    const struct dram *dram = bursts_sum(bursts);
    assert_int_equal(dram->requests, plain.requests);
    assert_int_equal(dram->hits, plain.hits);
    assert_int_equal(dram->misses, plain.misses);
    assert_int_equal(dram->conflicts, plain.conflicts);
    bursts_free(bursts);
}

static void hear_nothing(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses,
                         uint64_t times)
{
    (void)context, (void)worker, (void)event, (void)addresses, (void)times;
}

/* Halves of any shapes at any near places, in all presets: the same as bursts for each sector of the lanes' list. */
static void halves_count_as_the_sectors_of_their_lanes(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (const struct dram_preset *const *preset = dram_presets(); *preset; preset++)
        for (int bytes = 4; bytes <= 32; bytes *= 2) {
            struct trace_site const wide = {
                .operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = (uint8_t)bytes};
            struct trace_listener const next = {.accesses = hear_nothing};
            struct bursts *bursts = bursts_new(&wide, 1, *preset, next);
            assert_non_null(bursts);
            struct trace_listener const listener = bursts_listener(bursts);
            struct dram plain;
            dram_reset(&plain, *preset);
            for (int i = 0; i < 5000; i++) {
                struct trace_halves halves = {.site = 0};
                uint64_t addresses[WARP_LANES], sectors[SECTORS_MAX];
                for (unsigned half = 0; half < 2; half++) {
                    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
                    bool const run = random >> 63;
                    uint64_t const near = i % 3 ? 32 : 4096; /* elements */
                    halves.first[half] = (1 << 20) + (random >> 33) % near * (uint64_t)bytes;
                    halves.bytes[half] = (uint32_t)(run ? 16 * bytes : bytes);
                    for (unsigned l = 0; l < 16; l++)
                        addresses[16 * half + l] = halves.first[half] + (run ? l * (uint64_t)bytes : 0);
                }
                listener.halves(listener.context, 0, 0, 0, &halves, 1);
                uint32_t const count = model_sector_list(addresses, UINT32_MAX, (uint32_t)bytes, sectors);
                for (uint32_t s = 0; s < count; s++)
                    dram_request(&plain, sectors[s]);
            }
            const struct dram *dram = bursts_sum(bursts);
            assert_int_equal(dram->requests, plain.requests);
            assert_int_equal(dram->hits, plain.hits);
            assert_int_equal(dram->conflicts, plain.conflicts);
            bursts_free(bursts);
        }
}

static void memory_does_not_grow_with_the_grid(void **state)
{
    (void)state;
    struct trace_listener listener;
    struct bursts *bursts = bursts_of(&listener);
    access_by(&listener, 0, 0, 0); /* the first block takes longest, and every second block never makes an event */
    size_t before = 0;
    for (uint64_t block = 1; block < 1 << 18; block++) {
        if (block == 1 << 10)
            before = mallinfo2().uordblks;
        for (unsigned i = 0; block % 2 && i < 4; i++)
            access_by(&listener, 1, block, block << 10);
        ended(&listener, 1, block);
    }
    assert_true(mallinfo2().uordblks < before + 65536);
    assert_int_equal(bursts_sum(bursts)->requests, 1 + 4 * (1 << 17));
    bursts_free(bursts);
}

/* Blocks that draw tickets and wait for each other. Neither the number of polls nor the assignment of work may change
 * the counts. */
static void blocks_that_wait_count_the_same_with_many_workers(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *arguments[4];
        size_t argument_count;
        uint32_t grid, block;
    } cases[] = {
        {"faults/ok_grid_barrier.ptx", {"i32[1536]=iota", "i32[1536]=zero", "i32=1536"}, 3, 24, 64},
        {"faults/ok_ticket_lock.ptx", {"u32[1]=zero", "u32[1]=zero", "i32[1]=zero"}, 3, 24, 64},
        {"faults/ok_last_block.ptx", {"i32[1024]=iota", "i32[32]=zero", "u32[1]=zero", "i32[1]=zero"}, 4, 32, 32},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct run *first = NULL;
        for (unsigned i = 0; i < 8; i++) {
            struct run *run;
            struct error error = {0};
            struct run_file_request const request = {.path = cases[c].path,
                                                     .arguments = cases[c].arguments,
                                                     .argument_count = cases[c].argument_count,
                                                     .grid = {cases[c].grid, 1, 1},
                                                     .block = {cases[c].block, 1, 1},
                                                     .options.executor = EXECUTOR_EMULATOR,
                                                     .options.no_recording = true,
                                                     .options.threads = i % 4 + 1};
            if (!run_file(&request, &run, &error))
                fail_msg("%s: %s", cases[c].path, error.message);
            assert_int_equal(trace_faults(run->trace), 0);
            first = first ? first : run;
            assert_int_equal(run->counts.totals.warp_instructions, first->counts.totals.warp_instructions);
            assert_int_equal(run->dram_requests, first->dram_requests);
            assert_int_equal(run->dram_hits, first->dram_hits);
            assert_int_equal(run->dram_conflicts, first->dram_conflicts);
            for (uint32_t s = 0; s < run->counts.site_count; s++) {
                assert_int_equal(run->counts.sites[s].requests, first->counts.sites[s].requests);
                assert_int_equal(run->counts.sites[s].sectors, first->counts.sites[s].sectors);
            }
            if (run != first)
                run_free(run);
        }
        run_free(first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_in_two_parts_keeps_its_order),
        cmocka_unit_test(the_order_of_workers_changes_nothing),
        cmocka_unit_test(halves_count_as_the_sectors_of_their_lanes),
        cmocka_unit_test(memory_does_not_grow_with_the_grid),
        cmocka_unit_test(blocks_that_wait_count_the_same_with_many_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
