/* Launch options as text. The options of the command line may also stand in a comment of the source,
 *
 *     // lanescope: --grid 4 --block 256 --arg f32[1024]=zero --arg f32[1024]=iota --arg i32=1024
 *
 * and the same functions read both. */
#ifndef LANESCOPE_RUN_LAUNCH_WORDS_H
#define LANESCOPE_RUN_LAUNCH_WORDS_H
#include "run/file.h"

/* Reads `--name value` (kernel, grid, block, shared, arg, define, budget or compiler) into the request, with copies in
 * the arena. The error names the option and its values. */
bool launch_option(struct arena *arena, struct run_file_request *request, const char *name, const char *value,
                   struct error *error);
/* Completes the request from a comment in its file: the comment with the request's --kernel, otherwise the first. Sets
 * *found when there is a comment; an unreadable file has none. The error has file, line and column of the wrong word.
 */
bool launch_comment(struct arena *arena, struct run_file_request *request, bool *found, struct error *error);
/* Reads a whole number in this range, decimal or hexadecimal after 0x. The whole text must be the number. */
bool launch_number(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value);
/* Returns the launch as options of the command line: "--grid 4 --block 256 --arg i32=5". */
const char *launch_text(struct arena *arena, const struct run_file_request *request, const uint32_t grid[3],
                        const uint32_t block[3]);
#endif
