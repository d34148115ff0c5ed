/* Traces of small kernels made on a GPU have exactly the events of the kernels' text. The kernels are PTX, so that no
 * compiler changes them. */
#include "cuda/cuda.h"
#include "cuda/record/layout.h"
#include "ptx/parse.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#define HEAD                                                                                                           \
    ".version 7.0\n.target sm_75\n.address_size 64\n"                                                                  \
    ".visible .entry k(.param .u64 p_out, .param .u32 p_n)\n{\n"                                                       \
    ".reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"                                                       \
    "ld.param.u64 %rd1, [p_out];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\n"                              \
    "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"

static const char split_text[] = HEAD "setp.lt.u32 %p1, %r1, 10;\n"
                                      "@%p1 bra THEN;\n"
                                      "st.global.u32 [%rd3], %r1;\n"
                                      "bra.uni JOIN;\n"
                                      "THEN:\n"
                                      "st.global.u32 [%rd3+128], %r1;\n"
                                      "JOIN:\n"
                                      "st.global.u32 [%rd3+256], %r1;\n"
                                      "ret;\n}\n";

/* Lane i runs i % 4 + 1 rounds. */
static const char loop_text[] = HEAD "and.b32 %r2, %r1, 3;\n"
                                     "mov.u32 %r3, 0;\n"
                                     "LOOP:\n"
                                     "ld.global.u32 %r4, [%rd3+4];\n"
                                     "add.u32 %r3, %r3, 1;\n"
                                     "setp.le.u32 %p1, %r3, %r2;\n"
                                     "@%p1 bra LOOP;\n"
                                     "st.global.u32 [%rd3], %r3;\n"
                                     "ret;\n}\n";

static const char shared_text[] = HEAD ".shared .align 4 .b8 tile[512];\n"
                                       "mov.u32 %r2, tile;\n"
                                       "shl.b32 %r3, %r1, 3;\n"
                                       "add.u32 %r4, %r2, %r3;\n"
                                       "st.shared.u32 [%r4], %r1;\n"
                                       "bar.sync 0;\n"
                                       "ld.shared.u32 %r5, [tile+8];\n"
                                       "st.global.u32 [%rd3], %r5;\n"
                                       "ret;\n}\n";

/* A lane adds to one of two words, chosen by its lowest bit and guarded by a predicate; then it reads through a
 * permutation. */
static const char scatter_text[] = HEAD "and.b32 %r2, %r1, 1;\n"
                                        "mul.wide.u32 %rd4, %r2, 4;\n"
                                        "add.s64 %rd5, %rd1, %rd4;\n"
                                        "setp.gt.u32 %p1, %r1, 3;\n"
                                        "@!%p1 red.global.add.u32 [%rd5], 1;\n"
                                        "@%p1 atom.global.add.u32 %r5, [%rd1+64], 1;\n"
                                        "mul.lo.u32 %r6, %r1, 7;\n"
                                        "and.b32 %r6, %r6, 31;\n"
                                        "mul.wide.u32 %rd6, %r6, 4;\n"
                                        "add.s64 %rd7, %rd1, %rd6;\n"
                                        "ld.global.u32 %r7, [%rd7+128];\n"
                                        "ld.u32 %r8, [%rd3];\n"
                                        "ret;\n}\n";

/* Both sides of a branch call one function, so lanes of two groups reach its store. */
static const char call_text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                                ".func put(.param .b64 a, .param .b32 v)\n{\n"
                                ".reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n"
                                "ld.param.u64 %rd1, [a];\nld.param.u32 %r1, [v];\n"
                                "st.global.u32 [%rd1], %r1;\nret;\n}\n"
                                ".visible .entry k(.param .u64 p_out, .param .u32 p_n)\n{\n"
                                ".reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"
                                "ld.param.u64 %rd1, [p_out];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\n"
                                "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                                "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
                                "@%p1 bra EVEN;\n"
                                "{ .param .b64 x; st.param.b64 [x], %rd3; .param .b32 y; st.param.b32 [y], 1;\n"
                                "call.uni put, (x, y); }\n"
                                "bra.uni JOIN;\n"
                                "EVEN:\n"
                                "{ .param .b64 x; st.param.b64 [x], %rd3; .param .b32 y; st.param.b32 [y], 2;\n"
                                "call.uni put, (x, y); }\n"
                                "JOIN:\n"
                                "st.global.u32 [%rd3+256], %r1;\n"
                                "ret;\n}\n";

