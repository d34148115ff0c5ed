/* Golden files hold the dump of a draw list, so its text must not change by accident. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "../fake_metrics.h"
#include "draw_dump.h"
#include <cmocka.h>

static const struct color ink = {1, 2, 3, 255}, veil = {255, 0, 128, 64};

static void dump_names_every_command_and_rounds_to_tenths(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct draw_list list;
    struct text_metrics metrics = fake_metrics();
    draw_begin(&list, &arena);
    draw_fill(&list, (struct rect){0, 1.04f, 10.06f, 20}, 4, ink);
    draw_outline(&list, (struct rect){-0.01f, 0, 5, 5}, 2, 1.5f, veil);
    draw_outline_dashed(&list, (struct rect){0, 0, 5, 5}, 0, 1, 3, ink);
    draw_hatch(&list, (struct rect){1, 2, 3, 4}, 7, 1.5f, ink);
    draw_line(&list, (struct point){0, 0}, (struct point){3.33f, 4}, 2, ink);
    draw_polyline(&list, (struct point[]){{0, 0}, {1, 0}, {1, 1}}, 3, 1, 2, ink);
    draw_curve(&list, (struct point[4]){{0, 0}, {0, 5}, {9, 5}, {9, 9}}, 1, ink);
    draw_polygon(&list, (struct point[]){{0, 0}, {4, 0}, {0, 4}}, 3, ink);
    draw_clip(&list, (struct rect){0, 0, 50, 50});
    draw_text(&list, &metrics, FONT_CODE, 16, ink, (struct point){2, 20}, (struct rect){0, 0, 40, 24}, "a\"\\\nb");
    draw_clip_none(&list);
    draw_decorate(&list, list.count - 2);
    assert_string_equal(draw_dump(&list, &arena),
                        "fill 0.0 1.0 10.1 20.0 radius 4.0 #010203ff\n"
                        "outline 0.0 0.0 5.0 5.0 radius 2.0 width 1.5 #ff008040\n"
                        "outline 0.0 0.0 5.0 5.0 radius 0.0 width 1.0 dash 3.0 #010203ff\n"
                        "hatch 1.0 2.0 3.0 4.0 gap 7.0 width 1.5 #010203ff\n"
                        "line 0.0,0.0 3.3,4.0 width 2.0 #010203ff\n"
                        "line 0.0,0.0 1.0,0.0 1.0,1.0 width 1.0 dash 2.0 #010203ff\n"
                        "curve 0.0,0.0 0.0,5.0 9.0,5.0 9.0,9.0 width 1.0 #010203ff\n"
                        "polygon 0.0,0.0 4.0,0.0 0.0,4.0 #010203ff\n"
                        "clip 0.0 0.0 50.0 50.0\n"
                        "text code 16.0 at 2.0,20.0 extent 40.0 in 0.0 0.0 40.0 24.0 #010203ff decoration "
                        "\"a\\\"\\\\\\nb\"\n"
                        "clip none\n");
    arena_free(&arena);
}

static void list_keeps_its_own_copy_of_text_and_points(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct draw_list list;
    struct text_metrics metrics = fake_metrics();
    draw_begin(&list, &arena);
    char text[] = "before";
    struct point points[3] = {{1, 1}, {2, 2}, {3, 3}};
    draw_text(&list, &metrics, FONT_TEXT, 10, ink, (struct point){0, 0}, (struct rect){0}, text);
    draw_polygon(&list, points, 3, ink);
    text[0] = 'X';
    points[0].x = 99;
    for (int i = 0; i < 1000; i++) /* the array moves as it grows */
        draw_fill(&list, (struct rect){(float)i, 0, 1, 1}, 0, ink);
    assert_string_equal(list.items[0].text, "before");
    assert_true(list.items[1].points[0].x == 1);
    assert_int_equal(list.count, 1002);
    assert_true(list.items[1001].rect.x == 999);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dump_names_every_command_and_rounds_to_tenths),
                                       cmocka_unit_test(list_keeps_its_own_copy_of_text_and_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
