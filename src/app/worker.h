/* Work beside the window, handed in by the platform. Where start is NULL there is nothing beside it: the window
 * waits while it does the work itself. */
#ifndef LANESCOPE_APP_WORKER_H
#define LANESCOPE_APP_WORKER_H
#include <stdbool.h>

struct app_worker {
    void *context;
    void *(*start)(void *context, void (*work)(void *argument), void *argument); /* a task; NULL: it cannot start */
    bool (*finished)(void *context, void *task);
    void (*join)(void *context, void *task); /* waits for its end, and frees it */
};
#endif
