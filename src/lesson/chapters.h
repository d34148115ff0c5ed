/* The chapters of the course: assets/chapters.yaml. */
#ifndef LANESCOPE_LESSON_CHAPTERS_H
#define LANESCOPE_LESSON_CHAPTERS_H
#include "lesson/lesson.h"

struct chapter {
    const char *title[LANGUAGE_COUNT];
    char **lessons; /* their names */
    size_t lesson_count;
};
/* Reads the chapters into the arena and returns their number; 0 if the file is missing or wrong. */
size_t chapters_load(struct arena *arena, const struct chapter **chapters, struct error *error);
/* Returns the index of a lesson's chapter; `count` if none names it. */
size_t chapter_of(const struct chapter *chapters, size_t count, const char *lesson);
#endif
