/* Inside src/platform: what a platform holds. */
#ifndef LANESCOPE_PLATFORM_STATE_H
#define LANESCOPE_PLATFORM_STATE_H
#include "platform/image.h"
#include "platform/platform.h"
#include <SDL.h>

struct platform {
    struct glyphs *glyphs;
    struct mesh mesh;
    struct gif *gif;
    /* with a window */
    bool video_started;
    SDL_Window *window;
    SDL_Renderer *renderer;
    float desktop_scale; /* X11: what the desktop is set to; 1 where the window system itself scales */
    bool painted_here;   /* no graphics processor: raster.c paints, the renderer only shows */
    SDL_Texture *pages[ATLAS_PAGES];
    SDL_Texture *canvas; /* painted_here */
    struct picture picture;
    struct {
        SDL_Vertex *items;
        size_t count, capacity;
    } vertices;
    struct {
        int *items;
        size_t count, capacity;
    } indices;
    bool quit;
};
void window_close(struct platform *platform);
void window_set_title(void *platform, const char *title);
void window_set_fullscreen(void *platform, bool on);
bool window_copy_text(void *platform, const char *text);
void window_quit(void *platform);
/* window_draw.c */
bool window_draw(struct platform *platform, const struct draw_list *list, struct color background);
void window_forget_textures(struct platform *platform);
#endif
