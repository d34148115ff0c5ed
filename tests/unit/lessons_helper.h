/* Tests that hold for every installed lesson. */
#ifndef LANESCOPE_TESTS_LESSONS_HELPER_H
#define LANESCOPE_TESTS_LESSONS_HELPER_H
#include "lesson/lesson.h"

/* Loads each installed lesson and passes it to the test; a lesson that cannot be read fails. */
static inline void for_every_lesson(void (*test)(const struct lesson *lesson))
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
        test(lessons[i]);
        lesson_free(lessons[i]);
    }
    arena_free(&arena);
}
#endif
