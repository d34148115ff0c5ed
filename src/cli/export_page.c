/* `export -o OUT.html`: the report of one run as a file that any browser opens, with its pictures and its trace. */
#include "app/handout.h"
#include "base/words.h"
#include "cli/cli.h"
#include "compile/process.h"
#include "model/counts.h"
#include "platform/platform.h"
#include "report/page.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE_WIDTH = 1600, PICTURE_HEIGHT = 900, FILE_HEIGHT = 1131, PICTURES_MAX = 20 };

struct pictures {
    struct platform *platform;
    FILE *out;
    const char *path; /* of the SVG that is being drawn */
    int height;
    unsigned left_out;
};

/* Draws one picture to the temporary file, and writes it into the page. */
static bool put_picture(struct pictures *pictures, const struct draw_list *list, struct color background, int number,
                        const char *reopen, struct error *error)
{
    struct arena arena = {0};
    char *svg;
    bool const good =
        platform_render(pictures->platform, list, PICTURE_WIDTH, pictures->height, background, pictures->path, error) &&
        file_read(&arena, pictures->path, &svg, NULL, error);
    if (good)
        report_page_picture(pictures->out, svg, number, reopen);
    arena_free(&arena);
    return good;
}

static bool put_page(void *context, const struct handout_page *page, struct error *error)
{
    struct pictures *pictures = context;
    if (page->number > PICTURES_MAX) {
        pictures->left_out++;
        return true;
    }
    return put_picture(context, page->list, page->background, page->number, page->reopen, error);
}

/* A lesson at a setting has one picture: the window, answered. */
static bool draw_lesson(struct pictures *pictures, struct app_options *options, struct error *error)
{
    struct text_metrics const metrics = platform_metrics(pictures->platform);
    struct app *app;
    options->answered = true;
    pictures->height = PICTURE_HEIGHT;
    options->height = PICTURE_HEIGHT;
    if (!app_new(options, &metrics, NULL, &app, error))
        return false;
    const struct draw_list *frame = app_frame(app, 1e6);
    bool const good =
        !app_failed(app, error) && put_picture(pictures, frame, app_background(app), 1, app_state_line(app), error);
    app_free(app);
    return good;
}

static bool draw_pictures(struct pictures *pictures, struct app_options *options, struct error *error)
{
    pictures->height = FILE_HEIGHT;
    options->width = PICTURE_WIDTH;
    options->height = FILE_HEIGHT;
    options->scale = 1;
    options->reduced_motion = true;
    if (!options->theme)
        options->theme = "light";
    if (!platform_open_headless(&pictures->platform, error))
        return false;
    struct text_metrics const metrics = platform_metrics(pictures->platform);
    bool const good = options->lesson ? draw_lesson(pictures, options, error)
                                      : handout_draw(options, HANDOUT_AT_END, &metrics, put_page, pictures, error);
    platform_close(pictures->platform);
    return good;
}

/* Reads the page for browsers, which lies beside the installed data or where the source tree builds it. Returns false
 * when it was not built. $LANESCOPE_PAGE names another one. */
static bool read_window(struct arena *arena, struct report_window *window)
{
    const char *named = getenv("LANESCOPE_PAGE");
    const char *const paths[] = {named, data_path(arena, "web/report.part"), data_path(arena, "build/web/report.part")};
    char *text;
    for (size_t i = named ? 0 : 1; i < (named ? 1 : sizeof paths / sizeof *paths); i++)
        if (file_read(arena, paths[i], &text, NULL, NULL) && report_window_read(text, window))
            return true;
    return false;
}

/* Takes the source out of a trace, and what would show it. */
static void leave_source_out(struct trace *trace)
{
    trace->source = "";
}

/* Lets the pictures show the trace that the page holds, and nothing else of its target. They name the target, and the
 * page, which opens again when the file of the trace is gone. */
static void draw_trace_alone(struct app_options *app, const char *trace, const char *target, const char *page)
{
    app->trace_title = target;
    app->trace_later = page;
    app->lesson = NULL;
    app->file = NULL;
    app->program = NULL;
    app->variant = NULL;
    app->set_count = 0;
    app->beat = 0;
    app->blocks = NULL;
    app->trace_path = trace;
}

/* Returns the place of a lesson at its setting, as an address, in the arena. Only installed lessons are in the page. */
static const char *link_of(struct arena *arena, const struct cli_options *options, const struct cli_run *result)
{
    const struct lesson *lesson = result->lesson;
    if (!lesson || !lesson_is_installed(lesson))
        return NULL;
    const struct lesson_setting *set = &result->setting;
    const char *link = arena_format(arena, "%s/%d?lang=%s", lesson->name, options->beat ? options->beat : 1,
                                    words_language() == WORDS_KOREAN ? "ko" : "en");
    if (lesson->variant_count > 1)
        link = arena_format(arena, "%s&variant=%s", link, lesson->variants[set->variant].name);
    for (int k = 0; k < lesson->knob_count; k++)
        link = arena_format(arena, "%s&%s=%s", link, lesson->knobs[k].name,
                            lesson_knob_value(&lesson->knobs[k], set->value[k], arena));
    return link;
}

/* Writes the whole page into memory: a file is written only when all of it is there. alone: its pictures show the trace
 * and nothing else of its target. */
