/* Turns draw lists into pixels, or into files of shapes and text. SDL2 and SDL2_ttf are known here only. The window and
 * PNG files without a display share one renderer. Fonts are found by role in fonts/, then through fontconfig. */
#ifndef LANESCOPE_PLATFORM_PLATFORM_H
#define LANESCOPE_PLATFORM_PLATFORM_H
#include "app/app.h"
#include <stdatomic.h>

struct platform; /* fonts, and a window if one was opened */
/* Opens without a display. Returns false when a role has no font; the error names the package to install. */
bool platform_open_headless(struct platform **platform, struct error *error);
/* Opens a window of a size in points, as far as the screen has room for it and its frame. Returns false with
 * ERROR_MISSING when there is no display or no renderer. */
bool platform_open_window(const char *title, const struct window_place *wish, struct platform **platform,
                          struct error *error);
void platform_close(struct platform *platform);
struct text_metrics platform_metrics(struct platform *platform);
struct app_host platform_host(struct platform *platform);
/* Returns the window's size in pixels, and the pixels per point. Without a window the size is 0 and the scale 1. */
void platform_size(const struct platform *platform, int *width, int *height, float *scale);
/* Returns the scale of an X11 desktop from its resources: Xft.dpi / 96, or 1 when they have no usable Xft.dpi. */
float platform_scale_of_resources(const char *resources);
/* Becomes true when a signal asks the program to end, also while the app does not come to the next event. */
const atomic_bool *platform_asked_to_end(void);
/* Passes events to the app and draws its frames until it quits. A still picture costs no frames. */
bool platform_loop(struct platform *platform, struct app *app, struct error *error);
/* Writes a draw list as a picture, through the software renderer. The ending of the path chooses the format:
 * platform/pictures.def. */
bool platform_render(struct platform *platform, const struct draw_list *list, int width, int height,
                     struct color background, const char *path, struct error *error);
/* A PDF of several pages. add scales a list of width x height pixels to a page in points, 72 an inch. end writes the
 * file whole, or nothing if path is NULL, and frees it. */
struct platform_pages;
bool platform_pages_begin(struct platform *platform, const char *title, struct platform_pages **pages,
                          struct error *error);
bool platform_pages_add(struct platform_pages *pages, const struct draw_list *list, int width, int height,
                        struct color background, double page_width, double page_height, struct error *error);
bool platform_pages_end(struct platform_pages **pages, const char *path, struct error *error);
/* Paints a draw list in memory, as a window does where there is no graphics processor. For measurements. */
bool platform_paint(struct platform *platform, const struct draw_list *list, int width, int height,
                    struct color background, struct error *error);
/* Shows a draw list in the window, as its loop does. For measurements, as the next three. */
bool platform_show(struct platform *platform, const struct draw_list *list, struct color background,
                   struct error *error);
/* Runs the window's loop for some seconds, and counts the frames that it draws. */
bool platform_rest(struct platform *platform, struct app *app, double seconds, size_t *frames, struct error *error);
/* What the last frame was made of. Overdraw: the area of all parts, in windows; painted: the part of the window that
 * was painted anew. */
struct platform_work {
    size_t parts, vertices, glyphs; /* glyphs: drawn into the atlas so far */
    double overdraw, painted;
    bool on_processor;
};
void platform_last_work(const struct platform *platform, struct platform_work *work);
const char *platform_renderer(const struct platform *platform, char *text, size_t size);
/* Returns whether a format has the path's ending. Otherwise the error lists the known endings. */
bool platform_can_render(const char *path, struct error *error);
/* Returns whether the path's format holds animations and no still pictures. */
bool platform_only_animates(const char *path);
/* For `doctor`: the font of a role, and the video driver and renderer that a window would use. */
const char *platform_font_path(const struct platform *platform, enum font_role role, bool hangul);
const char *platform_video_status(char *text, size_t size);
#endif
