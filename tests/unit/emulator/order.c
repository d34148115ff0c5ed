/* Races are found exactly where happens-before does not order two threads. A barrier object's phase orders the threads
 * that arrived before the threads that saw it complete, and no others. The same holds for copies that complete a phase
 * and for barriers of some threads. */
#include "emulator/check/check.h"
#include "emulator/check/fault.h"
#include "emulator/memory/memory.h"
#include "emulator_helper.h"
#include <stdio.h>

/* data: 128 words from 64 on; objects at 0, 8 and 16. p1: the first thread. */
static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".entry k(.param .u64 out, .param .u64 in) {\n"
                           " .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"
                           " .shared .align 16 .b8 all[576];\n"
                           " ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];\n"
                           " mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31;\n"
                           " shl.b32 %r4, %r3, 2; mov.u32 %r5, all; add.u32 %r6, %r5, %r4;\n"
                           " setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r3, 0; setp.eq.u32 %p3, %r2, 0;\n"
                           " setp.eq.u32 %p4, %r2, 1; setp.eq.u32 %p5, %r2, 2;\n"
                           " mov.u32 %r7, 0; mov.u32 %r8, 7;\n";
static const char tail[] = "end: mov.u32 %r11, %ctaid.x; mad.lo.u32 %r11, %r11, 128, %r1;\n"
                           " mul.wide.u32 %rd3, %r11, 4; add.u64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r7;\n"
                           " ret;\n}\n";

#define INIT(at, count) " @%p1 mbarrier.init.shared.b64 [all+" #at "], " #count ";\n"
#define ARRIVE(at) " mbarrier.arrive.shared.b64 %rd8, [all+" #at "];\n"
#define WAIT(name, at)                                                                                                 \
    name ": mbarrier.test_wait.parity.shared.b64 %p8, [all+" #at "], 0;\n"                                             \
         " @!%p8 bra " name ";\n"
#define ALL " bar.sync 0;\n"
#define WRITE " st.shared.u32 [%r6+64], %r1;\n"
#define READ " ld.shared.u32 %r7, [%r6+64];\n"
#define WRITE_FIRST " st.shared.u32 [all+64], %r8;\n"
#define READ_FIRST " ld.shared.u32 %r7, [all+64];\n"
/* A bulk copy by one thread, which makes the object's phase wait for its bytes. */
#define BULK(at, to)                                                                                                   \
    " mbarrier.arrive.expect_tx.shared.b64 _, [all+" #at "], 128;\n"                                                   \
    " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [all+" #to "], [%rd2], 128, [all+" #at "];\n"

/* Returns the number of races when this many warps run the body. */
static uint32_t races(const char *body, uint32_t warps)
{
    char text[4096];
    struct bench b;
    static uint32_t out[256], in[256];
    uint32_t count = 0;
    for (int recorded = 0; recorded < 2; recorded++) {
        snprintf(text, sizeof text, "%s%s%s", head, body, tail);
        bench_text(&b, text);
        bench_mode(&b, CHECKED, 1);
        b.options.checks.memory = false;
        if (!recorded)
            b.options.recorded = (struct launch_blocks){1, 0};
        bench_launch(&b, "k", 2, warps * 32);
        bench_buffer(&b, PTX_U32, out, 256);
        bench_buffer(&b, PTX_U32, in, 256);
        bench_run(&b);
        for (uint32_t i = 0; i < b.result.trace->finding_count; i++)
            if (!finding_is_race(&b.result.trace->findings[i]))
                fail_msg("%s", finding_word(&b.result.trace->findings[i]));
        count += trace_hazards(b.result.trace);
        bench_free(&b);
    }
    return count;
}

static void expect_race(const char *body, uint32_t warps)
{
    if (!races(body, warps))
        fail_msg("no race in\n%s", body);
}

static void expect_none(const char *body, uint32_t warps)
{
    uint32_t const count = races(body, warps);
    if (count)
        fail_msg("%u races in\n%s", count, body);
}

#define PRODUCE INIT(0, 32) ALL " @!%p3 bra consume;\n" WRITE ARRIVE(0) " bra end;\nconsume:\n"

