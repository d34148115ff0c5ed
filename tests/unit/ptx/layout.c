/* Offsets in shared memory, the shared bytes of each kernel, and site numbers. */
#include "base/arena.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define HEADER ".version 8.0\n.target sm_80\n.address_size 64\n"

static struct ptx_module *parse(struct arena *arena, const char *text)
{
    struct error error = {0};
    struct ptx_module *module = NULL;
    char line[1024];
    if (!ptx_parse(arena, "layout", text, strlen(text), &module, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    return module;
}

static size_t shared_of(const struct ptx_module *module, const char *kernel)
{
    return ptx_shared_bytes(module, ptx_kernel(module, kernel));
}

/* clang leaves the shared arrays of all kernels at module scope; each kernel has only those that it uses. */
static void a_kernel_has_only_the_shared_memory_it_uses(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct ptx_module *module =
        parse(&arena, HEADER ".shared .align 4 .b8 one[100];\n.shared .align 8 .b8 two[200];\n"
                             ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 unused[400];\n"
                             ".entry a() { .reg .b32 %r; ld.shared.b32 %r, [one]; ret; }\n"
                             ".entry b() { .reg .b32 %r; mov.b32 %r, two; mov.b32 %r, dynamic; ret; }\n"
                             ".entry c() { .reg .b32 %r; ld.shared.b32 %r, [two]; ld.shared.b32 %r, [one]; ret; }\n"
                             ".entry d() { ret; }\n");
    assert_int_equal(shared_of(module, "a"), 100);
    assert_int_equal(shared_of(module, "c"), 304);
    assert_int_equal(shared_of(module, "d"), 0);
    assert_int_equal(module->variables[0].offset, 0);
    assert_int_equal(module->variables[1].offset, 104);
    assert_int_equal(module->variables[2].offset, 0);
    assert_true(module->variables[2].external);
    assert_true(shared_of(module, "b") >= 200);
    assert_null(ptx_kernel(module, NULL));
    assert_null(ptx_kernel(module, "e"));
    arena_free(&arena);
}

static void shared_memory_of_called_functions_counts(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct ptx_module *module =
        parse(&arena, HEADER ".func f { .shared .b64 s[4]; ret; }\n.func g { .shared .b64 s[2]; call f; ret; }\n"
                             ".func h { .shared .b64 s[8]; ret; }\n.global .u64 pointers[1] = {h};\n"
                             ".entry direct() { .shared .b32 own; call g; ret; }\n"
                             ".entry through() { .reg .b64 %r; ld.global.b64 %r, [pointers]; call %r; ret; }\n"
                             ".entry none() { ret; }\n");
    assert_int_equal(shared_of(module, "direct"), 52);
    assert_int_equal(shared_of(module, "through"), 64);
    assert_int_equal(shared_of(module, "none"), 0);
    assert_true(module->functions[0].variables[0].offset != module->functions[1].variables[0].offset);
    arena_free(&arena);
}

static void recursion_ends(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct ptx_module *module =
        parse(&arena, HEADER ".func g;\n.func f { .shared .b32 s; call g; ret; }\n.func g { call f; ret; }\n"
                             ".entry k() { call f; ret; }\n");
    assert_int_equal(shared_of(module, "k"), 4);
    arena_free(&arena);
}

static void sites_are_accesses_barriers_and_branches(void **state)
{
    (void)state;
    static const char *const sites[] = {"ld.global",   "ld.b32",   "ld.const", "st.shared", "atom",    "red.",
                                        "cp.async.ca", "bar.sync", "barrier",  "@p bra",    "ld.local"};
    struct arena arena = {0};
    const struct ptx_module *module =
        parse(&arena, HEADER ".const .b32 c;\n.shared .b32 s;\n"
                             ".entry k(.param .u64 a) { .reg .b64 %q; .reg .b32 %r; .reg .pred p; .local .b32 l;\n"
                             "ld.param.u64 %q, [a]; ld.global.b32 %r, [%q]; ld.b32 %r, [%q]; ld.const.b32 %r, [c];\n"
                             "st.shared.b32 [s], %r; atom.add.u32 %r, [%q], 1; red.global.add.u32 [%q], 1;\n"
                             "cp.async.ca.shared.global [%r], [%q], 4; cp.async.commit_group; cp.async.wait_group 0;\n"
                             "bar.sync 0; bar.warp.sync -1; barrier.sync 0; prefetch.global.L2 [%q]; membar.gl;\n"
                             "L: @p bra L; bra M; M: @p exit; ld.local.b32 %r, [l]; ret; }\n");
    const struct ptx_function *kernel = ptx_kernel(module, NULL);
    uint32_t next = 0;
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const struct ptx_instruction *instruction = &kernel->instructions[i];
        if (instruction->site == PTX_NO_INDEX)
            continue;
        assert_int_equal(instruction->site, next);
        assert_true(next < sizeof sites / sizeof *sites);
        assert_memory_equal(module->text + instruction->text_start, sites[next], strlen(sites[next]));
        next++;
    }
    assert_int_equal(next, sizeof sites / sizeof *sites);
    assert_int_equal(module->site_count, next);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_has_only_the_shared_memory_it_uses),
        cmocka_unit_test(shared_memory_of_called_functions_counts),
        cmocka_unit_test(recursion_ends),
        cmocka_unit_test(sites_are_accesses_barriers_and_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
