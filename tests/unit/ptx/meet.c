/* Where lanes may be brought together again, and where not and why: each case is one small kernel, and the expectation
 * names its instructions by number. */
#include "ptx/meet.h"
#include "base/arena.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

static const char *const state_names[] = {
    [PTX_MEETING] = "meet",           [PTX_MEETING_QUIET] = "quiet",         [PTX_MEETING_WAITS] = "waits",
    [PTX_MEETING_POLLS] = "polls",    [PTX_MEETING_RETURNS] = "returns",     [PTX_MEETING_UNKNOWN] = "unknown",
    [PTX_MEETING_RECURSES] = "twice", [PTX_MEETING_IRREDUCIBLE] = "two ways"};

#define FUNCTIONS                                                                                                      \
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"                                           \
    ".extern .func elsewhere();\n"                                                                                     \
    ".global .u32 flag;\n.global .u64 wide;\n.shared .u64 object;\n"                                                   \
    ".func loads() { .reg .b32 %r<9>; .reg .b64 %d<9>; mov.u64 %d1, flag; ld.global.u32 %r1, [%d1]; ret; }\n"          \
    ".func waits() { bar.sync 0; ret; }\n"                                                                             \
    ".func polls() { .reg .pred %p<9>; .reg .b32 %r<9>;\n"                                                             \
    "  L: ld.volatile.global.u32 %r1, [flag]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L; ret; }\n"                           \
    ".func once() { .reg .pred %p<9>; .reg .b32 %r<9>; @%p1 bra E; ld.global.u32 %r1, [flag]; call once; E: ret; }\n"  \
    ".func twice() { .reg .pred %p<9>; .reg .b32 %r<9>; @%p1 bra E; ld.global.u32 %r1, [flag]; call twice;\n"          \
    "  call twice; E: ret; }\n"                                                                                        \
    ".func outer() { call twice; ret; }\n"

