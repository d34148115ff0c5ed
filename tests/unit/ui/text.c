/* Text in boxes with the fixed-width font, whose characters are 10 pixels wide at size 20. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "../fake_metrics.h"
#include "ui/ui.h"
#include <cmocka.h>
#include <math.h>
#include <string.h>

static struct arena arena;
static struct ui ui;

static int begin(void **state)
{
    (void)state;
    ui = (struct ui){.metrics = fake_metrics(), .theme = &theme_light, .unit = 1, .minimum_text = 16};
    ui_begin(&ui, &arena, (struct rect){0, 0, 1920, 1080});
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void paragraph(float width, const char *text)
{
    ui_text(&ui, (struct rect){100, 50, width, 500}, FONT_TEXT, 20, COLOR_TEXT, text);
}

static void paragraph_breaks_at_spaces(void **state)
{
    (void)state;
    paragraph(105, "each lane asks one bank");
    assert_int_equal(ui.draw.count, 3);
    assert_string_equal(ui.draw.items[0].text, "each lane");
    assert_string_equal(ui.draw.items[1].text, "asks one");
    assert_string_equal(ui.draw.items[2].text, "bank");
    assert_true(fabsf(ui.draw.items[1].at.y - ui.draw.items[0].at.y - 27) <= 1); /* 1.35 x 20 */
}

static void a_number_stays_with_its_unit_and_a_sign_with_what_follows(void **state)
{
    (void)state;
    paragraph(105, "tiles of 64 KB, 227 KB");
    assert_string_equal(ui.draw.items[0].text, "tiles of");
    assert_string_equal(ui.draw.items[1].text, "64 KB,");
    assert_string_equal(ui.draw.items[2].text, "227 KB");
    paragraph(105, "D = A * B + C.");
    assert_string_equal(ui.draw.items[3].text, "D = A * B");
    assert_string_equal(ui.draw.items[4].text, "+ C.");
    paragraph(105, "it has 32 lanes");
    assert_string_equal(ui.draw.items[5].text, "it has 32");
}

static void a_korean_particle_does_not_part_a_number_from_its_unit(void **state)
{
    (void)state;
    paragraph(105, "가운데 96 %가");
    assert_string_equal(ui.draw.items[0].text, "가운데");
    assert_string_equal(ui.draw.items[1].text, "96 %가");
    paragraph(105, "타일 없이 242 µs이고");
    assert_string_equal(ui.draw.items[2].text, "타일 없이");
    assert_string_equal(ui.draw.items[3].text, "242 µs이고");
    paragraph(105, "여기서 (3 × 3은 빠름)");
    assert_string_equal(ui.draw.items[4].text, "여기서");
    assert_string_equal(ui.draw.items[5].text, "(3 × 3은");
}

static void korean_breaks_at_spaces_and_stands_wider_apart(void **state)
{
    (void)state;
    paragraph(105, "레인마다 뱅크 하나를");
    assert_int_equal(ui.draw.count, 3);
    assert_string_equal(ui.draw.items[0].text, "레인마다");
    assert_string_equal(ui.draw.items[1].text, "뱅크");
    assert_string_equal(ui.draw.items[2].text, "하나를");
    assert_true(fabsf(ui.draw.items[1].at.y - ui.draw.items[0].at.y - 30) <= 1); /* 1.5 x 20 */
}

static void newlines_break_and_empty_lines_count(void **state)
{
    (void)state;
    struct ui_span span = {"a\n\nb", FONT_TEXT, COLOR_TEXT};
    assert_true(fabsf(ui_paragraph_height(&ui, 100, 20, &span, 1) - 81) < 0.1f);
    assert_int_equal(ui.draw.count, 0);
}

static void word_wider_than_the_box_is_broken(void **state)
{
    (void)state;
    paragraph(45, "abcdefghij");
    assert_int_equal(ui.draw.count, 3);
    assert_string_equal(ui.draw.items[0].text, "abcd");
    assert_string_equal(ui.draw.items[2].text, "ij");
}

static void spaces_around_lines_end(void **state)
{
    (void)state;
    paragraph(45, "   a  \n   abcdefgh  ");
    for (size_t i = 0; i < ui.draw.count; i++)
        assert_true(ui.draw.items[i].extent <= 45);
    assert_true(ui.draw.count >= 3);
}

