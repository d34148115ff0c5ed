/* For src/lesson only: the arithmetic that most expressions of lessons consist of, without a parser's tables. */
#ifndef LANESCOPE_LESSON_ARITHMETIC_H
#define LANESCOPE_LESSON_ARITHMETIC_H
#include "run/run.h"
#include <stddef.h>

/* Evaluates an expression of numbers, names, parentheses, + - * / % ^, comparisons, && ||, ?:, ceil, floor, min and
 * max. The value is the one that muParser computes. Returns false, without an error, for everything else: a sign,
 * another function, an unknown name, a division by 0, a value that is not finite. */
bool arithmetic_evaluate(const char *expression, const struct run_fact *facts, size_t count, double *value);
/* Returns a - b * floor(a / b), the value of a % b. */
double arithmetic_remainder(double a, double b);
#endif
