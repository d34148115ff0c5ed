/* A canvas shows the same pixels as a picture that is painted whole, and paints only where something changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "platform/canvas.h"
#include "platform/picture.h"
#include <cmocka.h>
#include <string.h>

#include "glyphs_helper.h"

enum { WIDTH = 333, HEIGHT = 217 };
static struct arena arena;
static struct draw_list list;
static struct mesh mesh;
static struct canvas canvas;
static struct picture whole;
static const struct color paper = {250, 248, 240, 255};

static int begin(void **state)
{
    (void)state;
    arena_reset(&arena);
    draw_begin(&list, &arena);
    canvas_free(&canvas);
    return 0;
}

static int open_all(void **state)
{
    return open_fonts(state) || !picture_new(&whole, WIDTH, HEIGHT, NULL);
}

static int close_all(void **state)
{
    canvas_free(&canvas);
    picture_free(&whole);
    mesh_free(&mesh);
    arena_free(&arena);
    return close_fonts(state);
}

static unsigned seed = 1;
static float number(float most)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(seed >> 8) / (float)(1 << 24) * most;
}

/* Draws shapes of every kind; the one in the middle has moved by `move`. */
static void draw(float move)
{
    seed = 7;
    draw_begin(&list, &arena);
    for (int i = 0; i < 60; i++) {
        struct color const color = {(uint8_t)(i * 4), (uint8_t)(255 - i * 3), (uint8_t)(i * 7), i % 3 ? 255 : 130};
        float const more = i == 30 ? move : 0;
        struct rect const box = {number(WIDTH) - 20 + more, number(HEIGHT) - 20, number(70), number(50)};
        struct point const ends[3] = {
            {number(WIDTH), number(HEIGHT)}, {number(WIDTH), number(HEIGHT)}, {number(WIDTH), number(HEIGHT)}};
        if (i % 5 == 0)
            draw_polygon(&list, ends, 3, color);
        else if (i % 5 == 1)
            draw_fill(&list, box, 6, color);
        else if (i % 5 == 2)
            draw_line(&list, ends[0], ends[1], 2.5f, color);
        else if (i % 5 == 3)
            draw_hatch(&list, box, 5, 1.5f, color);
        else
            draw_fill(&list, box, 0, color);
    }
}

static void paint(void)
{
    mesh_build(&mesh, &list, glyphs, WIDTH, HEIGHT);
    assert_true(canvas_paint(&canvas, &mesh, glyphs, WIDTH, HEIGHT, paper, NULL));
    raster_clear(&whole, raster_whole(&whole), paper);
    raster_mesh(&whole, raster_whole(&whole), &mesh, glyphs);
    assert_memory_equal(canvas.picture.pixels, whole.pixels, (size_t)WIDTH * HEIGHT * 4);
}

static int changed_pixels(void)
{
    int sum = 0;
    for (size_t i = 0; i < canvas.changed.count; i++) {
        struct pixel_rect const r = canvas.changed.items[i];
        sum += (r.x1 - r.x0) * (r.y1 - r.y0);
    }
    return sum;
}

static void the_first_frame_is_whole(void **state)
{
    (void)state;
    draw(0);
    paint();
    assert_int_equal(changed_pixels(), WIDTH * HEIGHT);
}

static void changed_frames_have_the_pixels_of_whole_ones(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        draw((float)i * 3.7f);
        paint();
    }
}

static void an_equal_frame_paints_nothing(void **state)
{
    (void)state;
    draw(0);
    paint();
    draw(0);
    paint();
    assert_int_equal(changed_pixels(), 0);
}

static void a_small_change_paints_little(void **state)
{
    (void)state;
    draw(0);
    paint();
    draw_fill(&list, (struct rect){100, 100, 12, 12}, 0, (struct color){0, 0, 0, 255});
    paint();
    assert_in_range(changed_pixels(), 12 * 12, 64 * 64);
}

static void a_new_atlas_paints_everything(void **state)
{
    (void)state;
    draw(0);
    paint();
    glyphs_forget(glyphs);
    paint();
    assert_int_equal(changed_pixels(), WIDTH * HEIGHT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_first_frame_is_whole, begin),
        cmocka_unit_test_setup(changed_frames_have_the_pixels_of_whole_ones, begin),
        cmocka_unit_test_setup(an_equal_frame_paints_nothing, begin),
        cmocka_unit_test_setup(a_small_change_paints_little, begin),
        cmocka_unit_test_setup(a_new_atlas_paints_everything, begin),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
