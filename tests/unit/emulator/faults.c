/* Findings name a kernel's mistake with its line, thread and address. A launch that the hardware refuses is refused. */
#include "emulator_helper.h"
#include "message_helper.h"
#include <stdio.h>

static int data[64];

/* Runs a kernel of faults.ptx with a number of threads over a buffer of ints, and returns the first fault. */
static const struct finding *run_threads(struct bench *b, const char *kernel, uint32_t threads, uint64_t n,
                                         uint64_t count)
{
    memset(data, 0, sizeof data);
    b->options =
        (struct emulator_options){.recorded = {0, 0}, .threads = 2, .checks.memory = true, .checks.races = true};
    b->options.budget = 100000;
    bench_launch(b, kernel, 1, threads);
    bench_buffer(b, PTX_S32, data, count);
    bench_scalar(b, PTX_S32, n);
    bench_run(b);
    return nth_fault(b->result.trace, 0);
}

static const struct finding *run(struct bench *b, const char *kernel, uint64_t n, uint64_t count)
{
    return run_threads(b, kernel, 64, n, count);
}

static void expect_of(struct bench *b, const char *kernel, uint64_t n, uint64_t count, const char *kind,
                      const char *words, uint32_t thread)
{
    const struct finding *fault = run(b, kernel, n, count);
    assert_non_null(fault);
    assert_string_equal(finding_word(fault), kind);
    if (!strstr(message_of(fault), words))
        fail_msg("\"%s\" does not say \"%s\"", message_of(fault), words);
    assert_int_equal(fault->at.thread[0], thread);
    assert_true(fault->at.line > 0);
}

static void expect(struct bench *b, const char *kernel, uint64_t n, const char *kind, const char *words,
                   uint32_t thread)
{
    expect_of(b, kernel, n, 60, kind, words, thread);
}

static void an_access_past_the_end_names_the_distance(void **state)
{
    expect(*state, "past_the_end", 1, "out of bounds", "write of size 4 bytes", 60);
    expect(*state, "past_the_end", 1, "out of bounds", "is 1 byte after buffer of 240 bytes, where buffer[60] would be",
           60);
}

static void an_access_before_the_start_is_a_fault(void **state)
{
    expect(*state, "before_the_start", 1, "out of bounds", "is 4 bytes before buffer", 0);
}

static void a_misaligned_access_is_a_fault(void **state)
{
    expect(*state, "misaligned", 1, "misaligned address", "is misaligned", 0);
}

static void a_null_pointer_is_a_fault(void **state)
{
    expect(*state, "null_pointer", 0, "null pointer", "through a null pointer", 0);
}

static void an_endless_loop_is_a_fault(void **state)
{
    expect(*state, "endless", 0, "endless loop", "without coming to its end", 0);
}

static void a_barrier_that_some_threads_never_reach_is_a_fault(void **state)
{
    expect(*state, "lonely_barrier", 0, "deadlock", "no thread changes any more", 32);
    expect(*state, "named_barrier", 0, "barrier error", "never reach", 0);
}

static void an_access_beyond_shared_memory_is_a_fault(void **state)
{
    expect(*state, "shared_past_the_end", 1, "out of bounds", "the 128 bytes of shared memory", 31);
}

static void a_recursion_without_end_is_a_fault(void **state)
{
    expect(*state, "stack_overflow", 1, "stack overflow", "stack", 0);
}

static void a_mask_with_absent_lanes_is_a_fault(void **state)
{
    expect(*state, "shuffle_mask", 1, "mismatched mask", "which never come", 0);
}

static void a_trap_is_a_fault(void **state)
{
    expect(*state, "stop", 1, "trap", "trap", 0);
}

static void a_race_names_both_sides(void **state)
{
    struct bench *b = *state;
    assert_null(run(b, "race", 5, 64));
    assert_int_equal(trace_hazards(b->result.trace), 1);
    const struct finding *hazard = nth_hazard(b->result.trace, 0);
    assert_non_null(strstr(message_of(hazard), "Read after write"));
    assert_int_equal(hazard->race.space, PTX_SPACE_SHARED);
    assert_int_equal(hazard->race.first.thread[0] + hazard->at.thread[0], 63);
    assert_int_equal(hazard->address % 4, 0);
    assert_true(b->result.trace->sites[hazard->race.first.site].operation == TRACE_STORE);
    assert_true(b->result.trace->sites[hazard->at.site].operation == TRACE_LOAD);
}

