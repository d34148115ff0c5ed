/* Matrix instructions on the GPU: with probes they give the same results as in the emulator, and the trace is the
 * emulator's. Covers all forms of tests/matrix that access memory and, with values, those that multiply, 16 per kernel.
 */
#include "cuda/cuda.h"
#include "emulator_helper.h"
#include "matrix_helper.h"

enum { WORDS_OUT = FORMS_BLOCKS * BLOCK_WORDS };

static void compare_forms(bool products, bool values)
{
    static char text[FORMS_KERNEL];
    static uint32_t inputs[WORDS_OUT], outputs[2][WORDS_OUT];
    FILE *file = fopen("matrix/results.txt", "r");
    unsigned forms = 0, kernels = 0, same = 0, count;
    assert_non_null(file);
    input_fill("iii", FORMS_BLOCKS, inputs);
    for (; forms_next(file, products, 16, text, &count); forms += count, kernels++) {
        struct bench b;
        struct trace *trace;
        struct trace_difference difference;
        bench_text(&b, text);
        bench_launch(&b, "k", FORMS_BLOCKS, LANES);
        memset(outputs, 0, sizeof outputs);
        b.options.recorded = LAUNCH_ALL_BLOCKS;
        bench_buffer(&b, PTX_U32, outputs[0], WORDS_OUT);
        bench_buffer(&b, PTX_U32, inputs, WORDS_OUT);
        b.options.checks.values = values;
        bench_run_clean(&b);
        b.buffers[0].data = outputs[1];
        if (!(values ? cuda_trace_values : cuda_trace)(b.module, &b.launch, LAUNCH_ALL_BLOCKS, NULL, &trace, &b.error))
            fail_msg("kernel %u: %s", kernels, b.error.message);
        trace_compare(b.result.trace, trace, &difference);
        if (difference.differ)
            print_error("kernel %u: %s\n", kernels, difference.text);
        same += !difference.differ;
        assert_memory_equal(outputs[0], outputs[1], sizeof outputs[0]);
        trace_free(trace);
        bench_free(&b);
    }
    fclose(file);
    print_message("| tests/matrix, %u %s%s | %u | %u |\n", forms, products ? "products" : "loads and stores",
                  values ? ", with values" : "", kernels, same);
    assert_int_equal(forms, products ? 194 : 574);
    assert_int_equal(same, kernels);
}

static void forms_are_the_same_on_both(void **state)
{
    (void)state;
    compare_forms(false, false);
}

static void values_are_the_same_on_both(void **state)
{
    (void)state;
    compare_forms(false, true);
}

static void registers_of_products_are_the_same_on_both(void **state)
{
    (void)state;
    compare_forms(true, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_the_same_on_both),
        cmocka_unit_test(values_are_the_same_on_both),
        cmocka_unit_test(registers_of_products_are_the_same_on_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
