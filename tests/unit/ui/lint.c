/* The lint reports each kind of fault once, and reports nothing for a sound list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "../fake_metrics.h"
#include "lint.h"
#include "ui/theme.h"
#include <cmocka.h>
#include <string.h>

static struct arena arena;
static struct draw_list list;
static const struct color black = {0, 0, 0, 255}, white = {255, 255, 255, 255}, blue = {0, 0, 160, 255};

static int begin(void **state)
{
    (void)state;
    draw_begin(&list, &arena);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* Draws a text. "text" at 20 px is 40 wide, with 15 above its baseline and 5 below. */
static void put(float x, float y, struct rect box, struct color color, const char *text)
{
    struct text_metrics metrics = fake_metrics();
    draw_text(&list, &metrics, FONT_TEXT, 20, color, (struct point){x, y}, box, text);
}

static size_t lint(const char ***findings)
{
    struct text_metrics metrics = fake_metrics();
    struct lint_options options = {{0, 0, 400, 300}, white, 16};
    return lint_draw_list(&list, &metrics, &options, &arena, findings);
}

static void expect(const char *words)
{
    const char **findings;
    size_t count = lint(&findings);
    if (!words) {
        if (count)
            fail_msg("unexpected: %s", findings[0]);
        return;
    }
    assert_int_equal(count, 1);
    if (!strstr(findings[0], words))
        fail_msg("expected \"%s\", got: %s", words, findings[0]);
}

static void sound_list_has_no_findings(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 30}, black, "text");
    draw_fill(&list, (struct rect){10, 60, 100, 30}, 4, blue);
    put(20, 80, (struct rect){10, 60, 100, 30}, white, "text");
    draw_clip(&list, (struct rect){0, 100, 50, 50});
    put(10, 200, (struct rect){0, 180, 100, 30}, black, "out of sight");
    expect(NULL);
}

static void text_outside_its_box_is_found(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 30, 30}, black, "text");
    expect("leaves its box");
}

static void text_outside_the_screen_is_found(void **state)
{
    (void)state;
    put(370, 30, (struct rect){370, 10, 100, 30}, black, "text");
    expect("leaves the screen");
}

static void text_cut_by_a_clip_is_found(void **state)
{
    (void)state;
    draw_clip(&list, (struct rect){0, 0, 30, 300});
    put(10, 30, (struct rect){10, 10, 100, 30}, black, "text");
    expect("is cut");
}

static void overlapping_texts_are_found(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 40}, black, "text");
    put(40, 35, (struct rect){10, 10, 100, 40}, black, "next");
    expect("overlaps");
}

static void text_under_a_later_fill_is_found(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 40}, black, "text");
    draw_fill(&list, (struct rect){5, 5, 200, 60}, 0, white);
    expect("is hidden");
}

static void text_partly_under_a_later_fill_is_found(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 40}, black, "text");
    draw_fill(&list, (struct rect){5, 10, 9, 40}, 0, white);
    expect("is hidden");
}

static void fills_beside_a_text_and_clipped_off_it_are_fine(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 40}, black, "text");
    draw_fill(&list, (struct rect){50, 10, 100, 40}, 0, blue);
    draw_fill(&list, (struct rect){10, 34, 100, 40}, 0, blue);
    draw_clip(&list, (struct rect){0, 60, 400, 100});
    draw_fill(&list, (struct rect){0, 0, 400, 300}, 0, white);
    expect(NULL);
}

static void a_tooltip_may_cover_a_text(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 40}, black, "text");
    draw_over(&list);
    draw_fill(&list, (struct rect){5, 5, 200, 60}, 0, white);
    put(40, 35, (struct rect){10, 10, 100, 40}, black, "next");
    expect(NULL);
}

static void small_text_is_found_unless_decoration(void **state)
{
    (void)state;
    struct text_metrics metrics = fake_metrics();
    draw_text(&list, &metrics, FONT_TEXT, 12, black, (struct point){10, 30}, (struct rect){10, 10, 100, 30}, "small");
    expect("under the minimum");
    draw_decorate(&list, 0);
    expect(NULL);
}

static void pale_text_is_found(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 30}, (struct color){150, 150, 150, 255}, "text");
    expect("contrast");
}

static void transparent_text_is_judged_as_it_looks(void **state)
{
    (void)state;
    put(10, 30, (struct rect){10, 10, 100, 30}, (struct color){0, 0, 0, 90}, "text");
    expect("contrast");
}

static void text_is_judged_by_the_fill_under_it(void **state)
{
    (void)state;
    draw_fill(&list, (struct rect){10, 10, 100, 30}, 0, blue);
    put(10, 30, (struct rect){10, 10, 100, 30}, black, "text");
    expect("contrast");
}

static void half_a_text_off_its_chip_is_found(void **state)
{
    (void)state;
    draw_fill(&list, (struct rect){10, 10, 20, 30}, 0, blue);
    put(10, 30, (struct rect){10, 10, 100, 30}, white, "text");
    expect("contrast");
}

static void a_veil_counts_with_its_alpha(void **state)
{
    (void)state;
    draw_fill(&list, (struct rect){10, 10, 100, 30}, 0, (struct color){0, 0, 0, 40});
    put(10, 30, (struct rect){10, 10, 100, 30}, black, "text");
    expect(NULL);
    draw_begin(&list, &arena);
    draw_fill(&list, (struct rect){10, 10, 100, 30}, 0, (struct color){0, 0, 0, 200});
    put(10, 30, (struct rect){10, 10, 100, 30}, black, "text");
    expect("contrast");
}

static void a_hatch_counts_by_the_share_it_covers(void **state)
{
    (void)state;
    draw_fill(&list, (struct rect){10, 10, 100, 30}, 0, blue);
    draw_hatch(&list, (struct rect){10, 10, 100, 30}, 8, 1, white);
    put(10, 30, (struct rect){10, 10, 100, 30}, white, "text");
    expect(NULL);
    draw_begin(&list, &arena);
    draw_fill(&list, (struct rect){10, 10, 100, 30}, 0, blue);
    draw_hatch(&list, (struct rect){10, 10, 100, 30}, 3, 2, white);
    put(10, 30, (struct rect){10, 10, 100, 30}, white, "text");
    expect("contrast");
}

#define ON_A_LIST(test) cmocka_unit_test_setup_teardown(test, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {ON_A_LIST(sound_list_has_no_findings),
                                       ON_A_LIST(text_outside_its_box_is_found),
                                       ON_A_LIST(text_outside_the_screen_is_found),
                                       ON_A_LIST(text_cut_by_a_clip_is_found),
                                       ON_A_LIST(overlapping_texts_are_found),
                                       ON_A_LIST(text_under_a_later_fill_is_found),
                                       ON_A_LIST(text_partly_under_a_later_fill_is_found),
                                       ON_A_LIST(fills_beside_a_text_and_clipped_off_it_are_fine),
                                       ON_A_LIST(a_tooltip_may_cover_a_text),
                                       ON_A_LIST(small_text_is_found_unless_decoration),
                                       ON_A_LIST(pale_text_is_found),
                                       ON_A_LIST(transparent_text_is_judged_as_it_looks),
                                       ON_A_LIST(text_is_judged_by_the_fill_under_it),
                                       ON_A_LIST(half_a_text_off_its_chip_is_found),
                                       ON_A_LIST(a_veil_counts_with_its_alpha),
                                       ON_A_LIST(a_hatch_counts_by_the_share_it_covers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
