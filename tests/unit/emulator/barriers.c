/* Barrier objects, pipelines and bulk copies as nvcc compiles them, against a host reference in every mode, and the
 * findings for wrong uses. */
#include "emulator_helper.h"
#include "message_helper.h"
#include "model/counts.h"

static const char *const files[] = {"emulator/barriers_90.ptx", "emulator/barriers_80.ptx"};

/* Runs kernel(out, in[, n]) in every mode, with the code for both architectures. */
static void run_all(const char *kernel, uint32_t grid, uint32_t block, int *out, size_t outs, const int *in, size_t ins,
                    int n, const int *expected)
{
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct bench b;
        bench_file(&b, files[f]);
        for (int mode = 0; mode < MODES && ptx_kernel(b.module, kernel); mode++) {
            memset(out, 0xee, outs * sizeof *out);
            bench_mode(&b, mode, 1);
            bench_launch(&b, kernel, grid, block);
            bench_buffer(&b, PTX_S32, out, outs);
            bench_buffer(&b, PTX_S32, (int *)(uintptr_t)in, ins);
            if (n)
                bench_scalar(&b, PTX_S32, (uint64_t)n);
            bench_run_clean(&b);
            assert_memory_equal(out, expected, outs * sizeof *out);
        }
        bench_free(&b);
    }
}

static void fill(int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (int)(i * 7919 % 1009);
}

static void stages_of_a_pipeline_keep_their_order(void **state)
{
    (void)state;
    int in[6 * 128], out[128], expected[128];
    fill(in, 6 * 128);
    for (int t = 0; t < 128; t++) {
        expected[t] = 0;
        for (int i = 0; i < 6; i++)
            expected[t] += in[i * 128 + 127 - t] * (i + 1);
    }
    run_all("pipeline", 1, 128, out, 128, in, 6 * 128, 6, expected);
    for (int t = 0; t < 64; t++) {
        expected[t] = 0;
        for (int i = 0; i < 6; i++)
            expected[t] += in[i * 64 + t] * (i + 1);
    }
    run_all("thread_pipeline", 1, 64, out, 64, in, 6 * 64, 6, expected);
}

static void copies_of_a_group_are_there_after_the_wait(void **state)
{
    (void)state;
    int in[256], out[256], expected[256];
    fill(in, 256);
    for (int t = 0; t < 256; t++)
        expected[t] = in[t / 128 * 128 + 127 - t % 128];
    run_all("groups", 2, 128, out, 256, in, 256, 0, expected);
    run_all("async", 2, 128, out, 256, in, 256, 0, expected);
}

static void producer_and_consumer_take_turns(void **state)
{
    (void)state;
    int in[8 * 32], out[32], expected[32];
    fill(in, 8 * 32);
    for (int t = 0; t < 32; t++) {
        expected[t] = 0;
        for (int i = 0; i < 8; i++)
            expected[t] += in[i * 32 + t] * (i + 1);
    }
    run_all("phases", 1, 64, out, 32, in, 8 * 32, 8, expected);
}

static void bulk_copies_in_and_out(void **state)
{
    (void)state;
    int in[512], out[512], expected[512];
    fill(in, 512);
    for (int t = 0; t < 512; t++)
        expected[t] = in[t] + 1;
    run_all("bulk", 2, 64, out, 512, in, 512, 0, expected);
}

