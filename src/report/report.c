/* Titles and advice, a row a kind; places and scope. */
#include "report/report.h"
#include "base/words.h"

static const struct kind_words {
    const char *word, *title, *advice; /* word: as in trace/findings.def */
} kinds[] = {
    [FINDING_OTHER] = {N_("other"), N_("other"), NULL},
    [FINDING_OUT_OF_BOUNDS] =
        {N_("out of bounds"), N_("out of bounds"),
         N_("The index leaves the array. Compare the very index that the access uses with the length: if (index < n)")},
    [FINDING_NULL_POINTER] = {N_("null pointer"), N_("null pointer"), N_("The pointer was never given any memory.")},
    [FINDING_MISALIGNED] =
        {N_("misaligned address"), N_("misaligned address"),
         N_("The address of a value must be a multiple of its size; a cast to a wider type does not align it.")},
    [FINDING_UNINITIALIZED] =
        {N_("uninitialized read"), N_("read before it was written"),
         N_("A thread must write this place first. Is an initialisation or a __syncthreads() missing?")},
    [FINDING_READ_ONLY] = {N_("write to read-only memory"), N_("write to constant memory"),
                           N_("__constant__ memory can only be read here.")},
    [FINDING_BARRIER] =
        {N_("barrier error"), N_("barrier error"),
         N_("Every thread of the block must reach the same __syncthreads(): take it out of the if, or the return "
            "before it.")},
    [FINDING_MASK] = {N_("mismatched mask"), N_("mismatched mask"),
                      N_("Every lane that the mask names must execute the same call, and no other lane may.")},
    [FINDING_ENDLESS_LOOP] =
        {N_("endless loop"), N_("endless loop"),
         N_("Look at the loop's condition: it may never change, or wait for a lock that no thread releases. "
            "--budget N lets a kernel run longer.")},
    [FINDING_DEADLOCK] = {N_("deadlock"), N_("deadlock"),
                          N_("Which thread should change this memory? A lock must be released, a flag must be set, and "
                             "all blocks that wait for each other must fit on the GPU at once.")},
    [FINDING_DIVISION] = {N_("division by zero"), N_("division by zero"),
                          N_("The GPU continues with a meaningless number.")},
    [FINDING_STACK_OVERFLOW] = {N_("stack overflow"), N_("stack overflow"),
                                N_("The recursion has no end, or is deeper than the thread's stack.")},
    [FINDING_STACK_POINTER] = {N_("invalid stack pointer"), N_("invalid stack pointer"), NULL},
    [FINDING_ASSERTION] = {N_("assertion failed"), N_("assertion failed"),
                           N_("The condition of assert() is false for this thread.")},
    [FINDING_TRAP] = {N_("trap"), N_("trap"), NULL},
    [FINDING_BRANCH] = {N_("illegal branch"), N_("illegal branch"), NULL},
    [FINDING_PROGRAM_COUNTER] = {N_("invalid program counter"), N_("call of no function"),
                                 N_("The function pointer holds no function.")},
    [FINDING_RACE] = {N_("race"), N_("race"), NULL},
};
_Static_assert(sizeof kinds / sizeof *kinds == FINDING_KINDS, "a kind a row");

uint32_t report_count(const struct report *report)
{
    return report->trace ? report->trace->finding_count : 0;
}

uint32_t report_rows(const struct report *report)
{
    return report_count(report) + (report->mistake != NULL);
}

const struct finding *report_finding(const struct report *report, uint32_t index)
{
    return &report->trace->findings[index];
}

const char *report_title(const struct finding *finding)
{
    return finding->kind == FINDING_OTHER ? finding_word(finding) : _(kinds[finding->kind].title);
}

const char *report_kind(const struct finding *finding)
{
    return finding->kind == FINDING_OTHER ? finding_word(finding) : _(kinds[finding->kind].word);
}

const char *report_summary(struct arena *arena, const struct finding *finding)
{
    if (!finding_is_race(finding))
        return report_message(arena, REPORT_TRANSLATED, finding);
    if (finding->form == FINDING_RACING_COPY)
        return finding->race.order == FINDING_READ_AFTER_WRITE
                   ? _("Read of a copy in flight: a thread reads a place before the copy to it has been waited for.")
                   : _("Write under a copy in flight: a thread writes a place before the copy to it has been waited "
                       "for.");
    switch (finding->race.order) {
    case FINDING_READ_AFTER_WRITE:
        return _("Read after write: one thread reads a value that another wrote, and nothing orders the two.");
    case FINDING_WRITE_AFTER_READ:
        return _("Write after read: one thread overwrites a value that another reads, and nothing orders the two.");
    default:
        return _("Write after write: two threads write the same place, and nothing orders the two.");
    }
}

