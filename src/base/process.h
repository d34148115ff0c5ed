/* Programs that run beside this one, and folders of a moment for what they write. */
#ifndef LANESCOPE_BASE_PROCESS_H
#define LANESCOPE_BASE_PROCESS_H
#include "base/arena.h"
#include <stdbool.h>

/* The program's path from $PATH into found; false when it is not there. */
bool process_find(const char *name, char *found, size_t size);
/* Runs a program in a folder, with no shell, both its outputs to a file; its exit status, or -1 when it could not be
 * run. The first argument is its path. */
int process_run(const char *const *arguments, const char *folder, const char *output);

struct workplace { /* in $TMPDIR, or /tmp */
    char folder[4096];
};
bool workplace_open(struct workplace *place);
/* Removes the folder with the files in it. */
void workplace_close(struct arena *arena, const struct workplace *place);
#endif
