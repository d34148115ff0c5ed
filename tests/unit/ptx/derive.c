/* The address of an access, followed back to what the source names, and its value. */
#include "ptx/derive.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".entry k(.param .u64 in, .param .u32 n) {\n"
                           "  .shared .align 4 .b8 tile[256];\n"
                           "  .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .pred %p<4>;\n"
                           "  ld.param.u64 %d1, [in];\n  ld.param.u32 %r1, [n];\n"
                           "  cvta.to.global.u64 %d2, %d1;\n"
                           "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n";
enum { IN = 0x10000, N = -3, TILE = 1024 };

static const char *words(void *context, struct arena *arena, const struct ptx_term *leaf)
{
    static const char *const axes = "xyz";
    const struct ptx_function *kernel = context;
    if (leaf->kind == PTX_TERM_PARAMETER)
        return kernel->parameters[leaf->index].name;
    if (leaf->kind == PTX_TERM_VARIABLE)
        return kernel->variables[leaf->index].name;
    if (leaf->kind == PTX_TERM_SPECIAL)
        return arena_format(arena, "%s.%c", ptx_special_word((enum ptx_special)leaf->index) + 1, axes[leaf->component]);
    return leaf->kind == PTX_TERM_ROUND ? "round" : kernel->registers[leaf->index].name;
}

static bool value(void *context, const struct ptx_term *leaf, int64_t *number)
{
    (void)context;
    *number = leaf->kind == PTX_TERM_PARAMETER  ? (leaf->index ? N : IN)
              : leaf->kind == PTX_TERM_VARIABLE ? TILE
              : leaf->index == PTX_SR_tid       ? 5
              : leaf->index == PTX_SR_ntid      ? 64
                                                : 2;
    return leaf->kind != PTX_TERM_REGISTER && leaf->kind != PTX_TERM_ROUND;
}

