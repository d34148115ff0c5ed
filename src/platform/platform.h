/* Where pictures become pixels: SDL2 and SDL2_ttf, and nothing else in the program knows them. One renderer for the
 * window and for PNG without a display; fonts are found by role through fontconfig (and in fonts/ first). */
#ifndef LANESCOPE_PLATFORM_PLATFORM_H
#define LANESCOPE_PLATFORM_PLATFORM_H
#include "app/app.h"

struct platform; /* fonts, and a window when there is one */
/* Headless: no display is opened. Fails with the package to install when no font is found for a role. */
bool platform_open_headless(struct platform **platform, struct error *error);
/* A window. ERROR_MISSING when there is no display or no renderer. */
bool platform_open_window(const char *title, int width, int height, struct platform **platform, struct error *error);
void platform_close(struct platform *platform);
struct text_metrics platform_metrics(struct platform *platform);
struct app_host platform_host(struct platform *platform);
/* Window size in pixels and pixels a point. */
void platform_size(const struct platform *platform, int *width, int *height, float *scale);
/* The scale that an X11 desktop is set to: Xft.dpi of its resources over 96; 1 when it does not say. */
float platform_scale_of_resources(const char *resources);
/* Feeds events to the app and draws its frames until it quits; still pictures cost no frames. */
bool platform_loop(struct platform *platform, struct app *app, struct error *error);
/* A draw list to a PNG through the software renderer. */
bool platform_render_png(struct platform *platform, const struct draw_list *list, int width, int height,
                         struct color background, const char *path, struct error *error);
/* For `doctor`: which font stands for a role, which video driver and renderer a window would use. */
const char *platform_font_path(const struct platform *platform, enum font_role role, bool hangul);
const char *platform_video_status(char *text, size_t size);
#endif
