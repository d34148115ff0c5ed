/* Where one looks in a document, and how the picture moves there. A move sets the position at once; the motion after it
 * only leads the eye: the lanes' lines reach out, then the passes go by. */
#ifndef LANESCOPE_APP_PLAYHEAD_PLAYHEAD_H
#define LANESCOPE_APP_PLAYHEAD_PLAYHEAD_H
#include "view/playback.h"
#include "view/scene.h"

struct playhead {
    size_t position;         /* in the playback of the document's block */
    size_t beat_position;    /* the one at which the step's own number is said */
    uint64_t opening_block;  /* the step opens in this block ... */
    size_t opening_position; /* ... at this position of it */
    uint32_t filter;         /* a source line, 0 none */
    int finding;             /* the one shown of the report; -1 none */
    bool playing;
    float speed;
    bool moving;         /* the picture is on its way to its rest */
    double moved;        /* seconds since the move to this position began */
    bool reduced_motion; /* pictures snap */
};

/* Goes to the position; does nothing where the playback has none such. */
void playhead_seek(struct playhead *playhead, const struct playback *playback, size_t position, bool animate);
/* Completes the motion. */
void playhead_settle(struct playhead *playhead);
/* Moves and plays on for `seconds`. scene: of the position, needed while moving. True while something moves. A long
 * frame (a machine that slept) advances one step, not many. */
bool playhead_advance(struct playhead *playhead, const struct playback *playback, const struct scene *scene,
                      double seconds);
/* Sets how far the scene's lines reach and which pass goes by now. */
void playhead_motion(const struct playhead *playhead, struct scene *scene);
#endif
