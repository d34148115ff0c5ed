/* Reconvergence points of branches: each case is one small function, and the expectation names its instructions. */
#include "base/arena.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

/* Checks the reconvergence of each branch in order; -1 means the end. */
static void check(const char *body, size_t count, const int *expected)
{
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    char line[1024];
    const char *text = arena_format(&arena,
                                    ".version 8.0\n.target sm_75\n.address_size 64\n"
                                    ".func stop .noreturn { trap; }\n"
                                    ".entry k() { .reg .pred %%p<9>; .reg .b32 %%r<9>;\n%s}\n",
                                    body);
    if (!ptx_parse(&arena, "flow", text, strlen(text), &module, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    const struct ptx_function *kernel = ptx_kernel(module, "k");
    size_t found = 0;
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        uint32_t const meets = kernel->instructions[i].reconvergence;
        if (meets == PTX_NO_INDEX)
            continue;
        assert_true(found < count);
        assert_int_equal(meets == kernel->instruction_count ? -1 : (int)meets, expected[found]);
        found++;
    }
    assert_int_equal(found, count);
    arena_free(&arena);
}
#define CHECK(body, ...) check(body, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[]){__VA_ARGS__})

static void if_else_reconverges_after_both(void **state)
{
    (void)state;
    CHECK("@%p1 bra L; mov.u32 %r1, 1; bra M; L: mov.u32 %r1, 2; M: ret;", 4);
}

static void if_without_else_reconverges_at_its_target(void **state)
{
    (void)state;
    CHECK("@%p1 bra M; mov.u32 %r1, 1; M: mov.u32 %r2, 1; ret;", 2);
}

static void loop_reconverges_after_its_back_branch(void **state)
{
    (void)state;
    CHECK("L: add.s32 %r1, %r1, 1; @%p1 bra L; mov.u32 %r2, 3; ret;", 2);
}

static void nested_if_reconverges_inside(void **state)
{
    (void)state;
    CHECK("@%p1 bra E; @%p2 bra D; mov.u32 %r1, 1; D: mov.u32 %r2, 1; E: mov.u32 %r3, 1; ret;", 4, 3);
}

static void break_and_continue_reconverge_with_the_loop(void **state)
{
    (void)state;
    /* 0 break; 2 continue; 4 back */
    CHECK("L: @%p1 bra X; mov.u32 %r1, 1; @%p2 bra C; mov.u32 %r2, 1; C: @%p3 bra L; X: mov.u32 %r3, 1; ret;", 5, 4, 5);
}

static void two_returns_with_work_reconverge_at_the_end(void **state)
{
    (void)state;
    CHECK("@%p1 bra L; mov.u32 %r1, 1; ret; L: mov.u32 %r1, 2; exit;", -1);
}

static void return_with_work_inside_an_if_keeps_paths_apart_to_the_end(void **state)
{
    (void)state;
    CHECK("@%p1 bra Y; @%p2 bra X; mov.u32 %r1, 2; ret; X: mov.u32 %r1, 1; Y: mov.u32 %r2, 1; ret;", -1, -1);
}

static void branch_to_a_bare_return_keeps_the_rest_together(void **state)
{
    (void)state;
    CHECK("@%p1 bra E; mov.u32 %r1, 1; E: ret;", 1);
    CHECK("@%p1 bra Y; @%p2 bra E; mov.u32 %r1, 1; Y: mov.u32 %r2, 1; E: ret;", 3, 2);
    CHECK("@%p1 bra A; ret; A: exit;", -1);
    /* a loop with a bare return as its only end: 1 reconverges there, 2 after its if */
    CHECK("L: mov.u32 %r1, 1; @%p1 bra E; @%p2 bra C; mov.u32 %r2, 1; C: bra L; E: ret;", 5, 4);
}

static void predicated_exit_keeps_the_rest_together(void **state)
{
    (void)state;
    CHECK("@%p1 bra Y; mov.u32 %r1, 1; @%p2 exit; mov.u32 %r1, 2; Y: mov.u32 %r2, 1; ret;", 4);
}

static void lanes_that_trap_keep_the_rest_together(void **state)
{
    (void)state;
    CHECK("@%p1 bra Y; @%p2 bra X; trap; X: mov.u32 %r1, 1; Y: mov.u32 %r2, 1; ret;", 4, 3);
    CHECK("@%p1 bra Y; @%p2 bra X; call stop; X: mov.u32 %r1, 1; Y: mov.u32 %r2, 1; ret;", 4, 3);
}

static void branch_to_traps_only_reconverges_at_the_end(void **state)
{
    (void)state;
    CHECK("@%p1 bra L; trap; L: trap;", -1);
}

static void branches_of_an_endless_loop_reconverge_inside_it(void **state)
{
    (void)state;
    CHECK("L: @%p1 bra A; mov.u32 %r1, 1; bra J; A: mov.u32 %r1, 2; J: bra L;", 4);
}

static void paths_into_an_endless_loop_reconverge_at_it(void **state)
{
    (void)state;
    CHECK("@%p1 bra B; mov.u32 %r1, 1; B: mov.u32 %r2, 1; L: add.s32 %r1, %r1, 1; bra L;", 2);
}

static void endless_loop_beside_a_return_is_left_out(void **state)
{
    (void)state;
    CHECK("@%p1 bra L; mov.u32 %r1, 1; ret; L: bra L;", 1);
}

static void branch_to_itself(void **state)
{
    (void)state;
    CHECK("L: @%p1 bra L; ret;", 1);
    CHECK("L: @%p1 bra L; bra L;", 1);
}

static void branch_table_reconverges_after_its_cases(void **state)
{
    (void)state;
    CHECK("T: .branchtargets A, B, C; brx.idx %r1, T; A: mov.u32 %r2, 1; bra X; B: mov.u32 %r2, 2; bra X;"
          "C: mov.u32 %r2, 3; X: mov.u32 %r3, 1; ret;",
          6);
}

static void label_at_the_very_end_is_a_return(void **state)
{
    (void)state;
    CHECK("@%p1 bra X; mov.u32 %r1, 1; X:", -1);
}

static void branch_into_a_loop_with_two_entries(void **state)
{
    (void)state;
    /* irreducible: 0 -> 1 or 3; 1..2 and 3..4 lead to each other */
    CHECK("@%p1 bra B; A: mov.u32 %r1, 1; bra B; B: mov.u32 %r2, 1; @%p2 bra A; ret;", 3, 5);
}

/* Ten thousand nested ifs need no recursion and little time. */
static void deep_nesting_needs_no_recursion(void **state)
{
    (void)state;
    enum { DEPTH = 10000 };
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fputs(".version 8.0\n.target sm_75\n.entry k() { .reg .pred %p<9>;\n", out);
    for (int i = 0; i < DEPTH; i++)
        fprintf(out, "@%%p1 bra L%d;\n", i);
    for (int i = DEPTH; i-- > 0;)
        fprintf(out, "L%d: mov.pred %%p1, 1;\n", i);
    fputs("ret; }\n", out);
    fclose(out);
    assert_true(ptx_parse(&arena, "deep", text, size, &module, &error));
    const struct ptx_instruction *instructions = ptx_kernel(module, NULL)->instructions;
    for (uint32_t i = 0; i < DEPTH; i++)
        assert_int_equal(instructions[i].reconvergence, 2 * DEPTH - 1 - i);
    free(text);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(if_else_reconverges_after_both),
        cmocka_unit_test(if_without_else_reconverges_at_its_target),
        cmocka_unit_test(loop_reconverges_after_its_back_branch),
        cmocka_unit_test(nested_if_reconverges_inside),
        cmocka_unit_test(break_and_continue_reconverge_with_the_loop),
        cmocka_unit_test(two_returns_with_work_reconverge_at_the_end),
        cmocka_unit_test(return_with_work_inside_an_if_keeps_paths_apart_to_the_end),
        cmocka_unit_test(branch_to_a_bare_return_keeps_the_rest_together),
        cmocka_unit_test(predicated_exit_keeps_the_rest_together),
        cmocka_unit_test(lanes_that_trap_keep_the_rest_together),
        cmocka_unit_test(branch_to_traps_only_reconverges_at_the_end),
        cmocka_unit_test(branches_of_an_endless_loop_reconverge_inside_it),
        cmocka_unit_test(paths_into_an_endless_loop_reconverge_at_it),
        cmocka_unit_test(endless_loop_beside_a_return_is_left_out),
        cmocka_unit_test(branch_to_itself),
        cmocka_unit_test(branch_table_reconverges_after_its_cases),
        cmocka_unit_test(label_at_the_very_end_is_a_return),
        cmocka_unit_test(branch_into_a_loop_with_two_entries),
        cmocka_unit_test(deep_nesting_needs_no_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
