/* The variables of a kernel as its author knows them: what the PTX declares, with names from the source, the buffers
 * that its parameters point to, and its automatic variables. */
#ifndef LANESCOPE_RUN_VARIABLES_H
#define LANESCOPE_RUN_VARIABLES_H
#include "ptx/variables.h"
#include "trace/trace.h"

struct compile_define;
struct source;

/* Lists the variables of the trace's kernel in the order: parameters, buffers, other variables of the PTX, automatic
 * variables. The list is in the arena. `defines` are the macros that the source was compiled with.
 *
 * PTX keeps no names of automatic variables. The PTX does say how many bytes of local memory a thread has and which
 * lines of the source access them; an array that these lines name is in local memory. If such arrays account for all of
 * it, then every other automatic variable is in registers; else none of the others is listed. A counter that a `for`
 * declares is left out: an unrolled loop has none. */
struct ptx_placed *run_variables(struct arena *arena, const struct ptx_module *module, const struct trace *trace,
                                 const char *source, const struct compile_define *defines, size_t define_count,
                                 uint32_t *count);
/* Likewise of a source that is read already; NULL: it is not known. */
struct ptx_placed *run_variables_in(struct arena *arena, const struct ptx_module *module, const struct trace *trace,
                                    const struct source *source, uint32_t *count);
#endif
