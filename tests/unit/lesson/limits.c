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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_paragraph_takes_memory_in_proportion),
        cmocka_unit_test(compilations_are_all_settings_of_the_knobs_that_choose_them),
        cmocka_unit_test(too_many_compilations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
