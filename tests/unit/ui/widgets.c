/* Widgets under a scripted mouse and keyboard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the headers above it
#include "../fake_metrics.h"
#include "lint.h"
#include "ui/ui.h"
#include <cmocka.h>
#include <string.h>

static struct arena arena;
static struct ui ui;
static const struct rect screen = {0, 0, 1280, 720};

static int begin(void **state)
{
    (void)state;
    ui = (struct ui){.metrics = fake_metrics(), .theme = &theme_light, .unit = 1, .minimum_text = 14};
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void frame(void)
{
    arena_reset(&arena);
    ui_begin(&ui, &arena, screen);
}

static void mouse(float x, float y, bool pressed, bool released)
{
    ui.input.mouse = (struct point){x, y};
    ui.input.mouse_inside = true;
    ui.input.pressed = pressed;
    ui.input.released = released;
    ui.input.down = pressed || (ui.input.down && !released);
}

static const struct rect button_box = {100, 100, 160, 40};
static bool button_frame(float x, float y, bool pressed, bool released)
{
    mouse(x, y, pressed, released);
    frame();
    bool used = ui_button(&ui, ui_id_text("go"), button_box, "Go", true);
    ui_end(&ui);
    return used;
}

static void button_answers_a_click_inside_it_only(void **state)
{
    (void)state;
    assert_false(button_frame(150, 120, true, false));
    assert_true(button_frame(150, 120, false, true));
    assert_false(button_frame(150, 120, true, false)); /* left the box before the release */
    assert_false(button_frame(400, 120, false, true));
    assert_false(button_frame(400, 120, true, false)); /* entered the box with the button down */
    assert_false(button_frame(150, 120, false, true));
    assert_true(button_frame(150, 120, true, true)); /* press and release in one frame */
}

static void the_widget_on_top_takes_the_click(void **state)
{
    (void)state;
    bool low = false, high = false;
    for (int i = 0; i < 2; i++) {
        mouse(150, 120, i == 0, i == 1);
        frame();
        low = ui_area(&ui, 1, button_box);
        high = ui_area(&ui, 2, button_box);
        ui_end(&ui);
    }
    assert_false(low);
    assert_true(high);
}

static void focus_moves_round_and_enter_presses(void **state)
{
    (void)state;
    bool used[2] = {false, false};
    const int steps[] = {1, 1, 1, -1}; /* first, second, first, second */
    for (int i = 0; i < 4; i++) {
        ui.input.focus_step = steps[i];
        frame();
        for (uint32_t k = 0; k < 2; k++)
            ui_button(&ui, ui_id_child(7, k), (struct rect){10, 10 + 60 * (float)k, 100, 40}, "b", false);
        ui_end(&ui);
    }
    ui.input.activate = true;
    frame();
    for (uint32_t k = 0; k < 2; k++)
        used[k] = ui_button(&ui, ui_id_child(7, k), (struct rect){10, 10 + 60 * (float)k, 100, 40}, "b", false);
    ui_end(&ui);
    assert_false(used[0]);
    assert_true(used[1]);
}

static bool slide(int *value, float x, bool pressed, bool released)
{
    mouse(x, 110, pressed, released);
    frame();
    bool changed = ui_slider(&ui, 5, (struct rect){100, 100, 220, 20}, value, 0, 64); /* its track: 110 to 310 */
    ui_end(&ui);
    return changed;
}

static void slider_follows_the_mouse_in_whole_steps_and_stays_in_range(void **state)
{
    (void)state;
    int value = 8;
    assert_false(slide(&value, 210, false, false));
    assert_true(slide(&value, 210, true, false));
    assert_int_equal(value, 32);
    assert_true(slide(&value, 900, false, false)); /* dragged beyond its box */
    assert_int_equal(value, 64);
    assert_true(slide(&value, -50, false, false));
    assert_int_equal(value, 0);
    slide(&value, -50, false, true);
    assert_false(slide(&value, 210, false, false)); /* after the release */
    assert_int_equal(value, 0);
}

static void slider_takes_the_wheel_and_the_keys(void **state)
{
    (void)state;
    int value = 8;
    ui.input.wheel = 2.5f;
    assert_true(slide(&value, 200, false, false));
    assert_int_equal(value, 9);
    ui.focus = 5;
    ui.input.adjust = -1;
    assert_true(slide(&value, 900, false, false));
    assert_int_equal(value, 8);
}

