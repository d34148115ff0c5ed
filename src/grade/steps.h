/* For src/grade only: the steps of a grading. Each builds a submission or runs it once, in a sandbox of its own;
 * several sandboxes run at a time. The outcome of a step is kept in a file under a name made of all that it depends on.
 */
#ifndef LANESCOPE_GRADE_STEPS_H
#define LANESCOPE_GRADE_STEPS_H
#include "grade/grade.h"

/* A submission, or the reference, and what its steps came to. */
struct steps_student {
    const char *text;
    size_t size;
    json_t *build; /* NULL: not built, or not yet */
    json_t **runs; /* one for each run of the rubric; NULL where it did not happen: the build failed */
};
struct steps {
    struct arena *arena;
    const struct rubric *rubric;
    const struct grade_request *request;
    size_t done, all, kept;
};
/* Does all steps of these students. Returns false with an error that ends the grading; *cancelled is set instead when
 * the user stopped it. */
bool steps_do(struct steps *steps, struct steps_student *students, size_t count, bool *cancelled, struct error *error);
void steps_free(struct steps_student *students, size_t count, size_t run_count);
#endif
