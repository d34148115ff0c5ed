/* The work of a kernel's run: what it takes from the document, and the run itself, on any thread. */
#include "base/file.h"
#include "document/kernel_form.h"
#include "program/sources.h"
#include "recording/counters.h"
#include <stdlib.h>
#include <string.h>

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

/* Cancels a run that takes too long: where nothing works beside the window, nobody can stop it. */
static void look_at_clock(void *context, const struct executor_progress *at)
{
    struct kernel_work *work = context;
    (void)at;
    work->late = clock_seconds() > work->until;
    if (work->late)
        atomic_store(&work->cancel, true);
}

static bool refuse_late(struct kernel_work *work)
{
    if (work->good)
        run_free(work->run);
    work->run = NULL;
    work->good = false;
    error_at(&work->error, ERROR_RUN, work->original.path, 0, 0, "runs for more than %.0f seconds", work->patience);
    return error_remedy(&work->error, "a page waits no longer: make the launch smaller, or open it on a computer");
}

void kernel_prepare(struct kernel_work *work, const struct document *document, const struct run_file_request *asked,
                    enum executor executor)
{
    struct program_sources sources;
    *work = (struct kernel_work){.good = false};
    program_sources_find(&work->arena, asked->path, &sources);
    work->sources = sources.digest;
    work->original = run_file_copy(&work->arena, asked);
    work->request = request_of(document, &work->original, executor);
    work->request.options.cancel = &work->cancel;
    work->patience = document->patience;
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
    if (work->patience > 0) {
        work->until = clock_seconds() + work->patience;
        work->request.options.progress = look_at_clock;
        work->request.options.progress_context = work;
    }
    work->good = run_kernel(&work->request, &work->run, &work->fault, &work->error);
    if (work->late)
        refuse_late(work);
}

void kernel_join(struct kernel_again *again, const struct app_worker *worker)
{
    if (again->task)
        worker->join(worker->context, again->task);
    again->task = NULL;
}

void document_forget_kernel(struct document *document)
{
    struct kernel_again *again = document->kernel;
    document->kernel = NULL;
    if (!again)
        return;
    atomic_store(&again->work.cancel, true);
    kernel_join(again, document->worker);
    if (again->work.good)
        run_free(again->work.run);
    arena_free(&again->work.arena);
    free(again);
}
