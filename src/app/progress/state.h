/* For src/app/progress only: the state as JSON values. */
#ifndef LANESCOPE_APP_PROGRESS_STATE_H
#define LANESCOPE_APP_PROGRESS_STATE_H
#include "app/progress/progress.h"
#include <jansson.h>

struct progress {
    const char *path; /* NULL: there is no home folder */
    json_t *state;    /* as it is now */
    json_t *saved;    /* as it was read or written last: the common base of this window and of others */
    bool refused;     /* nothing can be kept */
    double due;       /* when to save; 0: nothing has changed */
    char said[700];
    /* As noted last: only what has changed since is kept. */
    json_t *preferences, *window, *lesson;
    const char *lesson_key; /* "": of no lesson */
    struct arena arena;
};

/* form.c: keeps the changed launch of the kernel on screen. */
void progress_note_form(struct progress *progress, const struct document *document);
/* Returns whether a text can be shown: no control characters, nothing that turns its direction, not too long. */
bool progress_plain(const char *text);
/* Returns a copy without what no state of ours can have: control characters, deep nesting, endless lists. */
json_t *progress_clean(const json_t *value);
/* Returns `theirs` with every change from `base` to `ours`; a new value. Any of them may be NULL. */
json_t *progress_merge(const json_t *base, const json_t *ours, const json_t *theirs);
/* Returns the object of a name in `parent`, which is made if it is not there. */
json_t *progress_object(json_t *parent, const char *name);
/* Return a whole number, a truth or a text of an object, if it has one in the range; else the default, or NULL. */
int progress_int(const json_t *object, const char *name, int least, int most, int otherwise);
bool progress_true(const json_t *object, const char *name);
const char *progress_text(const json_t *object, const char *name);
#endif
