/* A TARGET is a lesson's name, or a path that ends in .cu or .ptx. */
#include "cli/cli.h"
#include "recording/counters.h"
#include "run/launch_words.h"
#include <stdio.h>
#include <unistd.h>

static void show_progress(void *context, const struct executor_progress *at)
{
    cli_progress_show(context, "", at);
}

static bool setting_of(const struct cli_options *options, const struct lesson *lesson, struct lesson_setting *setting,
                       struct error *error)
{
    *setting = lesson_defaults(lesson);
    char assignment[256];
    snprintf(assignment, sizeof assignment, "variant=%s", options->variant ? options->variant : "");
    if (options->variant && !lesson_set_text(lesson, setting, assignment, error))
        return false;
    for (int i = 0; i < options->set.count; i++)
        if (!lesson_set_text(lesson, setting, options->set.items[i], error))
            return false;
    return true;
}

static bool follow_caches(const struct cli_options *options, struct lesson *lesson)
{
    if (options->caches_given)
        lesson->caches = options->launch.options.caches;
    lesson->caches_warm = options->launch.options.caches_warm;
    return true;
}

static bool run_the_lesson(const struct cli_options *options, const char *name, struct cli_run *result,
                           struct error *error)
{
    return cli_fits_lesson(options, name, error) && lesson_load(name, &result->lesson, error) &&
           (!options->launch.options.gpu || lesson_use_gpu(result->lesson, options->launch.options.gpu, error)) &&
           (!options->launch.options.dram || lesson_use_dram(result->lesson, options->launch.options.dram, error)) &&
           follow_caches(options, result->lesson) && setting_of(options, result->lesson, &result->setting, error) &&
           run_lesson(result->lesson, &result->setting, options->launch.options.executor,
                      options->blocks_given ? &options->launch.options.recorded : NULL, &result->run, error) &&
           (result->run->executor != EXECUTOR_GPU ||
            run_lesson_measure(result->lesson, &result->setting, &result->run->time, error));
}

bool cli_file_request(const struct cli_options *options, const char *path, struct run_file_request *request,
                      struct error *error)
{
    if (!cli_fits_file(options, path, error))
        return false;
    *request = options->launch;
    request->path = path;
    return true;
}

bool cli_launch_request(struct cli_options *options, const char *path, struct run_file_request *request,
                        struct error *error)
{
    bool found;
    return cli_file_request(options, path, request, error) && launch_comment(&options->arena, request, &found, error);
}

bool cli_guessed_request(struct cli_options *options, const char *path, struct run_file_request *request,
                         struct error *error)
{
    struct launch_guess guess;
    if (options->launch.options.executor == EXECUTOR_RECORDING) /* which a file does not have */
        return cli_launch_request(options, path, request, error);
    if (!cli_file_request(options, path, request, error) || !launch_guess(&options->arena, request, &guess, error))
        return false;
    if (!options->guess.any) /* a launch that was guessed before is complete */
        options->guess = guess;
    return true;
}

static bool run_the_file(struct cli_options *options, const char *path, struct cli_run *result, struct error *error)
{
    struct run_file_request request;
    struct cli_progress progress = {.begin = clock_seconds()};
    options->launch.options.cancel = cli_interrupt_begin(); /* a guess may compile, too */
    if (!cli_guessed_request(options, path, &request, error)) {
        cli_interrupt_end();
        return false;
    }
    result->guess = options->guess;
    result->launch = options->guess.any ? launch_text(&options->arena, &request, request.grid, request.block) : NULL;
    struct run_options *how = &request.options; /* block 0 is recorded unless others are given */
    bool const looks = how->checks.memory || how->checks.races;
    how->run_recorded_only = options->blocks_given;
    how->no_recording = !options->trace && !options->blocks_given && !options->explain && !options->outliers;
    if (options->explain && !options->blocks_given)
        how->recorded = cli_explained_blocks;
    if (looks && how->executor == EXECUTOR_BEST)
        how->executor = EXECUTOR_EMULATOR;
    how->progress = isatty(STDERR_FILENO) ? show_progress : NULL;
    how->progress_context = &progress;
    request.buffers = &result->buffers;
    request.buffer_count = &result->buffer_count;
    bool const fine = run_file(&request, &result->run, error);
    cli_interrupt_end();
    if (progress.last > 0)
        terminal_clear_line();
    if (fine)
        counters_add(result->run, &request);
    bool const emulated = fine && result->run->executor == EXECUTOR_EMULATOR;
    if (fine && looks && !emulated)
        result->run->unchecked.reason = UNCHECKED_GPU;
    result->memory_unasked = emulated && !how->checks.memory;
    result->races_unasked = emulated && !how->checks.races;
    return fine;
}

bool cli_run_target(struct cli_options *options, struct cli_run *result, struct error *error)
{
    *result = (struct cli_run){0};
    if (options->targets.count != 1)
        return error_set(error, ERROR_INPUT, "give one TARGET: a lesson, a .cu or a .ptx file");
    const char *target = options->targets.items[0];
    bool const fine = target_is_file(target) ? run_the_file(options, target, result, error)
                                             : run_the_lesson(options, target, result, error);
    if (!fine)
        cli_run_free(result);
    return fine;
}

void cli_run_free(struct cli_run *result)
{
    if (result->run)
        run_free(result->run);
    if (result->lesson)
        lesson_free(result->lesson);
    *result = (struct cli_run){0};
}
