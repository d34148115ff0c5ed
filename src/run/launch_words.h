/* How a file's kernel is launched, in words: the options of the command line, or the same ones in a comment of the
 * source,
 *
 *     // lanescope: --grid 4 --block 256 --arg f32[1024]=zero --arg f32[1024]=iota --arg i32=1024
 *
 * Both are read by the same functions. */
#ifndef LANESCOPE_RUN_LAUNCH_WORDS_H
#define LANESCOPE_RUN_LAUNCH_WORDS_H
#include "run/file.h"

/* Reads `--name value` (kernel, grid, block, shared, arg, define, budget or compiler) into the request. What it keeps
 * lies in the arena. The error names the option and says what it takes. */
bool launch_option(struct arena *arena, struct run_file_request *request, const char *name, const char *value,
                   struct error *error);
/* Fills what the request does not say from the comment of its file: from the one with its --kernel where it names one,
 * else from the first. *found: whether there is one. A file that cannot be read has none. The error has file, line and
 * column of the word that is wrong. */
bool launch_comment(struct arena *arena, struct run_file_request *request, bool *found, struct error *error);
/* A whole decimal number, or a hexadecimal one behind 0x, with nothing behind it. */
bool launch_number(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value);
#endif
