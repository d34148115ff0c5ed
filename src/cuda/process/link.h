/* The parent's side. Jobs go to a child process that stays for the next job, with a watchdog beside it. If the child
 * dies, only the job fails: the error names the cause, and the next job gets a new child. */
#ifndef LANESCOPE_CUDA_PROCESS_LINK_H
#define LANESCOPE_CUDA_PROCESS_LINK_H
#include "cuda/process/child.h"
#include "cuda/process/job.h"

struct link {
    const char *program;    /* the program to start */
    char *const *arguments; /* its arguments, NULL at the end */
    double load_seconds;    /* time for the driver to get ready */
    double run_seconds;     /* time for a kernel to end */
    struct child child;
};

/* Receives each batch of records in the space's job. */
typedef bool (*link_batch)(void *context, const struct job_space *space, struct error *error);

/* Does the job in the child. batch may be NULL for a job without records. */
bool link_do(struct link *link, const struct job_space *space, link_batch batch, void *context, struct error *error);
void link_close(struct link *link);
/* The child's side: serves jobs from CHILD_SOCKET until the parent is gone. `work` does one job. */
void link_serve(void (*work)(struct job *job, const struct job_host *host));
#endif