static void only_threads_that_wait_for_a_phase_are_ordered(void **state)
{
    (void)state;
    expect_none(PRODUCE WAIT("w", 0) READ, 2);
    expect_race(PRODUCE READ, 2);
    /* warp 1 waits, warp 2 reads */
    expect_race(PRODUCE " @%p5 bra read;\n" WAIT("w", 0) " bra end;\nread:\n" READ, 3);
    /* an arrival does not wait, so later accesses are not ordered */
    expect_race(INIT(0, 64) ALL " @!%p3 bra consume;\n" WRITE ARRIVE(0) " bra end;\nconsume:\n" ARRIVE(0) READ, 2);
    expect_race(INIT(0, 32) ALL " @!%p3 bra consume;\n" ARRIVE(0) WRITE " bra end;\nconsume:\n" WAIT("w", 0) READ, 2);
}

static void a_wait_orders_only_the_lane_that_waits(void **state)
{
    (void)state;
    expect_race(PRODUCE " @!%p2 bra read;\n" WAIT("w", 0) "read:\n" READ, 2);
    expect_none(PRODUCE " @!%p2 bra read;\n" WAIT("w", 0) "read:\n bar.warp.sync 0xffffffff;\n" READ, 2);
    /* one lane arrives for its whole warp, whose lanes must have synchronised before */
    expect_race(INIT(0, 1) ALL " @!%p3 bra consume;\n" WRITE
                               " @!%p2 bra end;\n" ARRIVE(0) " bra end;\nconsume:\n" WAIT("w", 0) READ,
                2);
    expect_none(INIT(0, 1) ALL
                " @!%p3 bra consume;\n" WRITE
                " bar.warp.sync 0xffffffff;\n @!%p2 bra end;\n" ARRIVE(0) " bra end;\nconsume:\n" WAIT("w", 0) READ,
                2);
}

/* Warp 0 is ordered before warp 1, and warp 1 before warp 2. */
static void happens_before_is_transitive(void **state)
{
    (void)state;
#define CHAIN(first)                                                                                                   \
    INIT(0, 32)                                                                                                        \
    INIT(8, 32)                                                                                                        \
    ALL " @%p4 bra middle;\n @%p5 bra last;\n" WRITE ARRIVE(0) " bra end;\nmiddle:\n" first ARRIVE(                    \
        8) " bra end;\nlast:\n" WAIT("v", 8) READ
    expect_none(CHAIN(WAIT("w", 0)), 3);
    expect_race(CHAIN(""), 3);
}

/* Two warps read, and a third overwrites. */
static void a_write_races_with_every_earlier_reader(void **state)
{
    (void)state;
#define READERS(count, first, second)                                                                                  \
    INIT(0, count)                                                                                                     \
    ALL " @%p5 bra write;\n @%p4 bra two;\n" first " bra end;\n"                                                       \
        "two:\n" second " bra end;\nwrite:\n" WAIT("w", 0) WRITE_FIRST
    expect_none(READERS(64, READ_FIRST ARRIVE(0), READ_FIRST ARRIVE(0)), 3);
    expect_race(READERS(32, READ_FIRST, READ_FIRST ARRIVE(0)), 3);
    expect_race(READERS(32, READ_FIRST ARRIVE(0), READ_FIRST), 3);
    /* lanes of one warp: all read one word, and the last lane writes it */
    expect_race(READ_FIRST " setp.eq.u32 %p6, %r3, 31;\n @%p6 st.shared.u32 [all+64], %r1;\n", 1);
    expect_none(READ_FIRST " bar.warp.sync 0xffffffff;\n setp.eq.u32 %p6, %r3, 31;\n"
                           " @%p6 st.shared.u32 [all+64], %r1;\n",
                1);
}

