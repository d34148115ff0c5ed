/* Taking a picture away: a PNG, a GIF of the access on screen, or a line for a terminal that reopens this very state.
 */
#include "app/state.h"
#include "base/file.h"
#include <math.h>
#include <string.h>

/* lanescope-banks-3.png in the folder the program was started in, or -2, -3 ... when that is taken. */
static const char *free_name(struct app *app, const char *suffix)
{
    const char *what = app->screen == SCREEN_LESSON  ? app->open.lesson->name
                       : app->screen == SCREEN_TRACE ? "trace"
                                                     : "lessons";
    int number = app->screen == SCREEN_LESSON ? app->open.beat + 1 : 1;
    const char *path = arena_format(&app->frame, "lanescope-%s-%d.%s", what, number, suffix);
    for (int i = 2; file_exists(path) && i < 1000; i++)
        path = arena_format(&app->frame, "lanescope-%s-%d-%d.%s", what, number, i, suffix);
    return path;
}

void app_screenshot(struct app *app)
{
    if (!app->host.save_picture) {
        app_say(app, "%s", _("no picture can be saved here; use: lanescope render LESSON -o FILE.png"));
        return;
    }
    app->notice[0] = 0;
    const struct draw_list *list = app_frame(app, 0);
    const char *path = free_name(app, "png");
    struct error error;
    if (app->host.save_picture(app->host.context, list, app->width, app->height, app_background(app), path, &error))
        app_say(app, _("saved %s"), path);
    else
        app_say_error(app, &error);
}

void app_save_gif(struct app *app)
{
    if (!app->host.save_frame || !app->playback || app->screen == SCREEN_LIST) {
        app_say(app, "%s", _("no animation can be saved here; open a lesson in a window first"));
        return;
    }
    enum { FRAME_HUNDREDTHS = 5, LAST_HUNDREDTHS = 120 };
    app->notice[0] = 0;
    bool playing = app->playing;
    app->playing = false;
    const char *path = arena_text(&app->session, free_name(app, "gif"));
    struct error error = {0};
    bool good = true;
    app->moving = true;
    app->moved = 0;
    for (bool last = false; good && !last;) {
        const struct draw_list *list = app_frame(app, FRAME_HUNDREDTHS / 100.0);
        last = !app->moving;
        good = app->host.save_frame(app->host.context, list, app->width, app->height, app_background(app),
                                    last ? LAST_HUNDREDTHS : FRAME_HUNDREDTHS, path, &error);
    }
    good = good &&
           app->host.save_frame(app->host.context, NULL, app->width, app->height, app_background(app), 0, path, &error);
    app->playing = playing;
    if (good)
        app_say(app, _("saved %s"), path);
    else
        app_say_error(app, &error);
}

/* What --access takes: the access's number, or, for an event that is none, its place counted on after the last access.
 */
static size_t access_argument(const struct app *app)
{
    const struct playback *playback = app->playback;
    if (!playback || !playback->count)
        return 1;
    if (playback->marks[app->position] & MARK_ACCESS)
        return playback->accesses[app->position];
    return playback->access_count + 1 + app->position;
}

/* What is so of every screen with a run on it. */
static const char *common_options(struct app *app)
{
    const char *dram = app->dram ? arena_format(&app->frame, " --dram %s", app->dram) : "";
    const char *gpu = app->gpu ? arena_format(&app->frame, " --gpu '%s'", app->gpu) : "";
    return arena_format(&app->frame, "%s%s --lang %s --theme %s%s", gpu, dram,
                        app->language == LANGUAGE_KO ? "ko" : "en", app->dark ? "dark" : "light",
                        app->presenting ? " --present" : "");
}

const char *app_reopen_line(struct app *app)
{
    struct arena *arena = &app->frame;
    const char *block = "";
    if (app->playback && app->block != app->opening_block)
        block = arena_format(arena, " --show-block %llu", (unsigned long long)app->block);
    if (app->screen == SCREEN_TRACE)
        return arena_format(arena, "lanescope view '%s'%s%s%s --access %zu%s", app->file.path,
                            app->file.launch ? " " : "", app->file.launch ? app->file.launch : "", block,
                            access_argument(app), common_options(app));
    if (app->screen == SCREEN_LIST)
        return "lanescope";
    const struct open_lesson *open = &app->open;
    const char *line = arena_format(arena, "lanescope %s", open->lesson->name);
    if (open->lesson->variant_count > 1)
        line = arena_format(arena, "%s --variant %s", line, open->lesson->variants[open->setting.variant].name);
    for (int k = 0; k < open->lesson->knob_count; k++)
        line = arena_format(arena, "%s --set %s=%lld", line, open->lesson->knobs[k].name,
                            (long long)open->lesson->knobs[k].values[open->setting.value[k]]);
    line = arena_format(arena, "%s --beat %d%s --access %zu", line, open->beat + 1, block, access_argument(app));
    if (app_beat(app)->kind == BEAT_ASK && !app_covered(app))
        line = arena_format(arena, "%s --answered", line);
    if (app->executor != EXECUTOR_BEST)
        line = arena_format(arena, "%s --on %s", line, executor_word(app->executor));
    if (app->blocks_chosen && app->blocks.last == UINT64_MAX)
        line = arena_format(arena, "%s --blocks all", line);
    else if (app->blocks_chosen)
        line = arena_format(arena, "%s --blocks %llu-%llu", line, (unsigned long long)app->blocks.first,
                            (unsigned long long)app->blocks.last);
    return arena_format(arena, "%s%s", line, common_options(app));
}

void app_copy(struct app *app)
{
    const char *line = app_reopen_line(app);
    if (app->host.copy_text && app->host.copy_text(app->host.context, line))
        app_say(app, _("copied: %s"), line);
    else
        app_say(app, "%s", line); /* no clipboard: it can still be read and typed */
}
