/* `run`: the figures of a run, its trace and its buffers. */
#include "cli/cli.h"
#include "report/run.h"
#include "report/table.h"
#include "run/fill.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns how many buffers an argument has: those of a structure are all of them. */
static uint32_t buffers_of(struct arena *arena, const char *text)
{
    struct argument_text argument;
    return argument_parse(arena, text, &argument, NULL) ? argument.is_buffer + argument.inner_count : 0;
}

/* Reads K=PATH, or K.M=PATH for buffer M of a structure, into the buffer's number in the launch and the path. Reports
 * errors before anything runs. */
static bool read_dump(struct cli_options *options, const char *what, uint32_t *buffer, const char **path,
                      struct error *error)
{
    char *end;
    unsigned long const argument = strtoul(what, &end, 10);
    unsigned long inner = 0;
    bool const dotted = *end == '.' && end[1] >= '0' && end[1] <= '9';
    if (dotted)
        inner = strtoul(end + 1, &end, 10);
    *path = end + 1;
    *buffer = 0;
    if (*what < '0' || *what > '9' || *end != '=' || end[1] == '\0')
        return error_set(error, ERROR_INPUT, "--dump takes K=PATH, not '%s'", what);
    for (unsigned long i = 0; i < argument && i < options->launch.argument_count; i++)
        *buffer += buffers_of(&options->arena, options->launch.arguments[i]);
    uint32_t const count = argument < options->launch.argument_count
                               ? buffers_of(&options->arena, options->launch.arguments[argument])
                               : 0;
    *buffer += (uint32_t)inner;
    if (count && inner >= count) {
        error_set(error, ERROR_INPUT, "argument %lu has %u {buffer|buffers}, counted from 0, not a buffer %lu",
                  argument, count, inner);
        return false;
    }
    return count ||
           error_set(error, ERROR_INPUT, "argument %lu is not a buffer; --dump counts all arguments from 0", argument);
}

static bool dump(struct cli_options *options, const struct cli_run *result, const char *what, struct error *error)
{
    uint32_t buffer;
    const char *path;
    if (!read_dump(options, what, &buffer, &path, error))
        return false;
    const struct launch_buffer *found = &result->buffers[buffer];
    return file_write(path, found->data, found->count * ptx_type_size(found->type), error);
}

static bool dumps_make_sense(struct cli_options *options, struct error *error)
{
    uint32_t buffer;
    const char *path;
    struct run_file_request request;
    if (options->targets.count != 1 || !target_is_file(options->targets.items[0]) || !options->dumps.count)
        return true;
    bool const there = file_exists(options->targets.items[0]); /* else a wrong word is said first */
    if (!(there ? cli_guessed_request : cli_launch_request)(options, options->targets.items[0], &request, error))
        return false;
    options->launch = request; /* the comment's arguments count, too */
    for (int i = 0; i < options->dumps.count; i++)
        if (!read_dump(options, options->dumps.items[i], &buffer, &path, error))
            return false;
    return true;
}

void cli_print_json(json_t *object)
{
    json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(object);
}

void cli_print_run(const struct cli_options *options, json_t *report)
{
    if (options->json) {
        cli_print_json(report);
        return;
    }
    report_counters_csv(stdout, report);
    json_decref(report);
}

int command_run(struct cli_options *options)
{
    struct cli_run result;
    struct error error;
    if (options->json && options->csv)
        return cli_usage("--json and --csv both take all of standard output; give one of them");
    bool const program = options->targets.count == 1 && cli_is_program(options, options->targets.items[0]);
    if (program && options->launch.options.caches_warm)
        return cli_usage("--caches warm is for a kernel or a lesson, not for a program");
    if (program)
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
    if (options->json || options->csv)
        cli_print_run(options, report_run_json(&report));
    else
        report_run_text(stdout, &report);
    const struct run *run = result.run;
    bool const found = run->trace->finding_count || (run->check.checked && !run->check.right);
    if (status == CLI_FINE && found)
        status = CLI_FOUND;
    cli_run_free(&result);
    return status;
}
