/* Opens the window, passes its events to the app and draws a frame when something changed. Between frames the process
 * sleeps in SDL. */
#include "base/file.h"
#include "base/words.h"
#include "platform/state.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_FRAME = 40 };                       /* height of a title bar, in points */
enum { LEAST_WIDTH = 1024, LEAST_HEIGHT = 600 }; /* smallest size of the layouts, in points */

static bool no_window(struct platform *platform, struct error *error, const char *what, const char *remedy)
{
    error_set(error, ERROR_MISSING, "%s: %s", what, SDL_GetError());
    platform_close(platform);
    return error_remedy(error, "%s", remedy);
}

/* Starts SDL's video. SDL falls back to drivers without a visible window; they count as failure unless the user named
 * one in SDL_VIDEODRIVER. */
static bool start_video(void)
{
    /* Wayland needs this folder; without it, its library only complains on standard error. */
    if (!SDL_getenv("XDG_RUNTIME_DIR"))
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,kmsdrm");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return false;
    const char *driver = SDL_GetCurrentVideoDriver();
    if (SDL_getenv("SDL_VIDEODRIVER") || (strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0))
        return true;
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    SDL_SetError("neither X11 nor Wayland answers");
    return false;
}

/* Returns whether OpenGL runs without a graphics processor: Mesa then draws every triangle on the CPU, more slowly than
 * raster.c. */
static bool is_processor_opengl(SDL_Renderer *renderer, const SDL_RendererInfo *info)
{
    enum { gl_renderer = 0x1F01 };
    SDL_RenderFlush(renderer);
    if (strncmp(info->name, "opengl", 6) != 0)
        return false;
    const unsigned char *(*get)(unsigned name) = NULL;
    void *address = SDL_GL_GetProcAddress("glGetString");
    memcpy(&get, &address, sizeof get); /* C has no conversion from an object pointer to a function pointer */
    const char *name = get ? (const char *)get(gl_renderer) : NULL;
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "swrast"));
}

/* Makes a renderer on a graphics processor if there is one. Otherwise raster.c paints, and SDL's software renderer
 * shows the result. */
