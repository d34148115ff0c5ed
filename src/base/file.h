/* Reading and writing of whole files, the program's folders, hashes and clocks. Paths are UTF-8 and end in no slash. */
#ifndef LANESCOPE_BASE_FILE_H
#define LANESCOPE_BASE_FILE_H
#include "base/arena.h"
#include "base/error.h"
#include <stdint.h>

/* Reads a file of at most 2 GiB into the arena. A NUL follows the bytes; `size` (may be NULL) does not count it.
 * Devices, pipes and sockets are refused without waiting for them. */
bool file_read(struct arena *arena, const char *path, char **bytes, size_t *size, struct error *error);
/* Writes a file as a whole (base/output.h). Makes missing folders. */
bool file_write(const char *path, const void *bytes, size_t size, struct error *error);
/* Returns true when the path has this ending (".cu") and something before it. */
bool path_ends_with(const char *path, const char *ending);
/* Returns the name of a file: the part of its path after the last slash. */
const char *path_name(const char *path);
/* Writes all bytes to an open file, however many at a time it takes. Returns false with errno set after a failure. */
bool file_put(int file, const void *bytes, size_t size);
/* Returns true when the path exists and this process may read it. */
bool file_exists(const char *path);
/* Returns true when both paths exist and lead to the same file or folder. */
bool file_same(const char *a, const char *b);
/* Returns the path from the root, in the arena, without links, "." and ".."; the path itself when it does not exist. */
const char *path_absolute(struct arena *arena, const char *path);
/* Returns the path of a file that a text from elsewhere names, in the arena: `name` below `folder`. Returns NULL and
 * fills the error when the name, or a link on its way, leads out of the folder. The file need not be there. */
const char *path_inside(struct arena *arena, const char *folder, const char *name, struct error *error);
/* Makes a folder and its missing parents. An existing folder is no error. */
bool folder_make(const char *path, struct error *error);
/* Returns how many names are in a folder, without . and .., and puts them sorted into the arena. Returns 0 when the
 * folder cannot be read. */
size_t folder_list(struct arena *arena, const char *path, char ***names);

/* Returns the folder that holds kernels/, assets/, lessons/ and fonts/: $LANESCOPE_DATA, else ../share/lanescope beside
 * the program, else the source tree of the build. */
const char *folder_data(void);
/* Returns $XDG_CACHE_HOME/lanescope, else ~/.cache/lanescope, else NULL when neither variable holds an absolute
 * path. */
const char *folder_cache(void);
/* Returns $XDG_DATA_HOME/lanescope, else ~/.local/share/lanescope, else NULL when neither variable holds an absolute
 * path: the user's own lessons are in its folder lessons/. */
const char *folder_user_data(void);
/* Returns $XDG_STATE_HOME/lanescope, else ~/.local/state/lanescope, else NULL when neither variable holds an absolute
 * path. */
const char *folder_state(void);
/* Returns a path below folder_data(), in the arena: data_path(a, "kernels/%s", name). */
char *data_path(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A 128-bit XXH3 hash as 32 hexadecimal digits, for cache keys and for checks that a shipped file is up to date. */
struct digest {
    char text[33];
};
struct digest digest_of(const void *bytes, size_t size);

/* clock_seconds returns monotonic seconds. clock_date writes today's date in UTC as "2026-11-21". */
double clock_seconds(void);
void clock_date(char text[11]);
#endif
