/* The packed list of lessons says what the lessons themselves say. */
#include "base/file.h"
#include "lesson/brief.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void same_after_packing(void **state)
{
    struct arena arena = {0};
    struct lesson_brief *briefs, *read;
    struct error *errors, error;
    size_t error_count, count;
    (void)state;
    size_t const known = lesson_briefs(&arena, &briefs, &errors, &error_count);
    assert_int_equal(error_count, 0);
    assert_true(known > 0);
    char *text = lesson_briefs_text(briefs, known);
    assert_non_null(text);
    assert_true(lesson_briefs_read(&arena, text, strlen(text), &read, &count, &error));
    free(text);
    assert_int_equal(count, known);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(read[i].name, briefs[i].name);
        for (int l = 0; l < LANGUAGE_COUNT; l++) {
            assert_string_equal(read[i].title[l], briefs[i].title[l]);
            assert_string_equal(read[i].summary[l], briefs[i].summary[l]);
        }
        assert_int_equal(read[i].beats, briefs[i].beats);
        assert_int_equal(read[i].questions, briefs[i].questions);
        assert_int_equal(read[i].minutes, briefs[i].minutes);
        assert_int_equal(read[i].stage, briefs[i].stage);
    }
    arena_free(&arena);
}

static void says_what_the_lesson_says(void **state)
{
    struct arena arena = {0};
    struct lesson_brief *briefs;
    struct error *errors, error;
    struct lesson *lesson;
    size_t error_count;
    (void)state;
    size_t const count = lesson_briefs(&arena, &briefs, &errors, &error_count);
    assert_true(lesson_load("banks", &lesson, &error));
    size_t at = 0;
    while (at < count && strcmp(briefs[at].name, "banks") != 0)
        at++;
    assert_true(at < count);
    assert_string_equal(briefs[at].title[LANGUAGE_KO], lesson->title[LANGUAGE_KO]);
    assert_string_equal(briefs[at].summary[LANGUAGE_EN], lesson->summary[LANGUAGE_EN]);
    assert_int_equal(briefs[at].beats, lesson->beat_count);
    assert_true(briefs[at].questions > 0 && briefs[at].questions < briefs[at].beats);
    assert_int_equal(briefs[at].stage, lesson->beats[0].stage);
    lesson_free(lesson);
    arena_free(&arena);
}

static void refuses_other_texts(void **state)
{
    static const char *const texts[] = {"", "{}", "[1]", "[{\"name\": \"banks\"}]", "["};
    struct arena arena = {0};
    struct lesson_brief *briefs;
    struct error error;
    size_t count;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(lesson_briefs_read(&arena, texts[i], strlen(texts[i]), &briefs, &count, &error));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_after_packing),
                                       cmocka_unit_test(says_what_the_lesson_says),
                                       cmocka_unit_test(refuses_other_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
