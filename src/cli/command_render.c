/* `render`: one frame to a picture file, without a window or a display. */
#include "app/app.h"
#include "cli/cli.h"
#include "platform/platform.h"
#include <string.h>

/* Returns false for options that the first screen has no use for. */
static bool fits_home(const struct cli_options *options, struct error *error)
{
    const char *option = options->file_option ? options->file_option : options->lesson_option;
    return !option || error_set(error, ERROR_INPUT, "--%s does not apply to the first screen", option);
}

int command_render(struct cli_options *options)
{
    if (options->targets.count != 1)
        return cli_usage("render takes one TARGET: a lesson, a .cu, .ptx or .trace file, or home");
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
    } else if (strcmp(target, "home") == 0 && !lesson_exists(target)) {
        fits = fits_home(options, &error);
        app.computer = cli_computer_facts;
    } else {
        app.lesson = target;
        fits = cli_fits_lesson(options, target, &error);
    }
    return fits ? cli_draw_frame(&app, false, options->output) : cli_fail(&error);
}
