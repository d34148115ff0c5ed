/* Tests that hold for every installed lesson. */
#ifndef LANESCOPE_TESTS_LESSONS_HELPER_H
#define LANESCOPE_TESTS_LESSONS_HELPER_H
#include "lesson/lesson.h"

/* Loads each installed lesson and passes it to the test; a lesson that cannot be read fails. */
static inline void for_every_lesson(void (*test)(const struct lesson *lesson))
{
    struct arena arena = {0};
    const char **names;
    struct error *errors, error = {0};
    size_t error_count;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    for (size_t i = 0; i < error_count; i++)
        fail_msg("%s:%d: %s", errors[i].file, errors[i].line, errors[i].message);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson;
        if (!lesson_load(names[i], &lesson, &error))
            fail_msg("%s: %s", names[i], error.message);
        test(lesson);
        lesson_free(lesson);
    }
    arena_free(&arena);
}
#endif
