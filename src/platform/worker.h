/* Threads for the app: see app/worker.h. */
#ifndef LANESCOPE_PLATFORM_WORKER_H
#define LANESCOPE_PLATFORM_WORKER_H
#include "base/worker.h"

struct app_worker worker_of_threads(void);
#endif
