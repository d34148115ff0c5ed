/* Words for a kernel on the command line: its name, and an `--arg` for each of its parameters. */
#ifndef LANESCOPE_RUN_KERNEL_WORDS_H
#define LANESCOPE_RUN_KERNEL_WORDS_H
#include "base/arena.h"
#include "ptx/module.h"

/* Returns the kernel that has this name in its source, or NULL when none or several have it. */
const struct ptx_function *kernel_of_source(struct arena *arena, const struct ptx_module *module, const char *name);
/* Returns the kernel that --kernel names, by its symbol or by its name in the source; without a name the only one, or
 * NULL if there are several. */
const struct ptx_function *kernel_chosen(struct arena *arena, const struct ptx_module *module, const char *name);
/* Returns the word that --kernel takes for a kernel: its name in the source, with the arguments of its template where
 * that is not unique ("sum<int>"), otherwise its symbol. */
const char *kernel_words(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel);
/* Returns one text for each parameter, in the arena: "x: f32[N]", or "TYPE[N]|u64|i64" without a source. */
const char **kernel_parameters(struct arena *arena, const char *source, const struct ptx_function *kernel);
#endif
