/* `export`: a lesson or a file on paper, as one PDF or as one picture a page; the film of an access; or the report of a
 * run as one HTML file (export_page.c), or as a table (export_table.c). */
#include "app/handout.h"
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

/* Returns the first option that chooses one picture, which pages do not have; NULL: none. */
static const char *picture_option(const struct cli_options *options)
{
    const char *names[] = {options->beat ? "beat" : NULL,
                           options->access ? "access" : NULL,
                           options->show_block_given ? "show-block" : NULL,
                           options->answered ? "answered" : NULL,
                           options->overview ? "overview" : NULL,
                           options->ptx ? "ptx" : NULL,
                           options->present ? "present" : NULL,
                           options->size_given ? "size" : NULL,
                           options->text_percent ? "text" : NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i])
            return names[i];
    return NULL;
}

/* Sets what the target names in the options of the app. */
static bool choose_target(struct cli_options *options, struct app_options *app, struct error *error)
{
    const char *target = options->targets.items[0];
    cli_app_options(options, app);
    if (trace_is_named(target))
        return cli_app_trace(options, app, error);
    if (target_is_file(target))
        return cli_app_file(options, app, error);
    app->lesson = target;
    return cli_fits_lesson(options, target, error);
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

static bool export_pages(const struct cli_options *options, struct app_options *app, struct export *export,
                         struct error *error)
{
    const char *target = options->targets.items[0], *path = options->output;
    enum handout_answers const answers = !options->sheet                          ? HANDOUT_AT_END
                                         : strcmp(options->sheet, "student") == 0 ? HANDOUT_STUDENT
                                                                                  : HANDOUT_TEACHER;
    struct text_metrics const metrics = platform_metrics(export->platform);
    app->width = PAGE_WIDTH;
    app->height = export->height;
    app->scale = 1;
    app->reduced_motion = true;
    if (!path_ends_with(path, ".pdf")) {
        choose_names(export, path);
        if (export->ending[1] == 's' && !path_ends_with(path, ".svg") && !folder_make(path, error))
            return false;
        return handout_draw(app, answers, &metrics, put_page, export, error);
    }
    if (!platform_pages_begin(export->platform, path_name(target), &export->pages, error))
        return false;
    bool const drawn = handout_draw(app, answers, &metrics, put_page, export, error);
    return platform_pages_end(&export->pages, drawn ? path : NULL, error) && drawn;
}

int command_export(struct cli_options *options)
{
    struct error error;
    struct app_options app;
    if (options->targets.count != 1)
        return cli_usage("export takes one TARGET: a lesson, or a .cu, .ptx or .trace file");
    if (!options->output)
        return cli_usage(
            "export needs -o OUT.pdf, OUT.html, a folder for pictures of the pages, a film (.mp4, .webm, .gif), or "
            "OUT.csv or OUT.json for other programs");
    bool const page = path_ends_with(options->output, ".html"), table = cli_is_table(options->output);
    bool const film = platform_only_animates(options->output) || path_ends_with(options->output, ".gif");
    const char *option =
        film || (page && options->beat && !target_is_file(options->targets.items[0])) ? NULL : picture_option(options);
    if (option)
        return cli_usage("--%s chooses one picture; it applies to a film, not to '%s'", option, options->output);
    if (options->no_source && !page)
        return cli_usage("--no-source applies to an HTML report, not to '%s'", options->output);
    if ((film || page || table) && options->paper)
        return cli_usage("--paper applies to pages of paper, not to '%s'", options->output);
    if (options->sheet && (film || page || table || target_is_file(options->targets.items[0])))
        return cli_usage("--sheet applies to a lesson on paper: lanescope export LESSON --sheet %s -o OUT.pdf",
                         options->sheet);
    if (table)
        return cli_export_table(options, &error) ? CLI_FINE : cli_fail(&error);
    if (!choose_target(options, &app, &error))
        return cli_fail(&error);
    if (film)
        return cli_draw_frame(&app, true, options->output);
    if (page)
        return cli_export_page(options, &app, &error) ? CLI_FINE : cli_fail(&error);
    struct export export = {.arena = &options->arena, .paper = &papers[0]};
    for (int i = 0; options->paper && i < PAPERS; i++) /* read_paper has checked the name */
        if (strcmp(papers[i].name, options->paper) == 0)
            export.paper = &papers[i];
    export.height = (int)(PAGE_WIDTH * export.paper->height / export.paper->width + 0.5);
    if (!platform_open_headless(&export.platform, &error))
        return cli_fail(&error);
    bool const good = export_pages(options, &app, &export, &error);
    platform_close(export.platform);
    return good ? CLI_FINE : cli_fail(&error);
}
