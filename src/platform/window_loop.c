/* Passes the window's events to the app and draws a frame when something changed. Between frames the process sleeps in
 * SDL. */
#include "base/file.h"
#include "platform/state.h"
#include <math.h>

/* Returns the pixels per unit of the window system, the unit of mouse positions: 1 except on a Wayland desktop that
 * scales. */
static float pixel_ratio(const struct platform *platform)
{
    int pixels = 0, points = 0, ignored;
    window_pixels(platform, &pixels, &ignored);
    SDL_GetWindowSize(platform->window, &points, &ignored);
    return points > 0 ? (float)pixels / (float)points : 1;
}

void platform_size(const struct platform *platform, int *width, int *height, float *scale)
{
    *width = *height = 0;
    *scale = 1;
    if (!platform->window)
        return;
    window_pixels(platform, width, height);
    *scale = pixel_ratio(platform) * platform->desktop_scale;
}

static struct app_event resize_event(const struct platform *platform)
{
    struct app_event event = {.kind = APP_RESIZE};
    platform_size(platform, &event.width, &event.height, &event.scale);
    return event;
}

int window_modifiers(Uint16 mod)
{
    return (mod & KMOD_SHIFT ? MODIFIER_SHIFT : 0) | (mod & KMOD_CTRL ? MODIFIER_CONTROL : 0) |
           (mod & KMOD_ALT ? MODIFIER_ALT : 0);
}

static void window_event(struct platform *platform, struct app *app, const SDL_WindowEvent *window)
{
    struct app_event event = {.kind = APP_EXPOSE};
    window_note_place(platform);
    switch (window->event) {
    case SDL_WINDOWEVENT_MAXIMIZED:
        window_note_maximized(platform);
        event = resize_event(platform);
        break;
    case SDL_WINDOWEVENT_MOVED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        event = resize_event(platform);
        break;
    case SDL_WINDOWEVENT_CLOSE: /* with a second window, SDL does not ask the program to quit */
        platform->quit = true;
        return;
    case SDL_WINDOWEVENT_LEAVE:
        event.kind = APP_MOUSE_LEAVE;
        break;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
    case SDL_WINDOWEVENT_FOCUS_LOST:
        atomic_store(&platform->focused, window->event == SDL_WINDOWEVENT_FOCUS_GAINED);
        return;
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
        platform->show_all = true;
        break;
    default:
        return;
    }
    app_event(app, &event);
}

static void mouse_event(const struct platform *platform, struct app *app, enum app_event_kind kind, int x, int y)
{
    float const ratio = pixel_ratio(platform);
    struct app_event const event = {.kind = kind,
                                    .modifiers = window_modifiers((Uint16)SDL_GetModState()),
                                    .x = ((float)x + 0.5f) * ratio,
                                    .y = ((float)y + 0.5f) * ratio};
    app_event(app, &event);
}

/* Passes one event to the app. Returns true when the frame must be drawn again. */
static bool pass_on(struct platform *platform, struct app *app, const SDL_Event *event)
{
    if (second_event(platform, app, event))
        return true;
    switch (event->type) {
    case SDL_QUIT:
        platform->quit = true;
        return false;
    case SDL_WINDOWEVENT:
        window_event(platform, app, &event->window);
        return true;
    case SDL_KEYDOWN: /* SDL's scancodes are USB usage ids */
        app_event(app, &(struct app_event){.kind = APP_KEY,
                                           .key = (int)event->key.keysym.scancode,
                                           .modifiers = window_modifiers(event->key.keysym.mod),
                                           .repeat = event->key.repeat != 0});
        return true;
    case SDL_MOUSEMOTION:
        mouse_event(platform, app, APP_MOUSE_MOVE, event->motion.x, event->motion.y);
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        if (event->button.button == SDL_BUTTON_RIGHT && event->type == SDL_MOUSEBUTTONDOWN) {
            mouse_event(platform, app, APP_MOUSE_SECOND, event->button.x, event->button.y);
            return true;
        }
        if (event->button.button != SDL_BUTTON_LEFT)
            return false;
        mouse_event(platform, app, event->type == SDL_MOUSEBUTTONDOWN ? APP_MOUSE_DOWN : APP_MOUSE_UP, event->button.x,
                    event->button.y);
        return true;
    case SDL_MOUSEWHEEL:
        app_event(app, &(struct app_event){.kind = APP_WHEEL,
                                           .y = event->wheel.preciseY,
                                           .modifiers = window_modifiers((Uint16)SDL_GetModState())});
        return true;
    case SDL_DROPBEGIN:
    case SDL_DROPCOMPLETE:
        platform->in_drop = event->type == SDL_DROPBEGIN;
        platform->dropped = 0;
        return false;
    case SDL_DROPFILE:
        app_event(app, &(struct app_event){
                           .kind = APP_DROP_FILE, .text = event->drop.file, .dropped_before = platform->dropped});
        platform->dropped += platform->in_drop;
        SDL_free(event->drop.file);
        return true;
    case SDL_USEREVENT: /* of watch.c or chooser.c */
        app_event(app,
                  &(struct app_event){.kind = event->user.code == WATCH_EVENT ? APP_FILES_CHANGED : APP_NO_CHOOSER});
        return true;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        window_forget_textures(platform);
        app_event(app, &(struct app_event){.kind = APP_EXPOSE});
        return true;
    default:
        return false;
    }
}

