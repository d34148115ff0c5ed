/* `export -o OUT.html`: the report of one run as a file that any browser opens, with its pictures and its trace. */
#include "app/handout.h"
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

/* Writes the whole page into memory: a file is written only when all of it is there. */
static bool make_page(const struct report_page *page, struct app_options *app, const char *path, struct error *error)
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
    if (good)
        report_page_begin(out, page);
    good = good && draw_pictures(&pictures, app, error) && trace_write(page->trace, trace, error) &&
           file_read(&arena, trace, &packed, &packed_size, error);
    if (good)
        report_page_end(out, pictures.left_out, (const uint8_t *)packed, packed_size, path_name(path));
    if (out)
        fclose(out);
    workplace_close(&place);
    good = good && file_write(path, text, size, error);
    free(text);
    arena_free(&arena);
    return good;
}

static bool page_of_trace(const char *target, struct app_options *app, const char *path, struct error *error)
{
    struct trace *trace;
    struct counts counts;
    if (!trace_read(target, &trace, error))
        return false;
    counts_of_trace(trace, &trace->arena, &counts);
    struct report_page const page = {.trace = trace, .counts = &counts, .target = path_name(target)};
    bool const good = make_page(&page, app, path, error);
    trace_free(trace);
    return good;
}

bool cli_export_page(struct cli_options *options, struct app_options *app, struct error *error)
{
    const char *target = options->targets.items[0];
    struct cli_run result;
    if (trace_is_named(target))
        return page_of_trace(target, app, options->output, error);
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
    struct report_page const page = {
        .run = &run, .trace = result.run->trace, .counts = &result.run->counts, .target = path_name(target)};
    bool const good = make_page(&page, app, options->output, error);
    cli_run_free(&result);
    return good;
}
