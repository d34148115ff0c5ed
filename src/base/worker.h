/* Background work, a service of the platform. If start is NULL, the app does the work itself, and the window waits. */
#ifndef LANESCOPE_BASE_WORKER_H
#define LANESCOPE_BASE_WORKER_H
#include <stdbool.h>

struct app_worker {
    void *context;
    void *(*start)(void *context, void (*work)(void *argument),
                   void *argument); /* returns a task; NULL: it could not start */
    bool (*finished)(void *context, void *task);
    void (*join)(void *context, void *task); /* waits for the task and frees it */
};
#endif