static void choice_takes_a_click_and_enter(void **state)
{
    (void)state;
    const char *labels[] = {"by rows", "by columns", "both"};
    int chosen = 0;
    bool changed = false;
    for (int i = 0; i < 2; i++) {
        mouse(250, 110, i == 0, i == 1);
        frame();
        changed = ui_choice(&ui, 9, (struct rect){100, 100, 300, 40}, labels, 3, &chosen);
        ui_end(&ui);
    }
    assert_true(changed);
    assert_int_equal(chosen, 1);
    ui.focus = 9;
    for (int i = 0; i < 2; i++) {
        ui.input.activate = true;
        frame();
        ui_choice(&ui, 9, (struct rect){100, 100, 300, 40}, labels, 3, &chosen);
        ui_end(&ui);
    }
    assert_int_equal(chosen, 0); /* both labels, then back to the first */
}

static void tooltip_stays_on_the_screen_in_every_corner(void **state)
{
    (void)state;
    const struct point corners[] = {{2, 2}, {1278, 2}, {2, 718}, {1278, 718}};
    for (int i = 0; i < 4; i++) {
        mouse(corners[i].x, corners[i].y, false, false);
        frame();
        ui_tip(&ui, screen, "lane %d asks bank %d, and so do seven others, one after another in as many passes", 3, 8);
        ui_end(&ui);
        struct lint_options options = {screen, theme_light.colors[COLOR_BACKGROUND], 14};
        const char **findings;
        assert_int_equal(lint_draw_list(&ui.draw, &ui.metrics, &options, &arena, &findings), 0);
        assert_true(ui.draw.count > 3);
    }
}

static void widgets_pass_the_lint_in_both_themes(void **state)
{
    (void)state;
    for (int dark = 0; dark < 2; dark++)
        for (int over = 0; over < 2; over++) {
            int value = 3, chosen = 1;
            const char *labels[] = {"한 줄씩", "by columns"};
            ui.theme = dark ? &theme_dark : &theme_light;
            mouse(over ? 60 : 900, over ? 60 : 700, false, false);
            frame();
            ui_card(&ui, (struct rect){20, 20, 600, 500});
            ui_button(&ui, 1, (struct rect){40, 40, 160, 40}, "Turn the stride", true);
            ui_button(&ui, 2, (struct rect){240, 40, 160, 40}, "Skip", false);
            ui_choice(&ui, 3, (struct rect){40, 100, 300, 40}, labels, 2, &chosen);
            ui_slider(&ui, 4, (struct rect){40, 160, 500, 30}, &value, 0, 16);
            for (int b = 0; b < 3; b++)
                ui_badge(&ui, (struct rect){40, 240 + 50 * (float)b, 300, 32}, (enum ui_border)b, "RECORDED on H200");
            ui_end(&ui);
            struct lint_options options = {screen, ui.theme->colors[COLOR_BACKGROUND], 14};
            const char **findings;
            size_t count = lint_draw_list(&ui.draw, &ui.metrics, &options, &arena, &findings);
            if (count)
                fail_msg("%s: %s", ui.theme->name, findings[0]);
        }
}

static void ids_differ(void **state)
{
    (void)state;
    assert_int_not_equal(ui_id_text("a"), ui_id_text("b"));
    for (uint32_t i = 0; i < 100; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(ui_id_child(3, i), ui_id_child(3, k));
}

#define WITH_UI(test) cmocka_unit_test_setup_teardown(test, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {WITH_UI(button_answers_a_click_inside_it_only),
                                       WITH_UI(the_widget_on_top_takes_the_click),
                                       WITH_UI(focus_moves_round_and_enter_presses),
                                       WITH_UI(slider_follows_the_mouse_in_whole_steps_and_stays_in_range),
                                       WITH_UI(slider_takes_the_wheel_and_the_keys),
                                       WITH_UI(choice_takes_a_click_and_enter),
                                       WITH_UI(tooltip_stays_on_the_screen_in_every_corner),
                                       WITH_UI(widgets_pass_the_lint_in_both_themes),
                                       WITH_UI(ids_differ)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
