/* Shared by the window and by headless pictures: fonts, and drawing into files. */
#include "platform/state.h"
#include <stdlib.h>

bool platform_open_headless(struct platform **out, struct error *error)
{
    struct platform *platform = calloc(1, sizeof *platform);
    if (!platform)
        return error_set(error, ERROR_MISSING, "no memory to draw with");
    if (!glyphs_open(&platform->glyphs, error)) {
        free(platform);
        return false;
    }
    *out = platform;
    return true;
}

void platform_close(struct platform *platform)
{
    if (!platform)
        return;
    if (platform->gif)
        gif_finish(&platform->gif, NULL);
    window_close(platform);
    mesh_free(&platform->mesh);
    glyphs_close(platform->glyphs);
    free(platform);
}

struct text_metrics platform_metrics(struct platform *platform)
{
    return (struct text_metrics){platform->glyphs, glyphs_width, glyphs_ascent, glyphs_descent};
}

static bool paint(struct platform *platform, const struct draw_list *list, int width, int height,
                  struct color background, struct picture *picture, struct error *error)
{
    if (!picture_new(picture, width, height, error))
        return false;
    mesh_build(&platform->mesh, list, platform->glyphs, width, height);
    raster_clear(picture, background);
    raster_mesh(picture, &platform->mesh, platform->glyphs);
    return true;
}

bool platform_render_png(struct platform *platform, const struct draw_list *list, int width, int height,
                         struct color background, const char *path, struct error *error)
{
    struct picture picture;
    bool saved =
        paint(platform, list, width, height, background, &picture, error) && image_write_png(&picture, path, error);
    picture_free(&picture);
    return saved;
}

static bool host_save_png(void *context, const struct draw_list *list, int width, int height, struct color background,
                          const char *path, struct error *error)
{
    return platform_render_png(context, list, width, height, background, path, error);
}

static bool host_save_gif_frame(void *context, const struct draw_list *list, int width, int height,
                                struct color background, int hundredths, const char *path, struct error *error)
{
    struct platform *platform = context;
    if (!list)
        return gif_finish(&platform->gif, error);
    struct picture picture;
    bool saved = paint(platform, list, width, height, background, &picture, error) &&
                 gif_add(&platform->gif, &picture, hundredths, path, error);
    picture_free(&picture);
    return saved;
}

struct app_host platform_host(struct platform *platform)
{
    struct app_host host = {
        .context = platform, .save_png = host_save_png, .save_gif_frame = host_save_gif_frame, .quit = window_quit};
    if (platform->window) {
        host.set_title = window_set_title;
        host.set_fullscreen = window_set_fullscreen;
        host.copy_text = window_copy_text;
        host.attended = true;
    }
    return host;
}

const char *platform_font_path(const struct platform *platform, enum font_role role, bool hangul)
{
    return glyphs_font_path(platform->glyphs, role, hangul);
}