static void a_race_in_an_unrolled_loop_is_reported_once(void **state)
{
    struct bench *b = *state;
    assert_null(run(b, "unrolled_race", 5, 64));
    assert_int_equal(trace_hazards(b->result.trace), 1);
}

static void a_barrier_ends_the_race(void **state)
{
    struct bench *b = *state;
    run(b, "no_race", 5, 64);
    assert_int_equal(trace_hazards(b->result.trace), 0);
}

static void lanes_in_step_are_not_ordered_by_it(void **state)
{
    struct bench *b = *state;
    assert_null(run_threads(b, "warp_race", 32, 5, 64));
    assert_int_equal(trace_hazards(b->result.trace), 1);
    assert_int_equal(
        nth_hazard(b->result.trace, 0)->race.first.thread[0] + nth_hazard(b->result.trace, 0)->at.thread[0], 31);
    assert_null(run_threads(b, "warp_no_race", 32, 5, 64));
    assert_int_equal(trace_hazards(b->result.trace), 0);
    run_threads(b, "shuffle_is_no_barrier", 32, 5, 64);
    assert_int_equal(trace_hazards(b->result.trace), 1);
}

static void writes_race_only_with_different_values(void **state)
{
    struct bench *b = *state;
    for (uint32_t threads = 32; threads <= 64; threads += 32) {
        run_threads(b, "same_value", threads, 5, 64);
        assert_int_equal(trace_hazards(b->result.trace), 0);
        run_threads(b, "different_values", threads, 5, 64);
        assert_int_equal(trace_hazards(b->result.trace), 1);
        assert_non_null(strstr(message_of(nth_hazard(b->result.trace, 0)), "Write after write"));
    }
}

static void a_warp_that_reaches_a_barrier_in_parts_is_a_fault(void **state)
{
    expect_of(*state, "divergent_barrier", 5, 64, "barrier error",
              "Divergent thread(s) in warp 0: 16 of its 32 threads", 0);
    for (int i = 0; i < 64; i++) /* the run continues, as on GPUs with independent thread scheduling */
        assert_int_equal(data[i], i & 1 ? 5 : 6);
}

static void reads_of_unwritten_shared_memory_are_found(void **state)
{
    assert_non_null(run(*state, "unwritten", 5, 64));
    const struct trace *trace = ((struct bench *)*state)->result.trace;
    for (uint32_t i = 0; i < trace->finding_count; i++)
        if (trace->findings[i].kind == FINDING_UNINITIALIZED && trace->findings[i].at.thread[0] == 32)
            return;
    fail_msg("no uninitialized read among the faults");
}

static void refuse(struct bench *b, uint32_t x, uint32_t y, uint32_t z, uint32_t shared, const char *words)
{
    bench_launch(b, "race", 1, 64);
    bench_buffer(b, PTX_S32, data, 60);
    bench_scalar(b, PTX_S32, 0);
    b->launch.block[0] = x, b->launch.block[1] = y, b->launch.block[2] = z;
    b->launch.shared_bytes = shared;
    assert_false(emulator_run(b->module, &b->launch, &b->options, &b->result, &b->error));
    assert_int_equal(b->error.kind, ERROR_INPUT);
    if (!strstr(b->error.message, words))
        fail_msg("\"%s\" does not say \"%s\"", b->error.message, words);
}

static void shapes_beyond_the_hardware_are_refused(void **state)
{
    refuse(*state, 1025, 1, 1, 0, "limit of 1024 threads");
    refuse(*state, 1, 1, 65, 0, "limit of 64 in z");
    refuse(*state, 0, 1, 1, 0, "nothing to run");
    refuse(*state, 32, 1, 1, 227 * 1024, "shared memory");
}

