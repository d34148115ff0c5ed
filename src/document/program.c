/* A program in the window: the list of its calls, and the lanes of one of its launches. */
#include "document/program.h"
#include "document/stay.h"
#include "program/sources.h"
#include <stdlib.h>
#include <string.h>

/* The blocks of each launch that are recorded: enough to see neighbours, few enough for a trace of each launch. */
static struct launch_blocks const recorded = {0, 15};

/* Begins the file anew. The program stays. */
static struct open_file *begin(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    document->program = NULL;
    struct open_file *file = document_begin_file(document, playhead, program->start.request.path);
    document->program = program;
    if (program->source)
        file->source = arena_text(&file->arena, program->source);
    return file;
}

void document_open_program(struct document *document, struct playhead *playhead, const struct program_start *asked)
{
    struct open_program *program = calloc(1, sizeof *program);
    if (!program)
        return;
    const char **arguments = arena_array(&program->arena, const char *, asked->argument_count + 1);
    for (size_t i = 0; i < asked->argument_count; i++)
        arguments[i] = arena_text(&program->arena, asked->arguments[i]);
    program->start = (struct program_start){.request = run_file_copy(&program->arena, &asked->request),
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
    program_note_advice(document->program);
}

/* Returns the mistake of a launch that covers too few elements, or NULL. The other mistakes of a launch come with a
 * finding, or keep it from running. */
static const struct mistake *uncovered_by(const struct program_run *run, uint32_t call)
{
    for (uint32_t i = 0; i < run->mistake_count; i++)
        if (run->mistakes[i].kind == MISTAKE_UNCOVERED && run->mistakes[i].index == call)
            return &run->mistakes[i];
    return NULL;
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
    struct open_file *file = begin(document, playhead);
    file->causes = causes_find(&file->arena, program->run, &program->run->launches[launch], trace);
    file->mistake = uncovered_by(program->run, program->items[index].call);
    const struct run_file_request *request = &program->start.request;
    file->variables = program_launch_variables(&file->arena, &program->run->launches[launch], trace, request->defines,
                                               request->define_count, &file->variable_count);
    document_show_trace(document, playhead, trace);
    if (program_launch_counts(&trace->arena, &program->run->launches[launch], trace, &document->file.counts))
        document->file.counted = LAUNCH_ALL_BLOCKS;
    document->file.caches = program_launch_caches(&trace->arena, &program->run->launches[launch], trace);
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
    program_note_advice(program);
}

void document_turn_calls(struct document *document)
{
    struct open_program *program = document->program;
    uint32_t const call = program->count ? program->items[program->chosen].call : 0;
    program->all_calls = !program->all_calls;
    program_items(program);
    program->chosen = 0;
    while (program->chosen + 1 < program->count && program->items[program->chosen].call < call)
        program->chosen++;
    program_note_advice(program);
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

/* Takes over the text of the newest build, and the hash of all its files. */
static void note_source(struct open_program *program)
{
    const struct program_work *work = &program->work;
    arena_free(&program->source_arena);
    program->source = arena_text(&program->source_arena, work->source ? work->source : "");
    program->source_name = arena_text(&program->source_arena, work->source_name ? work->source_name : "");
    what_if_note_source(&program->what_if, work->own ? work->own : "", &program->start.request);
}

/* What was on screen, for the next run. */
struct left {
    struct stay stay;
    bool launch; /* its lanes, not the list */
    uint64_t number;
    const char *name;  /* of the call, or of the launch's kernel */
    uint32_t line;     /* where it was called, in the new source */
    size_t index, nth; /* nth: of the calls of this name */
};

static struct left leave(struct document *document, const struct playhead *playhead, const char *source,
                         struct arena *arena)
{
    const struct open_program *program = document->program;
    struct left left = {.stay = stay_here(document, playhead, arena), .index = program->chosen};
    if (program->chosen >= program->count)
        return left;
    const struct program_item *item = &program->items[program->chosen];
    bool exact;
    left.launch = program->shown != 0;
    left.number = item->launch;
    left.name = arena_text(arena, item->name);
    left.line = program_line_after(program->source ? program->source : "", source, item->line, &exact);
    for (size_t i = 0; i < program->chosen; i++)
        left.nth += strcmp(program->items[i].name, item->name) == 0;
    return left;
}

/* Returns the same call of the new run: the one with its name and number that is nearest in the source. */
static size_t find_call(const struct open_program *program, const struct left *left)
{
    size_t best = SIZE_MAX, nth = 0;
    uint64_t distance = UINT64_MAX;
    for (size_t i = 0; i < program->count; i++) {
        const struct program_item *item = &program->items[i];
        if (strcmp(item->name, left->name) != 0)
            continue;
        uint64_t const lines = item->line > left->line ? item->line - left->line : left->line - item->line;
        uint64_t const calls = nth > left->nth ? nth - left->nth : left->nth - nth, away = lines * 1000000 + calls;
        nth++;
        if (away >= distance)
            continue;
        distance = away;
        best = i;
    }
    return best;
}

/* Returns the launch to open in place of one whose kernel is not launched any more: the nearest by number. */
static size_t nearest_launch(const struct open_program *program, uint64_t number)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < program->count; i++)
        if (program->items[i].opens && (best == SIZE_MAX || program->items[i].launch <= number))
            best = i;
    return best;
}

