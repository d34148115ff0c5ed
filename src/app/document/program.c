/* A program in the window: the list of its calls, and the lanes of one of its launches. */
#include "app/document/program.h"
#include "app/document/document.h"
#include <stdlib.h>

/* The blocks of each launch that are recorded: enough to see neighbours, few enough for a trace of each launch. */
static struct launch_blocks const recorded = {0, 15};

/* Begins the file anew. The program stays. */
static struct open_file *begin(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    document->program = NULL;
    struct open_file *file = document_begin_file(document, playhead, program->asked.request.path);
    document->program = program;
    if (program->source)
        file->source = arena_text(&file->arena, program->source);
    return file;
}

void document_open_program(struct document *document, struct playhead *playhead, const struct program_asked *asked)
{
    struct open_program *program = calloc(1, sizeof *program);
    if (!program)
        return;
    const char **arguments = arena_array(&program->arena, const char *, asked->argument_count + 1);
    for (size_t i = 0; i < asked->argument_count; i++)
        arguments[i] = arena_text(&program->arena, asked->arguments[i]);
    program->asked = (struct program_asked){.request = document_copy_request(&program->arena, &asked->request),
                                            .arguments = arguments,
                                            .argument_count = asked->argument_count,
                                            .folder = asked->folder ? arena_text(&program->arena, asked->folder) : NULL,
                                            .seconds = asked->seconds,
                                            .launch = asked->launch};
    program->blocks = document->blocks_chosen ? document->blocks : recorded;
    program->gpu = document->gpu;
    document_close(document, playhead);
    document->failed = (struct error){0};
    document->program = program;
    begin(document, playhead);
    program_begin(program, document->worker);
}

/* Shows the list. */
void document_leave_launch(struct document *document, struct playhead *playhead)
{
    document->program->shown = 0;
    begin(document, playhead);
}

bool document_open_launch(struct document *document, struct playhead *playhead, size_t index)
{
    struct open_program *program = document->program;
    struct trace *trace;
    struct error error;
    uint32_t const launch =
        index < program->count ? program->run->calls[program->items[index].call].launch : PTX_NO_INDEX;
    if (launch == PTX_NO_INDEX || !program->items[index].opens)
        return false;
    if (!program_launch_trace(&program->run->launches[launch], &trace, &error)) {
        notice_error(document->notice, &error);
        return false;
    }
    begin(document, playhead);
    document_show_trace(document, playhead, trace);
    program->chosen = index;
    program->shown = program->items[index].launch;
    return true;
}

void document_go_call(struct document *document, struct playhead *playhead, size_t index, bool open)
{
    struct open_program *program = document->program;
    if (!program || index >= program->count)
        return;
    program->chosen = index;
    if (open && document_open_launch(document, playhead, index))
        return;
    if (open && program->items[index].kind == PROGRAM_LAUNCH && program->items[index].launch)
        notice_pass(document->notice, "%s", _("the lanes of this launch were not recorded: the first 64 launches are"));
    if (program->shown)
        document_leave_launch(document, playhead);
}

void document_step_launch(struct document *document, struct playhead *playhead, int direction)
{
    const struct open_program *program = document->program;
    for (size_t i = program->chosen; direction > 0 ? ++i < program->count : i-- > 0;)
        if (program->items[i].kind == PROGRAM_LAUNCH) {
            document_go_call(document, playhead, i, program->shown != 0);
            return;
        }
}

/* Returns the call that the list opens with: the first with a finding or a failure, else the first launch. */
static size_t first_call(const struct open_program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program_item_bad(&program->items[i]))
            return i;
    for (size_t i = 0; i < program->count; i++)
        if (program->items[i].kind == PROGRAM_LAUNCH)
            return i;
    return 0;
}

static size_t call_of_launch(const struct open_program *program, uint64_t launch)
{
    for (size_t i = 0; i < program->count; i++)
        if (launch && program->items[i].launch == launch)
            return i;
    return SIZE_MAX;
}

/* Takes over the new run. The first one opens at its first mistake; a later one at the same launch, block and access,
 * as far as it has them. */
static void take_run(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    bool const again = program->run != NULL;
    uint64_t const launch = again ? program->shown : program->asked.launch, block = document->block;
    struct playback_place place = {0};
    bool const placed = again && document->playback && document->playback->count;
    if (placed)
        place = playback_place(document->playback, playhead->position);
    program_run_free(program->run);
    program->run = program->work.run;
    program->work.run = NULL;
    program_items(program);
    if (!again || program->chosen >= program->count)
        program->chosen = first_call(program);
    program->shown = 0;
    size_t const call = call_of_launch(program, launch);
    if (call != SIZE_MAX && document_open_launch(document, playhead, call)) {
        if (placed)
            document_show_block(document, playhead, block);
        if (placed && document->playback && document->playback->count)
            playhead->position = playback_find_place(document->playback, &place);
        return;
    }
    begin(document, playhead);
}

/* Shows why the program could not be built: alone, or above the last run. */
static void take_failure(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    if (!program->shown) {
        struct open_file *file = begin(document, playhead);
        file->refused = program->run == NULL;
        file->error = program->failed;
    }
    if (program->run)
        notice_error(document->notice, &program->failed);
}

bool document_follow_program(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    if (!program || !program_ended(program, document->worker))
        return false;
    struct program_work *work = &program->work;
    arena_free(&program->source_arena);
    program->source = arena_text(&program->source_arena, work->source ? work->source : "");
    program->failed = work->good ? (struct error){0} : work->error;
    document->failed = program->failed;
    if (work->good)
        take_run(document, playhead);
    else
        take_failure(document, playhead);
    return true;
}

void document_rerun_program(struct document *document)
{
    program_begin(document->program, document->worker);
}
