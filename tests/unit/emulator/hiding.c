/* No access hides another: plain writes, atomics and plain reads of a place are kept apart, and of each class every
 * thread that nothing orders yet. Each race has a near miss beside it, where one thing orders the threads. */
#include "emulator_helper.h"
#include <stdio.h>

/* %r1 thread, %r3 lane, %r4 block; p0: thread 0; p1: the first warp; p2: thread 32; p3: thread 33; p4: lane 0. The
 * place is written # below, in shared or global memory; %r7 receives. */
static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".entry k(.param .u64 out, .param .u64 in) {\n"
                           " .reg .b32 %r<20>; .reg .b16 %h<4>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"
                           " .shared .align 16 .b8 all[64];\n"
                           " ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];\n"
                           " mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 31; mov.u32 %r4, %ctaid.x; mov.u16 %h1, 5;\n"
                           " setp.eq.u32 %p0, %r1, 0; setp.lt.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r1, 32;\n"
                           " setp.eq.u32 %p3, %r1, 33; setp.eq.u32 %p4, %r3, 0; setp.eq.u32 %p5, %r4, 0;\n"
                           " mov.u32 %r7, 0; mov.u32 %r5, 5; mov.u32 %r6, 6;\n";

static uint32_t races(const char *body, bool global, uint32_t blocks)
{
    char text[8192];
    static uint32_t in[256], out[256];
    uint32_t count = 0, unrecorded = 0;
    size_t length = (size_t)snprintf(text, sizeof text, "%s", head);
    for (const char *c = body; *c; c++) /* $: .shared or .global; #: the place */
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   *c == '$'   ? global ? ".global" : ".shared"
                                   : *c == '#' ? global ? "%%rd2" : "all"
                                               : "%c",
                                   *c);
    snprintf(text + length, sizeof text - length, "end: ret;\n}\n");
    for (int recorded = 0; recorded < 2; recorded++) {
        struct bench b;
        bench_text(&b, text);
        bench_mode(&b, CHECKED, 1);
        b.options.checks.memory = false;
        if (!recorded)
            b.options.recorded = (struct launch_blocks){1, 0};
        bench_launch(&b, "k", blocks, 64);
        bench_buffer(&b, PTX_U32, out, 256);
        bench_buffer(&b, PTX_U32, in, 256);
        bench_run(&b);
        assert_int_equal(trace_faults(b.result.trace), 0);
        count += trace_hazards(b.result.trace);
        unrecorded = recorded ? unrecorded : count;
        bench_free(&b);
    }
    assert_int_equal(unrecorded != 0, count != unrecorded); /* however a block runs, it is checked */
    return count;
}

static void expect_race(const char *body, bool global, uint32_t blocks)
{
    if (!races(body, global, blocks))
        fail_msg("no race in %s memory in\n%s", global ? "global" : "shared", body);
}

static void expect_none(const char *body, bool global, uint32_t blocks)
{
    uint32_t const count = races(body, global, blocks);
    if (count)
        fail_msg("%u races in %s memory in\n%s", count, global ? "global" : "shared", body);
}

#define IF(p, text) "{ @!" p " bra L" p "; " text "\nL" p ": }\n"
#define ONLY(p, text) " @" p " " text "\n"
#define STORE(value) "st$.u32 [#], " value ";"
#define LOAD "ld$.u32 %r7, [#];"
#define ADD "red$.add.u32 [#], %r5;"
#define BARRIER " bar.sync 0;\n"
#define WARP " bar.warp.sync 0xffffffff;\n"

/* Thread 0 writes, then every thread adds, thread 0 too. */
static void an_atomic_does_not_hide_the_plain_write_before_it(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        expect_race(ONLY("%p0", STORE("%r5")) ADD "\n", global, 1);
        expect_none(ONLY("%p0", STORE("%r5")) BARRIER ADD "\n", global, 1);
        expect_race(ONLY("%p0", STORE("%r5")) WARP ADD "\n", global, 1); /* the other warp */
        expect_none(ONLY("%p0", STORE("%r5")) WARP ONLY("%p1", ADD), global, 1);
        /* only lane 0 adds, before the other warp does */
        expect_race(ONLY("%p0", STORE("%r5")) ONLY("%p4", ADD), global, 1);
        expect_none(ONLY("%p0", STORE("%r5")) ONLY("%p0", ADD), global, 1);
    }
}

/* Thread 0 reads, then adds; the others only add. */
static void an_atomic_does_not_hide_the_plain_read_before_it(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        expect_race(ONLY("%p0", LOAD) ONLY("%p0", ADD) ONLY("%p2", ADD), global, 1);
        expect_none(ONLY("%p0", LOAD) ONLY("%p0", ADD) BARRIER ONLY("%p2", ADD), global, 1);
        expect_none(ONLY("%p0", LOAD) ONLY("%p0", ADD) BARRIER ADD "\n", global, 1);
    }
}

