/* Findings in words: each form in English as scripts know it, whole sentences in Korean, advice by what is known. */
#include "app/app.h"
#include "report/report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static const struct finding_wait waits[] = {{FINDING_AT_BARRIER, 1, 31, 9, false}, {FINDING_AT_LANES, 2, 32, 10, true}};

#define FOUND(of, ...)                                                                                                 \
    {                                                                                                                  \
        .form = FINDING_##of, .waits = waits, __VA_ARGS__                                                              \
    }
static const struct {
    struct finding finding;
    const char *english;
} cases[] = {
    {FOUND(OUTSIDE_SHARED, .memory = {.space = PTX_SPACE_SHARED,
                                      .access = FINDING_WRITE,
                                      .bytes = 1,
                                      .offset = -4,
                                      .space_bytes = 256,
                                      .name = "s",
                                      .size = 256,
                                      .side = FINDING_BEFORE,
                                      .distance = 4}),
     "Invalid __shared__ write of size 1 byte: offset -4 is out of bounds of the 256 bytes of shared memory and is 4 "
     "bytes before s of 256 bytes"},
    {FOUND(OUTSIDE_ARRAY, .memory = {.space = PTX_SPACE_SHARED,
                                     .bytes = 4,
                                     .offset = 128,
                                     .name = "a",
                                     .size = 128,
                                     .side = FINDING_AFTER,
                                     .distance = 1,
                                     .inside = "b"}),
     "Invalid __shared__ read of size 4 bytes: offset 128 is out of bounds and is 1 byte after a of 128 bytes, in b"},
    {FOUND(OUTSIDE_BUFFERS, .address = 0x1000, .memory = {.bytes = 8}),
     "Invalid __global__ read of size 8 bytes: address 0x1000 is out of bounds, and no buffer is near"},
    {FOUND(OUTSIDE_BUFFERS, .address = 0x1000, .memory = {.bytes = 8, .side = FINDING_ACROSS, .name = "x", .size = 12}),
     "Invalid __global__ read of size 8 bytes: address 0x1000 is out of bounds: it begins in x of 12 bytes and ends "
     "beyond it"},
    {FOUND(MISALIGNED_COPY, .copy = {24, 0x10, 0x20}),
     "Invalid bulk copy of 24 bytes from 0x10 to 0x20: all must be multiples of 16"},
    {FOUND(PHASE_UNFINISHED, .wait_count = 1, .wait_total = 1, .mbarrier = {8, 1, 64, 0, 0, 0}),
     "A phase that never completes: the mbarrier at offset 8 of shared memory still waits for 1 of 64 arrivals and 0 "
     "bytes; these wait: warp 1 (31 threads) at line 9"},
    {FOUND(MASK_UNMET, .wait_count = 1, .wait_total = 3, .mask = {0, 0x8000ffff, 0x0000ffff, 0x80000000}),
     "Lanes 0-15 wait for lanes 31, which their mask 0x8000ffff names and which never come; these wait: warp 1 (31 "
     "threads) at line 9, and 2 more groups of threads"},
    {FOUND(DEADLOCKED, .wait_count = 2, .wait_total = 2, .loop = {.warp = 0, .other_blocks = 4223}),
     "Warp 0 waits here for memory that no thread changes any more; meanwhile these wait: warp 1 (31 threads) at line "
     "9, warp 2 (32 threads) near line 10; 4223 other blocks have begun and wait as well"},
    {FOUND(DEADLOCKED, .loop = {.warp = 5, .other_blocks = 1}),
     "Warp 5 waits here for memory that no thread changes any more; 1 other block has begun and waits as well"},
    {FOUND(ENDLESS, .loop = {.instructions = 300001}),
     "The block ran 300001 warp instructions without coming to its end"},
    {FOUND(SAME_AGAIN, .loop = {.warp = 3}),
     "Warp 3 never leaves this loop: it reads no memory, and each round ends with the same registers"},
    {FOUND(ASSERT, .assertion = {"i < n", "claim", "a.cu", 4}), "Assertion `i < n` failed in claim (a.cu:4)"},
    {FOUND(STACK_CALLS, .stack = {.depth = 129, .size = 1024}),
     "Calls are 129 deep and need more than the 1024 bytes of stack of a thread"},
    {FOUND(TRAPPED, ), "Kernel executed trap"},
    {FOUND(TEXT, .text = {"melted", "the GPU is soft"}), "the GPU is soft"},
    {FOUND(TEXT, .text = {"melted", ""}), "melted"},
};

static void each_form_has_its_sentence(void **state)
{
    (void)state;
    for (int korean = 0; korean < 2; korean++) { /* English stays English for scripts */
        app_use_language(korean ? "ko" : "en");
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            assert_string_equal(report_message(&arena, REPORT_ENGLISH, &cases[i].finding), cases[i].english);
    }
}

