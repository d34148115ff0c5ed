/* Expressions in lesson files and texts: numbers, names, + - * / % ^, comparisons, && ||, ?:, ceil floor abs sqrt log2
 * min max. All values are doubles, exact for whole numbers up to 2^53. docs/lessons.md lists the names of facts. */
#ifndef LANESCOPE_LESSON_EXPRESSION_H
#define LANESCOPE_LESSON_EXPRESSION_H
#include "run/run.h"
#include <stddef.h>
#include <stdint.h>

/* Evaluates an expression. If two facts have the same name, the first one counts. An error contains the expression, the
 * position (from 1) and the text there. */
bool expression_evaluate(const char *expression, const struct run_fact *facts, size_t count, double *value,
                         struct error *error);
/* An array that an expression may index as a function of one number: in(i + 1). An index outside gives NaN. */
struct expression_array {
    const char *name;
    double (*element)(void *array, double index);
    void *array;
};
/* Evaluates an expression once for each i from 0 to count - 1; `i` is a name in it. Writes the results to values. */
bool expression_evaluate_each(const char *expression, const struct run_fact *facts, size_t fact_count,
                              const struct expression_array *arrays, size_t array_count, uint64_t count, double *values,
                              struct error *error);
/* Calls `name` for every name in the expression except functions. */
void expression_names(const char *expression, void (*name)(void *context, const char *text, size_t length),
                      void *context);
#endif
