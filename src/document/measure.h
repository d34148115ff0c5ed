/* One measurement in the background, and the pause before an automatic one. */
#ifndef LANESCOPE_DOCUMENT_MEASURE_H
#define LANESCOPE_DOCUMENT_MEASURE_H
#include "base/worker.h"
#include "lesson/lesson_run.h"

struct measuring {
    bool started;
    void *task; /* of the worker; NULL: there is no worker, and the next frame does the work */
    const struct lesson *lesson;
    struct lesson_setting setting;
    struct measured_time time;
    struct error error;
    bool good;
    bool gave_up;                /* it failed: only the button starts another */
    bool resting;                /* a measurement will start unless the setting changes again */
    struct lesson_setting rests; /* the setting that has stood still for `rested` seconds */
    double rested;
};

/* Starts to measure the time of this setting. Returns false if the worker cannot start. The struct and the lesson must
 * stay in place until the measurement has ended or is stopped. */
bool measure_start(struct measuring *measuring, const struct app_worker *worker, const struct lesson *lesson,
                   const struct lesson_setting *setting);
/* Returns true once when a measurement has ended: `good` is set, or else the error. */
bool measure_ended(struct measuring *measuring, const struct app_worker *worker);
/* Waits for the end and drops the result. */
void measure_stop(struct measuring *measuring, const struct app_worker *worker);
/* Returns true when the same `next` has been passed for long enough. next: the setting to measure automatically, or
 * NULL. */
bool measure_rested(struct measuring *measuring, const struct lesson_setting *next, double seconds);
/* Returns the seconds until an automatic measurement starts; INFINITY: none will. */
double measure_wait(const struct measuring *measuring);
#endif
