/* Other programs run as child processes, and temporary folders for their output. */
#ifndef LANESCOPE_COMPILE_PROCESS_H
#define LANESCOPE_COMPILE_PROCESS_H
#include "base/arena.h"
#include "base/error.h"
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Writes the path of a program found in $PATH into `found`, of `size` bytes. Returns false when it is not there. */
bool process_find(const char *name, char *found, size_t size);
/* Runs a program in `folder`, without a shell, with both its outputs written to the file `output`. The first argument
 * is the program's path; the list ends in NULL. It is ended with all it started after `seconds`, when
 * `cancel` becomes true (NULL: never) and when this process ends. Returns the exit status, PROCESS_LATE,
 * PROCESS_CANCELLED, PROCESS_SIGNAL - N when signal N ended it, or PROCESS_ABSENT when it could not be run. */
enum { PROCESS_ABSENT = -1, PROCESS_LATE = -2, PROCESS_CANCELLED = -3, PROCESS_SIGNAL = -100 };
int process_run(const char *const *arguments, const char *folder, const char *output, unsigned seconds,
                const atomic_bool *cancel);
/* The same for a compiler, which has so many seconds (0: 120; $LANESCOPE_COMPILER_SECONDS sets others for all), 8 GiB
 * of memory and 256 MiB for each file that it writes. Its temporary files lie beside `output`. */
int process_compile(const char *const *arguments, const char *folder, const char *output, unsigned seconds,
                    const atomic_bool *cancel);
/* Fills the error and returns false when the compiler with this name did not end by itself; `file` is its source, and
 * `seconds` what process_compile got. */
bool process_ended(int code, unsigned seconds, const char *name, const char *file, struct error *error);
/* Returns whether a signal is one with which others end a process that did nothing wrong: SIGHUP, SIGINT, SIGTERM and
 * SIGKILL, as a batch system sends them to all processes of a job, one after the other. */
bool process_signal_of_others(int signal);

/* Returns this process's environment with these entries ("NAME=value", the list ends in NULL) in place of its own of
 * the same names. It is made before a fork: in the child of a process with threads nothing may allocate. */
char **process_environment(struct arena *arena, const char *const *entries);

/* In the environment of a whole program: its workplace's folder. */
#define WORKPLACE_VARIABLE "LANESCOPE_PROGRAM_FOLDER"
/* Ends all processes of this user that were started with this folder as WORKPLACE_VARIABLE, whatever their session and
 * parent. Returns whether there were any. */
bool workplace_end_programs(const char *folder);

struct workplace { /* a temporary folder below $TMPDIR, or below /tmp */
    char folder[PATH_MAX];
    int lock; /* the open folder; its lock says that this process lives */
};
/* Makes the folder. Removes those that killed processes of this user left behind, and ends their programs. Returns
 * false when it cannot be made. */
bool workplace_open(struct workplace *place);
/* Removes the folder and the files in it. */
void workplace_close(const struct workplace *place);
#endif
