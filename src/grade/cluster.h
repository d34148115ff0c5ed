/* For src/grade only: steps done by other computers. The students whose outcomes are not known are dealt into tasks
 * (task.h), which Slurm or GNU parallel spread over computers; lost tasks are dealt again. Rules are judged here. */
#ifndef LANESCOPE_GRADE_CLUSTER_H
#define LANESCOPE_GRADE_CLUSTER_H
#include "grade/steps.h"

/* Gets the outcomes of all steps of these students: they are kept, or in steps->given. *cancelled is set when the user
 * stopped it. An error says which program is missing, or what the log of a task that was lost each time says. */
bool cluster_do(struct steps *steps, const struct steps_student *students, size_t count, bool *cancelled,
                struct error *error);
#endif
