/* Launches at a limit of the hardware are taken, those one above it are refused, each for its own reason. */
#include "trace/limits.h"
#include <setjmp.h>
#include <stdarg.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static enum launch_refusal of_grid(uint32_t x, uint32_t y, uint32_t z)
{
    return launch_check(NULL, (uint32_t[]){x, y, z}, (uint32_t[]){1, 1, 1}, 0);
}

static enum launch_refusal of_block(uint32_t x, uint32_t y, uint32_t z)
{
    return launch_check(NULL, (uint32_t[]){1, 1, 1}, (uint32_t[]){x, y, z}, 0);
}

static enum launch_refusal of_kernel(const struct ptx_function *kernel, uint32_t threads, uint64_t dynamic_shared)
{
    return launch_check(kernel, (uint32_t[]){1, 1, 1}, (uint32_t[]){threads, 1, 1}, dynamic_shared);
}

static void a_shape_at_a_limit_fits_and_one_above_does_not(void **state)
{
    (void)state;
    assert_int_equal(of_block(1024, 1, 1), LAUNCH_FITS);
    assert_int_equal(of_block(1025, 1, 1), LAUNCH_THREADS);
    assert_int_equal(of_block(32, 32, 1), LAUNCH_FITS);
    assert_int_equal(of_block(32, 33, 1), LAUNCH_THREADS);
    assert_int_equal(of_block(16, 1, 64), LAUNCH_FITS);
    assert_int_equal(of_block(1, 1, 65), LAUNCH_BLOCK_Z);
    assert_int_equal(of_grid(INT32_MAX, 65535, 65535), LAUNCH_FITS);
    assert_int_equal(of_grid((uint32_t)INT32_MAX + 1, 1, 1), LAUNCH_GRID);
    assert_int_equal(of_grid(1, 65536, 1), LAUNCH_GRID);
    assert_int_equal(of_grid(1, 1, 65536), LAUNCH_GRID);
}

static void a_size_of_zero_is_empty_before_it_is_too_large(void **state)
{
    (void)state;
    assert_int_equal(of_grid(1, 0, 65536), LAUNCH_EMPTY);
    assert_int_equal(of_block(4096, 1, 0), LAUNCH_EMPTY);
}

static void threads_that_overflow_64_bits_are_too_many(void **state)
{
    (void)state;
    uint32_t const most = UINT32_MAX;
    assert_int_equal(of_block(1u << 22, 1u << 21, 1u << 21), LAUNCH_THREADS); /* 2^64 */
    assert_int_equal(of_block(most, most, most), LAUNCH_THREADS);
    assert_int_equal(of_grid(1u << 22, 1u << 21, 1u << 21), LAUNCH_GRID);
}

static void a_kernel_refuses_what_it_was_not_compiled_for(void **state)
{
    (void)state;
    struct ptx_function kernel = {.max_threads = {64, 2, 0}};
    assert_int_equal(of_kernel(&kernel, 128, 0), LAUNCH_FITS);
    assert_int_equal(of_kernel(&kernel, 129, 0), LAUNCH_BOUNDS);
    kernel = (struct ptx_function){.shared_bytes = 48 << 10};
    assert_int_equal(of_kernel(&kernel, 1, (227 - 48) << 10), LAUNCH_FITS);
    assert_int_equal(of_kernel(&kernel, 1, ((227 - 48) << 10) + 1), LAUNCH_SHARED);
    kernel.shared_bytes++;
    assert_int_equal(of_kernel(&kernel, 1, 0), LAUNCH_STATIC_SHARED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_at_a_limit_fits_and_one_above_does_not),
        cmocka_unit_test(a_size_of_zero_is_empty_before_it_is_too_large),
        cmocka_unit_test(threads_that_overflow_64_bits_are_too_many),
        cmocka_unit_test(a_kernel_refuses_what_it_was_not_compiled_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
