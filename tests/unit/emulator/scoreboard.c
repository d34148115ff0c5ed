/* The scoreboard: a warp goes on after a load, and waits where an instruction names the register. */
#include "emulator_helper.h"
#include "model/gpu.h"
#include "model/overlap.h"
#include <glob.h>
#include <stdio.h>

enum { INSTRUCTION = 4, SHARED = 20, L1 = 30, L2 = 200, DRAM = 600, FLOATS = 1 << 16 };
static const struct clock_figures figures = {
    "a GPU of round figures", false, INSTRUCTION, SHARED, L1, L2, DRAM, 40, 10};

/* Runs instructions in which %rd1 is the buffer, each lane at its own float, and %p1 holds for no lane. */
static void run(struct bench *b, uint32_t threads, const char *body)
{
    static float data[FLOATS];
    char text[2000];
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_70\n.address_size 64\n"
             ".visible .entry k(.param .u64 in) {\n"
             ".reg .pred %%p<3>; .reg .f32 %%f<9>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>;\n"
             ".shared .align 4 .b8 tile[4096];\n"
             "ld.param.u64 %%rd1, [in]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 4;\n"
             "add.s64 %%rd1, %%rd1, %%rd2; mov.u32 %%r2, tile; setp.gt.u32 %%p1, %%r1, 2000;\n"
             "%s ret; }\n",
             body);
    bench_text(b, text);
    b->options = (struct emulator_options){.recorded = LAUNCH_ALL_BLOCKS, .threads = 1, .timer = clock_timer(&figures)};
    bench_launch(b, "k", 1, threads);
    memset(data, 0, sizeof data);
    bench_buffer(b, PTX_F32, data, FLOATS);
    bench_run_clean(b);
}

/* Returns the n-th event of a kind, from 0; NULL: there are fewer. */
static const struct trace_event *event_of(const struct bench *b, enum trace_kind kind, unsigned n)
{
    const struct trace *trace = b->result.trace;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].kind == kind && n-- == 0)
            return &trace->events.items[i];
    return NULL;
}

static uint64_t there(const struct trace_event *access)
{
    return access->time + access->other;
}

static void assert_waits(const struct bench *b, unsigned n, const struct trace_event *access)
{
    const struct trace_event *wait = event_of(b, TRACE_LOAD_WAIT, n);
    assert_non_null(wait);
    assert_int_equal(wait->site, access->site);
    assert_int_equal(wait->time + wait->other, there(access));
    assert_true(wait->other > 0);
}

static void assert_no_wait(const struct bench *b, unsigned n)
{
    assert_null(event_of(b, TRACE_LOAD_WAIT, n));
}

static void two_independent_loads_are_on_their_way_together(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32,
        "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4096]; add.f32 %f3, %f1, %f2;"
        "st.global.f32 [%rd1], %f3;");
    const struct trace_event *first = event_of(&b, TRACE_ACCESS, 0), *second = event_of(&b, TRACE_ACCESS, 1);
    assert_int_equal(first->other, DRAM);
    assert_int_equal(second->time, first->time + INSTRUCTION);
    assert_waits(&b, 0, second); /* the sum needs both: the later one decides */
    assert_no_wait(&b, 1);
    assert_int_equal(event_of(&b, TRACE_ACCESS, 2)->time, there(second) + INSTRUCTION);
    bench_free(&b);
}

static void instructions_before_the_first_use_do_not_wait(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32,
        "ld.global.f32 %f1, [%rd1]; mov.f32 %f2, 0f3f800000; add.f32 %f3, %f2, %f2; st.global.f32 [%rd1+4096], %f3;"
        "add.f32 %f4, %f1, %f1;");
    const struct trace_event *load = event_of(&b, TRACE_ACCESS, 0), *store = event_of(&b, TRACE_ACCESS, 1);
    assert_int_equal(store->time, load->time + 3 * INSTRUCTION);
    assert_waits(&b, 0, load);
    assert_int_equal(event_of(&b, TRACE_LOAD_WAIT, 0)->time, load->time + 4 * INSTRUCTION);
    bench_free(&b);
}

