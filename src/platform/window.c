/* Opens the window where it fits, keeps its place, and closes it. */
#include "base/file.h"
#include "base/words.h"
#include "platform/state.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_FRAME = 40, SIDE_FRAME = 16 };      /* height of a title bar, in points; width of both sides, in pixels */
enum { LEAST_WIDTH = 1024, LEAST_HEIGHT = 600 }; /* smallest size of the layouts, in points */

static bool no_window(struct platform *platform, struct error *error, const char *what, const char *remedy)
{
    error_set(error, ERROR_MISSING, "%s: %s", what, SDL_GetError());
    platform_close(platform);
    return error_remedy(error, "%s", remedy);
}

typedef int x11_handler(void *display, void *event);
static struct {
    void *library; /* stays loaded, so that the handler stays */
    x11_handler *usual;
    atomic_bool closing;
} x11;

static int on_error_of_x11(void *display, void *event)
{
    return x11.closing || !x11.usual ? 0 : x11.usual(display, event);
}

/* SDL wakes its event loop by an event to the window, over a connection of its own. If the window is gone before X11
 * reads that event, Xlib's handler of errors would end the program: while the window closes, errors mean nothing. SDL
 * puts the handler that it found when it started back before it closes that connection (X11_DeleteDevice), so ours
 * must be there before SDL starts. */
static void take_errors_of_x11(void)
{
    x11_handler *(*set_handler)(x11_handler *) = NULL;
    x11.closing = false;
    if (x11.library || !(x11.library = SDL_LoadObject("libX11.so.6")))
        return;
    void *address = SDL_LoadFunction(x11.library, "XSetErrorHandler");
    memcpy(&set_handler, &address, sizeof set_handler);
    if (set_handler)
        x11.usual = set_handler(on_error_of_x11);
}

/* Starts SDL's video. SDL falls back to drivers without a visible window; they count as failure unless the user named
 * one in SDL_VIDEODRIVER. */
