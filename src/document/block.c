/* The block shown. */
#include "document/document.h"
#include "model/gpu.h"

void document_use_block(struct document *document, struct playhead *playhead, const struct trace *trace, uint64_t block)
{
    document->block_arena = !document->block_arena;
    struct arena *arena = &document->block_arenas[document->block_arena];
    arena_reset(arena);
    document->playback = playback_new(arena, trace, block);
    document_follow_caches(document, document_run(document), document->playback);
    document->block = block;
    playhead->position = playhead->beat_position = 0;
    playhead->filter = 0;
    playhead->pass = PASS_ALL;
    playhead->ended = false;
    playhead_settle(playhead);
}

void document_show_block(struct document *document, struct playhead *playhead, uint64_t block)
{
    const struct trace *trace = document->playback ? document->playback->trace : NULL;
    if (!trace)
        return;
    for (size_t i = 0; i < trace->events.count; i++)
        if (trace->events.items[i].block == block) {
            document_use_block(document, playhead, trace, block);
            playhead->position = playhead->beat_position =
                block == playhead->opening_block ? playhead->opening_position : playback_access(document->playback, 1);
            return;
        }
}

const struct counts *document_counts(const struct document *document, struct launch_blocks *blocks)
{
    const struct run *run = document_run(document);
    *blocks = run ? run->counted : document->file.counted;
    return run ? &run->counts : &document->file.counts;
}

void document_prepare_overview(struct document *document)
{
    struct launch_blocks blocks;
    struct arena *arena = &document->block_arenas[document->block_arena];
    const struct run *run = document_run(document);
    struct occupancy_case *fit = NULL;
    if (document->playback->spans)
        return;
    fit = arena_new(arena, struct occupancy_case);
    if (run && run->occupancy.limits)
        *fit = run->occupancy;
    else if (!gpu_fit(arena, document->gpu, document->playback->trace, fit))
        fit = NULL;
    playback_prepare_overview(document->playback, arena, document_counts(document, &blocks),
                              run ? run->caches : document->file.caches, fit);
}