static void a_register_on_its_way_is_not_written_meanwhile(void **state)
{
    static const char *const writes[] = {"mov.f32 %f1, 0f00000000;", "ld.global.f32 %f1, [%rd1+4096];"};
    (void)state;
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        struct bench b;
        char body[200];
        snprintf(body, sizeof body, "ld.global.f32 %%f1, [%%rd1]; %s", writes[i]);
        run(&b, 32, body);
        assert_waits(&b, 0, event_of(&b, TRACE_ACCESS, 0));
        bench_free(&b);
    }
}

static void a_store_waits_for_the_value_that_it_stores(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32, "ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd1+4096], %f1;");
    assert_waits(&b, 0, event_of(&b, TRACE_ACCESS, 0));
    assert_int_equal(event_of(&b, TRACE_ACCESS, 1)->time, there(event_of(&b, TRACE_ACCESS, 0)));
    bench_free(&b);
}

static void an_address_waits_for_its_value(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32,
        "ld.global.u32 %r3, [%rd1]; cvt.u64.u32 %rd3, %r3; ld.shared.u32 %r4, [%r2]; add.s64 %rd4, %rd1, %rd3;"
        "ld.global.f32 %f1, [%rd4]; add.s64 %rd5, %rd1, %rd2; ld.global.v2.f32 {%f2, %f3}, [%rd5]; mov.f32 %f4, %f3;");
    assert_waits(&b, 0, event_of(&b, TRACE_ACCESS, 0));
    assert_waits(&b, 1, event_of(&b, TRACE_ACCESS, 3)); /* the second element of a vector */
    assert_no_wait(&b, 2);
    bench_free(&b);
}

static void a_load_that_no_lane_makes_is_not_waited_for(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32, "@%p1 ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;");
    assert_null(event_of(&b, TRACE_ACCESS, 0));
    assert_no_wait(&b, 0);
    bench_free(&b);
    run(&b, 32, "@!%p1 ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;");
    assert_waits(&b, 0, event_of(&b, TRACE_ACCESS, 0));
    bench_free(&b);
    /* the machine looks at the registers before it looks at the predicate */
    run(&b, 32, "ld.global.f32 %f1, [%rd1]; @%p1 add.f32 %f2, %f1, %f1;");
    assert_waits(&b, 0, event_of(&b, TRACE_ACCESS, 0));
    bench_free(&b);
}

static void a_predicated_load_waits_once_and_not_for_itself(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32, "setp.gt.u32 %p2, %r1, 15; @%p2 ld.global.f32 %f1, [%rd1]; mov.f32 %f2, 0f00000000;");
    assert_int_equal(event_of(&b, TRACE_ACCESS, 0)->mask, 0xffff0000);
    assert_no_wait(&b, 0);
    bench_free(&b);
}

static void loads_stay_on_their_way_across_a_barrier(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 64, "ld.global.f32 %f1, [%rd1]; bar.sync 0; add.f32 %f2, %f1, %f1;");
    for (unsigned warp = 0; warp < 2; warp++) {
        const struct trace_event *load = event_of(&b, TRACE_ACCESS, warp);
        assert_true(event_of(&b, TRACE_BARRIER_RELEASE, warp)->time < there(load));
        assert_waits(&b, warp, load);
    }
    bench_free(&b);
}

static void an_atomic_is_waited_for_where_its_result_is_used(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32, "atom.global.add.u32 %r3, [%rd1], 7; mov.u32 %r4, 1; add.u32 %r5, %r3, %r4;");
    assert_waits(&b, 0, event_of(&b, TRACE_ACCESS, 0));
    /* four sectors: three further passes */
    assert_int_equal(event_of(&b, TRACE_LOAD_WAIT, 0)->time, event_of(&b, TRACE_ACCESS, 0)->time + 3 + 2 * INSTRUCTION);
    bench_free(&b);
    static const char *const without[] = {"red.global.add.u32 [%rd1], 7; mov.u32 %r4, 1; add.u32 %r5, %r4, %r4;",
                                          "atom.global.add.u32 %r3, [%rd1], 7; add.u32 %r5, %r1, %r1;"};
    for (unsigned i = 0; i < 2; i++) {
        run(&b, 32, without[i]);
        assert_non_null(event_of(&b, TRACE_ACCESS, 0));
        assert_no_wait(&b, 0);
        bench_free(&b);
    }
}