static void spans_stand_side_by_side_and_a_word_may_cross_them(void **state)
{
    (void)state;
    struct ui_span spans[] = {
        {"see ", FONT_TEXT, COLOR_TEXT}, {"x", FONT_CODE, COLOR_ACCESS}, {"yz!", FONT_TEXT, COLOR_TEXT}};
    ui_paragraph(&ui, (struct rect){0, 0, 65, 100}, 20, spans, 3, false);
    assert_int_equal(ui.draw.count, 3); /* "see" alone: "xyz!" moves whole to the next line */
    assert_string_equal(ui.draw.items[0].text, "see");
    assert_string_equal(ui.draw.items[1].text, "x");
    assert_int_equal(ui.draw.items[1].role, FONT_CODE);
    assert_true(ui.draw.items[1].at.x == 0 && ui.draw.items[2].at.x == 10);
    assert_true(ui.draw.items[1].at.y == ui.draw.items[2].at.y);
}

static void label_shrinks_before_it_is_cut(void **state)
{
    (void)state;
    struct color ink = theme_light.colors[COLOR_TEXT];
    ui_label(&ui, (struct rect){0, 0, 90, 30}, FONT_TEXT, 20, UI_LEFT, ink, "ten chars.");
    assert_string_equal(ui.draw.items[0].text, "ten chars.");
    assert_true(ui.draw.items[0].size == 18);
    ui_label(&ui, (struct rect){0, 0, 48, 30}, FONT_TEXT, 20, UI_LEFT, ink, "ten chars.");
    assert_true(ui.draw.items[1].size == 16); /* the minimum */
    assert_string_equal(ui.draw.items[1].text, "ten c…");
    assert_true(ui.draw.items[1].extent <= 48);
}

static void label_is_not_cut_inside_a_character(void **state)
{
    (void)state;
    ui_label(&ui, (struct rect){0, 0, 45, 30}, FONT_TEXT, 16, UI_LEFT, theme_light.colors[COLOR_TEXT], "뱅크충돌");
    assert_string_equal(ui.draw.items[0].text, "뱅크…");
}

static void label_stands_where_it_is_told(void **state)
{
    (void)state;
    struct color ink = theme_light.colors[COLOR_TEXT];
    struct rect box = {100, 0, 100, 30};
    ui_label(&ui, box, FONT_TEXT, 20, UI_LEFT, ink, "four");
    ui_label(&ui, box, FONT_TEXT, 20, UI_CENTER, ink, "four");
    ui_label(&ui, box, FONT_TEXT, 20, UI_RIGHT, ink, "four");
    assert_true(ui.draw.items[0].at.x == 100 && ui.draw.items[1].at.x == 130 && ui.draw.items[2].at.x == 160);
}

static void chip_label_is_left_out_when_it_cannot_be_read(void **state)
{
    (void)state;
    struct color ink = theme_light.colors[COLOR_TEXT];
    ui_chip_label(&ui, (struct rect){0, 0, 8, 20}, FONT_BOLD, 14, ink, "1023");
    assert_int_equal(ui.draw.count, 0);
    ui_chip_label(&ui, (struct rect){0, 0, 22, 20}, FONT_BOLD, 14, ink, "1023");
    assert_int_equal(ui.draw.count, 1);
    assert_true(ui.draw.items[0].decoration && ui.draw.items[0].extent <= 22);
}

#define IN_A_FRAME(test) cmocka_unit_test_setup_teardown(test, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {IN_A_FRAME(paragraph_breaks_at_spaces),
                                       IN_A_FRAME(a_number_stays_with_its_unit_and_a_sign_with_what_follows),
                                       IN_A_FRAME(a_korean_particle_does_not_part_a_number_from_its_unit),
                                       IN_A_FRAME(korean_breaks_at_spaces_and_stands_wider_apart),
                                       IN_A_FRAME(newlines_break_and_empty_lines_count),
                                       IN_A_FRAME(word_wider_than_the_box_is_broken),
                                       IN_A_FRAME(spaces_around_lines_end),
                                       IN_A_FRAME(spans_stand_side_by_side_and_a_word_may_cross_them),
                                       IN_A_FRAME(label_shrinks_before_it_is_cut),
                                       IN_A_FRAME(label_is_not_cut_inside_a_character),
                                       IN_A_FRAME(label_stands_where_it_is_told),
                                       IN_A_FRAME(chip_label_is_left_out_when_it_cannot_be_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
