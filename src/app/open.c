#include "app/open.h"
#include "base/file.h"
#include "base/words.h"
#include "document/kernel_form.h"
#include "document/program.h"
#include <string.h>

static void seek_wanted(struct app *app, const struct place_wanted *place)
{
    struct document *document = &app->document;
    if (place->block_chosen)
        document_show_block(document, &app->playhead, place->block);
    if (place->block_chosen && document->block != place->block)
        notice_say(&app->notice, _("block %llu was not recorded"), (unsigned long long)place->block);
    const struct playback *playback = document->playback;
    if (place->access > 0 && playback && playback->count)
        playhead_seek(&app->playhead, playback, playback_numbered(playback, (size_t)place->access), false);
}

void open_at_access(struct app *app, int access)
{
    seek_wanted(app, &(struct place_wanted){.access = access});
}

static void open_and_seek(struct app *app, const struct run_file_request *request, const struct place_wanted *place)
{
    enum executor const executor = app->document.look.executor;
    app_note_progress(app);
    kernel_form_begin(&app->document, request->path);
    if (!request->argument_count && !request->grid[0] && !request->block[0])
        progress_resume_form(app->progress, &app->document);
    if (document_open_kernel(&app->document, &app->playhead, request,
                             executor == EXECUTOR_RECORDING ? EXECUTOR_BEST : executor))
        app->at_list = false;
    seek_wanted(app, place);
    app_note_progress(app);
}

/* Opens a whole program. It runs beside the window. */
static void open_program(struct app *app, const struct program_start *asked)
{
    app_note_progress(app);
    document_open_program(&app->document, &app->playhead, asked);
    app->at_list = false;
    app_note_progress(app);
}

static void open_kernel(struct app *app, const struct run_file_request *request, const struct place_wanted *place)
{
    if (program_is_asked(request)) {
        open_program(app, &(struct program_start){.request = *request});
        return;
    }
    if (!app->host.attended) {
        open_and_seek(app, request, place);
        return;
    }
    struct pending_file *pending = &app->pending;
    arena_reset(&pending->arena);
    pending->request = run_file_copy(&pending->arena, request);
    pending->place = *place;
    pending->here = true;
    pending->said = false;
    notice_say(&app->notice, _("running %s …"), path_name(pending->request.path));
}

/* Says that of several dropped files one was opened. A message about that one stays. */
static void say_left_out(struct app *app)
{
    if (app->drop.left_out && !app->pending.here && !app->notice.bad && !app->document.failed.kind)
        notice_pass(&app->notice, _("one file is open at a time: %u more {was|were} dropped"), app->drop.left_out);
}

void open_pending(struct app *app)
{
    struct pending_file *pending = &app->pending;
    if (pending->said) {
        pending->here = pending->said = false;
        notice_clear(&app->notice);
        open_and_seek(app, &pending->request, &pending->place);
        say_left_out(app);
    }
    pending->said = pending->here;
}

static bool open_trace(struct app *app, const char *path, struct error *error)
{
    app_note_progress(app);
    if (!document_open_trace(&app->document, &app->playhead, path, error))
        return false;
    app->at_list = false;
    app_note_progress(app);
    return true;
}

static bool set_knobs(struct app *app, const struct app_options *options, struct error *error)
{
    struct document *document = &app->document;
    struct lesson_setting setting = document->look.setting;
    if (options->variant && !lesson_set_text(document->lesson, &setting,
                                             arena_format(&app->session, "variant=%s", options->variant), error))
        return false;
    for (int i = 0; i < options->set_count; i++)
        if (!lesson_set_text(document->lesson, &setting, options->set[i], error))
            return false;
    bool const changed = memcmp(&setting, &document->look.setting, sizeof setting) != 0;
    document->look.setting = setting;
    if (changed || !document->run)
        document_show_setting(document, &app->playhead, false);
    document_drop_unfit_question(document, &app->playhead);
    return true;
}

/* Opens the step at which the lesson was left, or the first one; for a class always the first one. */
void open_lesson_as_left(struct app *app)
{
    struct document *document = &app->document;
    bool const left = progress_resume(app->progress, document, &app->playhead, app_in_class(app));
    app_follow_class(app);
    if (!document->run)
        document_go_beat(document, &app->playhead, document->beat);
    app_note_progress(app);
    if (!left)
        return;
    if (!app->notice.text[0])
        notice_say(&app->notice, _("you left this lesson at step %d of %d"), document->beat + 1,
                   document->lesson->beat_count);
    app->notice.from_start = true;
}

