/* The model clock in the emulator: many warps hide the latency for which one warp waits. */
#include "emulator_helper.h"
#include "model/gpu.h"
#include "model/timeline.h"

enum { ELEMENTS = 2048 };
static const struct clock_figures figures = {"a GPU of round figures", false, 4, 20, 30, 200, 600, 40, 10};

/* Each thread adds up ELEMENTS / threads elements, one row of all threads at a time. */
static const char sum[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry sum(.param .u64 in, .param .u32 count) {\n"
                          ".reg .pred %p; .reg .f32 %f<3>; .reg .b32 %r<6>; .reg .b64 %rd<4>;\n"
                          "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [count];\n"
                          "mov.u32 %r2, %tid.x; mov.u32 %r3, %ntid.x; mov.f32 %f2, 0f00000000;\n"
                          "AGAIN: mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;\n"
                          "ld.global.f32 %f1, [%rd3]; add.f32 %f2, %f2, %f1;\n"
                          "add.u32 %r2, %r2, %r3; setp.lt.u32 %p, %r2, %r1; @%p bra AGAIN;\n"
                          "mov.u32 %r4, %tid.x; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
                          "st.global.f32 [%rd3], %f2; ret; }\n";

static struct timeline_cycles cycles_with(uint32_t threads, uint32_t grid, unsigned workers, char **dump,
                                          struct arena *arena)
{
    struct bench b;
    static float data[ELEMENTS];
    bench_text(&b, sum);
    b.options =
        (struct emulator_options){.recorded = LAUNCH_ALL_BLOCKS, .threads = workers, .timer = clock_timer(&figures)};
    bench_launch(&b, "sum", grid, threads);
    bench_buffer(&b, PTX_F32, data, ELEMENTS);
    bench_scalar(&b, PTX_U32, ELEMENTS);
    bench_run(&b);
    assert_int_equal(trace_faults(b.result.trace), 0);
    struct timeline_cycles const cycles = timeline_cycles(timeline_new(&b.arena, b.result.trace, grid - 1));
    if (dump)
        *dump = trace_dump(b.result.trace, arena);
    bench_free(&b);
    return cycles;
}

static void many_warps_hide_memory_latency(void **state)
{
    (void)state;
    struct timeline_cycles const one = cycles_with(32, 1, 1, NULL, NULL);
    struct timeline_cycles const many = cycles_with(1024, 1, 1, NULL, NULL);
    /* One warp waits for DRAM in each of its 64 rounds, from the instruction after the load on, and for almost nothing
     * else. */
    assert_in_range(one.all, 64 * 600, 64 * 700);
    assert_in_range(one.idle, 64 * (600 - 4), one.all);
    /* 32 warps have two rounds each and wait together: the same loads take about a twentieth of the time. */
    assert_in_range(many.all, 2 * 600, 64 * 700 / 16);
    assert_true(many.idle * 16 < one.idle);
}

static void the_clock_does_not_depend_on_what_runs_beside_a_block(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *alone, *beside;
    cycles_with(256, 6, 1, &alone, &arena);
    struct timeline_cycles const last = cycles_with(256, 6, 4, &beside, &arena);
    assert_string_equal(alone, beside);
    assert_int_equal(last.all, cycles_with(256, 1, 1, NULL, NULL).all);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_warps_hide_memory_latency),
        cmocka_unit_test(the_clock_does_not_depend_on_what_runs_beside_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
