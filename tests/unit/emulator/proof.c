/* The quick search for races hides none: random kernels have the same findings, results and counts with it as with the
 * search that follows every access. */
#include "emulator_helper.h"
#include <stdio.h>

enum { KERNELS = 3000, STEPS = 5, WORDS = 1024, TEXT = 16384 };

struct text {
    char items[TEXT];
    size_t length;
    uint64_t random;
};

static unsigned pick(struct text *text, unsigned below)
{
    text->random = text->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(text->random >> 33) % below;
}

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->items + text->length, TEXT - text->length, format, arguments);
    va_end(arguments);
    assert_true(text->length < TEXT);
}

/* %i becomes the number of an element: usually another one for each thread. %t: thread, %b: block, %g: both. */
static void add_index(struct text *text, bool shared)
{
    const char *own = shared ? "%t" : "%g";
    switch (pick(text, 10)) {
    case 0: /* all the same */
        add(text, "mov.u32 %%i, %u;\n", pick(text, 40));
        break;
    case 1: /* shifted by some */
        add(text, "add.u32 %%i, %s, %u;\n", own, pick(text, 40));
        break;
    case 2: /* each block the same elements */
        add(text, "mov.u32 %%i, %%t;\n");
        break;
    case 3: /* turned round within a block */
        add(text, "xor.b32 %%i, %s, %u;\n", own, pick(text, 2) ? 127 : 31);
        break;
    case 4: /* halves of a warp in different rows, as in blocks 16 wide */
        add(text, "shr.u32 %%i, %s, 4;\nmul.lo.u32 %%i, %%i, %u;\nand.b32 %%j, %s, 15;\nadd.u32 %%i, %%i, %%j;\n", own,
            16 + 16 * pick(text, 3), own);
        break;
    case 5: /* one element for a half warp */
        add(text, "shr.u32 %%i, %s, 4;\n", own);
        break;
    case 6: /* apart */
        add(text, "mul.lo.u32 %%i, %s, 3;\n", own);
        break;
    case 7: /* where values lead that other threads may have written */
        add(text, "add.u32 %%i, %%k, %s;\n", pick(text, 2) ? own : "0");
        break;
    default:
        add(text, "mov.u32 %%i, %s;\n", own);
    }
    add(text, "and.b32 %%i, %%i, 255;\n");
}

/* %p: which threads take part. */
static bool add_guard(struct text *text)
{
    switch (pick(text, 8)) {
    case 0:
        add(text, "setp.lt.u32 %%p, %%t, %u;\n", 1 + pick(text, 64));
        return true;
    case 1:
        add(text, "and.b32 %%j, %%t, 1;\nsetp.eq.u32 %%p, %%j, %u;\n", pick(text, 2));
        return true;
    case 2:
        add(text, "setp.eq.u32 %%p, %%b, %u;\n", pick(text, 2));
        return true;
    case 3:
        add(text, "setp.eq.u32 %%p, %%t, 0;\n");
        return true;
    default:
        return false;
    }
}

