/* The explanations of a launch's waste, for the targets that have a trace. */
#ifndef LANESCOPE_TESTS_EXPLAINED_H
#define LANESCOPE_TESTS_EXPLAINED_H
#include "model/explain.h"

/* Asks why the launch wastes what it wastes, and for all sentences about it. */
void explained(const struct trace *trace, const struct counts *counts);
#endif