/* Returns whether an index below 0 was taken for unsigned, and sets the index. The address is then nearly 2^32 elements
 * from the start. */
static bool wrapped_index(const struct trace *trace, const struct finding *finding, long long *index)
{
    const struct finding_memory *memory = &finding->memory;
    uint64_t offset = finding->address;
    if (finding->form == FINDING_TEXT || !memory->bytes)
        return false;
    for (uint32_t i = 0; i < trace->buffer_count && memory->space == PTX_SPACE_GLOBAL; i++)
        if (finding->address - trace->buffers[i].address < UINT64_C(1) << 38)
            offset = finding->address - trace->buffers[i].address;
    uint64_t const element = offset / memory->bytes;
    *index = (long long)(int32_t)(uint32_t)element;
    return offset % memory->bytes == 0 && element >> 32 == 0 && *index < 0 && *index > -65536;
}

/* Returns whether the access lies just below a buffer, and not just above another. */
static bool before_the_first(const struct finding *finding)
{
    enum { NEAR = 1024 };
    const struct finding_memory *memory = &finding->memory;
    return finding->form == FINDING_OUTSIDE_BUFFERS && memory->side == FINDING_BEFORE && memory->distance <= NEAR;
}

/* Returns whether the access lies beyond shared memory whose size the launch gives. */
static bool beyond_dynamic(const struct trace *trace, const struct finding *finding)
{
    return finding->form != FINDING_TEXT && finding->memory.space == PTX_SPACE_SHARED &&
           (trace->shared_bytes == 0 || finding->memory.dynamic);
}

static const char *advice_on_bounds(struct arena *arena, const struct trace *trace, const struct finding *finding)
{
    long long index = 0;
    if (wrapped_index(trace, finding, &index))
        return arena_format(arena, _("The index is %lld. threadIdx.x is unsigned, so it became %u instead."), index,
                            (unsigned)index);
    if (beyond_dynamic(trace, finding))
        return arena_format(
            arena,
            _("An extern __shared__ array is as large as its launch says, here %u bytes in all: --shared "
              "BYTES, the third value of <<<...>>>."),
            trace->shared_bytes);
    if (before_the_first(finding))
        return _("The index is below 0: the first thread has no such neighbour. Test for it: if (i > 0)");
    return NULL;
}

/* Returns whether the accesses of a race are of different blocks. */
static bool between_blocks(const struct finding *race)
{
    return finding_is_race(race) && race->race.first.block != race->at.block;
}

const char *report_advice(struct arena *arena, const struct trace *trace, const struct finding *finding)
{
    const char *advice = kinds[finding->kind].advice;
    if (finding->form == FINDING_RACING_COPY)
        return _(
            "Each thread waits for its own copies only. A __syncthreads() after the wait makes them visible to all "
            "threads. Does the wait leave this copy in flight?");
    if (finding->form == FINDING_SAME_AGAIN)
        return _("Nothing in the loop changes its condition. A flag that another thread sets must be volatile, or read "
                 "by an atomic.");
    if (finding_is_race(finding))
        return finding->race.space == PTX_SPACE_SHARED ? _("A __syncthreads() between the two accesses orders them.")
               : between_blocks(finding) ? _("Blocks run in any order: use an atomic, or a second kernel.")
                                         : _("The threads of a block run in any order: use an atomic, or put a "
                                             "__syncthreads() between the two accesses.");
    const char *special = finding->kind == FINDING_OUT_OF_BOUNDS ? advice_on_bounds(arena, trace, finding) : NULL;
    return special ? special : advice ? _(advice) : NULL;
}

uint32_t report_lane(const struct trace *trace, const uint32_t thread[3], uint32_t *warp)
{
    uint32_t const linear = thread[0] + trace->block[0] * (thread[1] + trace->block[1] * thread[2]);
    *warp = linear / WARP_LANES;
    return linear % WARP_LANES;
}

const struct finding_place *report_side(const struct finding *finding, int side)
{
    return finding_is_race(finding) && side == 0 ? &finding->race.first : &finding->at;
}

void report_lines(const struct finding *finding, uint32_t lines[2])
{
    lines[0] = report_side(finding, 0)->line;
    lines[1] = finding_is_race(finding) ? finding->at.line : 0;
}

/* "64", or "(0, 2)" where the block has more than one dimension. */
static const char *thread_number(struct arena *arena, const struct trace *trace, const uint32_t thread[3])
{
    if (trace->block[2] > 1)
        return arena_format(arena, "(%u, %u, %u)", thread[0], thread[1], thread[2]);
    return arena_format(arena, trace->block[1] > 1 ? "(%u, %u)" : "%u", thread[0], thread[1]);
}