/* n rounds of one load. */
static const char long_text[] = HEAD "ld.param.u32 %r2, [p_n];\n"
                                     "mov.u32 %r3, 0;\n"
                                     "LOOP:\n"
                                     "ld.volatile.global.u32 %r4, [%rd3];\n"
                                     "add.u32 %r3, %r3, 1;\n"
                                     "setp.lt.u32 %p1, %r3, %r2;\n"
                                     "@%p1 bra LOOP;\n"
                                     "ret;\n}\n";

enum { WORDS = 4096 };

struct run {
    struct arena arena;
    uint32_t words[WORDS];
    struct launch_buffer buffer;
    struct launch_argument arguments[2];
    struct launch launch;
    struct trace *trace;
    struct error error;
    bool good;
};

static void run_free(struct run *run)
{
    trace_free(run->trace);
    arena_free(&run->arena);
    free(run);
}

static struct run *run_prepared(const char *text, uint32_t grid, uint32_t block, uint32_t n,
                                const struct ptx_module **made)
{
    struct run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->buffer = (struct launch_buffer){.name = "out", .type = PTX_U32, .count = WORDS, .data = run->words};
    run->arguments[0] = (struct launch_argument){.is_buffer = true};
    run->arguments[1] = (struct launch_argument){.type = PTX_U32, .bits = n};
    run->launch = (struct launch){.kernel = "k",
                                  .grid = {grid, 1, 1},
                                  .block = {block, 1, 1},
                                  .arguments = run->arguments,
                                  .argument_count = 2,
                                  .buffers = &run->buffer,
                                  .buffer_count = 1};
    struct ptx_module *module;
    char line[1024];
    if (!ptx_parse(&run->arena, "test", text, strlen(text), &module, &run->error))
        fail_msg("%s", error_line(&run->error, line, sizeof line));
    *made = module;
    return run;
}

static struct run *run_new(const char *text, uint32_t grid, uint32_t block, uint32_t n, struct launch_blocks recorded,
                           const struct trace_listener *listener)
{
    const struct ptx_module *module;
    struct run *run = run_prepared(text, grid, block, n, &module);
    run->good = cuda_trace(module, &run->launch, recorded, listener, &run->trace, &run->error);
    return run;
}

static struct run *good_run(const char *text, uint32_t grid, uint32_t block)
{
    struct run *run = run_new(text, grid, block, 1, LAUNCH_ALL_BLOCKS, NULL);
    char line[1024];
    if (!run->good)
        fail_msg("%s", error_line(&run->error, line, sizeof line));
    return run;
}

/* Returns the events of one warp as text. Addresses count from the start of the buffer or of shared memory. The first,
 * the second and the last lane's represent all. */
static const char *events_of(struct run *run, uint64_t block, uint32_t warp)
{
    static const char *const names[] = {"access", "arrive", "release", "branch", "reconverge", "exit", "fault"};
    char *text = arena_text(&run->arena, "");
    for (size_t i = 0; i < run->trace->events.count; i++) {
        const struct trace_event *event = &run->trace->events.items[i];
        if (event->block != block || event->warp != warp)
            continue;
        text = arena_format(&run->arena, "%s%s %x", text, names[event->kind], event->mask);
        if (event->kind == TRACE_BRANCH_TAKEN)
            text = arena_format(&run->arena, "%s/%x", text, event->other);
        if (event->kind == TRACE_ACCESS) {
            enum ptx_space const space = trace_space(&run->trace->sites[event->site], event);
            uint64_t const start = space == PTX_SPACE_SHARED ? run->trace->shared_base : run->trace->buffers[0].address;
            uint32_t rest = event->mask;
            for (unsigned n = 0; rest && n < 4; n++, rest &= rest - 1)
                text = arena_format(&run->arena, "%s %" PRIu64, text,
                                    trace_addresses(run->trace, event)[__builtin_ctz(rest)] - start);
        }
        text = arena_format(&run->arena, "%s\n", text);
    }
    return text;
}

static void two_sides_of_a_branch_are_two_groups(void **state)
{
    (void)state;
    struct run *run = good_run(split_text, 1, 32);
    const char *text = events_of(run, 0, 0);
    const char *first = "branch ffffffff/3ff\n", *last = "access ffffffff 256 260 264 268\nexit ffffffff\n";
    const char *then = "access 3ff 128 132 136 140\n", *otherwise = "access fffffc00 40 44 48 52\n";
    const char *one = arena_format(&run->arena, "%s%s%s%s", first, then, otherwise, last);
    const char *two = arena_format(&run->arena, "%s%s%s%s", first, otherwise, then, last);
    if (strcmp(text, one) != 0)
        assert_string_equal(text, two);
    assert_int_equal(run->words[9 + 32], 9);
    assert_int_equal(run->words[10], 10);
    run_free(run);
}

