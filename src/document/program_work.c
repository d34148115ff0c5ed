/* The build and the run of a program, beside the window. */
#include "base/file.h"
#include "document/program.h"
#include "program/sources.h"
#include "run/execute.h"
#include <stdlib.h>
#include <string.h>

/* Builds the file, or its copy with other values: that one finds the file's own headers, and says the file's name. */
static bool build(struct program_work *work, const struct run_file_request *request, struct program_built *built)
{
    struct arena *arena = &work->arena;
    const char *path = request->path, *whole = path_absolute(arena, path);
    const char *folder = arena_text_n(arena, whole, (size_t)(path_name(whole) - whole));
    const char *flags[] = {"-iquote", folder, ""};
    char *source = NULL;
    struct program_build_request asked = {.files = &path,
                                          .file_count = 1,
                                          .defines = request->defines,
                                          .define_count = request->define_count,
                                          .cancel = &work->cancel};
    if (file_read(arena, path, &source, NULL, NULL))
        work->own = work->source = source;
    if (work->turn_count && source) {
        path = what_if_write(arena, path, source, request, work->turns, work->turn_count, &work->source, &work->error);
        if (!path)
            return false;
    }
    if (path != request->path) {
        flags[2] = arena_format(arena, "-fmacro-prefix-map=%.*s=%s", (int)(path_name(path) - path), path, folder);
        asked.flags = flags;
        asked.flag_count = 3;
    }
    if (program_build(arena, &asked, built, &work->error))
        return true;
    if (path != request->path && file_same(work->error.file, path))
        snprintf(work->error.file, sizeof work->error.file, "%s", request->path);
    return false;
}

static void work(void *argument)
{
    struct open_program *program = argument;
    struct program_work *work = &program->work;
    const struct run_file_request *request = &program->start.request;
    struct program_built built;
    char *source = NULL;
    work->source_name = path_name(request->path);
    if (!build(work, request, &built)) {
        const char *wrong = work->error.file;
        if (*wrong && !file_same(wrong, request->path) && file_read(&work->arena, wrong, &source, NULL, NULL)) {
            work->source = source;
            work->source_name = arena_text(&work->arena, path_name(wrong));
        }
        return;
    }
    enum executor executor = request->options.executor; /* without --on the emulator, because it looks for mistakes */
    if (executor == EXECUTOR_GPU && !execute_choose(&executor, &work->error))
        return;
    atomic_store(&work->built, true);
    struct program_run_request const run = {.path = built.path,
                                            .arguments = program->start.arguments,
                                            .argument_count = program->start.argument_count,
                                            .checks = {.memory = true, .races = true, .values = true},
                                            .folder = program->start.folder,
                                            .limits = {.seconds = program->start.seconds},
                                            .blocks = program->blocks,
                                            .record_all = true,
                                            .gpu = program->gpu,
                                            .caches = request->options.caches,
                                            .on_gpu = executor == EXECUTOR_GPU,
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
    now->turn_count = program->what_if.turn_count;
    memcpy(now->turns, program->what_if.turns, sizeof now->turns);
    struct program_sources sources;
    program_sources_find(&now->arena, program->start.request.path, &sources);
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
    what_if_free(&program->what_if);
    program_forget_advice(program);
    arena_free(&program->source_arena);
    arena_free(&program->run_arena);
    arena_free(&program->arena);
    free(program);
}
