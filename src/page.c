/* The program in a page: its scripts pass events, and call web_frame when one is due. */
#include "app/progress/progress.h"
#include "base/file.h"
#include "platform/web/web.h"
#include "ui/keys.h"
#include <emscripten/emscripten.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct {
    struct app *app;
    struct progress *progress;
    int width, height;
    double last; /* frame */
} page;

static void set_title(void *context, const char *title)
{
    (void)context;
    page_title(title);
}

static void set_fullscreen(void *context, bool on)
{
    (void)context;
    page_fullscreen(on);
}

static void show_pointer(void *context, bool shown)
{
    (void)context;
    page_pointer(shown);
}

static bool choose_file(void *context, const char *title)
{
    (void)context;
    (void)title;
    return page_choose();
}

static bool copy_text(void *context, const char *text)
{
    (void)context;
    return page_copy(text);
}

static bool save_picture(void *context, const struct draw_list *list, int width, int height, struct color background,
                         const char *path, struct error *error)
{
    (void)context;
    if (!path_ends_with(path, ".png"))
        return error_set(error, ERROR_MISSING, "a browser saves pictures as .png only");
    paint_file(list, width, height, background, path_name(path));
    return true;
}

/* Begins with the first screen. Returns "", or why nothing can be shown. scale: pixels a point. bare: in
 * a frame of another page, without the bar on top. */
EMSCRIPTEN_KEEPALIVE const char *web_begin(int width, int height, float scale, int dark, int reduced, int bare)
{
    static char said[600];
    struct app_host const host = {.set_title = set_title,
                                  .set_fullscreen = set_fullscreen,
                                  .show_pointer = show_pointer,
                                  .choose_file = choose_file,
                                  .copy_text = copy_text,
                                  .copies_link = true,
                                  .save_picture = save_picture,
                                  .patience = 10,
                                  .untimed = true,
                                  .attended = true};
    struct text_metrics const metrics = text_of_page();
    struct error error;
    page.progress = progress_open();
    page.width = width;
    page.height = height;
    struct app_options const options = {.width = width,
                                        .height = height,
                                        .scale = scale,
                                        .on = EXECUTOR_BEST,
                                        .reduced_motion = reduced,
                                        .dark = dark,
                                        .notes = true,
                                        .bare = bare,
                                        .progress = page.progress};
    if (!app_new(&options, &metrics, &host, &page.app, &error))
        return error_line(&error, said, sizeof said);
    page.last = clock_seconds();
    return "";
}

static void pass(const struct app_event *event)
{
    if (page.app)
        app_event(page.app, event);
}

EMSCRIPTEN_KEEPALIVE void web_key(int key, int modifiers, int repeat)
{
    pass(&(struct app_event){.kind = APP_KEY, .key = key, .modifiers = modifiers, .repeat = repeat});
}

/* kind: 0 the mouse moves, 1 its left button goes down, 2 and up, 3 its right button goes down, 4 it leaves. */
EMSCRIPTEN_KEEPALIVE void web_mouse(int kind, float x, float y, int modifiers)
{
    static const enum app_event_kind kinds[] = {APP_MOUSE_MOVE, APP_MOUSE_DOWN, APP_MOUSE_UP, APP_MOUSE_SECOND,
                                                APP_MOUSE_LEAVE};
    if (kind >= 0 && kind < (int)(sizeof kinds / sizeof *kinds))
        pass(&(struct app_event){.kind = kinds[kind], .x = x, .y = y, .modifiers = modifiers});
}

/* up: turns of the wheel, away from the user. */
EMSCRIPTEN_KEEPALIVE void web_wheel(float up, int modifiers)
{
    pass(&(struct app_event){.kind = APP_WHEEL, .y = up, .modifiers = modifiers});
}

EMSCRIPTEN_KEEPALIVE void web_resize(int width, int height, float scale)
{
    page.width = width;
    page.height = height;
    pass(&(struct app_event){.kind = APP_RESIZE, .width = width, .height = height, .scale = scale});
}

/* A file that the page has written. before: those that were dropped together with it. */
EMSCRIPTEN_KEEPALIVE void web_drop(const char *path, int before)
{
    pass(&(struct app_event){.kind = APP_DROP_FILE, .text = path, .dropped_before = (unsigned)before});
}

/* Draws a frame. came: after an event. Returns the seconds until the next one is due; -1: not before an event. */
EMSCRIPTEN_KEEPALIVE double web_frame(int came)
{
    if (!page.app)
        return -1;
    bool const still = app_still(page.app);
    double const now = clock_seconds(), passed = now - page.last;
    app_pass_time(page.app, passed);
    const struct draw_list *list = app_frame(page.app, came && still ? 0 : passed);
    paint_page(list, page.width, page.height, app_background(page.app));
    page.last = now;
    double const wait = app_wait(page.app);
    return isinf(wait) ? -1 : wait;
}

/* Returns what is on screen as JSON, which the page frees; see app_shows. */
EMSCRIPTEN_KEEPALIVE char *web_shows(void)
{
    return page.app ? app_shows(page.app) : NULL;
}

EMSCRIPTEN_KEEPALIVE const char *web_link(void)
{
    return page.app ? app_link(page.app) : "";
}

EMSCRIPTEN_KEEPALIVE void web_open_link(const char *link)
{
    if (page.app)
        app_open_link(page.app, link);
}

/* Keeps what has changed: the page is about to go. */
EMSCRIPTEN_KEEPALIVE void web_leave(void)
{
    progress_save(page.progress);
}
