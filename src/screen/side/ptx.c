/* The PTX of the run on screen: all of it where the program is known, else the instructions that the trace names. */
#include "base/words.h"
#include "ptx/listing.h"
#include "screen/side/side.h"
#include "screen/side/way.h"

/* Returns how often warps executed an instruction: known for each on the emulator, else for what makes events. */
static bool executed_of(const struct run *run, const struct counts *counts, const struct ptx_row *row, uint64_t *times)
{
    uint32_t const site = row->instruction->site;
    if (run->executed) {
        uint64_t const *list = run->executed[row->function - run->module->functions];
        *times = list ? list[row->instruction - row->function->instructions] : 0;
        return true;
    }
    *times = counts && site < counts->site_count ? counts->sites[site].requests : 0;
    return counts && site < counts->site_count;
}

static struct code_ptx_row *take_program(struct code_ptx *ptx, const struct run *run, const struct counts *counts,
                                         uint32_t site, struct arena *arena)
{
    const struct ptx_function *kernel = ptx_kernel(run->module, run->trace->kernel);
    if (!kernel)
        return NULL;
    struct ptx_listing const listing = ptx_listing_of(arena, run->module, kernel);
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
    return rows;
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

/* Returns the lane whose way is shown: the one under the mouse, else the pinned one, else the first active one. */
static int lane_of(const struct drawing *drawing, uint32_t mask)
{
    uint32_t const wanted[] = {drawing->document->pinned, drawing->hot};
    uint32_t shown = mask;
    for (int i = 0; i < 2; i++)
        if ((wanted[i] & mask) && !(wanted[i] & (wanted[i] - 1)))
            shown = wanted[i];
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (shown >> lane & 1)
            return lane;
    return 0;
}

static void take_way(struct code_ptx *ptx, struct code_ptx_row *rows, const struct drawing *drawing,
                     const struct scene *scene)
{
    struct arena *arena = drawing->arena;
    const struct run *run = document_run(drawing->document);
    if (!rows || !scene || !scene->event || document_asks(drawing->document))
        return;
    const struct lane_way *from = way_of_lane(run, scene, lane_of(drawing, scene->event->mask), arena);
    if (!from)
        return;
    struct ptx_listing const listing = ptx_listing_of(arena, run->module, from->kernel);
    for (uint32_t i = 0; i < ptx->count && i < listing.count; i++)
        if (listing.rows[i].instruction && listing.rows[i].function == from->kernel)
            rows[i].value = from->values[listing.rows[i].instruction - from->kernel->instructions];
    struct code_way *way = arena_new(arena, struct code_way);
    const char *thread = arena_format(arena, "(%u, %u, %u)", from->thread[0], from->thread[1], from->thread[2]);
    bool const pinned = drawing->document->pinned == 1u << (unsigned)from->lane;
    way->title =
        arena_format(arena, pinned ? _("LANE %d, PINNED · thread %s") : _("LANE %d · thread %s"), from->lane, thread);
    way->formula = from->formula;
    way->numbers = from->numbers  ? arena_format(arena, "= %s\n= %s", from->numbers, from->result)
                   : from->result ? arena_format(arena, "= %s", from->result)
                                  : NULL;
    way->ends = from->ends;
    ptx->way = way;
}

const char *way_words(const struct drawing *drawing, const struct scene *scene)
{
    uint32_t const hot = drawing->hot;
    if (!hot || (hot & (hot - 1)) || !scene->event || document_asks(drawing->document))
        return NULL;
    const struct lane_way *way =
        way_of_lane(document_run(drawing->document), scene, lane_of(drawing, scene->event->mask), drawing->arena);
    if (!way || hot != 1u << (unsigned)way->lane)
        return NULL;
    return way->numbers ? arena_format(drawing->arena, "%s\n= %s", way->formula, way->numbers) : way->formula;
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
    if (run && run->module)
        take_way(ptx, take_program(ptx, run, counts, site, drawing->arena), drawing, scene);
    else
        take_trace(ptx, trace, counts, site, drawing->arena);
    bool const here = reading->ptx_at == line;
    ptx->lit = here ? reading->lit_row : 0;
    ptx->first = here ? reading->ptx : 0;
    return ptx;
}
