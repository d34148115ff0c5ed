/* The position in a document, and the motion towards it. A move sets the position at once; the motion only guides the
 * eye: first the lanes' lines grow, then the passes follow. */
#ifndef LANESCOPE_APP_PLAYHEAD_PLAYHEAD_H
#define LANESCOPE_APP_PLAYHEAD_PLAYHEAD_H
#include "view/playback.h"
#include "view/scene.h"

struct playhead {
    size_t position;         /* in the playback of the document's block */
    size_t beat_position;    /* the position that shows the step's own number */
    uint64_t opening_block;  /* the step opens in this block ... */
    size_t opening_position; /* ... at this position of it */
    uint32_t filter;         /* a source line, 0 none */
    int finding;             /* the index of the shown finding; -1 none */
    bool playing;
    float speed;
    bool moving;         /* the motion is not complete */
    double moved;        /* seconds since the move to this position began */
    bool reduced_motion; /* no motion */
};

/* Goes to the position, if the playback has it. */
void playhead_seek(struct playhead *playhead, const struct playback *playback, size_t position, bool animate);
/* Completes the motion. */
void playhead_settle(struct playhead *playhead);
/* Advances motion and playing by `seconds`, and returns whether something still moves. scene: at the position, needed
 * while moving. A very long frame advances only one step. */
bool playhead_advance(struct playhead *playhead, const struct playback *playback, const struct scene *scene,
                      double seconds);
/* Sets the scene's motion: how far its lines reach and which pass is shown. */
void playhead_motion(const struct playhead *playhead, struct scene *scene);
#endif