const char *report_thread(struct arena *arena, const struct trace *trace, const struct finding *finding, int side)
{
    const struct finding_place *at = report_side(finding, side);
    const char *thread = thread_number(arena, trace, at->thread);
    if (between_blocks(finding))
        return arena_format(arena, _("block %llu, thread %s"), (unsigned long long)at->block, thread);
    return arena_format(arena, _("thread %s"), thread);
}

static const char *race_place(struct arena *arena, const struct trace *trace, const struct finding *race)
{
    const struct finding_place *first = &race->race.first, *second = &race->at;
    unsigned long long const blocks[] = {first->block, second->block};
    const char *lines =
        arena_format(arena, first->near || second->near ? _("near lines %u and %u") : _("lines %u and %u"), first->line,
                     second->line);
    const char *threads[] = {thread_number(arena, trace, first->thread), thread_number(arena, trace, second->thread)};
    if (between_blocks(race))
        return arena_format(arena, _("%s · blocks %llu and %llu · threads %s and %s"), lines, blocks[0], blocks[1],
                            threads[0], threads[1]);
    return arena_format(arena, _("%s · block %llu · threads %s and %s"), lines, blocks[0], threads[0], threads[1]);
}

const char *report_place(struct arena *arena, const struct trace *trace, const struct finding *finding)
{
    uint32_t lines[2], warp;
    const struct finding_place *at = &finding->at;
    unsigned long long const block = at->block;
    uint32_t const lane = report_lane(trace, at->thread, &warp);
    if (finding_is_race(finding))
        return race_place(arena, trace, finding);
    report_lines(finding, lines);
    return arena_format(arena,
                        at->near ? _("near line %u · block %llu · warp %u, lane %u")
                                 : _("line %u · block %llu · warp %u, lane %u"),
                        lines[0], block, warp, lane);
}

const char *report_file(const struct trace *trace, uint32_t file)
{
    return file < trace->file_count ? trace->files[file] : "";
}

const char *report_line(struct arena *arena, const struct trace_site *site, bool column)
{
    if (!site->line)
        return site->ptx_line ? arena_format(arena, "PTX %u", site->ptx_line) : "?";
    return column && site->column ? arena_format(arena, "%u:%u", site->line, site->column)
                                  : arena_format(arena, "%u", site->line);
}

const char *report_scope(struct arena *arena, const struct report *report)
{
    const uint32_t *grid = report->trace->grid;
    uint64_t const all = (uint64_t)grid[0] * grid[1] * grid[2];
    unsigned long long const first = report->looked.first,
                             last = report->looked.last < all ? report->looked.last : all - 1;
    if (!report->looked_known)
        return "";
    if (first == last)
        return arena_format(arena, _("in block %llu"), first);
    if (first == 0 && last == 1 && all == 2)
        return _("in both blocks");
    if (first == 0 && last == all - 1)
        return arena_format(arena, _("in all %s blocks"), words_count(arena, all));
    return arena_format(arena, _("in blocks %llu to %llu"), first, last);
}

/* Returns how well an event fits the access sought; 0: not at all. */
static int match(const struct trace *trace, const struct trace_event *event, const struct finding *finding,
                 uint32_t site, unsigned lane)
{
    bool const elsewhere = finding_is_race(finding) && finding->race.space != PTX_SPACE_SHARED;
    if (event->site != site || !(event->mask >> lane & 1))
        return 0;
    if (event->kind != TRACE_ACCESS)
        return 1;
    uint64_t const address = finding->address;
    uint64_t const at = trace_addresses(trace, event)[lane] - (elsewhere ? 0 : trace->shared_base);
    return address >= at && address < at + trace->sites[site].bytes ? 3 : 1;
}

bool report_event(const struct trace *trace, const struct finding *finding, int side, size_t *event)
{
    const struct finding_place *place = report_side(finding, side);
    uint32_t warp;
    uint32_t const lane = report_lane(trace, place->thread, &warp);
    int best = 0;
    for (size_t i = 0; i < trace->events.count && best < 4; i++) {
        const struct trace_event *candidate = &trace->events.items[i];
        if (candidate->warp != warp || candidate->block != place->block)
            continue;
        bool const fault =
            candidate->kind == TRACE_FAULT && !finding_is_race(finding) && candidate->site == place->site;
        int const found = fault ? 4 : match(trace, candidate, finding, place->site, lane);
        if (found > best) {
            best = found;
            *event = i;
        }
    }
    return best > 0;
}
