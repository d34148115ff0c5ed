/* For src/platform only: the platform's state. */
#ifndef LANESCOPE_PLATFORM_STATE_H
#define LANESCOPE_PLATFORM_STATE_H
#include "platform/canvas.h"
#include "platform/picture.h"
#include "platform/platform.h"
#include <SDL.h>
#include <stdatomic.h>

struct platform {
    struct glyphs *glyphs;
    struct mesh mesh;
    struct canvas canvas;         /* where the processor paints frame after frame */
    struct platform_pages *paper; /* the handout that is being written */
    struct film *film;            /* the animation that is being written */
    const struct picture_format *film_format;
    /* with a window only */
    bool video_started;
    SDL_Window *window;
    SDL_Renderer *renderer;  /* NULL when painted_here */
    SDL_Rect wish;           /* its place as asked for */
    SDL_Rect normal, before; /* its place outside full screen and not maximized, and the one before the last change */
    struct frame_size {
        int top, left, bottom, right;
    } frame;             /* of the window manager, as known when the window was fitted last */
    double opened;       /* the time of clock_seconds */
    float desktop_scale; /* on X11 the scale of the desktop; 1 where the window system scales by itself */
    bool painted_here;   /* no graphics processor: canvas.c paints, and the window system shows the result */
    bool in_drop;        /* files that were dropped together arrive */
    unsigned dropped;    /* of them so far */
    bool show_all;       /* the window system may have lost what it shows */
    const void *shown;   /* the memory that holds it */
    SDL_Texture *pages[ATLAS_PAGES];
    struct {
        SDL_Vertex *items;
        size_t count, capacity;
    } vertices;
    struct {
        int *items;
        size_t count, capacity;
    } indices;
    struct {
        SDL_Rect *items;
        size_t count, capacity;
    } areas; /* that a frame shows anew */
    bool quit;
    struct watch *watch; /* of files; NULL: none */
    atomic_bool focused; /* for its thread */
    /* The presenter's window. It is painted on the processor alone: it changes seldom, and the atlas is in the textures
     * of the other window. */
    struct second_window {
        SDL_Window *window; /* NULL: closed */
        SDL_Renderer *renderer;
        SDL_Texture *texture;
        struct canvas canvas;
    } second;
};
/* in signals.c: between the two, SIGTERM, SIGHUP and SIGINT ask the window to close. */
void signals_watch(void);
void signals_end(void);
/* in second.c */
bool second_show(void *platform, bool shown);
int second_displays(void *platform);
void second_close(struct platform *platform);
/* Passes an event of this window to the app. Returns false if it belongs to the other window. */
bool second_event(struct platform *platform, struct app *app, const SDL_Event *event);
void second_draw(struct platform *platform, struct app *app);
int window_modifiers(Uint16 mod); /* as the app's MODIFIER_SHIFT and so on */
/* in window.c */
bool window_make_renderer(struct platform *platform);
void window_note_place(struct platform *platform);     /* after its place may have changed */
void window_note_maximized(struct platform *platform); /* after it was maximized */
void window_close(struct platform *platform);
void window_set_title(void *platform, const char *title);
void window_set_fullscreen(void *platform, bool on);
void window_show_pointer(void *platform, bool shown);
bool window_copy_text(void *platform, const char *text);
void window_quit(void *platform);
bool window_choose_file(void *platform, const char *title); /* chooser.c */
void window_end_chooser(void);
/* in watch.c: its event is an SDL_USEREVENT with this code */
enum { WATCH_EVENT = 1 };
bool window_watch_files(void *platform, const char *const *paths, size_t count);
void window_end_watch(struct platform *platform);
bool window_tell_place(void *platform, struct window_place *place);
/* in window_draw.c */
bool window_draw(struct platform *platform, const struct draw_list *list, struct color background);
void window_pixels(const struct platform *platform, int *width, int *height);
void window_forget_textures(struct platform *platform);
#endif
