/* What the chosen launch of a list wastes most: a launch without a finding may still be slow. */
#include "document/program.h"
#include "model/explain.h"
#include "model/gpu.h"
#include <string.h>
#include <sys/stat.h>

/* The most bytes of a trace that is read while the user goes through the list. */
enum { TRACE_MOST = 32 << 20 };

void program_forget_advice(struct open_program *program)
{
    trace_free(program->advice.trace);
    arena_free(&program->advice.arena);
    program->advice = (struct program_advice){0};
}

static bool is_small(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_size <= TRACE_MOST;
}

static const struct explanation *first_blamed(const struct explain *explain)
{
    for (size_t i = 0; i < explain->count; i++)
        if (explain->items[i].blamed)
            return &explain->items[i];
    return NULL;
}

/* Marks the knob that tries the remedy of a kernel, if there is one. */
static void mark_trial(struct what_if *what_if, const struct explanation *item, const char *kernel)
{
    for (size_t i = 0; i < what_if->knobs.count && item && item->kind == EXPLAIN_EXCHANGED; i++) {
        const struct source_knob *knob = &what_if->knobs.items[i];
        if (knob->role == SOURCE_KNOB_EXCHANGE && strcmp(knob->kernel, kernel) == 0)
            what_if->current = (int)i;
    }
}

void program_note_advice(struct open_program *program)
{
    struct program_advice *advice = &program->advice;
    struct error error;
    const struct program_item *item = program->chosen < program->count ? &program->items[program->chosen] : NULL;
    if (!program->run || program->shown || !item || !item->opens || advice->launch == item->launch)
        return;
    const struct program_launch *launch = &program->run->launches[program->run->calls[item->call].launch];
    program_forget_advice(program);
    advice->launch = item->launch;
    if (!is_small(launch->trace_path) || !program_launch_trace(launch, &advice->trace, &error))
        return;
    struct arena *arena = &advice->arena;
    struct counts *counts = arena_new(arena, struct counts);
    struct occupancy_case *fit = arena_new(arena, struct occupancy_case);
    program_launch_counts(arena, launch, advice->trace, counts);
    bool const known = gpu_fit(arena, program->gpu, advice->trace, fit);
    advice->item = first_blamed(explain_new(arena, advice->trace, counts,
                                            program_launch_caches(arena, launch, advice->trace), known ? fit : NULL));
    mark_trial(&program->what_if, advice->item, launch->kernel);
}
