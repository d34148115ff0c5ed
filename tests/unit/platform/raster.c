/* Pixels of the software renderer: sharp edges are sharp, and smooth edges cover the right area. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "platform/raster.h"
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "glyphs_helper.h"

enum { SIDE = 120 };
static struct arena arena;
static struct draw_list list;
static struct mesh mesh;
static uint8_t pixels[SIDE * SIDE * 4];
static const struct color white = {255, 255, 255, 255}, black = {0, 0, 0, 255};

static int close_all(void **state)
{
    mesh_free(&mesh);
    arena_free(&arena);
    return close_fonts(state);
}

static int begin(void **state)
{
    (void)state;
    arena_reset(&arena);
    draw_begin(&list, &arena);
    return 0;
}

/* Paints the list on white and returns the area that black covers, in pixels. */
static double paint(void)
{
    struct picture picture = {pixels, SIDE, SIDE};
    mesh_build(&mesh, &list, glyphs, SIDE, SIDE);
    raster_clear(&picture, raster_whole(&picture), white);
    raster_mesh(&picture, raster_whole(&picture), &mesh, glyphs);
    double covered = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        covered += (255 - pixels[i * 4]) / 255.0;
    return covered;
}

static int at(int x, int y)
{
    return pixels[(y * SIDE + x) * 4];
}

static void near(double got, double wanted, double share)
{
    if (fabs(got - wanted) > share * wanted)
        fail_msg("covers %.2f pixels, should be %.2f", got, wanted);
}

static void rectangle_covers_exactly_its_pixels(void **state)
{
    (void)state;
    draw_fill(&list, (struct rect){10, 20, 30, 7}, 0, black);
    assert_true(paint() == 210);
    assert_int_equal(at(10, 20), 0);
    assert_int_equal(at(39, 26), 0);
    assert_int_equal(at(9, 20), 255);
    assert_int_equal(at(40, 26), 255);
    assert_int_equal(at(39, 27), 255);
}

static void rounded_edges_are_sharp_between_the_corners(void **state)
{
    (void)state;
    draw_fill(&list, (struct rect){10.2f, 20.3f, 60, 40}, 8, black);
    near(paint(), 60 * 40 - (4 - 3.14159265) * 64, 0.002);
    for (int x = 18; x < 62; x++) {
        assert_int_equal(at(x, 19), 255);
        assert_int_equal(at(x, 20), 0);
        assert_int_equal(at(x, 59), 0);
        assert_int_equal(at(x, 60), 255);
    }
    assert_int_equal(at(10, 20), 255); /* the corner is cut off */
}

static void disc_covers_its_area(void **state)
{
    (void)state;
    for (float radius = 3; radius < 50; radius += 3.7f) {
        draw_begin(&list, &arena);
        draw_fill(&list, (struct rect){60.3f - radius, 59.8f - radius, 2 * radius, 2 * radius}, radius, black);
        near(paint(), 3.14159265 * (double)(radius * radius), radius < 5 ? 0.02 : 0.01);
    }
}

static void ring_and_pill_cover_their_area(void **state)
{
    (void)state;
    draw_outline(&list, (struct rect){20, 20, 60, 60}, 30, 4, black);
    near(paint(), 3.14159265 * (30 * 30 - 26 * 26), 0.01);
    draw_begin(&list, &arena);
    draw_fill(&list, (struct rect){10, 10, 80, 31}, 15.5f, black); /* odd height: the ends are half-pixel arcs */
    near(paint(), 49 * 31 + 3.14159265 * 15.5 * 15.5, 0.01);
}

static void outline_lies_inside_its_rectangle(void **state)
{
    (void)state;
    draw_outline(&list, (struct rect){10, 10, 50, 40}, 0, 2, black);
    assert_true(paint() == 50 * 40 - 46 * 36);
    draw_begin(&list, &arena);
    draw_outline(&list, (struct rect){10, 10, 50, 40}, 6, 1, black);
    near(paint(), 2 * 38 + 2 * 28 + 3.14159265 / 2 * (36 - 25) * 2, 0.02);
    assert_int_equal(at(30, 9), 255);
    assert_int_equal(at(30, 10), 0);
    assert_int_equal(at(30, 11), 255);
}

static void upright_and_level_lines_are_sharp(void **state)
{
    (void)state;
    draw_line(&list, (struct point){20, 10}, (struct point){20, 60}, 1, black);
    draw_line(&list, (struct point){30, 70.3f}, (struct point){80, 70.3f}, 2, black);
    assert_true(paint() == 50 + 100);
}

