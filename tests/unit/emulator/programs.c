/* Whole kernels against a host reference, in every mode and with several threads. */
#include "emulator_helper.h"
#include <math.h>

static void guarded_tail_and_fma(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        float x[1000], y[1000];
        for (int i = 0; i < 1000; i++)
            x[i] = (float)i * 0.37f, y[i] = (float)i;
        bench_mode(*state, mode, mode == QUICK ? 1 : 2);
        bench_launch(*state, "saxpy", 4, 256);
        bench_buffer(*state, PTX_F32, y, 1000);
        bench_buffer(*state, PTX_F32, x, 1000);
        float a = 2.5f;
        uint32_t bits;
        memcpy(&bits, &a, 4);
        bench_scalar(*state, PTX_F32, bits);
        bench_scalar(*state, PTX_S32, 1000);
        bench_run_clean(*state);
        for (int i = 0; i < 1000; i++)
            assert_true(y[i] == fmaf(2.5f, (float)i * 0.37f, (float)i));
    }
}

static void barriers_order_a_reduction(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        float in[1000], out[4];
        for (int i = 0; i < 1000; i++)
            in[i] = (float)(i % 17);
        bench_mode(*state, mode, mode == QUICK ? 1 : 2);
        bench_launch(*state, "reduce", 4, 256);
        bench_buffer(*state, PTX_F32, out, 4);
        bench_buffer(*state, PTX_F32, in, 1000);
        bench_scalar(*state, PTX_S32, 1000);
        bench_run_clean(*state);
        for (int block = 0; block < 4; block++) {
            float sum = 0;
            for (int i = block * 256; i < 1000 && i < block * 256 + 256; i++)
                sum += in[i];
            assert_true(out[block] == sum);
        }
    }
}

static int diverged(int t)
{
    int s = 0;
    for (int i = 0; i < t; i++) {
        s += i & 1 ? i * 3 : -i;
        if (s > 500)
            break;
    }
    int ways[5] = {s + 1, s * 2, s ^ 77, s - 9, -s};
    return ways[t % 5];
}

static void lanes_diverge_and_reconverge(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        int out[200];
        bench_mode(*state, mode, mode == QUICK ? 1 : 2);
        bench_launch(*state, "diverge", 1, 200);
        bench_buffer(*state, PTX_S32, out, 200);
        bench_run_clean(*state);
        for (int t = 0; t < 200; t++)
            assert_int_equal(out[t], diverged(t));
    }
}

static void shuffles_and_votes(void **state)
{
    int v[32], w[32], out[32];
    unsigned ballot = 0;
    for (int i = 0; i < 32; i++)
        v[i] = i * i + (i ^ 1) * (i ^ 1);
    for (int i = 0; i < 32; i++)
        w[i] = v[i] + (i + 2 < 32 ? v[i + 2] : v[i]);
    for (int i = 0; i < 32; i++)
        v[i] = w[i] + w[(i & 24) | 3];
    for (int i = 0; i < 32; i++)
        w[i] = v[i] + (i % 16 ? v[i - 1] : v[i]);
    for (int i = 0; i < 32; i++)
        ballot += (w[i] & 4) != 0;
    bench_mode(*state, QUICK, 1);
    bench_launch(*state, "shuffles", 1, 32);
    bench_buffer(*state, PTX_S32, out, 32);
    bench_run_clean(*state);
    for (int i = 0; i < 32; i++)
        assert_int_equal(out[i], w[i] + (int)ballot + 496 + (i / 3 == 10 ? 2 : 3));
}

static void atomics_of_all_threads_count(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        static uint32_t in[100000];
        uint32_t counts[16] = {0}, expected[16] = {0};
        for (uint32_t i = 0; i < 100000; i++)
            expected[(in[i] = i * 7919 >> 3) & 15]++;
        bench_mode(*state, mode, mode == QUICK ? 1 : 2);
        bench_launch(*state, "histogram", 391, 256);
        bench_buffer(*state, PTX_U32, counts, 16);
        bench_buffer(*state, PTX_U32, in, 100000);
        bench_scalar(*state, PTX_S32, 100000);
        bench_run_clean(*state);
        assert_memory_equal(counts, expected, sizeof counts);
    }
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void recursion_of_divergent_lanes(void **state)
{
    int out[64];
    bench_mode(*state, QUICK, 1);
    bench_launch(*state, "recursion", 1, 64);
    bench_buffer(*state, PTX_S32, out, 64);
    bench_run_clean(*state);
    for (int i = 0; i < 64; i++)
        assert_int_equal(out[i], fibonacci(i % 10));
}

static void local_memory_is_each_threads_own(void **state)
{
    int out[64];
    bench_mode(*state, RECORDED, RECORDED == QUICK ? 1 : 2);
    bench_launch(*state, "locals", 1, 64);
    bench_buffer(*state, PTX_S32, out, 64);
    bench_run_clean(*state);
    for (int t = 0; t < 64; t++) {
        int a[16], s = 0;
        for (int i = 0; i < 16; i++)
            a[(i * 5 + t) & 15] = i + t;
        for (int i = 0; i < 16; i++)
            s = s * 3 + a[(i + t * 7) & 15];
        assert_int_equal(out[t], s);
    }
}

static void a_lock_within_a_warp_makes_progress(void **state)
{
    for (int mode = 0; mode < CHECKED; mode++) {
        int mutex = 0, count = 0;
        bench_mode(*state, mode, mode == QUICK ? 1 : 2);
        bench_launch(*state, "lock", 4, 64);
        bench_buffer(*state, PTX_S32, &mutex, 1);
        bench_buffer(*state, PTX_S32, &count, 1);
        bench_run_clean(*state);
        assert_int_equal(count, 256);
    }
}