struct way {
    const char *body, *formula, *numbers; /* numbers NULL: the value is not known */
    int64_t address;
};
static const struct way ways[] = {
    {"mad.lo.s32 %r5, %r2, %r3, %r4; mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d2, %d3; ld.global.f32 %r6, [%d4+-4];",
     "in + 4 * (ctaid.x * ntid.x + tid.x) - 4", "65536 + 4 * (2 * 64 + 5) - 4", IN + 4 * 133 - 4},
    {"shl.b32 %r5, %r4, 2; mov.u32 %r6, tile; add.s32 %r7, %r6, %r5; st.shared.u32 [%r7+8], %r1;",
     "tile + 4 * tid.x + 8", "1024 + 4 * 5 + 8", TILE + 28},
    {"sub.s32 %r5, %r4, %r1; and.b32 %r6, %r5, 7; rem.u32 %r7, %r6, 3; cvt.u64.u32 %d3, %r7; add.s64 %d4, %d2, %d3; "
     "ld.global.u8 %r8, [%d4];",
     "in + ((tid.x - n) & 7) % 3", "65536 + ((5 - -3) & 7) % 3", IN},
    {"mul.lo.s32 %r5, %r1, %r4; shr.s32 %r6, %r5, 1; mul.wide.u32 %d3, %r6, 2; add.s64 %d4, %d2, %d3; "
     "ld.global.u8 %r8, [%d4];", /* -15 >> 1 = -8, as an unsigned number */
     "in + 2 * ((n * tid.x) >> 1)", "65536 + 2 * ((-3 * 5) >> 1)", IN + 2 * (INT64_C(0x100000000) - 8)},
    {"shr.s32 %r5, %r1, 31; shr.u32 %r6, %r5, 30; add.s32 %r7, %r1, %r6; shr.s32 %r8, %r7, 2; mul.wide.s32 %d3, %r8, "
     "4; add.s64 %d4, %d2, %d3; ld.global.f32 %r9, [%d4];", /* a signed division rounds towards 0 */
     "in + 4 * (n / 4)", "65536 + 4 * (-3 / 4)", IN},
    {"shr.u32 %r5, %r1, 31; add.s32 %r6, %r1, %r5; shr.s32 %r7, %r6, 1; and.b32 %r8, %r6, -2; sub.s32 %r9, %r1, %r8; "
     "mad.lo.s32 %r10, %r7, 8, %r9; mul.wide.s32 %d3, %r10, 4; add.s64 %d4, %d2, %d3; ld.global.f32 %r11, [%d4];",
     "in + 4 * (8 * (n / 2) + n % 2)", "65536 + 4 * (8 * (-3 / 2) + -3 % 2)", IN - 36},
    {"shr.u32 %r5, %r4, 31; add.s32 %r6, %r1, %r5; shr.s32 %r7, %r6, 1; mul.wide.s32 %d3, %r7, 4; add.s64 %d4, %d2, "
     "%d3; ld.global.f32 %r8, [%d4];", /* another number's sign */
     "in + 4 * ((n + (tid.x >> 31)) >> 1)", "65536 + 4 * ((-3 + (5 >> 31)) >> 1)", IN - 8},
    {"ld.global.u32 %r5, [%d2]; mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r6, [%d4];",
     "in + 4 * %r5", NULL, 0},
    {"mov.u32 %r5, 0; again: add.s32 %r5, %r5, 1; add.s32 %r6, %r5, 2; setp.lt.s32 %p1, %r5, %r1; mul.wide.s32 %d3, "
     "%r6, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r7, [%d4]; @%p1 bra again;",
     "in + 4 * (round + 1 + 2)", NULL, 0},
    {"mul.wide.s32 %d5, %r1, 4; mov.u64 %d6, %d2; again: add.s64 %d7, %d6, %d5; ld.global.u32 %r7, [%d7]; add.s64 "
     "%d6, %d7, %d5; setp.lt.s32 %p1, %r7, %r1; @%p1 bra again; ld.global.u32 %r8, [%d6];",
     "in + 8 * n * round", NULL, 0}, /* two steps of 4 * n in a round */
    {"mov.u32 %r5, 0; again: ld.global.u32 %r7, [%d2]; add.s32 %r5, %r5, %r7; setp.lt.s32 %p1, %r5, %r1; @%p1 bra "
     "again; mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r8, [%d4];",
     "in + 4 * %r5", NULL, 0}, /* the step is not always the same */
    {"mov.u32 %r5, 0; setp.lt.s32 %p1, %r4, %r1; @%p1 bra over; add.s32 %r5, %r5, 1; over: mul.wide.s32 %d3, %r5, 4; "
     "add.s64 %d4, %d2, %d3; ld.global.u32 %r7, [%d4];",
     "in + 4 * %r5", NULL, 0}, /* no loop */
    {"mov.u32 %r5, %r4; mov.u32 %r5, 7; mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d2, %d3; mov.u32 %r5, 9; "
     "ld.global.u32 %r7, [%d4];", /* the last definition before the use counts */
     "in + 7 * 4", "65536 + 7 * 4", IN + 28},
    {"setp.lt.s32 %p1, %r4, %r1; mov.u32 %r5, 1; @%p1 mov.u32 %r5, 2; mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d2, "
     "%d3; ld.global.u32 %r7, [%d4];",
     "in + 4 * %r5", NULL, 0}};

static void an_address_is_followed_to_what_the_source_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct arena arena = {0};
        struct ptx_module *module;
        struct error error;
        const char *text = arena_format(&arena, "%s  %s\n  ret;\n}\n", head, ways[i].body);
        if (!ptx_parse(&arena, "test.ptx", text, strlen(text), &module, &error))
            fail_msg("%zu: %s", i, error.message);
        const struct ptx_function *kernel = ptx_kernel(module, "k");
        const struct ptx_instruction *access = NULL;
        for (uint32_t k = 0; k < kernel->instruction_count; k++)
            if (kernel->instructions[k].site != PTX_NO_INDEX &&
                ptx_opcode_kind(kernel->instructions[k].opcode) != PTX_KIND_BRANCH)
                access = &kernel->instructions[k]; /* the last one */
        assert_non_null(access);
        struct ptx_leaves const leaves = {(void *)kernel, words, value};
        const struct ptx_term *term = ptx_address(&arena, kernel, access, false);
        int64_t address = 0;
        assert_non_null(term);
        assert_string_equal(ptx_term_words(&arena, term, &leaves, false), ways[i].formula);
        bool const known = ptx_term_value(term, &leaves, &address);
        assert_int_equal(known, ways[i].numbers != NULL);
        if (known) {
            assert_string_equal(ptx_term_words(&arena, term, &leaves, true), ways[i].numbers);
            assert_int_equal(address, ways[i].address);
        } else
            assert_non_null(ptx_term_unknown(term, &leaves));
        arena_free(&arena);
    }
}

int main(void)
{
    struct CMUnitTest const tests[] = {cmocka_unit_test(an_address_is_followed_to_what_the_source_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
