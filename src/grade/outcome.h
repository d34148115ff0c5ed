/* For src/grade only: what a step of a submission came to, as one JSON object that rules are judged by. It is kept in
 * the folder of the grades, so that a second grading need not run it again:
 *
 *   ending    exited, signal, output, seconds, wall, idle, memory, processes, wrong (it does not compile), failed
 *   status, signal, output, errors
 *   launches  kernel, line, grid, block, shared_bytes, counters, and the sums of its sites as "figures"
 *   findings  kind, fault, message, remedy, file, line, lesson
 *   explain   those that are blamed: kind, space, operation, file, line, wasted_bytes, message, remedy, lesson
 *   buffers   of a kernel: base64, by the number of the argument */
#ifndef LANESCOPE_GRADE_OUTCOME_H
#define LANESCOPE_GRADE_OUTCOME_H
#include "base/arena.h"
#include "sandbox/sandbox.h"
#include <jansson.h>

/* Bytes of what a child wrote; a NUL follows. */
struct outcome_text {
    const char *bytes;
    size_t size;
};
/* A buffer that a kernel left. */
struct outcome_buffer {
    int argument;
    struct outcome_text text;
};

/* Of `lanescope build`. */
json_t *outcome_of_build(const struct sandbox_end *end, const char *errors);
/* Of `lanescope exec --json` or `lanescope run --json`. Reads what they printed. */
json_t *outcome_of_run(const struct sandbox_end *end, const struct outcome_text *output, const char *errors,
                       const struct outcome_buffer *buffers, size_t buffer_count);
/* Returns whether something outside may have ended the step, and not the submission. */
bool outcome_disturbed(const json_t *outcome);
/* Returns whether a second run would have the same outcome: it did not end by the load of this computer. */
bool outcome_lasts(const json_t *outcome);
#endif
