/* The PTX of a kernel as rows to read: instructions and labels in the order of the text, without declarations and
 * directives. */
#ifndef LANESCOPE_PTX_LISTING_H
#define LANESCOPE_PTX_LISTING_H
#include "base/arena.h"
#include "ptx/module.h"

struct ptx_row {
    const char *text;                          /* in one line; a label with its colon; or the name of a function */
    const struct ptx_function *function;       /* that the row belongs to */
    const struct ptx_instruction *instruction; /* NULL: a label, or the head of a function */
};
struct ptx_listing {
    const struct ptx_row *rows;
    uint32_t count;
};

/* Returns the rows of the kernel, then those of the functions that it calls by name, each below a row with its name. */
struct ptx_listing ptx_listing_of(struct arena *arena, const struct ptx_module *module,
                                  const struct ptx_function *kernel);
/* Returns an instruction as written, in one line, without the `;`. */
const char *ptx_statement(struct arena *arena, const struct ptx_module *module,
                          const struct ptx_instruction *instruction);
#endif
