/* A branch that polls a barrier object's phase is recognised, and two runs that differ only in the number of polls get
 * that kind of difference. */
#include "trace/waits.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

/* Sites: 0 the branch of a wait, 1 one whose predicate passes through other registers, 2 a loop's own, 3 a load, 4 an
 * atomic. */
static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)\n{\n"
                           ".shared .align 8 .b64 object;\n.reg .pred %p<8>;\n.reg .b64 %rd<4>;\n.reg .b32 %r<8>;\n"
                           "ld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\n"
                           "FIRST: mbarrier.try_wait.parity.shared.b64 %p1, [object], %r1;\n"
                           "@!%p1 bra FIRST;\n"
                           "SECOND: mbarrier.test_wait.parity.shared.b64 %p2, [object], %r1;\n"
                           "selp.b32 %r2, 1, 0, %p2;\nand.b32 %r3, %r2, 255;\nsetp.eq.s32 %p3, %r3, 0;\n"
                           "@%p3 bra SECOND;\n"
                           "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p4, %r1, 2;\n"
                           "@%p4 bra FIRST;\n"
                           "ld.global.u32 %r4, [%rd1];\n"
                           "atom.global.add.u32 %r5, [%rd1], 1;\n"
                           "ret;\n}\n";
enum { WAIT, PASSED_ON, LOOP, LOAD, ATOMIC, SITES };

static struct trace *trace_of_text(struct arena *arena, const char *ptx)
{
    struct launch const launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct ptx_module *module;
    struct error error;
    if (!ptx_parse(arena, "test", ptx, strlen(ptx), &module, &error))
        fail_msg("%s", error.message);
    return trace_new(module, &launch);
}

static struct trace *trace_of_launch(struct arena *arena)
{
    struct trace *trace = trace_of_text(arena, text);
    assert_int_equal(trace->site_count, SITES);
    return trace;
}

static void polling_branches_are_recognised(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace *trace = trace_of_launch(&arena);
    assert_true(trace_waits(&trace->sites[WAIT]));
    assert_true(trace_waits(&trace->sites[PASSED_ON]));
    assert_false(trace_waits(&trace->sites[LOOP]));
    assert_false(trace_waits(&trace->sites[LOAD]));
    trace_free(trace);
    arena_free(&arena);
}

/* Through a predicated instruction, and as the second predicate of a comparison. */
static void a_wait_is_recognised_through_any_predicate(void **state)
{
    (void)state;
    static const char ways[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                               ".shared .align 8 .b64 object;\n.reg .pred %p<8>;\n.reg .b32 %r<8>;\n"
                               "GUARDED: mbarrier.test_wait.parity.shared.b64 %p1, [object], 0;\n"
                               "mov.u32 %r1, 0;\n@%p1 mov.u32 %r1, 1;\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra GUARDED;\n"
                               "SECOND: mbarrier.test_wait.parity.shared.b64 %p3, [object], 0;\n"
                               "selp.b32 %r2, 1, 0, %p3;\nsetp.ne.s32 %p4|%p5, %r2, 0;\n@%p5 bra SECOND;\n"
                               "mov.u32 %r3, %tid.x;\nsetp.ne.s32 %p6, %r3, 0;\n@%p6 bra LAST;\nLAST: ret;\n}\n";
    struct arena arena = {0};
    struct trace *trace = trace_of_text(&arena, ways);
    assert_int_equal(trace->site_count, 3);
    assert_true(trace_waits(&trace->sites[0]) && trace_waits(&trace->sites[1]));
    assert_false(trace_waits(&trace->sites[2]));
    trace_free(trace);
    arena_free(&arena);
}

/* Returns a trace with one letter per event: w, p, l the branches, a the load, x the atomic. */
static struct trace *trace_of(struct arena *arena, const char *events)
{
    struct trace *trace = trace_of_launch(arena);
    for (size_t i = 0; events[i]; i++) {
        bool const access = events[i] == 'a' || events[i] == 'x';
        struct trace_event const event = {.kind = access ? TRACE_ACCESS : TRACE_BRANCH_TAKEN,
                                          .site = events[i] == 'a'   ? LOAD
                                                  : events[i] == 'x' ? ATOMIC
                                                  : events[i] == 'w' ? WAIT
                                                  : events[i] == 'p' ? PASSED_ON
                                                                     : LOOP,
                                          .mask = 3,
                                          .time = i};
        uint64_t const addresses[WARP_LANES] = {(unsigned char)events[i], (unsigned char)events[i]};
        trace_add(trace, &event, access ? addresses : NULL, NULL);
    }
    return trace;
}

static void the_number_of_polls_is_a_kind_of_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *left, *right;
        enum trace_difference_kind kind;
    } cases[] = {
        {"wa", "wwwa", TRACE_POLLED},        {"awplwpla", "awplwwplppla", TRACE_POLLED},
        {"awpa", "awlpa", TRACE_POLLED}, /* one turn of a loop around the wait */
        {"wla", "wlla", TRACE_DIFFERENT},    {"la", "lla", TRACE_DIFFERENT},
        {"wa", "waa", TRACE_DIFFERENT},      {"wawa", "waa", TRACE_DIFFERENT},
        {"wxla", "wwxlla", TRACE_TIMED}, /* the atomic's result decides, after the wait */
        {"wlax", "wwllax", TRACE_DIFFERENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct trace *left = trace_of(&arena, cases[i].left), *right = trace_of(&arena, cases[i].right);
        struct trace_difference difference;
        trace_compare(left, right, &difference);
        assert_true(difference.differ);
        if (difference.kind != cases[i].kind)
            fail_msg("%s and %s: kind %d", cases[i].left, cases[i].right, difference.kind);
        trace_compare(left, left, &difference);
        assert_false(difference.differ);
        trace_free(left);
        trace_free(right);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polling_branches_are_recognised),
        cmocka_unit_test(a_wait_is_recognised_through_any_predicate),
        cmocka_unit_test(the_number_of_polls_is_a_kind_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
