/* The build and the run of a program, beside the window. */
#include "app/document/program.h"
#include "base/file.h"
#include "program/sources.h"
#include <stdlib.h>
#include <string.h>

static void work(void *argument)
{
    struct open_program *program = argument;
    struct program_work *work = &program->work;
    const struct run_file_request *request = &program->asked.request;
    struct program_built built;
    char *source = NULL;
    struct program_build_request const build = {
        .files = &request->path, .file_count = 1, .defines = request->defines, .define_count = request->define_count};
    work->source_name = path_name(request->path);
    if (file_read(&work->arena, request->path, &source, NULL, NULL))
        work->source = source;
    if (!program_build(&work->arena, &build, &built, &work->error)) {
        const char *wrong = work->error.file;
        if (*wrong && !file_same(wrong, request->path) && file_read(&work->arena, wrong, &source, NULL, NULL)) {
            work->source = source;
            work->source_name = arena_text(&work->arena, path_name(wrong));
        }
        return;
    }
    atomic_store(&work->built, true);
    struct program_run_request const run = {.path = built.path,
                                            .arguments = program->asked.arguments,
                                            .argument_count = program->asked.argument_count,
                                            .checks = {.memory = true, .races = true, .values = true},
                                            .folder = program->asked.folder,
                                            .limits = {.seconds = program->asked.seconds},
                                            .blocks = program->blocks,
                                            .record_all = true,
                                            .gpu = program->gpu,
                                            .cancel = &work->cancel};
    work->good = program_run(&run, &work->run, &work->error);
}

void program_begin(struct open_program *program, const struct app_worker *worker)
{
    struct program_work *now = &program->work;
    if (now->started) {
        now->anew = true;
        program_cancel(program);
        return;
    }
    arena_free(&now->arena);
    *now = (struct program_work){.started = true, .begin_s = clock_seconds()};
    struct program_sources sources;
    program_sources_find(&now->arena, program->asked.request.path, &sources);
    now->sources = sources.digest;
    if (worker->start)
        now->task = worker->start(worker->context, work, program);
}

bool program_ended(struct open_program *program, const struct app_worker *worker)
{
    struct program_work *now = &program->work;
    if (!now->started || (now->task && !worker->finished(worker->context, now->task)))
        return false;
    if (now->task)
        worker->join(worker->context, now->task);
    else
        work(program);
    now->task = NULL;
    now->started = false;
    return true;
}

void program_cancel(struct open_program *program)
{
    atomic_store(&program->work.cancel, true);
}

void program_close(struct open_program *program, const struct app_worker *worker)
{
    if (!program)
        return;
    program_cancel(program);
    if (program->work.task)
        worker->join(worker->context, program->work.task);
    program_run_free(program->work.run);
    if (program->run != program->work.run)
        program_run_free(program->run);
    arena_free(&program->work.arena);
    arena_free(&program->source_arena);
    arena_free(&program->run_arena);
    arena_free(&program->arena);
    free(program);
}