/* Both warps add; one waits for its own lanes and reads. */
static void an_atomic_does_not_hide_that_of_another_warp(void **state)
{
    (void)state;
    expect_race(ADD "\n" WARP ONLY("%p3", LOAD), false, 1);
    expect_race(ONLY("%p0", ADD) ONLY("%p2", ADD) WARP ONLY("%p3", LOAD), false, 1);
    expect_none(ONLY("%p2", ADD) WARP ONLY("%p3", LOAD), false, 1);
    expect_none(ADD "\n" BARRIER ONLY("%p3", LOAD), false, 1);
}

/* Both warps write 5, which is no race; one waits for its own lanes and writes 6, or adds. */
static void the_same_value_does_not_hide_that_of_another_warp(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        expect_none(STORE("%r5") "\n", global, 1);
        expect_none(STORE("%r5") "\n" WARP ONLY("%p3", STORE("%r5")), global, 1);
        expect_race(STORE("%r5") "\n" WARP ONLY("%p3", STORE("%r6")), global, 1);
        expect_race(STORE("%r5") "\n" WARP ONLY("%p3", ADD), global, 1);
        expect_none(STORE("%r5") "\n" BARRIER ONLY("%p3", STORE("%r6")), global, 1);
        expect_none(ONLY("%p2", STORE("%r5")) WARP ONLY("%p3", STORE("%r6")), global, 1);
    }
    /* the same by blocks */
    expect_none(STORE("%r5") "\n", true, 2);
    expect_race(STORE("%r5") "\n" BARRIER ONLY("%p0", STORE("%r6")), true, 2);
    expect_none(STORE("%r5") "\n" BARRIER ONLY("%p0", STORE("%r6")), true, 1);
}

/* All read; one waits for its own lanes, or its own block, and writes. */
static void a_read_does_not_hide_that_of_another_warp_or_block(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        expect_race(LOAD "\n" WARP ONLY("%p3", STORE("%r5")), global, 1);
        expect_race(LOAD "\n" ONLY("%p3", STORE("%r5")), global, 1);
        expect_none(LOAD "\n" BARRIER ONLY("%p3", STORE("%r5")), global, 1);
        expect_none(ONLY("%p2", LOAD) WARP ONLY("%p3", STORE("%r5")), global, 1);
    }
    /* every block reads twice with two threads; the last one writes behind its barrier */
    expect_race(LOAD "\n" LOAD "\n" BARRIER
                     " setp.eq.u32 %p6, %r4, 1; and.pred %p6, %p6, %p0;\n" ONLY("%p6", STORE("%r5")),
                true, 2);
    expect_none(" setp.eq.u32 %p6, %r4, 1; @!%p6 bra end;\n" LOAD "\n" BARRIER ONLY("%p0", STORE("%r5")), true, 2);
}

/* A volatile read is no plain one, and hides none. */
static void a_volatile_read_does_not_hide_a_plain_one(void **state)
{
    (void)state;
    expect_race(ONLY("%p0", LOAD) ONLY("%p0", "ld.volatile$.u32 %r7, [#];") ONLY("%p3", ADD), true, 1);
    expect_none(ONLY("%p0", LOAD) ONLY("%p0", "ld.volatile$.u32 %r7, [#];") BARRIER ONLY("%p3", ADD), true, 1);
}

/* Each thread its own byte; then another reads one of them, whichever of the word. */
static void a_byte_does_not_hide_another_of_its_word(void **state)
{
    (void)state;
    static const char format[] = " cvt.u64.u32 %%rd3, %%r3; mov.u64 %%rd4, #; add.u64 %%rd4, %%rd4, %%rd3;\n"
                                 " @%%p1 st$.u8 [%%rd4], %%h1;\n%s @%%p3 ld$.u8 %%h2, [#+%d];\n";
    for (int global = 0; global < 2; global++)
        for (int byte = 0; byte < 5; byte++) {
            char body[600];
            snprintf(body, sizeof body, format, "", byte);
            expect_race(body, global, 1);
            snprintf(body, sizeof body, format, BARRIER, byte);
            expect_none(body, global, 1);
            snprintf(body, sizeof body, format, "", 32 + byte);
            expect_none(body, global, 1);
        }
    /* halves, whole words and bytes of one place */
    for (int global = 0; global < 2; global++) {
        expect_race(ONLY("%p0", STORE("%r5")) ONLY("%p3", "st$.u16 [#+2], %h1;"), global, 1);
        expect_race(ONLY("%p0", "st$.u16 [#], %h1;") ONLY("%p2", "st$.u16 [#+2], %h1;") ONLY("%p3", LOAD), global, 1);
        expect_none(ONLY("%p0", "st$.u16 [#], %h1;") ONLY("%p2", "st$.u16 [#+2], %h1;"), global, 1);
        expect_race(ONLY("%p0", STORE("%r5")) ONLY("%p0", "st$.u8 [#+3], %h1;") ONLY("%p2", "ld$.u8 %h2, [#+1];"),
                    global, 1);
    }
}