static void lanes_leave_a_loop_one_after_the_other(void **state)
{
    (void)state;
    struct run *run = good_run(loop_text, 1, 32);
    assert_string_equal(events_of(run, 0, 0), "access ffffffff 4 8 12 16\nbranch ffffffff/eeeeeeee\n"
                                              "access eeeeeeee 8 12 16 24\nbranch eeeeeeee/cccccccc\n"
                                              "access cccccccc 12 16 28 32\nbranch cccccccc/88888888\n"
                                              "access 88888888 16 32 48 64\nbranch 88888888/0\n"
                                              "access ffffffff 0 4 8 12\nexit ffffffff\n");
    assert_int_equal(run->words[31], 4);
    run_free(run);
}

static void a_block_that_fills_no_warp_has_a_partial_mask(void **state)
{
    (void)state;
    struct run *run = good_run(split_text, 3, 40);
    for (uint64_t block = 0; block < 3; block++)
        assert_string_equal(events_of(run, block, 1), "branch ff/0\naccess ff 128 132 136 140\n"
                                                      "access ff 384 388 392 396\nexit ff\n");
    assert_int_equal(run->trace->lost, 0);
    run_free(run);
}

static void shared_addresses_count_from_the_blocks_first_byte(void **state)
{
    (void)state;
    struct run *run = good_run(shared_text, 2, 64);
    assert_string_equal(events_of(run, 0, 0), "access ffffffff 0 8 16 24\narrive ffffffff\nrelease ffffffff\n"
                                              "access ffffffff 8 8 8 8\naccess ffffffff 0 4 8 12\nexit ffffffff\n");
    assert_string_equal(events_of(run, 1, 1),
                        "access ffffffff 256 264 272 280\narrive ffffffff\nrelease ffffffff\n"
                        "access ffffffff 8 8 8 8\naccess ffffffff 128 132 136 140\nexit ffffffff\n");
    assert_int_equal(run->trace->shared_bytes, 512);
    run_free(run);
}

static void no_warp_is_released_before_the_last_arrived(void **state)
{
    (void)state;
    struct run *run = good_run(shared_text, 1, 64);
    uint64_t last_arrival = 0, first_release = UINT64_MAX;
    for (size_t i = 0; i < run->trace->events.count; i++) {
        const struct trace_event *event = &run->trace->events.items[i];
        if (event->kind == TRACE_BARRIER_ARRIVE && event->time > last_arrival)
            last_arrival = event->time;
        if (event->kind == TRACE_BARRIER_RELEASE && event->time < first_release)
            first_release = event->time;
    }
    assert_true(last_arrival < first_release);
    run_free(run);
}

static void only_lanes_whose_predicate_holds_are_recorded(void **state)
{
    (void)state;
    struct run *run = good_run(scatter_text, 1, 32);
    assert_string_equal(events_of(run, 0, 0), "access f 0 4 0 4\naccess fffffff0 64 64 64 64\n"
                                              "access ffffffff 128 156 184 212\naccess ffffffff 0 4 8 12\n"
                                              "exit ffffffff\n");
    assert_int_equal(run->words[0], 2);
    assert_int_equal(run->words[16], 28);
    run_free(run);
}

static void groups_that_meet_in_one_function_keep_their_addresses(void **state)
{
    (void)state;
    struct run *run = good_run(call_text, 1, 32);
    uint32_t seen = 0;
    for (size_t i = 0; i < run->trace->events.count; i++) {
        const struct trace_event *event = &run->trace->events.items[i];
        if (event->kind != TRACE_ACCESS || event->mask == UINT32_MAX)
            continue;
        assert_int_equal(seen & event->mask, 0);
        seen |= event->mask;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (event->mask >> lane & 1)
                assert_int_equal(trace_addresses(run->trace, event)[lane] - run->trace->buffers[0].address, lane * 4);
    }
    assert_true(seen == UINT32_MAX || seen == 0);
    assert_int_equal(run->words[0], 2);
    assert_int_equal(run->words[1], 1);
    run_free(run);
}

