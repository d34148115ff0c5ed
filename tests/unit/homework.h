/* A program of a user's own in a folder of its own, that a test opens in the app and saves again. */
#ifndef LANESCOPE_TESTS_HOMEWORK_H
#define LANESCOPE_TESTS_HOMEWORK_H
#include "app_helper.h"
#include "base/file.h"
#include <stdio.h>
#include <unistd.h>

static char folder[64], path[128]; /* of homework.cu; beside it there may be part.h */

/* Writes a file of the folder by a rename, as editors do. */
static inline void save(const char *name, const char *text)
{
    char place[128];
    snprintf(place, sizeof place, "%s/%s", folder, name);
    assert_true(file_write(place, text, strlen(text), NULL));
}

static inline int homework_begin(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/lanescope-homework-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/homework.cu", folder);
    return 0;
}

static inline int homework_end(void **state)
{
    (void)state;
    static const char *const others[] = {"part.h", "clang"};
    char place[128];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(place, sizeof place, "%s/%s", folder, others[i]);
        unlink(place);
    }
    unlink(path);
    return rmdir(folder);
}
#endif
