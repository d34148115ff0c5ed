/* Files of the cache folder. Programs in it are run and PTX in it is believed, so only this user may have written it.
 */
#ifndef LANESCOPE_COMPILE_CACHE_H
#define LANESCOPE_COMPILE_CACHE_H
#include <stdbool.h>
#include <stddef.h>

/* Returns whether the path is a file of this user, in a folder of this user, and nobody else may write either. */
bool cache_trusts(const char *path);
/* Writes an entry as a whole that only this user can read and, with `program`, run. Returns false without it: that
 * costs time only. */
bool cache_store(const char *path, const void *bytes, size_t size, bool program);
#endif
