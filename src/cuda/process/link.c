/* The two ends of the socket. The parent sends a job's memory, and the child reports its progress. While the parent
 * takes a batch of records, the child waits. */
#include "cuda/process/link.h"
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { GO = 100, STOP }; /* words of the parent */

void link_close(struct link *link)
{
    child_stop(&link->child, NULL, 0);
}

static bool too_long(struct link *link, bool running, struct error *error)
{
    link_close(link);
    if (!running) {
        error_set(error, ERROR_MISSING, "the GPU's driver was not ready within %.0f seconds", link->load_seconds);
        return error_remedy(error, "try again; check that nvidia-smi answers");
    }
    error_set(error, ERROR_RUN, "the kernel was stopped: it had not ended after %.4g seconds", link->run_seconds);
    return error_remedy(error, "look for a loop that never ends, choose a smaller size, or set LANESCOPE_GPU_SECONDS");
}

static bool ended(struct link *link, bool running, struct error *error)
{
    char how[128];
    child_stop(&link->child, how, sizeof how);
    error_set(error, ERROR_RUN, "the GPU process %s while %s", how,
              running ? "a kernel was running" : "the driver was starting");
    return error_remedy(error, "try again; if it happens again, the driver or the kernel crashes it");
}

static bool finish(struct link *link, const struct job_space *space, struct error *error)
{
    const struct job_answer *answer = &space->job->answer;
    if (answer->good)
        return true;
    if (error)
        *error = answer->error;
    if (answer->error.kind == ERROR_RUN || answer->error.kind == ERROR_NONE)
        link_close(link); /* after a fault this process cannot use the GPU any more */
    return false;
}

static bool listen_to(struct link *link, const struct job_space *space, link_batch batch, void *context,
                      struct error *error)
{
    bool running = false;
    for (;;) {
        uint32_t word = 0;
        enum child_event const event =
            child_hear(link->child.socket, running ? link->run_seconds : link->load_seconds, &word, NULL);
        if (event == CHILD_SILENT)
            return too_long(link, running, error);
        if (event == CHILD_ENDED)
            return ended(link, running, error);
        if (word == JOB_DONE)
            return finish(link, space, error);
        running = word == JOB_RUNNING;
        if (word != JOB_BATCH)
            continue;
        bool const taken = batch && batch(context, space, error);
        if (!child_send(link->child.socket, taken ? GO : STOP, -1))
            return taken ? ended(link, false, error) : false;
        if (!taken) {
            link_close(link);
            return false;
        }
    }
}

bool link_do(struct link *link, const struct job_space *space, link_batch batch, void *context, struct error *error)
{
    /* A second attempt is for a child that died since the last job. */
    for (int tries = 0; tries < 2; tries++) {
        if (link->child.pid <= 0 && !child_start(&link->child, link->program, link->arguments, error))
            return false;
        if (child_send(link->child.socket, GO, space->file))
            return listen_to(link, space, batch, context, error);
        link_close(link);
    }
    return error_set(error, ERROR_RUN, "the GPU process does not stay alive");
}

static bool say(void *context, enum job_word word)
{
    uint32_t answer = GO;
    (void)context;
    if (!child_send(CHILD_SOCKET, word, -1))
        return false;
    return word != JOB_BATCH || (child_hear(CHILD_SOCKET, -1, &answer, NULL) == CHILD_SAID && answer == GO);
}

/* Ends a child that is busy with a kernel when its parent is gone. */
static void *watch_parent(void *context)
{
    struct pollfd gone = {.fd = CHILD_SOCKET, .events = POLLRDHUP};
    (void)context;
    while (poll(&gone, 1, -1) < 0 || !(gone.revents & (POLLHUP | POLLRDHUP | POLLERR)))
        continue;
    _exit(0);
}

void link_serve(void (*work)(struct job *job, const struct job_host *host))
{
    struct job_host const host = {.say = say};
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, watch_parent, NULL) == 0)
        pthread_detach(watcher);
    for (;;) {
        uint32_t word;
        int file;
        struct job_space space;
        if (child_hear(CHILD_SOCKET, -1, &word, &file) != CHILD_SAID || word != GO || !job_map(&space, file))
            return;
        work(space.job, &host);
        job_free(&space);
        if (!say(NULL, JOB_DONE))
            return;
    }
}
