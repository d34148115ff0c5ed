/* For src/grade only: a part of a grading as one file, which another process or computer does, and its outcomes as
 * another one. Both are JSON; they live as long as a grading, and only between programs of one build.
 *
 *   task      version, made_by, language, trust, rubric (what steps need of it), students (their texts in base64)
 *   outcomes  version, made_by, steps: an outcome for each key */
#ifndef LANESCOPE_GRADE_TASK_H
#define LANESCOPE_GRADE_TASK_H
#include "grade/steps.h"

#define TASK_ENDING ".task"
#define TASK_DONE_ENDING ".done"

/* Writes the task of some students, given by their indices. */
bool task_write(const char *path, const struct steps *steps, const struct steps_student *students, const size_t *chosen,
                size_t count, struct error *error);
/* Adds the outcomes of a file to `to`, as they have been made by the same program. Returns false without any. */
bool task_collect(const char *path, const struct steps *steps, json_t *to);
#endif
