/* One time measured beside the window, and the wait before one is measured unasked. */
#ifndef LANESCOPE_APP_DOCUMENT_MEASURE_H
#define LANESCOPE_APP_DOCUMENT_MEASURE_H
#include "app/worker.h"
#include "lesson/lesson_run.h"

struct measuring {
    bool started;
    void *task; /* of the worker; NULL: it has none, and the next frame does the work */
    const struct lesson *lesson;
    struct lesson_setting setting;
    struct measured_time time;
    struct error error;
    bool good;
    bool gave_up;                /* it failed: only the button tries again */
    bool resting;                /* something will be measured unless the setting is changed again */
    struct lesson_setting rests; /* the setting that has stood still for `rested` seconds */
    double rested;
};

/* Measures the time of this setting. False: the worker cannot start. The struct and the lesson stay where they are
 * until the end is found or the work is stopped. */
bool measure_start(struct measuring *measuring, const struct app_worker *worker, const struct lesson *lesson,
                   const struct lesson_setting *setting);
/* True once, when a measurement has ended: it was good, or gave up with an error. */
bool measure_ended(struct measuring *measuring, const struct app_worker *worker);
/* Waits for the end and forgets the result. */
void measure_stop(struct measuring *measuring, const struct app_worker *worker);
/* next: what would be measured unasked, or NULL. True when it has stood still for long enough. */
bool measure_rested(struct measuring *measuring, const struct lesson_setting *next, double seconds);
/* Seconds until something that rests is measured; INFINITY: nothing will be. */
double measure_wait(const struct measuring *measuring);
#endif