static void barriers_do_not_wait_for_ended_threads(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        int out[64] = {0};
        bench_mode(*state, mode, mode == QUICK ? 1 : 2);
        bench_launch(*state, "early_exit", 1, 64);
        bench_buffer(*state, PTX_S32, out, 64);
        bench_run_clean(*state);
        for (int t = 0; t < 50; t++)
            assert_int_equal(out[t], 63 - t < 40 ? 63 - t : t - 63);
        assert_int_equal(out[50], 0);
    }
}

static void widths_constants_and_function_pointers(void **state)
{
    static const uint32_t weights[4] = {3, 5, 7, 11};
    uint32_t out[100][4];
    uint8_t bytes[100][4];
    uint16_t halves[100];
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned k = 0; k < 4; k++)
            bytes[i][k] = (uint8_t)(i * 37 + k * 91);
        halves[i] = (uint16_t)(i * 1999);
    }
    bench_mode(*state, RECORDED, RECORDED == QUICK ? 1 : 2);
    bench_launch(*state, "widths", 2, 64);
    bench_buffer(*state, PTX_U32, out, 400);
    bench_buffer(*state, PTX_U8, bytes, 400);
    bench_buffer(*state, PTX_U16, halves, 100);
    bench_scalar(*state, PTX_S32, 100);
    bench_run_clean(*state);
    for (unsigned i = 0; i < 100; i++) {
        uint32_t w = bytes[i][3];
        assert_int_equal(out[i][0], bytes[i][0] + weights[i & 3]);
        assert_int_equal(out[i][1], (uint32_t)(int8_t)bytes[i][1]);
        assert_int_equal(out[i][2], (uint32_t)halves[i] * bytes[i][2]);
        assert_int_equal(out[i][3], i & 1 ? w * w : 2 * w);
    }
}

static void a_generic_address_finds_its_space(void **state)
{
    struct bench *b = *state;
    int out[32], data[32];
    for (int i = 0; i < 32; i++)
        data[i] = -i;
    bench_mode(b, RECORDED, RECORDED == QUICK ? 1 : 2);
    bench_launch(b, "generic", 1, 32);
    bench_buffer(b, PTX_S32, out, 32);
    bench_buffer(b, PTX_S32, data, 32);
    bench_run_clean(b);
    for (int t = 0; t < 32; t++)
        assert_int_equal(out[t], t % 3 ? 1031 - t : -t);
    unsigned shared = 0, global = 0;
    for (size_t i = 0; i < b->result.trace->events.count; i++) {
        const struct trace_event *event = &b->result.trace->events.items[i];
        if (event->kind != TRACE_ACCESS || b->result.trace->sites[event->site].space != PTX_SPACE_GENERIC)
            continue;
        shared += event->space == PTX_SPACE_SHARED && event->mask == 0xb6db6db6;
        global += event->space == PTX_SPACE_GLOBAL && event->mask == ~0xb6db6db6;
    }
    assert_int_equal(shared, 1);
    assert_int_equal(global, 1);
}

static void the_trace_does_not_depend_on_the_threads(void **state)
{
    struct bench *b = *state;
    char *dumps[2];
    struct arena arena = {0};
    for (unsigned threads = 1; threads <= 2; threads++) {
        float in[1000], out[4];
        for (int i = 0; i < 1000; i++)
            in[i] = (float)i;
        b->options = (struct emulator_options){.recorded = LAUNCH_ALL_BLOCKS, .threads = threads};
        bench_launch(b, "reduce", 4, 256);
        bench_buffer(b, PTX_F32, out, 4);
        bench_buffer(b, PTX_F32, in, 1000);
        bench_scalar(b, PTX_S32, 1000);
        bench_run_clean(b);
        dumps[threads - 1] = trace_dump(b->result.trace, &arena);
        assert_true(b->result.trace->events.count > 4 * 8 * 10);
    }
    assert_string_equal(dumps[0], dumps[1]);
    arena_free(&arena);
}

static void recording_changes_no_totals(void **state)
{
    struct bench *b = *state;
    struct trace_totals totals[2];
    for (int mode = QUICK; mode <= RECORDED; mode++) {
        int out[200];
        bench_mode(b, mode, mode == QUICK ? 1 : 2);
        bench_launch(b, "diverge", 1, 200);
        bench_buffer(b, PTX_S32, out, 200);
        bench_run_clean(b);
        totals[mode] = b->result.trace->totals;
    }
    assert_memory_equal(&totals[0], &totals[1], sizeof totals[0]);
    assert_true(totals[0].branches_divergent > 0);
    assert_true(totals[0].thread_instructions > totals[0].warp_instructions);
}

static int start(void **state)
{
    return bench_open(state, "emulator/programs.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guarded_tail_and_fma),
        cmocka_unit_test(barriers_order_a_reduction),
        cmocka_unit_test(lanes_diverge_and_reconverge),
        cmocka_unit_test(shuffles_and_votes),
        cmocka_unit_test(atomics_of_all_threads_count),
        cmocka_unit_test(recursion_of_divergent_lanes),
        cmocka_unit_test(local_memory_is_each_threads_own),
        cmocka_unit_test(a_lock_within_a_warp_makes_progress),
        cmocka_unit_test(barriers_do_not_wait_for_ended_threads),
        cmocka_unit_test(widths_constants_and_function_pointers),
        cmocka_unit_test(a_generic_address_finds_its_space),
        cmocka_unit_test(the_trace_does_not_depend_on_the_threads),
        cmocka_unit_test(recording_changes_no_totals),
    };
    return cmocka_run_group_tests(tests, start, bench_close);
}
