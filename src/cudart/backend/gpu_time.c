/* Times of the device's work: two events around it. They are known when the work is done, so that the record gets them
 * in lines of their own. A program that keeps no record is not measured. */
#include "base/file.h"
#include "cudart/backend/gpu.h"
#include "cudart/layer/line.h"
#include <stdlib.h>
#include <unistd.h>

enum { MANY = 256, MOST = 4096, SPARE = 64 };

struct measurement {
    uint64_t line;
    void *begin, *end;
};
static struct {
    struct {
        struct measurement *items;
        size_t count, capacity;
    } pending;   /* in the order of the calls */
    void *first; /* begins of times count from it */
    void *begin; /* of the work between the two calls */
    void *spare[SPARE];
    size_t spare_count;
} times;

static void *event(void)
{
    void *made = NULL;
    if (times.spare_count)
        return times.spare[--times.spare_count];
    return gpu_api()->event_create(&made, 0) ? NULL : made;
}

static void put_back(void *event)
{
    if (times.spare_count < SPARE)
        times.spare[times.spare_count++] = event;
    else
        gpu_api()->event_destroy(event);
}

void gpu_measure_begin(const struct stream *stream)
{
    times.begin = NULL;
    if (!line_is_open())
        return;
    if (!times.first && (times.first = event()) && gpu_api()->event_record(times.first, NULL))
        times.first = NULL;
    void *begin = times.first ? event() : NULL;
    if (begin && !gpu_api()->event_record(begin, stream->driver))
        times.begin = begin;
}

void gpu_measure_end(const struct stream *stream)
{
    void *end = times.begin ? event() : NULL;
    if (!end || gpu_api()->event_record(end, stream->driver))
        return;
    struct measurement const new = {line_next(), times.begin, end};
    array_push(&times.pending, new);
    times.begin = NULL;
    if (times.pending.count > MOST) /* the host is far ahead */
        gpu_api()->event_wait(times.pending.items[0].end);
    if (times.pending.count > MANY && times.pending.count % MANY == 0)
        gpu_measured();
}

/* Returns false when the work is not done. */
static bool write_time(const struct measurement *m)
{
    float from = 0, took = 0;
    int const code = gpu_api()->event_query(m->end);
    if (code == CUDA_API_NOT_READY)
        return false;
    if (!code && !gpu_api()->event_elapsed(&took, m->begin, m->end) &&
        !gpu_api()->event_elapsed(&from, times.first, m->begin))
        line_measured(m->line, (double)from * 1e3, (double)took * 1e3);
    return true;
}

void gpu_measured(void)
{
    size_t done = 0;
    while (done < times.pending.count && write_time(&times.pending.items[done])) {
        put_back(times.pending.items[done].begin);
        put_back(times.pending.items[done].end);
        done++;
    }
    times.pending.count -= done;
    for (size_t i = 0; done && i < times.pending.count; i++)
        times.pending.items[i] = times.pending.items[i + done];
}

/* Waits a little for the times of work that nobody waited for. */
void gpu_finish(void)
{
    enum { PAUSE_US = 1000 };
    double const most = 2, begin = clock_seconds();
    for (gpu_measured(); times.pending.count && clock_seconds() - begin < most; gpu_measured())
        usleep(PAUSE_US);
}

void gpu_measured_drop(void)
{
    times.pending.count = times.spare_count = 0;
    times.first = times.begin = NULL;
}