static void count_event(void *context, unsigned worker, const struct trace_event *event, const uint64_t *addresses)
{
    (void)worker;
    (void)addresses;
    size_t *counts = context;
    counts[event->block]++;
}

static void only_the_chosen_blocks_are_recorded(void **state)
{
    (void)state;
    size_t counts[8] = {0};
    struct trace_listener const listener = {.context = counts, .event = count_event};
    struct run *run = run_new(split_text, 8, 64, 1, (struct launch_blocks){2, 4}, &listener);
    assert_true(run->good);
    assert_int_equal(run->trace->recorded.first, 2);
    assert_int_equal(run->trace->recorded.last, 4);
    for (size_t block = 0; block < 8; block++)
        assert_int_equal(counts[block], 9); /* a listener receives the events of all blocks */
    assert_int_equal(run->trace->events.count, 27);
    run_free(run);
}

/* Two blocks of 1024 threads run at once without probes; with probes, only if the probes use few registers. */
static void few_recorded_blocks_are_recorded_with_the_registers_of_all(void **state)
{
    (void)state;
    struct run *run = run_new(scatter_text, 64, 1024, 1, (struct launch_blocks){62, 63}, NULL);
    char line[1024];
    if (!run->good)
        fail_msg("%s", error_line(&run->error, line, sizeof line));
    for (uint64_t block = 62; block < 64; block++) {
        assert_string_equal(events_of(run, block, 0), "access f 0 4 0 4\naccess fffffff0 64 64 64 64\n"
                                                      "access ffffffff 128 156 184 212\naccess ffffffff 0 4 8 12\n"
                                                      "exit ffffffff\n");
        assert_string_equal(events_of(run, block, 31), "access ffffffff 64 64 64 64\naccess ffffffff 128 156 184 212\n"
                                                       "access ffffffff 3968 3972 3976 3980\nexit ffffffff\n");
    }
    assert_string_equal(events_of(run, 61, 0), "");
    assert_int_equal(run->words[0], 64 * 2);
    assert_int_equal(run->words[16], 64 * 1020);
    run_free(run);
}

/* More records than the first launch has room for, and more events than a trace keeps. */
static void events_without_room_are_recorded_again_or_counted(void **state)
{
    (void)state;
    uint32_t const rounds = 10000000;
    struct run *run = run_new(long_text, 1, 32, rounds, LAUNCH_ALL_BLOCKS, NULL);
    assert_true(run->good);
    assert_int_equal(run->trace->events.count, TRACE_EVENTS_MAX);
    assert_int_equal(run->trace->events.count + run->trace->lost, 2 * rounds + 1);
    run_free(run);
}

/* The increments would count twice if the inputs were not restored. */
static const char count_text[] = HEAD "ld.param.u32 %r2, [p_n];\n"
                                      "mov.u32 %r3, 0;\n"
                                      "LOOP:\n"
                                      "red.global.add.u32 [%rd3], 1;\n"
                                      "red.global.add.u32 [counter], 1;\n"
                                      "add.u32 %r3, %r3, 1;\n"
                                      "setp.lt.u32 %p1, %r3, %r2;\n"
                                      "@%p1 bra LOOP;\n"
                                      "bar.sync 0;\n"
                                      "ld.global.u32 %r4, [counter];\n"
                                      "st.global.u32 [%rd3+4096], %r4;\n"
                                      "ret;\n}\n";

static void a_second_launch_starts_from_the_same_inputs(void **state)
{
    (void)state;
    uint32_t const rounds = 10000000;
    char *text = malloc(sizeof count_text + 128);
    const char *at = strstr(count_text, ".visible");
    sprintf(text, "%.*s.global .align 4 .u32 counter = 5;\n%s", (int)(at - count_text), count_text, at);
    struct run *run = run_new(text, 1, 32, rounds, LAUNCH_ALL_BLOCKS, NULL);
    assert_true(run->good);
    assert_int_equal(run->words[0], rounds);
    assert_int_equal(run->words[1024], 5 + 32 * rounds);
    assert_int_equal(run->trace->buffer_count, 2);
    assert_string_equal(run->trace->buffers[1].name, "counter");
    assert_int_equal(run->trace->buffers[1].count, 4);
    run_free(run);
    free(text);
}

