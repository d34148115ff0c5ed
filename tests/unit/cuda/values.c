/* The probes' records of values, read back. */
#include "probed_helper.h"

#define HEAD                                                                                                           \
    ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"                             \
    ".reg .pred %p<4>;\n.reg .b16 %h<8>;\n.reg .f32 %f<8>;\n.reg .f64 %d<4>;\n.reg .b32 %r<32>;\n"                     \
    ".reg .b64 %rd<16>;\n.reg .b128 %q;\n"                                                                             \
    ".shared .align 16 .b8 tile[2048];\n.local .align 8 .b8 own[16];\n"                                                \
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 16;\nadd.s64 %rd3, %rd1, %rd2;\n"          \
    "shl.b32 %r2, %r1, 4;\nmov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r2;\n"

/* Every width, vectors, discarded results, numbers in place of registers. */
static const char widths_text[] = HEAD "ld.global.u8 %h1, [%rd3];\n"
                                       "ld.global.s8 %r4, [%rd3+1];\n"
                                       "ld.global.s16 %r5, [%rd3+2];\n"
                                       "ld.global.b16 %h2, [%rd3+2];\n"
                                       "ld.global.f32 %f1, [%rd3+4];\n"
                                       "ld.global.f64 %d1, [%rd3+8];\n"
                                       "ld.global.v2.u8 {%h3, %h4}, [%rd3+4];\n"
                                       "ld.global.v4.u16 {%h3, %h4, %h5, %h6}, [%rd3];\n"
                                       "ld.global.v2.f32 {%f2, %f3}, [%rd3];\n"
                                       "ld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd3];\n"
                                       "ld.global.v2.b64 {%rd4, %rd5}, [%rd3];\n"
                                       "ld.global.v4.b32 {_, %r6, _, %r7}, [%rd3];\n"
                                       "ld.global.b128 %q, [%rd3];\n"
                                       "st.global.b128 [%rd3+2048], %q;\n"
                                       "ld.global.u64 %rd3, [%rd3];\n" /* overwrites its own address register */
                                       "add.s64 %rd3, %rd1, %rd2;\n"
                                       "st.shared.v4.f32 [%r3], {%f2, 0f40500000, %f4, %f5};\n"
                                       "st.shared.u8 [%r3], -3;\n"
                                       "st.shared.u16 [%r3+2], %h2;\n"
                                       "st.shared.s8 [%r3+1], %r5;\n"
                                       "ld.shared.v2.f64 {%d2, %d3}, [%r3];\n"
                                       "st.local.f64 [own], %d2;\n"
                                       "ld.local.b32 %r8, [own+4];\n"
                                       "cvta.shared.u64 %rd6, %rd2;\n"
                                       "mov.u64 %rd6, tile;\ncvta.shared.u64 %rd6, %rd6;\nadd.s64 %rd6, %rd6, %rd2;\n"
                                       "and.b32 %r9, %r1, 1;\nsetp.eq.u32 %p1, %r9, 0;\n"
                                       "selp.b64 %rd7, %rd6, %rd3, %p1;\n"
                                       "ld.u32 %r10, [%rd7+4];\n" /* every second lane in shared memory */
                                       "ld.v2.u32 {%r11, _}, [%rd7];\n"
                                       "st.u16 [%rd7+14], %h1;\n"
                                       "ret;\n}\n";

static const char atomics_text[] = HEAD "atom.global.add.u32 %r4, [%rd1+2048], %r1;\n"
                                        "atom.global.add.f64 %d1, [%rd3+8], 0d3FF8000000000000;\n"
                                        "atom.global.exch.b64 %rd4, [%rd3], %rd2;\n"
                                        "atom.global.cas.b32 _, [%rd3], %r1, 7;\n"
                                        "atom.shared.max.u32 %r5, [%r3], %r1;\n"
                                        "red.global.add.u32 [%rd1+2052], 5;\n"
                                        "red.global.add.f32 [%rd3+4], 0f3F800000;\n"
                                        "ret;\n}\n";

static const char copies_text[] = HEAD "and.b32 %r4, %r1, 15;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 16;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3+4], 4;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 16, %r4;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 8, 5;\n"
                                       "cp.async.ca.shared.global [%r3], [%rd3], 4, 0;\n"
                                       "cp.async.wait_all;\n"
                                       "ret;\n}\n";

/* Constants by a register, by their name, and through a generic address, which counts as global. */
static const char constants_text[] =
    ".version 8.3\n.target sm_90\n.address_size 64\n"
    ".const .align 8 .b8 other[24];\n"
    ".const .align 16 .u32 table[256] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .b16 %h<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "mov.u64 %rd4, table;\nadd.s64 %rd5, %rd4, %rd2;\nld.const.u32 %r2, [%rd5];\nld.const.u32 %r3, [table+8];\n"
    "and.b32 %r4, %r1, 5;\nmul.wide.u32 %rd6, %r4, 16;\nadd.s64 %rd7, %rd4, %rd6;\n"
    "ld.const.v4.u32 {%r5, %r6, %r7, %r8}, [%rd7];\nld.const.v2.u8 {%h1, %h2}, [%rd5+2];\n"
    "cvta.const.u64 %rd8, %rd5;\nld.u32 %r9, [%rd8+4];\nadd.u32 %r9, %r9, %r2;\nadd.u32 %r9, %r9, %r3;\n"
    "add.u32 %r9, %r9, %r8;\nst.global.u32 [%rd3], %r9;\nret;\n}\n";

