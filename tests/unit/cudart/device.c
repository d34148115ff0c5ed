/* The device that a program sees on the emulator. The first test must be the first to ask about it. */
#include "cudart_helper.h"
#include "trace/limits.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

static char empty;

static int begin(void **state)
{
    (void)state;
    registered_kernel(registered(PTX_HEAD ".visible .entry empty()\n{\nret;\n}\n"), &empty, "empty");
    return 0;
}

static void the_first_question_about_shared_memory_has_the_answer_of_the_second(void **state)
{
    size_t first = 0, second = 0;
    (void)state;
    assert_int_equal(cudaOccupancyAvailableDynamicSMemPerBlock(&first, &empty, 1, 32), cudaSuccess);
    assert_int_equal(cudaOccupancyAvailableDynamicSMemPerBlock(&second, &empty, 1, 32), cudaSuccess);
    assert_int_equal(first, second);
    assert_int_equal(first, LAUNCH_SHARED_MAX);
}

static void the_shared_memory_that_is_available_lets_so_many_blocks_run(void **state)
{
    (void)state;
    for (int wanted = 1; wanted <= 32; wanted *= 2) {
        size_t size = 0;
        int blocks = 0;
        assert_int_equal(cudaOccupancyAvailableDynamicSMemPerBlock(&size, &empty, wanted, 64), cudaSuccess);
        assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &empty, 64, size), cudaSuccess);
        assert_true(blocks >= wanted);
        assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &empty, 64, size + 1024), cudaSuccess);
        assert_true(blocks < wanted || size + 1024 > LAUNCH_SHARED_MAX);
    }
}

static int attribute(int number)
{
    int value = -1;
    assert_int_equal(cudaDeviceGetAttribute(&value, number, 0), cudaSuccess);
    return value;
}

/* The members of cudaDeviceProp before the first that differs between CUDA 12 and 13. */
struct properties_begin {
    char name[256], uuid[16], luid[8];
    unsigned luid_mask;
    size_t memory, shared_per_block;
    int registers_per_block, warp;
    size_t pitch;
    int threads_per_block, block[3], grid[3];
};

static void properties_and_attributes_agree_in_both_layouts(void **state)
{
    static max_align_t layouts[2][1032 / sizeof(max_align_t) + 1];
    (void)state;
    assert_int_equal(cudaGetDeviceProperties_v2((void *)layouts[0], 0), cudaSuccess);
    assert_int_equal(cudaGetDeviceProperties((void *)layouts[1], 0), cudaSuccess);
    for (unsigned i = 0; i < 2; i++) {
        const struct properties_begin *p = (const void *)layouts[i];
        assert_non_null(strstr(p->name, "Lanescope emulator"));
        assert_int_equal(p->threads_per_block, attribute(1));
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(p->block[axis], attribute(2 + axis));
            assert_int_equal(p->grid[axis], attribute(5 + axis));
        }
        assert_int_equal(p->shared_per_block, attribute(8));
        assert_int_equal(p->warp, attribute(10));
        assert_int_equal(p->registers_per_block, attribute(12));
    }
}

static void there_is_one_device(void **state)
{
    int count = 0, value = 0;
    char bus[16];
    (void)state;
    assert_int_equal(cudaGetDeviceCount(&count), cudaSuccess);
    assert_int_equal(count, 1);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    assert_int_equal(cudaSetDevice(-1), cudaErrorInvalidDevice);
    assert_int_equal(cudaDeviceGetAttribute(&value, 1, 1), cudaErrorInvalidDevice);
    assert_int_equal(cudaDeviceGetAttribute(&value, 9999, 0), cudaErrorInvalidValue);
    assert_int_equal(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaSuccess);
    assert_int_equal(cudaDeviceGetByPCIBusId(&value, bus), cudaSuccess);
    assert_int_equal(value, 0);
    assert_int_equal(cudaDeviceGetByPCIBusId(&value, "0000:99:00.0"), cudaErrorInvalidDevice);
    assert_int_equal(cudaDeviceGetPCIBusId(bus, 12, 0), cudaErrorInvalidValue);
}

static void a_limit_is_kept(void **state)
{
    enum { HEAP = 2 };
    size_t bytes = 0;
    (void)state;
    assert_int_equal(cudaDeviceSetLimit(HEAP, 1 << 20), cudaSuccess);
    assert_int_equal(cudaDeviceGetLimit(&bytes, HEAP), cudaSuccess);
    assert_int_equal(bytes, 1 << 20);
    assert_int_equal(cudaDeviceGetLimit(&bytes, 99), cudaErrorInvalidValue);
    assert_int_equal(cudaDeviceSetLimit(-1, 1), cudaErrorInvalidValue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_question_about_shared_memory_has_the_answer_of_the_second),
        cmocka_unit_test(the_shared_memory_that_is_available_lets_so_many_blocks_run),
        cmocka_unit_test(properties_and_attributes_agree_in_both_layouts),
        cmocka_unit_test(there_is_one_device),
        cmocka_unit_test(a_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
