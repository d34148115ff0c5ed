#include "trace/sites.h"
#include "trace_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static struct trace_difference difference;

static bool differ(struct trace *a, struct trace *b)
{
    trace_compare(a, b, &difference);
    trace_free(a);
    trace_free(b);
    assert_true(difference.differ == (difference.text[0] != '\0'));
    return difference.differ;
}

static struct trace *sample(void)
{
    return sample_trace(SAMPLE_BUFFER, 0, false);
}

static void places_clocks_and_site_numbers_do_not_matter(void **state)
{
    (void)state;
    struct trace *other = sample_trace(0x7f0000000000, 1024, true);
    for (size_t i = 0; i < other->events.count; i++) {
        other->events.items[i].time = 900 - i;
        other->events.items[i].sm = 7;
    }
    trace_sort(other); /* the other way round; below, only each warp's own order is restored */
    struct trace *again = sample_trace(0x7f0000000000, 1024, true);
    for (size_t i = 0; i < again->events.count; i++) { /* warps one after another instead of in turns */
        struct trace_event *event = &again->events.items[i];
        event->time = (event->block * 2 + event->warp) * 1000 + i;
    }
    trace_sort(again);
    assert_false(differ(sample(), again));
    assert_true(differ(sample(), other));

    struct trace *renumbered = sample();
    struct trace_site *sites = arena_array(&renumbered->arena, struct trace_site, SITES + 1);
    memcpy(sites + 1, renumbered->sites, SITES * sizeof *sites);
    sites[0].text = "";
    for (size_t i = 0; i < renumbered->events.count; i++)
        if (renumbered->events.items[i].site != PTX_NO_INDEX)
            renumbered->events.items[i].site++;
    renumbered->sites = sites;
    renumbered->site_count = SITES + 1;
    assert_false(differ(sample(), renumbered));
}

/* Shuffles are compared as far as both traces have them: a trace of an earlier release has no site for them. */
static void shuffles_differ_by_their_sources_and_values(void **state)
{
    (void)state;
    struct trace *traces[6];
    for (size_t i = 0; i < 6; i++) {
        traces[i] = sample_trace(SAMPLE_BUFFER, 0, true);
        if (i != 3)
            sample_shuffle(traces[i], 1);
    }
    struct trace *source = traces[1], *value = traces[2], *old = traces[3];
    source->addresses.items[source->addresses.count - 2] ^= 1;
    value->values.items[value->values.count - 2] ^= 1;
    ((struct trace_site *)old->sites)[SITE_SHUFFLE].operation = TRACE_LOAD;
    assert_true(differ(traces[0], source));
    assert_non_null(strstr(difference.text, "shuffle at line 9"));
    assert_true(differ(traces[4], value));
    assert_false(differ(traces[5], old));
}

/* The registers of products are compared bit by bit, also where they look like an address of a buffer. */
static void products_differ_by_any_bit_of_their_registers(void **state)
{
    (void)state;
    struct trace *traces[8];
    for (size_t i = 0; i < 8; i++) {
        traces[i] = sample_trace(i == 4 ? SAMPLE_BUFFER + 256 : SAMPLE_BUFFER, 0, true);
        sample_product(traces[i], 1);
    }
    traces[1]->addresses.items[traces[1]->addresses.count - 2] ^= 1;
    traces[3]->values.items[traces[3]->values.count - 2] ^= 1;
    traces[4]->addresses.items[traces[4]->addresses.count - 2] = SAMPLE_BUFFER + 256;
    traces[5]->addresses.items[traces[5]->addresses.count - 2] = SAMPLE_BUFFER;
    ((struct trace_site *)traces[7]->sites)[SITE_PRODUCT].operation = TRACE_LOAD;
    assert_true(differ(traces[0], traces[1]));
    assert_non_null(strstr(difference.text, "matrix product at line 10"));
    assert_true(differ(traces[2], traces[3]));
    assert_true(differ(traces[4], traces[5]));
    assert_false(differ(traces[6], traces[7]));
}

static void the_first_differing_lane_is_reported_with_both_places(void **state)
{
    (void)state;
    struct trace *other = sample();
    other->addresses.items[other->events.items[0].lanes + 5] += 4;
    assert_true(differ(sample(), other));
    assert_string_equal(difference.text, "block 0, warp 0, event 1: ld.global of 4 B at line 3, mask ffffffff: lane 5 "
                                         "accesses in + 20 in the first trace, in + 24 in the second");
}

static void masks_branches_and_kinds_are_compared(void **state)
{
    (void)state;
    struct trace *other = sample();
    other->events.items[1].other = 0xf;
    assert_true(differ(sample(), other));
    assert_non_null(strstr(difference.text, "event 2: branch at line 4, mask ffffffff, taken aaaaaaaa in the first"));
    other = sample();
    other->events.items[2].mask = 1;
    assert_true(differ(sample(), other));
    assert_non_null(strstr(difference.text, "event 3: st.shared of 16 B at line 5"));
}

