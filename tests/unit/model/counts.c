#include "model/counts.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static uint64_t value_of(const struct counter *counters, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(counters[i].name, name) == 0)
            return counters[i].value;
    fail_msg("no counter %s", name);
    return 0;
}

/* The sample counted by hand: 2 blocks, each with a warp of 32 lanes and one of 8. */
static void counters_of_the_sample_are_those_counted_by_hand(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts counts;
    struct counter *counters;
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 0, false);
    counts_of_trace(trace, &arena, &counts);
    size_t const count = counts_counters(&counts, trace->sites, &arena, &counters);
    assert_int_equal(count, 19);
    assert_int_equal(value_of(counters, count, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 4);
    /* 4 + 1 sectors in block 0; block 1 begins at byte 160 = 5 * 32, so again 4 + 1 */
    assert_int_equal(value_of(counters, count, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 10);
    assert_int_equal(value_of(counters, count, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 4);
    assert_int_equal(value_of(counters, count, "smsp__sass_inst_executed_op_shared_ld.sum"), 0);
    assert_int_equal(value_of(counters, count, "smsp__sass_inst_executed_op_shared_st.sum"), 4);
    assert_int_equal(value_of(counters, count, "smsp__sass_inst_executed_op_shared_atom.sum"), 0);
    assert_int_equal(value_of(counters, count, "branches"), 4);
    assert_int_equal(value_of(counters, count, "branches_divergent"), 4);
    assert_int_equal(value_of(counters, count, "warp_instructions"), 100);
    assert_int_equal(value_of(counters, count, "thread_instructions"), 2000);
    assert_string_equal(counters[0].name, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    assert_string_equal(counters[9].name, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
    /* an atomic, which no load or store counter includes */
    assert_int_equal(counts.sites[SITE_GENERIC].global_requests, 4);
    assert_int_equal(counts.sites[SITE_GENERIC].lanes, 2 * (16 + 4));
    assert_int_equal(counts.sites[SITE_BARRIER].requests, 4);
    assert_int_equal(counts.sites[SITE_BRANCH].divergent, 4);
    trace_free(trace);
    arena_free(&arena);
}

static void a_generic_access_counts_where_its_addresses_lie(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts counts;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    uint64_t lanes[WARP_LANES] = {0};
    struct trace_event event = {.kind = TRACE_ACCESS, .site = SITE_GENERIC, .mask = 1, .space = PTX_SPACE_SHARED};
    trace_add(trace, &event, lanes, NULL);
    event.space = PTX_SPACE_GLOBAL;
    trace_add(trace, &event, lanes, NULL);
    event.space = PTX_SPACE_LOCAL;
    trace_add(trace, &event, lanes, NULL);
    counts_of_trace(trace, &arena, &counts);
    assert_int_equal(counts.sites[SITE_GENERIC].requests, 3);
    assert_int_equal(counts.sites[SITE_GENERIC].shared_requests, 1);
    assert_int_equal(counts.sites[SITE_GENERIC].global_requests, 1);
    assert_int_equal(counts.sites[SITE_GENERIC].wavefronts, 1);
    assert_int_equal(counts.sites[SITE_GENERIC].sectors, 1);
    trace_free(trace);
    arena_free(&arena);
}

static void workers_together_count_what_one_reader_counts(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct counts heard, read;
    struct trace *trace = sample_trace(SAMPLE_BUFFER, 0, false);
    struct counts_tally *tally = counts_tally_new(trace->sites, trace->site_count);
    struct trace_listener const listener = counts_listener(tally);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        listener.event(listener.context, (unsigned)(i % COUNTS_WORKERS_MAX), event,
                       event->kind == TRACE_ACCESS ? trace_addresses(trace, event) : NULL);
    }
    counts_tally_sum(tally, &arena, &heard);
    counts_of_trace(trace, &arena, &read);
    assert_memory_equal(heard.sites, read.sites, sizeof *heard.sites * SITES);
    assert_int_equal(heard.totals.branches, 4);
    assert_int_equal(heard.totals.branches_divergent, 4);
    counts_tally_free(tally);
    trace_free(trace);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_of_the_sample_are_those_counted_by_hand),
        cmocka_unit_test(a_generic_access_counts_where_its_addresses_lie),
        cmocka_unit_test(workers_together_count_what_one_reader_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
