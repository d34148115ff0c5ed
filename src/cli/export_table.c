/* `export -o OUT.csv` and `OUT.json`: the accesses of a run as a table, its warps along the clock for Perfetto. */
#include "base/output.h"
#include "cli/cli.h"
#include "report/table.h"
#include <errno.h>

static bool write_table(const struct trace *trace, const char *path, struct error *error)
{
    struct output output;
    if (!output_open(&output, path, error))
        return false;
    if (path_ends_with(path, ".csv"))
        report_accesses_csv(output.stream, trace);
    else
        report_timeline_json(output.stream, trace);
    if (ferror(output.stream))
        output.reason = EIO;
    return output_keep(&output, error);
}

bool cli_is_table(const char *path)
{
    return path_ends_with(path, ".csv") || path_ends_with(path, ".json");
}

bool cli_export_table(struct cli_options *options, struct error *error)
{
    const char *const target = options->targets.items[0];
    if (trace_is_named(target)) {
        struct trace *trace;
        if (!trace_read(target, &trace, error))
            return false;
        bool const good = write_table(trace, options->output, error);
        trace_free(trace);
        return good;
    }
    if (cli_is_program(options, target)) {
        error_set(error, ERROR_INPUT, "'%s' is a program, which makes a trace for each launch", target);
        return error_remedy(error, "write one with  lanescope run %s --launch N --trace x.trace  and export it",
                            target);
    }
    struct cli_run result;
    options->trace = options->output; /* block 0 is recorded unless others are given, as for a trace */
    if (!cli_run_target(options, &result, error))
        return false;
    bool const good = write_table(result.run->trace, options->output, error);
    cli_run_free(&result);
    return good;
}
