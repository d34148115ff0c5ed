/* The launch of a kernel's file where nobody says it whole: see kernel.c. */
#ifndef LANESCOPE_APP_DOCUMENT_KERNEL_H
#define LANESCOPE_APP_DOCUMENT_KERNEL_H
#include "run/file.h"

/* Fills in what the request does not say of a launch: from a comment `// lanescope: --grid 4 ...` of the source; where
 * nobody says anything, assumed. Strings are in the arena. */
bool kernel_guess_launch(struct arena *arena, struct run_file_request *request, bool *assumed, struct error *error);
#endif