/* Makes the first load of each warp one from constant memory, or leaves those events out. */
static struct trace *sample_with_constants(bool recorded)
{
    struct trace *trace = sample();
    struct trace_site *sites = (struct trace_site *)trace->sites;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].site == SITE_LOAD && !recorded)
            trace->events.items[i].site = SITE_BRANCH, trace->events.items[i].kind = TRACE_RECONVERGE;
    if (recorded)
        sites[SITE_LOAD].space = PTX_SPACE_CONST;
    return trace;
}

static void loads_of_constants_are_compared_only_if_both_traces_record_them(void **state)
{
    (void)state;
    assert_false(differ(sample_with_constants(true), sample_with_constants(true)));
    assert_false(differ(sample_with_constants(true), sample_with_constants(false)));
    assert_false(differ(sample_with_constants(false), sample_with_constants(true)));
    struct trace *other = sample_with_constants(true);
    other->addresses.items[other->events.items[0].lanes + 5] += 4;
    assert_true(differ(sample_with_constants(true), other));
    assert_non_null(strstr(difference.text, "ld.const of 4 B at line 3"));
    struct trace *one = sample_with_constants(true), *two = sample_with_constants(false);
    two->events.items[two->events.count - 2].mask ^= 1; /* another difference is still found */
    assert_true(differ(one, two));
}

static void swap_events(struct trace *trace, size_t first, size_t second)
{
    struct trace_event const kept = trace->events.items[first];
    trace->events.items[first] = trace->events.items[second];
    trace->events.items[second] = kept;
}

static void order_matters_to_lanes_that_share_it(void **state)
{
    (void)state;
    struct trace *other = sample();
    swap_events(other, 2, 3); /* the two sides of the branch: no lane sees both */
    assert_false(differ(sample(), other));
    other = sample();
    swap_events(other, 0, 1); /* the load and the branch: every lane sees both */
    assert_true(differ(sample(), other));
    assert_non_null(strstr(difference.text, "event 1: ld.global of 4 B at line 3"));
    assert_non_null(strstr(difference.text, "branch at line 4"));
}

static void a_missing_event_is_reported_from_either_side(void **state)
{
    (void)state;
    struct trace *longer = sample();
    sample_access(longer, 1, 1, SITE_STORE, 1, SAMPLE_BUFFER, 0, false);
    assert_true(differ(sample(), longer));
    assert_string_equal(difference.text, "block 1, warp 1, event 7: only the second trace has it: st.global of 4 B at "
                                         "line 7, mask 00000001");
    longer = sample();
    sample_access(longer, 0, 0, SITE_STORE, 1, SAMPLE_BUFFER, 0, false);
    assert_true(differ(longer, sample()));
    assert_non_null(strstr(difference.text, "block 0, warp 0, event 7: only the first trace has it"));
}

/* The first event's lanes come in two groups; or one lane's address lies in no buffer on either side. */
static void known_kinds_of_differences_are_recognised(void **state)
{
    (void)state;
    struct trace *other = sample();
    struct trace_event half = other->events.items[0];
    uint64_t addresses[WARP_LANES];
    memcpy(addresses, trace_addresses(other, &half), sizeof addresses);
    assert_int_equal(half.kind, TRACE_ACCESS);
    other->events.items[0].mask = half.mask & 0xffff;
    half.mask &= 0xffff0000;
    trace_add(other, &half, addresses, NULL);
    trace_sort(other);
    assert_true(differ(sample(), other));
    assert_int_equal(difference.kind, TRACE_GROUPED);
    assert_non_null(trace_difference_word(difference.kind));

    struct trace *one = sample();
    other = sample();
    one->addresses.items[one->events.items[0].lanes + 5] = 0x111;
    other->addresses.items[other->events.items[0].lanes + 5] = 0x222;
    assert_true(differ(one, other));
    assert_int_equal(difference.kind, TRACE_OUTSIDE);

    other = sample();
    other->addresses.items[other->events.items[0].lanes + 5] += 4;
    assert_true(differ(sample(), other));
    assert_int_equal(difference.kind, TRACE_DIFFERENT);
    assert_null(trace_difference_word(difference.kind));
}

