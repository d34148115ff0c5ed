/* The window, opened at the lesson list, a lesson, or a recorded trace. Without a display, the opening frame goes to
 * lanescope.png instead, so that the same command shows a picture everywhere. */
#include "app/app.h"
#include "app/progress/progress.h"
#include "base/words.h"
#include "cli/cli.h"
#include "compile/compile.h"
#include "cuda/cuda.h"
#include "document/program.h"
#include "platform/platform.h"
#include "screen/computer_facts.h"
#include <stdio.h>
#include <stdlib.h>

static const char fallback_picture[] = "lanescope.png";

void cli_app_options(const struct cli_options *options, struct app_options *app)
{
    *app = (struct app_options){.variant = options->variant,
                                .set = options->set.items,
                                .set_count = options->set.count,
                                .on = options->launch.options.executor,
                                .gpu = options->launch.options.gpu,
                                .caches = options->launch.options.caches,
                                .dram = options->launch.options.dram,
                                .language = options->language,
                                .theme = options->theme,
                                .present = options->present,
                                .reduced_motion = options->reduced_motion,
                                .beat = options->beat,
                                .access = options->access,
                                .blocks = options->blocks_given ? &options->launch.options.recorded : NULL,
                                .block_chosen = options->show_block_given,
                                .block = options->show_block,
                                .answered = options->answered,
                                .overview = options->overview,
                                .ptx = options->ptx,
                                .width = options->width,
                                .height = options->height,
                                .scale = (float)options->scale,
                                .text_percent = options->text_percent};
}

bool cli_app_trace(const struct cli_options *options, struct app_options *app, struct error *error)
{
    const char *option = options->file_option ? options->file_option : options->lesson_option;
    app->trace_path = options->targets.items[0];
    return !option || error_set(error, ERROR_INPUT, "--%s does not apply to a trace: '%s' is a finished run", option,
                                app->trace_path);
}

bool cli_app_file(struct cli_options *options, struct app_options *app, struct error *error)
{
    struct run_file_request *request = arena_new(&options->arena, struct run_file_request);
    if (!cli_file_request(options, options->targets.items[0], request, error))
        return false;
    if (cli_is_program(options, request->path)) {
        struct program_start *program = arena_new(&options->arena, struct program_start);
        *program = (struct program_start){.request = *request,
                                          .arguments = options->words.items,
                                          .argument_count = (size_t)options->words.count,
                                          .folder = options->folder,
                                          .seconds = (double)options->seconds,
                                          .launch = options->launch_number};
        app->program = program;
        return true;
    }
    app->file = request;
    return true;
}

void cli_computer_facts(struct computer_facts *facts, const atomic_bool *cancel)
{
    static const char *const names[] = {"NVRTC", "clang"};
    struct cuda_device device;
    struct compiler_status compilers[2];
    struct error error;
    *facts = (struct computer_facts){0};
    if (cuda_device(&device, &error))
        snprintf(facts->gpu, sizeof facts->gpu, "%s", device.name);
    compile_status(compilers, cancel);
    for (int i = 1; i >= 0; i--)
        if (compilers[i].present)
            snprintf(facts->compiler, sizeof facts->compiler, "%s %s", names[i], compilers[i].version);
}

int cli_draw_frame(const struct app_options *app_options, bool film, const char *path)
{
    struct platform *platform;
    struct error error;
    if (!platform_open_headless(&platform, &error))
        return cli_fail(&error);
    struct text_metrics const metrics = platform_metrics(platform);
    struct app_host const host = platform_host(platform);
    struct app *app;
    int status = CLI_FINE;
    film = film || platform_only_animates(path);
    if (!app_new(app_options, &metrics, film ? &host : NULL, &app, &error)) {
        status = cli_fail(&error);
    } else {
        const struct draw_list *frame = app_frame(app, 1e6); /* all motion has ended */
        if (film ? !app_film(app, path, &error)
                 : !platform_render(platform, frame, app_options->width, app_options->height, app_background(app), path,
                                    &error) ||
                       app_failed(app, &error))
            status = cli_fail(&error);
        app_free(app);
    }
    platform_close(platform);
    return status;
}

