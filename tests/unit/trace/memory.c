#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static void sites_describe_their_instructions(void **state)
{
    (void)state;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    assert_int_equal(trace->site_count, SITES);
    assert_int_equal(trace->sites[SITE_LOAD].operation, TRACE_LOAD);
    assert_int_equal(trace->sites[SITE_LOAD].bytes, 4);
    assert_int_equal(trace->sites[SITE_LOAD].line, 3);
    assert_string_equal(trace->sites[SITE_LOAD].text, "ld.global.f32 %f1, [%rd1]");
    assert_int_equal(trace->sites[SITE_SHARED].operation, TRACE_STORE);
    assert_int_equal(trace->sites[SITE_SHARED].space, PTX_SPACE_SHARED);
    assert_int_equal(trace->sites[SITE_SHARED].bytes, 16);
    assert_int_equal(trace->sites[SITE_BARRIER].operation, TRACE_BARRIER);
    assert_int_equal(trace->sites[SITE_BRANCH].operation, TRACE_BRANCH);
    assert_int_equal(trace->sites[SITE_GENERIC].operation, TRACE_ATOMIC);
    assert_int_equal(trace->shared_bytes, 2048);
    trace_free(trace);
}

static void addresses_of_masked_lanes_read_as_zero(void **state)
{
    (void)state;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_access(trace, 0, 0, SITE_LOAD, 0x5, 0x100, 4, true);
    const struct trace_event *event = &trace->events.items[0];
    assert_int_equal(trace_addresses(trace, event)[0], 0x100);
    assert_int_equal(trace_addresses(trace, event)[1], 0);
    assert_int_equal(trace_addresses(trace, event)[2], 0x108);
    assert_int_equal(trace_values(trace, event)[2], 1002);
    assert_int_equal(trace_values(trace, event)[3], 0);
    trace_free(trace);
}

static void values_stay_beside_their_addresses(void **state)
{
    (void)state;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    sample_access(trace, 0, 0, SITE_LOAD, 1, 0x100, 4, false);
    assert_null(trace_values(trace, &trace->events.items[0]));
    sample_access(trace, 0, 0, SITE_LOAD, 1, 0x200, 4, true);
    sample_access(trace, 0, 0, SITE_LOAD, 1, 0x300, 4, false);
    assert_int_equal(trace_values(trace, &trace->events.items[0])[0], 0);
    assert_int_equal(trace_values(trace, &trace->events.items[1])[0], 1000);
    assert_int_equal(trace->values.count, trace->addresses.count);
    trace_free(trace);
}

static void sorting_keeps_a_warps_own_order(void **state)
{
    (void)state;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    static const struct {
        uint64_t time, block;
        uint32_t warp, other;
    } given[] = {{5, 1, 0, 5}, {1, 0, 1, 2}, {1, 0, 0, 0}, {1, 1, 0, 4}, {1, 0, 1, 3}, {1, 0, 0, 1}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct trace_event const event = {.kind = TRACE_BRANCH_TAKEN,
                                          .site = SITE_BRANCH,
                                          .time = given[i].time,
                                          .block = given[i].block,
                                          .warp = given[i].warp,
                                          .other = given[i].other};
        trace_add(trace, &event, NULL, NULL);
    }
    trace_sort(trace);
    for (uint32_t i = 0; i < trace->events.count; i++)
        assert_int_equal(trace->events.items[i].other, i);
    trace_free(trace);
}

static void an_address_names_its_buffer_and_element(void **state)
{
    (void)state;
    struct trace *trace = sample_empty(SAMPLE_BUFFER);
    uint64_t element = 0;
    assert_ptr_equal(trace_find_buffer(trace, SAMPLE_BUFFER + 4 * 7 + 3, &element), &trace->buffers[0]);
    assert_int_equal(element, 7);
    assert_non_null(trace_find_buffer(trace, SAMPLE_BUFFER + 4 * SAMPLE_ELEMENTS - 1, NULL));
    assert_null(trace_find_buffer(trace, SAMPLE_BUFFER + 4 * SAMPLE_ELEMENTS, NULL));
    assert_null(trace_find_buffer(trace, SAMPLE_BUFFER - 1, NULL));
    trace_free(trace);
}

static void a_stride_is_found_across_masked_lanes(void **state)
{
    (void)state;
    uint64_t lanes[WARP_LANES] = {0};
    int64_t stride = 1;
    lanes[3] = 1000;
    assert_true(trace_stride(lanes, 1u << 3, &stride));
    assert_int_equal(stride, 0);
    lanes[5] = 992;
    lanes[9] = 976;
    assert_true(trace_stride(lanes, 1u << 3 | 1u << 5 | 1u << 9, &stride));
    assert_int_equal(stride, -4);
    lanes[9] = 977;
    assert_false(trace_stride(lanes, 1u << 3 | 1u << 5 | 1u << 9, &stride));
    lanes[5] = 991; /* not a whole number of bytes per lane */
    assert_false(trace_stride(lanes, 1u << 3 | 1u << 5, &stride));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_describe_their_instructions),
        cmocka_unit_test(addresses_of_masked_lanes_read_as_zero),
        cmocka_unit_test(values_stay_beside_their_addresses),
        cmocka_unit_test(sorting_keeps_a_warps_own_order),
        cmocka_unit_test(an_address_names_its_buffer_and_element),
        cmocka_unit_test(a_stride_is_found_across_masked_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
