/* `render`: one frame to a PNG, without a window or a display. */
#include "app/app.h"
#include "cli/cli.h"

int command_render(struct cli_options *options)
{
    if (options->targets.count != 1)
        return cli_usage("render takes one TARGET: a lesson, a .cu, .ptx or .trace file");
    if (!options->output)
        return cli_usage("render wants -o OUT.png");
    const char *target = options->targets.items[0];
    struct app_options app;
    cli_app_options(options, &app);
    struct error error;
    if (cli_has_suffix(target, ".trace"))
        app.trace_path = target;
    else if (!cli_has_suffix(target, ".cu") && !cli_has_suffix(target, ".ptx"))
        app.lesson = target;
    else if (!cli_app_file(options, &app, &error))
        return cli_fail(&error);
    return cli_draw_frame(&app, options->output);
}
