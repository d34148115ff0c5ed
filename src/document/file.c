/* A file as a document: a recorded trace, or a kernel that runs now with both checks. A kernel that cannot run is shown
 * with the offending line. */
#include "base/file.h"
#include "document/kernel_form.h"
#include "program/sources.h"
#include "recording/counters.h"
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

static bool run_counted(struct run_file_request *request, struct run **run, struct error *error)
{
    if (!run_file(request, run, error))
        return false;
    counters_add(*run, request);
    return true;
}

/* Runs the kernel; if it faults or does not end on a GPU, the emulator runs it again to find the place. fault: the
 * GPU's error, or kind ERROR_NONE. */
static bool run_kernel(struct run_file_request *request, struct run **run, struct error *fault, struct error *error)
{
    *fault = (struct error){0};
    if (run_counted(request, run, error))
        return true;
    if (error->kind != ERROR_RUN || request->options.executor == EXECUTOR_EMULATOR)
        return false;
    *fault = *error;
    request->options.executor = EXECUTOR_EMULATOR;
    return run_counted(request, run, error);
}

struct run_file_request document_copy_request(struct arena *arena, const struct run_file_request *from)
{
    struct run_file_request copy = *from;
    const char **arguments = arena_array(arena, const char *, from->argument_count);
    struct compile_define *defines = arena_array(arena, struct compile_define, from->define_count);
    for (size_t i = 0; i < from->argument_count; i++)
        arguments[i] = arena_text(arena, from->arguments[i]);
    for (size_t i = 0; i < from->define_count; i++)
        defines[i] = (struct compile_define){arena_text(arena, from->defines[i].name),
                                             from->defines[i].value ? arena_text(arena, from->defines[i].value) : NULL};
    copy.path = arena_text(arena, from->path);
    copy.kernel = from->kernel ? arena_text(arena, from->kernel) : NULL;
    copy.arguments = arguments;
    copy.defines = defines;
    return copy;
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

static struct run_file_request request_of(const struct document *document, const struct run_file_request *asked,
                                          enum executor executor)
{
    enum { BUDGET = 50000000 }; /* a second or two: the window waits for it */
    struct run_file_request request = *asked;
    request.first_kernel = true;
    request.options.recorded = document->blocks_chosen ? document->blocks : LAUNCH_ALL_BLOCKS;
    request.options.run_recorded_only = document->blocks_chosen;
    request.options.checks = (struct launch_checks){true, true, true};
    request.options.executor = executor;
    request.options.gpu = document->gpu;
    request.options.dram = document->dram;
    request.options.budget = request.options.budget ? request.options.budget : BUDGET;
    return request;
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
    file->request = document_copy_request(&file->arena, asked);
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

void kernel_prepare(struct kernel_work *work, const struct document *document, const struct run_file_request *asked,
                    enum executor executor)
{
    struct program_sources sources;
    *work = (struct kernel_work){.good = false};
    program_sources_find(&work->arena, asked->path, &sources);
    work->sources = sources.digest;
    work->original = document_copy_request(&work->arena, asked);
    work->request = request_of(document, &work->original, executor);
    work->request.options.cancel = &work->cancel;
    const struct kernel_form *form = document->form;
    if (!form || strcmp(form->path, asked->path) != 0)
        return;
    work->edits = form->edits;
    work->turn_count = form->what_if.turn_count;
    memcpy(work->turns, form->what_if.turns, sizeof work->turns);
}

/* Puts the values of turned knobs into a copy of the source. */
static void turn_source(struct kernel_work *work)
{
    struct run_file_request *request = &work->request;
    struct source_knobs knobs;
    char *text;
    if (path_ends_with(request->path, ".ptx") || !file_read(&work->arena, request->path, &text, NULL, NULL))
        return;
    work->text = text;
    if (!work->turn_count)
        return;
    source_knobs_find(&work->arena, text, request->defines, request->define_count, &knobs);
    request->source = source_knobs_apply(&work->arena, text, &knobs, work->turns, work->turn_count);
}

void kernel_make(struct kernel_work *work)
{
    turn_source(work);
    work->good = launch_guess(&work->arena, &work->request, &work->guess, &work->error);
    if (!work->good)
        return;
    work->own = work->request;
    work->own_guess = work->guess;
    static const uint32_t one_block[3] = {1, 1, 1}, one_warp[3] = {32, 1, 1}; /* as run/file.c takes them */
    if (!work->own.grid[0])
        memcpy(work->own.grid, one_block, sizeof one_block);
    if (!work->own.block[0])
        memcpy(work->own.block, one_warp, sizeof one_warp);
    if (work->edits.count) {
        work->request = work->own;
        form_apply(&work->arena, &work->edits, &work->request, &work->guess);
    }
    work->good = run_kernel(&work->request, &work->run, &work->fault, &work->error);
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
        document->file.request = document_copy_request(&document->file.arena, &work->original);
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
    work.request.options.cancel = document->ended;    /* the window waits, and only its end can end this */
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
