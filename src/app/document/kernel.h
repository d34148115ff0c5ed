/* The launch of a kernel's file when the request leaves it open: see kernel.c. */
#ifndef LANESCOPE_APP_DOCUMENT_KERNEL_H
#define LANESCOPE_APP_DOCUMENT_KERNEL_H
#include "run/file.h"

/* Completes the launch of the request from a comment `// lanescope: --grid 4 ...` in the source, or else by assumption,
 * and then sets *assumed. Strings are in the arena. */
bool kernel_guess_launch(struct arena *arena, struct run_file_request *request, bool *assumed, struct error *error);
#endif
