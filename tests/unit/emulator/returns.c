/* Lanes may leave a function one after the other: by a guarded return inside branches and loops, through recursion and
 * calls by a table, or by an exit. Each lane must then have its own result, and go on behind the call. The H200 gives
 * the same values: tests/compare/launches.txt has these kernels, but by_table, which reads addresses of code. */
#include "emulator_helper.h"

enum { THREADS = 64, UNTOUCHED = 5 };

static uint32_t guarded(uint32_t lane)
{
    return lane < 16 ? 1 : 2;
}

static uint32_t nested(uint32_t lane)
{
    bool const even = lane % 2 == 0, low = (lane & 2) == 0;
    if (even ? !low : low)
        return even ? 5 : 3;
    return lane > 20 ? (even ? 5 : 4) : 6;
}

static uint32_t loop(uint32_t lane)
{
    return lane > 20 ? 99 : lane ? lane : 1;
}

static uint32_t recursive(uint32_t lane)
{
    uint32_t const below = lane < 4 ? 0 : recursive(lane - 3);
    return lane < 4 ? 7 : below + lane + (lane > 24 ? 0 : 100);
}

static uint32_t ends(uint32_t lane)
{
    return lane < 24 ? 8 : 9;
}

static uint32_t by_table(uint32_t lane)
{
    return lane % 2 ? loop(lane) : guarded(lane);
}

static uint32_t in_part(uint32_t lane)
{
    return lane > 10 ? guarded(lane) : 0;
}

static const struct {
    const char *kernel;
    uint32_t (*result)(uint32_t lane);
    uint32_t ended; /* the first lanes, which never come back */
} cases[] = {{"by_guarded", guarded, 0},     {"by_nested", nested, 0}, {"by_loop", loop, 0},
             {"by_recursive", recursive, 0}, {"by_ends", ends, 8},     {"by_table", by_table, 0},
             {"in_part", in_part, 0}};

static void each_lane_returns_with_its_own_result(void **state)
{
    (void)state;
    struct bench b;
    bench_file(&b, "emulator/returns.ptx");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int traced = 0; traced < 2; traced++) {
            uint32_t out[THREADS];
            for (uint32_t lane = 0; lane < THREADS; lane++)
                out[lane] = UNTOUCHED;
            bench_launch(&b, cases[i].kernel, 1, THREADS);
            bench_buffer(&b, PTX_U32, out, THREADS);
            b.options.recorded = traced ? LAUNCH_ALL_BLOCKS : (struct launch_blocks){1, 0};
            bench_run(&b);
            assert_int_equal(trace_faults(b.result.trace), 0);
            for (uint32_t lane = 0; lane < THREADS; lane++) {
                uint32_t const right = lane < cases[i].ended ? UNTOUCHED : cases[i].result(lane) + 1000;
                if (out[lane] != right)
                    fail_msg("%s: lane %u has %u, not %u", cases[i].kernel, lane, out[lane], right);
            }
        }
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_lane_returns_with_its_own_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
