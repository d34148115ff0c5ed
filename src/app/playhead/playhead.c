#include "app/playhead/playhead.h"
#include <cglm/cglm.h>
#include <cglm/ease.h>
#include <math.h>

static const double fan_seconds = 0.48, access_seconds = 0.20, pass_seconds = 0.14, hold_seconds = 0.60;

static double motion_length(const struct playhead *playhead, const struct scene *scene)
{
    double length = 0;
    if (scene->kind == SCENE_SHARED || scene->kind == SCENE_CONSTANT)
        length = fan_seconds + pass_seconds * scene_steps(scene);
    else if (scene->kind == SCENE_GLOBAL)
        length = fan_seconds + access_seconds;
    else
        length = access_seconds;
    return length / (double)playhead->speed;
}

void playhead_motion(const struct playhead *playhead, struct scene *scene)
{
    scene->fan = 1;
    scene->pass = -1;
    if (!playhead->moving || playhead->reduced_motion)
        return;
    double t = playhead->moved * (double)playhead->speed;
    if (t < fan_seconds) {
        scene->fan = glm_ease_cubic_out((float)(t / fan_seconds));
        scene->pass = scene_steps(scene) > 1 ? 0 : -1;
        return;
    }
    if (scene_steps(scene) > 1) {
        int pass = (int)((t - fan_seconds) / pass_seconds);
        scene->pass = pass < scene_steps(scene) ? pass : scene_steps(scene) - 1;
    }
}

void playhead_seek(struct playhead *playhead, const struct playback *playback, size_t position, bool animate)
{
    if (!playback || position >= playback->count)
        return;
    playhead->position = position;
    playhead->moved = 0;
    playhead->moving = animate && !playhead->reduced_motion;
}

void playhead_settle(struct playhead *playhead)
{
    playhead->moving = false;
    playhead->moved = 0;
}

static bool play_on(struct playhead *playhead, const struct playback *playback)
{
    unsigned marks = MARK_ACCESS | MARK_BARRIER | MARK_FAULT;
    size_t next = playback_find(playback, playhead->position, 1, marks, playhead->filter);
    if (next == playhead->position) {
        playhead->playing = false;
        return false;
    }
    playhead_seek(playhead, playback, next, true);
    if (!playhead->moving) { /* with reduced motion, too, each picture stays for its time */
        playhead->moving = true;
        playhead->moved = 1e-9;
    }
    return true;
}

bool playhead_advance(struct playhead *playhead, const struct playback *playback, const struct scene *scene,
                      double seconds)
{
    if (!playhead->moving)
        return playhead->playing && play_on(playhead, playback);
    double length = playhead->reduced_motion ? 0 : motion_length(playhead, scene);
    double hold = playhead->playing ? fmax(length, hold_seconds / (double)playhead->speed) : length;
    playhead->moved += seconds;
    if (playhead->moved < hold)
        return true;
    playhead_settle(playhead);
    return playhead->playing && play_on(playhead, playback);
}