static void a_bulk_copy_is_ordered_by_its_own_phase(void **state)
{
    (void)state;
#define COPY INIT(0, 1) INIT(8, 1) ALL " @!%p1 bra wait;\n" BULK(0, 64) BULK(8, 256) "wait:\n"
    expect_none(COPY WAIT("w", 0) READ, 2);
    expect_race(COPY WAIT("w", 8) READ, 2);
    expect_race(COPY READ, 2);
    expect_race(COPY " @!%p3 bra read;\n" WAIT("w", 0) "read:\n" READ, 2); /* another warp waited */
    expect_none(COPY " @!%p3 bra read;\n" WAIT("w", 0) "read:\n" ALL READ, 2);
    expect_race(COPY ALL READ, 2);
}

/* A copy's source may be changed only after the copy ended. */
static void a_bulk_copy_reads_until_its_phase_completes(void **state)
{
    (void)state;
#define SOURCE " add.u32 %r9, %r3, 0; mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd2, %rd4; st.global.u32 [%rd4], %r8;\n"
#define ONCE " mov.u32 %r10, %ctaid.x; setp.ne.u32 %p7, %r10, 0; @%p7 bra end;\n"
    expect_none(ONCE INIT(0, 1) ALL " @%p1 bra copy;\n @!%p4 bra end;\n" WAIT("w", 0) SOURCE " bra end;\n"
                                                                                             "copy:\n" BULK(0, 64),
                2);
    expect_race(ONCE INIT(0, 1) ALL " @%p1 bra copy;\n @!%p4 bra end;\n" SOURCE " bra end;\ncopy:\n" BULK(0, 64), 2);
}

static void copies_of_threads_are_ordered_by_the_phase_they_arrive_at(void **state)
{
    (void)state;
#define THREADS                                                                                                        \
    INIT(0, 32)                                                                                                        \
    ALL " @!%p3 bra wait;\n add.u64 %rd5, %rd2, 0; cp.async.ca.shared.global [%r6+64], [%rd5], 4;\n"                   \
        " cp.async.mbarrier.arrive.noinc.shared.b64 [all];\nwait:\n"
    expect_none(THREADS WAIT("w", 0) READ, 2);
    expect_race(THREADS READ, 2);
    expect_race(THREADS " @%p4 bra end;\n" READ, 2); /* not even by the threads that started them */
}

static void a_barrier_of_some_threads_orders_those(void **state)
{
    (void)state;
#define SOME                                                                                                           \
    " @%p5 bra third;\n @!%p3 bra sync;\n" WRITE "sync: bar.sync 1, 64;\n @%p3 bra end;\n" READ " bra end;\nthird:\n"
    expect_none(SOME, 3);
    expect_race(SOME READ, 3);
    /* a thread that only arrives is not ordered after the others */
    expect_none(" @!%p3 bra other;\n" WRITE " bar.arrive 1, 64;\n bra end;\nother: bar.sync 1, 64;\n" READ, 2);
    expect_race(" @!%p3 bra other;\n bar.arrive 1, 64;\n" READ " bra end;\nother:\n" WRITE " bar.sync 1, 64;\n", 2);
}

/* The same in global memory. */
static void phases_order_global_memory(void **state)
{
    (void)state;
#define PLACE " mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd2, %rd4;\n" ONCE
    expect_none(PLACE INIT(0, 32) ALL " @!%p3 bra consume;\n st.global.u32 [%rd4], %r1;\n" ARRIVE(
                    0) " bra end;\nconsume:\n" WAIT("w", 0) " ld.global.u32 %r7, [%rd4];\n",
                2);
    expect_race(PLACE INIT(0, 32) ALL " @!%p3 bra consume;\n st.global.u32 [%rd4], %r1;\n" ARRIVE(
                    0) " bra end;\nconsume:\n ld.global.u32 %r7, [%rd4];\n",
                2);
}

/* An atomic on 16 bytes covers all of them, on both sides. */
static void an_atomic_on_16_bytes_covers_all_of_them(void **state)
{
    (void)state;
#define WIDE(space, base)                                                                                              \
    " .reg .b128 %q<3>; mov.b128 %q1, {%rd1, %rd1};\n @!%p1 bra other;\n atom" space ".exch.b128 %q2, [" base          \
    "], %q1;\n bra end;\nother:\n setp.eq.u32 %p6, %r1, 32;\n"
    expect_race(WIDE(".shared", "all+64") " @%p6 st.shared.u32 [all+76], %r8;\n", 2);
    expect_none(WIDE(".shared", "all+64") " @%p6 st.shared.u32 [all+80], %r8;\n", 2);
    expect_race(ONCE WIDE(".global", "%rd2") " @%p6 st.global.u32 [%rd2+12], %r8;\n", 2);
    expect_none(ONCE WIDE(".global", "%rd2") " @%p6 st.global.u32 [%rd2+16], %r8;\n", 2);
}

