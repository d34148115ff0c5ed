/* What the window remembers from one start to the next: preferences, the window's place, the way through each lesson,
 * the files opened last. It is one JSON file (docs/formats.md) in folder_state().
 *
 * Every function accepts NULL: nothing is kept. Nothing in the file is trusted; what is wrong or unknown in it counts
 * as absent. */
#ifndef LANESCOPE_APP_PROGRESS_PROGRESS_H
#define LANESCOPE_APP_PROGRESS_PROGRESS_H
#include "screen/cards.h"
#include <stdbool.h>

struct document;
struct playhead;
struct preferences;

/* Reads the file. A damaged one is set aside under another name. Never fails: progress_said has the reason. */
struct progress *progress_open(void);
/* Saves the rest, and frees it. */
void progress_close(struct progress *progress);
/* Returns what the user should know (the file was damaged, nothing can be kept), once; NULL: nothing. */
const char *progress_said(struct progress *progress);

/* Something may have changed: it is saved within a second. progress_wait returns the seconds until then, INFINITY if
 * nothing has changed. */
void progress_touch(struct progress *progress);
double progress_wait(const struct progress *progress);
/* Writes what has changed since the file was read, and takes over what other windows have written since. */
void progress_save(struct progress *progress);

/* Takes over the lessons of another such file that were used later than here, and saves them soon. Returns their
 * number, or -1 with the error set: it is no such file, or nothing can be kept here. */
int progress_import(struct progress *progress, const char *path, struct error *error);

/* Sets the preferences that the file has. environment: the language of the environment; the kept language holds only
 * while it has not changed. */
void progress_preferences(const struct progress *progress, struct preferences *preferences, struct playhead *playhead);
/* Keeps the preferences that differ from those noted before. The first call only compares. */
void progress_note_preferences(struct progress *progress, const struct preferences *preferences,
                               const struct playhead *playhead);

struct window_place;
bool progress_window(const struct progress *progress, struct window_place *place);
void progress_note_window(struct progress *progress, const struct window_place *place);

/* Opens the lesson's kept way: the answers of its steps and, unless `answers_only`, step, knobs, the event on
 * screen, and the executor if none was chosen in this window. Returns whether the lesson was left behind its first
 * step.
 */
bool progress_resume(struct progress *progress, struct document *document, struct playhead *playhead,
                     bool answers_only);
/* Reads the changed launch of the kernel that is about to open. */
void progress_resume_form(struct progress *progress, struct document *document);
/* Keeps the way through the open lesson, or the path of the open file, as far as it has changed. */
void progress_note_document(struct progress *progress, const struct document *document,
                            const struct playhead *playhead);

/* For the list of lessons. name: of a lesson in the list. */
struct way_kept progress_of_lesson(const struct progress *progress, const char *name);
/* Returns the path of a file that was opened lately, 0 the last one; NULL: no more. */
const char *progress_recent(const struct progress *progress, int index);
#endif