static void arguments_that_do_not_fit_are_refused(void **state)
{
    struct bench *b = *state;
    bench_launch(b, "race", 1, 64);
    bench_buffer(b, PTX_S32, data, 60);
    assert_false(emulator_run(b->module, &b->launch, &b->options, &b->result, &b->error));
    assert_non_null(strstr(b->error.message, "takes 2, but the launch gives 1"));
    bench_scalar(b, PTX_S64, 0);
    assert_false(emulator_run(b->module, &b->launch, &b->options, &b->result, &b->error));
    assert_non_null(strstr(b->error.message, "gives 8 B, but the kernel takes 4 B"));
}

/* A short text must not exhaust the machine's memory: all of this is refused before anything is allocated. */
static void refuse_text(const char *declaration, const char *parameters, const char *body, const char *words)
{
    static const char *const frame = ".version 9.0\n.target sm_80\n.address_size 64\n%s.entry k(%s) {\n%s ret;\n}\n";
    struct bench b;
    char text[600];
    snprintf(text, sizeof text, frame, declaration, parameters, body);
    bench_text(&b, text);
    bench_launch(&b, "k", 1, 32);
    if (*parameters)
        bench_scalar(&b, PTX_B64, 0);
    assert_false(emulator_run(b.module, &b.launch, &b.options, &b.result, &b.error));
    if (!strstr(b.error.message, words))
        fail_msg("\"%s\" does not say \"%s\"", b.error.message, words);
    bench_free(&b);
}

static void sizes_beyond_any_machine_are_refused(void **state)
{
    (void)state;
    refuse_text(".global .align 4 .b8 x[34359738368];\n", "", "", "Variable x (34359738368 B)");
    refuse_text(".global .b8 x[4294967296];\n.global .b8 y[1];\n", "", "", "Variable y (1 B)");
    refuse_text("", ".param .align 4 .b8 p[34359738368]", "", "34359738368 bytes of parameters");
    refuse_text("", "", ".local .align 4 .b8 p[4294967297];", "bytes of local memory");
    refuse_text("", "", ".shared .align 4 .b8 p[4294967297];", "4294967297 bytes of shared memory");
    refuse_text(".func f(.param .align 4 .b8 a[2147483648]) { ret; }\n", "",
                "{ .param .align 4 .b8 p[2147483648]; call f, (p); }", "bytes of local memory");
}

static void atomics_outside_shared_and_global_memory_are_faults(void **state)
{
    (void)state;
    refuse_text("", ".param .u64 p",
                ".reg .b32 %r<2>; .reg .b64 %a; ld.param.u64 %a, [p]; atom.param.exch.b32 %r1, [%a], 1;",
                "cannot run `atom.param.exch.b32");
}

static void barriers_in_an_endless_loop_are_a_fault(void **state)
{
    struct bench b;
    (void)state;
    for (int recorded = 0; recorded < 2; recorded++) {
        bench_text(&b, ".version 9.0\n.target sm_80\n.address_size 64\n"
                       ".entry k() {\nloop: bar.sync 0; bra loop;\n}\n");
        b.options = (struct emulator_options){.recorded = {recorded ? 0 : 1, 0}, .threads = 1, .budget = 2000};
        bench_launch(&b, "k", 1, 128);
        bench_run(&b);
        assert_int_equal(trace_faults(b.result.trace), 1);
        assert_kind(nth_fault(b.result.trace, 0), ENDLESS_LOOP);
        bench_free(&b);
    }
}

/* `.loc 1 0 0` gives no line: the finding has the nearest one before it, of its own function. */
static void an_instruction_without_a_line_is_near_the_line_before(void **state)
{
    static const char head[] =
        ".version 9.0\n.target sm_80\n.address_size 64\n.entry other() {\n .loc 1 3 1\n ret;\n}\n"
        ".entry k() {\n .reg .b64 %a;\n";
    static const char tail[] = " mov.u64 %a, 0;\n .loc 1 0 0\n add.u64 %a, %a, 4;\n st.global.u32 [%a], 1;\n ret;\n}\n"
                               ".file 1 \"a.cu\"\n";
    struct arena arena = {0};
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct bench b;
        bench_text(&b, arena_format(&arena, "%s%s%s", head, known ? " .loc 1 12 5\n" : "", tail));
        b.options = (struct emulator_options){.recorded = {1, 0}, .threads = 1};
        bench_launch(&b, "k", 1, 64);
        bench_run(&b);
        const struct finding *fault = nth_fault(b.result.trace, 0);
        assert_kind(fault, NULL_POINTER);
        assert_int_equal(fault->at.line, known ? 12 : 0);
        assert_true(fault->at.near == (known != 0));
        if (known)
            assert_string_equal(b.result.trace->files[fault->at.file], "a.cu");
        bench_free(&b);
    }
    arena_free(&arena);
}

