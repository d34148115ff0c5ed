/* Every pair of text and ground that theme.h allows is readable in both themes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "lint.h"
#include "ui/theme.h"
#include <cmocka.h>
#include <math.h>

struct pair {
    enum color_role text, ground;
};
static const struct pair allowed[] = {{COLOR_TEXT, COLOR_BACKGROUND},
                                      {COLOR_TEXT, COLOR_PANEL},
                                      {COLOR_TEXT, COLOR_BAR},
                                      {COLOR_TEXT, COLOR_ACCESS_SOFT},
                                      {COLOR_TEXT, COLOR_CONFLICT_SOFT},
                                      {COLOR_TEXT, COLOR_CURSOR_SOFT},
                                      {COLOR_TEXT_DIM, COLOR_BACKGROUND},
                                      {COLOR_TEXT_DIM, COLOR_PANEL},
                                      {COLOR_TEXT_DIM, COLOR_BAR},
                                      {COLOR_TEXT_DIM, COLOR_ACCESS_SOFT},
                                      {COLOR_TEXT_DIM, COLOR_CONFLICT_SOFT},
                                      {COLOR_TEXT_DIM, COLOR_CURSOR_SOFT},
                                      {COLOR_ACCESS, COLOR_BACKGROUND},
                                      {COLOR_ACCESS, COLOR_PANEL},
                                      {COLOR_ACCESS, COLOR_BAR},
                                      {COLOR_ACCESS, COLOR_ACCESS_SOFT},
                                      {COLOR_CONFLICT, COLOR_BACKGROUND},
                                      {COLOR_CONFLICT, COLOR_PANEL},
                                      {COLOR_CONFLICT, COLOR_BAR},
                                      {COLOR_CONFLICT, COLOR_CONFLICT_SOFT},
                                      {COLOR_CONFLICT, COLOR_CURSOR_SOFT},
                                      {COLOR_ELSE, COLOR_BACKGROUND},
                                      {COLOR_ELSE, COLOR_PANEL},
                                      {COLOR_IDLE, COLOR_BACKGROUND},
                                      {COLOR_IDLE, COLOR_PANEL},
                                      {COLOR_ON_ACCENT, COLOR_ACCESS},
                                      {COLOR_ON_ACCENT, COLOR_CONFLICT},
                                      {COLOR_ON_ACCENT, COLOR_ELSE},
                                      {COLOR_ON_ACCENT, COLOR_IDLE},
                                      {COLOR_ON_CURSOR, COLOR_CURSOR},
                                      {COLOR_ON_CURSOR, COLOR_BROADCAST}};

static void every_allowed_pair_has_contrast(void **state)
{
    (void)state;
    const struct theme *themes[] = {&theme_light, &theme_dark};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
            float contrast = color_contrast(themes[t]->colors[allowed[i].text], themes[t]->colors[allowed[i].ground]);
            if (contrast < 4.5f)
                fail_msg("%s theme: role %d on role %d has contrast %.2f", themes[t]->name, (int)allowed[i].text,
                         (int)allowed[i].ground, (double)contrast);
        }
}

static void every_role_has_an_opaque_color(void **state)
{
    (void)state;
    for (int role = 0; role < COLOR_ROLE_COUNT; role++) {
        assert_int_equal(theme_light.colors[role].a, 255);
        assert_int_equal(theme_dark.colors[role].a, 255);
    }
}

static void contrast_is_that_of_the_standard(void **state)
{
    (void)state;
    struct color black = {0, 0, 0, 255}, white = {255, 255, 255, 255}, grey = {119, 119, 119, 255};
    assert_true(fabsf(color_contrast(black, white) - 21) < 0.01f);
    assert_true(fabsf(color_contrast(white, black) - 21) < 0.01f);
    assert_true(fabsf(color_contrast(grey, white) - 4.48f) < 0.01f); /* #777, the well-known near miss */
}

static void expect_color(struct color got, int r, int g, int b)
{
    assert_int_equal(got.r, r);
    assert_int_equal(got.g, g);
    assert_int_equal(got.b, b);
    assert_int_equal(got.a, 255);
}

static void mixing_keeps_its_ends(void **state)
{
    (void)state;
    struct color a = {10, 20, 30, 255}, b = {200, 100, 0, 255};
    expect_color(color_mix(a, b, -1), 10, 20, 30);
    expect_color(color_mix(a, b, 2), 200, 100, 0);
    expect_color(color_mix(a, b, 0.5f), 105, 60, 15);
    expect_color(color_over(a, color_fade(b, 0)), 10, 20, 30);
    expect_color(color_over(a, b), 200, 100, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allowed_pair_has_contrast), cmocka_unit_test(every_role_has_an_opaque_color),
        cmocka_unit_test(contrast_is_that_of_the_standard), cmocka_unit_test(mixing_keeps_its_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
