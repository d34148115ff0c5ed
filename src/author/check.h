/* The parts of a check: fields of the files, runs of the beats, texts, tasks. */
#ifndef LANESCOPE_AUTHOR_CHECK_H
#define LANESCOPE_AUTHOR_CHECK_H
#include "author/author.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"

/* The files of words: by language, and NOTES + language for the teacher's notes. */
enum { NOTES = LANGUAGE_COUNT, FILES_OF_WORDS = 2 * LANGUAGE_COUNT };
enum { BEATS_MAX = 64, VARIANTS_MAX = 32 };

struct check {
    /* Owned by the check, which replaces a broken expression by a good one after it is listed, so that the rest can be
     * run. */
    struct lesson *lesson;
    const struct author_options *options;
    struct author_report *report;
    struct arena arena;
    const char *yaml_path, *yaml;
    const char *words_path[FILES_OF_WORDS], *words[FILES_OF_WORDS]; /* words[NOTES + ...] NULL: there are no notes */
    const char *source[VARIANTS_MAX]; /* text of each variant's source; NULL: it cannot run */
    bool told[VARIANTS_MAX];          /* its first wrong run is listed */
    bool failed[VARIANTS_MAX];        /* its first run that fails is listed */
    struct run *opened[BEATS_MAX];    /* where each beat opens; NULL: it cannot run */
    struct {
        const char **items;
        size_t count, capacity;
    } turned_told;                   /* by turned.c: rule, place */
    struct other_value *values[512]; /* of other settings, by turned_rules.c */
};

/* Lists a problem of a field of lesson.yaml. */
void say(struct check *check, enum problem_level level, enum error_kind kind, const char *field, const char *remedy,
         const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Lists a problem of a beat's section in a file of words, at the line of `near` in it (NULL: at its heading). */
void say_words(struct check *check, enum problem_level level, int file, int beat, const char *near, const char *format,
               ...) __attribute__((format(printf, 6, 7)));
#define FORMAT(check, ...) arena_format(&(check)->arena, __VA_ARGS__)

/* files.c: what can be seen without a run. */
void check_fields(struct check *check);
/* texts.c: the words of a beat at the setting of a run. opening: the beat opens at it. */
void check_texts(struct check *check, int beat, const struct lesson_setting *setting, const struct run *run,
                 bool opening);
/* Lists what is wrong in the teacher's notes of a beat. */
void check_notes(struct check *check, int beat, const struct lesson_setting *setting, const struct run *run);
/* Lists choices of a question without a reply of their own, and replies that nobody sees. answer: NULL: none */
void check_replies(struct check *check, int beat, const double *answer);
/* plurals.c: lists English nouns in the plural after a number that is 1 at this setting. Replies to wrong choices are
 * shown only where the beat opens. */
void check_plurals(struct check *check, int beat, const struct lesson_setting *setting, const struct run *run,
                   bool opening);
/* turned.c: the words of a beat at any setting of its knobs. */
void check_turned(struct check *check, int beat, const struct lesson_setting *setting, const struct run *run);
/* beats.c: a beat as it opens. */
void check_beat(struct check *check, int beat, const struct lesson_setting *setting, const struct run *run);
/* Lists faults, races and wrong results of a variant that is not faulty. */
void check_result(struct check *check, const struct lesson_setting *setting, const struct run *run);
/* A mended variant is run at the setting of its bug. */
bool check_run(struct check *check, const char *field, const struct lesson_setting *setting, struct run **run);
/* tasks.c: whether some setting does the task. */
void check_tasks(struct check *check);

/* Returns the words of a beat's large number with the expression for it; NULL: it has none. */
const char *big_sentence(struct check *check, int beat, int language);
struct lesson_setting setting_of_beat(const struct lesson *lesson, int beat);
/* Returns "at load stride=8". */
const char *setting_words(struct check *check, const struct lesson_setting *setting);
bool check_stopped(struct check *check);
#endif