/* Every block writes its number to the first element of each page. */
static void accesses_beyond_the_checked_memory_are_counted(void **state)
{
    static const char text[] = ".version 9.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 x) {\n"
                               " .reg .b32 %r<3>; .reg .b64 %a<2>; .reg .pred %p;\n"
                               " ld.param.u64 %a1, [x]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, 0;\n"
                               "page: st.global.u32 [%a1], %r1; add.u64 %a1, %a1, 4096; add.u32 %r2, %r2, 1;\n"
                               " setp.lt.u32 %p, %r2, 4; @%p bra page; ret;\n}\n";
    static uint32_t pages[4][1024];
    (void)state;
    for (uint64_t watched = 0; watched <= 2; watched++) {
        struct bench b;
        bench_text(&b, text);
        b.options = (struct emulator_options){.recorded = {1, 0}, .checks.races = true, .watched = watched * 4096};
        bench_launch(&b, "k", 2, 1);
        bench_buffer(&b, PTX_U32, pages, 4096);
        bench_run(&b);
        assert_int_equal(trace_hazards(b.result.trace), 1);
        assert_int_equal(nth_hazard(b.result.trace, 0)->race.first.block, 0);
        assert_int_equal(nth_hazard(b.result.trace, 0)->at.block, 1);
        assert_int_equal(b.result.unchecked.reason == UNCHECKED_MEMORY, watched > 0);
        assert_int_equal(b.result.unchecked.left_out_bytes, (4 - (watched ? watched : 4)) * 4096);
        bench_free(&b);
    }
}

/* Lane l of two adds the first and third word of its four; behind the last used one the buffer may end. */
static void bytes_that_a_load_does_not_use_need_not_be_there(void **state)
{
    static const char frame[] = ".version 9.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 x) {\n"
                                " .reg .b32 %%r<7>; .reg .b64 %%a<4>;\n"
                                " ld.param.u64 %%a1, [x]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%a2, %%r1, 16;\n"
                                " add.u64 %%a2, %%a2, %%a1; mul.wide.u32 %%a3, %%r1, 4; add.u64 %%a3, %%a3, %%a1;\n"
                                " %s ld.global.v4.u32 {%%r2, %%r3, %%r4, %%r5}, [%%a2+16];\n"
                                " add.u32 %%r6, %%r2, %%r4; st.global.u32 [%%a3+4], %%r6; ret;\n}\n";
    static const struct {
        const char *pragma;
        uint64_t words; /* of the buffer */
        bool good;
    } cases[] = {
        {".pragma \"used_bytes_mask 0xf0f\";", 11, true},
        {".pragma \"used_bytes_mask 0x70f\";", 11, true},
        {".pragma \"used_bytes_mask 0xf0f\"; add.u32 %r1, %r1, 0;", 11, false}, /* it is of the next one alone */
        {".pragma \"used_bytes_mask 0xf0f\";", 10, false},
        {".pragma \"used_bytes_mask 65535\";", 11, false},
        {".pragma \"nounroll\";", 11, false},
        {"", 11, false},
        {"", 12, true},
    };
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        bool const good = cases[i / 2].good, checked = i % 2;
        uint32_t words[12] = {0, 0, 0, 0, 5, 6, 7, 8, 9, 10, 11, 12};
        struct bench b;
        bench_text(&b, arena_format(&arena, frame, cases[i / 2].pragma));
        b.options = (struct emulator_options){
            .recorded = {0, 0}, .threads = 1, .checks = {.memory = checked, .races = checked}};
        bench_launch(&b, "k", 1, 2);
        bench_buffer(&b, PTX_U32, words, cases[i / 2].words);
        bench_run(&b);
        assert_int_equal(trace_faults(b.result.trace), !good);
        assert_int_equal(trace_hazards(b.result.trace), 0);
        assert_int_equal(words[1], good ? 12 : 0);
        if (good)
            assert_int_equal(words[2], 9 + 11);
        else
            assert_non_null(strstr(message_of(nth_fault(b.result.trace, 0)), "read of size 16 bytes"));
        bench_free(&b);
    }
    arena_free(&arena);
}

