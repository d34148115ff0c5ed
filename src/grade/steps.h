/* For src/grade only: the steps of a grading. Each builds a submission or runs it once, in a sandbox of its own;
 * several sandboxes run at a time. The outcome of a step is kept in a file under a name made of all that it depends on.
 */
#ifndef LANESCOPE_GRADE_STEPS_H
#define LANESCOPE_GRADE_STEPS_H
#include "base/file.h"
#include "grade/grade.h"

enum { STEPS_BUILD = -1 }; /* in place of the index of a run */

/* A submission, or the reference, and what its steps came to. */
struct steps_student {
    const char *text;
    size_t size;
    json_t *build; /* NULL: not built, or not yet */
    json_t **runs; /* one for each run of the rubric; NULL where it did not happen: the build failed */
};
struct steps {
    struct arena *arena;
    const struct rubric *rubric;
    const struct grade_request *request;
    const char *folder;             /* of kept outcomes */
    const char *self, *libraries;   /* this program, and the folder of the runtime for programs */
    const char *made_by;            /* tells this build of Lanescope and its compiler from others */
    const char *const *environment; /* of the sandboxes, and what they see */
    const char *const *visible;
    const char *hidden;
    json_t *given; /* outcomes by key, made elsewhere; NULL: none */
    json_t *made;  /* gets the outcomes by key; NULL: nobody asks for them */
    size_t done, all, kept;
};
/* Does all steps of these students. Returns false with an error that ends the grading; *cancelled is set instead when
 * the user stopped it. */
bool steps_do(struct steps *steps, struct steps_student *students, size_t count, bool *cancelled, struct error *error);
void steps_free(struct steps_student *students, size_t count, size_t run_count);

/* keys.c. Fills what all steps share: the members from `folder` on to `visible`. Makes the folder. */
bool steps_prepare(struct steps *steps, const char *folder, struct error *error);
/* Returns what names the outcome of a step: a digest of all that it depends on. */
struct digest steps_key(const struct steps *steps, const struct steps_student *student, int run);
/* Returns the path of a kept file in the arena; the endings are ".json" and ".program". */
const char *steps_path(struct arena *arena, const struct steps *steps, const struct digest *key, const char *ending);
/* Returns the outcome that was given or kept, or NULL. */
json_t *steps_kept(const struct steps *steps, const struct digest *key);
/* Keeps an outcome, unless a second run could have another one. */
void steps_keep(const struct steps *steps, const struct digest *key, const json_t *outcome);
/* Returns whether an outcome ended in this way: "exited". */
bool steps_ended(const json_t *outcome, const char *ending);

/* A step whose outcome is not known. */
struct steps_missing {
    size_t student;
    struct digest key;
};
/* Returns the steps that have neither been given nor kept, and counts in *kept those that have. */
struct steps_missing *steps_missing(const struct steps *steps, const struct steps_student *students, size_t count,
                                    size_t *missing_count, size_t *kept);
#endif