static void slanted_lines_and_curves_cover_length_times_width(void **state)
{
    (void)state;
    draw_line(&list, (struct point){10, 10}, (struct point){90, 70}, 3, black);
    near(paint(), 100 * 3, 0.01);
    draw_begin(&list, &arena);
    draw_line(&list, (struct point){10, 10}, (struct point){90, 70}, 0.5f, black);
    near(paint(), 100 * 0.5, 0.03);
    draw_begin(&list, &arena); /* a quarter of a circle as a Bezier curve */
    const float k = 80 * 0.5522847f;
    draw_curve(&list, (struct point[4]){{10, 90}, {10, 90 - k}, {90 - k, 10}, {90, 10}}, 2, black);
    near(paint(), 3.14159265 / 2 * 80 * 2, 0.01);
}

static void polygon_covers_its_area_either_way_round(void **state)
{
    (void)state;
    for (int flip = 0; flip < 2; flip++) {
        struct point points[] = {
            {10, 10}, {flip ? 40.0f : 100.0f, flip ? 100.0f : 20.0f}, {flip ? 100.0f : 40.0f, flip ? 20.0f : 100.0f}};
        draw_begin(&list, &arena);
        draw_polygon(&list, points, 3, black);
        near(paint(), (90 * 90 - 10 * 30) / 2.0, 0.01);
    }
}

static void half_transparent_shapes_have_no_seams(void **state)
{
    (void)state;
    draw_fill(&list, (struct rect){20, 20, 60, 60}, 10, (struct color){0, 0, 0, 128});
    paint();
    for (int y = 30; y < 70; y++)
        for (int x = 20; x < 80; x++)
            assert_int_equal(at(x, y), 127);
    draw_begin(&list, &arena);
    draw_polygon(&list, (struct point[]){{20, 20}, {80, 20}, {80, 80}, {20, 80}}, 4, (struct color){0, 0, 0, 128});
    paint();
    for (int y = 22; y < 78; y++)
        for (int x = 22; x < 78; x++)
            assert_int_equal(at(x, y), 127);
}

static void hatch_covers_its_share_and_stays_inside(void **state)
{
    (void)state;
    draw_hatch(&list, (struct rect){10, 10, 100, 100}, 8, 2, black);
    near(paint(), 100 * 100 * 2 / 8.0, 0.03);
    for (int i = 0; i < SIDE; i++) {
        assert_int_equal(at(i, 9), 255);
        assert_int_equal(at(110, i), 255);
    }
}

static void dashes_cover_half(void **state)
{
    (void)state;
    draw_outline_dashed(&list, (struct rect){10, 10, 100, 100}, 0, 2, 5, black);
    near(paint(), (100 * 100 - 96 * 96) / 2.0, 0.1);
    draw_begin(&list, &arena);
    draw_polyline(&list, (struct point[]){{10, 10}, {90, 70}}, 2, 2, 5, black);
    near(paint(), 100, 0.12); /* begins and ends with a dash */
}

static void clip_cuts_everything_at_its_border(void **state)
{
    (void)state;
    draw_clip(&list, (struct rect){30, 30, 20, 20});
    draw_fill(&list, (struct rect){0, 0, SIDE, SIDE}, 0, black);
    draw_fill(&list, (struct rect){0, 0, SIDE, SIDE}, 60, black);
    draw_line(&list, (struct point){0, 5}, (struct point){SIDE, SIDE}, 9, black);
    assert_true(paint() == 400);
    draw_clip(&list, (struct rect){-50, -50, 20, 20}); /* entirely off the screen */
    draw_fill(&list, (struct rect){0, 0, SIDE, SIDE}, 0, black);
    draw_clip_none(&list);
    draw_fill(&list, (struct rect){0, 0, 1, 1}, 0, black);
    assert_true(paint() == 401);
}

static void shapes_beyond_the_picture_are_harmless(void **state)
{
    (void)state;
    struct text_metrics metrics = {glyphs, glyphs_width, glyphs_ascent, glyphs_descent};
    const struct rect far = {-1000, -1000, 900, 900};
    draw_fill(&list, far, 0, black);
    draw_fill(&list, (struct rect){5000, 5000, 90, 90}, 45, black);
    draw_outline(&list, far, 9, 3, black);
    draw_hatch(&list, (struct rect){500, 20, 90, 90}, 5, 1, black);
    draw_line(&list, (struct point){-500, -20}, (struct point){-20, -700}, 3, black);
    draw_line(&list, (struct point){50, 50}, (struct point){50, 50}, 3, black);
    draw_polygon(&list, (struct point[]){{-9, -9}, {-9, -9}, {-9, -9}}, 3, black);
    draw_text(&list, &metrics, FONT_TEXT, 20, black, (struct point){-500, 20}, far, "off the left edge");
    draw_text(&list, &metrics, FONT_TEXT, 20, black, (struct point){300, 2000}, far, "below");
    assert_true(paint() == 0);
}

