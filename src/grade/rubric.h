/* The rubric of an assignment: what is handed in, how it is run, and what must hold. docs/teaching.md describes the
 * file. Everything in it is checked before anything runs. */
#ifndef LANESCOPE_GRADE_RUBRIC_H
#define LANESCOPE_GRADE_RUBRIC_H
#include "base/arena.h"
#include "base/error.h"
#include "run/run.h"
#include <stddef.h>
#include <stdint.h>

/* A file of the teacher's. */
struct rubric_file {
    const char *name; /* NULL: there is none */
    const char *bytes;
    size_t size;
};

/* One run of each submission. */
struct rubric_run {
    const char *name;
    const struct run_fact *sizes; /* names for expressions, with their values */
    size_t size_count;
    const char *const *words; /* of a program: its arguments; of a kernel: the options of its launch */
    size_t word_count;
    int line; /* in the rubric */
};

enum rubric_check {
    RUBRIC_PRINTS,    /* the output has these words */
    RUBRIC_OUTPUT,    /* the output is this text */
    RUBRIC_REFERENCE, /* the output, or a buffer, is that of the reference */
    RUBRIC_STATUS,    /* the exit status */
    RUBRIC_WITHOUT,   /* no finding of these kinds */
    RUBRIC_HOLDS,     /* an expression over counters and sizes */
    RUBRIC_USES,      /* the source has these words outside of comments */
    RUBRIC_LACKS      /* it does not have them */
};
enum { RUBRIC_NO_TOLERANCE = -1, RUBRIC_NO_BUFFER = -1 };

struct rubric_rule {
    const char *name;            /* "": none */
    const char *text, *feedback; /* in the user's language; feedback: "" is none */
    const char *lesson;          /* that teaches it; "": none */
    double points;
    bool hidden;        /* left out of the students' reports */
    const bool *in_run; /* for each run: it is looked at there */
    int needs;          /* the index of a rule that must hold, too; -1: none */
    enum rubric_check check;
    const char *words;        /* PRINTS, OUTPUT, HOLDS: as it stands in the file */
    const char *expression;   /* HOLDS: with names that can be evaluated */
    const char *kernel;       /* HOLDS: of the launches that count; NULL: all */
    const char *const *kinds; /* WITHOUT, USES, LACKS */
    size_t kind_count;
    double tolerance; /* of numbers: |a - b| <= tolerance * max(1, |b|); RUBRIC_NO_TOLERANCE: none */
    int buffer;       /* REFERENCE: the argument's number, RUBRIC_NO_BUFFER: the output */
    int status;
    int line; /* in the rubric */
};

struct rubric {
    const char *path, *title;
    const char *file;           /* the name under which a submission is compiled */
    struct rubric_file program; /* with the main(); name NULL: the submission has its own */
    struct rubric_file *files;  /* beside it */
    size_t file_count;
    struct rubric_file reference; /* a right submission */
    const char *kernel;           /* launched alone; NULL: whole programs are run */
    const char *const *flags;     /* for the compiler */
    size_t flag_count;
    double seconds; /* limits of one run: of the processors */
    uint64_t memory, disk;
    unsigned processes;
    uint64_t instructions; /* of warps, after which a block counts as endless */
    struct rubric_run *runs;
    size_t run_count;
    struct rubric_rule *rules;
    size_t rule_count;
    double points; /* of all rules */
    bool caches;   /* some rule has a counter of the model of the caches */
};
/* Reads a rubric and the files that it names, which lie below its folder, into the arena. */
bool rubric_load(struct arena *arena, const char *path, struct rubric *rubric, struct error *error);

/* Returns the names of counters that expressions know, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", or only those
 * of the model of the caches. */
const char *const *rubric_cache_counters(struct arena *arena, size_t *count);
const char *const *rubric_counters(struct arena *arena, size_t *count);
/* Returns an expression's text as muParser takes it: the points in names of counters become underscores. */
const char *rubric_plain(struct arena *arena, const char *expression);
/* Figures that are no counters of a profiler: of all launches that count, or the largest of them. */
extern const char *const rubric_figures[];
#endif
