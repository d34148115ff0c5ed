/* Causes of a kernel's findings in host code: the copy that left out what the kernel read. */
#include "program/looking.h"
#include <string.h>

/* Returns whether another thread stored to the place that the finding's thread read: then the kernel was meant to write
 * it, and its order is wrong. */
static bool kernel_writes(const struct trace *trace, const struct finding *finding)
{
    const uint32_t *thread = finding->at.thread;
    uint32_t const linear = thread[0] + trace->block[0] * (thread[1] + trace->block[1] * thread[2]);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct trace_event *event = &trace->events.items[i];
        if (event->kind != TRACE_ACCESS || trace->sites[event->site].operation != TRACE_STORE)
            continue;
        const uint64_t *addresses = trace_addresses(trace, event);
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            if (event->mask >> lane & 1 && finding->address - addresses[lane] < trace->sites[event->site].bytes &&
                (event->block != finding->at.block || event->warp * WARP_LANES + lane != linear))
                return true;
    }
    return false;
}

static bool is_of(const struct program_call *call, const char *key, uint32_t number)
{
    return look_number(json_object_get(call->record, key), "allocation") == number;
}

static bool takes(const struct program_launch *launch, uint32_t number)
{
    const json_t *argument;
    size_t i;
    json_array_foreach(json_object_get(launch->record, "arguments"), i, argument)
    {
        if (look_number(json_object_get(argument, "pointer"), "allocation") == number)
            return true;
    }
    return false;
}

/* Returns whether the host writes such memory without a call. */
static bool host_writes(const struct mistake_allocation *allocation)
{
    static const char *const by[] = {"cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaHostRegister"};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (strcmp(allocation->as, by[i]) == 0)
            return true;
    return false;
}

static const struct mistake *mistake_at(const struct program_run *run, enum mistake_kind kind,
                                        const struct program_call *call)
{
    for (uint32_t i = 0; i < run->mistake_count; i++) {
        const struct mistake *mistake = &run->mistakes[i];
        if (mistake->kind == kind && mistake->at.line == call->at.line &&
            strcmp(mistake->at.file, call->at.file) == 0 && strcmp(mistake->call, call->name) == 0)
            return mistake;
    }
    return NULL;
}

static enum cause_kind look_for_cause(const struct program_run *run, const struct program_launch *launch,
                                      const struct mistake_allocation *allocation, const struct program_call **call)
{
    enum { TO_DEVICE = 1 };
    const struct program_call *wrote = NULL, *failed = NULL;
    uint32_t writes = 0, number = allocation->number;
    bool launched = false;
    for (uint32_t i = 0; i < launch->call; i++) {
        const struct program_call *before = &run->calls[i];
        if (before->launch != PTX_NO_INDEX) {
            launched = launched || takes(&run->launches[before->launch], number);
        } else if (before->error) {
            bool const up = look_number(before->record, "kind") == TO_DEVICE; /* with its pointers exchanged */
            if (is_of(before, "to", number) || (up && is_of(before, "from_pointer", number)))
                failed = before;
        } else if (is_of(before, "to", number)) {
            writes++;
            wrote = before;
        }
    }
    *call = writes ? wrote : failed;
    if (writes == 1 && mistake_at(run, MISTAKE_COPY_ELEMENTS, wrote))
        return CAUSE_ELEMENTS;
    if (launched || host_writes(allocation)) /* another kernel, or the host, was perhaps meant to write it */
        return CAUSE_UNKNOWN;
    if (writes)
        return writes == 1 && !look_number(wrote->record, "rows") ? CAUSE_SHORT : CAUSE_UNKNOWN;
    return failed ? CAUSE_FAILED : CAUSE_NOTHING;
}

struct cause *causes_find(struct arena *arena, const struct program_run *run, const struct program_launch *launch,
                          const struct trace *trace)
{
    struct cause *causes = arena_array(arena, struct cause, (size_t)trace->finding_count + 1);
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *finding = &trace->findings[i];
        const struct program_call *call;
        struct cause cause = {0};
        if (finding->kind == FINDING_UNINITIALIZED && mistakes_allocation_of(run, launch, finding, &cause.allocation) &&
            !kernel_writes(trace, finding)) {
            cause.kind = look_for_cause(run, launch, &cause.allocation, &call);
            if (call) {
                cause.by = call->name;
                cause.at = call->at;
                cause.written = look_number(call->record, "bytes");
            }
        }
        causes[i] = cause;
    }
    return causes;
}
