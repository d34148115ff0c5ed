/* Facts known about lanes' addresses before a launch, and the events that one record can represent. */
#include "cuda/probe/run.h"
#include "ptx/parse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#define HEAD                                                                                                           \
    ".version 7.0\n.target sm_75\n.address_size 64\n"                                                                  \
    ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"                                                             \
    ".shared .align 4 .b8 tile[4096];\n"                                                                               \
    ".reg .pred %p<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"                                                       \
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"                                                                \
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %tid.y;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\n"                      \
    "mad.lo.s32 %r6, %r4, %r5, %r2;\n"                                                                                 \
    "mad.lo.s32 %r7, %r3, %r1, %r2;\n"                                                                                 \
    "mul.wide.s32 %rd2, %r6, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"                                                          \
    "mul.wide.s32 %rd4, %r7, 8;\nadd.s64 %rd5, %rd1, %rd4;\n"

static const char values_text[] = HEAD "add.s32 %r8, %r2, -1;\nmul.wide.u32 %rd6, %r8, 4;\n" /* thread 0 wraps */
                                       "shr.u32 %r9, %r2, 1;\n"
                                       "mov.u32 %r10, %r2;\n"
                                       "LOOP:\n"
                                       "mul.lo.s32 %r11, %r10, 4;\n"
                                       "add.s32 %r10, %r10, 1;\n"
                                       "setp.lt.s32 %p1, %r10, %r1;\n"
                                       "@%p1 bra LOOP;\n"
                                       "mov.u32 %r12, 7;\nshl.b32 %r13, %r12, 3;\n"
                                       "ret;\n}\n";

struct bench {
    struct arena arena;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    struct launch_buffer buffer;
    struct launch_argument arguments[2];
    struct launch launch;
};

