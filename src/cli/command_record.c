/* `record`: records the traces and times of lessons on a GPU into a folder that can replace assets/recordings. */
#include "cli/cli.h"
#include "lesson/recording.h"
#include <stdio.h>
#include <unistd.h>

static void show_progress(void *context, const char *lesson, size_t done, size_t all)
{
    (void)context;
    terminal_clear_line();
    fprintf(stderr, "%s: %zu of %zu settings", lesson, done, all);
}

static bool record_one(const char *name, const char *folder, const struct recording_options *how, struct error *error)
{
    struct lesson *lesson;
    if (!lesson_load(name, &lesson, error))
        return false;
    struct recording_result result;
    lesson_cancel_with(lesson, how->cancel);
    bool const fine = lesson_record(lesson, folder, how, &result, error);
    lesson_free(lesson);
    if (how->progress)
        terminal_clear_line();
    if (fine && !result.folder[0])
        printf("%s: its lesson.yaml names nothing to record\n", name);
    else if (fine)
        printf("%s: %zu times (%zu bytes) and %zu traces (%zu bytes) in %s\n", name, result.timings, result.json_bytes,
               result.traces, result.trace_bytes, result.folder);
    return fine;
}

int cli_lessons(struct cli_options *options, const char ***names, size_t *count)
{
    struct error *errors;
    size_t error_count = 0;
    *names = options->targets.items;
    *count = (size_t)options->targets.count;
    if (*count == 0)
        *count = lesson_names_installed(&options->arena, names, &errors, &error_count);
    for (size_t i = 0; i < error_count; i++)
        cli_fail(&errors[i]);
    return error_count ? CLI_WRONG : CLI_FINE;
}

int command_record(struct cli_options *options)
{
    if (!options->output)
        return cli_usage("record needs -o DIR: lanescope record -o assets/recordings");
    if (options->counters)
        return cli_record_counters(options);
    if (options->file_option)
        return cli_usage("--%s needs --counters: traces and times are recorded for lessons only", options->file_option);
    struct recording_options const how = {.executor = EXECUTOR_GPU,
                                          .cancel = cli_interrupt_begin(),
                                          .progress = isatty(STDERR_FILENO) ? show_progress : NULL};
    const char **names;
    size_t count;
    struct error error;
    int status = cli_lessons(options, &names, &count);
    for (size_t i = 0; i < count && status != CLI_MISSING && !atomic_load(how.cancel); i++)
        if (!record_one(names[i], options->output, &how, &error))
            status = cli_fail(&error);
    cli_interrupt_end();
    return status;
}
