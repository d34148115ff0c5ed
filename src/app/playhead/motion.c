/* Stepping and playing. A move sets the position at once; what follows is only how the eye is led there: the lanes'
 * lines reach out, then the passes go by, and any key ends it. */
#include "app/state.h"
#include <cglm/cglm.h>
#include <cglm/ease.h>
#include <math.h>

static const double fan_seconds = 0.48, access_seconds = 0.20, pass_seconds = 0.14, hold_seconds = 0.60;

void app_scene(struct app *app, struct scene *scene)
{
    bool shelves = app->screen == SCREEN_TRACE || (app_beat(app) && (app_beat(app)->stage & STAGE_DRAM));
    const struct dram_preset *preset = shelves ? app_dram(app) : NULL;
    scene_build(scene, app->playback, app->position, preset, &app->frame);
}

double app_motion_length(const struct app *app, const struct scene *scene)
{
    double length = 0;
    if (scene->kind == SCENE_SHARED)
        length = fan_seconds + pass_seconds * scene_steps(scene);
    else if (scene->kind == SCENE_GLOBAL)
        length = fan_seconds + access_seconds;
    else
        length = access_seconds;
    return length / (double)app->speed;
}

void app_motion(const struct app *app, struct scene *scene)
{
    scene->fan = 1;
    scene->pass = -1;
    if (!app->moving || app->reduced_motion)
        return;
    double t = app->moved * (double)app->speed;
    if (t < fan_seconds) {
        scene->fan = glm_ease_cubic_out((float)(t / fan_seconds));
        scene->pass = scene->kind == SCENE_SHARED && scene_steps(scene) > 1 ? 0 : -1;
        return;
    }
    if (scene->kind == SCENE_SHARED && scene_steps(scene) > 1) {
        int pass = (int)((t - fan_seconds) / pass_seconds);
        scene->pass = pass < scene_steps(scene) ? pass : scene_steps(scene) - 1;
    }
}

void app_seek(struct app *app, size_t position, bool animate)
{
    if (!app->playback || position >= app->playback->count)
        return;
    app->position = position;
    app->moved = 0;
    app->moving = animate && !app->reduced_motion;
}

void app_settle(struct app *app)
{
    app->moving = false;
    app->moved = 0;
}

static bool play_on(struct app *app)
{
    unsigned marks = MARK_ACCESS | MARK_BARRIER | MARK_FAULT;
    size_t next = playback_find(app->playback, app->position, 1, marks, app->filter);
    if (next == app->position) {
        app->playing = false;
        return false;
    }
    app_seek(app, next, true);
    if (!app->moving) { /* reduced motion: each picture still stands for its time */
        app->moving = true;
        app->moved = 1e-9;
    }
    return true;
}

/* True while something moves. Long frames (a machine that slept) advance one step, not many. */
bool app_advance(struct app *app, double seconds)
{
    if (!app->playback || app->screen == SCREEN_LIST)
        return false;
    if (!app->moving) {
        if (app->playing)
            return play_on(app);
        return false;
    }
    struct scene scene;
    app_scene(app, &scene);
    double length = app->reduced_motion ? 0 : app_motion_length(app, &scene);
    double hold = app->playing ? fmax(length, hold_seconds / (double)app->speed) : length;
    app->moved += seconds;
    if (app->moved < hold)
        return true;
    app_settle(app);
    return app->playing && play_on(app);
}