/* A table branch whose lanes reach it in two groups, each with its own lowest lane. */
static void a_table_branch_reached_in_groups_takes_the_same_path(void **state)
{
    (void)state;
    struct trace *traces[2] = {sample(), sample()};
    for (int i = 0; i < 2; i++) {
        struct trace_site *branch = (struct trace_site *)&traces[i]->sites[SITE_BRANCH];
        branch->text = "@%p1 brx.idx %r1, cases;";
        trace_sites_read(branch, 1);
    }
    struct trace *other = traces[1];
    size_t at = 0;
    while (other->events.items[at].kind != TRACE_BRANCH_TAKEN)
        at++;
    struct trace_event half = other->events.items[at];
    assert_true(half.mask == UINT32_MAX && half.other == 0xaaaaaaaa);
    other->events.items[at].mask = half.mask & 0xffff;
    other->events.items[at].other &= 0xffff;
    half.mask &= 0xffff0000;
    half.other = 0x55550000;
    trace_add(other, &half, NULL, NULL);
    trace_sort(other);
    assert_true(differ(traces[0], other));
    assert_int_equal(difference.kind, TRACE_GROUPED);
}

static struct trace *valued(void)
{
    return sample_trace(SAMPLE_BUFFER, 0, true);
}

/* Event 0 is a load with no event before it, event 2 the store after it, event 3 an atomic of the other lanes. */
static void values_are_compared_where_both_have_them(void **state)
{
    (void)state;
    struct trace *other = valued();
    other->values.items[other->events.items[0].lanes + 5] = 7;
    assert_false(differ(sample(), other));

    other = valued();
    other->values.items[other->events.items[0].lanes + 5] = 7;
    assert_true(differ(valued(), other));
    assert_string_equal(difference.text, "block 0, warp 0, event 1: ld.global of 4 B at line 3, mask ffffffff: "
                                         "lane 5 has the value 0x3ed in the first trace, 0x7 in the second");
    assert_int_equal(difference.kind, TRACE_VALUED);
    assert_non_null(trace_difference_word(difference.kind));

    other = valued();
    assert_int_equal(other->sites[other->events.items[3].site].operation, TRACE_ATOMIC);
    other->values.items[other->events.items[3].lanes + 1] = 7;
    assert_true(differ(valued(), other));
    assert_int_equal(difference.kind, TRACE_TIMED);

    other = valued(); /* a different address matters more than a different value */
    other->values.items[other->events.items[0].lanes + 5] = 7;
    other->addresses.items[other->events.items[2].lanes] += 4;
    assert_true(differ(valued(), other));
    assert_int_equal(difference.kind, TRACE_DIFFERENT);
}

/* The lanes that add to one count find other numbers in another order, which nobody sees if no instruction reads them.
 */
static void numbers_that_atomics_found_are_compared_only_where_they_are_read(void **state)
{
    (void)state;
    for (int unread = 0; unread < 2; unread++) {
        struct trace *a = valued(), *b = valued();
        ((struct trace_site *)a->sites)[SITE_GENERIC].unread = unread;
        ((struct trace_site *)b->sites)[SITE_GENERIC].unread = unread;
        for (size_t i = 0; i < b->events.count; i++)
            if (b->events.items[i].kind == TRACE_ACCESS && b->events.items[i].site == SITE_GENERIC)
                b->values.items[b->events.items[i].lanes + 1]++;
        assert_int_equal(differ(a, b), !unread);
    }
}

static void launches_must_be_the_same(void **state)
{
    (void)state;
    struct trace *other = sample();
    other->grid[0] = 3;
    assert_true(differ(sample(), other));
    assert_string_equal(difference.text, "the grids differ: 2 x 1 x 1 and 3 x 1 x 1 blocks");
    other = sample();
    other->lost = 5;
    assert_true(differ(sample(), other));
    assert_non_null(strstr(difference.text, "lost"));
}

static void only_blocks_that_both_recorded_are_compared(void **state)
{
    (void)state;
    struct trace *other = sample_empty(SAMPLE_BUFFER);
    other->recorded = (struct launch_blocks){1, 1};
    for (uint32_t warp = 0; warp < 2; warp++) {
        sample_warp(other, 1, warp, false);
        sample_end(other, 1, warp, false);
    }
    assert_false(differ(sample(), other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_clocks_and_site_numbers_do_not_matter),
        cmocka_unit_test(shuffles_differ_by_their_sources_and_values),
        cmocka_unit_test(products_differ_by_any_bit_of_their_registers),
        cmocka_unit_test(the_first_differing_lane_is_reported_with_both_places),
        cmocka_unit_test(masks_branches_and_kinds_are_compared),
        cmocka_unit_test(loads_of_constants_are_compared_only_if_both_traces_record_them),
        cmocka_unit_test(order_matters_to_lanes_that_share_it),
        cmocka_unit_test(a_missing_event_is_reported_from_either_side),
        cmocka_unit_test(known_kinds_of_differences_are_recognised),
        cmocka_unit_test(a_table_branch_reached_in_groups_takes_the_same_path),
        cmocka_unit_test(values_are_compared_where_both_have_them),
        cmocka_unit_test(numbers_that_atomics_found_are_compared_only_where_they_are_read),
        cmocka_unit_test(launches_must_be_the_same),
        cmocka_unit_test(only_blocks_that_both_recorded_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