static void shared_memory_is_waited_for_as_well(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32, "ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4]; add.f32 %f3, %f1, %f2;");
    assert_int_equal(event_of(&b, TRACE_ACCESS, 1)->time, event_of(&b, TRACE_ACCESS, 0)->time + INSTRUCTION);
    assert_int_equal(event_of(&b, TRACE_ACCESS, 1)->other, SHARED);
    assert_waits(&b, 0, event_of(&b, TRACE_ACCESS, 1));
    bench_free(&b);
}

/* 32 chunks: 31 further passes. The next access of the warp comes behind them, and so does its next instruction. */
static void an_access_holds_its_warp_until_its_passes_are_in_the_pipe(void **state)
{
    struct bench b;
    (void)state;
    run(&b, 32,
        "mul.wide.u32 %rd3, %r1, 128; add.s64 %rd3, %rd1, %rd3; ld.global.f32 %f1, [%rd3];"
        "ld.global.f32 %f2, [%rd1+65536];");
    assert_int_equal(event_of(&b, TRACE_ACCESS, 0)->other, DRAM + 31);
    assert_int_equal(event_of(&b, TRACE_ACCESS, 1)->time, event_of(&b, TRACE_ACCESS, 0)->time + 31 + INSTRUCTION);
    bench_free(&b);
}

/* Each warp of the lesson's kernel has all its loads on their way at once, as far as the picture has lines. */
static void the_copies_of_the_occupancy_lesson_overlap_their_loads(void **state)
{
    glob_t files;
    unsigned seen = 0;
    (void)state;
    assert_int_equal(glob("../assets/ptx/occupancy.*.ptx", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        static float in[256 * 64], out[256 * 64];
        struct bench b;
        bench_file(&b, files.gl_pathv[i]);
        b.options =
            (struct emulator_options){.recorded = LAUNCH_ALL_BLOCKS, .threads = 1, .timer = clock_timer(&figures)};
        bench_launch(&b, "occupancy_copy", 1, 256);
        bench_buffer(&b, PTX_F32, out, 256 * 64);
        bench_buffer(&b, PTX_F32, in, 256 * 64);
        bench_run_clean(&b);
        unsigned loads = 0;
        for (unsigned n = 0; event_of(&b, TRACE_ACCESS, n); n++)
            loads += b.result.trace->sites[event_of(&b, TRACE_ACCESS, n)->site].operation == TRACE_LOAD;
        loads /= 8; /* of each warp */
        assert_int_equal(timeline_new(&b.arena, b.result.trace, 0)->lines,
                         loads < TIMELINE_LINES ? loads : TIMELINE_LINES);
        seen |= loads;
        bench_free(&b);
    }
    globfree(&files);
    assert_int_equal(seen, 127); /* 1, 2, 4 ... 64 floats a thread */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_independent_loads_are_on_their_way_together),
        cmocka_unit_test(instructions_before_the_first_use_do_not_wait),
        cmocka_unit_test(a_register_on_its_way_is_not_written_meanwhile),
        cmocka_unit_test(a_store_waits_for_the_value_that_it_stores),
        cmocka_unit_test(an_address_waits_for_its_value),
        cmocka_unit_test(a_load_that_no_lane_makes_is_not_waited_for),
        cmocka_unit_test(a_predicated_load_waits_once_and_not_for_itself),
        cmocka_unit_test(loads_stay_on_their_way_across_a_barrier),
        cmocka_unit_test(an_atomic_is_waited_for_where_its_result_is_used),
        cmocka_unit_test(shared_memory_is_waited_for_as_well),
        cmocka_unit_test(an_access_holds_its_warp_until_its_passes_are_in_the_pipe),
        cmocka_unit_test(the_copies_of_the_occupancy_lesson_overlap_their_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
