/* Lanes that diverge in a function without a reconvergence instruction: the hardware decides in how many groups they
 * return. Each lane records its active mask (activemask) at its store, in the unmodified kernel. The number of groups
 * must equal the number of stores that the profiler counted (tests/silicon/kernels.txt). */
#include "base/file.h"
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#include "silicon_table.h"

enum { STORES = 2 }; /* a counter of kernels.txt: instructions that store to global memory */

struct beside {
    uint32_t lanes, result;
};

static void launch_groups(struct beside groups[WARP_LANES])
{
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    char *text = NULL, line[1024];
    size_t size = 0;
    uint32_t n[WARP_LANES];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        n[lane] = lane % 10;
    assert_true(file_read(&arena, LANESCOPE_SOURCE_FOLDER "/tests/silicon/ptx/meeting.ptx", &text, &size, &error));
    assert_true(ptx_parse(&arena, "meeting.ptx", text, size, &module, &error));
    struct launch_buffer buffers[] = {{.name = "groups", .type = PTX_U32, .count = 2 * WARP_LANES, .data = groups},
                                      {.name = "n", .type = PTX_U32, .count = WARP_LANES, .data = n}};
    struct launch_argument arguments[] = {{.is_buffer = true, .buffer = 0}, {.is_buffer = true, .buffer = 1}};
    struct launch const launch = {.kernel = "fibonacci_groups",
                                  .grid = {1, 1, 1},
                                  .block = {WARP_LANES, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = 2,
                                  .buffers = buffers,
                                  .buffer_count = 2};
    struct cuda_timing const timing = {.read_back = true, .once = true};
    struct cuda_time time;
    if (!cuda_time_kernel(module, &launch, &timing, &time, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    arena_free(&arena);
}

static uint64_t counted_stores(const char *kernel)
{
    struct arena arena = {0};
    char *text = silicon_open(&arena, "kernels");
    struct silicon_row row;
    uint64_t stores = 0;
    assert_non_null(text);
    while (silicon_next(&text, &row))
        if (strcmp(row.words[2], kernel) == 0)
            stores = row.counts[STORES];
    arena_free(&arena);
    return stores;
}

static void lanes_come_back_in_as_many_groups_as_stores_are_counted(void **state)
{
    (void)state;
    static const uint32_t fibonacci[10] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    struct beside groups[WARP_LANES] = {0};
    uint64_t count = 0;
    launch_groups(groups);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t const lanes = groups[lane].lanes, first = (uint32_t)__builtin_ctz(lanes ? lanes : 1);
        assert_int_equal(groups[lane].result, fibonacci[lane % 10]);
        assert_true(lanes >> lane & 1);
        assert_int_equal(groups[first].lanes, lanes); /* lanes of one group have recorded the same mask */
        if (first == lane) {
            print_message("group %llu: lanes %08x\n", (unsigned long long)++count, lanes);
        }
    }
    assert_int_equal(count, counted_stores("fibonacci_groups"));
    assert_int_equal(count, counted_stores("fibonacci_meets")); /* ptxas removes its __syncwarp */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_come_back_in_as_many_groups_as_stores_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
