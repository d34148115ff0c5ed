#include "document/stay.h"
#include "program/sources.h"

struct stay stay_here(const struct document *document, const struct playhead *playhead, struct arena *arena)
{
    struct stay stay = {.placed = document->playback && document->playback->count, .block = document->block};
    if (!stay.placed)
        return stay;
    const char *source = document->playback->trace->source;
    stay.place = playback_place(document->playback, playhead->position);
    stay.source = arena_text(arena, source ? source : "");
    return stay;
}

/* Returns the recorded block that is nearest to this one. */
static uint64_t nearest_block(const struct trace *trace, uint64_t block)
{
    uint64_t best = block, distance = UINT64_MAX;
    for (size_t i = 0; i < trace->events.count && distance; i++) {
        uint64_t const other = trace->events.items[i].block, away = other > block ? other - block : block - other;
        if (away < distance) {
            distance = away;
            best = other;
        }
    }
    return best;
}

static const char *gone_words(struct arena *arena, const struct stay *stay, uint64_t block, uint32_t warp, bool same)
{
    if (block != stay->block)
        return arena_format(arena, _("block %llu was not recorded in this run; this is block %llu"),
                            (unsigned long long)stay->block, (unsigned long long)block);
    if (warp != stay->place.warp)
        return arena_format(arena, _("there is no warp %u in this run; this is warp %u"), stay->place.warp, warp);
    return same ? "" : _("the access is not in this run any more; this is the nearest");
}

const char *stay_again(struct document *document, struct playhead *playhead, const struct stay *stay,
                       struct arena *arena)
{
    if (!stay->placed || !document->playback || !document->playback->count)
        return "";
    const struct trace *trace = document->playback->trace;
    uint64_t const block = nearest_block(trace, stay->block);
    struct playback_place place = stay->place;
    bool exact = true;
    document_show_block(document, playhead, block);
    const struct playback *playback = document->playback;
    uint32_t const warps = playback->timeline->warp_count;
    place.warp = place.warp < warps || !warps ? place.warp : warps - 1;
    if (trace->source)
        place.line = program_line_after(stay->source, trace->source, place.line, &exact);
    playhead->position = playback_find_place(playback, &place);
    playhead->finding = -1;
    struct playback_place const now = playback_place(playback, playhead->position);
    bool const same = now.kind == place.kind && now.line == place.line && now.operation == place.operation &&
                      now.nth_of_line == place.nth_of_line;
    return gone_words(arena, stay, block, now.warp, same);
}
