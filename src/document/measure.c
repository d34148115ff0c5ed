#include "document/measure.h"
#include <math.h>
#include <string.h>

static const double rest_seconds = 0.5;

static void work(void *argument)
{
    struct measuring *measuring = argument;
    measuring->good = run_lesson_measure(measuring->lesson, &measuring->setting, &measuring->time, &measuring->error);
}

bool measure_start(struct measuring *measuring, const struct app_worker *worker, const struct lesson *lesson,
                   const struct lesson_setting *setting)
{
    measuring->resting = false;
    measuring->lesson = lesson;
    measuring->setting = *setting;
    if (worker->start && !(measuring->task = worker->start(worker->context, work, measuring)))
        return false;
    measuring->started = true;
    return true;
}

static void join(struct measuring *measuring, const struct app_worker *worker)
{
    if (measuring->task)
        worker->join(worker->context, measuring->task);
    measuring->task = NULL;
    measuring->started = false;
}

bool measure_ended(struct measuring *measuring, const struct app_worker *worker)
{
    if (!measuring->started || (measuring->task && !worker->finished(worker->context, measuring->task)))
        return false;
    if (!measuring->task) /* without a worker the work is done here, after a frame has shown that it is due */
        work(measuring);
    join(measuring, worker);
    measuring->gave_up = !measuring->good;
    return true;
}

void measure_stop(struct measuring *measuring, const struct app_worker *worker)
{
    if (measuring->started)
        join(measuring, worker);
}

bool measure_rested(struct measuring *measuring, const struct lesson_setting *next, double seconds)
{
    measuring->resting = !measuring->started && next;
    if (!measuring->resting || memcmp(next, &measuring->rests, sizeof *next) != 0)
        measuring->rested = 0;
    else
        measuring->rested += seconds;
    if (!measuring->resting)
        return false;
    measuring->rests = *next;
    return measuring->rested >= rest_seconds;
}

double measure_wait(const struct measuring *measuring)
{
    return measuring->resting ? fmax(0, rest_seconds - measuring->rested) : INFINITY;
}
