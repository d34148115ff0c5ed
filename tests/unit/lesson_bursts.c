/* The DRAM's bursts come in the order of the blocks, also where a block made room for others and went on later. */
#include "lesson/bursts.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NEXT_ROW = 1 << 20 }; /* the same bank in any preset with RoBaRaCoCh: only the row is another */

static void access_by(const struct trace_listener *listener, unsigned worker, uint64_t block, uint64_t address)
{
    struct trace_event const event = {.kind = TRACE_ACCESS, .block = block, .mask = 1};
    uint64_t addresses[WARP_LANES] = {address};
    listener->event(listener->context, worker, &event, addresses);
}

static void a_block_in_two_parts_keeps_its_order(void **state)
{
    (void)state;
    struct trace_site const site = {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4};
    struct bursts *bursts = bursts_new(&site, 1, dram_preset("classroom"), 0, (struct trace_listener){0});
    assert_non_null(bursts);
    struct trace_listener const listener = bursts_listener(bursts);
    access_by(&listener, 0, 1, 0); /* parts of block 1, before block 0 is there */
    access_by(&listener, 0, 2, 2 * NEXT_ROW);
    access_by(&listener, 0, 1, NEXT_ROW);
    access_by(&listener, 0, 2, 2 * NEXT_ROW);
    access_by(&listener, 1, 0, 0);
    const struct dram *dram = bursts_sum(bursts);
    assert_int_equal(dram->requests, 5);
    assert_int_equal(dram->hits, 2); /* blocks 0 and 1 begin with one row, both parts of block 2 are in another */
    assert_int_equal(dram->misses, 1);
    assert_int_equal(dram->conflicts, 2);
    bursts_free(bursts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_block_in_two_parts_keeps_its_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
