/* Findings in words. Titles and advice are by kind, in a table; a kind that is not in it speaks for itself. */
#include "view/report.h"
#include "lesson/retell.h"
#include <math.h>
#include <string.h>

struct kind_words {
    const char *kind, *title, *advice;
};
static const struct kind_words fault_words[] = {
    {"out of bounds", N_("out of bounds"),
     N_("The index leaves the array. Let only the threads that have an element touch it: if (i < n)")},
    {"null pointer", N_("null pointer"), N_("The pointer was never given any memory.")},
    {"misaligned address", N_("misaligned address"),
     N_("A value must lie at a multiple of its own size; a cast to a wider type does not make it so.")},
    {"uninitialized read", N_("read before it was written"),
     N_("Somebody must write this place first. Is an initialisation or a __syncthreads() missing?")},
    {"write to read-only memory", N_("write to constant memory"), N_("__constant__ memory can only be read here.")},
    {"barrier error", N_("barrier error"),
     N_("Every thread of the block must reach the same __syncthreads(): take it out of the if, or the return before "
        "it.")},
    {"mismatched mask", N_("mismatched mask"),
     N_("Every lane that the mask names must execute the same call, and no other lane may.")},
    {"endless loop", N_("endless loop"),
     N_("Look at what the loop waits for: a condition that never changes, or a lock that nobody gives back.")},
    {"deadlock", N_("deadlock"),
     N_("Who should change what it waits for? A lock must be given back, a flag set, and all blocks that wait for each "
        "other must fit on the GPU at once.")},
    {"division by zero", N_("division by zero"), N_("The GPU goes on with a number that means nothing.")},
    {"stack overflow", N_("stack overflow"), N_("The recursion has no end, or is deeper than the thread's stack.")},
    {"assertion failed", N_("assertion failed"), N_("What assert() promises is not so for this thread.")},
    {"trap", N_("trap"), NULL},
    {"illegal branch", N_("illegal branch"), NULL},
    {"invalid program counter", N_("call of no function"), N_("The function pointer holds no function.")},
};

static const struct kind_words *words_of(const char *kind)
{
    for (size_t i = 0; i < sizeof fault_words / sizeof *fault_words; i++)
        if (strcmp(fault_words[i].kind, kind) == 0)
            return &fault_words[i];
    return NULL;
}

uint32_t report_count(const struct report *report)
{
    return report->trace ? report->trace->fault_count + report->hazard_count : 0;
}

struct finding report_finding(const struct report *report, uint32_t index)
{
    if (index < report->trace->fault_count)
        return (struct finding){.fault = &report->trace->faults[index]};
    return (struct finding){.hazard = &report->hazards[index - report->trace->fault_count]};
}

const char *finding_title(const struct finding *finding)
{
    if (finding->hazard)
        return _("race");
    const struct kind_words *words = words_of(finding->fault->kind);
    return words ? _(words->title) : finding->fault->kind;
}

const char *finding_message(struct arena *arena, const struct finding *finding)
{
    static const struct {
        const char *begins, *words;
    } races[] = {
        {"Read after write", N_("Read after write: one thread reads what another wrote, and nothing orders the two.")},
        {"Write after read",
         N_("Write after read: one thread overwrites what another reads, and nothing orders the two.")},
        {"Write after write", N_("Write after write: two threads write the same place, and nothing orders the two.")}};
    if (!finding->hazard)
        return retell(arena, finding->fault->message);
    for (size_t i = 0; i < sizeof races / sizeof *races; i++)
        if (strncmp(finding->hazard->message, races[i].begins, strlen(races[i].begins)) == 0)
            return _(races[i].words);
    return finding->hazard->message;
}

/* An index that went below 0 and was taken for unsigned: nearly 2^32 of an element. */
static bool wrapped_index(const struct trace *trace, const struct trace_fault *fault, long long *index)
{
    unsigned const bytes = fault->site < trace->site_count ? trace->sites[fault->site].bytes : 0;
    uint64_t offset = fault->address;
    if (strcmp(fault->kind, "out of bounds") != 0 || !bytes)
        return false;
    for (uint32_t i = 0; i < trace->buffer_count; i++)
        if (fault->address - trace->buffers[i].address < UINT64_C(1) << 38)
            offset = fault->address - trace->buffers[i].address;
    uint64_t const element = offset / bytes;
    *index = (long long)(int32_t)(uint32_t)element;
    return offset % bytes == 0 && element >> 32 == 0 && *index < 0 && *index > -65536;
}

/* Just below a buffer, and not just above another. */
static bool before_the_first(const struct trace *trace, const struct trace_fault *fault)
{
    enum { NEAR = 1024 };
    if (strcmp(fault->kind, "out of bounds") != 0)
        return false;
    for (uint32_t i = 0; i < trace->buffer_count; i++)
        if (fault->address < trace->buffers[i].address && trace->buffers[i].address - fault->address <= NEAR)
            return strstr(fault->message, " before ") != NULL;
    return false;
}

/* Beyond the shared memory of a kernel that is told at its launch how much it gets. */
static bool beyond_dynamic(const struct trace *trace, const struct trace_fault *fault)
{
    bool const shared = fault->site < trace->site_count && finding_space(trace, fault) == PTX_SPACE_SHARED;
    return shared && strcmp(fault->kind, "out of bounds") == 0 &&
           (trace->shared_bytes == 0 || (trace->source && strstr(trace->source, "extern __shared__")));
}