static const struct ptx_module *parse(struct arena *arena, const char *text)
{
    struct error error = {0};
    struct ptx_module *module;
    char line[1024];
    if (!ptx_parse(arena, "meet", text, strlen(text), &module, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return module;
}

/* Returns "meet 3..7; waits 9..12 once", where "3+" stands for a place after instruction 3. */
static const char *meetings_text(struct arena *arena, const struct ptx_module *module, const char *name)
{
    const struct ptx_meetings *all = ptx_find_meetings(arena, module);
    const char *text = "";
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < all[f].count && strcmp(module->functions[f].name, name) == 0; i++) {
            const struct ptx_meeting *meeting = &all[f].items[i];
            text = arena_format(arena, "%s%s%s", text, *text ? "; " : "", state_names[meeting->state]);
            if (meeting->state != PTX_MEETING_IRREDUCIBLE)
                text = arena_format(arena, "%s %u%s..%u%s", text, meeting->from, meeting->after ? "+" : "", meeting->at,
                                    meeting->once ? " once" : "");
        }
    return text;
}

static void check(const char *body, const char *expected)
{
    struct arena arena = {0};
    const char *text = arena_format(&arena,
                                    ".version 8.0\n.target sm_90\n.address_size 64\n%s"
                                    ".entry k(.param .u64 n) { .reg .pred %%p<9>; .reg .b32 %%r<9>; .reg .b64 %%d<9>;\n"
                                    ".local .u32 own;\n%s}\n",
                                    FUNCTIONS, body);
    assert_string_equal(meetings_text(&arena, parse(&arena, text), "k"), expected);
    arena_free(&arena);
}

#define LOAD "ld.global.u32 %r1, [%d1]; "
#define STORE "st.global.u32 [%d1], %r1; "

static void lanes_meet_behind_both_sides_of_a_branch(void **state)
{
    (void)state;
    check("@%p1 bra L; " LOAD "bra M; L: " LOAD "M: " STORE "ret;", "meet 0..4");
    check("T: .branchtargets A, B, A; brx.idx %r1, T; A: " LOAD "bra M; B: " STORE "M: " STORE "ret;", "meet 0..4");
}

static void without_a_probe_in_between_nothing_is_needed(void **state)
{
    (void)state;
    check("@%p1 bra M; add.u32 %r1, %r1, 1; M: " STORE "ret;", "quiet 0..2");
    check("@%p1 bra M; bar.sync 0; M: " STORE "ret;", "waits 0..2"); /* a barrier is an event */
    check("mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; " LOAD "setp.lt.u32 %p1, %r2, 9; @%p1 bra L; ret;",
          "quiet 0+..5"); /* the lanes that meet only end */
}

static void branches_with_one_reconvergence_point_have_one_meeting(void **state)
{
    (void)state;
    check("@%p1 bra M; " LOAD "@%p2 bra M; " LOAD "M: " STORE "ret;", "meet 0..4");
    check("@%p1 bra E; @%p2 bra D; " LOAD "D: " LOAD "E: " STORE "ret;", "meet 1..3; meet 0..4");
}

static void lanes_of_a_loop_are_remembered_before_it(void **state)
{
    (void)state;
    check("mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; " LOAD "setp.lt.u32 %p1, %r2, 9; @%p1 bra L; " STORE "ret;",
          "meet 0+..5");
    check("@%p2 bra X; L: add.u32 %r2, %r2, 1; " LOAD "@%p3 bra X; setp.lt.u32 %p1, %r2, 9; @%p1 bra L; X: " STORE
          "ret;",
          "meet 0..6");
}

/* The loop's first instruction is where the paths before it meet. Later rounds must not wait there again. */
static void a_loop_that_starts_at_a_meeting_waits_once(void **state)
{
    (void)state;
    check("@%p1 bra L; " LOAD "L: add.u32 %r2, %r2, 1; " LOAD "setp.lt.u32 %p2, %r2, 9; @%p2 bra L; " STORE "ret;",
          "meet 0..2 once; meet 0..6");
}

static void no_lane_waits_where_others_wait_for_it(void **state)
{
    (void)state;
    check("@%p1 bra M; " LOAD "bar.sync 0; M: " STORE "ret;", "waits 0..3");
    check("@%p1 bra M; " LOAD "bar.warp.sync 15; M: " STORE "ret;", "waits 0..3");
    check("@%p1 bra M; " LOAD "shfl.sync.idx.b32 %r2, %r1, 0, 31, 15; M: " STORE "ret;", "waits 0..3");
    check("@%p1 bra M; " LOAD "vote.sync.any.pred %p2, %p3, 15; M: " STORE "ret;", "waits 0..3");
    check("@%p1 bra M; " LOAD "membar.gl; activemask.b32 %r2; M: " STORE "ret;", "meet 0..4");
}

static void no_lane_waits_for_lanes_that_poll(void **state)
{
    (void)state;
    static const char *const loops[] = {
        "L: ld.volatile.global.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 bra L;",
        "L: ld.acquire.gpu.global.u32 %r1, [%d1]; setp.eq.u32 %p2, %r1, 0; @%p2 bra L;",
        "L: atom.global.cas.b32 %r1, [%d1], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra L;",
        "L: atom.global.or.b32 %r1, [%d1], 0; setp.ne.u32 %p2, %r1, 0; @!%p2 bra L;",
        /* no word says that others write: nothing that the loop computes ends it */
        "L: ld.global.u32 %r1, [flag]; membar.gl; setp.eq.u32 %p2, %r1, 0; @%p2 bra L;",
        "L: add.s64 %d2, %d1, 4; ld.global.u32 %r1, [%d2]; nanosleep.u32 20; setp.eq.u32 %p2, %r1, 0; @%p2 bra L;",
        "L: add.u32 %r3, %r3, 1; ld.global.u32 %r1, [%d1]; setp.eq.u32 %p2, %r1, 0; @%p2 bra L;",
        /* through a flag of its own, and through memory of the lane */
        "mov.u32 %r2, 0; L: ld.volatile.global.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 bra N; mov.u32 %r2, 1;"
        "N: setp.eq.u32 %p3, %r2, 0; @%p3 bra L;",
        "L: ld.volatile.global.u32 %r1, [flag]; st.local.u32 [own], %r1; ld.local.u32 %r2, [own];"
        "setp.eq.u32 %p2, %r2, 0; @%p2 bra L;",
        "L: mbarrier.test_wait.shared.b64 %p2, [object], %d1; @!%p2 bra L; " LOAD,
        /* a poll inside a loop that ends by itself */
        "mov.u32 %r3, 0; O: L: ld.volatile.global.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 bra L;"
        "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 9; @%p3 bra O;"};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct arena arena = {0};
        const char *text = arena_format(&arena,
                                        ".version 8.0\n.target sm_90\n.address_size 64\n%s"
                                        ".entry k() { .reg .pred %%p<9>; .reg .b32 %%r<9>; .reg .b64 %%d<9>;\n"
                                        ".local .u32 own;\n@%%p1 bra M; %s M: st.global.u32 [%%d1], %%r1; ret;}\n",
                                        FUNCTIONS, loops[i]);
        const struct ptx_module *module = parse(&arena, text);
        const struct ptx_function *kernel = ptx_kernel(module, "k");
        const struct ptx_meetings *all = ptx_find_meetings(&arena, module);
        const struct ptx_meetings *found = &all[kernel - module->functions];
        bool seen = false;
        for (uint32_t k = 0; k < found->count; k++)
            if (found->items[k].at == kernel->instructions[0].reconvergence) {
                seen = true;
                if (found->items[k].state != PTX_MEETING_POLLS)
                    fail_msg("%s: %s", loops[i], state_names[found->items[k].state]);
            }
        assert_true(seen);
        arena_free(&arena);
    }
}