static void add_step(struct text *text)
{
    static const struct {
        const char *type, *load, *store;
        unsigned bytes;
    } kinds[] = {{"u32", "%v", "%v", 4},
                 {"u32", "%v", "%v", 4},
                 {"u32", "%v", "%v", 4},
                 {"u8", "%s", "%s", 1},
                 {"u16", "%s", "%s", 2},
                 {"u64", "%w", "%w", 8},
                 {"v2.u32", "{%v, %j}", "{%v, %j}", 8},
                 {"v4.u32", "{%v, %j, %x, %y}", "{%v, %j, %x, %y}", 16}};
    unsigned const kind = pick(text, sizeof kinds / sizeof *kinds), act = pick(text, 10);
    bool const shared = pick(text, 2);
    const char *space = shared ? "shared" : "global", *base = shared ? "%s0" : pick(text, 3) ? "%a" : "%c";
    add_index(text, shared);
    bool const guarded = add_guard(text);
    add(text,
        "mov.u32 %%j, %%t;\nmov.u32 %%v, %s;\ncvt.u64.u32 %%d, %%i;\nmul.lo.u64 %%d, %%d, %u;\nadd.u64 %%d, %%d, %s;\n",
        pick(text, 4) ? "%g" : "7", kinds[kind].bytes, base);
    if (guarded)
        add(text, "@%%p ");
    if (act == 8)
        add(text, "atom.%s.add.u32 %%k, [%%d], 1;\n", space);
    else if (act == 9)
        add(text, pick(text, 2) ? "ld.volatile.%s.u32 %%k, [%%d];\n" : "st.volatile.%s.u32 [%%d], %%v;\n", space);
    else if (act == 0)
        add(text, "red.%s.add.u32 [%%d], 1;\n", space);
    else if (act < 4)
        add(text, "ld.%s.%s %s, [%%d];\n", space, kinds[kind].type, kinds[kind].load);
    else
        add(text, "st.%s.%s [%%d], %s;\n", space, kinds[kind].type, kinds[kind].store);
    if (pick(text, 3) == 0)
        add(text, "bar.sync 0;\n");
    else if (pick(text, 4) == 0)
        add(text, "bar.warp.sync 0xffffffff;\n");
    if (act == 1)
        add(text, "mov.u32 %%k, %%v;\n");
}

static void make(struct text *text, unsigned number)
{
    *text = (struct text){.random = number};
    add(text, ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p, .param .u64 q) {\n"
              ".shared .align 16 .b8 s[4096];\n.reg .pred %%p; .reg .b16 %%s;\n"
              ".reg .b32 %%t, %%b, %%g, %%i, %%j, %%v, %%x, %%y, %%n, %%k, %%q;\n.reg .b64 %%a, %%c, %%d, %%w, %%s0;\n"
              "ld.param.u64 %%a, [p];\nld.param.u64 %%c, [q];\nmov.u64 %%s0, s;\nmov.u32 %%t, %%tid.x;\n"
              "mov.u32 %%b, %%ctaid.x;\nmov.u32 %%n, %%ntid.x;\nmad.lo.u32 %%g, %%b, %%n, %%t;\n"
              "mov.u16 %%s, 1;\nmov.u32 %%k, 9;\nmov.u64 %%w, 2;\nmov.u32 %%x, 3;\nmov.u32 %%y, 4;\n");
    bool const again = pick(text, 3) == 0;
    add(text, "mov.u32 %%q, 0;\nagain:\n");
    for (unsigned i = 1 + pick(text, STEPS); i > 0; i--)
        add_step(text);
    if (again)
        add(text, "add.u32 %%q, %%q, 1;\nsetp.lt.u32 %%p, %%q, 3;\n@%%p bra again;\n");
    add(text, "ret;\n}\n");
}

static void run_it(struct bench *b, const char *ptx, bool follow, unsigned threads, bool initialised,
                   uint32_t buffers[2][WORDS])
{
    bench_text(b, ptx);
    b->options = (struct emulator_options){.recorded = {1, 0}, .threads = threads, .follow = follow};
    b->options.checks = (struct launch_checks){.memory = initialised, .races = true};
    bench_launch(b, "k", 3, 128);
    for (int i = 0; i < 2; i++) {
        for (unsigned k = 0; k < WORDS; k++)
            buffers[i][k] = k * 3;
        bench_buffer(b, PTX_U32, buffers[i], WORDS);
    }
    bench_run(b);
}

static void expect_the_same(const struct bench *a, const struct bench *b, const char *ptx)
{
    const struct trace *x = a->result.trace, *y = b->result.trace;
    bool same = x->finding_count == y->finding_count;
    for (uint32_t i = 0; same && i < x->finding_count; i++) {
        const struct finding *f = &x->findings[i], *g = &y->findings[i];
        same = f->form == g->form && f->at.site == g->at.site && f->at.block == g->at.block &&
               f->at.thread[0] == g->at.thread[0] && f->address == g->address &&
               (!finding_is_race(f) ||
                (f->race.order == g->race.order && f->race.first.site == g->race.first.site &&
                 f->race.first.block == g->race.first.block && f->race.first.thread[0] == g->race.first.thread[0]));
    }
    if (!same)
        fail_msg("%u findings, and %u when every access is followed:\n%s", x->finding_count, y->finding_count, ptx);
    assert_memory_equal(&x->totals, &y->totals, sizeof x->totals);
}