static void every_form_has_a_korean_sentence(void **state)
{
    (void)state;
    app_use_language("ko");
    for (enum finding_form form = FINDING_TEXT + 1; form < FINDING_FORMS; form++) {
        struct finding finding = {.form = form, .kind = finding_kind_of(form)};
        size_t count;
        const struct finding_field *fields = finding_fields(form, &count);
        for (size_t i = 0; i < count; i++)
            if (fields[i].type == FINDING_STRING)
                finding_set_string(&finding, &fields[i], "x");
        const char *message = report_message(&arena, REPORT_TRANSLATED, &finding);
        assert_string_not_equal(message, report_message(&arena, REPORT_ENGLISH, &finding));
        assert_true(*report_title(&finding) && *report_kind(&finding));
    }
}

static void the_pieces_stand_where_korean_wants_them(void **state)
{
    (void)state;
    app_use_language("ko");
    const char *shared = report_message(&arena, REPORT_TRANSLATED, &cases[0].finding);
    assert_non_null(strstr(shared, "__shared__ 쓰기 1바이트"));
    assert_non_null(strstr(shared, "s(256바이트)의 처음에서 4바이트 앞"));
    const char *deadlock = report_message(&arena, REPORT_TRANSLATED, &cases[7].finding);
    assert_non_null(strstr(deadlock, "워프 1(스레드 31개)"));
    assert_non_null(strstr(deadlock, "10번째 줄 근처"));
    assert_non_null(strstr(deadlock, "다른 블록 4223개"));
    assert_null(strstr(deadlock, "wait"));
}

static void a_line_that_the_compiler_did_not_give_is_near(void **state)
{
    struct trace const trace = {.block = {64, 1, 1}};
    struct finding finding = {
        .form = FINDING_TRAPPED, .kind = FINDING_TRAP, .at = {.line = 12, .block = 3, .thread = {40, 0, 0}}};
    (void)state;
    app_use_language("en");
    assert_string_equal(report_place(&arena, &trace, &finding), "line 12 · block 3 · warp 1, lane 8");
    finding.at.near = true;
    assert_string_equal(report_place(&arena, &trace, &finding), "near line 12 · block 3 · warp 1, lane 8");
}

static void a_race_names_both_threads_and_their_blocks(void **state)
{
    struct trace trace = {.block = {64, 1, 1}};
    struct finding race = {.form = FINDING_RACING,
                           .kind = FINDING_RACE,
                           .at = {.line = 7, .thread = {40, 0, 0}},
                           .race = {.first = {.line = 5}}};
    (void)state;
    app_use_language("en");
    assert_string_equal(report_place(&arena, &trace, &race), "lines 5 and 7 · block 0 · threads 0 and 40");
    assert_string_equal(report_thread(&arena, &trace, &race, 1), "thread 40");
    race.at.block = 3;
    assert_string_equal(report_place(&arena, &trace, &race), "lines 5 and 7 · blocks 0 and 3 · threads 0 and 40");
    trace.block[1] = 4;
    assert_string_equal(report_thread(&arena, &trace, &race, 0), "block 0, thread (0, 0)");
}

static void advice_follows_from_values(void **state)
{
    struct trace_buffer buffers[] = {{.name = "x", .type = PTX_F32, .address = 0x10000, .count = 64}};
    struct trace const trace = {.buffers = buffers, .buffer_count = 1, .shared_bytes = 0, .source = ""};
    struct finding finding = {.form = FINDING_OUTSIDE_BUFFERS, .kind = FINDING_OUT_OF_BOUNDS};
    (void)state;
    app_use_language("en");
    finding.memory = (struct finding_memory){.space = PTX_SPACE_GLOBAL, .bytes = 4};
    finding.address = 0x10000 + (UINT64_C(1) << 34) - 8;
    assert_non_null(strstr(report_advice(&arena, &trace, &finding), "The index is -2"));
    finding.address = 0x10000 - 4;
    finding.memory.side = FINDING_BEFORE, finding.memory.distance = 4;
    assert_non_null(strstr(report_advice(&arena, &trace, &finding), "if (i > 0)"));
    finding.memory.side = FINDING_AFTER, finding.address = 0x10100;
    assert_non_null(strstr(report_advice(&arena, &trace, &finding), "if (index < n)"));
    finding.form = FINDING_OUTSIDE_SHARED, finding.memory.space = PTX_SPACE_SHARED;
    assert_non_null(strstr(report_advice(&arena, &trace, &finding), "--shared BYTES"));
    finding = (struct finding){.form = FINDING_TEXT, .kind = FINDING_OUT_OF_BOUNDS, .text = {"out of bounds", "?"}};
    assert_non_null(strstr(report_advice(&arena, &trace, &finding), "if (index < n)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_has_its_sentence),
        cmocka_unit_test(every_form_has_a_korean_sentence),
        cmocka_unit_test(the_pieces_stand_where_korean_wants_them),
        cmocka_unit_test(a_line_that_the_compiler_did_not_give_is_near),
        cmocka_unit_test(a_race_names_both_threads_and_their_blocks),
        cmocka_unit_test(advice_follows_from_values),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
