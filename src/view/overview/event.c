/* An event of the run in a sentence, for the marks of the timeline and of the turns. */
#include "model/banks.h"
#include "model/coalescing.h"
#include "model/constant.h"
#include "view/view.h"

static const char *access_words(struct arena *arena, const struct trace *trace, const struct trace_event *event,
                                const struct trace_site *site)
{
    const uint64_t *addresses = trace_addresses(trace, event);
    bool const load = site->operation == TRACE_LOAD, store = site->operation == TRACE_STORE;
    uint32_t least;
    switch (trace_space(site, event)) {
    case PTX_SPACE_SHARED:
        return arena_format(arena,
                            load    ? _("load from shared memory, passes: %u")
                            : store ? _("store to shared memory, passes: %u")
                                    : _("atomic in shared memory, passes: %u"),
                            model_wavefronts(addresses, event->mask, site->bytes, site->operation, &least));
    case PTX_SPACE_GLOBAL:
        return arena_format(arena,
                            load    ? _("load from global memory, sectors: %u")
                            : store ? _("store to global memory, sectors: %u")
                                    : _("atomic in global memory, sectors: %u"),
                            model_sectors(addresses, event->mask, site->bytes, &least));
    case PTX_SPACE_CONST:
        return arena_format(arena, _("load from constant memory, passes: %u"),
                            model_constant_passes(addresses, event->mask, site->bytes, &least));
    default:
        return load ? _("load") : store ? _("store") : _("atomic");
    }
}

static const char *event_words(struct arena *arena, const struct playback *playback, size_t position)
{
    const struct trace_event *event = playback_event(playback, position);
    const struct trace_site *site = playback_site(playback, position);
    switch (event->kind) {
    case TRACE_ACCESS:
        return site ? access_words(arena, playback->trace, event, site) : "";
    case TRACE_BARRIER_ARRIVE:
        return _("arrives at the barrier");
    case TRACE_BARRIER_RELEASE:
        return _("let through the barrier");
    case TRACE_BRANCH_TAKEN:
        return _("a branch");
    case TRACE_RECONVERGE:
        return _("the paths reconverge");
    case TRACE_SHUFFLE:
        return _("a shuffle");
    case TRACE_REGISTERS:
        return _("a product of matrices");
    case TRACE_COPY_TO:
        return _("an asynchronous copy writes to shared memory");
    case TRACE_COPY_GROUP:
        return _("the copies so far become a group");
    case TRACE_COPY_WAIT:
        return _("waits for asynchronous copies");
    case TRACE_LOAD_WAIT:
        return _("waits for the value of a load");
    case TRACE_EXIT:
        return arena_format(arena, _("lanes that end: %d"), __builtin_popcount(event->mask));
    case TRACE_FAULT:
        return _("a fault stops the run");
    }
    return "";
}

const char *view_event_words(struct arena *arena, const struct playback *playback, size_t position)
{
    const struct trace_event *event = playback_event(playback, position);
    const struct trace_site *site = playback_site(playback, position);
    const char *where = arena_format(arena, _("warp %u"), event->warp);
    if (site && site->line)
        where = arena_format(arena, _("%s, line %u"), where, site->line);
    return arena_format(arena,
                        playback->trace->clock == TRACE_CLOCK_GPU ? _("%s: %s · at cycle %llu of the GPU's clock")
                                                                  : _("%s: %s · at cycle %llu of the model clock"),
                        where, event_words(arena, playback, position), (unsigned long long)event->time);
}
