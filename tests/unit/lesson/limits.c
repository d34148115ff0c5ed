/* Long lessons take memory and time in proportion to their files. */
#include "base/file.h"
#include "lesson/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define YAML(knobs, defines)                                                                                           \
    "order: 1\nknobs:\n" knobs "variants:\n  - {name: v, label: {en: v, ko: v}, source: banks.cu, kernel: k}\n"        \
    "launch: {grid: 1, block: 32}\n" defines "beats:\n  - {id: one, stage: [lanes]}\n"
static const char words[] = "# Title\n\nSummary.\n\n## one\n\nText.\n";

/* Returns the lesson of these files, or NULL with the error. */
static struct lesson *load(const char *yaml, const char *english, struct error *error)
{
    static const char *const names[] = {"lesson.yaml", "en.md", "ko.md"};
    const char *const texts[] = {yaml, english, words};
    char folder[] = "/tmp/lanescope-limits-XXXXXX";
    struct arena arena = {0};
    struct lesson *lesson = NULL;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++)
        assert_true(file_write(arena_format(&arena, "%s/%s", folder, names[i]), texts[i], strlen(texts[i]), error));
    *error = (struct error){0};
    lesson_load_folder(folder, &lesson, error);
    for (int i = 0; i < 3; i++)
        unlink(arena_format(&arena, "%s/%s", folder, names[i]));
    rmdir(folder);
    arena_free(&arena);
    return lesson;
}

static void a_long_paragraph_takes_memory_in_proportion(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    enum { LINES = 20000 };
    char *text = arena_alloc(&arena, sizeof words + LINES * 5), *end = stpcpy(text, words);
    for (int i = 0; i < LINES; i++)
        end = stpcpy(end, i % 2 ? "a*b*\n" : "ab\n");
    struct lesson *lesson =
        load(YAML("  - {name: n, label: {en: n, ko: n}, from: 0, to: 4, start: 1}\n", ""), text, &error);
    assert_non_null(lesson);
    assert_true(lesson->arena.bytes < (size_t)4 << 20);
    const struct text_paragraph *paragraph = lesson->beats[0].words[LANGUAGE_EN].paragraphs;
    assert_int_equal(paragraph->span_count, LINES);
    assert_string_equal(paragraph->spans[0].text, "Text. ab a");
    assert_string_equal(paragraph->spans[2].text, " ab a");
    lesson_free(lesson);
    arena_free(&arena);
}

static void compilations_are_all_settings_of_the_knobs_that_choose_them(void **state)
{
    (void)state;
    struct error error;
    struct arena arena = {0};
    struct compile_request *requests;
    struct lesson *lesson = load(YAML("  - {name: n, label: {en: n, ko: n}, from: 0, to: 2, start: 1}\n",
                                      "defines:\n  - {name: A, by: n, values: [x, y, z]}\n"
                                      "  - {name: B, by: n, values: [p, q, r]}\n"),
                                 words, &error);
    assert_non_null(lesson);
    assert_int_equal(lesson_compilations(lesson, &arena, &requests), 3);
    assert_string_equal(requests[2].defines[0].value, "z");
    assert_string_equal(requests[2].defines[1].value, "r");
    lesson_free(lesson);
    arena_free(&arena);
}

static void too_many_compilations_are_refused(void **state)
{
    (void)state;
    struct error error;
    struct arena arena = {0};
    const char *values = "0";
    for (int i = 1; i < 40; i++)
        values = arena_format(&arena, "%s, %d", values, i);
    const char *yaml = arena_format(&arena,
                                    YAML("  - {name: n, label: {en: n, ko: n}, from: 0, to: 39, start: 1}\n"
                                         "  - {name: m, label: {en: m, ko: m}, from: 0, to: 39, start: 1}\n",
                                         "defines:\n  - {name: A, by: n, values: [%s]}\n"
                                         "  - {name: B, by: m, values: [%s]}\n"),
                                    values, values);
    assert_null(load(yaml, words, &error));
    assert_string_equal(error.field, "defines.1");
    assert_non_null(strstr(error.message, "the defines ask for more than 1024 compilations"));
    arena_free(&arena);
}

