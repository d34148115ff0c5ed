#include "app/saves.h"
#include "app/state.h"
#include "document/kernel.h"
#include "document/program.h"
#include "program/sources.h"
#include <string.h>

static bool is_watched(const struct document *document)
{
    return document->program || document_is_kernel(document);
}

/* Returns the hash of the sources of the newest run, on its way or on screen. */
static const struct digest *known_sources(const struct document *document)
{
    const struct open_program *program = document->program;
    if (!program)
        return document->kernel ? &document->kernel->work.sources : &document->file.sources;
    return program->work.started ? &program->work.sources : &program->sources;
}

static void run_again(struct app *app)
{
    struct document *document = &app->document;
    const char *name = document->file.name;
    if (document->program)
        document_rerun_program(document);
    else
        document_rerun_kernel(document);
    notice_clear_passing(&app->notice);
    if (app->host.worker.start)
        notice_pass(&app->notice, _("%s was saved: it is compiled and run again"), name);
}

/* Tells the platform which files to watch. */
static void list_files(struct app *app, const struct program_sources *sources)
{
    struct saves *saves = &app->saves;
    saves->opened = app->document.opened;
    if (app->host.watch_files)
        app->host.watch_files(app->host.context, sources->paths, sources->count);
}

void saves_follow(struct app *app)
{
    struct saves *saves = &app->saves;
    const struct document *document = &app->document;
    bool const other = saves->opened != document->opened;
    if (!other && !saves->look)
        return;
    if (!is_watched(document)) {
        saves->look = false;
        list_files(app, &(struct program_sources){.count = 0});
        return;
    }
    struct program_sources now;
    arena_reset(&saves->arena);
    program_sources_find(&saves->arena, document->file.path, &now);
    if (other)
        list_files(app, &now);
    saves->look = app->at_list; /* it runs again when it is on screen */
    if (!app->at_list && strcmp(known_sources(document)->text, now.digest.text) != 0)
        run_again(app);
}

void saves_end(struct app *app)
{
    if (app->host.watch_files && app->saves.opened)
        app->host.watch_files(app->host.context, NULL, 0);
    arena_free(&app->saves.arena);
}