/* 1,024 bytes are two rows of 32 pieces, in and out. */
static void bulk_copies_become_events_of_32_pieces(void **state)
{
    (void)state;
    struct bench b;
    int in[256], out[256];
    uint64_t loads = 0, stores = 0;
    fill(in, 256);
    bench_file(&b, files[0]);
    bench_mode(&b, RECORDED, 1);
    bench_launch(&b, "bulk", 1, 64);
    bench_buffer(&b, PTX_S32, out, 256);
    bench_buffer(&b, PTX_S32, in, 256);
    bench_run_clean(&b);
    const struct trace *trace = b.result.trace;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || !strstr(trace->sites[event->site].text, "cp.async.bulk"))
            continue;
        const struct trace_site *site = &trace->sites[event->site];
        uint64_t *count = site->operation == TRACE_STORE ? &stores : &loads;
        uint64_t first = trace->buffers[site->operation == TRACE_STORE ? 0 : 1].address + 512 * (*count)++;
        assert_int_equal(site->bytes, 16);
        assert_int_equal(event->mask, UINT32_MAX);
        assert_int_equal(trace_space(site, event), PTX_SPACE_GLOBAL);
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(trace_addresses(trace, event)[l], first + 16 * l);
    }
    assert_int_equal(loads, 2);
    assert_int_equal(stores, 2);
    struct arena arena = {0};
    struct counts counts;
    struct counter *counters;
    counts_of_trace(trace, &arena, &counts);
    size_t count = counts_counters(&counts, trace->sites, &arena, &counters);
    /* the copy engine's accesses do not pass through the lanes' unit, as on an H200 */
    for (size_t i = 0; i < count; i++)
        if (strstr(counters[i].name, "mem_global"))
            assert_int_equal(counters[i].value, 0);
    arena_free(&arena);
    bench_free(&b);
}

/* Returns the first fault of a kernel with 64 threads, or NULL. */
static const struct finding *fault_of(struct bench *b, const char *kernel, int mode, const int *in)
{
    static int out[64];
    bench_mode(b, mode, 1);
    bench_launch(b, kernel, 1, 64);
    bench_buffer(b, PTX_S32, out, 64);
    if (in)
        bench_buffer(b, PTX_S32, (int *)(uintptr_t)in, 256);
    bench_run(b);
    return nth_fault(b->result.trace, 0);
}

static void a_phase_that_never_completes_is_a_deadlock_with_its_waiters(void **state)
{
    for (int mode = 0; mode < MODES; mode++) {
        const struct finding *fault = fault_of(*state, "never", mode, NULL);
        assert_non_null(fault);
        assert_kind(fault, BARRIER);
        assert_non_null(strstr(message_of(fault), "1 of 64 arrivals and 0 bytes"));
        assert_non_null(strstr(message_of(fault), "warp 0 (32 threads) at line 24, warp 1 (32 threads) at line 24"));
        assert_int_equal(fault->at.line, 24);
    }
}

static void wrong_uses_of_barrier_objects_are_faults(void **state)
{
    int in[256] = {0};
    const struct finding *fault = fault_of(*state, "too_many", QUICK, NULL);
    assert_non_null(fault);
    assert_non_null(strstr(message_of(fault), "arrivals at the mbarrier"));
    fault = fault_of(*state, "no_init", QUICK, NULL);
    assert_non_null(fault);
    assert_non_null(strstr(message_of(fault), "never initialized"));
    fault = fault_of(*state, "past_the_end", QUICK, in);
    assert_non_null(fault);
    assert_kind(fault, OUT_OF_BOUNDS);
    assert_non_null(strstr(message_of(fault), "1 byte after buffer of 1024 bytes"));
}

static void a_bulk_copy_without_a_wait_is_a_race(void **state)
{
    struct bench *b = *state;
    int in[256], out[32];
    fill(in, 256);
    for (int waits = 0; waits < 2; waits++) {
        bench_mode(b, CHECKED, 1);
        bench_launch(b, "not_waited", 1, 32);
        bench_buffer(b, PTX_S32, out, 32);
        bench_buffer(b, PTX_S32, in, 256);
        bench_scalar(b, PTX_S32, (uint64_t)waits);
        bench_run(b);
        assert_int_equal(trace_faults(b->result.trace), 0);
        assert_int_equal(trace_hazards(b->result.trace) != 0, !waits);
    }
}

static int start(void **state)
{
    return bench_open(state, "emulator/objects.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_of_a_pipeline_keep_their_order),
        cmocka_unit_test(copies_of_a_group_are_there_after_the_wait),
        cmocka_unit_test(producer_and_consumer_take_turns),
        cmocka_unit_test(bulk_copies_in_and_out),
        cmocka_unit_test(bulk_copies_become_events_of_32_pieces),
        cmocka_unit_test(a_phase_that_never_completes_is_a_deadlock_with_its_waiters),
        cmocka_unit_test(wrong_uses_of_barrier_objects_are_faults),
        cmocka_unit_test(a_bulk_copy_without_a_wait_is_a_race),
    };
    return cmocka_run_group_tests(tests, start, bench_close);
}
