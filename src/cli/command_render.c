/* `render`: one frame to a picture file, without a window or a display. */
#include "app/app.h"
#include "cli/cli.h"
#include "platform/platform.h"

int command_render(struct cli_options *options)
{
    if (options->targets.count != 1)
        return cli_usage("render takes one TARGET: a lesson, a .cu, .ptx or .trace file");
    if (!options->output)
        return cli_usage("render needs -o OUT.png");
    const char *target = options->targets.items[0];
    struct app_options app;
    cli_app_options(options, &app);
    struct error error;
    bool fits;
    if (!platform_can_render(options->output, &error))
        return cli_fail(&error);
    if (trace_is_named(target)) {
        fits = cli_app_trace(options, &app, &error);
    } else if (target_is_file(target)) {
        fits = cli_app_file(options, &app, &error);
    } else {
        app.lesson = target;
        fits = cli_fits_lesson(options, target, &error);
    }
    return fits ? cli_draw_frame(&app, options->output) : cli_fail(&error);
}
