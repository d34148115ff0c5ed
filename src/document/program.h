/* A whole program as a document: it is built and run beside the window, and its calls are kept while its launches are
 * opened one by one. */
#ifndef LANESCOPE_DOCUMENT_PROGRAM_H
#define LANESCOPE_DOCUMENT_PROGRAM_H
#include "base/file.h"
#include "base/worker.h"
#include "document/what_if.h"
#include "model/explain.h"
#include "program/program.h"
#include "view/cards/program.h"

struct program_start {
    struct run_file_request request; /* its path and defines */
    const char *const *arguments;    /* of the program */
    size_t argument_count;
    const char *folder; /* that it runs in; NULL: the current one */
    double seconds;     /* that it may run; 0: the usual limit */
    uint64_t launch;    /* to open when it has run; 0: none */
};

/* One build and run. The thread that works owns it until it has ended. */
struct program_work {
    bool started;
    bool anew;  /* the file was saved meanwhile: the result is not wanted */
    void *task; /* NULL: the work is done in the frame that asks for its end */
    double begin_s;
    atomic_bool cancel, built;
    bool good;
    struct arena arena;               /* of the source */
    const char *source, *source_name; /* as it was built or, of an error, the file with the error */
    const char *own;                  /* the file as it is written */
    struct source_turn turns[SOURCE_KNOBS_MAX];
    size_t turn_count;
    struct digest sources; /* of all files, read before it was built */
    struct program_run *run;
    struct error error;
};

/* What the launch that the list has chosen wastes most. */
struct program_advice {
    uint64_t launch; /* its number; 0: none is known */
    struct arena arena;
    struct trace *trace;
    const struct explanation *item; /* NULL: nothing that matters */
};

struct open_program {
    struct arena arena; /* what was asked */
    struct program_start start;
    struct launch_blocks blocks; /* recorded of each launch */
    const char *gpu;
    struct program_work work;

    struct program_run *run; /* the last one that could be built; NULL: none yet */
    struct arena run_arena;  /* of the items */
    struct program_item *items;
    size_t count;
    size_t *mistake_items; /* of each mistake of run: the item; count: it is not in the list */
    bool all_calls;        /* those that the compiler makes are in the list, too */
    size_t hidden;         /* calls that are left out */
    uint64_t most_in_use;
    struct arena source_arena;
    const char *source; /* that the list's code shows */
    const char *source_name;
    struct digest sources;     /* that were built last */
    struct digest ran_sources; /* of the run on screen */
    struct error failed;       /* of the last build; kind ERROR_NONE: it succeeded */

    struct what_if what_if;
    struct program_advice advice;
    size_t chosen;    /* of the items */
    uint64_t shown;   /* the number of the launch whose lanes are on screen; 0: the list */
    const char *said; /* the output in UTF-8, without control characters */
};

/* program_work.c */
void program_begin(struct open_program *program, const struct app_worker *worker);
/* Returns true once, when the work has ended: work.good says how. */
bool program_ended(struct open_program *program, const struct app_worker *worker);
void program_cancel(struct open_program *program);
void program_close(struct open_program *program, const struct app_worker *worker);

/* program_advice.c: finds program->advice, unless it is that of the chosen launch. Its launches may go once it is
 * forgotten. */
void program_note_advice(struct open_program *program);
void program_forget_advice(struct open_program *program);

/* program_items.c: fills items from program->run. */
void program_items(struct open_program *program);
#endif