/* Draws a frame. A lost renderer takes its textures with it, so both are made again once. */
static bool draw_or_renew(struct platform *platform, struct app *app, const struct draw_list *list, struct error *error)
{
    if (window_draw(platform, list, app_background(app)))
        return true;
    window_forget_textures(platform);
    if (platform->renderer)
        SDL_DestroyRenderer(platform->renderer);
    if (window_make_renderer(platform) && window_draw(platform, list, app_background(app)))
        return true;
    return error_set(error, ERROR_MISSING, "the window's renderer was lost: %s", SDL_GetError());
}

/* Takes all waiting events, so that fast mouse movement or a held key costs one frame and not ten. It stops after a
 * press, a release or the press of a key, because a frame must see each of them. Returns true when the frame must be
 * drawn again. */
static bool take_events(struct platform *platform, struct app *app, SDL_Event *event)
{
    bool changed = false;
    do {
        changed = pass_on(platform, app, event) || changed;
        if (event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP ||
            (event->type == SDL_KEYDOWN && !event->key.repeat))
            break;
    } while (!platform->quit && SDL_PollEvent(event));
    return changed;
}

/* Sleeps until an event arrives or `wait` seconds have passed. Returns whether there is an event. */
static bool next_event(SDL_Event *event, double wait)
{
    if (wait <= 0)
        return SDL_PollEvent(event) == 1;
    return wait > 1e6 ? SDL_WaitEvent(event) == 1 : SDL_WaitEventTimeout(event, (int)ceil(wait * 1000)) == 1;
}

/* Waits until 1/60 s after `start` when the frame did not wait for the display. */
static void keep_pace(const struct platform *platform, double start)
{
    double const frame = 1.0 / 60, too_soon = 0.005;
    double spent = clock_seconds() - start;
    if (spent < (platform->painted_here ? frame : too_soon))
        SDL_Delay((Uint32)((frame - spent) * 1000));
}

/* Runs until the window quits. draw: begins with a frame. Returns the number of frames in *frames. */
static bool run_loop(struct platform *platform, struct app *app, bool draw, size_t *frames, struct error *error)
{
    double last = clock_seconds();
    while (!platform->quit) {
        SDL_Event event;
        double wait = draw ? 0 : app_wait(app);
        bool const still = app_still(app);
        bool came = next_event(&event, wait);
        if (came && take_events(platform, app, &event))
            draw = true;
        if (!came)
            draw = draw || wait < 1e6; /* the app's own time has come */
        if (!draw || platform->quit)
            continue;
        /* after a wait for an event the animation has not moved */
        double now = clock_seconds(), passed = wait > 1e6 || (came && still) ? 0 : now - last;
        app_pass_time(app, now - last);
        if (!draw_or_renew(platform, app, app_frame(app, passed), error))
            return false;
        second_draw(platform, app);
        keep_pace(platform, now);
        last = now;
        draw = false;
        (*frames)++;
    }
    return true;
}

bool platform_loop(struct platform *platform, struct app *app, struct error *error)
{
    struct app_event const size = resize_event(platform);
    size_t frames = 0;
    app_event(app, &size);
    signals_watch();
    bool const good = run_loop(platform, app, true, &frames, error);
    signals_end();
    return good;
}

static Uint32 end_loop(Uint32 interval, void *context)
{
    (void)interval;
    (void)context;
    SDL_PushEvent(&(SDL_Event){.type = SDL_QUIT});
    return 0; /* once */
}

bool platform_rest(struct platform *platform, struct app *app, double seconds, size_t *frames, struct error *error)
{
    *frames = 0;
    if (!SDL_AddTimer((Uint32)(seconds * 1000), end_loop, NULL))
        return error_set(error, ERROR_MISSING, "SDL has no timer: %s", SDL_GetError());
    bool const good = run_loop(platform, app, false, frames, error);
    platform->quit = false;
    return good;
}
