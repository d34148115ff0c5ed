/* Table branches, and kernels with unusual first instructions: the probes' trace and the kernels' results equal the
 * emulator's, for any choice of recorded blocks. */
#include "probed_helper.h"

enum { WORDS = 1024 };

/* Lane t has words[t] at %rd3. */
#define HEAD                                                                                                           \
    ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"                             \
    ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<5>;\n"
#define PLACE "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
#define CASES                                                                                                          \
    "A: mov.u32 %r3, 1;\nbra.uni E;\nB: mov.u32 %r3, 2;\nbra.uni E;\nC: mov.u32 %r3, 3;\nbra.uni E;\nD: ret;\n"        \
    "E:\nred.global.add.u32 [%rd3], %r3;\nret;\n}\n"
#define TABLE "T: .branchtargets A, B, C, D;\n"

static const char parted[] =
    HEAD PLACE "and.b32 %r2, %r1, 3;\nld.global.u32 %r7, [%rd3];\n" TABLE "brx.idx %r2, T;\n" CASES;
static const char together[] = HEAD PLACE "mov.u32 %r2, %ctaid.x;\n" TABLE "brx.idx.uni %r2, T;\n" CASES;
/* Lanes skip the branch, after accesses that all lanes make. */
static const char guarded[] = HEAD PLACE "and.b32 %r2, %r1, 3;\nsetp.ne.u32 %p1, %r1, 9;\nld.global.u32 %r7, [%rd3];\n"
                                         "ld.global.u32 %r7, [%rd3+4];\n" TABLE "@%p1 brx.idx %r2, T;\n"
                                         "mov.u32 %r3, 9;\nbra.uni E;\n" CASES;

/* A carry crosses the place that asks whether the block is recorded. */
static const char carry[] = HEAD "mov.u32 %r4, %ctaid.x;\nmov.u32 %r1, %tid.x;\nadd.cc.u32 %r2, %r1, -1;\n"
                                 "setp.eq.u32 %p1, %r1, 3;\naddc.u32 %r5, %r4, 7;\n" PLACE
                                 "red.global.add.u32 [%rd3], %r5;\n@%p1 red.global.add.u32 [%rd3], %r2;\nret;\n}\n";
static const char late_names[] = HEAD PLACE
    "{ .reg .b32 %x; mov.u32 %x, 5; add.u32 %r4, %r1, %x; }\n.shared .align 4 .b8 late[128];\n"
    ".reg .b32 %q;\nmov.u32 %q, late;\nshl.b32 %r6, %r1, 2;\nadd.u32 %q, %q, %r6;\nst.shared.u32 [%q], %r4;\n"
    "bar.sync 0;\nld.shared.u32 %r7, [%q];\nred.global.add.u32 [%rd3], %r7;\nret;\n}\n";
/* Warp-wide instructions come before that question; some lanes end, and none reaches a `ret` at the end. */
static const char ends[] = HEAD "activemask.b32 %r5;\nvote.sync.ballot.b32 %r6, 1, -1;\n" PLACE
                                "shfl.sync.idx.b32 %r7, %r1, 3, 31, -1;\nredux.sync.add.u32 %r8, %r1, -1;\n"
                                "bar.warp.sync -1;\nmembar.gl;\nsetp.gt.u32 %p1, %r1, 20;\n@%p1 exit;\n"
                                "add.u32 %r7, %r7, %r8;\nst.global.u32 [%rd3], %r7;\nmov.u32 %r2, %ctaid.x;\n"
                                "setp.eq.u32 %p2, %r2, 1;\n@%p2 ret;\nred.global.add.u32 [%rd3], %r6;\n}\n";

static void launch(struct bench *b, const char *text, uint32_t words[WORDS], uint32_t grid)
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = 3 * i;
    bench_text(b, text);
    bench_launch(b, "k", grid, WARP_LANES);
    bench_buffer(b, PTX_U32, words, WORDS);
}

static void probed_traces_equal_the_emulators(void **state)
{
    (void)state;
    static const char *const texts[] = {parted, together, guarded, carry, late_names, ends};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint32_t grid = 1; grid <= 3; grid++) {
            struct bench b;
            uint32_t words[WORDS];
            launch(&b, texts[i], words, grid);
            probed_check(&b, 0);
            bench_free(&b);
        }
}

/* A switch whose lanes go to several cases diverges, and the trace contains that. */
static void a_table_branch_diverges(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t mask, taken;
    } cases[] = {
        {parted, 0xffffffff, 0x11111111}, {together, 0xffffffff, 0xffffffff}, {guarded, 0xfffffdff, 0x11111111}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b;
        uint32_t words[WORDS];
        size_t found = 0;
        launch(&b, cases[i].text, words, 1);
        struct trace *trace = probed_emulate(b.module, &b, LAUNCH_ALL_BLOCKS, false);
        for (size_t k = 0; k < trace->events.count; k++) {
            const struct trace_event *event = &trace->events.items[k];
            found += event->kind == TRACE_BRANCH_TAKEN;
            if (event->kind == TRACE_BRANCH_TAKEN)
                assert_true(event->mask == cases[i].mask && event->other == cases[i].taken);
        }
        assert_int_equal(found, 1);
        assert_int_equal(trace->totals.branches, 1);
        assert_int_equal(trace->totals.branches_divergent, cases[i].mask != cases[i].taken);
        trace_free(trace);
        bench_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probed_traces_equal_the_emulators),
        cmocka_unit_test(a_table_branch_diverges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