static bool make_renderer(struct platform *platform)
{
    SDL_RendererInfo info = {0};
    platform->painted_here = false;
    platform->renderer = SDL_CreateRenderer(platform->window, -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
    if (platform->renderer && SDL_GetRendererInfo(platform->renderer, &info) == 0 &&
        !is_processor_opengl(platform->renderer, &info) && !(info.flags & SDL_RENDERER_SOFTWARE) &&
        info.max_texture_width >= ATLAS_SIDE)
        return true;
    if (platform->renderer)
        SDL_DestroyRenderer(platform->renderer);
    platform->painted_here = true;
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"); /* otherwise SDL would show it through the same OpenGL */
    platform->renderer = SDL_CreateRenderer(platform->window, -1, SDL_RENDERER_SOFTWARE);
    if (platform->renderer)
        return true;
    platform->painted_here = false; /* Wayland offers only OpenGL, even when it runs on the CPU */
    platform->renderer = SDL_CreateRenderer(platform->window, -1, SDL_RENDERER_ACCELERATED);
    return platform->renderer != NULL;
}

float platform_scale_of_resources(const char *resources)
{
    const char *found = resources ? strstr(resources, "Xft.dpi:") : NULL;
    float const dots = found ? strtof(found + strlen("Xft.dpi:"), NULL) : 96;
    return dots >= 96 && dots <= 384 ? dots / 96 : 1;
}

/* Returns the scale of an X11 desktop. X11 works in pixels and keeps the scale in its resources. SDL does not offer
 * them, so this asks libX11, which SDL has loaded. */
static float desktop_scale(void)
{
    float scale = 1;
    void *library = strcmp(SDL_GetCurrentVideoDriver(), "x11") == 0 ? SDL_LoadObject("libX11.so.6") : NULL;
    if (!library)
        return 1;
    void *(*open_display)(const char *name) = NULL;
    char *(*resources)(void *display) = NULL;
    int (*close_display)(void *display) = NULL;
    void *addresses[] = {SDL_LoadFunction(library, "XOpenDisplay"), SDL_LoadFunction(library, "XResourceManagerString"),
                         SDL_LoadFunction(library, "XCloseDisplay")};
    memcpy(&open_display, &addresses[0], sizeof open_display); /* copied for the same reason as glGetString */
    memcpy(&resources, &addresses[1], sizeof resources);
    memcpy(&close_display, &addresses[2], sizeof close_display);
    void *display = open_display && resources && close_display ? open_display(NULL) : NULL;
    if (display) {
        scale = platform_scale_of_resources(resources(display));
        close_display(display);
    }
    SDL_UnloadObject(library);
    return scale;
}

/* Moves and shrinks the window until its frame is inside the usable part of the screen too. The frame is known only
 * after the window manager has drawn it. */
static void fit_frame(SDL_Window *window, const SDL_Rect *usable)
{
    int top = 0, left = 0, bottom = 0, right = 0, x, y, width, height;
    SDL_PumpEvents();
    SDL_GetWindowSize(window, &width, &height);
    SDL_GetWindowPosition(window, &x, &y);
    if (SDL_GetWindowBordersSize(window, &top, &left, &bottom, &right) != 0)
        return;
    int const most_width = usable->w - left - right, most_height = usable->h - top - bottom;
    if (width > most_width || height > most_height) {
        width = width < most_width ? width : most_width;
        height = height < most_height ? height : most_height;
        SDL_SetWindowSize(window, width, height);
    }
    int const least_x = usable->x + left, least_y = usable->y + top;
    int const most_x = usable->x + usable->w - right - width, most_y = usable->y + usable->h - bottom - height;
    int const to_x = x < least_x ? least_x : x > most_x ? most_x : x;
    int const to_y = y < least_y ? least_y : y > most_y ? most_y : y;
    if (to_x != x || to_y != y)
        SDL_SetWindowPosition(window, to_x, to_y);
}

bool platform_open_window(const char *title, int width, int height, struct platform **out, struct error *error)
{
    struct platform *platform;
    if (!platform_open_headless(&platform, error))
        return false;
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); /* so that Ctrl+C in the terminal ends the program */
    platform->video_started = start_video();
    if (!platform->video_started)
        return no_window(platform, error, _("no display can be opened"),
                         _("use `lanescope render` to draw a picture to a file"));
    platform->desktop_scale = desktop_scale();
    width = (int)((float)width * platform->desktop_scale);
    height = (int)((float)height * platform->desktop_scale);
    SDL_Rect usable = {0, 0, width, height};
    SDL_GetDisplayUsableBounds(0, &usable);
    int const small_width = (int)(LEAST_WIDTH * platform->desktop_scale);
    int const small_height = (int)(LEAST_HEIGHT * platform->desktop_scale);
    int least_width = usable.w < small_width ? usable.w : small_width;
    int least_height = usable.h < small_height ? usable.h : small_height;
    int const frame = (int)(USUAL_FRAME * platform->desktop_scale); /* of a title bar; fit_frame corrects it */
    int const most_height = usable.h - frame > least_height ? usable.h - frame : usable.h;
    width = width > usable.w ? usable.w : width < least_width ? least_width : width;
    height = height > most_height ? most_height : height < least_height ? least_height : height;
    platform->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                                        SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!platform->window)
        return no_window(platform, error, _("no window can be opened"),
                         _("use `lanescope render` to draw a picture to a file"));
    fit_frame(platform->window, &usable);
    SDL_GetWindowSize(platform->window, &width, &height);
    SDL_SetWindowMinimumSize(platform->window, least_width < width ? least_width : width,
                             least_height < height ? least_height : height);
    if (!make_renderer(platform))
        return no_window(platform, error, _("SDL has no renderer for the window"),
                         _("install the package libgl1-mesa-dri, or use `lanescope render`"));
    SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
    SDL_StopTextInput(); /* keys are commands; an input method must not take them to compose Hangul */
    *out = platform;
    return true;
}