static void bench_new(struct bench *bench, const char *text, uint32_t grid, uint32_t width, uint32_t height)
{
    struct ptx_module *module;
    struct error error;
    char line[1024];
    *bench = (struct bench){.arguments = {{.is_buffer = true}, {.type = PTX_U32, .bits = 100}}};
    if (!ptx_parse(&bench->arena, "test", text, strlen(text), &module, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    bench->module = module;
    bench->kernel = ptx_kernel(module, "k");
    bench->launch = (struct launch){.kernel = "k",
                                    .grid = {grid, 1, 1},
                                    .block = {width, height, 1},
                                    .arguments = bench->arguments,
                                    .argument_count = 2,
                                    .buffers = &bench->buffer,
                                    .buffer_count = 1};
}

static struct affine_value value_of(struct bench *bench, const char *name)
{
    const struct affine_value *values = affine_values(&bench->arena, bench->kernel, &bench->launch);
    for (uint32_t i = 0; i < bench->kernel->register_count; i++)
        if (strcmp(bench->kernel->registers[i].name, name) == 0)
            return values[i];
    fail_msg("no register %s", name);
    return (struct affine_value){0};
}

static void check(struct bench *bench, const char *name, unsigned bits, int64_t column, int64_t row)
{
    struct affine_value const value = value_of(bench, name);
    if (!value.known || value.bits != bits || (int64_t)value.column != column || (int64_t)value.row != row)
        fail_msg("%s: %s, %u bits, steps %lld and %lld", name, value.known ? "known" : "unknown", value.bits,
                 (long long)value.column, (long long)value.row);
}

static void strides_between_lanes_follow_from_the_text(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench, values_text, 64, 256, 1);
    check(&bench, "%rd3", 64, 4, 0);
    check(&bench, "%rd5", 64, 8, 0); /* y is the same for the whole warp */
    check(&bench, "%r13", 32, 0, 0);
    assert_int_equal(value_of(&bench, "%r13").low, 56);
    arena_free(&bench.arena);
    bench_new(&bench, values_text, 64, 8, 8);
    check(&bench, "%rd3", 64, 4, 0);
    check(&bench, "%rd5", 64, 8, 800); /* n is 100 */
    arena_free(&bench.arena);
}

static void uncertain_strides_are_unknown(void **state)
{
    (void)state;
    struct bench bench;
    bench_new(&bench, values_text, 64, 256, 1);
    check(&bench, "%rd6", 32, 4, 0);              /* the upper half is not linear: -1 as an unsigned 32-bit number */
    assert_false(value_of(&bench, "%r9").known);  /* lanes in pairs are not a row */
    assert_false(value_of(&bench, "%r10").known); /* two definitions */
    assert_false(value_of(&bench, "%r11").known); /* both of which reach this place */
    arena_free(&bench.arena);
    bench_new(&bench, values_text, 1 << 24, 256, 1); /* 2^32 threads: the index overflows */
    check(&bench, "%rd3", 32, 4, 0);
    arena_free(&bench.arena);
    bench_new(&bench, values_text, 1, 24, 4); /* a warp's lanes are one row and a third */
    assert_false(value_of(&bench, "%r2").known);
    arena_free(&bench.arena);
}

static void a_register_is_followed_to_where_another_definition_may_come_from(void **state)
{
    (void)state;
    /* only the first definition reaches this place */
    static const char text[] = HEAD "mov.u32 %r8, %r2;\nmul.lo.s32 %r9, %r8, 4;\n"
                                    "LOOP:\nadd.s32 %r8, %r8, 32;\nsetp.lt.s32 %p1, %r8, %r1;\n@%p1 bra LOOP;\n"
                                    "mul.lo.s32 %r10, %r8, 4;\nret;\n}\n";
    struct bench bench;
    bench_new(&bench, text, 1, 32, 1);
    check(&bench, "%r9", 32, 4, 0);
    assert_false(value_of(&bench, "%r10").known);
    arena_free(&bench.arena);
}

static const struct probe_runs *runs_of(struct bench *bench, struct record_layout *layout)
{
    return &probe_find_runs(&bench->arena, bench->module, bench->kernel, &bench->launch, false,
                            layout)[bench->kernel - bench->module->functions];
}

/* Returns the entries as letters (a access, b branch, A arrival, R release), with blanks between runs. */
static const char *sketch(struct bench *bench, const struct record_layout *layout)
{
    static const char letters[] = {
        [RECORD_ACCESS] = 'a', [RECORD_ARRIVE] = 'A', [RECORD_RELEASE] = 'R', [RECORD_BRANCH] = 'b'};
    const char *text = "";
    for (uint32_t i = 0; i < layout->run_count; i++) {
        text = i ? arena_format(&bench->arena, "%s ", text) : text;
        for (uint32_t k = 0; k < layout->runs[i].entry_count; k++)
            text = arena_format(&bench->arena, "%s%c", text, letters[layout->runs[i].entries[k].event]);
    }
    return text;
}

static void a_run_ends_where_lanes_may_diverge_or_reconverge(void **state)
{
    (void)state;
    static const char text[] = HEAD "ld.global.u32 %r8, [%rd3];\nld.global.u32 %r9, [%rd3+4];\nbar.sync 0;\n"
                                    "st.global.u32 [%rd5], %r8;\nsetp.eq.u32 %p1, %r2, 5;\n@%p1 bra NEXT;\n"
                                    "st.global.u32 [%rd5], %r8;\n"
                                    "NEXT:\nst.global.u32 [%rd5], %r8;\nbar.warp.sync -1;\nst.shared.u32 [tile], %r8;\n"
                                    "@%p1 st.shared.u32 [tile+8], %r8;\nst.shared.u32 [tile+4], %r8;\nret;\n}\n";
    struct bench bench;
    struct record_layout layout;
    bench_new(&bench, text, 1, 32, 1);
    const struct probe_runs *runs = runs_of(&bench, &layout);
    assert_string_equal(sketch(&bench, &layout), "aaA Rab a a a a");
    assert_int_equal(runs->singles, 1); /* the one with a predicate */
    assert_int_equal(layout.chunk_bytes, 0);
    const struct record_entry *first = layout.runs[0].entries;
    assert_int_equal(first[0].at, first[1].at); /* one register, one word */
    assert_int_equal(first[1].offset, 4);
    assert_true(first[2].at != 0); /* a clock of its own */
    arena_free(&bench.arena);
}

static void runs_have_places_only_where_each_is_passed_once(void **state)
{
    (void)state;
    static const char once[] = HEAD "ld.global.u32 %r8, [%rd3];\nsetp.eq.u32 %p1, %r8, 5;\n@%p1 bra NEXT;\n"
                                    "st.global.u32 [%rd5], %r8;\nNEXT:\nret;\n}\n";
    static const char often[] = HEAD "LOOP:\nld.global.u32 %r8, [%rd3];\nsetp.eq.u32 %p1, %r8, 5;\n@%p1 bra LOOP;\n"
                                     "ret;\n}\n";
    static const char gather[] = HEAD "ld.global.u64 %rd6, [%rd5];\nst.global.u32 [%rd6], %r8;\nret;\n}\n";
    static const char *const texts[] = {once, often, gather};
    for (size_t i = 0; i < 3; i++) {
        struct bench bench;
        struct record_layout layout;
        bench_new(&bench, texts[i], 1, 32, 1);
        runs_of(&bench, &layout);
        assert_int_equal(layout.chunk_bytes != 0, i == 0);
        for (uint32_t k = 0; i == 0 && k < layout.run_count; k++) {
            assert_true(layout.runs[k].place >= sizeof(struct record_chunk));
            assert_true(layout.runs[k].place + layout.runs[k].bytes <= layout.chunk_bytes);
        }
        arena_free(&bench.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_between_lanes_follow_from_the_text),
        cmocka_unit_test(uncertain_strides_are_unknown),
        cmocka_unit_test(a_register_is_followed_to_where_another_definition_may_come_from),
        cmocka_unit_test(a_run_ends_where_lanes_may_diverge_or_reconverge),
        cmocka_unit_test(runs_have_places_only_where_each_is_passed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
