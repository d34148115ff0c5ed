/* Shared by the window and by headless pictures: fonts, and drawing into files. */
#include "platform/state.h"
#include "platform/worker.h"
#include <stdlib.h>

bool platform_open_headless(struct platform **out, struct error *error)
{
    struct platform *platform = calloc(1, sizeof *platform);
    if (!platform)
        return error_set(error, ERROR_MISSING, "no memory for drawing");
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
    if (platform->film)
        platform->film_format->drop(&platform->film);
    window_close(platform);
    canvas_free(&platform->canvas);
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
    raster_clear(picture, raster_whole(picture), background);
    raster_mesh(picture, raster_whole(picture), &platform->mesh, platform->glyphs);
    return true;
}

bool platform_render(struct platform *platform, const struct draw_list *list, int width, int height,
                     struct color background, const char *path, struct error *error)
{
    const struct picture_format *format = picture_format_of(path, false, error);
    if (!format)
        return false;
    if (!format->draw && !format->write)
        return error_set(error, ERROR_INPUT, "'%s' is for an animation, not for a picture", path);
    if (format->draw)
        return format->draw(list, platform->glyphs, width, height, background, path, error);
    struct picture picture;
    bool const saved =
        paint(platform, list, width, height, background, &picture, error) && format->write(&picture, path, error);
    picture_free(&picture);
    return saved;
}

bool platform_paint(struct platform *platform, const struct draw_list *list, int width, int height,
                    struct color background, struct error *error)
{
    mesh_build(&platform->mesh, list, platform->glyphs, width, height);
    return canvas_paint(&platform->canvas, &platform->mesh, platform->glyphs, width, height, background, error);
}

bool platform_can_render(const char *path, struct error *error)
{
    return picture_format_of(path, false, error) != NULL;
}

bool platform_only_animates(const char *path)
{
    const struct picture_format *format = picture_format_of(path, false, NULL);
    return format && !format->draw && !format->write;
}

static bool host_save_picture(void *context, const struct draw_list *list, int width, int height,
                              struct color background, const char *path, struct error *error)
{
    return platform_render(context, list, width, height, background, path, error);
}

static bool host_save_frame(void *context, const struct draw_list *list, int width, int height, struct color background,
                            int hundredths, const char *path, struct error *error)
{
    struct platform *platform = context;
    if (!list)
        return platform->film ? platform->film_format->finish(&platform->film, error)
                              : error_set(error, ERROR_INPUT, "the animation has no frames");
    if (!platform->film && !(platform->film_format = picture_format_of(path, true, error)))
        return false;
    struct picture picture;
    bool const saved = paint(platform, list, width, height, background, &picture, error) &&
                       platform->film_format->add_frame(&platform->film, &picture, hundredths, path, error);
    picture_free(&picture);
    return saved;
}

static bool host_save_page(void *context, const struct draw_list *list, int width, int height, struct color background,
                           const char *path, struct error *error)
{
    struct platform *platform = context;
    if (list)
        return (platform->paper || platform_pages_begin(platform, "Lanescope", &platform->paper, error)) &&
               platform_pages_add(platform->paper, list, width, height, background, 841.89, 595.276, error);
    return !platform->paper || platform_pages_end(&platform->paper, path, error);
}

struct app_host platform_host(struct platform *platform)
{
    struct app_host host = {.context = platform,
                            .save_picture = host_save_picture,
                            .save_frame = host_save_frame,
                            .save_page = host_save_page,
                            .quit = window_quit,
                            .worker = worker_of_threads(),
                            .ended = platform_asked_to_end()};
    if (platform->window) {
        host.set_title = window_set_title;
        host.set_fullscreen = window_set_fullscreen;
        host.show_pointer = window_show_pointer;
        host.show_aside = second_show;
        host.displays = second_displays;
        host.copy_text = window_copy_text;
        host.choose_file = window_choose_file;
        host.watch_files = window_watch_files;
        host.window_place = window_tell_place;
        host.attended = true;
    }
    return host;
}

const char *platform_font_path(const struct platform *platform, enum font_role role, bool hangul)
{
    return glyphs_font_path(platform->glyphs, role, hangul);
}
