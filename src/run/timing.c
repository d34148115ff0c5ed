#include "run/timing.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "run/reference.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static void processor_name(char *text, size_t size)
{
    struct utsname computer;
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "%s", uname(&computer) == 0 ? computer.machine : "processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0)
            continue;
        snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

/* Times at least 30 runs that take at least 0.3 seconds, after one run to warm up. */
bool time_loop(const char *loop, const struct launch *launch, struct measured_time *time, struct error *error)
{
    enum { FEWEST = 30, MOST = 4096 };
    static const double seconds = 0.3;
    double *runs = malloc(MOST * sizeof *runs), all = 0;
    unsigned count = 0;
    *time = (struct measured_time){.source = TIME_NONE};
    bool good = runs != NULL && reference_loop(loop, launch, error);
    while (good && count < MOST && (count < FEWEST || all < seconds)) {
        double const begin = clock_seconds();
        good = reference_loop(loop, launch, error);
        double const took = clock_seconds() - begin;
        runs[count++] = took * 1e6;
        all += took;
    }
    if (good) {
        time_from_runs(time, runs, count);
        time->source = TIME_LIVE;
        processor_name(time->device, sizeof time->device);
        clock_date(time->date);
    }
    free(runs);
    return good;
}

bool time_kernel(const struct ptx_module *module, const struct launch *launch, bool beyond_cache,
                 struct measured_time *time, struct error *error)
{
    enum { RUNS = 31 };
    struct cuda_device device;
    struct cuda_time measured;
    struct cuda_timing const timing = {.runs = RUNS, .beyond_cache = beyond_cache};
    *time = (struct measured_time){.source = TIME_NONE};
    if (!cuda_device(&device, error) || !cuda_time_kernel(module, launch, &timing, &measured, error))
        return false;
    *time = (struct measured_time){.source = TIME_LIVE,
                                   .median = measured.median,
                                   .p25 = measured.p25,
                                   .p75 = measured.p75,
                                   .runs = measured.runs,
                                   .state = measured.state,
                                   .beyond_cache = measured.beyond_cache};
    snprintf(time->device, sizeof time->device, "%s", device.name);
    snprintf(time->driver, sizeof time->driver, "%s", device.driver);
    clock_date(time->date);
    return true;
}

bool time_possible(struct error *error)
{
    struct cuda_device device;
    return cuda_device(&device, error);
}

bool launch_once(const struct ptx_module *module, const struct launch *launch, struct error *error)
{
    struct cuda_timing const timing = {.once = true};
    struct cuda_time time;
    return cuda_time_kernel(module, launch, &timing, &time, error);
}