static void loops_that_end_by_themselves_wait_for_nobody(void **state)
{
    (void)state;
    /* an atomic whose result decides nothing, a bound that is read in each round, a list */
    check("mov.u32 %r2, 0; L: atom.global.add.u32 %r1, [%d1], 1; st.global.u32 [%d2], %r1; add.u32 %r2, %r2, 1; "
          "setp.lt.u32 %p1, %r2, 9; @%p1 bra L; " STORE "ret;",
          "meet 0+..6");
    check("mov.u32 %r2, 0; L: " LOAD STORE "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L; " STORE "ret;",
          "meet 0+..6");
    check("mov.u64 %d1, 0; L: ld.global.u64 %d2, [%d1]; mov.u64 %d1, %d2; setp.ne.u64 %p1, %d1, 0; @%p1 bra L; " STORE
          "ret;",
          "meet 0+..5");
}

static void atomics_and_volatile_accesses_outside_loops_wait_for_nobody(void **state)
{
    (void)state;
    check("@%p1 bra M; atom.global.cas.b32 %r1, [%d1], 0, 1; ld.volatile.global.u32 %r2, [flag]; M: " STORE "ret;",
          "meet 0..3");
}

static void lanes_that_end_are_not_waited_for(void **state)
{
    (void)state;
    check("@%p1 bra M; " LOAD "@%p2 exit; " LOAD "@%p3 ret; " STORE "M: " STORE "ret;", "meet 0..6");
    check("@%p1 bra M; " LOAD "@%p2 bra M; trap; M: " STORE "ret;", "meet 0..4");
}

static void lanes_that_return_to_the_caller_are_not_waited_for(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct ptx_module *module = parse(&arena, ".version 8.0\n.target sm_90\n.address_size 64\n"
                                                    ".func f() { .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
                                                    "@%p1 bra M; " LOAD "@%p2 ret; " LOAD "M: " STORE "ret; }\n"
                                                    ".func g() { .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
                                                    "@%p1 bra M; " LOAD "@%p2 exit; " LOAD "M: " STORE "ret; }\n");
    assert_string_equal(meetings_text(&arena, module, "f"), "returns 0..4");
    assert_string_equal(meetings_text(&arena, module, "g"), "meet 0..4");
    arena_free(&arena);
}

