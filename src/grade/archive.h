/* For src/grade only: an archive that was handed in, or the download of a course system. It is read in memory: nothing
 * of it is written, and nothing outside is reached. */
#ifndef LANESCOPE_GRADE_ARCHIVE_H
#define LANESCOPE_GRADE_ARCHIVE_H
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* A file of an archive. */
struct archive_file {
    const char *path; /* "ada/transpose.cu" */
    const char *bytes;
    size_t size;
};
/* What is looked at: sources, and archives of students within a download. */
enum { ARCHIVE_SOURCE_MOST = 1 << 20, ARCHIVE_INNER_MOST = 64 << 20 };
/* Bytes of all that is kept of an archive, and of one within it. */
enum { ARCHIVE_KEPT_MOST = 256 << 20, ARCHIVE_INNER_KEPT_MOST = 16 << 20 };

/* Returns whether a name is that of an archive, by its ending. */
bool archive_is(const char *name);
/* Returns a name without the ending of an archive. */
const char *archive_stem(struct arena *arena, const char *name);
/* Reads the sources and the archives of an archive that lies in memory, of at most so many bytes. Returns NULL, or why
 * it is refused: one sentence about `name` in the user's language. */
const char *archive_read_all(struct arena *arena, const char *name, const void *bytes, size_t size, size_t most,
                             struct archive_file **files, size_t *count);
#endif
