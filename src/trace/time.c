#include "trace/time.h"
#include <stdlib.h>

static void widen(unsigned range[2], const unsigned other[2])
{
    if (other[0] && (!range[0] || other[0] < range[0]))
        range[0] = other[0];
    if (other[1] > range[1])
        range[1] = other[1];
}

void gpu_state_widen(struct gpu_state *state, const struct gpu_state *other)
{
    widen(state->clock_mhz, other->clock_mhz);
    widen(state->memory_clock_mhz, other->memory_clock_mhz);
    widen(state->temperature, other->temperature);
}

bool time_differs(const struct measured_time *a, const struct measured_time *b)
{
    return a->p25 > b->p75 || b->p25 > a->p75;
}

static int compare_durations(const void *left, const void *right)
{
    double const a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void times_sort(double *microseconds, size_t count)
{
    qsort(microseconds, count, sizeof *microseconds, compare_durations);
}

double time_quantile(const double *sorted, size_t count, double share)
{
    double const at = share * (double)(count - 1);
    size_t const low = (size_t)at, high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
}

void time_from_runs(struct measured_time *time, double *microseconds, size_t count)
{
    times_sort(microseconds, count);
    time->median = time_quantile(microseconds, count, 0.5);
    time->p25 = time_quantile(microseconds, count, 0.25);
    time->p75 = time_quantile(microseconds, count, 0.75);
    time->runs = (unsigned)count;
}

const char *time_what(const struct measured_time *time)
{
    return time->what[words_language()];
}