void window_close(struct platform *platform)
{
    window_forget_textures(platform);
    if (platform->renderer)
        SDL_DestroyRenderer(platform->renderer);
    if (platform->window)
        SDL_DestroyWindow(platform->window);
    picture_free(&platform->picture);
    free(platform->vertices.items);
    free(platform->indices.items);
    if (platform->video_started)
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

void window_set_title(void *context, const char *title)
{
    SDL_SetWindowTitle(((struct platform *)context)->window, title);
}

void window_set_fullscreen(void *context, bool on)
{
    SDL_SetWindowFullscreen(((struct platform *)context)->window, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

bool window_copy_text(void *context, const char *text)
{
    (void)context;
    return SDL_SetClipboardText(text) == 0;
}

void window_quit(void *context)
{
    ((struct platform *)context)->quit = true;
}

/* Returns the pixels per unit of the window system, the unit of mouse positions: 1 except on a Wayland desktop that
 * scales. */
static float pixel_ratio(const struct platform *platform)
{
    int pixels = 0, points = 0, ignored;
    SDL_GetRendererOutputSize(platform->renderer, &pixels, &ignored);
    SDL_GetWindowSize(platform->window, &points, &ignored);
    return points > 0 ? (float)pixels / (float)points : 1;
}

void platform_size(const struct platform *platform, int *width, int *height, float *scale)
{
    *width = *height = 0;
    *scale = 1;
    if (!platform->window)
        return;
    SDL_GetRendererOutputSize(platform->renderer, width, height);
    *scale = pixel_ratio(platform) * platform->desktop_scale;
}

static struct app_event resize_event(const struct platform *platform)
{
    struct app_event event = {.kind = APP_RESIZE};
    platform_size(platform, &event.width, &event.height, &event.scale);
    return event;
}

static int modifiers_of(Uint16 mod)
{
    return (mod & KMOD_SHIFT ? APP_SHIFT : 0) | (mod & KMOD_CTRL ? APP_CONTROL : 0) | (mod & KMOD_ALT ? APP_ALT : 0);
}

static void window_event(struct platform *platform, struct app *app, const SDL_WindowEvent *window)
{
    struct app_event event = {.kind = APP_EXPOSE};
    switch (window->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        event = resize_event(platform);
        break;
    case SDL_WINDOWEVENT_LEAVE:
        event.kind = APP_MOUSE_LEAVE;
        break;
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
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
                                    .modifiers = modifiers_of((Uint16)SDL_GetModState()),
                                    .x = ((float)x + 0.5f) * ratio,
                                    .y = ((float)y + 0.5f) * ratio};
    app_event(app, &event);
}

/* Passes one event to the app. Returns true when the frame must be drawn again. */
static bool pass_on(struct platform *platform, struct app *app, const SDL_Event *event)
{
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
                                           .modifiers = modifiers_of(event->key.keysym.mod),
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
                                           .modifiers = modifiers_of((Uint16)SDL_GetModState())});
        return true;
    case SDL_DROPFILE:
        app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = event->drop.file});
        SDL_free(event->drop.file);
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
    SDL_DestroyRenderer(platform->renderer);
    if (make_renderer(platform) && window_draw(platform, list, app_background(app)))
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

bool platform_loop(struct platform *platform, struct app *app, struct error *error)
{
    struct app_event size = resize_event(platform);
    app_event(app, &size);
    double last = clock_seconds();
    bool draw = true;
    while (!platform->quit) {
        SDL_Event event;
        double wait = draw ? 0 : app_wait(app);
        bool came = next_event(&event, wait);
        if (came && take_events(platform, app, &event))
            draw = true;
        if (!came)
            draw = draw || wait < 1e6; /* the app's own time has come */
        if (!draw || platform->quit)
            continue;
        /* after an endless wait the animation has not moved */
        double now = clock_seconds(), passed = wait > 1e6 ? 0 : now - last;
        if (!draw_or_renew(platform, app, app_frame(app, passed), error))
            return false;
        keep_pace(platform, now);
        last = now;
        draw = false;
    }
    return true;
}

const char *platform_video_status(char *text, size_t size)
{
    SDL_SetMainReady();
    if (!start_video()) {
        snprintf(text, size, _("no display (%s); pictures can still be drawn to files"), SDL_GetError());
        return text;
    }
    const char *renderer = "none";
    SDL_RendererInfo info;
    struct platform probe = {.video_started = true};
    probe.window = SDL_CreateWindow("", 0, 0, 64, 64, SDL_WINDOW_HIDDEN);
    if (probe.window && make_renderer(&probe) && SDL_GetRendererInfo(probe.renderer, &info) == 0)
        renderer = probe.painted_here ? "software (no graphics processor)" : info.name;
    snprintf(text, size, "video driver %s, renderer %s", SDL_GetCurrentVideoDriver(), renderer);
    window_close(&probe);
    return text;
}
