/* A kernel in its source: names and types of its parameters, which PTX does not keep, and its body. They serve for
 * names on screen and for guessing a launch, never for running. */
#ifndef LANESCOPE_SOURCE_KERNEL_H
#define LANESCOPE_SOURCE_KERNEL_H
#include "ptx/variables.h"
#include "source/tokens.h"

struct source_parameter {
    const char *name;   /* "arg1" where it has none */
    const char *words;  /* its type: "const float *" */
    bool pointer;       /* a pointer, a reference or an array */
    enum ptx_type type; /* of the number, or of the numbers that it points to; PTX_TYPE_NONE: others, or not known */
    uint64_t bytes;     /* of the value, or of an element that it points to; 0: not known */
    const struct ptx_layout *layout; /* of the structure that it is, or points to; NULL: none, or not understood */
};
struct source_kernel {
    const struct source *source;               /* the arguments of a template are macros */
    const struct source_parameter *parameters; /* of each parameter of the PTX; NULL: not known */
    uint32_t body, end;                        /* the tokens in its braces; end 0: not shown */
};
/* Finds the kernel of the PTX in its source. The parameters are known only if their number, their sizes and, where the
 * symbol has them, their types are those of the PTX. */
struct source_kernel source_kernel_find(const struct source *source, const struct ptx_function *kernel);
/* Returns the parameters alone, in the arena; NULL: not known. */
const struct source_parameter *source_parameters(struct arena *arena, const char *text,
                                                 const struct ptx_function *kernel);
/* Returns the lines of a kernel, from its name to the end of its body, counted from 1; 0 when they are not found. */
void source_kernel_lines(const char *text, const char *kernel, uint32_t *first, uint32_t *last);
/* Returns the name of the first kernel that is a template, or NULL. */
const char *source_template(struct arena *arena, const char *text);
/* Returns whether the text defines or declares a function main. */
bool source_has_main(const char *text);
/* Returns whether the source multiplies by this name; whether it compares it with something: `i < n`, `n <= i`. */
bool source_multiplies(const struct source *source, const char *name);
bool source_compares(const struct source *source, const char *name);
#endif