static bool make_page(const struct report_page *page, struct app_options *app, bool alone, const char *path,
                      struct error *error)
{
    struct arena arena = {0};
    struct workplace place;
    char *text = NULL, *packed = NULL;
    size_t size = 0, packed_size = 0;
    if (!workplace_open(&place))
        return error_set(error, ERROR_MISSING, "no temporary folder can be made");
    FILE *out = open_memstream(&text, &size);
    struct pictures pictures = {.out = out, .path = arena_format(&arena, "%s/picture.svg", place.folder)};
    const char *trace = arena_format(&arena, "%s/run.trace", place.folder);
    bool good = out || error_set(error, ERROR_MISSING, "there is no memory for the page");
    if (alone)
        draw_trace_alone(app, trace, page->target, path_name(path));
    if (good)
        report_page_begin(out, page);
    good = good && trace_write(page->trace, trace, error) && draw_pictures(&pictures, app, error) &&
           file_read(&arena, trace, &packed, &packed_size, error);
    if (good)
        report_page_end(out, page, pictures.left_out, (const uint8_t *)packed, packed_size, path_name(path));
    if (out)
        fclose(out);
    workplace_close(&place);
    good = good && file_write(path, text, size, error);
    free(text);
    arena_free(&arena);
    return good;
}

static bool page_of_trace(const struct cli_options *options, struct app_options *app,
                          const struct report_window *window, struct error *error)
{
    const char *target = options->targets.items[0];
    struct trace *trace;
    struct counts counts;
    if (!trace_read(target, &trace, error))
        return false;
    if (options->no_source)
        leave_source_out(trace);
    counts_of_trace(trace, &trace->arena, &counts);
    struct report_page const page = {.trace = trace, .counts = &counts, .target = path_name(target), .window = window};
    bool const good = make_page(&page, app, options->no_source, options->output, error);
    trace_free(trace);
    return good;
}

/* Returns the launch that the window plays: the first recorded one with findings, else the first recorded one. */
static const struct program_launch *launch_to_show(const struct program_run *run)
{
    const struct program_launch *first = NULL;
    for (uint32_t i = 0; i < run->launch_count; i++) {
        const struct program_launch *launch = &run->launches[i];
        if (launch->recorded && launch->faults + launch->hazards)
            return launch;
        if (launch->recorded && !first)
            first = launch;
    }
    return first;
}

static bool page_of_run(const struct cli_options *options, struct app_options *app,
                        const struct report_program *program, const struct report_window *window, struct error *error)
{
    struct arena arena = {0};
    struct trace *trace;
    struct counts counts;
    const struct program_launch *launch = launch_to_show(program->run);
    if (!launch) {
        error_set(error, ERROR_INPUT, "no launch was recorded: the program made %u", program->run->launch_count);
        return error_remedy(error, "choose one with --launch N or --kernel NAME");
    }
    if (!program_launch_trace(launch, &trace, error))
        return false;
    if (options->no_source)
        leave_source_out(trace);
    program_launch_counts(&arena, launch, trace, &counts);
    struct report_page const page = {.program = program,
                                     .launch = launch,
                                     .trace = trace,
                                     .counts = &counts,
                                     .caches = program_launch_caches(&arena, launch, trace),
                                     .target = path_name(options->targets.items[0]),
                                     .window = window};
    bool const good = make_page(&page, app, true, options->output, error);
    trace_free(trace);
    arena_free(&arena);
    return good;
}

static bool page_of_program(struct cli_options *options, struct app_options *app, const struct report_window *window,
                            struct error *error)
{
    struct program_built built;
    struct program_run_request request;
    struct program_run *run;
    if (options->launch.options.executor == EXECUTOR_RECORDING)
        return error_set(error, ERROR_INPUT,
                         "a whole program runs on the emulator or on a GPU; recordings are of lessons");
    options->explain = true;
    if (!cli_build_program(options, &built, error) || !cli_execute_program(options, built.path, &request, &run, error))
        return false;
    struct report_program const program = {run, options->targets.items[0], request.checks, true, request.gpu};
    bool const good = page_of_run(options, app, &program, window, error);
    program_run_free(run);
    return good;
}

bool cli_export_page(struct cli_options *options, struct app_options *app, struct error *error)
{
    const char *target = options->targets.items[0];
    struct cli_run result;
    struct report_window read, *window = read_window(&options->arena, &read) ? &read : NULL;
    if (trace_is_named(target))
        return page_of_trace(options, app, window, error);
    if (cli_is_program(options, target))
        return page_of_program(options, app, window, error);
    options->explain = true;    /* the page explains, so the blocks that an explanation needs are recorded */
    if (target_is_file(target)) /* all that can be found is looked for, as in the window */
        options->launch.options.checks.memory = options->launch.options.checks.races = true;
    if (!cli_run_target(options, &result, error))
        return false;
    struct report_run const run = {.run = result.run,
                                   .guess = result.guess.any ? &result.guess : NULL,
                                   .launch = result.launch,
                                   .unasked_memory = result.memory_unasked,
                                   .unasked_races = result.races_unasked,
                                   .gpu = options->launch.options.gpu};
    if (window && !options->no_source)
        window->link = link_of(&options->arena, options, &result);
    if (options->no_source)
        leave_source_out(result.run->trace);
    struct report_page const page = {.run = &run,
                                     .trace = result.run->trace,
                                     .counts = &result.run->counts,
                                     .target = path_name(target),
                                     .window = window};
    bool const good = make_page(&page, app, options->no_source, options->output, error);
    cli_run_free(&result);
    return good;
}
