#include "stages.h"
#include "cuda/probe/probe.h"
#include "explained.h"
#include "fuzz.h"
#include "model/clock.h"
#include "model/counts.h"
#include "model/fragments.h"
#include "model/overlap.h"
#include "model/timeline.h"
#include "ptx/parse.h"
#include "report/report.h"
#include <string.h>

struct trace_timer stages_timer(void)
{
    static const struct clock_figures figures = {"some GPU", false, 4, 23, 32, 200, 600, 8, 4};
    return clock_timer(&figures);
}

/* The last event of the first block, as the window asks about it. */
static void ask_timeline(struct arena *arena, const struct trace *trace)
{
    const struct timeline *timeline = timeline_new(arena, trace, 0);
    const struct fragments *fragments = fragments_new(arena, timeline);
    enum lane_state lanes[32];
    overlap_new(arena, timeline);
    if (!timeline->count)
        return;
    timeline_lanes(timeline, timeline->count - 1, lanes);
    timeline_else(timeline, timeline->count - 1);
    if (fragments)
        fragments_at(fragments, timeline->count - 1);
}

void stages_ask(const struct trace *trace)
{
    struct arena arena = {0};
    struct counts counts;
    struct counter *counters;
    struct error error;
    struct trace *again = NULL;
    uint8_t *bytes;
    size_t size;
    counts_of_trace(trace, &arena, &counts);
    require(counts_counters(&counts, trace->sites, &arena, &counters) > 0);
    for (uint32_t i = 0; i < trace->finding_count; i++)
        require(*report_message(&arena, REPORT_ENGLISH, &trace->findings[i]));
    explained(trace, &counts);
    ask_timeline(&arena, trace);
    require(trace_pack(trace, &arena, &bytes, &size, &error));
    require(trace_unpack("packed", bytes, size, &again, &error));
    trace_free(again);
    arena_free(&arena);
}

bool stages_probe(const struct ptx_module *module, const struct ptx_function *kernel, bool values)
{
    struct arena arena = {0};
    struct error error = {0};
    struct probed probed;
    struct ptx_module *again;
    bool const good = probe_module(&arena, module, kernel, NULL, values, &probed, &error);
    if (!good)
        require(error.message[0]);
    else if (!ptx_parse(&arena, "probed.ptx", probed.ptx, strlen(probed.ptx), &again, &error))
        fail(__FILE__, __LINE__, error.message);
    arena_free(&arena);
    return good;
}
