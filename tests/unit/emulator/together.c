/* Work done once for several accesses: one look at the addresses serves all instructions that use the same register,
 * and accesses with equal counts are counted together. Each kernel runs that way, with one access at a time, and
 * recorded (where nothing is shared); memory and every count must be the same. */
#include "emulator_helper.h"
#include "model/counts.h"

enum { WORDS = 4096, THREADS = 224, BLOCKS = 3 };

#define HEAD                                                                                                           \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                                                  \
    ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"                                                          \
    ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<16>;\n"                                     \
    ".shared .align 16 .b8 tile[4096];\n"                                                                              \
    "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [in];\n"                                                            \
    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.u32 %r3, %r1, %r2, %r0;\n"            \
    "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\nadd.s64 %rd4, %rd1, %rd2;\n"

static const char *const kernels[] = {
    /* one register, several offsets, loads and stores */
    HEAD "ld.global.u32 %r4, [%rd4];\nld.global.u32 %r5, [%rd4+4];\nld.global.u32 %r6, [%rd4+128];\n"
         "add.u32 %r7, %r4, %r5;\nadd.u32 %r7, %r7, %r6;\nst.global.u32 [%rd3], %r7;\nret;\n}\n",
    /* the register is written in between: by arithmetic, for some lanes, by the load itself */
    HEAD "ld.global.u32 %r4, [%rd4];\nadd.s64 %rd4, %rd4, 64;\nld.global.u32 %r5, [%rd4];\n"
         "setp.lt.u32 %p1, %r0, 9;\n@%p1 add.s64 %rd4, %rd4, 8;\nld.global.u32 %r6, [%rd4];\n"
         "and.b32 %r8, %r4, 1023;\nmul.wide.u32 %rd5, %r8, 4;\nadd.s64 %rd5, %rd5, %rd1;\n"
         "ld.global.u32 %r9, [%rd5];\nand.b32 %r9, %r9, 511;\nmul.wide.u32 %rd5, %r9, 4;\nadd.s64 %rd5, %rd5, %rd1;\n"
         "ld.global.u32 %r10, [%rd5];\nadd.u32 %r7, %r5, %r6;\nadd.u32 %r7, %r7, %r10;\n"
         "st.global.u32 [%rd3], %r7;\nret;\n}\n",
    /* pointers in shared memory, through one register that each load writes; and a vector load that writes one */
    HEAD "mov.u32 %r4, tile;\nshl.b32 %r5, %r0, 3;\nadd.u32 %r5, %r5, %r4;\n"
         "cvt.u64.u32 %rd6, %r5;\nxor.b64 %rd7, %rd6, 8;\nst.shared.u64 [%rd6], %rd7;\nbar.sync 0;\n"
         "ld.shared.u64 %rd6, [%rd6];\nld.shared.u64 %rd6, [%rd6];\nld.shared.u64 %rd8, [%rd6];\n"
         "and.b64 %rd9, %rd6, -16;\nld.shared.v2.u64 {%rd9, %rd10}, [%rd9];\nld.shared.u64 %rd11, [%rd9];\n"
         "add.s64 %rd8, %rd8, %rd10;\nadd.s64 %rd8, %rd8, %rd11;\n"
         "cvt.u32.u64 %r6, %rd8;\nst.global.u32 [%rd3], %r6;\nret;\n}\n",
    /* a loop entered in its middle: the addresses seen by the first half are then outdated */
    HEAD "mov.u32 %r4, 0;\nmov.u32 %r7, 0;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 bra middle;\n"
         "again:\nld.global.u32 %r5, [%rd4];\nadd.u32 %r7, %r7, %r5;\n"
         "middle:\nld.global.u32 %r6, [%rd4+256];\nadd.u32 %r7, %r7, %r6;\nadd.s64 %rd4, %rd4, 4;\n"
         "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, 40;\n@%p2 bra again;\nst.global.u32 [%rd3], %r7;\nret;\n}\n",
    /* first a part of the warp, then all of it, with strides that are not linear, and all lanes the same */
    HEAD
    "shl.b32 %r4, %r0, 4;\nmov.u32 %r5, tile;\nadd.u32 %r4, %r4, %r5;\nand.b32 %r6, %r4, 4095;\n"
    "and.b32 %r8, %r0, 1;\nsetp.eq.u32 %p1, %r8, 0;\nst.shared.u32 [%r6], %r3;\nbar.sync 0;\n"
    "mov.u32 %r9, 0;\n@%p1 ld.shared.u32 %r9, [%r6];\nld.shared.u32 %r10, [%r6];\n@%p1 ld.shared.u32 %r11, [%r6+4];\n"
    "ld.shared.u32 %r12, [%r5+16];\nld.shared.u32 %r13, [%r5+32];\nadd.u32 %r7, %r9, %r10;\n"
    "add.u32 %r7, %r7, %r12;\nadd.u32 %r7, %r7, %r13;\nst.global.u32 [%rd3], %r7;\nret;\n}\n",
    /* a register written by a shuffle and by an atomic */
    HEAD "and.b32 %r4, %r0, 31;\nshl.b32 %r4, %r4, 2;\nld.global.u32 %r5, [%rd4];\nmov.u32 %r10, tile;\n"
         "add.u32 %r4, %r4, %r10;\nst.shared.u32 [%r4], 4;\nbar.sync 0;\nld.shared.u32 %r6, [%r4];\n"
         "shfl.sync.bfly.b32 %r4, %r4, 5, 31, -1;\nld.shared.u32 %r7, [%r4];\n"
         "atom.shared.max.u32 %r4, [%r4], 4;\nld.shared.u32 %r8, [%r4];\n"
         "add.u32 %r6, %r6, %r7;\nadd.u32 %r6, %r6, %r8;\nst.global.u32 [%rd3], %r6;\nret;\n}\n",
};

