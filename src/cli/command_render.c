/* `render`: one frame to a PNG, without a window or a display. */
#include "app/app.h"
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A file's run is drawn as the trace view draws it: through a trace file that is gone again afterwards. */
static int render_file(const struct cli_options *options, struct app_options app)
{
    struct cli_options recording = *options;
    char path[] = "/tmp/lanescope-XXXXXX.trace";
    int const handle = mkstemps(path, 6);
    if (handle < 0)
        return cli_usage("no temporary file can be made in /tmp; free some space there");
    close(handle);
    recording.trace = path;
    struct cli_run result;
    struct error error;
    int status;
    if (!cli_run_target(&recording, &result, &error)) {
        status = cli_fail(&error);
    } else {
        app.trace_path = path;
        status =
            trace_write(result.run->trace, path, &error) ? cli_draw_frame(&app, options->output) : cli_fail(&error);
        cli_run_free(&result);
    }
    unlink(path);
    return status;
}

int command_render(struct cli_options *options)
{
    if (options->targets.count != 1)
        return cli_usage("render takes one TARGET: a lesson, a .cu, .ptx or .trace file");
    if (!options->output)
        return cli_usage("render wants -o OUT.png");
    const char *target = options->targets.items[0];
    struct app_options app;
    cli_app_options(options, &app);
    if (cli_has_suffix(target, ".cu") || cli_has_suffix(target, ".ptx"))
        return render_file(options, app);
    if (cli_has_suffix(target, ".trace"))
        app.trace_path = target;
    else
        app.lesson = target;
    return cli_draw_frame(&app, options->output);
}