static void words_beyond_a_limit_are_refused_with_their_line(void **state)
{
    (void)state;
    enum { MANY = 400000 };
    struct arena arena = {0};
    struct error error;
    static const struct {
        const char *repeated, *said;
        int line;
    } cases[] = {{"{", "has a word of more than 1000 bytes", 8},
                 {"x", "has a word of more than 1000 bytes", 8},
                 {"{ ", "has more than 1000 opening braces", 8},
                 {"so ", "has more than 128 KiB", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = arena_alloc(&arena, sizeof words + MANY), *end = stpcpy(text, words);
        size_t const room = i < 2 ? 1001 : i == 2 ? 2002 : MANY - 2;
        for (size_t at = 0; at < room; at += strlen(cases[i].repeated))
            end = stpcpy(end, cases[i].repeated);
        assert_null(load(YAML("  - {name: n, label: {en: n, ko: n}, from: 0, to: 4, start: 1}\n", ""), text, &error));
        if (!strstr(error.message, cases[i].said) || error.line != cases[i].line)
            fail_msg("case %zu says: %d: %s", i, error.line, error.message);
    }
    arena_free(&arena);
}

static void a_value_of_more_than_8_kib_is_refused(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    char *word = arena_alloc(&arena, 10000);
    memset(word, 'x', 9000);
    const char *yaml =
        arena_format(&arena, YAML("  - {name: n, label: {en: %s, ko: n}, from: 0, to: 4, start: 1}\n", ""), word);
    assert_null(load(yaml, words, &error));
    assert_string_equal(error.message, "holds a value of more than 8 KiB");
    arena_free(&arena);
}

static const char large[] = "knobs: []\nvariants:\n  - {name: v, label: {en: v, ko: v}, source: k.ptx, kernel: k}\n"
                            "launch: {grid: 4, block: 32}\narguments:\n"
                            "  - {name: out, types: [f32], count: 2^20 * 70}\ncheck: out\n"
                            "beats:\n  - {id: one, stage: [lanes]}\norder: 1\n";

static void a_lesson_from_elsewhere_gets_ten_seconds_and_a_share_of_the_memory(void **state)
{
    (void)state;
    struct error error;
    struct arena arena = {0};
    struct launch launch;
    struct launch_blocks blocks;
    struct lesson *lesson = load(large, words, &error);
    if (!lesson)
        fail_msg("%s", error.message);
    struct lesson_setting const setting = lesson_defaults(lesson);
    struct lesson_limits const limits = lesson->plan->limits;
    assert_int_equal(limits.compiler_seconds, 10);
    assert_true(limits.bytes <= UINT64_C(1) << 30);
    assert_true(limits.launch <= 1000000000 && limits.block < limits.launch);
    /* 70 Mi floats, and as many expected ones as numbers and as floats */
    assert_false(plan_launch(lesson, &setting, false, &arena, &launch, &blocks, &error));
    assert_string_equal(error.field, "arguments");
    assert_non_null(strstr(error.message, "take 1.2 GB; a lesson that is not installed may take"));
    arena_free(&arena);
    lesson_free(lesson);
}

static void an_installed_lesson_has_the_usual_limits(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("banks", &lesson, NULL));
    assert_int_equal(lesson->plan->limits.compiler_seconds, 0);
    assert_true(lesson->plan->limits.bytes == UINT64_MAX);
    lesson_free(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_paragraph_takes_memory_in_proportion),
        cmocka_unit_test(compilations_are_all_settings_of_the_knobs_that_choose_them),
        cmocka_unit_test(too_many_compilations_are_refused),
        cmocka_unit_test(words_beyond_a_limit_are_refused_with_their_line),
        cmocka_unit_test(a_value_of_more_than_8_kib_is_refused),
        cmocka_unit_test(a_lesson_from_elsewhere_gets_ten_seconds_and_a_share_of_the_memory),
        cmocka_unit_test(an_installed_lesson_has_the_usual_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
