/* Other programs run as child processes, and temporary folders for their output. */
#ifndef LANESCOPE_COMPILE_PROCESS_H
#define LANESCOPE_COMPILE_PROCESS_H
#include "base/arena.h"
#include <stdbool.h>

/* Writes the path of a program found in $PATH into `found`, of `size` bytes. Returns false when it is not there. */
bool process_find(const char *name, char *found, size_t size);
/* Runs a program in `folder`, without a shell, with both its outputs written to the file `output`. The first argument
 * is the program's path; the list ends in NULL. After `seconds` it is ended with all it started, and so it is when
 * this process ends; no file that it writes grows beyond 256 MiB. Returns the exit status, PROCESS_LATE, or -1 when the
 * program could not be run or a signal ended it. */
enum { PROCESS_LATE = -2, COMPILER_SECONDS = 120 };
int process_run(const char *const *arguments, const char *folder, const char *output, unsigned seconds);

struct workplace { /* a temporary folder below $TMPDIR, or below /tmp */
    char folder[4096];
};
/* Makes the folder. Returns false when it cannot be made. */
bool workplace_open(struct workplace *place);
/* Removes the folder and the files in it. */
void workplace_close(struct arena *arena, const struct workplace *place);
#endif
