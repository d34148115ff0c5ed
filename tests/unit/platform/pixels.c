/* Whole pictures through the software renderer, without their text: shapes, hatches, curves and both themes, pixel for
 * pixel. The golden pictures are in tests/pixels; LANESCOPE_WRITE_GOLDEN=1 rewrites them, so look at them before you
 * commit. A picture that differs is left beside its golden one as NAME.seen.png. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "platform/mesh.h"
#include "platform/picture.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <png.h>

#include "glyphs_helper.h"

enum { WIDTH = 640, HEIGHT = 360 };

/* Paints the last frame at rest. Text is left out because it depends on the machine's fonts. */
static void paint(struct app *app, struct picture *picture)
{
    app_frame(app, 1e6);
    const struct draw_list *whole = app_frame(app, 1e6);
    struct arena arena = {0};
    struct draw_list shapes = *whole;
    shapes.items = arena_array(&arena, struct draw_command, whole->count);
    shapes.count = 0;
    for (size_t i = 0; i < whole->count; i++)
        if (whole->items[i].kind != DRAW_TEXT)
            shapes.items[shapes.count++] = whole->items[i];
    struct mesh mesh = {0};
    struct error error;
    assert_true(picture_new(picture, WIDTH, HEIGHT, &error));
    mesh_build(&mesh, &shapes, glyphs, WIDTH, HEIGHT);
    raster_clear(picture, raster_whole(picture), app_background(app));
    raster_mesh(picture, raster_whole(picture), &mesh, glyphs);
    mesh_free(&mesh);
    arena_free(&arena);
}

/* Returns the number of pixels in which a channel differs. The file's order is red, green, blue. */
static int differences(const struct picture *picture, const uint8_t *golden)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *seen = picture->pixels + (size_t)i * 4, *meant = golden + (size_t)i * 3;
        count += seen[2] != meant[0] || seen[1] != meant[1] || seen[0] != meant[2];
    }
    return count;
}

static void compare(const char *name, const char *lesson, int beat, const char *theme)
{
    struct text_metrics const metrics = fake_metrics();
    struct app_options const options = {.lesson = lesson,
                                        .on = EXECUTOR_EMULATOR,
                                        .language = "en",
                                        .theme = theme,
                                        .present = true,
                                        .beat = beat,
                                        .answered = true,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .scale = 1};
    struct app *app;
    struct error error;
    assert_true(app_new(&options, &metrics, NULL, &app, &error));
    struct picture picture;
    paint(app, &picture);
    char path[512], seen[520];
    snprintf(path, sizeof path, "%s/tests/pixels/%s.png", LANESCOPE_SOURCE_FOLDER, name);
    snprintf(seen, sizeof seen, "%.*s.seen.png", (int)strlen(path) - 4, path);
    if (getenv("LANESCOPE_WRITE_GOLDEN"))
        assert_true(picture_format_png.write(&picture, path, &error));
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    image.format = PNG_FORMAT_RGB;
    uint8_t *golden = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(golden);
    assert_true(png_image_finish_read(&image, NULL, golden, 0, NULL));
    int different = differences(&picture, golden);
    free(golden);
    if (different) {
        picture_format_png.write(&picture, seen, &error);
        fail_msg("%d pixels differ from %s; see %s", different, path, seen);
    }
    unlink(seen);
    picture_free(&picture);
    app_free(app);
}

static void conflicts_hatched_in_their_columns(void **state)
{
    (void)state;
    compare("banks_stride8_light", "banks", 3, "light");
}

static void a_broadcast_with_its_fan_in_the_dark(void **state)
{
    (void)state;
    compare("banks_broadcast_dark", "banks", 8, "dark");
}

static void sectors_and_masked_lanes(void **state)
{
    (void)state;
    compare("adjdiff_tail_light", "adjdiff", 8, "light");
}

static void warps_before_the_gate(void **state)
{
    (void)state;
    compare("adjdiff_barrier_dark", "adjdiff", 6, "dark");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conflicts_hatched_in_their_columns), cmocka_unit_test(a_broadcast_with_its_fan_in_the_dark),
        cmocka_unit_test(sectors_and_masked_lanes), cmocka_unit_test(warps_before_the_gate)};
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
