#include "document/playhead.h"
#include <cglm/ease.h>
#include <limits.h>
#include <math.h>

static const double fan_seconds = 0.48, access_seconds = 0.20, pass_seconds = 0.35, hold_seconds = 0.60;
/* The first passes that a step shows take this much longer, so that the eye learns what a pass is. */
static const double first_factor = 2;
enum { SLOW_PASSES = 3 };
static const float speeds[] = {0.1f, 0.25f, 0.5f, 1, 2, 4, 8};
enum { SPEEDS = (int)(sizeof speeds / sizeof *speeds) };

/* Returns the time from the first pass to the end of so many passes. */
static double passes_length(const struct playhead *playhead, int count)
{
    int const slow = playhead->passes_seen ? 0 : count < SLOW_PASSES ? count : SLOW_PASSES;
    return pass_seconds * (count + slow * (first_factor - 1));
}

/* Returns the length of the motion at normal speed. */
static double motion_length(const struct playhead *playhead, const struct scene *scene)
{
    int const steps = scene_steps(scene);
    if (steps > 1)
        return fan_seconds + passes_length(playhead, steps);
    return scene->kind == SCENE_GLOBAL || scene->kind == SCENE_SHARED || scene->kind == SCENE_CONSTANT
               ? fan_seconds + access_seconds
               : access_seconds;
}

/* Returns the pass after so much of the motion, at normal speed. */
static int pass_at(const struct playhead *playhead, const struct scene *scene, double time)
{
    int pass = 0;
    while (pass + 1 < scene_steps(scene) && time >= fan_seconds + passes_length(playhead, pass + 1))
        pass++;
    return pass;
}

void playhead_motion(const struct playhead *playhead, struct scene *scene)
{
    bool const passes = scene_steps(scene) > 1;
    scene->fan = 1;
    scene->pass = passes && playhead->pass < scene_steps(scene) ? playhead->pass : PASS_ALL;
    if (!playhead->moving || playhead->reduced_motion)
        return;
    double const time = playhead->moved * (double)playhead->speed;
    if (time < fan_seconds)
        scene->fan = glm_ease_cubic_out((float)(time / fan_seconds));
    if (passes)
        scene->pass = pass_at(playhead, scene, time);
}

void playhead_seek(struct playhead *playhead, const struct playback *playback, size_t position, bool animate)
{
    if (!playback || position >= playback->count)
        return;
    playhead->position = position;
    playhead->pass = PASS_ALL;
    playhead->cut = PASS_ALL;
    playhead->ended = false;
    playhead->moved = playhead->rest = 0;
    playhead->moving = animate && !playhead->reduced_motion;
}

void playhead_settle(struct playhead *playhead)
{
    playhead->moving = false;
    playhead->moved = 0;
    playhead->cut = PASS_ALL;
}

void playhead_cut(struct playhead *playhead, const struct scene *scene)
{
    struct scene now = *scene;
    playhead_motion(playhead, &now);
    playhead_settle(playhead);
    playhead->cut = now.pass;
}

bool playhead_step_pass(struct playhead *playhead, const struct playback *playback, int direction,
                        playhead_scene *scenes, void *context)
{
    struct scene scene;
    scenes(context, playhead, &scene);
    int const count = scene_steps(&scene);
    int const now = playhead->pass != PASS_ALL ? playhead->pass : playhead->cut;
    int const next = now != PASS_ALL ? now + direction : direction > 0 ? 0 : count - 1;
    playhead_settle(playhead);
    if (count > 1 && next >= 0 && next < count) {
        playhead->pass = next;
        playhead->ended = false;
        return true;
    }
    unsigned const stops = EVENT_ACCESS | EVENT_BARRIER | EVENT_FAULT;
    size_t const neighbour = playback_find(playback, playhead->position, direction, stops, playhead->filter);
    if (neighbour == playhead->position)
        return false;
    playhead_seek(playhead, playback, neighbour, false);
    scenes(context, playhead, &scene);
    int const passes = scene_steps(&scene);
    playhead->pass = passes < 2 ? PASS_ALL : direction > 0 ? 0 : passes - 1;
    return true;
}

/* Begins the motion at this position. With reduced motion, too, each picture stays for its time. */
static void move(struct playhead *playhead)
{
    playhead->moving = true;
    playhead->moved = 1e-9;
    playhead->rest = 0;
}

/* Returns whether nothing is left to play: playing has ended here, or the event on screen, such as the end of lanes, is
 * none that is played anywhere, and none follows. */
static bool at_the_end(const struct playhead *playhead, const struct playback *playback, unsigned shown)
{
    size_t const here = playhead->position, before = here > 0 ? here - 1 : SIZE_MAX;
    return playhead->ended || (playback_shown(playback, here, playhead->filter, shown) == SIZE_MAX &&
                               playback_shown(playback, before, playhead->filter, UINT_MAX) != here);
}

void playhead_play(struct playhead *playhead, const struct playback *playback, unsigned shown)
{
    int const from = playhead->pass;
    if (!playback->count)
        return;
    playhead->playing = true;
    if (at_the_end(playhead, playback, shown)) {
        size_t const first = playback_shown(playback, SIZE_MAX, playhead->filter, shown);
        playhead_seek(playhead, playback, first == SIZE_MAX ? playhead->position : first, true);
    }
    playhead->ended = false;
    playhead->pass = PASS_ALL;
    move(playhead);
    if (from > 0 && !playhead->reduced_motion) /* it was stopped there */
        playhead->moved = (fan_seconds + passes_length(playhead, from)) / (double)playhead->speed;
}

static bool play_on(struct playhead *playhead, const struct playback *playback, unsigned shown)
{
    size_t const next = playback_shown(playback, playhead->position, playhead->filter, shown);
    if (next == SIZE_MAX) {
        playhead->playing = false;
        playhead->ended = true;
        return false;
    }
    playhead_seek(playhead, playback, next, true);
    move(playhead);
    return true;
}

/* Returns the seconds until the picture changes: at once while lines grow, then at the next pass or at the end. */
static double rest_of(const struct playhead *playhead, const struct scene *scene, double hold)
{
    double const speed = (double)playhead->speed, time = playhead->moved * speed;
    if (playhead->reduced_motion)
        return hold - playhead->moved;
    if (time < fan_seconds)
        return 0;
    int const next = pass_at(playhead, scene, time) + 1;
    double const end = hold * speed, change = fan_seconds + passes_length(playhead, next);
    return ((next < scene_steps(scene) ? fmin(change, end) : end) - time) / speed;
}

bool playhead_advance(struct playhead *playhead, const struct playback *playback, const struct scene *scene,
                      unsigned shown, double seconds)
{
    playhead->rest = 0;
    if (!playhead->moving)
        return playhead->playing && play_on(playhead, playback, shown);
    double const length = playhead->reduced_motion ? 0 : motion_length(playhead, scene);
    double const hold = (playhead->playing ? fmax(length, hold_seconds) : length) / (double)playhead->speed;
    playhead->moved += seconds;
    if (playhead->moved < hold) {
        playhead->rest = rest_of(playhead, scene, hold);
        return true;
    }
    if (scene_steps(scene) > 1)
        playhead->passes_seen = true;
    playhead_settle(playhead);
    return playhead->playing && play_on(playhead, playback, shown);
}

float playhead_speed(float speed, int direction)
{
    int at = 0;
    while (at + 1 < SPEEDS && speeds[at] < speed)
        at++;
    at += direction > 0 ? 1 : -1;
    return speeds[at < 0 ? 0 : at >= SPEEDS ? SPEEDS - 1 : at];
}
