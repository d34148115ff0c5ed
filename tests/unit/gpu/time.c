/* Event timing of a kernel whose time grows with its work. */
#include "cuda/cuda.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Each thread adds 1 to its word, n times. */
static const char count_text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 p_out, .param .u32 p_n)\n{\n"
                                 ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
                                 "ld.param.u64 %rd1, [p_out];\ncvta.to.global.u64 %rd1, %rd1;\n"
                                 "ld.param.u32 %r2, [p_n];\nmov.u32 %r1, %tid.x;\n"
                                 "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nmov.u32 %r3, 0;\n"
                                 "LOOP:\n"
                                 "red.global.add.u32 [%rd1], 1;\n"
                                 "membar.gl;\n"
                                 "add.u32 %r3, %r3, 1;\n"
                                 "setp.lt.u32 %p1, %r3, %r2;\n"
                                 "@%p1 bra LOOP;\n"
                                 "ret;\n}\n";

enum { WORDS = 256 };

static struct cuda_time time_of(uint32_t rounds, unsigned runs, uint32_t words[WORDS])
{
    struct arena arena = {0};
    struct ptx_module *module;
    struct error error = {0};
    struct launch_buffer buffer = {.name = "out", .type = PTX_U32, .count = WORDS, .data = words};
    struct launch_argument arguments[] = {{.is_buffer = true}, {.type = PTX_U32, .bits = rounds}};
    struct launch const launch = {.kernel = "k",
                                  .grid = {1, 1, 1},
                                  .block = {WORDS, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = 2,
                                  .buffers = &buffer,
                                  .buffer_count = 1};
    struct cuda_time time;
    char line[1024];
    assert_true(ptx_parse(&arena, "test", count_text, strlen(count_text), &module, &error));
    if (!cuda_time_kernel(module, &launch, &(struct cuda_timing){.runs = runs}, &time, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    arena_free(&arena);
    return time;
}

static void quartiles_are_in_order_and_plausible(void **state)
{
    (void)state;
    uint32_t words[WORDS] = {0};
    struct cuda_time const time = time_of(10, 50, words);
    assert_int_equal(time.runs, 50);
    assert_true(time.state.clock_mhz[0] <= time.state.clock_mhz[1] && time.state.temperature[1] < 120);
    assert_true(time.minimum > 0.5 && time.median < 10000);
    assert_true(time.minimum <= time.p25 && time.p25 <= time.median && time.median <= time.p75);
    assert_int_equal(words[0], 0); /* timing does not change the launch's own buffers */
}

static void a_hundred_times_the_work_takes_longer(void **state)
{
    (void)state;
    uint32_t words[WORDS] = {0};
    assert_true(time_of(1000, 30, words).minimum > 4 * time_of(10, 30, words).p75);
}

static void at_least_thirty_launches_are_made(void **state)
{
    (void)state;
    uint32_t words[WORDS] = {0};
    assert_int_equal(time_of(1, 1, words).runs, 30);
}

/* A copy of 32 MiB finds its input in the L2 when the input is the same each time and the L2 is as large. The result
 * states when copies take turns with their inputs, and does not state it for small ones that cannot fill the cache. */
static void rotating_inputs_are_reported(void **state)
{
    (void)state;
    uint64_t const sizes[] = {256, UINT64_C(32) << 20};
    for (size_t i = 0; i < 2; i++) {
        struct arena arena = {0};
        struct ptx_module *module;
        struct error error;
        struct cuda_time time;
        void *data = calloc(1, sizes[i]);
        struct launch_buffer buffer = {.name = "out", .type = PTX_U8, .count = sizes[i], .data = data};
        struct launch_argument arguments[] = {{.is_buffer = true}, {.type = PTX_U32, .bits = 3}};
        struct launch const launch = {.kernel = "k",
                                      .grid = {1, 1, 1},
                                      .block = {32, 1, 1},
                                      .arguments = arguments,
                                      .argument_count = 2,
                                      .buffers = &buffer,
                                      .buffer_count = 1};
        struct cuda_timing const timing = {.runs = 30, .beyond_cache = true, .read_back = true};
        assert_true(ptx_parse(&arena, "test", count_text, strlen(count_text), &module, &error));
        assert_true(cuda_time_kernel(module, &launch, &timing, &time, &error));
        assert_true(time.input_sets > 1);
        assert_int_equal(time.beyond_cache, i == 1);
        assert_true(*(uint32_t *)data >= 3 && *(uint32_t *)data <= 35 * 3);
        free(data);
        arena_free(&arena);
    }
}

static void a_gpu_reports_its_properties(void **state)
{
    (void)state;
    struct cuda_device device;
    struct error error;
    assert_true(cuda_device(&device, &error));
    assert_true(device.name[0] && device.driver[0]);
    assert_true(device.major >= 3 && device.multiprocessors > 0 && device.clock_khz > 100000);
    assert_true(device.memory_bytes > 1 << 28 && device.shared_bytes_block >= 48 << 10 && device.l2_bytes > 0);
    assert_true(device.shared_bytes_block_optin >= device.shared_bytes_block && device.cuda >= 12000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quartiles_are_in_order_and_plausible), cmocka_unit_test(a_hundred_times_the_work_takes_longer),
        cmocka_unit_test(at_least_thirty_launches_are_made),    cmocka_unit_test(rotating_inputs_are_reported),
        cmocka_unit_test(a_gpu_reports_its_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