static void a_call_counts_as_what_its_body_does(void **state)
{
    (void)state;
    check("@%p1 bra M; call loads; M: " STORE "ret;", "meet 0..2");
    check("@%p1 bra M; call waits; M: " STORE "ret;", "waits 0..2");
    check("@%p1 bra M; call polls; M: " STORE "ret;", "polls 0..2");
    check("@%p1 bra M; " LOAD "call elsewhere; M: " STORE "ret;", "unknown 0..3");
    check("@%p1 bra M; " LOAD "P: .callprototype _ (); call %d1, P; M: " STORE "ret;", "unknown 0..3");
    check("@%p1 bra M; " LOAD "{ .param .b32 r; .param .b64 a; .param .b64 b; call (r), vprintf, (a, b); } M: " STORE
          "ret;",
          "meet 0..3");
}

/* The hardware brings lanes together behind a recursion, but not behind one that calls itself in two places. */
static void recursion_in_two_places_is_left_alone(void **state)
{
    (void)state;
    check("@%p1 bra M; call once; M: " STORE "ret;", "meet 0..2");
    check("@%p1 bra M; call twice; M: " STORE "ret;", "twice 0..2");
    check("@%p1 bra M; call outer; M: " STORE "ret;", "twice 0..2");
    struct arena arena = {0};
    const struct ptx_module *module =
        parse(&arena, ".version 8.0\n.target sm_90\n.address_size 64\n" FUNCTIONS ".entry k() { ret; }\n");
    assert_string_equal(meetings_text(&arena, module, "once"), "meet 0..3");
    assert_string_equal(meetings_text(&arena, module, "twice"), "twice 0..4");
    arena_free(&arena);
}

static void a_loop_with_two_entries_is_left_alone(void **state)
{
    (void)state;
    check("mov.u32 %r2, 0; @%p1 bra B; A: " LOAD "bra B; B: add.u32 %r2, %r2, 1; " LOAD
          "setp.lt.u32 %p2, %r2, 9; @%p2 bra A; " STORE "ret;",
          "meet 1..4 once; two ways");
    check("@%p1 bra B; A: " LOAD "@%p2 bra X; B: " STORE "@%p3 bra A; X: " STORE "ret;", "two ways");
}

static void a_loop_at_the_very_start_has_no_place_before_it(void **state)
{
    (void)state;
    check("L: add.u32 %r2, %r2, 1; " LOAD "setp.lt.u32 %p1, %r2, 9; @%p1 bra L; " STORE "ret;", "two ways");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_meet_behind_both_sides_of_a_branch),
        cmocka_unit_test(without_a_probe_in_between_nothing_is_needed),
        cmocka_unit_test(branches_with_one_reconvergence_point_have_one_meeting),
        cmocka_unit_test(lanes_of_a_loop_are_remembered_before_it),
        cmocka_unit_test(a_loop_that_starts_at_a_meeting_waits_once),
        cmocka_unit_test(no_lane_waits_where_others_wait_for_it),
        cmocka_unit_test(no_lane_waits_for_lanes_that_poll),
        cmocka_unit_test(loops_that_end_by_themselves_wait_for_nobody),
        cmocka_unit_test(atomics_and_volatile_accesses_outside_loops_wait_for_nobody),
        cmocka_unit_test(lanes_that_end_are_not_waited_for),
        cmocka_unit_test(lanes_that_return_to_the_caller_are_not_waited_for),
        cmocka_unit_test(a_call_counts_as_what_its_body_does),
        cmocka_unit_test(recursion_in_two_places_is_left_alone),
        cmocka_unit_test(a_loop_with_two_entries_is_left_alone),
        cmocka_unit_test(a_loop_at_the_very_start_has_no_place_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
