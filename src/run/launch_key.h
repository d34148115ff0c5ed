/* A launch as text. Equal launches of one source have equal texts: recordings and counters find a launch by its key. */
#ifndef LANESCOPE_RUN_LAUNCH_KEY_H
#define LANESCOPE_RUN_LAUNCH_KEY_H
#include "run/file.h"

/* Returns kernel, shape, defines and numbers of a launch as text, in the arena. */
const char *launch_key(const struct launch *launch, const struct compile_define *defines, size_t define_count,
                       struct arena *arena);
/* Returns the key of a file's launch. It contains the arguments as given, because the counts depend on the fills too.
 */
const char *launch_key_of_file(const struct launch *launch, const struct run_file_request *request,
                               struct arena *arena);
#endif