/* Opens the place that was left, or the nearest, and says so. */
static void come_back(struct document *document, struct playhead *playhead, const struct left *left,
                      struct arena *arena)
{
    struct open_program *program = document->program;
    size_t call = left->name ? find_call(program, left) : SIZE_MAX;
    bool const found = call != SIZE_MAX;
    program->chosen = found ? call : left->index < program->count ? left->index : first_call(program);
    if (left->launch && !found)
        call = nearest_launch(program, left->number);
    if (!left->launch || call == SIZE_MAX || !document_open_launch(document, playhead, call)) {
        begin(document, playhead);
        if (left->launch)
            notice_pass(document->notice, _("launch %llu is not in this run any more"),
                        (unsigned long long)left->number);
        return;
    }
    const char *gone = stay_again(document, playhead, &left->stay, arena);
    if (!found)
        notice_pass(document->notice, _("launch %llu is not in this run any more; this is launch %llu"),
                    (unsigned long long)left->number, (unsigned long long)program->items[call].launch);
    else if (*gone)
        notice_pass(document->notice, "%s", gone);
}

/* Takes over the first run: it opens at the launch that was asked for, else at its first mistake. */
static void take_first(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    uint64_t const launch = program->start.launch;
    program->chosen = first_call(program);
    for (size_t i = 0; i < program->count && launch; i++)
        if (program->items[i].launch == launch && document_open_launch(document, playhead, i))
            return;
    begin(document, playhead);
}

/* Takes over the new run, at the same launch, block, warp and access as far as it has them. */
static void take_run(struct document *document, struct playhead *playhead, bool edited)
{
    struct open_program *program = document->program;
    struct program_work *work = &program->work;
    struct arena arena = {0};
    bool const again = program->run != NULL;
    struct left left = {0};
    if (again)
        left = leave(document, playhead, work->source ? work->source : "", &arena);
    program_forget_advice(program);
    program_run_free(program->run);
    program->run = work->run;
    work->run = NULL;
    note_source(program);
    what_if_note_run(&program->what_if, program->run, work->turn_count > 0, edited);
    program_items(program);
    program->shown = 0;
    if (again)
        come_back(document, playhead, &left, &arena);
    else
        take_first(document, playhead);
    program_note_advice(program);
    arena_free(&arena);
}

/* Shows why the program could not be built: alone, or above the last run. */
static void take_failure(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    note_source(program);
    notice_clear_passing(document->notice);
    if (!program->shown) {
        struct open_file *file = begin(document, playhead);
        file->refused = program->run == NULL;
        file->error = program->failed;
    }
    document_say_stale(document);
}

bool document_follow_program(struct document *document, struct playhead *playhead)
{
    struct open_program *program = document->program;
    if (!program || !program_ended(program, document->worker))
        return false;
    struct program_work *work = &program->work;
    bool const unbuilt = !work->good && atomic_load(&work->cancel); /* the compiler was stopped */
    bool const stopped = work->good && work->run->end == PROGRAM_CANCELLED;
    if (work->anew || unbuilt || (stopped && program->run)) { /* the last run stays */
        program_run_free(work->run);
        work->run = NULL;
        program->sources = work->sources;
        notice_clear_passing(document->notice);
        if (work->anew)
            program_begin(program, document->worker);
        else if (program->run)
            notice_pass(document->notice, "%s", _("stopped: this is the run before"));
        return true;
    }
    bool const edited = strcmp(program->ran_sources.text, work->sources.text) != 0;
    program->sources = work->sources;
    if (work->good)
        program->ran_sources = work->sources;
    program->failed = work->good ? (struct error){0} : work->error;
    document->failed = program->failed;
    document->opened++;
    if (work->good)
        take_run(document, playhead, edited);
    else
        take_failure(document, playhead);
    return true;
}

void document_rerun_program(struct document *document)
{
    program_begin(document->program, document->worker);
}
