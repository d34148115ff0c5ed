/* The rules for the launch, the tables and the findings of a record. The reader has already checked each index against
 * its table. */
#include "trace/check.h"

static bool refuse(struct trace_problem *problem, const char *field, const char *what)
{
    *problem = (struct trace_problem){.field = field, .what = what};
    return false;
}

static bool check_launch(const struct trace *trace, struct trace_problem *problem)
{
    static const uint32_t grid_most[3] = {LAUNCH_GRID_X_MAX, LAUNCH_GRID_YZ_MAX, LAUNCH_GRID_YZ_MAX},
                          block_most[3] = {LAUNCH_THREADS_MAX, LAUNCH_THREADS_MAX, LAUNCH_BLOCK_Z_MAX};
    for (size_t i = 0; i < 3; i++)
        if (trace->grid[i] == 0 || trace->grid[i] > grid_most[i])
            return trace_refuse(problem, "grid", i, trace->grid[i] ? "is larger than it can be" : "is 0");
    for (size_t i = 0; i < 3; i++)
        if (trace->block[i] == 0 || trace->block[i] > block_most[i])
            return trace_refuse(problem, "block", i, trace->block[i] ? "is larger than it can be" : "is 0");
    if (launch_count(trace->block) > LAUNCH_THREADS_MAX)
        return refuse(problem, "block", "has more threads than a block can have");
    if (trace->shared_bytes > LAUNCH_SHARED_MAX)
        return refuse(problem, "shared_bytes", "is larger than it can be");
    if (trace->shared_base > UINT32_MAX - LAUNCH_SHARED_MAX)
        return refuse(problem, "shared_base", "leaves the window of shared memory");
    return true;
}

static bool check_totals(const struct trace *trace, struct trace_problem *problem)
{
    const struct trace_totals *totals = &trace->totals;
    if (totals->branches_divergent > totals->branches)
        return refuse(problem, "totals.branches_divergent", "is more than totals.branches");
    if (totals->thread_instructions / WARP_LANES > totals->warp_instructions)
        return refuse(problem, "totals.thread_instructions", "is more than the warps' instructions have lanes for");
    return true;
}

static bool check_buffers(const struct trace *trace, struct trace_problem *problem)
{
    for (uint32_t i = 0; i < trace->buffer_count; i++) {
        const struct trace_buffer *buffer = &trace->buffers[i];
        size_t const size = ptx_type_size(buffer->type);
        uint64_t bytes;
        if (__builtin_mul_overflow(buffer->count, size, &bytes) || bytes > UINT64_MAX - buffer->address)
            return trace_refuse(problem, "buffers.count", i, "leaves the address space");
        const char *wrong = launch_shape_problem(&buffer->shape, buffer->count, size);
        if (wrong)
            return trace_refuse(problem, "buffers.shape", i, wrong);
    }
    return true;
}

static bool is_inside(const struct trace *trace, const struct finding_place *at)
{
    return at->block < launch_count(trace->grid) && at->thread[0] < trace->block[0] &&
           at->thread[1] < trace->block[1] && at->thread[2] < trace->block[2];
}

static bool check_findings(const struct trace *trace, struct trace_problem *problem)
{
    uint64_t const threads = launch_count(trace->block), warps = (threads + WARP_LANES - 1) / WARP_LANES;
    for (uint32_t i = 0; i < trace->finding_count; i++) {
        const struct finding *finding = &trace->findings[i];
        if (!is_inside(trace, &finding->at))
            return trace_refuse(problem, "findings.thread", i, "is outside the launch");
        if (finding_is_race(finding) && !is_inside(trace, &finding->race.first))
            return trace_refuse(problem, "findings.race.first", i, "is outside the launch");
        for (uint32_t k = 0; k < finding->wait_count; k++)
            if (finding->waits[k].warp >= warps || finding->waits[k].threads > threads)
                return trace_refuse(problem, "findings.waits", i, "are more than the block has");
    }
    return true;
}

bool trace_check(const struct trace *trace, struct trace_problem *problem)
{
    return check_launch(trace, problem) && check_totals(trace, problem) && check_buffers(trace, problem) &&
           check_findings(trace, problem) && trace_check_events(trace, problem);
}
