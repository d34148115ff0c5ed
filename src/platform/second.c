/* The presenter's window: on another screen than the lesson's if there is one. */
#include "base/words.h"
#include "platform/state.h"
#include <string.h>

int second_displays(void *platform)
{
    (void)platform;
    return SDL_GetNumVideoDisplays();
}

void second_close(struct platform *platform)
{
    struct second_window *second = &platform->second;
    if (second->texture)
        SDL_DestroyTexture(second->texture);
    if (second->renderer)
        SDL_DestroyRenderer(second->renderer);
    if (second->window)
        SDL_DestroyWindow(second->window);
    canvas_free(&second->canvas);
    memset(second, 0, sizeof *second);
}

/* Returns the usable part of the first screen that does not show the lesson, else of the one that does. */
static SDL_Rect other_screen(const struct platform *platform)
{
    int const lesson = SDL_GetWindowDisplayIndex(platform->window);
    int display = lesson < 0 ? 0 : lesson;
    for (int i = SDL_GetNumVideoDisplays(); i-- > 0;)
        if (i != lesson)
            display = i;
    SDL_Rect usable = {0, 0, 1280, 800};
    SDL_GetDisplayUsableBounds(display, &usable);
    return usable;
}

static bool open_window(struct platform *platform)
{
    struct second_window *second = &platform->second;
    SDL_Rect const usable = other_screen(platform);
    bool const alone = SDL_GetNumVideoDisplays() < 2;
    int const width = alone ? usable.w * 2 / 3 : usable.w * 9 / 10,
              height = alone ? usable.h * 2 / 3 : usable.h * 9 / 10;
    second->window =
        SDL_CreateWindow(_("Lanescope · notes"), usable.x + (usable.w - width) / 2, usable.y + (usable.h - height) / 2,
                         width, height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!second->window)
        return false;
    SDL_SetWindowMinimumSize(second->window, 800, 500);
    second->renderer = SDL_CreateRenderer(second->window, -1, SDL_RENDERER_SOFTWARE);
    if (!second->renderer) /* Wayland offers only OpenGL */
        second->renderer = SDL_CreateRenderer(second->window, -1, SDL_RENDERER_ACCELERATED);
    return second->renderer != NULL;
}

static float ratio_of(const struct second_window *second)
{
    int pixels = 0, points = 0, ignored;
    SDL_GetRendererOutputSize(second->renderer, &pixels, &ignored);
    SDL_GetWindowSize(second->window, &points, &ignored);
    return points > 0 ? (float)pixels / (float)points : 1;
}

bool second_show(void *context, bool shown)
{
    struct platform *platform = context;
    second_close(platform);
    if (!shown)
        return true;
    if (!open_window(platform)) {
        second_close(platform);
        return false;
    }
    SDL_RaiseWindow(platform->second.window);
    return true;
}

static Uint32 window_of(const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        return event->window.windowID;
    case SDL_KEYDOWN:
        return event->key.windowID;
    case SDL_MOUSEMOTION:
        return event->motion.windowID;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return event->button.windowID;
    case SDL_MOUSEWHEEL:
        return event->wheel.windowID;
    default:
        return 0;
    }
}

static void put_mouse(const struct second_window *second, struct app_event *to, enum app_event_kind kind, int x, int y)
{
    float const ratio = ratio_of(second);
    to->kind = kind;
    to->x = ((float)x + 0.5f) * ratio;
    to->y = ((float)y + 0.5f) * ratio;
}

static void put_window(const struct platform *platform, struct app_event *to, Uint8 kind)
{
    const struct second_window *second = &platform->second;
    if (kind == SDL_WINDOWEVENT_CLOSE) {
        to->kind = APP_CLOSE;
    } else if (kind == SDL_WINDOWEVENT_LEAVE) {
        to->kind = APP_MOUSE_LEAVE;
    } else if (kind == SDL_WINDOWEVENT_SIZE_CHANGED || kind == SDL_WINDOWEVENT_SHOWN ||
               kind == SDL_WINDOWEVENT_DISPLAY_CHANGED) {
        to->kind = APP_RESIZE;
        SDL_GetRendererOutputSize(second->renderer, &to->width, &to->height);
        to->scale = ratio_of(second) * platform->desktop_scale;
    }
}

bool second_event(struct platform *platform, struct app *app, const SDL_Event *event)
{
    const struct second_window *second = &platform->second;
    if (!second->window || window_of(event) != SDL_GetWindowID(second->window))
        return false;
    struct app_event to = {.kind = APP_EXPOSE, .aside = true};
    if (event->type == SDL_WINDOWEVENT) {
        put_window(platform, &to, event->window.event);
    } else if (event->type == SDL_KEYDOWN) {
        to.kind = APP_KEY;
        to.key = (int)event->key.keysym.scancode;
        to.modifiers = window_modifiers(event->key.keysym.mod);
        to.repeat = event->key.repeat != 0;
    } else if (event->type == SDL_MOUSEMOTION) {
        put_mouse(second, &to, APP_MOUSE_MOVE, event->motion.x, event->motion.y);
    } else if (event->type == SDL_MOUSEWHEEL) {
        to.kind = APP_WHEEL;
        to.y = event->wheel.preciseY;
    } else if (event->button.button == SDL_BUTTON_LEFT) {
        put_mouse(second, &to, event->type == SDL_MOUSEBUTTONDOWN ? APP_MOUSE_DOWN : APP_MOUSE_UP, event->button.x,
                  event->button.y);
    }
    app_event(app, &to);
    return true;
}

/* Makes a texture of the window's size. */
static bool prepare(struct second_window *second, int width, int height)
{
    if (second->texture && second->canvas.picture.width == width && second->canvas.picture.height == height)
        return true;
    if (second->texture)
        SDL_DestroyTexture(second->texture);
    canvas_forget(&second->canvas);
    second->texture =
        SDL_CreateTexture(second->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, width, height);
    return second->texture != NULL;
}

static bool upload_changed(const struct second_window *second)
{
    const struct picture *picture = &second->canvas.picture;
    bool good = true;
    for (size_t i = 0; i < second->canvas.changed.count && good; i++) {
        struct pixel_rect const r = second->canvas.changed.items[i];
        size_t const start = ((size_t)r.y0 * (size_t)picture->width + (size_t)r.x0) * 4;
        good = SDL_UpdateTexture(second->texture, &(SDL_Rect){r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0},
                                 picture->pixels + start, picture->width * 4) == 0;
    }
    return good;
}

void second_draw(struct platform *platform, struct app *app)
{
    struct second_window *second = &platform->second;
    const struct draw_list *list = second->window ? app_aside(app) : NULL;
    int width = 0, height = 0;
    if (!list || !second->window || SDL_GetRendererOutputSize(second->renderer, &width, &height) != 0 || width < 1 ||
        height < 1 || !prepare(second, width, height))
        return;
    mesh_build(&platform->mesh, list, platform->glyphs, width, height);
    if (canvas_paint(&second->canvas, &platform->mesh, platform->glyphs, width, height, app_background(app), NULL) &&
        upload_changed(second) && SDL_RenderCopy(second->renderer, second->texture, NULL, NULL) == 0)
        SDL_RenderPresent(second->renderer);
}
