/* A data folder for one program of tests: that of the project, with tests/lessons/kinds among its lessons. */
#ifndef LANESCOPE_TESTS_LESSON_FOLDER_H
#define LANESCOPE_TESTS_LESSON_FOLDER_H
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char lesson_folder[64];

static inline void lesson_folder_link(const char *from, const char *to)
{
    char target[512], path[512];
    snprintf(target, sizeof target, "%s/%s", LANESCOPE_SOURCE_FOLDER, from);
    snprintf(path, sizeof path, "%s/%s", lesson_folder, to);
    assert_int_equal(symlink(target, path), 0);
}

static inline void lesson_folder_unlink(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", lesson_folder, name);
    unlink(path);
}

/* Does it with "lessons/NAME" of each lesson. */
static inline void lesson_folder_each(void (*act)(const char *name))
{
    DIR *folder = opendir(LANESCOPE_SOURCE_FOLDER "/lessons");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[300];
        snprintf(name, sizeof name, "lessons/%s", entry->d_name);
        if (entry->d_name[0] != '.')
            act(name);
    }
    closedir(folder);
}

static inline void lesson_folder_link_one(const char *name)
{
    lesson_folder_link(name, name);
}

/* Setup and teardown of a group of tests. */
static inline int lesson_folder_make(void **state)
{
    (void)state;
    char path[512];
    snprintf(lesson_folder, sizeof lesson_folder, "/tmp/lanescope-lessons-XXXXXX");
    assert_non_null(mkdtemp(lesson_folder));
    snprintf(path, sizeof path, "%s/lessons", lesson_folder);
    assert_int_equal(mkdir(path, 0700), 0);
    lesson_folder_link("assets", "assets");
    lesson_folder_link("fonts", "fonts");
    lesson_folder_link("kernels", "kernels");
    lesson_folder_link("tests/lessons/kinds", "lessons/kinds");
    lesson_folder_each(lesson_folder_link_one);
    return setenv("LANESCOPE_DATA", lesson_folder, 1);
}

static inline int lesson_folder_remove(void **state)
{
    (void)state;
    char path[512];
    lesson_folder_each(lesson_folder_unlink);
    lesson_folder_unlink("lessons/kinds");
    lesson_folder_unlink("kernels");
    lesson_folder_unlink("fonts");
    lesson_folder_unlink("assets");
    snprintf(path, sizeof path, "%s/lessons", lesson_folder);
    rmdir(path);
    return rmdir(lesson_folder);
}
#endif
