/* A file as a document: a recorded trace, or a kernel that runs now with both checks. A kernel that cannot run is shown
 * with the offending line. */
#include "base/file.h"
#include "document/kernel_form.h"
#include "run/launch_words.h"
#include <inttypes.h>
#include <string.h>

struct open_file *document_begin_file(struct document *document, struct playhead *playhead, const char *path)
{
    struct arena arena = {0};
    const char *whole = arena_text(&arena, path); /* the original may be freed here */
    document_close(document, playhead);
    struct open_file *file = &document->file;
    document->kind = DOCUMENT_FILE;
    file->path = arena_text(&file->arena, whole);
    file->name = path_name(file->path);
    notice_clear(document->notice);
    document->notice->bad = false;
    arena_free(&arena);
    return file;
}

void document_name_file(struct document *document, const char *name, const char *path)
{
    document->file.name = arena_text(&document->file.arena, name);
    document->file.path = arena_text(&document->file.arena, path);
}

/* Returns the lowest block of the trace: on a GPU, blocks start in another order at each run. */
static uint64_t lowest_block(const struct trace *trace)
{
    uint64_t lowest = trace->events.count ? trace->events.items[0].block : 0;
    for (size_t i = 1; i < trace->events.count; i++)
        if (trace->events.items[i].block < lowest)
            lowest = trace->events.items[i].block;
    return lowest;
}

void document_show_trace(struct document *document, struct playhead *playhead, struct trace *trace)
{
    document->file.trace = trace;
    counts_of_trace(trace, &trace->arena, &document->file.counts);
    document->file.counted = trace->recorded;
    document_use_block(document, playhead, trace, lowest_block(trace));
    playhead->position = playback_access(document->playback, 1);
    struct report const report = document_report(document);
    if (report_rows(&report))
        document_go_finding(document, playhead, 0, 0);
    playhead->beat_position = playhead->opening_position = playhead->position;
    playhead->opening_block = document->block;
    if (trace->lost)
        notice_say(document->notice, _("the record is full (events lost: %" PRIu64 "); record fewer blocks"),
                   trace->lost);
}

bool document_open_trace(struct document *document, struct playhead *playhead, const char *path, struct error *error)
{
    struct trace *trace = NULL;
    if (!trace_read(path, &trace, error))
        return false;
    document_begin_file(document, playhead, path);
    document_show_trace(document, playhead, trace);
    return true;
}

static void refuse(struct document *document, struct playhead *playhead, const char *path, const struct error *error)
{
    struct error const why = *error; /* the original may be freed here */
    struct open_file *file = document_begin_file(document, playhead, path);
    size_t size = 0;
    char *source = NULL;
    file->refused = true;
    file->error = why;
    if (file_read(&file->arena, file->path, &source, &size, NULL))
        file->source = source;
}

/* Compares the run with the open file's run, if that is the same launch on the other executor. */
static struct likeness compare_with_open(const struct open_file *file, struct arena *arena,
                                         const struct run_file_request *request, const struct run *run)
{
    if (!file->run || (file->run->executor == EXECUTOR_GPU) == (run->executor == EXECUTOR_GPU) ||
        strcmp(file->path, request->path) != 0 ||
        strcmp(file->launch, launch_text(arena, request, run->trace->grid, run->trace->block)) != 0)
        return (struct likeness){.verdict = LIKE_UNKNOWN};
    bool const gpu = run->executor == EXECUTOR_GPU;
    return likeness_between(arena, gpu ? file->run->trace : run->trace, gpu ? run->trace : file->run->trace);
}

static void show_run(struct document *document, struct playhead *playhead, struct arena *arena,
                     const struct run_file_request *asked, const struct run_file_request *request, struct run *run,
                     const struct launch_guess *guess)
{
    struct likeness const likeness = compare_with_open(&document->file, arena, request, run);
    struct open_file *file = document_begin_file(document, playhead, request->path);
    file->run = run;
    file->launch = launch_text(&file->arena, request, run->trace->grid, run->trace->block);
    file->guess = *guess;
    file->guess.taken = arena_text(&file->arena, guess->taken ? guess->taken : "");
    file->guess.guessed = arena_text(&file->arena, guess->guessed ? guess->guessed : "");
    file->request = run_file_copy(&file->arena, asked);
    file->likeness = likeness;
    file->likeness.device = arena_text(&file->arena, likeness.device ? likeness.device : "");
    document_show_trace(document, playhead, run->trace);
    document_say_likeness(document);
}

void document_refuse_lesson(struct document *document, struct playhead *playhead, const struct error *error)
{
    refuse(document, playhead, error->file, error);
    struct open_file *file = &document->file;
    size_t const folder = strlen(file->path) - strlen(file->name);
    const char *lesson = path_name(arena_text_n(&file->arena, file->path, folder ? folder - 1 : 0));
    file->name = arena_format(&file->arena, "%s/%s", lesson, file->name);
    file->of_lesson = true;
}

bool kernel_show(struct document *document, struct playhead *playhead, struct kernel_work *work)
{
    const struct error *error = &work->error;
    bool opened = true;
    document->failed = work->good ? (struct error){0} : *error;
    if (work->good) {
        show_run(document, playhead, &work->arena, &work->original, &work->request, work->run, &work->guess);
        kernel_form_note(document, work);
        if (work->run->exhausted)
            notice_say(document->notice,
                       _("stopped after %llu of %llu {block|blocks}: the launch takes too long for the window"),
                       (unsigned long long)work->run->blocks_run, (unsigned long long)work->run->blocks);
        if (work->fault.kind)
            notice_say(document->notice, _("on the GPU: %s; this picture shows the emulator's run"),
                       work->fault.message);
    } else if (error->kind == ERROR_MISSING) { /* this computer lacks something: the open document stays */
        notice_error(document->notice, error);
        opened = false;
    } else {
        refuse(document, playhead, work->request.path, error);
        document->file.request = run_file_copy(&document->file.arena, &work->original);
    }
    if (opened)
        document->file.sources = work->sources;
    arena_free(&work->arena);
    return opened;
}

bool document_open_kernel(struct document *document, struct playhead *playhead, const struct run_file_request *given,
                          enum executor executor)
{
    struct kernel_work work;
    kernel_prepare(&work, document, given, executor); /* the original may be freed by what follows */
    if (work.patience <= 0)
        work.request.options.cancel = document->ended; /* the window waits, and only its end can end this */
    kernel_make(&work);
    return kernel_show(document, playhead, &work);
}

void document_flip_file(struct document *document, struct playhead *playhead)
{
    uint64_t const block = document->block;
    struct playback_place place = {0};
    bool const placed = document->playback && document->playback->count;
    bool const to_gpu = document->file.run->executor != EXECUTOR_GPU;
    if (placed)
        place = playback_place(document->playback, playhead->position);
    playhead->playing = false;
    document_open_kernel(document, playhead, &document->file.request, to_gpu ? EXECUTOR_GPU : EXECUTOR_EMULATOR);
    if (to_gpu && document->failed.kind == ERROR_MISSING)
        notice_say(document->notice, _("only the emulator can run this here: %s"), document->failed.message);
    if (!placed || document->failed.kind)
        return;
    document_show_block(document, playhead, block);
    if (document->playback->count)
        playhead->position = playback_find_place(document->playback, &place);
}
