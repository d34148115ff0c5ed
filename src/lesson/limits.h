/* For src/lesson only: limits of lessons. Those of texts hold for all of them; the installed ones are far below. What a
 * launch may take depends on where the lesson comes from. docs/security.md has the table. */
#ifndef LANESCOPE_LESSON_LIMITS_H
#define LANESCOPE_LESSON_LIMITS_H
#include "lesson/plan.h"

enum {
    LIMIT_TEXT_BYTES = 128 << 10, /* of en.md, ko.md and the notes, each */
    LIMIT_BRACES = 1000,          /* in one of these files */
    LIMIT_WORD_BYTES = 1000       /* between two spaces */
};

/* Returns the limits of an installed lesson, or of any other. */
struct lesson_limits limits_of(bool installed);
/* Returns false, with the limit in the error, for words that take too long to read or to lay out. */
bool limits_allow_text(const char *path, const char *text, size_t size, struct error *error);
/* Returns false, with the limit in the error, for a launch whose buffers and their check take too much memory. */
bool limits_allow_launch(const struct lesson_plan *plan, const struct launch *launch, struct error *error);
#endif