/* ---- the clock ---- */

struct few { /* as much of an emulation as two warps need for accesses to global memory */
    struct emulation emulation;
    struct emulator_options options;
    struct launch launch;
    struct region region;
    struct worker worker;
    struct warp warps[2];
    struct access access;
    struct recent recent;
    struct op op;
    struct arena arena;
    uint32_t memory[16];
};

static void touch(struct few *f, unsigned warp, bool writes, uint32_t value)
{
    struct check_access access = {.op = &f->op,
                                  .bytes = 4,
                                  .address = f->region.base,
                                  .reads = !writes,
                                  .writes = writes,
                                  .values = (const uint8_t *)&value};
    f->worker.time++;
    assert_true(checks_global(&f->warps[warp], &access));
}

static void races_are_found_after_4_billion_accesses(void **state)
{
    (void)state;
    struct few *f = aligned_alloc(128, (sizeof *f + 127) / 128 * 128);
    assert_non_null(f);
    memset(f, 0, sizeof *f);
    f->options.checks.races = true;
    f->launch = (struct launch){.block = {64, 1, 1}};
    f->region = (struct region){
        .base = EMULATOR_GLOBAL_BASE, .size = sizeof f->memory, .host = (uint8_t *)f->memory, .shared_by_all = true};
    f->emulation = (struct emulation){.options = &f->options,
                                      .launch = &f->launch,
                                      .regions = &f->region,
                                      .region_count = 1,
                                      .arena = &f->arena,
                                      .lock = PTHREAD_MUTEX_INITIALIZER};
    f->recent.region = &f->region;
    f->worker.emulation = &f->emulation;
    f->worker.recent = &f->recent;
    f->op.extra = &f->access;
    for (unsigned i = 0; i < 2; i++)
        f->warps[i] = (struct warp){.worker = &f->worker, .block = &f->worker.block, .number = i};
    assert_true(checks_start(&f->emulation));
    f->worker.time = UINT32_MAX - 1;
    touch(f, 0, true, 1);
    f->worker.block.barrier_time = f->worker.time;
    touch(f, 1, false, 0); /* the 2^32nd access, after a barrier */
    assert_int_equal(f->emulation.hazards.count, 0);
    touch(f, 0, true, 2); /* while the other warp reads */
    assert_int_equal(f->emulation.hazards.count, 1);
    f->worker.time += UINT64_C(1) << 40;
    touch(f, 1, true, 3);
    f->worker.block.barrier_time = f->worker.time;
    touch(f, 0, false, 0);
    assert_int_equal(f->emulation.hazards.count, 2); /* write after write; the access after the barrier is not a race */
    checks_finish(&f->emulation);
    free(f->emulation.hazards.items);
    arena_free(&f->arena);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_threads_that_wait_for_a_phase_are_ordered),
        cmocka_unit_test(a_wait_orders_only_the_lane_that_waits),
        cmocka_unit_test(happens_before_is_transitive),
        cmocka_unit_test(a_write_races_with_every_earlier_reader),
        cmocka_unit_test(a_bulk_copy_is_ordered_by_its_own_phase),
        cmocka_unit_test(a_bulk_copy_reads_until_its_phase_completes),
        cmocka_unit_test(copies_of_threads_are_ordered_by_the_phase_they_arrive_at),
        cmocka_unit_test(a_barrier_of_some_threads_orders_those),
        cmocka_unit_test(phases_order_global_memory),
        cmocka_unit_test(an_atomic_on_16_bytes_covers_all_of_them),
        cmocka_unit_test(races_are_found_after_4_billion_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
