/* Grading: submissions are built and run in sandboxes, several at a time, and held against a rubric. docs/teaching.md
 */
#ifndef LANESCOPE_GRADE_GRADE_H
#define LANESCOPE_GRADE_GRADE_H
#include "grade/rubric.h"
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>

/* How a submission fares with one rule. */
struct grade_verdict {
    bool holds;
    double points;     /* of the rule's, that it gets */
    const char *cause; /* one sentence without a full stop; "" where the rule holds */
    const char *run;   /* the run that showed it; "": none */
    const char *file;  /* "" and 0: no place is known */
    int line;
    const char *remedy; /* "": none */
    const char *lesson; /* "": none */
};

struct grade_submission {
    const char *name, *path; /* of the student, as the file or its folder is called; of the file */
    const char *number;      /* of the student in the course system whose download this is; "": unknown */
    const char *text;        /* NULL: it cannot be graded */
    size_t size;
    const char *problem;            /* then why: one sentence; else NULL */
    struct grade_verdict *verdicts; /* one for each rule; NULL: grading stopped before */
    double points;
};

struct grade_request {
    const char *rubric;
    const char *const *paths; /* of submissions: files, or folders of them */
    size_t path_count;
    const char *folder; /* of the grades; keeps the outcomes of steps, too */
    unsigned jobs;      /* sandboxes at a time; 0: one for each processor */
    bool trust;         /* without sandboxes */
    const char *on;     /* "slurm", "ssh:HOST,HOST" or "ssh:@FILE": computers that do the steps; NULL: this one */
    const atomic_bool *cancel;
    /* Called while steps run: done of all, and the seconds that the others will take; < 0: not known yet. */
    void (*progress)(void *context, size_t done, size_t all, double seconds_left);
    void *context;
};
struct grade {
    struct arena arena;
    struct rubric rubric;
    struct grade_submission *submissions; /* by name */
    size_t count;
    size_t steps, kept; /* builds and runs; those of them that an earlier grading had left */
    bool cancelled;
};
/* Grades. An error says what is wrong with the rubric, its reference, the list of submissions or this computer; what is
 * wrong with one submission costs its own points. The caller frees the grade. */
bool grade_run(const struct grade_request *request, struct grade **grade, struct error *error);
void grade_free(struct grade *grade);
/* Returns whether a word names computers as `on` does. */
bool grade_on_known(const char *on);
/* Does the part of a grading that `on` wrote to a file, "7.task", and writes its outcomes beside it, "7.done". Of the
 * request, the folder (NULL: nothing is kept), the jobs, cancel and progress count. */
bool grade_task(const char *path, const struct grade_request *request, bool *cancelled, struct error *error);

/* report.c, page.c. The grades as a table for a terminal; as JSON; as files in the folder: grades.csv, grades.json,
 * grades.xml (JUnit) and reports/NAME.html for each submission, without hidden rules. */
void grade_table(FILE *out, const struct grade *grade);
json_t *grade_json(const struct grade *grade);
bool grade_write(const struct grade *grade, const char *folder, struct error *error);
/* archive.c. Returns whether this build reads archives. */
bool grade_reads_archives(void);
/* export.c. Forms for other systems, "sarif,gradescope": whether all are known; and written into the folder. */
bool grade_forms_known(const char *names);
bool grade_export(const struct grade *grade, const char *folder, const char *names, struct error *error);
/* init.c. Returns the text of a rubric for a program or a kernel, with sizes off the block's, in the arena. */
bool grade_propose(struct arena *arena, const char *path, const char **text, struct error *error);

/* assignments.c. Those that come with Lanescope, by name, in the arena. */
struct grade_assignment {
    const char *name, *title, *folder;
    const char *file; /* that is handed in */
    double points;
};
size_t grade_assignments(struct arena *arena, struct grade_assignment **assignments);
/* Copies the folder of one to a path where nothing is. */
bool grade_copy_assignment(struct arena *arena, const char *name, const char *to, struct error *error);

/* ---- for src/grade only ---- */

/* submissions.c. Fills a list of submissions, sorted by name, from files and folders. */
bool grade_find(struct arena *arena, const struct rubric *rubric, const char *const *paths, size_t path_count,
                struct grade_submission **submissions, size_t *count, struct error *error);
void grade_page(FILE *out, const struct grade *grade, const struct grade_submission *submission);
/* Returns the cause with its run and its place in front: "run square: transpose.cu:12: ...". */
const char *grade_cause(struct arena *arena, const struct grade_verdict *verdict);
/* Returns points without needless digits: "2", "0.5". */
const char *grade_points(struct arena *arena, double points);
/* Writes a field of CSV (RFC 4180). */
void grade_csv_text(FILE *out, const char *text);
/* Returns the path of a file in a folder that is named as the submission. */
const char *grade_file(struct arena *arena, const char *folder, const struct grade_submission *one, const char *ending);
#endif