const char *finding_advice(struct arena *arena, const struct report *report, const struct finding *finding)
{
    if (finding->hazard && finding->hazard->space == PTX_SPACE_SHARED)
        return _("Nothing says who comes first. A __syncthreads() between the two accesses orders them.");
    if (finding->hazard)
        return _("Nothing says who comes first. Blocks run in any order: use an atomic, or a second kernel.");
    long long index = 0;
    if (wrapped_index(report->trace, finding->fault, &index))
        return arena_format(arena, _("The index is %lld. threadIdx.x is unsigned, so it became %u instead."), index,
                            (unsigned)index);
    if (beyond_dynamic(report->trace, finding->fault))
        return arena_format(
            arena,
            _("An extern __shared__ array is as large as its launch says, here %u bytes in all: --shared "
              "BYTES, the third value of <<<...>>>."),
            report->trace->shared_bytes);
    if (before_the_first(report->trace, finding->fault))
        return _("The index is below 0: the first thread has no such neighbour. Test for it: if (i > 0)");
    const struct kind_words *words = words_of(finding->fault->kind);
    return words && words->advice ? _(words->advice) : NULL;
}

uint32_t finding_lane(const struct trace *trace, const uint32_t thread[3], uint32_t *warp)
{
    uint32_t const linear = thread[0] + trace->block[0] * (thread[1] + trace->block[1] * thread[2]);
    *warp = linear / WARP_LANES;
    return linear % WARP_LANES;
}

void finding_lines(const struct report *report, const struct finding *finding, uint32_t lines[2])
{
    const struct trace *trace = report->trace;
    lines[0] = finding->fault ? finding->fault->line : 0;
    lines[1] = 0;
    if (!finding->hazard)
        return;
    uint32_t const sites[2] = {finding->hazard->first_site, finding->hazard->second_site};
    for (int side = 0; side < 2; side++)
        lines[side] = sites[side] < trace->site_count ? trace->sites[sites[side]].line : 0;
}

const char *finding_place(struct arena *arena, const struct report *report, const struct finding *finding)
{
    uint32_t lines[2], warp;
    finding_lines(report, finding, lines);
    const uint32_t *thread = finding->fault ? finding->fault->thread : finding->hazard->second_thread;
    uint64_t const block = finding->fault ? finding->fault->block : finding->hazard->block;
    uint32_t const lane = finding_lane(report->trace, thread, &warp);
    if (finding->hazard)
        return arena_format(arena, _("lines %u and %u · block %llu · warp %u, lane %u"), lines[0], lines[1],
                            (unsigned long long)block, warp, lane);
    return arena_format(arena, _("line %u · block %llu · warp %u, lane %u"), lines[0], (unsigned long long)block, warp,
                        lane);
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
        return arena_format(arena, _("in all %s blocks"), view_count(arena, all));
    return arena_format(arena, _("in blocks %llu to %llu"), first, last);
}

/* How well an event is the access sought: 0 not at all. */
static int match(const struct trace *trace, const struct trace_event *event, uint32_t site, uint64_t address,
                 enum ptx_space space, unsigned lane)
{
    if (event->site != site || !(event->mask >> lane & 1))
        return 0;
    if (event->kind != TRACE_ACCESS)
        return 1;
    uint64_t at = trace_addresses(trace, event)[lane];
    at -= space == PTX_SPACE_SHARED ? trace->shared_base : 0;
    return address >= at && address < at + trace->sites[site].bytes ? 3 : 1;
}

bool finding_event(const struct report *report, const struct finding *finding, int side, size_t *event)
{
    const struct trace *trace = report->trace;
    const struct trace_fault *fault = finding->fault;
    const struct emulator_hazard *hazard = finding->hazard;
    bool const first = !fault && side == 0;
    const uint32_t *thread = fault ? fault->thread : first ? hazard->first_thread : hazard->second_thread;
    uint32_t const site = fault ? fault->site : first ? hazard->first_site : hazard->second_site;
    uint64_t const address = fault ? fault->address : hazard->address;
    uint64_t const block = fault ? fault->block : first ? hazard->first_block : hazard->block;
    enum ptx_space const space = hazard ? hazard->space : PTX_SPACE_SHARED;
    uint32_t warp;
    uint32_t const lane = finding_lane(trace, thread, &warp);
    int best = 0;
    for (size_t i = 0; i < trace->events.count && best < 4; i++) {
        const struct trace_event *candidate = &trace->events.items[i];
        if (candidate->warp != warp || candidate->block != block)
            continue;
        int found = candidate->kind == TRACE_FAULT && fault && candidate->site == site
                        ? 4
                        : match(trace, candidate, site, address, space, lane);
        if (found > best) {
            best = found;
            *event = i;
        }
    }
    return best > 0;
}

static size_t position_of(const struct playback *playback, size_t event)
{
    for (size_t i = 0; i < playback->count; i++)
        if (playback->timeline->events[i] == event)
            return i;
    return SIZE_MAX;
}

size_t finding_position(const struct report *report, const struct finding *finding, int side, struct playback *playback)
{
    const void *of = finding->fault ? (const void *)finding->fault : finding->hazard;
    for (int k = 0; k < 2 && playback->finding.of != of; k++) {
        size_t event;
        playback->finding.position[k] =
            finding_event(report, finding, k, &event) ? position_of(playback, event) : SIZE_MAX;
    }
    playback->finding.of = of;
    return playback->finding.position[side];
}
