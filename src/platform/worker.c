/* Work beside the window, on a thread of its own. */
#include "platform/worker.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct task {
    pthread_t thread;
    atomic_bool finished;
    void (*work)(void *argument);
    void *argument;
};

static void *run(void *context)
{
    struct task *task = context;
    task->work(task->argument);
    atomic_store(&task->finished, true);
    return NULL;
}

static void *start(void *context, void (*work)(void *argument), void *argument)
{
    (void)context;
    struct task *task = calloc(1, sizeof *task);
    if (!task)
        return NULL;
    task->work = work;
    task->argument = argument;
    if (pthread_create(&task->thread, NULL, run, task) != 0) {
        free(task);
        return NULL;
    }
    return task;
}

static bool finished(void *context, void *started)
{
    (void)context;
    struct task *task = started;
    return atomic_load(&task->finished);
}

static void join(void *context, void *started)
{
    (void)context;
    struct task *task = started;
    pthread_join(task->thread, NULL);
    free(task);
}

struct app_worker worker_of_threads(void)
{
    return (struct app_worker){.start = start, .finished = finished, .join = join};
}
