/* The roofline: rates and intensities of points, and which launches are points at all. */
#include "model/roofline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#define FFMA "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"
#define FADD "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
#define FMUL "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"

static struct counter const all[] = {{FFMA, 500},
                                     {FADD, 20},
                                     {FMUL, 4},
                                     {"dram__bytes_read.sum", 100},
                                     {"dram__bytes_write.sum", 28},
                                     {"l1tex__t_bytes.sum", 2048}};

static struct sass_counts counted(size_t count)
{
    struct sass_counts counts = {.counted = true, .counters = all, .counter_count = count};
    snprintf(counts.device, sizeof counts.device, "GPU A");
    return counts;
}

static struct measured_time measured(const char *device)
{
    struct measured_time time = {.source = TIME_RECORDED, .median = 2};
    snprintf(time.device, sizeof time.device, "%s", device);
    return time;
}

static void a_fused_multiply_add_counts_as_two_operations(void **state)
{
    (void)state;
    struct sass_counts const counts = counted(6);
    struct measured_time const time = measured("GPU A");
    struct roofline_point point = {.label = "a"};
    roofline_place("GPU A", &counts, &time, &point);
    assert_true(point.known);
    assert_float_equal(point.flop, 1024, 0);
    assert_float_equal(roofline_intensity(&point, ROOFLINE_DRAM), 8, 0);
    assert_float_equal(roofline_intensity(&point, ROOFLINE_L1), 0.5, 0);
    assert_float_equal(roofline_rate(&point), 512e6, 1);
}

static void a_pass_through_shared_memory_moves_128_bytes(void **state)
{
    (void)state;
    static struct counter const passes[] = {{FFMA, 512},
                                            {FADD, 0},
                                            {FMUL, 0},
                                            {"dram__bytes_read.sum", 100},
                                            {"dram__bytes_write.sum", 28},
                                            {"l1tex__t_bytes.sum", 2048},
                                            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 12},
                                            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 4}};
    struct sass_counts counts = {.counted = true, .counters = passes, .counter_count = 8};
    snprintf(counts.device, sizeof counts.device, "GPU A");
    struct measured_time const time = measured("GPU A");
    struct roofline_point point = {.label = "a"};
    roofline_place("GPU A", &counts, &time, &point);
    assert_true(point.known && roofline_uses(&point, ROOFLINE_SHARED));
    assert_float_equal(roofline_intensity(&point, ROOFLINE_SHARED), 0.5, 0);
}

static void a_kernel_whose_shared_memory_was_not_counted_is_a_point_without_it(void **state)
{
    (void)state;
    struct sass_counts const counts = counted(6);
    struct measured_time const time = measured("GPU A");
    struct roofline_point point = {.label = "a"};
    roofline_place("GPU A", &counts, &time, &point);
    assert_true(point.known);
    assert_false(roofline_uses(&point, ROOFLINE_SHARED));
}

static void counts_and_time_of_different_gpus_make_no_point(void **state)
{
    (void)state;
    struct sass_counts const counts = counted(6);
    struct measured_time const time = measured("GPU B"), none = {.source = TIME_NONE};
    struct roofline_point point = {.known = true};
    roofline_place("GPU A", &counts, &time, &point);
    assert_false(point.known);
    roofline_place("GPU B", &counts, &time, &point);
    assert_false(point.known);
    roofline_place("GPU A", &counts, &none, &point);
    assert_false(point.known);
}

static void a_counter_that_an_older_file_lacks_makes_no_point(void **state)
{
    (void)state;
    struct measured_time const time = measured("GPU A");
    for (size_t count = 0; count < 6; count++) {
        struct sass_counts const counts = counted(count);
        struct roofline_point point = {.known = true};
        roofline_place("GPU A", &counts, &time, &point);
        assert_false(point.known);
    }
}

static void the_roof_is_the_lower_of_two_limits(void **state)
{
    (void)state;
    struct roofline const roofline = {.flop_rate = 60, .rates = {[ROOFLINE_DRAM] = 4, [ROOFLINE_L1] = 30}};
    assert_float_equal(roofline_roof(&roofline, ROOFLINE_DRAM, 1), 4, 0);
    assert_float_equal(roofline_roof(&roofline, ROOFLINE_DRAM, 15), 60, 0);
    assert_float_equal(roofline_roof(&roofline, ROOFLINE_L1, 15), 60, 0);
}

static void the_h200_has_all_three_roofs(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct gpu gpu;
    struct roofline roofline;
    struct error error;
    assert_true(gpu_read(&arena, GPU_DEFAULT, &gpu, &error));
    assert_true(roofline_roofs(&gpu, &roofline));
    assert_true(roofline.rates[ROOFLINE_L1] > roofline.rates[ROOFLINE_DRAM]);
    assert_true(gpu_read(&arena, "rtx-2070", &gpu, &error));
    assert_false(roofline_roofs(&gpu, &roofline));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fused_multiply_add_counts_as_two_operations),
        cmocka_unit_test(a_pass_through_shared_memory_moves_128_bytes),
        cmocka_unit_test(a_kernel_whose_shared_memory_was_not_counted_is_a_point_without_it),
        cmocka_unit_test(counts_and_time_of_different_gpus_make_no_point),
        cmocka_unit_test(a_counter_that_an_older_file_lacks_makes_no_point),
        cmocka_unit_test(the_roof_is_the_lower_of_two_limits),
        cmocka_unit_test(the_h200_has_all_three_roofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
