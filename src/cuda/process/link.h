/* The parent's side: jobs go to a child process that stays for the next one, a watchdog beside it. What happens to the
 * child happens to nobody else: it is named in a sentence, and the next job has a new one. */
#ifndef LANESCOPE_CUDA_PROCESS_LINK_H
#define LANESCOPE_CUDA_PROCESS_LINK_H
#include "cuda/process/child.h"
#include "cuda/process/job.h"

struct link {
    const char *program;    /* what to start, */
    char *const *arguments; /* and how, NULL at the end */
    double load_seconds;    /* how long the driver may take to get ready, */
    double run_seconds;     /* and a kernel to end */
    struct child child;
};

/* Called for each batch of records in space's job. */
typedef bool (*link_batch)(void *context, const struct job_space *space, struct error *error);

/* Does the job in the child. batch may be NULL where no records come. */
bool link_do(struct link *link, const struct job_space *space, link_batch batch, void *context, struct error *error);
void link_close(struct link *link);
/* The child's side: serves jobs from CHILD_SOCKET until the parent is gone. work does one. */
void link_serve(void (*work)(struct job *job, const struct job_host *host));
#endif
