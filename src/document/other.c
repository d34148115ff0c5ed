/* The other look for A above B on one scrubber: its own run at the same access. */
#include "document/document.h"

void document_prepare_other(struct document *document)
{
    struct other_block *other = &document->other_block;
    struct error error;
    if (!document->above || !document->has_other || !document->playback || document_covered(document))
        return;
    struct kept_run *kept = document_kept_run(document, &document->other, &error);
    if (!kept) {
        document->above = false; /* Shift+Tab tries again, not each frame */
        return;
    }
    if (other->run == kept->run && other->block == document->block)
        return;
    arena_reset(&other->arena);
    other->playback = playback_new(&other->arena, kept->run->trace, document->block);
    document_follow_caches(document, kept->run, other->playback);
    other->run = kept->run;
    other->block = document->block;
}

void document_other(const struct document *document, const struct playhead *playhead, struct document *other,
                    struct playhead *other_playhead)
{
    struct playback_place const place = playback_place(document->playback, playhead->position);
    *other = *document;
    other->run = document->other_block.run;
    other->playback = document->other_block.playback;
    other->block = document->other_block.block;
    other->look.setting = document->other.setting;
    size_t const position = other->playback->count ? playback_find_place(other->playback, &place) : 0;
    *other_playhead = *playhead;
    other_playhead->position = position;
    other_playhead->beat_position = playhead->position == playhead->beat_position ? position : SIZE_MAX;
}
