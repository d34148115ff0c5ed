/* PTX text to a ptx_program: lexer, parser, control flow. Tolerates every debug directive and section; an instruction,
 * word or form it does not know is an error that names it and its PTX line. */
#ifndef LANESCOPE_PTX_PARSE_H
#define LANESCOPE_PTX_PARSE_H
#include "base/arena.h"
#include "base/error.h"
#include "ptx/program.h"

/* text need not outlive the call: the program keeps its own copy. name is used in errors. */
bool ptx_parse(struct arena *arena, const char *name, const char *text, size_t size, struct ptx_program **program,
               struct error *error);

/* As ptx_parse, but collects every instruction that is not known instead of stopping at the first, for `inspect`.
 * The program holds the rest; it must not be run when count > 0. */
struct ptx_unknown {
    const char *instruction; /* as written */
    const char *function;
    const char *reason;      /* in words, or NULL where the instruction says it all */
    uint32_t ptx_line, line; /* in the PTX and in the kernel's source */
};
bool ptx_survey(struct arena *arena, const char *name, const char *text, size_t size, struct ptx_program **program,
                struct ptx_unknown **unknown, size_t *count, struct error *error);
#endif
