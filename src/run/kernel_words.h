/* What a person types for a kernel: its name, and an `--arg` for each of its parameters. */
#ifndef LANESCOPE_RUN_KERNEL_WORDS_H
#define LANESCOPE_RUN_KERNEL_WORDS_H
#include "base/arena.h"
#include "ptx/program.h"
#include <stddef.h>

/* The one kernel that has this name in its source; NULL when none has, or several. */
const struct ptx_function *kernel_of_source(struct arena *arena, const struct ptx_program *program, const char *name);
/* What --kernel takes for a kernel: its name in the source where no other has it, else its symbol. */
const char *kernel_words(struct arena *arena, const struct ptx_program *program, const struct ptx_function *kernel);
/* One for each parameter, in the arena: "x: f32[N]", or "TYPE[N]|u64|i64" where the source (NULL: none) names none. */
const char **kernel_parameters(struct arena *arena, const char *source, const struct ptx_function *kernel);
#endif
