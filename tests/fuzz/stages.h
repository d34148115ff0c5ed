/* What follows a run of the emulator or the parser, for the targets that run whole programs. Each function fails the
 * target if a stage does not answer as it must. */
#ifndef LANESCOPE_TESTS_STAGES_H
#define LANESCOPE_TESTS_STAGES_H
#include "trace/trace.h"

/* Returns the model clock of some GPU. */
struct trace_timer stages_timer(void);
/* Asks the models and the report about a trace, and packs it and reads it again. */
void stages_ask(const struct trace *trace);
/* Adds the probes of a GPU's recording; their text must parse. Returns whether the kernel could get them. */
bool stages_probe(const struct ptx_module *module, const struct ptx_function *kernel, bool values);
#endif
