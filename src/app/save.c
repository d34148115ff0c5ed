#include "app/save.h"
#include "app/frame.h"
#include "app/handout.h"
#include "app/state.h"
#include "base/file.h"
#include <math.h>
#include <string.h>

/* Returns a file's name without its ending: homework of homework.cu. */
static const char *stem_of(struct app *app, const char *name)
{
    enum { MOST = 100 }; /* bytes: the rest of the name needs room, too */
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    if (length > MOST)
        for (length = MOST; length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80;)
            length--; /* not within a letter */
    return arena_format(&app->frame, "%.*s", (int)length, name);
}

enum { PAPER_WIDTH = 1600, PAPER_HEIGHT = 1131 }; /* A4, across */

/* Returns an unused name in the current folder: lanescope-banks-3.png, then lanescope-banks-3-2.png and so on. */
static const char *free_name(struct app *app, const char *suffix)
{
    const struct document *document = &app->document;
    bool const lesson = !app->at_list && document->kind == DOCUMENT_LESSON;
    const char *stem = app->at_list                      ? "lessons"
                       : lesson                          ? document->lesson->name
                       : document->kind == DOCUMENT_FILE ? stem_of(app, path_name(document->file.name))
                                                         : "picture";
    int const number = lesson ? document->beat + 1 : 1;
    const char *path = arena_format(&app->frame, "lanescope-%s-%d.%s", stem, number, suffix);
    for (int i = 2; file_exists(path) && i < 1000; i++)
        path = arena_format(&app->frame, "lanescope-%s-%d-%d.%s", stem, number, i, suffix);
    return path;
}

static void save_picture(struct app *app, const char *suffix)
{
    if (!app->host.save_picture) {
        notice_pass(&app->notice, "%s", _("no picture can be saved here; use: lanescope render LESSON -o FILE.png"));
        return;
    }
    notice_clear_passing(&app->notice);
    const struct draw_list *list = frame_draw(app, 0);
    const char *path = free_name(app, suffix);
    struct error error;
    if (app->host.save_picture(app->host.context, list, app->width, app->height, app_background(app), path, &error))
        notice_pass(&app->notice, _("saved %s"), path);
    else
        notice_error(&app->notice, &error);
}

static bool save_frame(struct app *app, const struct draw_list *list, int hundredths, const char *path,
                       struct error *error)
{
    return app->host.save_frame(app->host.context, list, app->width, app->height, app_background(app), hundredths, path,
                                error);
}

bool app_film(struct app *app, const char *path, struct error *error)
{
    enum { LEAST_HUNDREDTHS = 5, LAST_HUNDREDTHS = 120 };
    struct playhead *playhead = &app->playhead;
    bool const playing = playhead->playing;
    int const pass = playhead->pass;
    bool good = app->host.save_frame && app->document.playback && !app->at_list;
    if (!good)
        return error_set(error, ERROR_INPUT, "no animation can be saved here; open a lesson in a window first");
    playhead->playing = false;
    playhead->moving = true;
    playhead->moved = 0;
    playhead->pass = PASS_ALL;
    int hundredths = LEAST_HUNDREDTHS; /* of a frame: until the picture changes */
    for (bool last = false; good && !last;) {
        const struct draw_list *list = frame_draw(app, hundredths / 100.0);
        int const rest = (int)ceil(playhead->rest * 100);
        last = !playhead->moving;
        hundredths = last ? LAST_HUNDREDTHS : rest > LEAST_HUNDREDTHS ? rest : LEAST_HUNDREDTHS;
        good = save_frame(app, list, hundredths, path, error);
    }
    playhead->pass = pass;
    good = good && save_frame(app, NULL, 0, path, error);
    playhead->playing = playing;
    return good;
}

static void save_animation(struct app *app)
{
    const char *path = arena_text(&app->session, free_name(app, "gif"));
    struct error error = {0};
    notice_clear_passing(&app->notice);
    if (app_film(app, path, &error))
        notice_pass(&app->notice, _("saved %s"), path);
    else
        notice_error(&app->notice, &error);
}

struct paper {
    struct app *app;
    const char *path;
};

static bool put_page(void *context, const struct handout_page *page, struct error *error)
{
    const struct app_host *host = &((struct paper *)context)->app->host;
    return host->save_page(host->context, page->list, PAPER_WIDTH, PAPER_HEIGHT, page->background,
                           ((struct paper *)context)->path, error);
}

/* Saves the lesson on paper, as `lanescope export` does: with the settings of its steps, whatever is on screen. */
static void save_handout(struct app *app)
{
    const struct document *document = &app->document;
    if (!app->host.save_page || app->at_list || document->kind != DOCUMENT_LESSON) {
        notice_pass(&app->notice, "%s",
                    _("only lessons are saved on paper here; use: lanescope export FILE -o OUT.pdf"));
        return;
    }
    const struct lesson *lesson = document->lesson;
    const char *path = arena_format(&app->session, "lanescope-%s.pdf", lesson->name);
    for (int i = 2; file_exists(path) && i < 1000; i++)
        path = arena_format(&app->session, "lanescope-%s-%d.pdf", lesson->name, i);
    struct app_options const options = {.lesson = lesson_is_named(lesson, lesson->name) ? lesson->name : lesson->folder,
                                        .on = document->look.executor,
                                        .language = app->preferences.language == LANGUAGE_KO ? "ko" : "en",
                                        .theme = "light",
                                        .reduced_motion = true,
                                        .width = PAPER_WIDTH,
                                        .height = PAPER_HEIGHT,
                                        .scale = 1};
    struct paper paper = {app, path};
    struct error error, none;
    notice_clear_passing(&app->notice);
    bool good = handout_draw(&options, HANDOUT_AT_END, &app->ui.metrics, put_page, &paper, &error);
    if (good)
        good = app->host.save_page(app->host.context, NULL, 0, 0, app_background(app), path, &error);
    else
        app->host.save_page(app->host.context, NULL, 0, 0, app_background(app), NULL, &none);
    if (good)
        notice_pass(&app->notice, _("saved %s"), path);
    else
        notice_error(&app->notice, &error);
}

bool save_wanted(struct app *app)
{
    int const save = (int)app->save;
    app->save = SAVE_NOTHING;
    if (save == SAVE_PICTURE || save == SAVE_SHAPES)
        save_picture(app, save == SAVE_SHAPES ? "svg" : "png");
    else if (save == SAVE_ANIMATION)
        save_animation(app);
    else if (save == SAVE_HANDOUT)
        save_handout(app);
    return save != SAVE_NOTHING;
}
