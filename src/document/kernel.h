/* A run of a kernel's file: prepared from the document, made on any thread, and shown. */
#ifndef LANESCOPE_DOCUMENT_KERNEL_H
#define LANESCOPE_DOCUMENT_KERNEL_H
#include "document/document.h"
#include "run/launch_form.h"
#include "source/knobs.h"

struct kernel_work {
    struct arena arena;
    struct run_file_request original, request; /* request: with all that the document adds */
    bool good;
    atomic_bool cancel;     /* nobody waits for it any more */
    double patience, until; /* seconds that it may take, 0: any number; the clock when they are over */
    bool late;
    struct launch_guess guess;
    struct form_edits edits; /* of the form; turns: of the knobs of the source */
    struct source_turn turns[SOURCE_KNOBS_MAX];
    size_t turn_count;
    const char *text;            /* the file as it is written; NULL: it cannot be read */
    struct run_file_request own; /* the complete launch without the edits, and what of it is guessed */
    struct launch_guess own_guess;
    struct run *run;    /* of a good one */
    struct error fault; /* of the GPU, whose run the emulator's replaces; kind ERROR_NONE: none */
    struct error error; /* of a bad one */
    struct digest sources;
};
void kernel_prepare(struct kernel_work *work, const struct document *document, const struct run_file_request *asked,
                    enum executor executor);
void kernel_make(struct kernel_work *work);
/* Shows the run, or else the source with the wrong line. Returns false, with a notice, if this computer lacks
 * something; the document then stays. Frees the work. */
bool kernel_show(struct document *document, struct playhead *playhead, struct kernel_work *work);

/* A run beside the window. */
struct kernel_again {
    struct kernel_work work;
    void *task; /* NULL: the work is done in the frame that asks for its end */
    bool anew;  /* the file was saved meanwhile */
};
/* Waits for the end of the run. */
void kernel_join(struct kernel_again *again, const struct app_worker *worker);
#endif
