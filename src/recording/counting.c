/* The process that counts and the one that launches walk the same list: settings of a lesson, or one file. Rows are
 * matched by their order, and by the kernels' names. */
#include "recording/counting.h"
#include "base/file.h"
#include "cuda/cuda.h"
#include "recording/record.h"
#include "run/launch_key.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool launch_once(const struct ptx_program *program, const struct launch *launch, struct error *error)
{
    struct cuda_timing const timing = {.once = true};
    struct cuda_time time;
    return cuda_time_kernel_as(program, launch, &timing, &time, error);
}

static bool launch_setting(const struct lesson *lesson, const struct lesson_setting *setting, struct error *error)
{
    struct arena arena = {0};
    struct launch launch;
    struct launch_blocks recorded;
    const struct ptx_program *program;
    bool const launched = plan_find_program(lesson, setting, &program, error) &&
                          plan_launch(lesson, setting, false, &arena, &launch, &recorded, error);
    bool const ran = launched && launch_once(program, &launch, error);
    if (launched)
        launch_buffers_free(&launch);
    arena_free(&arena);
    return ran;
}

bool lesson_launch_all(const struct lesson *lesson, struct error *error)
{
    struct lesson_setting *settings;
    size_t const count = lesson_counted_settings(lesson, &settings);
    bool good = true;
    for (size_t i = 0; good && i < count; ++i)
        good = launch_setting(lesson, &settings[i], error);
    free(settings);
    return good;
}

bool file_launch(const struct run_file_request *request, struct error *error)
{
    struct run *run;
    const struct ptx_program *program;
    if (!run_file_prepare(request, &run, &program, error))
        return false;
    bool const ran = launch_once(program, &run->launch, error);
    run_free(run);
    return ran;
}

/* What a launch must turn out to be. */
struct expected {
    const char *kernel, *key;
};

static bool name_rows(struct counter_row *rows, size_t count, const struct expected *expected, size_t expected_count,
                      struct error *error)
{
    if (count != expected_count)
        return error_set(error, ERROR_RUN, "the profiler counted %zu launches, but %zu were made", count,
                         expected_count);
    for (size_t i = 0; i < count; ++i) {
        size_t const length = strlen(expected[i].kernel);
        /* Nsight Compute may add the parameters of a kernel whose name it knows how to read. */
        if (strncmp(rows[i].launch, expected[i].kernel, length) != 0 && strncmp(expected[i].kernel, "_Z", 2) != 0)
            return error_set(error, ERROR_RUN, "the profiler names launch %zu %s, but the kernel was %s", i + 1,
                             rows[i].launch, expected[i].kernel);
        rows[i].launch = expected[i].key;
    }
    return true;
}

static bool count_and_write(const struct counting *how, const char *name, const struct counter_source *sources,
                            size_t source_count, const struct expected *expected, size_t expected_count,
                            struct counting_result *result, struct error *error)
{
    struct arena arena = {0};
    struct cuda_device device;
    struct counter_row *rows;
    char date[11], gpu[96];
    clock_date(date);
    bool good = cuda_device(&device, error) &&
                profiler_count(how->profiler, how->command, &arena, &rows, &result->launches, error) &&
                name_rows(rows, result->launches, expected, expected_count, error);
    if (good) {
        struct counter_table const table = {.device = device.name,
                                            .driver = device.driver,
                                            .date = date,
                                            .profiler = how->profiler->name,
                                            .sources = sources,
                                            .source_count = source_count,
                                            .rows = rows,
                                            .row_count = result->launches};
        record_folder(gpu, sizeof gpu, device.name);
        snprintf(result->path, sizeof result->path, "%.300s/%s/%.80s.counters.json", how->folder, gpu, name);
        good = counters_write(result->path, &table, error);
    }
    arena_free(&arena);
    return good;
}

static bool has_source(const struct counter_source *sources, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(sources[i].name, name) == 0)
            return true;
    return false;
}

bool lesson_count(const struct lesson *lesson, const struct counting *how, struct counting_result *result,
                  struct error *error)
{
    struct arena arena = {0};
    struct lesson_setting *settings;
    size_t const count = lesson_counted_settings(lesson, &settings);
    struct expected *expected = arena_array(&arena, struct expected, count);
    struct counter_source *sources = arena_array(&arena, struct counter_source, (size_t)lesson->variant_count);
    size_t source_count = 0;
    bool good = true;
    *result = (struct counting_result){.launches = 0};
    for (size_t i = 0; good && i < count; ++i) {
        const struct lesson_variant *variant = &lesson->variants[settings[i].variant];
        char *text;
        expected[i] = (struct expected){variant->kernel, plan_key(lesson, &settings[i], false, &arena, error)};
        good = expected[i].key != NULL;
        if (!good || has_source(sources, source_count, variant->source))
            continue;
        good = file_read(&arena, plan_source_path(lesson, settings[i].variant, &arena), &text, NULL, error);
        if (good)
            sources[source_count++] =
                (struct counter_source){variant->source, arena_text(&arena, digest_of(text, strlen(text)).text)};
    }
    free(settings);
    good = good && count_and_write(how, lesson->name, sources, source_count, expected, count, result, error);
    arena_free(&arena);
    return good;
}

bool file_count(const struct run_file_request *request, const struct counting *how, struct counting_result *result,
                struct error *error)
{
    struct run *run;
    const struct ptx_program *program;
    *result = (struct counting_result){.launches = 0};
    if (!run_file_prepare(request, &run, &program, error))
        return false;
    struct digest const digest = digest_of(run->source, strlen(run->source));
    struct counter_source const source = {run->source_name, digest.text};
    struct expected const expected = {run->launch.kernel, launch_key_of_file(&run->launch, request, &run->arena)};
    bool const good =
        count_and_write(how, counters_name(run->source_name, &run->arena), &source, 1, &expected, 1, result, error);
    run_free(run);
    return good;
}
