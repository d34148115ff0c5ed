/* Fonts are found, and pictures reach their files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "base/file.h"
#include "platform/picture.h"
#include "platform/platform.h"
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct platform *platform;
static char folder[] = "/tmp/lanescope-test-XXXXXX";
static char path[64];

static int open_platform(void **state)
{
    (void)state;
    unsetenv("DISPLAY"); /* no test here may need a display */
    unsetenv("WAYLAND_DISPLAY");
    struct error error = {0};
    if (!mkdtemp(folder) || !platform_open_headless(&platform, &error))
        return -1;
    snprintf(path, sizeof path, "%s/picture", folder);
    return 0;
}

static int close_platform(void **state)
{
    (void)state;
    platform_close(platform);
    remove(path);
    rmdir(folder);
    return 0;
}

static void every_role_has_a_font_with_hangul(void **state)
{
    (void)state;
    struct text_metrics metrics = platform_metrics(platform);
    for (enum font_role role = 0; role < FONT_ROLE_COUNT; role++) {
        assert_true(file_exists(platform_font_path(platform, role, false)));
        assert_non_null(platform_font_path(platform, role, true));
        assert_true(file_exists(platform_font_path(platform, role, true)));
        /* a Hangul block is about an em wide; the box for a missing character is not */
        float han = metrics.width(metrics.context, role, 100, "한", strlen("한"));
        assert_true(han > 80 && han <= 105);
    }
}

static void widths_add_up_and_scale(void **state)
{
    (void)state;
    struct text_metrics metrics = platform_metrics(platform);
    float one = metrics.width(metrics.context, FONT_CODE, 16, "m", 1);
    assert_true(fabsf(metrics.width(metrics.context, FONT_CODE, 16, "iiWWmm", 6) - 6 * one) < 0.01f);
    assert_true(fabsf(metrics.width(metrics.context, FONT_CODE, 32, "m", 1) - 2 * one) < 0.01f);
    float ascent = metrics.ascent(metrics.context, FONT_TEXT, 100),
          descent = metrics.descent(metrics.context, FONT_TEXT, 100);
    assert_true(ascent > 65 && ascent < 100);
    assert_true(descent > 10 && descent < 35);
    assert_true(metrics.width(metrics.context, FONT_TEXT, 16, "\xff\xed\x95", 3) > 0); /* damaged text does not crash */
}

static void small_list(struct draw_list *list, struct arena *arena, float x)
{
    draw_begin(list, arena);
    draw_fill(list, (struct rect){x, 4, 10, 10}, 0, (struct color){200, 30, 10, 255});
}

static void png_is_written_without_a_display(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct draw_list list;
    struct error error = {0};
    char *bytes;
    size_t size;
    small_list(&list, &arena, 2);
    assert_true(platform_render(platform, &list, 40, 30, (struct color){255, 255, 255, 255}, path, &error));
    assert_true(file_read(&arena, path, &bytes, &size, &error));
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(bytes + 16, "\0\0\0\x28\0\0\0\x1e", 8); /* 40 x 30 */
    assert_false(platform_render(platform, &list, 40, 30, (struct color){0}, "/no/such/folder/x.png", &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.file, "/no/such/folder/x.png"));
    assert_false(platform_render(platform, &list, 0, 30, (struct color){0}, path, &error));
    assert_false(platform_render(platform, &list, 40, 30, (struct color){0}, "x.jpg", &error));
    assert_non_null(strstr(error.message, ".png, .gif"));
    arena_free(&arena);
}