/* Lanes that leave a loop one after another, a predicate, and a function called from both sides of a branch. */
static const char groups_text[] =
    ".version 8.3\n.target sm_90\n.address_size 64\n"
    ".func put(.param .b64 a, .param .b32 v)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n"
    "ld.param.u64 %rd1, [a];\nld.param.u32 %r1, [v];\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "mov.u32 %r7, %ctaid.x;\nmul.wide.u32 %rd4, %r7, 1024;\nadd.s64 %rd3, %rd3, %rd4;\n"
    "mov.u32 %r2, 0;\nand.b32 %r4, %r1, 7;\n"
    "LOOP:\nld.global.u32 %r3, [%rd3];\nadd.u32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r4;\n@%p1 bra LOOP;\n"
    "setp.gt.u32 %p2, %r4, 4;\n@%p2 st.global.u32 [%rd3], %r2;\n@!%p2 ld.global.u32 %r5, [%rd3+512];\n"
    "bar.sync 0;\n"
    "and.b32 %r6, %r1, 1;\nsetp.eq.u32 %p3, %r6, 0;\n@%p3 bra EVEN;\n"
    "{ .param .b64 x; st.param.b64 [x], %rd3; .param .b32 y; st.param.b32 [y], 1;\ncall.uni put, (x, y); }\n"
    "bra.uni JOIN;\nEVEN:\n"
    "{ .reg .b32 %inner; ld.global.u32 %inner, [%rd3]; .param .b64 x; st.param.b64 [x], %rd3; .param .b32 y; "
    "st.param.b32 [y], %inner;\ncall.uni put, (x, y); }\n"
    "JOIN:\nst.global.u32 [%rd3+512], %r1;\nret;\n}\n";

/* Shuffles of every mode: with the second result, in parts of 8 lanes, over their own operand, of a number, by half of
 * the lanes, under a predicate, and in a loop. */
static const char shuffles_text[] =
    HEAD "ld.global.f32 %f1, [%rd3+4];\nand.b32 %r4, %r1, 31;\n"
         "activemask.b32 %r15;\n"
         "shfl.sync.down.b32 %f2|%p1, %f1, 16, 31, %r15;\n"
         "shfl.sync.up.b32 %r5, %r4, 3, 6144, %r15;\n"
         "shfl.sync.bfly.b32 %r4, %r4, 5, 31, %r15;\n"
         "and.b32 %r6, %r4, 7;\n"
         "shfl.sync.idx.b32 %r7, 77, %r6, 31, %r15;\n"
         "and.b32 %r8, %r1, 1;\nsetp.eq.u32 %p2, %r8, 0;\n@%p2 bra EVEN;\n"
         "activemask.b32 %r9;\nshfl.sync.down.b32 %r10, %r1, 2, 31, %r9;\n"
         "EVEN:\nactivemask.b32 %r11;\nvote.sync.ballot.b32 %r12, %p2, %r11;\n"
         "@%p2 shfl.sync.bfly.b32 %r1, %r1, 2, 31, %r12;\n"
         "mov.u32 %r13, 16;\n"
         "LOOP:\nactivemask.b32 %r15;\nshfl.sync.down.b32 %r14, %r4, %r13, 31, %r15;\nadd.u32 %r4, %r4, %r14;\n"
         "shr.u32 %r13, %r13, 1;\nsetp.ne.u32 %p3, %r13, 0;\n@%p3 bra LOOP;\n"
         "st.global.u32 [%rd3], %r4;\nret;\n}\n";

enum { WORDS = 1024 };

static void launch_with(struct bench *b, const char *text, uint32_t words[WORDS], uint32_t grid, uint32_t block)
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = 0x3f800000 + i * 0x01234567;
    bench_text(b, text);
    bench_launch(b, "k", grid, block);
    bench_buffer(b, PTX_U32, words, WORDS);
}

static void check(const char *text, uint32_t grid, uint32_t block)
{
    struct bench b;
    uint32_t words[WORDS];
    launch_with(&b, text, words, grid, block);
    probed_check(&b, 0);
    bench_free(&b);
}

static void all_widths_of_loads_and_stores_have_their_bytes(void **state)
{
    (void)state;
    check(widths_text, 1, 32);
    check(widths_text, 1, 40);
}

static void constants_are_recorded_like_other_loads(void **state)
{
    (void)state;
    check(constants_text, 2, 32);
    check(constants_text, 1, 40);
}

static void atomics_record_the_old_value_and_reductions_the_operand(void **state)
{
    (void)state;
    check(atomics_text, 1, 32);
    check(atomics_text, 1, 20);
}

static void copies_record_the_copied_bytes(void **state)
{
    (void)state;
    check(copies_text, 1, 64);
}

