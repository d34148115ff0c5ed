/* The panels of several arrays, by mouse and by keys: a click on an element of a product, or of one of two arrays,
 * follows it; keys go to its neighbours; the same click again leaves it. */
#include "app/app.h"
#include "base/words.h"
#include "ui/keys.h"
#include "ui/panels.h"
#include "view/view.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app_helper.h"

static struct app *open_step(const char *lesson, int beat)
{
    struct app_options const options = app_options_of(lesson, beat);
    return app_opened(&options, NULL);
}

/* Returns the corner of the array whose name stands above its left edge. The edge is a fixed gap at the right of the
 * name's box. */
static struct point corner_of(struct app *app, const char *name)
{
    enum { GAP = 6 };
    const struct draw_list *list = app_frame(app, 1e6);
    struct rect const panel = app_panels(app)[STAGE_AT_matrix].box;
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *text = &list->items[i];
        if (text->kind == DRAW_TEXT && text->role == FONT_BOLD && strcmp(text->text, name) == 0 &&
            text->at.y > panel.y && text->at.y < panel.y + panel.h)
            return (struct point){text->rect.x + text->rect.w + GAP, text->rect.y + text->rect.h};
    }
    fail_msg("no array is called \"%s\"", name);
    return (struct point){0, 0};
}

/* Clicks on the first element of the array. */
static void click_first(struct app *app, const char *name)
{
    struct point at = corner_of(app, name);
    at.x += 2;
    at.y += 2;
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = at.x, .y = at.y});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
}

static void neighbour(struct app *app, int key)
{
    press(app, key, MODIFIER_CONTROL | MODIFIER_SHIFT);
}

static void an_element_of_a_product_is_followed_by_a_click_and_by_keys(void **state)
{
    (void)state;
    struct app *app = open_step("matmul", 1);
    assert_true(shows(app, "lane 20: c[1][4] = row 1 of a × column 4 of b"));
    click_first(app, "c");
    assert_true(shows(app, "c[0][0] = row 0 of a × column 0 of b"));
    assert_false(shows(app, "lane 20: c"));
    neighbour(app, KEY_RIGHT);
    assert_true(shows(app, "c[0][1] = row 0 of a × column 1 of b"));
    neighbour(app, KEY_DOWN);
    assert_true(shows(app, "c[1][1] = row 1 of a × column 1 of b"));
    neighbour(app, KEY_LEFT);
    neighbour(app, KEY_UP);
    neighbour(app, KEY_UP); /* there is no row above */
    assert_true(shows(app, "c[0][0] = row 0 of a × column 0 of b"));
    click_first(app, "c"); /* the same click again */
    assert_true(shows(app, "lane 20: c[1][4] = row 1 of a × column 4 of b"));
    app_free(app);
}

static void a_click_on_a_factor_follows_nothing(void **state)
{
    (void)state;
    struct app *app = open_step("matmul", 1);
    click_first(app, "b");
    assert_true(shows(app, "lane 20: c[1][4] = row 1 of a × column 4 of b"));
    app_free(app);
}

static void an_element_of_a_pair_is_followed_from_either_array(void **state)
{
    (void)state;
    struct app *app = open_step("transpose", 1);
    click_first(app, "out");
    assert_true(shows(app, "in[0][0] → out[0][0]"));
    neighbour(app, KEY_RIGHT); /* in the first array */
    assert_true(shows(app, "in[0][1] → out[1][0]"));
    neighbour(app, KEY_DOWN);
    assert_true(shows(app, "in[1][1] → out[1][1]"));
    neighbour(app, KEY_LEFT);
    assert_true(shows(app, "in[1][0] → out[0][1]"));
    neighbour(app, KEY_UP);
    click_first(app, "out"); /* the same element: it is left */
    assert_false(shows(app, "in[1][0] → out[0][1]"));
    app_free(app);
}

/* The step asks how many bytes of a row are padding, which is hatched. */
static void the_padding_of_a_row_is_in_sight_in_a_small_window(void **state)
{
    (void)state;
    for (int korean = 0; korean < 2; korean++)
        for (int present = 0; present < 2; present++) {
            struct app_options options = app_options_of("pitch", 4);
            options.answered = true;
            options.language = korean ? "ko" : "en";
            options.present = present;
            options.width = 1024;
            options.height = 600;
            struct app *app = app_opened(&options, NULL);
            const struct draw_list *list = app_frame(app, 1e6);
            struct rect const panel = app_panels(app)[STAGE_AT_matrix].box;
            bool hatched = false;
            for (size_t i = 0; i < list->count; i++) {
                struct rect const at = list->items[i].rect;
                hatched |= list->items[i].kind == DRAW_HATCH && at.y > panel.y && at.y < panel.y + panel.h && at.w > 40;
            }
            assert_true(hatched);
            app_free(app);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_of_a_product_is_followed_by_a_click_and_by_keys),
        cmocka_unit_test(a_click_on_a_factor_follows_nothing),
        cmocka_unit_test(an_element_of_a_pair_is_followed_from_either_array),
        cmocka_unit_test(the_padding_of_a_row_is_in_sight_in_a_small_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