enum mode { TOGETHER, APART, IN_TRACE, WAYS };

static void run(struct bench *b, enum mode mode, uint32_t *out, struct counts *counts)
{
    static uint32_t in[WORDS];
    uint32_t site_count;
    const struct trace_site *sites = trace_sites(&b->arena, b->module, &site_count);
    struct counts_tally *tally = counts_tally_new(sites, site_count);
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = i * UINT32_C(2654435761) >> 7;
    memset(out, 0, WORDS * sizeof *out);
    bench_launch(b, "k", BLOCKS, THREADS - 4); /* the last warp is not full */
    bench_buffer(b, PTX_U32, out, WORDS);
    bench_buffer(b, PTX_U32, in, WORDS);
    b->options = (struct emulator_options){.recorded = {1, 0}, .threads = 2, .listener = counts_listener(tally)};
    if (mode == APART)
        b->options.listener.accesses = NULL;
    if (mode == IN_TRACE)
        b->options.recorded = LAUNCH_ALL_BLOCKS;
    bench_run(b);
    assert_int_equal(trace_faults(b->result.trace), 0);
    counts_tally_sum(tally, &b->arena, counts);
    counts_tally_free(tally);
}

static void shared_address_checks_change_no_result(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct bench b;
        static uint32_t out[WAYS][WORDS];
        struct counts counts[WAYS], of_trace;
        bench_text(&b, kernels[k]);
        for (enum mode mode = 0; mode < WAYS; mode++)
            run(&b, mode, out[mode], &counts[mode]);
        counts_of_trace(b.result.trace, &b.arena, &of_trace);
        for (enum mode mode = 0; mode < WAYS; mode++) {
            assert_memory_equal(out[mode], out[IN_TRACE], sizeof out[mode]);
            for (uint32_t i = 0; i < of_trace.site_count; i++)
                if (memcmp(&counts[mode].sites[i], &of_trace.sites[i], sizeof of_trace.sites[i]) != 0)
                    fail_msg("kernel %zu, mode %d: site %u (%s) counts otherwise", k, mode, i,
                             b.result.trace->sites[i].text);
        }
        bench_free(&b);
    }
}

/* A test that names the handlers to run must not get better ones. */
static void the_requested_handlers_are_used(void **state)
{
    (void)state;
    const char *asked = getenv("LANESCOPE_LANES");
    if (asked)
        assert_true(strcmp(emulator_lanes(), asked) <= 0);
    setenv("LANESCOPE_LANES", "portable", 1);
    assert_string_equal(emulator_lanes(), "portable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_address_checks_change_no_result),
                                       cmocka_unit_test(the_requested_handlers_are_used)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
