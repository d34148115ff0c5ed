/* trace_sort: events in order of time, block and warp, those that are equal in their order of arrival. */
#include "trace/trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Site numbers the events by arrival. */
static void assert_in_order(const struct trace *trace, size_t count)
{
    assert_int_equal(trace->events.count, count);
    for (size_t i = 1; i < count; i++) {
        const struct trace_event *a = &trace->events.items[i - 1], *b = &trace->events.items[i];
        assert_true(a->time <= b->time);
        if (a->time == b->time)
            assert_true(a->block <= b->block);
        if (a->time == b->time && a->block == b->block)
            assert_true(a->warp <= b->warp);
        if (a->time == b->time && a->block == b->block && a->warp == b->warp)
            assert_true(a->site < b->site);
    }
}

static void assert_all_there(const struct trace *trace, size_t count)
{
    uint8_t *seen = calloc(count + 1, 1);
    for (size_t i = 0; i < count; i++) {
        assert_true(trace->events.items[i].site < count);
        assert_int_equal(seen[trace->events.items[i].site]++, 0);
    }
    free(seen);
}

/* Sorts `count` events with random times below `times`; blocks: sorted runs, one after another. */
static void sort_random(size_t count, uint64_t times, uint32_t blocks)
{
    struct trace_event *events = calloc(count + 1, sizeof *events);
    uint64_t time = 0;
    uint32_t block = 0;
    for (size_t i = 0; i < count; i++) {
        if (blocks && i * blocks / count != block) {
            block = (uint32_t)(i * blocks / count);
            time = 0;
        }
        time = blocks ? time + (uint64_t)rand() % times : (uint64_t)rand() % times;
        events[i] = (struct trace_event){.time = time,
                                         .block = blocks ? block : (uint32_t)rand() % 3,
                                         .warp = (uint32_t)rand() % 4,
                                         .site = (uint32_t)i};
    }
    struct trace trace = {.events = {.items = events, .count = count, .capacity = count}};
    trace_sort(&trace);
    assert_in_order(&trace, count);
    assert_all_there(&trace, count);
    free(events);
}

static void any_order_of_arrival(void **state)
{
    (void)state;
    srand(1);
    for (size_t count = 0; count < 40; count++)
        for (uint64_t times = 1; times < 30; times += 7)
            sort_random(count, times, 0);
    sort_random(5000, 1000, 0);
}

static void blocks_one_after_another(void **state)
{
    (void)state;
    srand(2);
    for (uint32_t blocks = 1; blocks < 9; blocks++)
        sort_random(500, 3, blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_order_of_arrival),
                                       cmocka_unit_test(blocks_one_after_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
