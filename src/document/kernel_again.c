/* A kernel's file that runs again, beside the window. */
#include "base/file.h"
#include "document/kernel.h"
#include "document/stay.h"
#include <stdlib.h>

static void make(void *argument)
{
    kernel_make(argument);
}

void document_rerun_kernel(struct document *document)
{
    const struct open_file *file = &document->file;
    enum executor const executor = document->look.executor;
    if (document->kernel) {
        document->kernel->anew = true;
        atomic_store(&document->kernel->work.cancel, true);
        return;
    }
    struct kernel_again *again = calloc(1, sizeof *again);
    if (!again)
        return;
    kernel_prepare(&again->work, document, &file->request,
                   file->run                        ? file->run->executor
                   : executor == EXECUTOR_RECORDING ? EXECUTOR_BEST
                                                    : executor);
    if (document->worker->start)
        again->task = document->worker->start(document->worker->context, make, &again->work);
    document->kernel = again;
}

/* Keeps the last run on screen, and notes why the source that is newer has none. */
static void keep_run(struct document *document, struct kernel_work *work)
{
    struct open_file *file = &document->file;
    const char *path = *work->error.file ? work->error.file : file->path;
    char *text = NULL;
    if (!file_read(&file->arena, path, &text, NULL, NULL))
        text = NULL;
    file->failed = document->failed = work->error;
    file->newer = text ? text : "";
    file->newer_name = path_name(arena_text(&file->arena, path));
    file->sources = work->sources;
    document->opened++;
    notice_clear(document->notice);
    document_say_stale(document);
    arena_free(&work->arena);
}

static void show(struct document *document, struct playhead *playhead, struct kernel_work *work)
{
    struct arena arena = {0};
    if (!work->good && document->file.run) {
        keep_run(document, work);
        return;
    }
    struct stay const stay = stay_here(document, playhead, &arena);
    if (kernel_show(document, playhead, work) && !document->file.refused) {
        const char *gone = stay_again(document, playhead, &stay, &arena);
        if (*gone)
            notice_pass(document->notice, "%s", gone);
    }
    arena_free(&arena);
}

bool document_follow_kernel(struct document *document, struct playhead *playhead)
{
    struct kernel_again *again = document->kernel;
    if (!again || (again->task && !document->worker->finished(document->worker->context, again->task)))
        return false;
    if (!again->task)
        make(&again->work);
    kernel_join(again, document->worker);
    if (again->anew) {
        document_forget_kernel(document);
        document_rerun_kernel(document);
        return false;
    }
    document->kernel = NULL;
    show(document, playhead, &again->work);
    free(again);
    return true;
}
