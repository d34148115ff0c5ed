/* What is opened by hand: a recorded trace, or a kernel that is run now, with both checks on. A kernel that cannot run
 * is shown all the same, with the line that stands in its way. */
#include "base/file.h"
#include "app/state.h"
#include "recording/counters.h"
#include <inttypes.h>
#include <string.h>

void app_close_file(struct app *app)
{
    struct open_file *file = &app->file;
    if (file->run)
        run_free(file->run); /* and its trace */
    else if (file->trace)
        trace_free(file->trace);
    arena_free(&file->arena);
    *file = (struct open_file){0};
    app->finding = -1;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static struct open_file *begin(struct app *app, const char *path)
{
    const char *whole = arena_text(&app->frame, path);
    app_close_lesson(app);
    struct open_file *file = &app->file;
    file->path = arena_text(&file->arena, whole);
    file->name = file_name(file->path);
    app->screen = SCREEN_TRACE;
    app->notice[0] = 0;
    app->notice_bad = false;
    return file;
}

/* On a GPU another block may be the first to do something at each run. */
static uint64_t lowest_block(const struct trace *trace)
{
    uint64_t lowest = trace->events.count ? trace->events.items[0].block : 0;
    for (size_t i = 1; i < trace->events.count; i++)
        if (trace->events.items[i].block < lowest)
            lowest = trace->events.items[i].block;
    return lowest;
}

/* At the first finding, else at the lowest block's first access. */
static void show_trace(struct app *app, struct trace *trace)
{
    app->file.trace = trace;
    counts_of_trace(trace, &trace->arena, &app->file.counts);
    app_build_playback(app, trace, lowest_block(trace));
    app->opening_block = app->block;
    app->position = app->beat_position = app->opening_position = playback_access(app->playback, 1);
    struct report const report = app_report(app);
    if (report_count(&report)) {
        app_go_finding(app, 0, 0);
        app->beat_position = app->opening_position = app->position;
        app->opening_block = app->block;
    }
    if (trace->lost)
        app_say(app, _("the record is full (events lost: %" PRIu64 "); record fewer blocks"), trace->lost);
}

bool app_open_trace(struct app *app, const char *path, struct error *error)
{
    struct trace *trace = NULL;
    if (!trace_read(path, &trace, error))
        return false;
    begin(app, path);
    show_trace(app, trace);
    return true;
}

static const char *shape_text(struct arena *arena, const char *option, const uint32_t shape[3])
{
    if (shape[2] > 1)
        return arena_format(arena, "--%s %u,%u,%u", option, shape[0], shape[1], shape[2]);
    return shape[1] > 1 ? arena_format(arena, "--%s %u,%u", option, shape[0], shape[1])
                        : arena_format(arena, "--%s %u", option, shape[0]);
}

/* The launch as options of the command line. */
static const char *launch_text(struct arena *arena, const struct run_file_request *request, const struct trace *trace)
{
    const char *text =
        arena_format(arena, "%s %s", shape_text(arena, "grid", trace->grid), shape_text(arena, "block", trace->block));
    if (request->kernel)
        text = arena_format(arena, "--kernel %s %s", request->kernel, text);
    if (request->shared_bytes)
        text = arena_format(arena, "%s --shared %u", text, request->shared_bytes);
    for (size_t i = 0; i < request->define_count; i++)
        text = arena_format(arena, "%s -D %s=%s", text, request->defines[i].name, request->defines[i].value);
    for (size_t i = 0; i < request->argument_count; i++)
        text = arena_format(arena, "%s --arg %s", text, request->arguments[i]);
    return text;
}

static void refuse(struct app *app, const char *path, const struct error *error)
{
    struct error const why = *error; /* it may lie in what is closed now */
    struct open_file *file = begin(app, path);
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

/* A GPU says that a kernel faulted, or that it did not end; the emulator shows where. fault: what the GPU said, or kind
 * ERROR_NONE. */
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

static struct run_file_request copy_request(struct arena *arena, const struct run_file_request *from)
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

/* The run held against what is open, when that is the same launch by the other executor. */
static struct likeness compare_with_open(struct app *app, struct arena *arena, const struct run_file_request *request,
                                         const struct run *run)
{
    const struct open_file *file = &app->file;
    if (!file->run || (file->run->executor == EXECUTOR_GPU) == (run->executor == EXECUTOR_GPU) ||
        strcmp(file->path, request->path) != 0 || strcmp(file->launch, launch_text(arena, request, run->trace)) != 0)
        return (struct likeness){.verdict = LIKE_UNKNOWN};
    bool const gpu = run->executor == EXECUTOR_GPU;
    return app_compare_traces(arena, gpu ? file->run->trace : run->trace, gpu ? run->trace : file->run->trace);
}

static void open_kernel(struct app *app, const struct run_file_request *given, enum executor executor)
{
    enum { BUDGET = 50000000 }; /* a second or two: the window waits for it */
    struct arena arena = {0};
    struct run_file_request const asked = copy_request(&arena, given); /* it may lie in what is closed now */
    struct run_file_request request = asked;
    struct run *run = NULL;
    struct error error, fault;
    bool assumed = false;
    request.options.recorded = app->blocks_chosen ? app->blocks : LAUNCH_ALL_BLOCKS;
    request.options.run_recorded_only = app->blocks_chosen;
    request.options.checks = (struct launch_checks){true, true, true};
    request.options.executor = executor;
    request.options.gpu = app->gpu;
    request.options.dram = app->dram;
    request.options.budget = request.options.budget ? request.options.budget : BUDGET;
    bool const launched = app_guess_launch(&arena, &request, &assumed, &error);
    app->failed = (struct error){0};
    if (!launched || !run_kernel(&request, &run, &fault, &error)) {
        app->failed = error;
        if (error.kind == ERROR_MISSING) /* this machine's fault, not the kernel's: what is open stays */
            app_say_error(app, &error);
        else
            refuse(app, request.path, &error);
    } else {
        struct likeness const likeness = compare_with_open(app, &arena, &request, run);
        struct open_file *file = begin(app, request.path);
        file->run = run;
        file->launch = launch_text(&file->arena, &request, run->trace);
        file->assumed = assumed;
        file->request = copy_request(&file->arena, &asked);
        file->likeness = likeness;
        file->likeness.device = arena_text(&file->arena, likeness.device ? likeness.device : "");
        show_trace(app, run->trace);
        app_say_likeness(app);
        if (fault.kind)
            app_say(app, _("on the GPU: %s; this picture shows the emulator's run"), fault.message);
    }
    arena_free(&arena);
}

void app_seek_wanted(struct app *app, const struct place_wanted *place)
{
    if (place->block_chosen)
        app_show_block(app, place->block);
    if (place->block_chosen && app->block != place->block)
        app_say(app, _("block %llu was not recorded"), (unsigned long long)place->block);
    if (place->access <= 0 || !app->playback || !app->playback->count)
        return;
    uint32_t number = (uint32_t)place->access;
    size_t position = number <= app->playback->access_count ? playback_access(app->playback, number)
                                                            : number - app->playback->access_count - 1;
    app_seek(app, position < app->playback->count ? position : app->playback->count - 1, false);
}

static void open_and_seek(struct app *app, const struct run_file_request *request, const struct place_wanted *place)
{
    open_kernel(app, request, app->executor == EXECUTOR_RECORDING ? EXECUTOR_BEST : app->executor);
    app_seek_wanted(app, place);
}

void app_open_kernel(struct app *app, const struct run_file_request *request, const struct place_wanted *place)
{
    if (!app->host.attended) {
        open_and_seek(app, request, place);
        return;
    }
    struct awaited *awaited = &app->awaited;
    arena_reset(&awaited->arena);
    awaited->request = copy_request(&awaited->arena, request);
    awaited->place = *place;
    awaited->here = true;
    awaited->told = false;
    app_say(app, _("running %s …"), file_name(awaited->request.path));
}

void app_open_awaited(struct app *app)
{
    struct awaited *awaited = &app->awaited;
    if (awaited->told) {
        awaited->here = awaited->told = false;
        app->notice[0] = 0;
        open_and_seek(app, &awaited->request, &awaited->place);
    }
    awaited->told = awaited->here;
}

void app_flip_file(struct app *app)
{
    uint64_t const block = app->block;
    struct playback_place place = {0};
    bool const placed = app->playback && app->playback->count;
    bool const to_gpu = app->file.run->executor != EXECUTOR_GPU;
    if (placed)
        place = playback_place(app->playback, app->position);
    app->playing = false;
    open_kernel(app, &app->file.request, to_gpu ? EXECUTOR_GPU : EXECUTOR_EMULATOR);
    if (to_gpu && app->failed.kind == ERROR_MISSING)
        app_say(app, _("only the emulator can run this here: %s"), app->failed.message);
    if (!placed || app->failed.kind)
        return;
    app_show_block(app, block);
    if (app->playback->count)
        app->position = playback_find_place(app->playback, &place);
}