static int draw_instead(struct app_options *app_options, const struct error *why)
{
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count;
    if (!app_options->lesson && !app_options->trace_path && !app_options->file &&
        lesson_names(&arena, &names, &errors, &error_count) > 0)
        app_options->lesson = names[0];
    int const status = cli_draw_frame(app_options, false, fallback_picture);
    if (status == CLI_FINE)
        fprintf(stderr, _("lanescope: %s; drew the opening frame to %s instead\n"), why->message, fallback_picture);
    arena_free(&arena);
    return status;
}

/* Opens the window where it was closed, unless the command line gives its size. */
static bool open_platform(const struct cli_options *options, const struct progress *progress,
                          struct platform **platform, struct error *error)
{
    struct window_place place;
    if (options->size_given || !progress_window(progress, &place))
        place = (struct window_place){.width = options->width, .height = options->height};
    return platform_open_window("Lanescope", &place, platform, error);
}

static int open_with(const struct cli_options *options, struct app_options *app_options)
{
    static const double patience = 5; /* seconds that a window may freeze for an endless kernel */
    struct platform *platform;
    struct error error;
    if (!open_platform(options, app_options->progress, &platform, &error)) {
        app_options->progress = NULL;
        return error.kind == ERROR_MISSING ? draw_instead(app_options, &error) : cli_fail(&error);
    }
    cuda_wait_at_most(patience);
    platform_size(platform, &app_options->width, &app_options->height, &app_options->scale);
    struct text_metrics const metrics = platform_metrics(platform);
    struct app_host const host = platform_host(platform);
    struct app *app;
    int status = CLI_FINE;
    if (!app_new(app_options, &metrics, &host, &app, &error)) {
        status = cli_fail(&error);
    } else {
        if (!platform_loop(platform, app, &error))
            status = cli_fail(&error);
        app_free(app);
        progress_save(app_options->progress); /* before anything of the window system can fail */
    }
    platform_close(platform);
    return status;
}

static int open_window(const struct cli_options *options, struct app_options *app_options)
{
    struct progress *progress = options->fresh ? NULL : progress_open();
    app_options->progress = progress;
    app_options->computer = cli_computer_facts;
    app_options->shows = getenv("LANESCOPE_SHOWS");
    app_options->links = getenv("LANESCOPE_LINKS");
    if (!options->language_given)
        app_options->language = NULL; /* the kept one, else the environment's */
    int const status = open_with(options, app_options);
    progress_close(progress);
    return status;
}

int command_window(struct cli_options *options)
{
    if (options->targets.count > 1)
        return cli_usage("one lesson at a time, not '%s' and '%s'", options->targets.items[0],
                         options->targets.items[1]);
    struct app_options app;
    cli_app_options(options, &app);
    app.lesson = options->targets.count ? options->targets.items[0] : NULL;
    if (app.lesson && !lesson_exists(app.lesson) && (target_is_file(app.lesson) || trace_is_named(app.lesson)))
        return command_view(options);
    if (!app.lesson && (options->set.count || options->variant))
        return cli_usage("--set and --variant need a lesson before them: lanescope banks --set stride=8");
    return open_window(options, &app);
}

int command_view(struct cli_options *options)
{
    if (options->targets.count != 1)
        return cli_usage(
            "view takes one file: lanescope view FILE.trace, or a .cu or .ptx file with its launch options");
    struct app_options app;
    struct error error;
    cli_app_options(options, &app);
    const char *target = options->targets.items[0];
    if (!target_is_file(target) && !trace_is_named(target) && lesson_exists(target)) {
        app.lesson = target;
        return open_window(options, &app);
    }
    struct lesson *none;
    if (!trace_is_named(target) && file_exists(arena_format(&options->arena, "%s/.", target)) &&
        !lesson_load(target, &none, &error))
        return cli_fail(&error); /* a folder that is no lesson */
    bool const fits =
        target_is_file(target) ? cli_app_file(options, &app, &error) : cli_app_trace(options, &app, &error);
    return fits ? open_window(options, &app) : cli_fail(&error);
}