static void text_is_drawn_where_it_was_measured(void **state)
{
    (void)state;
    struct text_metrics metrics = {glyphs, glyphs_width, glyphs_ascent, glyphs_descent};
    const char *texts[] = {"HHHHH", "한글한", "illiH"};
    for (int i = 0; i < 3; i++) {
        draw_begin(&list, &arena);
        draw_text(&list, &metrics, FONT_TEXT, 20, black, (struct point){10, 60}, (struct rect){0}, texts[i]);
        double covered = paint();
        assert_true(covered > 30);
        int left = SIDE, right = 0, top = SIDE, bottom = 0;
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                if (at(x, y) < 200) {
                    left = x < left ? x : left;
                    right = x > right ? x : right;
                    top = y < top ? y : top;
                    bottom = y > bottom ? y : bottom;
                }
        float extent = list.items[0].extent;
        assert_true(left >= 9 && left <= 14);
        assert_true(fabsf((float)right + 1 - (10 + extent)) <= 4); /* apart from side bearings */
        assert_true((float)top >= 60 - glyphs_ascent(glyphs, FONT_TEXT, 20) - 2);
        assert_true((float)bottom <= 60 + glyphs_descent(glyphs, FONT_TEXT, 20) + 2);
    }
}

static void the_same_list_gives_the_same_picture(void **state)
{
    (void)state;
    static uint8_t first[sizeof pixels];
    struct text_metrics metrics = {glyphs, glyphs_width, glyphs_ascent, glyphs_descent};
    draw_fill(&list, (struct rect){5, 5, 80, 50}, 9, (struct color){10, 90, 200, 200});
    draw_text(&list, &metrics, FONT_BOLD, 17, black, (struct point){10.3f, 60}, (struct rect){0}, "뱅크 8 banks");
    paint();
    memcpy(first, pixels, sizeof pixels);
    glyphs_forget(glyphs); /* other places in the atlas, the same pixels on the screen */
    paint();
    assert_memory_equal(first, pixels, sizeof pixels);
}

static void a_full_atlas_starts_afresh(void **state)
{
    (void)state;
    struct text_metrics metrics = {glyphs, glyphs_width, glyphs_ascent, glyphs_descent};
    for (int frame = 0; frame < 60; frame++) { /* many large sizes, more than all pages hold */
        draw_begin(&list, &arena);
        for (int i = 0; i < 4; i++)
            draw_text(&list, &metrics, FONT_BOLD, 200 + (float)(frame * 4 + i) / 2, black, (struct point){0, 110},
                      (struct rect){0}, "ABCDEFGHIJKLMNOP");
        assert_true(paint() > 100);
    }
    assert_true(glyphs_page_count(glyphs) <= ATLAS_PAGES);
}

#define ON_A_LIST(test) cmocka_unit_test_setup(test, begin)
int main(void)
{
    const struct CMUnitTest tests[] = {ON_A_LIST(rectangle_covers_exactly_its_pixels),
                                       ON_A_LIST(rounded_edges_are_sharp_between_the_corners),
                                       ON_A_LIST(disc_covers_its_area),
                                       ON_A_LIST(ring_and_pill_cover_their_area),
                                       ON_A_LIST(outline_lies_inside_its_rectangle),
                                       ON_A_LIST(upright_and_level_lines_are_sharp),
                                       ON_A_LIST(slanted_lines_and_curves_cover_length_times_width),
                                       ON_A_LIST(polygon_covers_its_area_either_way_round),
                                       ON_A_LIST(half_transparent_shapes_have_no_seams),
                                       ON_A_LIST(hatch_covers_its_share_and_stays_inside),
                                       ON_A_LIST(dashes_cover_half),
                                       ON_A_LIST(clip_cuts_everything_at_its_border),
                                       ON_A_LIST(shapes_beyond_the_picture_are_harmless),
                                       ON_A_LIST(text_is_drawn_where_it_was_measured),
                                       ON_A_LIST(the_same_list_gives_the_same_picture),
                                       ON_A_LIST(a_full_atlas_starts_afresh)};
    return cmocka_run_group_tests(tests, open_fonts, close_all);
}
