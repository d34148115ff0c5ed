/* `export`: a lesson on paper, as one PDF or as one picture a page. */
#include "app/handout.h"
#include "base/words.h"
#include "cli/cli.h"
#include "platform/platform.h"
#include <string.h>

struct paper {
    const char *name;
    double width, height; /* points, 72 an inch, the long side across */
};
static const struct paper papers[] = {{"a4", 841.89, 595.276}, {"letter", 792, 612}};
enum { PAPERS = (int)(sizeof papers / sizeof *papers), PAGE_WIDTH = 1600 };

struct export
{
    struct platform *platform;
    struct platform_pages *pages; /* of a PDF; NULL: pictures */
    struct arena *arena;
    const char *stem, *ending; /* of pictures: STEM-01.ENDING */
    const struct paper *paper;
    int height;
};

static bool put_page(void *context, const struct handout_page *page, struct error *error)
{
    struct export *export = context;
    if (export->pages)
        return platform_pages_add(export->pages, page->list, PAGE_WIDTH, export->height, page->background,
                                  export->paper->width, export->paper->height, error);
    const char *path = arena_format(export->arena, "%s-%02d%s", export->stem, page->number, export->ending);
    return platform_render(export->platform, page->list, PAGE_WIDTH, export->height, page->background, path, error);
}

static bool is_animation(const char *path)
{
    return path_ends_with(path, ".gif") || path_ends_with(path, ".mp4") || path_ends_with(path, ".webm");
}

/* Chooses PDF, or the names of the pictures: OUT-01.png for OUT.png, OUT/page-01.svg for a folder. */
static void choose_names(struct export *export, const char *path)
{
    static const char *const endings[] = {".svg", ".png"};
    export->ending = ".svg";
    export->stem = arena_format(export->arena, "%s/page", path);
    for (int i = 0; i < 2; i++)
        if (path_ends_with(path, endings[i])) {
            export->ending = endings[i];
            export->stem = arena_text_n(export->arena, path, strlen(path) - strlen(endings[i]));
        }
}

static bool export_lesson(struct cli_options *options, struct export *export, struct error *error)
{
    const char *lesson = options->targets.items[0], *path = options->output;
    struct text_metrics const metrics = platform_metrics(export->platform);
    struct app_options app;
    cli_app_options(options, &app);
    app.lesson = lesson;
    app.width = PAGE_WIDTH;
    app.height = export->height;
    app.scale = 1;
    app.reduced_motion = true;
    if (!path_ends_with(path, ".pdf")) {
        choose_names(export, path);
        if (export->ending[1] == 's' && !path_ends_with(path, ".svg") && !folder_make(path, error))
            return false;
        return handout_draw(&app, &metrics, put_page, export, error);
    }
    if (!platform_pages_begin(export->platform, lesson, &export->pages, error))
        return false;
    bool const drawn = handout_draw(&app, &metrics, put_page, export, error);
    return platform_pages_end(&export->pages, drawn ? path : NULL, error) && drawn;
}

int command_export(struct cli_options *options)
{
    struct error error;
    if (options->targets.count != 1)
        return cli_usage("export takes one LESSON; lanescope list names them");
    if (!options->output)
        return cli_usage("export needs -o OUT.pdf, or a folder for pictures of the pages");
    if (is_animation(options->output))
        return cli_usage(
            "export writes pages (.pdf, .svg, .png or a folder), not '%s'; lanescope render saves an animation",
            options->output);
    struct export export = {.arena = &options->arena, .paper = &papers[0]};
    for (int i = 0; options->paper && i < PAPERS; i++) /* read_paper has checked the name */
        if (strcmp(papers[i].name, options->paper) == 0)
            export.paper = &papers[i];
    if (target_is_file(options->targets.items[0]))
        return cli_usage("export takes a lesson, not the file '%s'; render draws a file", options->targets.items[0]);
    if (!cli_fits_lesson(options, options->targets.items[0], &error))
        return cli_fail(&error);
    export.height = (int)(PAGE_WIDTH * export.paper->height / export.paper->width + 0.5);
    if (!platform_open_headless(&export.platform, &error))
        return cli_fail(&error);
    bool const good = export_lesson(options, &export, &error);
    platform_close(export.platform);
    return good ? CLI_FINE : cli_fail(&error);
}