static void groups_of_lanes_are_kept_apart(void **state)
{
    (void)state;
    check(groups_text, 1, 32);
    check(groups_text, 3, 100);
}

static void shuffles_record_their_sources_and_both_values(void **state)
{
    (void)state;
    check(shuffles_text, 1, 32);
    check(shuffles_text, 2, 40);
}

/* Records without room are counted, and the others are unchanged. */
static void records_without_room_are_not_lost_silently(void **state)
{
    (void)state;
    struct bench b;
    struct probed_run run;
    uint32_t words[WORDS];
    launch_with(&b, groups_text, words, 1, 32);
    probed_run(&b, LAUNCH_ALL_BLOCKS, true, 1, &run);
    const struct trace *whole = run.wanted;
    assert_true(run.counters.lost > 0);
    size_t const kept = run.found->addresses.count / WARP_LANES, all = whole->addresses.count / WARP_LANES;
    assert_true(kept > 0 && kept < all && kept + run.counters.lost >= all);
    for (size_t i = 0; i < run.found->events.count; i++) {
        const struct trace_event *event = &run.found->events.items[i];
        bool found = event->kind != TRACE_ACCESS;
        for (size_t k = 0; k < whole->events.count && !found; k++) {
            const struct trace_event *other = &whole->events.items[k];
            found =
                other->kind == TRACE_ACCESS && other->site == event->site && other->mask == event->mask &&
                memcmp(trace_values(whole, other), trace_values(run.found, event), WARP_LANES * sizeof(uint64_t)) == 0;
        }
        assert_true(found);
    }
    probed_free(&run);
    bench_free(&b);
}

/* Tests the emulator's own record of a shuffle, the reference for the others: a value holds what the lane got, and
 * above it what it brought. */
static void a_shuffle_tells_where_each_value_comes_from(void **state)
{
    (void)state;
    struct bench b;
    uint32_t words[WORDS];
    launch_with(&b, shuffles_text, words, 1, 32);
    struct trace *trace = probed_emulate(b.module, &b, LAUNCH_ALL_BLOCKS, true);
    unsigned seen = 0;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_SHUFFLE || seen++ > 1)
            continue;
        const uint64_t *sources = trace_addresses(trace, event), *values = trace_values(trace, event);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            bool const down = seen == 1;
            unsigned const source = down ? (lane < 16 ? lane + 16 : lane) : (lane % 8 < 3 ? lane : lane - 3);
            uint32_t const brought = down ? words[4 * lane + 1] : lane, got = down ? words[4 * source + 1] : source;
            assert_int_equal(sources[lane], source);
            assert_int_equal(values[lane], (uint64_t)brought << 32 | got);
        }
    }
    assert_int_equal(seen, 11);
    trace_free(trace);
    trace = probed_emulate(b.module, &b, LAUNCH_ALL_BLOCKS, false);
    for (size_t i = 0; i < trace->events.count; i++)
        assert_int_not_equal(trace->events.items[i].kind, TRACE_SHUFFLE);
    trace_free(trace);
    bench_free(&b);
}

/* Tests the emulator's own values, which serve as the reference for the others. */
static void a_value_is_the_bytes_as_they_lie_in_memory(void **state)
{
    (void)state;
    static const struct {
        const char *text; /* of the instruction */
        uint64_t value;   /* of lane 0 */
    } wanted[] = {{"ld.global.s8", 0x00},
                  {"ld.global.v2.u8", 0x4567},
                  {"ld.global.v4.b32", UINT64_C(0x40a345673f800000)},
                  {"st.shared.u8", 0xfd},
                  {"st.shared.v4.f32", UINT64_C(0x405000003f800000)}};
    struct bench b;
    uint32_t words[WORDS];
    launch_with(&b, widths_text, words, 1, 32);
    struct trace *trace = probed_emulate(b.module, &b, LAUNCH_ALL_BLOCKS, true);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t found = 0;
        for (size_t k = 0; k < trace->events.count; k++) {
            const struct trace_event *event = &trace->events.items[k];
            if (event->kind != TRACE_ACCESS ||
                strncmp(trace->sites[event->site].text, wanted[i].text, strlen(wanted[i].text)) != 0)
                continue;
            found++;
            assert_true(trace_values(trace, event)[0] == wanted[i].value);
        }
        assert_int_equal(found, 1);
    }
    trace_free(trace);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_widths_of_loads_and_stores_have_their_bytes),
        cmocka_unit_test(constants_are_recorded_like_other_loads),
        cmocka_unit_test(atomics_record_the_old_value_and_reductions_the_operand),
        cmocka_unit_test(copies_record_the_copied_bytes),
        cmocka_unit_test(shuffles_record_their_sources_and_both_values),
        cmocka_unit_test(a_shuffle_tells_where_each_value_comes_from),
        cmocka_unit_test(groups_of_lanes_are_kept_apart),
        cmocka_unit_test(records_without_room_are_not_lost_silently),
        cmocka_unit_test(a_value_is_the_bytes_as_they_lie_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
