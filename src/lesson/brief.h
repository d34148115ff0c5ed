/* What a list of lessons says of each. It is read from the lessons, or from one file: reading all lessons takes the
 * page for browsers as long as all else before its first picture, so its data holds data_path("lessons.json"). */
#ifndef LANESCOPE_LESSON_BRIEF_H
#define LANESCOPE_LESSON_BRIEF_H
#include "lesson/lesson.h"

struct lesson_brief {
    const char *name, *title[LANGUAGE_COUNT]; /* its name, where it has no title */
    const char *summary[LANGUAGE_COUNT];      /* "": none */
    int beats, questions;                     /* questions: beats that ask */
    unsigned minutes;                         /* alone; 0: not known */
    unsigned stage;                           /* the panels of the first beat, STAGE_ flags */
};
/* Returns one for each lesson that lesson_load_all would load, in its order and in the arena, with its errors. */
size_t lesson_briefs(struct arena *arena, struct lesson_brief **briefs, struct error **errors, size_t *error_count);
/* Returns the content of lessons.json, which the caller frees; NULL: no memory. */
char *lesson_briefs_text(const struct lesson_brief *briefs, size_t count);
/* Reads such a content into the arena. Returns false, with the error set, if it is not one. */
bool lesson_briefs_read(struct arena *arena, const char *text, size_t size, struct lesson_brief **briefs, size_t *count,
                        struct error *error);
#endif
