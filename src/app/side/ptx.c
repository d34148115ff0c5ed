/* The PTX of the run on screen: all of it where the program is known, else the instructions that the trace names. */
#include "app/side/side.h"
#include "ptx/listing.h"

/* Returns how often warps executed an instruction: known for each on the emulator, else for what makes events. */
static bool executed_of(const struct run *run, const struct counts *counts, const struct ptx_row *row, uint64_t *times)
{
    uint32_t const site = row->instruction->site;
    if (run->executed) {
        uint64_t const *list = run->executed[row->function - run->program->functions];
        *times = list ? list[row->instruction - row->function->instructions] : 0;
        return true;
    }
    *times = counts && site < counts->site_count ? counts->sites[site].requests : 0;
    return counts && site < counts->site_count;
}

static void take_program(struct code_ptx *ptx, const struct run *run, const struct counts *counts, uint32_t site,
                         struct arena *arena)
{
    const struct ptx_function *kernel = ptx_kernel(run->program, run->trace->kernel);
    if (!kernel)
        return;
    struct ptx_listing const listing = ptx_listing_of(arena, run->program, kernel);
    struct code_ptx_row *rows = arena_array(arena, struct code_ptx_row, (size_t)listing.count + 1);
    for (uint32_t i = 0; i < listing.count; i++) {
        const struct ptx_row *from = &listing.rows[i];
        rows[i] = (struct code_ptx_row){.text = from->text, .label = !from->instruction, .site = PTX_NO_INDEX};
        if (!from->instruction)
            continue;
        rows[i].line = from->instruction->line;
        rows[i].column = from->instruction->column;
        rows[i].call_line = from->instruction->call_line;
        rows[i].site = from->instruction->site;
        rows[i].counted = executed_of(run, counts, from, &rows[i].executed);
        if (site != PTX_NO_INDEX && rows[i].site == site)
            ptx->current = i + 1;
    }
    ptx->rows = rows;
    ptx->count = listing.count;
    ptx->events_only = !run->executed;
}

static void take_trace(struct code_ptx *ptx, const struct trace *trace, const struct counts *counts, uint32_t site,
                       struct arena *arena)
{
    struct code_ptx_row *rows = arena_array(arena, struct code_ptx_row, (size_t)trace->site_count + 1);
    for (uint32_t i = 0; i < trace->site_count; i++)
        rows[i] = (struct code_ptx_row){.text = trace->sites[i].text,
                                        .line = trace->sites[i].line,
                                        .column = trace->sites[i].column,
                                        .site = i,
                                        .counted = counts && i < counts->site_count,
                                        .executed = counts && i < counts->site_count ? counts->sites[i].requests : 0};
    ptx->rows = rows;
    ptx->count = trace->site_count;
    ptx->partly = ptx->events_only = true;
    ptx->current = site < trace->site_count ? site + 1 : 0;
}

const struct code_ptx *ptx_now(const struct drawing *drawing, const struct scene *scene, uint32_t line)
{
    const struct document *document = drawing->document;
    const struct run *run = document_run(document);
    const struct trace *trace = document->playback ? document->playback->trace : NULL;
    const struct counts *counts = document->run ? &document->run->counts : &document->file.counts;
    const struct reading *reading = &document->reading;
    if (!document->ptx || !trace)
        return NULL;
    struct code_ptx *ptx = arena_new(drawing->arena, struct code_ptx);
    uint32_t const site = scene && scene->event ? scene->event->site : PTX_NO_INDEX;
    if (run && run->program)
        take_program(ptx, run, counts, site, drawing->arena);
    else
        take_trace(ptx, trace, counts, site, drawing->arena);
    bool const here = reading->ptx_at == line;
    ptx->lit = here ? reading->lit_row : 0;
    ptx->first = here ? reading->ptx : 0;
    return ptx;
}
