/* The measured time of a launch: quartiles over many runs in microseconds, and the conditions of the measurement. CUDA
 * events on a GPU or the host's clock measured it. */
#ifndef LANESCOPE_TRACE_TIME_H
#define LANESCOPE_TRACE_TIME_H
#include "base/words.h"
#include <stdbool.h>
#include <stddef.h>

/* The lowest and the highest values that NVML reported during a measurement; 0: unknown. */
struct gpu_state {
    unsigned clock_mhz[2], memory_clock_mhz[2];
    unsigned temperature[2]; /* degrees Celsius */
};
void gpu_state_widen(struct gpu_state *state, const struct gpu_state *other);

enum time_source { TIME_NONE, TIME_LIVE, TIME_RECORDED };
struct measured_time {
    enum time_source source;
    double median, p25, p75; /* microseconds */
    unsigned runs;
    char device[128], driver[32], date[11];
    char what[WORDS_LANGUAGES][128]; /* the subject of the measurement, in words: "16,777,216 × float, block 256" */
    struct gpu_state state;          /* during the kernel's runs; of a recorded time, during the whole recording */
    bool beyond_cache; /* the runs used copies of the buffers in turn, so that no launch found its input in the L2 */
};

/* Returns whether two times differ clearly, that is, whether their quartile ranges do not overlap. No other place
 * decides this. */
bool time_differs(const struct measured_time *a, const struct measured_time *b);
/* Returns the subject of a measurement in the user's language; "" when it is unknown. */
const char *time_what(const struct measured_time *time);
/* Returns the value below which this share of `count` sorted values lies, interpolated between two neighbours. count:
 * at least 1. */
double time_quantile(const double *sorted, size_t count, double share);
/* Sorts `count` durations in microseconds, at least one, and sets median, quartiles and runs. */
void time_from_runs(struct measured_time *time, double *microseconds, size_t count);
void times_sort(double *microseconds, size_t count);
#endif
