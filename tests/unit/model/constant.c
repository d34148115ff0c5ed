/* The model of constant memory against counts by hand and against a count of different addresses. */
#include "model/constant.h"
#include "model_random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static uint32_t passes_of(uint32_t mask, uint32_t bytes, uint64_t stride)
{
    uint64_t addresses[WARP_LANES];
    uint32_t ideal;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = 4096 + stride * lane;
    return model_constant_passes(addresses, mask, bytes, &ideal);
}

static void one_address_is_one_pass_and_thirty_two_are_thirty_two(void **state)
{
    (void)state;
    assert_int_equal(passes_of(UINT32_MAX, 4, 0), 1);
    assert_int_equal(passes_of(UINT32_MAX, 4, 4), 32);
    assert_int_equal(passes_of(UINT32_MAX, 4, 64), 32);
    assert_int_equal(passes_of(0xff, 4, 4), 8);
    assert_int_equal(passes_of(0, 4, 4), 0);
}

static void bytes_of_one_word_are_passes_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(passes_of(UINT32_MAX, 1, 1), 32);
    assert_int_equal(passes_of(0xf, 1, 1), 4);
}

static void sixteen_bytes_are_two_loads_of_eight(void **state)
{
    (void)state;
    assert_int_equal(passes_of(UINT32_MAX, 8, 0), 1);
    assert_int_equal(passes_of(UINT32_MAX, 16, 0), 2);
    assert_int_equal(passes_of(UINT32_MAX, 16, 16), 64);
    assert_int_equal(passes_of(1, 16, 16), 2);
}

static void the_list_holds_each_lane_once_for_each_half(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        uint64_t addresses[WARP_LANES];
        uint32_t const bytes = 1u << random_next(&random) % 5, mask = random_warp(&random, bytes, 0, addresses);
        uint32_t ideal, lanes[2] = {0}, different = 0;
        struct constant_passes whole;
        model_constant(addresses, mask, bytes, &whole);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            bool first = mask >> lane & 1;
            for (unsigned before = 0; before < lane; before++)
                first = first && !((mask >> before & 1) && addresses[before] == addresses[lane]);
            different += first;
        }
        assert_int_equal(whole.addresses, different);
        assert_int_equal(whole.passes, different * (bytes == 16 ? 2 : 1));
        assert_int_equal(model_constant_passes(addresses, mask, bytes, &ideal), whole.passes);
        assert_int_equal(ideal, whole.passes_ideal);
        for (uint32_t pass = 0; pass < whole.passes; pass++) {
            uint32_t *half = &lanes[pass >= whole.addresses];
            assert_int_equal(*half & whole.list[pass].lanes, 0);
            *half |= whole.list[pass].lanes;
            uint64_t const at = whole.list[pass].address - (pass >= whole.addresses ? CONSTANT_BYTES : 0);
            assert_true(addresses[__builtin_ctz(whole.list[pass].lanes)] == at);
        }
        assert_int_equal(lanes[0], mask);
        assert_int_equal(lanes[1], bytes == 16 ? mask : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_address_is_one_pass_and_thirty_two_are_thirty_two),
        cmocka_unit_test(bytes_of_one_word_are_passes_of_their_own),
        cmocka_unit_test(sixteen_bytes_are_two_loads_of_eight),
        cmocka_unit_test(the_list_holds_each_lane_once_for_each_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
