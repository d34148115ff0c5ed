/* Groups of cp.async: how long a wait holds its warp on the model clock, which events it makes, and reads of a copy
 * that nobody waited for. */
#include "emulator_helper.h"
#include "model/gpu.h"

enum { THREADS = 32, DRAM = 600 };
static const struct clock_figures figures = {"a GPU of round figures", false, 4, 20, 30, 200, DRAM, 40, 10};

/* Each thread copies two words into two buffers, in a group each, waits and reads the first buffer. */
#define KERNEL(wait)                                                                                                   \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                                                                  \
    ".visible .entry copies(.param .u64 out, .param .u64 in) {\n"                                                      \
    ".reg .b32 %r<6>; .reg .b64 %rd<6>; .shared .align 16 .b8 tiles[256];\n"                                           \
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd4, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, tiles;\n"                    \
    "mad.lo.u32 %r2, %r1, 4, %r2; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"                              \
    "cp.async.ca.shared.global [%r2], [%rd3], 4; cp.async.commit_group;\n"                                             \
    "cp.async.ca.shared.global [%r2+128], [%rd3+128], 4; cp.async.commit_group;\n"                                     \
    "cp.async." wait ";\n"                                                                                             \
    "ld.shared.u32 %r3, [%r2]; add.s64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r3; ret; }\n"

static void run_with(struct bench *b, const char *text)
{
    static int out[THREADS], in[2 * THREADS];
    bench_text(b, text);
    b->options = (struct emulator_options){
        .recorded = LAUNCH_ALL_BLOCKS, .threads = 1, .timer = clock_timer(&figures), .checks = {.races = true}};
    bench_launch(b, "copies", 1, THREADS);
    bench_buffer(b, PTX_S32, out, THREADS);
    bench_buffer(b, PTX_S32, in, 2 * THREADS);
    bench_run(b);
    assert_int_equal(trace_faults(b->result.trace), 0);
}

static const struct trace_event *event_of(const struct trace *trace, enum trace_kind kind, int nth)
{
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].kind == kind && nth-- == 0)
            return &trace->events.items[i];
    return NULL;
}

static void a_wait_lasts_until_the_groups_that_it_names_are_there(void **state)
{
    (void)state;
    static const char *const texts[] = {KERNEL("wait_group 0"), KERNEL("wait_group 1"), KERNEL("wait_group 2"),
                                        KERNEL("wait_all")};
    static const int groups[] = {2, 1, 0, 2}; /* that are waited for */
    for (int i = 0; i < 4; i++) {
        struct bench b;
        run_with(&b, texts[i]);
        const struct trace *trace = b.result.trace;
        const struct trace_event *wait = event_of(trace, TRACE_COPY_WAIT, 0);
        const struct trace_event *copy = groups[i] ? event_of(trace, TRACE_ACCESS, groups[i] - 1) : NULL;
        assert_non_null(wait);
        assert_int_equal(wait->time + wait->other, copy ? copy->time + copy->other : wait->time);
        bench_free(&b);
    }
}

static void a_copy_is_recorded_with_both_of_its_places(void **state)
{
    (void)state;
    struct bench b;
    run_with(&b, KERNEL("wait_group 0"));
    const struct trace *trace = b.result.trace;
    for (int nth = 0; nth < 2; nth++) {
        const struct trace_event *copy = event_of(trace, TRACE_ACCESS, nth), *to = event_of(trace, TRACE_COPY_TO, nth);
        assert_true(trace_is_copy(&trace->sites[copy->site], copy));
        assert_int_equal(to->site, copy->site);
        assert_int_equal(to->mask, UINT32_MAX);
        assert_int_equal(to->time, copy->time);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            assert_int_equal(trace_addresses(trace, to)[lane], trace->shared_base + 128 * (unsigned)nth + 4 * lane);
    }
    const struct trace_event *load = event_of(trace, TRACE_ACCESS, 2);
    assert_false(trace_is_copy(&trace->sites[load->site], load));
    bench_free(&b);
}

static void a_read_of_a_copy_in_flight_has_its_own_finding(void **state)
{
    (void)state;
    static const char *const texts[] = {KERNEL("wait_group 1"), KERNEL("wait_group 2")};
    for (int weak = 0; weak < 2; weak++) {
        struct bench b;
        run_with(&b, texts[weak]);
        const struct trace *trace = b.result.trace;
        assert_int_equal(trace_hazards(trace), weak);
        if (weak) {
            assert_int_equal(trace->findings[0].form, FINDING_RACING_COPY);
            assert_int_equal(trace->findings[0].kind, FINDING_RACE);
            assert_int_equal(trace->findings[0].race.order, FINDING_READ_AFTER_WRITE);
        }
        bench_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_lasts_until_the_groups_that_it_names_are_there),
        cmocka_unit_test(a_copy_is_recorded_with_both_of_its_places),
        cmocka_unit_test(a_read_of_a_copy_in_flight_has_its_own_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