static bool start_video(void)
{
    /* Wayland needs this folder; without it, its library only complains on standard error. */
    if (!SDL_getenv("XDG_RUNTIME_DIR"))
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,kmsdrm");
    take_errors_of_x11();
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

/* Returns whether this computer may have a graphics processor. Without one, OpenGL is Mesa on the CPU: to load it only
 * to learn that takes a tenth of a second and 100 MB. */
static bool may_have_graphics(void)
{
#ifdef __linux__
    static const char *const devices[] = {"/dev/dri", "/dev/nvidiactl", "/dev/dxg"};
    bool found = SDL_getenv("SDL_RENDER_DRIVER") != NULL;
    for (size_t i = 0; i < sizeof devices / sizeof *devices && !found; i++)
        found = access(devices[i], F_OK) == 0;
    return found;
#else
    return true;
#endif
}

/* Makes a renderer on a graphics processor if there is one. Otherwise canvas.c paints into the window's surface. */
bool window_make_renderer(struct platform *platform)
{
    SDL_RendererInfo info = {0};
    platform->painted_here = false;
    platform->renderer = NULL;
    if (may_have_graphics())
        platform->renderer =
            SDL_CreateRenderer(platform->window, -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
    if (platform->renderer && SDL_GetRendererInfo(platform->renderer, &info) == 0 &&
        !is_processor_opengl(platform->renderer, &info) && !(info.flags & SDL_RENDERER_SOFTWARE) &&
        info.max_texture_width >= ATLAS_SIDE)
        return true;
    if (platform->renderer)
        SDL_DestroyRenderer(platform->renderer);
    platform->renderer = NULL;
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"); /* otherwise SDL would show it through the same OpenGL */
    platform->painted_here = platform->show_all = SDL_GetWindowSurface(platform->window) != NULL;
    if (platform->painted_here)
        return true;
    /* Wayland offers only OpenGL, even when it runs on the CPU */
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

/* Returns the usable part of the display that holds the place; of the first one if none does. */
static SDL_Rect usable_part(const struct window_place *wish)
{
    SDL_Rect bounds, usable = {0, 0, wish->width, wish->height};
    SDL_Point const middle = {wish->x + wish->width / 2, wish->y + wish->height / 2};
    int display = 0;
    for (int i = 0; wish->placed && i < SDL_GetNumVideoDisplays(); i++)
        if (SDL_GetDisplayBounds(i, &bounds) == 0 && SDL_PointInRect(&middle, &bounds))
            display = i;
    SDL_GetDisplayUsableBounds(display, &usable);
    return usable;
}

static int clamped(int value, int least, int most)
{
    return value > most ? most : value < least ? least : value;
}

/* Moves and shrinks the window until its frame, too, is inside the usable part of the screen. */
static void fit_frame(struct platform *platform, const SDL_Rect *usable)
{
    SDL_Rect const wish = platform->wish;
    const struct frame_size *frame = &platform->frame;
    int const width = clamped(wish.w, 1, usable->w - frame->left - frame->right);
    int const height = clamped(wish.h, 1, usable->h - frame->top - frame->bottom);
    int const least_x = usable->x + frame->left, least_y = usable->y + frame->top;
    int const x = clamped(wish.x, least_x, usable->x + usable->w - frame->right - width);
    int const y = clamped(wish.y, least_y, usable->y + usable->h - frame->bottom - height);
    int old_width, old_height, old_x, old_y;
    SDL_GetWindowSize(platform->window, &old_width, &old_height);
    SDL_GetWindowPosition(platform->window, &old_x, &old_y);
    if (width != old_width || height != old_height)
        SDL_SetWindowSize(platform->window, width, height);
    if (x != old_x || y != old_y)
        SDL_SetWindowPosition(platform->window, x, y);
}

/* Asks for the frame of the window manager. Returns whether it is another one than before: it becomes known only after
 * the window manager has drawn it, often some events later. */
static bool frame_changed(struct platform *platform)
{
    struct frame_size now = {0};
    if (SDL_GetWindowBordersSize(platform->window, &now.top, &now.left, &now.bottom, &now.right) != 0 ||
        memcmp(&now, &platform->frame, sizeof now) == 0)
        return false;
    platform->frame = now;
    return true;
}

static bool is_normal(const struct platform *platform)
{
    Uint32 const others = SDL_WINDOW_FULLSCREEN | SDL_WINDOW_FULLSCREEN_DESKTOP | SDL_WINDOW_MAXIMIZED;
    return !(SDL_GetWindowFlags(platform->window) & (others | SDL_WINDOW_MINIMIZED));
}

/* Notes the window's place and, while it opens, fits it anew when its frame becomes known. */
void window_note_place(struct platform *platform)
{
    static const double opening = 3; /* seconds */
    SDL_Rect now;
    if (!is_normal(platform))
        return;
    SDL_GetWindowSize(platform->window, &now.w, &now.h);
    SDL_GetWindowPosition(platform->window, &now.x, &now.y);
    if (clock_seconds() < platform->opened + opening && frame_changed(platform)) {
        SDL_Rect const wish = platform->wish;
        SDL_Rect const usable = usable_part(&(struct window_place){wish.w, wish.h, wish.x, wish.y, true, false});
        fit_frame(platform, &usable);
    }
    if (memcmp(&now, &platform->normal, sizeof now) != 0) {
        platform->before = platform->normal;
        platform->normal = now;
    }
}

/* A window is maximized in two events, its new size and the state: the first one was taken for the user's. */
void window_note_maximized(struct platform *platform)
{
    int width, height;
    SDL_GetWindowSize(platform->window, &width, &height);
    if (platform->normal.w == width && platform->normal.h == height && platform->before.w)
        platform->normal = platform->before;
}

bool window_tell_place(void *context, struct window_place *place)
{
    const struct platform *platform = context;
    float const scale = platform->desktop_scale;
    SDL_Rect const at = platform->normal;
    Uint32 const flags = SDL_GetWindowFlags(platform->window);
    *place = (struct window_place){.width = (int)lroundf((float)at.w / scale),
                                   .height = (int)lroundf((float)at.h / scale),
                                   .x = at.x,
                                   .y = at.y,
                                   .placed = true,
                                   .maximized = (flags & SDL_WINDOW_MAXIMIZED) != 0};
    return at.w > 0 && clock_seconds() > platform->opened + 0.5; /* before, window managers still move it */
}

/* Creates the window, hidden, in the usable part of its screen. */
static bool create_window(struct platform *platform, const char *title, const struct window_place *wish)
{
    float const scale = platform->desktop_scale;
    struct window_place place = *wish;
    place.width = (int)((float)place.width * scale);
    place.height = (int)((float)place.height * scale);
    SDL_Rect const usable = usable_part(&place);
    int const least_width = clamped((int)(LEAST_WIDTH * scale), 1, usable.w - SIDE_FRAME);
    int const bar = (int)(USUAL_FRAME * scale), most_height = usable.h - bar; /* until the frame is known */
    int const least_height = clamped((int)(LEAST_HEIGHT * scale), 1, most_height);
    SDL_Rect at = {.w = clamped(place.width, least_width, usable.w),
                   .h = clamped(place.height, least_height, most_height)};
    int const middle_x = usable.x + (usable.w - at.w) / 2, middle_y = usable.y + bar + (most_height - at.h) / 2;
    at.x = place.placed ? place.x : middle_x;
    at.y = place.placed ? place.y : middle_y;
    platform->window = SDL_CreateWindow(title, clamped(at.x, usable.x, usable.x + usable.w - at.w),
                                        clamped(at.y, usable.y, usable.y + usable.h - at.h), at.w, at.h,
                                        SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN);
    if (!platform->window)
        return false;
    platform->wish = at;
    platform->normal = at;
    SDL_SetWindowMinimumSize(platform->window, least_width, least_height);
    return true;
}

/* Shows the window, and fits it. Until here it is hidden: on X11, SDL moves a window with a frame when it sets the
 * least size, and when it makes a renderer, for which it makes the window anew. */
static void show_window(struct platform *platform, bool maximized)
{
    SDL_Rect const wish = platform->wish;
    SDL_Rect const usable = usable_part(&(struct window_place){wish.w, wish.h, wish.x, wish.y, true, false});
    SDL_ShowWindow(platform->window);
    SDL_PumpEvents();
    frame_changed(platform);
    if (is_normal(platform))
        fit_frame(platform, &usable);
    if (maximized)
        SDL_MaximizeWindow(platform->window);
    platform->opened = clock_seconds();
}

bool platform_open_window(const char *title, const struct window_place *wish, struct platform **out,
                          struct error *error)
{
    struct platform *platform;
    if (!platform_open_headless(&platform, error))
        return false;
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); /* SDL's would wait for the next event: signals.c */
    platform->video_started = start_video();
    if (!platform->video_started)
        return no_window(platform, error, _("no display can be opened"),
                         _("use `lanescope render` to draw a picture to a file"));
    platform->desktop_scale = desktop_scale();
    if (!create_window(platform, title, wish))
        return no_window(platform, error, _("no window can be opened"),
                         _("use `lanescope render` to draw a picture to a file"));
    if (!window_make_renderer(platform))
        return no_window(platform, error, _("SDL has no renderer for the window"),
                         _("install the package libgl1-mesa-dri, or use `lanescope render`"));
    show_window(platform, wish->maximized);
    SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
    atomic_store(&platform->focused, true);
    SDL_StopTextInput(); /* keys are commands; an input method must not take them to compose Hangul */
    *out = platform;
    return true;
}

void window_close(struct platform *platform)
{
    x11.closing = true;
    window_forget_textures(platform);
    window_end_chooser();
    window_end_watch(platform);
    second_close(platform);
    if (platform->renderer)
        SDL_DestroyRenderer(platform->renderer);
    if (platform->window)
        SDL_DestroyWindow(platform->window);
    free(platform->vertices.items);
    free(platform->indices.items);
    free(platform->areas.items);
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

void window_show_pointer(void *context, bool shown)
{
    (void)context;
    SDL_ShowCursor(shown ? SDL_ENABLE : SDL_DISABLE);
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

const char *platform_renderer(const struct platform *platform, char *text, size_t size)
{
    SDL_RendererInfo info = {.name = "none"};
    if (platform->renderer)
        SDL_GetRendererInfo(platform->renderer, &info);
    snprintf(text, size, "video driver %s, renderer %s", SDL_GetCurrentVideoDriver(),
             platform->painted_here ? "software (no graphics processor)" : info.name);
    return text;
}

const char *platform_video_status(char *text, size_t size)
{
    SDL_SetMainReady();
    if (!start_video()) {
        snprintf(text, size, _("no display (%s); pictures can still be drawn to files"), SDL_GetError());
        return text;
    }
    struct platform probe = {.video_started = true};
    probe.window = SDL_CreateWindow("", 0, 0, 64, 64, SDL_WINDOW_HIDDEN);
    if (probe.window)
        window_make_renderer(&probe);
    platform_renderer(&probe, text, size);
    window_close(&probe);
    return text;
}
