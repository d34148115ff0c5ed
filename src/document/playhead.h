/* The position in a document, the pass of its access, and the motion towards it. A move sets the position at once; the
 * motion only guides the eye: first the lanes' lines grow, then the passes follow. At rest, the picture is a function
 * of the trace, the position and the pass. */
#ifndef LANESCOPE_DOCUMENT_PLAYHEAD_H
#define LANESCOPE_DOCUMENT_PLAYHEAD_H
#include "scene/playback.h"
#include "scene/scene.h"

enum { PASS_ALL = -1 };

struct playhead {
    size_t position;         /* in the playback of the document's block */
    int pass;                /* the access is shown up to this pass, from 0; PASS_ALL: with all its passes */
    size_t beat_position;    /* the position that shows the step's own number */
    uint64_t opening_block;  /* the step opens in this block ... */
    size_t opening_position; /* ... at this position of it */
    uint32_t filter;         /* a source line, 0 none */
    int finding;             /* the index of the shown finding; -1 none */
    int cut;                 /* the pass at which a key or a click ended the motion; PASS_ALL: none */
    bool playing;
    bool ended; /* playing reached the last access: it begins with the first one next time */
    float speed;
    bool moving;         /* the motion is not complete */
    double moved;        /* seconds since the move to this position began */
    double rest;         /* seconds until the motion changes the picture again */
    bool passes_seen;    /* an access of this step has moved through its passes; the first one does so more slowly */
    bool reduced_motion; /* no motion */
};

/* Goes to the position, if the playback has it, with all passes of its access. */
void playhead_seek(struct playhead *playhead, const struct playback *playback, size_t position, bool animate);
/* Completes the motion. */
void playhead_settle(struct playhead *playhead);
/* Completes the motion and notes the pass that it had reached: a step by passes goes on from there. */
void playhead_cut(struct playhead *playhead, const struct scene *scene);
/* Goes to the next or previous pass, at the ends of an access to the neighbour's first or last pass. scenes: builds the
 * scene at the playhead. Returns false if there is none. */
typedef void playhead_scene(void *context, const struct playhead *playhead, struct scene *scene);
bool playhead_step_pass(struct playhead *playhead, const struct playback *playback, int direction,
                        playhead_scene *scenes, void *context);
/* Starts to play: this access from its first pass, or on from the pass that it rests at, then the accesses after it. At
 * the end of the block, from its first access. shown: the MEMORY_ flags whose accesses playing stops at. */
void playhead_play(struct playhead *playhead, const struct playback *playback, unsigned shown);
/* Advances motion and playing by `seconds`, and returns whether something still moves. scene: at the position, needed
 * while moving. A very long frame advances only one step. */
bool playhead_advance(struct playhead *playhead, const struct playback *playback, const struct scene *scene,
                      unsigned shown, double seconds);
/* Sets the scene's motion: how far its lines reach and which pass is shown. */
void playhead_motion(const struct playhead *playhead, struct scene *scene);
/* Returns the next speed, faster or slower. */
float playhead_speed(float speed, int direction);
#endif
