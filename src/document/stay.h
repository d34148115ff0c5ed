/* The place on screen, for a newer run of the same file: the same block, warp and access or, where they are gone, the
 * nearest. */
#ifndef LANESCOPE_DOCUMENT_STAY_H
#define LANESCOPE_DOCUMENT_STAY_H
#include "document/document.h"

struct stay {
    bool placed; /* there was a place */
    uint64_t block;
    struct playback_place place;
    const char *source; /* of the run, in the arena */
};
/* Notes the place on screen. */
struct stay stay_here(const struct document *document, const struct playhead *playhead, struct arena *arena);
/* Goes there in the run on screen. Returns what is gone, in a sentence; "": nothing. */
const char *stay_again(struct document *document, struct playhead *playhead, const struct stay *stay,
                       struct arena *arena);
#endif
