/* What is wrong with a lesson, as values: for its author, who wants every problem at once. */
#ifndef LANESCOPE_LESSON_PROBLEMS_H
#define LANESCOPE_LESSON_PROBLEMS_H
#include "base/arena.h"
#include "base/error.h"
#include "lesson/lesson.h"

enum problem_level {
    PROBLEM_ERROR,
    PROBLEM_WARNING /* the lesson works, but a student misses something */
};
struct lesson_problem {
    enum problem_level level;
    enum error_kind kind;      /* ERROR_RUN: a kernel faults or computes a wrong result */
    const char *file;          /* path; "" when unknown */
    int line, column;          /* 0: unknown */
    const char *field;         /* of lesson.yaml, "beats.3.at"; NULL: none */
    const char *heading;       /* of en.md or ko.md, "## two"; NULL: none */
    const char *said, *remedy; /* what is wrong; what to do, "" when `said` contains it */
};
/* A list in the order of the files. A problem that is listed already is not added again, and none after PROBLEMS_MAX.
 */
enum { PROBLEMS_MAX = 200 };
struct lesson_problems {
    struct arena arena;
    struct lesson_problem *items;
    size_t count, capacity;
};
bool problems_full(const struct lesson_problems *problems);
void problems_add(struct lesson_problems *problems, const struct lesson_problem *problem);
/* Adds an error as it is. */
void problems_add_error(struct lesson_problems *problems, const struct error *error);
void problems_free(struct lesson_problems *problems);
/* Returns the number of problems of a level. */
size_t problems_count(const struct lesson_problems *problems, enum problem_level level);
/* Converts a problem to an error. */
void problem_error(const struct lesson_problem *problem, struct error *error);

/* Loads the lesson of a folder as lesson_load_folder does, but goes on after a problem where the rest can still be
 * read. *lesson is NULL if there is an error. */
void lesson_load_listing(const char *folder, struct lesson **lesson, struct lesson_problems *problems);
/* Returns the folder of a lesson that lesson_load would load, in the arena, or NULL. */
const char *lesson_find(const char *name, struct arena *arena);
#endif
