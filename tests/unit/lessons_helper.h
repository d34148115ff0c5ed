/* Tests that hold for every installed lesson. */
#ifndef LANESCOPE_TESTS_LESSONS_HELPER_H
#define LANESCOPE_TESTS_LESSONS_HELPER_H
#include "lesson/lesson.h"
#include "sanitized.h"

enum { LESSONS_EVERY = SANITIZED ? 3 : 1 };

/* Loads installed lessons and passes them to the test: each, or under the sanitizers one of three from `first` on. A
 * lesson that cannot be read fails. */
static inline void for_sampled_lessons(size_t first, void (*test)(const struct lesson *lesson))
{
    struct arena arena = {0};
    struct lesson **lessons;
    struct error *errors;
    size_t error_count;
    size_t const count = lesson_load_all(&arena, &lessons, &errors, &error_count);
    for (size_t i = 0; i < error_count; i++)
        fail_msg("%s:%d: %s", errors[i].file, errors[i].line, errors[i].message);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        if (i % LESSONS_EVERY == first % LESSONS_EVERY)
            test(lessons[i]);
        lesson_free(lessons[i]);
    }
    arena_free(&arena);
}
#endif
