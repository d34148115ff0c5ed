/* For src/lesson/load*.c and src/lesson/schema.c only: what the readers of lesson.yaml share while they turn its raw
 * fields into a lesson. */
#ifndef LANESCOPE_LESSON_LOAD_H
#define LANESCOPE_LESSON_LOAD_H
#include "lesson/schema.h"

struct loader {
    struct lesson *lesson;
    struct arena *arena;
    struct raw_lesson *raw;
    const char *path, *text;
    size_t size;
    struct lesson_problems *problems;
};

/* A field by its path in the file, "beats.3.at". */
#define FIELD(...) arena_format(loader->arena, __VA_ARGS__)

/* Lists the problem of a field. Returns false. */
bool load_fail(const struct loader *loader, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with the words of an error. */
bool load_fail_as(const struct loader *loader, const char *field, const struct error *error);

/* Reads "knob=value" texts of a field. */
bool load_sets(const struct loader *loader, const char *field, char *const *texts, unsigned count,
               struct lesson_set **sets);

/* Reads how the lesson's kernel is launched: arguments, defines, accesses, and what is recorded. Returns false after a
 * problem; all of them are listed. */
bool load_plan(const struct loader *loader);

#endif