/* A line of words is kept as one. The second warp accesses its upper half; the first one then waits for its own lanes
 * and accesses three quarters, from a word on where a lane of the second warp before its first would be. */
static void the_place_of_a_word_in_its_line_does_not_make_another_warp_ones_own(void **state)
{
    static const char *const accesses[] = {"st.global.u32 [%rd4], %r1;", "ld.global.u32 %r7, [%rd4];"};
    (void)state;
    for (int load = 0; load < 2; load++) {
        char body[1024];
        for (int synchronised = 0; synchronised < 2; synchronised++) {
            snprintf(body, sizeof body,
                     " mul.wide.u32 %%rd3, %%r3, 4; add.u64 %%rd3, %%rd3, %%rd2; setp.lt.u32 %%p6, %%r3, 16;\n"
                     " not.pred %%p7, %%p1; and.pred %%p7, %%p7, %%p6; setp.lt.u32 %%p6, %%r3, 24; and.pred %%p8, "
                     "%%p6, %%p1;\n"
                     " add.u64 %%rd4, %%rd3, 64;\n" BARRIER "{ @!%%p7 bra L1; %s\nL1: }\n"
                     "%s" WARP " add.u64 %%rd4, %%rd3, 32;\n"
                     "{ @!%%p8 bra L2; %s\nL2: }\n",
                     accesses[load], synchronised ? BARRIER : "", accesses[!load]);
            (synchronised ? expect_none : expect_race)(body, true, 1);
        }
    }
}

/* Returns how many races there are when a buffer begins some bytes behind a multiple of 256. */
static uint32_t races_of_buffer_at(unsigned place, bool follow, const char *body)
{
    char text[4096];
    static uint32_t in[256];
    struct bench b;
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 in) {\n .reg .pred %%p; .reg .b32 "
             "%%t, %%v, %%w; .reg .b64 %%a, %%b;\n ld.param.u64 %%a, [in]; mov.u32 %%t, %%tid.x;\n%s ret;\n}\n",
             body);
    bench_text(&b, text);
    b.options = (struct emulator_options){.recorded = {1, 0}, .threads = 1, .follow = follow, .checks.races = true};
    bench_launch(&b, "k", 1, 64);
    bench_buffer(&b, PTX_U8, in, sizeof in - 16);
    b.buffers[0].address = EMULATOR_PLACED_BASE + place;
    bench_run(&b);
    assert_int_equal(trace_faults(b.result.trace), 0);
    uint32_t const count = trace_hazards(b.result.trace);
    bench_free(&b);
    return count;
}

static void words_lie_across_those_of_a_buffer_that_begins_anywhere(void **state)
{
    /* each thread writes a word, and the second one a byte of the first one's */
    static const char byte[] = " mul.wide.u32 %b, %t, 4; add.u64 %b, %b, %a; st.global.u32 [%b+3], %t;\n"
                               " setp.eq.u32 %p, %t, 1; @%p st.global.u8 [%a+4], %t;\n";
    /* each thread writes 16 bytes (of the first warp), and then reads its own */
    static const char four[] = " setp.ge.u32 %p, %t, 32; @%p ret; mul.wide.u32 %b, %t, 16; add.u64 %b, %b, %a;\n"
                               " st.global.v4.u32 [%b+12], {%t, %t, %t, %t};\n"
                               " ld.global.u32 %v, [%b+12]; ld.global.u32 %v, [%b+24];\n";
    (void)state;
    for (int follow = 0; follow < 2; follow++) {
        assert_int_equal(races_of_buffer_at(1, follow, byte), 1);
        assert_int_equal(races_of_buffer_at(4, follow, four), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_lie_across_those_of_a_buffer_that_begins_anywhere),
        cmocka_unit_test(the_place_of_a_word_in_its_line_does_not_make_another_warp_ones_own),
        cmocka_unit_test(an_atomic_does_not_hide_the_plain_write_before_it),
        cmocka_unit_test(an_atomic_does_not_hide_the_plain_read_before_it),
        cmocka_unit_test(an_atomic_does_not_hide_that_of_another_warp),
        cmocka_unit_test(the_same_value_does_not_hide_that_of_another_warp),
        cmocka_unit_test(a_read_does_not_hide_that_of_another_warp_or_block),
        cmocka_unit_test(a_volatile_read_does_not_hide_a_plain_one),
        cmocka_unit_test(a_byte_does_not_hide_another_of_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
