/* PTX counts against machine counts: the lines state exactly what the counts prove. */
#include "model/sass.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

enum { SHARED_LOAD, SHARED_STORE, GLOBAL_LOAD, SITES };

static const struct trace_site sites[SITES] = {
    [SHARED_LOAD] = {.operation = TRACE_LOAD, .space = PTX_SPACE_SHARED, .bytes = 4},
    [SHARED_STORE] = {.operation = TRACE_STORE, .space = PTX_SPACE_SHARED, .bytes = 4},
    [GLOBAL_LOAD] = {.operation = TRACE_LOAD, .space = PTX_SPACE_GLOBAL, .bytes = 4},
};

struct story {
    uint64_t loads_written, loads_ran, wavefronts, narrow, wide; /* narrow, wide: all accesses of 4 and of 16 bytes */
};
enum { OTHERS = 16 }; /* stores to shared and loads from global memory, which ran as written */

/* Returns the line of shared loads of all 32 lanes for these counts. */
static struct sass_line tell(const struct story *story, struct arena *arena, size_t *count)
{
    struct site_counts *counts = arena_array(arena, struct site_counts, SITES);
    counts[SHARED_LOAD] = (struct site_counts){.requests = story->loads_written,
                                               .shared_requests = story->loads_written,
                                               .lanes = story->loads_written * 32,
                                               .wavefronts = story->loads_written,
                                               .wavefronts_ideal = story->loads_written};
    counts[SHARED_STORE] = (struct site_counts){
        .requests = 8, .shared_requests = 8, .lanes = 256, .wavefronts = 16, .wavefronts_ideal = 8};
    counts[GLOBAL_LOAD] = (struct site_counts){.requests = 8, .global_requests = 8, .lanes = 100, .sectors = 32};
    struct counts const written = {.sites = counts, .site_count = SITES};
    struct counter const counters[] = {
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 8},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
        {"smsp__sass_inst_executed_op_shared_ld.sum", story->loads_ran},
        {"smsp__sass_inst_executed_op_shared_st.sum", 8},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", story->wavefronts},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 16},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 0},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 8},
        {"smsp__sass_inst_executed_op_memory_8b.sum", 0},
        {"smsp__sass_inst_executed_op_memory_16b.sum", 0},
        {"smsp__sass_inst_executed_op_memory_32b.sum", story->narrow},
        {"smsp__sass_inst_executed_op_memory_64b.sum", 0},
        {"smsp__sass_inst_executed_op_memory_128b.sum", story->wide},
    };
    struct sass_counts const sass = {
        .counted = true, .counters = counters, .counter_count = sizeof counters / sizeof *counters};
    struct sass_line *lines = NULL;
    *count = sass_lines(&written, sites, &sass, arena, &lines);
    struct sass_line found = {0};
    for (size_t i = 0; i < *count; i++) {
        if (lines[i].space == PTX_SPACE_SHARED && lines[i].operation == TRACE_LOAD)
            found = lines[i];
        else
            assert_int_equal(lines[i].verdict, SASS_SAME);
    }
    return found;
}

static void equal_counts_are_the_same(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t count;
    struct sass_line const line = tell(&(struct story){100, 100, 100, 100 + OTHERS, 0}, &arena, &count);
    assert_int_equal(count, 3); /* no line for global stores, because there are none */
    assert_int_equal(line.verdict, SASS_SAME);
    assert_int_equal(line.written, 100);
    arena_free(&arena);
}

/* Figures of the tiled product, n = 64, from an H200. */
static void four_loads_in_one_are_proven_by_the_widths(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t count;
    struct sass_line const line = tell(&(struct story){16384, 10240, 12288, 8192 + OTHERS, 2048}, &arena, &count);
    assert_int_equal(line.verdict, SASS_MERGED);
    assert_int_equal(line.written, 16384);
    assert_int_equal(line.ran, 10240);
    assert_int_equal(line.written_by_width[2], 16384);
    assert_int_equal(line.ran_by_width[2], 8192);
    assert_int_equal(line.ran_by_width[4], 2048);
    arena_free(&arena);
}

static void widths_that_do_not_add_up_explain_nothing(void **state)
{
    (void)state;
    static const struct story stories[] = {
        {16384, 10239, 12288, 8191 + OTHERS, 2048}, /* one load is missing */
        {16384, 10241, 12288, 8192 + OTHERS, 2048}, /* the widths and the number of loads disagree */
        {16384, 10240, 12288, 8192, 2048},          /* fewer widths than the other lines account for */
        {100, 50, 50, 50 + OTHERS, 0},              /* fewer loads, but none is wide: removed, not merged */
        {100, 100, 120, 100 + OTHERS, 0},           /* as many loads, with more wavefronts */
        {100, 110, 110, 110 + OTHERS, 0},           /* more loads than written */
    };
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++) {
        struct arena arena = {0};
        size_t count;
        assert_int_equal(tell(&stories[i], &arena, &count).verdict, SASS_OTHER);
        arena_free(&arena);
    }
}

static void a_launch_without_counts_has_no_lines(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct sass_line *lines = NULL;
    struct sass_counts const sass = {0};
    struct counts const counts = {.sites = arena_array(&arena, struct site_counts, SITES), .site_count = SITES};
    assert_int_equal(sass_lines(&counts, sites, &sass, &arena, &lines), 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_counts_are_the_same),
        cmocka_unit_test(four_loads_in_one_are_proven_by_the_widths),
        cmocka_unit_test(widths_that_do_not_add_up_explain_nothing),
        cmocka_unit_test(a_launch_without_counts_has_no_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
