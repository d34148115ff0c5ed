/* Output of kernels appears in the order of blocks for any number of threads. A failed assertion names its place.
 * malloc gives each thread memory of its own. */
#include "emulator_helper.h"

static void printf_formats_every_kind_of_value(void **state)
{
    struct bench *b = *state;
    double x = 1.5;
    uint64_t bits;
    memcpy(&bits, &x, 8);
    for (unsigned threads = 1; threads <= 2; threads++) {
        b->options.threads = threads;
        bench_launch(b, "_Z5speakid", 2, 3);
        bench_scalar(b, PTX_S32, 7);
        bench_scalar(b, PTX_F64, bits);
        bench_run(b);
        assert_string_equal(b->result.output, "block 0 thread 0:  0.00 text 123456789abcdef a% 7   |\n"
                                              "block 0 thread 2:  3.00 text 123456789abcdef c% 7   |\n"
                                              "block 1 thread 0:  0.00 text 123456789abcdef a% 7   |\n"
                                              "block 1 thread 2:  3.00 text 123456789abcdef c% 7   |\n");
    }
}

static void every_format_as_on_the_gpu(void **state)
{
    struct bench *b = *state;
    struct arena arena = {0};
    struct error error = {0};
    char *text;
    size_t size;
    double x = 1234.5678;
    uint64_t bits;
    memcpy(&bits, &x, 8);
    assert_true(file_read(&arena, "emulator/printing.txt", &text, &size, &error));
    bench_launch(b, "formats", 1, 2);
    bench_scalar(b, PTX_S32, 42);
    bench_scalar(b, PTX_S64, 123456789012345678);
    bench_scalar(b, PTX_F64, bits);
    bench_run(b);
    assert_string_equal(b->result.output, text);
    arena_free(&arena);
}

static void a_failed_assertion_names_its_place(void **state)
{
    struct bench *b = *state;
    bench_launch(b, "_Z5claimi", 1, 64);
    bench_scalar(b, PTX_S32, 40);
    bench_run(b);
    assert_int_equal(trace_faults(b->result.trace), 1);
    assert_kind(nth_fault(b->result.trace, 0), ASSERTION);
    assert_int_equal(nth_fault(b->result.trace, 0)->at.thread[0], 40);
    assert_non_null(
        strstr(b->result.output, "block: [0,0,0], thread: [40,0,0] Assertion `(int)threadIdx.x < n` failed."));
}

static void malloc_gives_each_thread_its_own_memory(void **state)
{
    struct bench *b = *state;
    int out[64];
    bench_launch(b, "_Z8allocatePii", 1, 64);
    bench_buffer(b, PTX_S32, out, 64);
    bench_scalar(b, PTX_S32, 10);
    bench_run(b);
    assert_int_equal(trace_faults(b->result.trace), 0);
    for (int i = 0; i < 64; i++)
        assert_int_equal(out[i], 10 * i + 45);
}

static int start(void **state)
{
    return bench_open(state, "emulator/printing.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printf_formats_every_kind_of_value),
        cmocka_unit_test(every_format_as_on_the_gpu),
        cmocka_unit_test(a_failed_assertion_names_its_place),
        cmocka_unit_test(malloc_gives_each_thread_its_own_memory),
    };
    return cmocka_run_group_tests(tests, start, bench_close);
}
