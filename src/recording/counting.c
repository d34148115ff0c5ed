/* The counting process and the launching process walk the same list: the settings of a lesson, or one file. Rows are
 * matched by their order and by the names of the kernels. */
#include "recording/counting.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "recording/recordings.h"
#include "run/launch_key.h"
#include "run/timing.h"
#include <stdio.h>
#include <string.h>

bool file_launch(const struct run_file_request *request, struct error *error)
{
    struct run *run;
    const struct ptx_module *module;
    if (!run_file_prepare(request, &run, &module, error))
        return false;
    bool const ran = launch_once(module, &run->launch, error);
    run_free(run);
    return ran;
}

static bool name_rows(struct counter_row *rows, size_t count, const struct counted_launch *expected,
                      size_t expected_count, struct error *error)
{
    if (count != expected_count)
        return error_set(error, ERROR_RUN, "the profiler counted %zu launches, but %zu were made", count,
                         expected_count);
    for (size_t i = 0; i < count; i++) {
        size_t const length = strlen(expected[i].kernel);
        /* Nsight Compute may add the parameters of a kernel whose name it knows how to read. */
        if (strncmp(rows[i].launch, expected[i].kernel, length) != 0 && strncmp(expected[i].kernel, "_Z", 2) != 0)
            return error_set(error, ERROR_RUN, "the profiler names launch %zu %s, but the kernel was %s", i + 1,
                             rows[i].launch, expected[i].kernel);
        rows[i].launch = expected[i].key;
    }
    return true;
}

bool count_launches(const struct counting *how, const char *name, const struct counter_source *sources,
                    size_t source_count, const struct counted_launch *expected, size_t expected_count,
                    struct counting_result *result, struct error *error)
{
    struct arena arena = {0};
    struct cuda_device device;
    struct counter_row *rows;
    char date[11], gpu[96];
    clock_date(date);
    bool good = cuda_device(&device, error) &&
                profiler_count(how->profiler, how->command, how->cold, &arena, &rows, &result->launches, error) &&
                name_rows(rows, result->launches, expected, expected_count, error);
    if (good) {
        struct counter_table const table = {.device = device.name,
                                            .driver = device.driver,
                                            .date = date,
                                            .profiler = how->profiler->name,
                                            .cold = how->cold,
                                            .sources = sources,
                                            .source_count = source_count,
                                            .rows = rows,
                                            .row_count = result->launches};
        recording_folder(gpu, sizeof gpu, device.name);
        snprintf(result->path, sizeof result->path, "%.300s/%s/%.80s.counters.json", how->folder, gpu, name);
        good = counters_write(result->path, &table, error);
    }
    arena_free(&arena);
    return good;
}

bool file_count(const struct run_file_request *request, const struct counting *how, struct counting_result *result,
                struct error *error)
{
    struct run *run;
    const struct ptx_module *module;
    *result = (struct counting_result){.launches = 0};
    if (!run_file_prepare(request, &run, &module, error))
        return false;
    struct digest const digest = digest_of(run->source, strlen(run->source));
    struct counter_source const source = {run->source_name, digest.text};
    struct counted_launch const expected = {run->launch.kernel, launch_key_of_file(&run->launch, request, &run->arena)};
    bool const good = count_launches(how, run->source_name, &source, 1, &expected, 1, result, error);
    run_free(run);
    return good;
}