static bool holds(const char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

static void svg_and_pdf_keep_text_as_text(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct draw_list list;
    struct error error = {0};
    struct text_metrics metrics = platform_metrics(platform);
    const struct color white = {255, 255, 255, 255}, blue = {10, 70, 120, 128};
    const char *const text = "a < b & \"뱅크\" 한 번", *const escaped = "a &lt; b &amp; &quot;";
    char file[80], *bytes;
    size_t size;
    small_list(&list, &arena, 2);
    draw_clip(&list, (struct rect){0, 0, 200, 60});
    draw_hatch(&list, (struct rect){20, 4, 30, 10}, 5, 1, blue);
    draw_clip_none(&list);
    draw_outline_dashed(&list, (struct rect){60, 4, 30, 10}, 3, 1, 4, blue);
    draw_text(&list, &metrics, FONT_TEXT, 16, blue, (struct point){4, 40}, (struct rect){0, 20, 300, 30}, text);
    snprintf(file, sizeof file, "%s.svg", path);
    assert_true(platform_render(platform, &list, 300, 60, white, file, &error));
    assert_true(file_read(&arena, file, &bytes, &size, &error));
    assert_true(holds(bytes, size, escaped)); /* in one piece: it is in one font */
    assert_true(holds(bytes, size, "뱅크"));
    assert_true(holds(bytes, size, "fill-opacity=\"0.5\""));
    assert_true(holds(bytes, size, "viewBox=\"0 0 300 60\""));
    remove(file);
    snprintf(file, sizeof file, "%s.pdf", path);
    assert_true(platform_render(platform, &list, 300, 60, white, file, &error));
    assert_true(file_read(&arena, file, &bytes, &size, &error));
    assert_memory_equal(bytes, "%PDF-1.", 7);
    assert_true(holds(bytes, size, "/FontFile"));  /* embedded ... */
    assert_true(holds(bytes, size, "/ToUnicode")); /* ... with the character of each glyph */
    assert_true(holds(bytes, size, "/MediaBox [ 0 0 225 45 ]"));
    remove(file);
    assert_false(platform_render(platform, &list, 300, 60, white, "/dev/null/x.svg", &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_false(platform_render(platform, &list, 300, 60, white, "/dev/null/x.pdf", &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    arena_free(&arena);
}

static void gif_holds_each_frame(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct draw_list list;
    struct error error = {0};
    struct app_host host = platform_host(platform);
    const struct color white = {255, 255, 255, 255};
    char *bytes;
    size_t size;
    for (int i = 0; i < 3; i++) {
        small_list(&list, &arena, (float)i * 8);
        assert_true(host.save_frame(host.context, &list, 40, 30, white, 5, path, &error));
    }
    assert_true(host.save_frame(host.context, NULL, 0, 0, white, 0, path, &error));
    assert_true(file_read(&arena, path, &bytes, &size, &error));
    assert_memory_equal(bytes, "GIF89a\x28\0\x1e\0", 10);
    assert_int_equal(bytes[size - 1], ';');
    int frames = 0;
    for (size_t i = 0; i + 8 < size; i++) /* the graphics control block before each frame has a delay of 5 */
        frames += memcmp(bytes + i, "\x21\xf9\x04", 3) == 0 && bytes[i + 4] == 5;
    assert_int_equal(frames, 3);
    assert_false(host.save_frame(host.context, NULL, 0, 0, white, 0, path, &error)); /* no animation is open */
    arena_free(&arena);
}

static void a_missing_display_gives_one_sentence(void **state)
{
    (void)state;
    if (getenv("SDL_VIDEODRIVER"))
        skip();
    struct error error = {0};
    struct platform *window = NULL;
    assert_false(platform_open_window("test", &(struct window_place){.width = 1280, .height = 720}, &window, &error));
    assert_null(window);
    assert_int_equal(error.kind, ERROR_MISSING);
    assert_null(strchr(error.message, '\n'));
    assert_true(error.remedy[0] != 0);
}

static void a_desktops_scale_is_read_from_its_resources(void **state)
{
    (void)state;
    assert_true(platform_scale_of_resources("Xcursor.size:\t24\nXft.dpi:\t192\nXft.antialias:\t1\n") == 2);
    assert_true(platform_scale_of_resources("Xft.dpi: 120") == 1.25f);
    assert_true(platform_scale_of_resources("Xft.dpi:\t96\n") == 1);
    assert_true(platform_scale_of_resources("Xft.dpi:\t9600\n") == 1);
    assert_true(platform_scale_of_resources("Xft.dpi:\tmany\n") == 1);
    assert_true(platform_scale_of_resources("") == 1);
    assert_true(platform_scale_of_resources(NULL) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_desktops_scale_is_read_from_its_resources),

                                       cmocka_unit_test(every_role_has_a_font_with_hangul),
                                       cmocka_unit_test(widths_add_up_and_scale),
                                       cmocka_unit_test(png_is_written_without_a_display),
                                       cmocka_unit_test(svg_and_pdf_keep_text_as_text),
                                       cmocka_unit_test(gif_holds_each_frame),
                                       cmocka_unit_test(a_missing_display_gives_one_sentence)};
    return cmocka_run_group_tests(tests, open_platform, close_platform);
}
