/* Checks a lesson for its author: the files, every beat, and the settings that a student can reach from it. The tests
 * check the installed lessons with it, and `lanescope inspect FOLDER` any other. */
#ifndef LANESCOPE_AUTHOR_AUTHOR_H
#define LANESCOPE_AUTHOR_AUTHOR_H
#include "lesson/problems.h"
#include <stdatomic.h>

struct author_options {
    const atomic_bool *cancel; /* NULL: never */
    void (*progress)(void *context, size_t done, size_t all);
    void *progress_context;
    size_t settings_max;        /* settings that are run at most; 0: AUTHOR_SETTINGS_MAX */
    size_t turned_max;          /* combinations of knobs at which words are looked at; 0: AUTHOR_TURNED_MAX */
    size_t recording_bytes_max; /* of an installed lesson; 0: RECORDING_BYTES_MAX */
};
/* A task is searched at as many settings again, without the checks of results first. */
enum { AUTHOR_SETTINGS_MAX = 2000, AUTHOR_TURNED_MAX = 200 };

struct author_report {
    struct lesson_problems problems;
    bool read, stopped;           /* its files can be read; canceled */
    size_t beats, settings, runs; /* checked; settings: each once */
    size_t settings_left;         /* that were not run, because there are too many */
};
/* Lists all problems of the lesson in the folder. author_report_free frees the report. */
void author_check(const char *folder, const struct author_options *options, struct author_report *report);
void author_report_free(struct author_report *report);
#endif