/* Each lane counts in a word of its own and reads the number of its round. */
static const char found_text[] = HEAD "ld.param.u32 %r2, [p_n];\n"
                                      "mov.u32 %r3, 0;\n"
                                      "LOOP:\n"
                                      "atom.global.add.u32 %r4, [%rd3], 1;\n"
                                      "add.u32 %r3, %r3, 1;\n"
                                      "setp.lt.u32 %p1, %r3, %r2;\n"
                                      "@%p1 bra LOOP;\n"
                                      "ret;\n}\n";

static void values_without_room_are_recorded_again(void **state)
{
    (void)state;
    uint32_t const rounds = 300000; /* more than the 64 MiB that one warp has at first */
    const struct ptx_module *module;
    struct run *run = run_prepared(found_text, 1, 32, rounds, &module);
    assert_true(rounds * sizeof(struct record_values) > 2 << 26);
    run->good = cuda_trace_values(module, &run->launch, LAUNCH_ALL_BLOCKS, NULL, &run->trace, &run->error);
    assert_true(run->good);
    assert_int_equal(run->trace->lost, 0);
    uint32_t round = 0;
    for (size_t i = 0; i < run->trace->events.count; i++) {
        const struct trace_event *event = &run->trace->events.items[i];
        if (event->kind != TRACE_ACCESS)
            continue;
        const uint64_t *values = trace_values(run->trace, event);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            assert_int_equal(values[lane], round);
        round++;
    }
    assert_int_equal(round, rounds);
    run_free(run);
}

static void the_trace_names_its_executor(void **state)
{
    (void)state;
    struct cuda_device device;
    struct error error;
    assert_true(cuda_device(&device, &error));
    struct run *run = good_run(split_text, 1, 32);
    assert_int_equal(run->trace->executor, EXECUTOR_GPU);
    assert_string_equal(run->trace->device, device.name);
    assert_string_equal(run->trace->driver, device.driver);
    assert_int_equal(strlen(run->trace->date), 10);
    assert_int_equal(run->trace->clock, TRACE_CLOCK_GPU);
    assert_int_equal(run->trace->buffers[0].address % 256, 0);
    run_free(run);
}

static void an_impossible_launch_is_refused(void **state)
{
    (void)state;
    struct run *run = run_new(split_text, 1, 2048, 1, LAUNCH_ALL_BLOCKS, NULL);
    assert_false(run->good);
    assert_int_equal(run->error.kind, ERROR_INPUT);
    assert_non_null(strstr(run->error.message, "above the limit of 1024 threads"));
    run_free(run);
    run = run_new(split_text, 2, 32, 1, (struct launch_blocks){5, 9}, NULL);
    assert_false(run->good);
    assert_int_equal(run->error.kind, ERROR_INPUT);
    run_free(run);
}

static void too_much_memory_is_refused(void **state)
{
    (void)state;
    struct run *run = run_new(split_text, 1, 32, 1, LAUNCH_ALL_BLOCKS, NULL);
    assert_true(run->good);
    run->buffer.count = UINT64_C(1) << 46;
    struct ptx_module *module;
    assert_true(ptx_parse(&run->arena, "test", split_text, strlen(split_text), &module, &run->error));
    struct trace *trace;
    assert_false(cuda_trace(module, &run->launch, LAUNCH_ALL_BLOCKS, NULL, &trace, &run->error));
    assert_int_equal(run->error.kind, ERROR_MISSING);
    assert_non_null(strstr(run->error.message, "no room"));
    run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sides_of_a_branch_are_two_groups),
        cmocka_unit_test(lanes_leave_a_loop_one_after_the_other),
        cmocka_unit_test(a_block_that_fills_no_warp_has_a_partial_mask),
        cmocka_unit_test(shared_addresses_count_from_the_blocks_first_byte),
        cmocka_unit_test(no_warp_is_released_before_the_last_arrived),
        cmocka_unit_test(only_lanes_whose_predicate_holds_are_recorded),
        cmocka_unit_test(groups_that_meet_in_one_function_keep_their_addresses),
        cmocka_unit_test(only_the_chosen_blocks_are_recorded),
        cmocka_unit_test(few_recorded_blocks_are_recorded_with_the_registers_of_all),
        cmocka_unit_test(events_without_room_are_recorded_again_or_counted),
        cmocka_unit_test(a_second_launch_starts_from_the_same_inputs),
        cmocka_unit_test(values_without_room_are_recorded_again),
        cmocka_unit_test(the_trace_names_its_executor),
        cmocka_unit_test(an_impossible_launch_is_refused),
        cmocka_unit_test(too_much_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
