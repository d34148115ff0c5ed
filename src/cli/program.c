/* Runs whole programs for `run` and `exec`. */
#include "program/program.h"
#include "base/file.h"
#include "cli/cli.h"
#include "report/run.h"
#include "run/execute.h"
#include <stdio.h>
#include <unistd.h>

bool cli_is_program(const struct cli_options *options, const char *target)
{
    struct run_file_request launch = options->launch;
    launch.path = target;
    return !options->dumps.count && program_is_asked(&launch);
}

static void show_progress(void *context, const char *kernel, const struct executor_progress *at)
{
    struct cli_progress *progress = context;
    if (kernel)
        cli_progress_show(progress, kernel, at);
    else if (progress->last > 0)
        terminal_clear_line();
    progress->last = kernel ? progress->last : 0;
}

static struct program_run_request request_of(const struct cli_options *options, const char *path)
{
    struct launch_checks const all = {.memory = true, .races = true};
    const struct run_options *how = &options->launch.options;
    struct program_run_request request = {
        .path = path,
        .arguments = options->words.items,
        .argument_count = (size_t)options->words.count,
        .folder = options->folder,
        .checks = options->checks_given ? how->checks : all,
        .blocks = how->recorded,
        .record_launch = options->launch_number,
        .record_kernel = options->launch.kernel,
        .gpu = how->gpu,
        .on_gpu = how->executor == EXECUTOR_GPU,
        .budget = how->budget,
        .limits = {.seconds = (double)options->seconds, .output_bytes = options->printed},
        .terminal = true,
        .caches = how->caches,
        .rows = options->json,
        .show = !options->json && !options->csv,
        .cancel = cli_interrupt_begin()};
    request.checks.values = how->checks.values;
    bool const chosen = request.record_launch || request.record_kernel;
    if (options->trace && !chosen)
        request.record_launch = 1;
    else if (options->explain && !chosen)
        request.record_all = true;
    if (options->explain && !options->blocks_given)
        request.blocks = cli_explained_blocks;
    return request;
}

/* Copies the trace of the first launch that was recorded. */
static bool keep_trace(const struct cli_options *options, const struct program_run *run, struct error *error)
{
    for (uint32_t i = 0; i < run->launch_count; i++) {
        struct trace *trace;
        if (!run->launches[i].recorded)
            continue;
        bool const fine =
            program_launch_trace(&run->launches[i], &trace, error) && trace_write(trace, options->trace, error);
        trace_free(trace);
        return fine;
    }
    error_set(error, ERROR_INPUT, "no launch was recorded: the program made %u", run->launch_count);
    return error_remedy(error, "choose one with --launch N or --kernel NAME");
}

static bool is_fine(const struct program_run *run)
{
    if (run->end != PROGRAM_EXITED || run->status)
        return false;
    for (uint32_t i = 0; i < run->launch_count; i++)
        if (run->launches[i].faults || run->launches[i].hazards || run->launches[i].problem)
            return false;
    for (uint32_t i = 0; i < run->mistake_count; i++)
        if (mistake_is_fault(&run->mistakes[i]))
            return false;
    if (report_program_fault(run))
        return false;
    return true;
}

bool cli_execute_program(struct cli_options *options, const char *path, struct program_run_request *request,
                         struct program_run **run, struct error *error)
{
    enum executor *executor = &options->launch.options.executor;
    if (*executor == EXECUTOR_BEST && options->checks_given) /* only the emulator looks */
        *executor = EXECUTOR_EMULATOR;
    if (!execute_choose(executor, error))
        return false;
    struct cli_progress progress = {.begin = clock_seconds()};
    *request = request_of(options, path);
    request->show = request->show && !options->output;
    request->progress = isatty(STDERR_FILENO) ? show_progress : NULL;
    request->progress_context = &progress;
    bool const ran = program_run(request, run, error);
    cli_interrupt_end();
    if (progress.last > 0)
        terminal_clear_line();
    return ran;
}

int cli_run_program(struct cli_options *options, const char *path, const char *source)
{
    struct error error;
    struct program_run *run;
    struct program_run_request request;
    if (options->launch.options.executor == EXECUTOR_RECORDING)
        return cli_usage("a whole program runs on the emulator or on a GPU; recordings are of lessons");
    if (!cli_execute_program(options, path, &request, &run, &error))
        return cli_fail(&error);
    int status = is_fine(run) ? CLI_FINE : CLI_FOUND;
    if (options->trace && !keep_trace(options, run, &error))
        status = cli_fail(&error);
    struct report_program const report = {run, source ? source : path, request.checks, options->explain, request.gpu};
    if (options->json || options->csv)
        cli_print_run(options, report_program_json(&report));
    else
        report_program_text(stdout, &report);
    program_run_free(run);
    return status;
}

bool cli_build_program(struct cli_options *options, struct program_built *built, struct error *error)
{
    struct program_build_request const request = {.files = options->targets.items,
                                                  .file_count = 1,
                                                  .defines = options->launch.defines,
                                                  .define_count = options->launch.define_count};
    if (!program_build(&options->arena, &request, built, error))
        return false;
    fputs(built->log, stderr);
    return true;
}

int cli_run_source(struct cli_options *options)
{
    struct error error;
    struct program_built built;
    return cli_build_program(options, &built, &error) ? cli_run_program(options, built.path, options->targets.items[0])
                                                      : cli_fail(&error);
}