/* Each of four lanes reads the third word of its four and writes the fourth of the lane before. */
static void bytes_that_a_load_does_not_use_race_with_nothing(void **state)
{
    static const char frame[] = ".version 9.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 x) {\n"
                                " .reg .b32 %%r<7>; .reg .b64 %%a<3>;\n"
                                " ld.param.u64 %%a1, [x]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%a2, %%r1, 16;\n"
                                " add.u64 %%a2, %%a2, %%a1;\n"
                                " %s ld.global.v4.u32 {%%r2, %%r3, %%r4, %%r5}, [%%a2+16];\n"
                                " st.global.u32 [%%a2+12], %%r4; ret;\n}\n";
    struct arena arena = {0};
    (void)state;
    for (int masked = 0; masked < 2; masked++) {
        uint32_t words[20] = {0};
        struct bench b;
        bench_text(&b, arena_format(&arena, frame, masked ? ".pragma \"used_bytes_mask 0xf00\";" : ""));
        b.options = (struct emulator_options){.recorded = {1, 0}, .threads = 1, .checks.races = true};
        bench_launch(&b, "k", 1, 4);
        bench_buffer(&b, PTX_U32, words, 20);
        bench_run(&b);
        assert_int_equal(trace_hazards(b.result.trace), !masked);
        bench_free(&b);
    }
    arena_free(&arena);
}

static int start(void **state)
{
    return bench_open(state, "emulator/faults.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_past_the_end_names_the_distance),
        cmocka_unit_test(an_access_before_the_start_is_a_fault),
        cmocka_unit_test(bytes_that_a_load_does_not_use_need_not_be_there),
        cmocka_unit_test(bytes_that_a_load_does_not_use_race_with_nothing),
        cmocka_unit_test(a_misaligned_access_is_a_fault),
        cmocka_unit_test(a_null_pointer_is_a_fault),
        cmocka_unit_test(an_endless_loop_is_a_fault),
        cmocka_unit_test(a_barrier_that_some_threads_never_reach_is_a_fault),
        cmocka_unit_test(an_access_beyond_shared_memory_is_a_fault),
        cmocka_unit_test(a_recursion_without_end_is_a_fault),
        cmocka_unit_test(a_mask_with_absent_lanes_is_a_fault),
        cmocka_unit_test(a_trap_is_a_fault),
        cmocka_unit_test(a_race_names_both_sides),
        cmocka_unit_test(a_race_in_an_unrolled_loop_is_reported_once),
        cmocka_unit_test(a_barrier_ends_the_race),
        cmocka_unit_test(lanes_in_step_are_not_ordered_by_it),
        cmocka_unit_test(writes_race_only_with_different_values),
        cmocka_unit_test(a_warp_that_reaches_a_barrier_in_parts_is_a_fault),
        cmocka_unit_test(reads_of_unwritten_shared_memory_are_found),
        cmocka_unit_test(shapes_beyond_the_hardware_are_refused),
        cmocka_unit_test(arguments_that_do_not_fit_are_refused),
        cmocka_unit_test(sizes_beyond_any_machine_are_refused),
        cmocka_unit_test(atomics_outside_shared_and_global_memory_are_faults),
        cmocka_unit_test(barriers_in_an_endless_loop_are_a_fault),
        cmocka_unit_test(an_instruction_without_a_line_is_near_the_line_before),
        cmocka_unit_test(accesses_beyond_the_checked_memory_are_counted),
    };
    return cmocka_run_group_tests(tests, start, bench_close);
}
