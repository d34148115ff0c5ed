/* `run`: the figures of a run, its trace and its buffers. */
#include "cli/cli.h"
#include "report/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_buffer(const char *argument)
{
    const char *bracket = strchr(argument, '['), *equals = strchr(argument, '=');
    return bracket && (!equals || bracket < equals);
}

/* Reads K=PATH into the argument's number and the path. Reports errors before anything runs. */
static bool read_dump(const struct cli_options *options, const char *what, unsigned long *argument, const char **path,
                      struct error *error)
{
    char *end;
    *argument = strtoul(what, &end, 10);
    *path = end + 1;
    if (*what < '0' || *what > '9' || *end != '=' || end[1] == '\0')
        return error_set(error, ERROR_INPUT, "--dump takes K=PATH, not '%s'", what);
    if (*argument < options->launch.argument_count && is_buffer(options->launch.arguments[*argument]))
        return true;
    return error_set(error, ERROR_INPUT, "argument %lu is not a buffer; --dump counts all arguments from 0", *argument);
}

static bool dump(const struct cli_options *options, const struct cli_run *result, const char *what, struct error *error)
{
    unsigned long argument;
    const char *path;
    if (!read_dump(options, what, &argument, &path, error))
        return false;
    uint32_t buffer = 0;
    for (unsigned long i = 0; i < argument; i++)
        buffer += is_buffer(options->launch.arguments[i]);
    const struct launch_buffer *found = &result->buffers[buffer];
    return file_write(path, found->data, found->count * ptx_type_size(found->type), error);
}

static bool dumps_make_sense(struct cli_options *options, struct error *error)
{
    unsigned long argument;
    const char *path;
    struct run_file_request request;
    if (options->targets.count != 1 || !target_is_file(options->targets.items[0]) || !options->dumps.count)
        return true;
    bool const there = file_exists(options->targets.items[0]); /* else a wrong word is said first */
    if (!(there ? cli_guessed_request : cli_launch_request)(options, options->targets.items[0], &request, error))
        return false;
    options->launch = request; /* the comment's arguments count, too */
    for (int i = 0; i < options->dumps.count; i++)
        if (!read_dump(options, options->dumps.items[i], &argument, &path, error))
            return false;
    return true;
}

void cli_print_json(json_t *object)
{
    json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(object);
}

int command_run(struct cli_options *options)
{
    struct cli_run result;
    struct error error;
    if (options->targets.count == 1 && cli_is_program(options, options->targets.items[0]))
        return cli_run_source(options);
    if (options->launch.options.checks.values && !options->trace)
        return cli_usage("--values keeps values in a trace; give --trace PATH too");
    if (!dumps_make_sense(options, &error) || !cli_run_target(options, &result, &error))
        return cli_fail(&error);
    int status = CLI_FINE;
    if (options->trace && !trace_write(result.run->trace, options->trace, &error))
        status = cli_fail(&error);
    for (int i = 0; i < options->dumps.count && status == CLI_FINE; i++)
        if (!dump(options, &result, options->dumps.items[i], &error))
            status = cli_fail(&error);
    struct report_run const report = {.run = result.run,
                                      .guess = result.guess.any ? &result.guess : NULL,
                                      .launch = result.launch,
                                      .unasked_memory = result.memory_unasked,
                                      .unasked_races = result.races_unasked,
                                      .outliers = options->outliers,
                                      .explain = options->explain,
                                      .gpu = options->launch.options.gpu};
    if (options->json)
        cli_print_json(report_run_json(&report));
    else
        report_run_text(stdout, &report);
    const struct run *run = result.run;
    bool const found = run->trace->finding_count || (run->check.checked && !run->check.right);
    if (status == CLI_FINE && found)
        status = CLI_FOUND;
    cli_run_free(&result);
    return status;
}
