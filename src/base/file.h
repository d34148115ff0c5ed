/* Whole files in and out, and the folders a program of today uses. Paths are UTF-8 and end in no slash. */
#ifndef LANESCOPE_BASE_FILE_H
#define LANESCOPE_BASE_FILE_H
#include "base/arena.h"
#include "base/error.h"
#include <stdint.h>

/* The file's bytes in the arena, with a NUL after them that size does not count. */
bool file_read(struct arena *arena, const char *path, char **bytes, size_t *size, struct error *error);
/* Writes beside the file and renames, so that a crash leaves the old one whole. Makes missing folders. */
bool file_write(const char *path, const void *bytes, size_t size, struct error *error);
bool file_exists(const char *path);
bool folder_make(const char *path, struct error *error);
/* Names in a folder (not . and ..), sorted; 0 when it cannot be read. */
size_t folder_list(struct arena *arena, const char *path, char ***names);

/* Where kernels/, assets/, lessons/ and fonts/ are: $LANESCOPE_DATA, else ../share/lanescope beside the program, else
 * the source tree it was built from. */
const char *folder_data(void);
/* $XDG_CACHE_HOME/lanescope or ~/.cache/lanescope; NULL when there is no home. */
const char *folder_cache(void);
/* $XDG_CONFIG_HOME/lanescope or ~/.config/lanescope; NULL when there is no home. */
const char *folder_config(void);
/* folder_data() and the rest of a path, in the arena: data_path(a, "kernels/%s", name). */
char *data_path(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A 128-bit XXH3 hash as 32 hexadecimal digits, for cache keys and freshness checks. */
struct digest {
    char text[33];
};
struct digest digest_of(const void *bytes, size_t size);

/* Monotonic seconds, and the wall clock as "2026-11-21" (UTC). */
double clock_seconds(void);
void clock_date(char text[11]);
#endif