static void a_proof_hides_no_race(void **state)
{
    (void)state;
    unsigned proved = 0, racing = 0;
    for (unsigned i = 0; i < KERNELS; i++) {
        struct text text;
        struct bench quick, slow;
        uint32_t one[2][WORDS], other[2][WORDS];
        make(&text, i);
        run_it(&quick, text.items, false, 1 + i % 2, i % 3 == 0, one);
        run_it(&slow, text.items, true, 1, i % 3 == 0, other);
        expect_the_same(&quick, &slow, text.items);
        assert_memory_equal(one, other, sizeof one);
        assert_false(quick.result.proved && slow.result.trace->finding_count);
        proved += quick.result.proved;
        racing += slow.result.trace->finding_count != 0;
        bench_free(&quick);
        bench_free(&slow);
    }
    if (getenv("LANESCOPE_TEST_TALK"))
        print_message("%u of %u proved, %u have findings\n", proved, (unsigned)KERNELS, racing);
    assert_true(proved > KERNELS / 8);
    assert_true(racing > KERNELS / 8);
}

/* Each thread adds 1 to an element of its own, from `s` on, and reads one half of the buffer away from it; if `r`, each
 * also writes the first element. */
static const char one_more[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".entry k(.param .u64 p, .param .u32 s, .param .u32 r) {\n"
    ".reg .pred %q; .reg .b32 %t, %b, %n, %g, %v, %s, %r;\n.reg .b64 %a, %c, %d;\n"
    "ld.param.u64 %a, [p];\nld.param.u32 %s, [s];\nld.param.u32 %r, [r];\n"
    "mov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\nmov.u32 %n, %ntid.x;\n"
    "mad.lo.u32 %g, %b, %n, %t;\nadd.u32 %s, %s, %g;\nmul.wide.u32 %c, %s, 4;\n"
    "add.u64 %c, %a, %c;\nld.global.u32 %v, [%c];\nadd.u32 %v, %v, 1;\n"
    "st.global.u32 [%c], %v;\nxor.b32 %s, %s, 32768;\n"
    "mul.wide.u32 %d, %s, 4;\nadd.u64 %d, %a, %d;\nld.global.u32 %v, [%d];\nsetp.eq.u32 %q, %r, 0;\n@%q ret;\n"
    "st.global.u32 [%a], %g;\nret;\n}\n";

/* What a launch left in the memory of the proof must not be there for the next one, wherever in a buffer it was. */
static void each_proof_begins_anew(void **state)
{
    enum { COUNT = 1 << 16, BLOCKS = 8, THREADS = 128, ALL = BLOCKS * THREADS };
    static const uint32_t begins[] = {64, 32768 + 65, 65, 40000, 64, 40001, COUNT - ALL, 65};
    static uint32_t buffer[COUNT], expected[COUNT];
    (void)state;
    for (unsigned i = 0; i < 2 * sizeof begins / sizeof *begins; i++) {
        uint32_t const begin = begins[i / 2];
        bool const racing = i % 2;
        struct bench bench;
        bench_text(&bench, one_more);
        bench.options = (struct emulator_options){.recorded = {1, 0}, .threads = 1 + i % 3};
        bench.options.checks = (struct launch_checks){.memory = true, .races = true};
        bench_launch(&bench, "k", BLOCKS, THREADS);
        bench_buffer(&bench, PTX_U32, buffer, COUNT);
        bench_scalar(&bench, PTX_U32, begin);
        bench_scalar(&bench, PTX_U32, racing);
        bench_run(&bench);
        assert_int_equal(bench.result.proved, !racing);
        assert_int_equal(bench.result.trace->finding_count != 0, racing);
        for (uint32_t k = 0; k < ALL; k++)
            expected[begin + k]++;
        expected[0] = buffer[0]; /* of any thread */
        assert_memory_equal(buffer, expected, sizeof buffer);
        bench_free(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_proof_hides_no_race),
                                       cmocka_unit_test(each_proof_begins_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