/* Returns whether the command line says which state of the lesson to open. */
static bool names_place(const struct app_options *options)
{
    return options->beat || options->access || options->answered || options->variant || options->set_count ||
           options->block_chosen || options->blocks || options->ptx;
}

static bool open_lesson(struct app *app, const struct app_options *options, struct error *error)
{
    struct document *document = &app->document;
    if (!document_open_lesson(document, &app->playhead, options->lesson, error))
        return false;
    app->at_list = false;
    if (!names_place(options)) {
        open_lesson_as_left(app);
        return true;
    }
    progress_resume(app->progress, document, &app->playhead, true);
    app_follow_class(app);
    int const beat = options->beat > 0 ? options->beat - 1 : 0;
    if (beat >= document->lesson->beat_count)
        return error_set(error, ERROR_INPUT, "lesson %s has %d {step|steps}; there is no step %d", options->lesson,
                         document->lesson->beat_count, beat + 1);
    document->guesses[beat] = (struct guess){.chosen = -1};
    document_go_beat(document, &app->playhead, beat);
    if (!set_knobs(app, options, error))
        return false;
    if (options->answered) {
        document->guesses[document->beat].skipped = true;
        if (document->run)
            document_describe_run(document, &app->playhead);
    }
    if (options->ptx)
        document->reading.part = PART_CODE;
    document_want_ladder(document);
    app_note_progress(app);
    return true;
}

bool open_first(struct app *app, const struct app_options *options, struct error *error)
{
    struct place_wanted const place = {options->access, options->block_chosen, options->block};
    app->document.ptx = options->ptx;
    if (options->program) {
        open_program(app, options->program);
        return true;
    }
    if (options->file) {
        open_kernel(app, options->file, &place);
        return true;
    }
    if (options->trace_path ? !open_trace(app, options->trace_path, error)
                            : options->lesson && !open_lesson(app, options, error))
        return false;
    if (options->trace_path && options->trace_later)
        document_name_file(&app->document, options->trace_title, options->trace_later);
    if (options->trace_path || options->lesson)
        seek_wanted(app, &place);
    return true;
}

void open_folder(struct app *app)
{
    struct arena arena = {0};
    const char *recent = progress_recent(app->progress, 0);
    const char *path = recent ? arena_text_n(&arena, recent, (size_t)(path_name(recent) - recent)) : ".";
    folder_show(&app->folder, file_exists(path) ? path : ".");
    app->at_list = true;
    app->playhead.playing = false;
    arena_free(&arena);
}

void open_kernel_at(struct app *app, const char *path, int access)
{
    open_kernel(app, &(struct run_file_request){.path = path}, &(struct place_wanted){.access = access});
}

/* Takes over the lessons of a file of kept progress, and shows the list of lessons with them. */
static void open_progress(struct app *app, const char *path)
{
    struct error error;
    app_note_progress(app);
    int const taken = progress_import(app->progress, path, &error);
    if (taken < 0) {
        notice_error(&app->notice, &error);
        return;
    }
    document_close(&app->document, &app->playhead);
    app->at_list = true;
    app->playhead.playing = false;
    notice_pass(&app->notice, _("%d {lesson|lessons} taken over from %s"), taken, path_name(path));
}

/* Returns whether the file is of a kind that can be opened. */
static bool open_one(struct app *app, const char *path)
{
    struct error error;
    folder_close(&app->folder);
    if (trace_is_named(path)) {
        if (!open_trace(app, path, &error))
            notice_error(&app->notice, &error);
    } else if (path_ends_with(path, ".cu") || path_ends_with(path, ".ptx")) {
        open_kernel(app, &(struct run_file_request){.path = path}, &(struct place_wanted){0});
    } else if (path_ends_with(path, ".json")) {
        open_progress(app, path);
    } else {
        notice_pass(&app->notice, _("%s is not a .cu, .ptx or .trace file"), path_name(path));
        return false;
    }
    return true;
}

void open_dropped(struct app *app, const char *path, unsigned dropped_before)
{
    if (!dropped_before)
        app->drop = (struct drop){.opened = false};
    if (path && !app->drop.opened)
        app->drop.opened = open_one(app, path);
    else
        app->drop.left_out++;
    say_left_out(app);
}
