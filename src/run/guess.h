/* A launch for a kernel's file that comes without one: see guess.c. */
#ifndef LANESCOPE_RUN_GUESS_H
#define LANESCOPE_RUN_GUESS_H
#include "run/file.h"

/* Completes a launch from the comment `// lanescope: --grid 4 ...` of the source. Without a comment and without any
 * option the launch is assumed, and *assumed is the number of elements of its arrays, else 0. Strings are in the arena.
 */
bool launch_guess(struct arena *arena, struct run_file_request *request, unsigned *assumed, struct error *error);
#endif
