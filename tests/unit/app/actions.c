/* Actions: a key means one thing, the list of keys and the tooltips come from the table, and a frame changes neither
 * the document nor the playhead unless something was asked for in it. */
#include "app/commands/commands.h"
#include "app/state.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_helper.h"

static void a_key_has_one_action_and_repeats_only_where_that_helps(void **state)
{
    (void)state;
    assert_int_equal(action_of_key(KEY_RIGHT, 0, false).kind, ACTION_STEP_ACCESS);
    assert_int_equal(action_of_key(KEY_RIGHT, 0, false).value, 1);
    assert_int_equal(action_of_key(KEY_LEFT, MODIFIER_SHIFT, true).kind, ACTION_STEP_EVENT);
    assert_int_equal(action_of_key(KEY_LEFT, MODIFIER_SHIFT, true).value, -1);
    assert_int_equal(action_of_key(KEY_6, 0, false).kind, ACTION_ANSWER);
    assert_int_equal(action_of_key(KEY_6, 0, false).value, 5);
    assert_int_equal(action_of_key(KEY_S, 0, false).kind, ACTION_SAVE_PICTURE);
    assert_int_equal(action_of_key(KEY_S, 0, true).kind, ACTION_NONE); /* a held key saves one picture */
    assert_int_equal(action_of_key(KEY_S, MODIFIER_ALT, false).kind, ACTION_NONE);
    assert_int_equal(action_of_key(0, 0, false).kind, ACTION_NONE);
}

/* The keys of all actions, out of the table itself. */
struct key {
    int key, modifiers, value;
};
struct row {
    struct key keys[6];
};
#define KEYS(...)                                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define NO_KEYS KEYS({0})
#define ACTION(name, function, traits, keys, shown, help, tip) [ACTION_##name] = {keys},
static const struct row table[ACTION_COUNT] = {
#include "ui/actions.def"
};

static void no_two_actions_share_a_key(void **state)
{
    (void)state;
    int bound[256][16] = {{0}};
    for (int kind = 0; kind < ACTION_COUNT; kind++)
        for (int i = 0; i < 6 && table[kind].keys[i].key; i++)
            assert_int_equal(bound[table[kind].keys[i].key][table[kind].keys[i].modifiers]++, 0);
}

static void tooltips_name_the_key_of_their_action(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct help_row *rows;
    app_use_language("en");
    assert_string_equal(action_tip(ACTION_THEME), "light or dark (T)");
    assert_string_equal(action_tip(ACTION_SCRUB), "");
    size_t const count = action_help(&arena, &rows);
    assert_true(count > 30);
    for (size_t i = 0; i < count; i++)
        assert_true(*rows[i].keys[0] && *rows[i].text);
    arena_free(&arena);
}

/* The mouse goes over the whole picture. */
static void a_frame_in_which_nothing_is_asked_for_changes_nothing(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("adjdiff", 5);
    struct app *app = app_opened(&options, NULL);
    press(app, KEY_RIGHT_BRACKET, 0);
    press(app, KEY_TAB, MODIFIER_SHIFT); /* both runs on one stage */
    app_frame(app, 1e6);
    app_frame(app, 1e6);
    assert_true(app->document.above);
    struct document const document = app->document;
    struct playhead const playhead = app->playhead;
    for (float y = 20; y < 1080; y += 40)
        for (float x = 20; x < 1920; x += 80) {
            app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = y});
            app_frame(app, 0);
            assert_memory_equal(&app->document, &document, sizeof document);
            assert_memory_equal(&app->playhead, &playhead, sizeof playhead);
        }
    app_free(app);
}

static void a_key_puts_the_tip_of_a_resting_mouse_away(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("banks", 2);
    struct app *app = app_opened(&options, NULL);
    float found = 0;
    for (float x = 20; x < 1920 && found == 0; x += 10) { /* along the bar, over its buttons */
        app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = 20});
        app_frame(app, 0);
        found = app->ui.tooltip ? x : 0;
    }
    assert_true(found > 0);
    press(app, KEY_RIGHT, 0);
    app_frame(app, 1e6);
    assert_null(app->ui.tooltip);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = found, .y = 20});
    app_frame(app, 0);
    assert_non_null(app->ui.tooltip);
    app_free(app);
}

/* Clicks in the middle of the first text that begins so. Returns whether there is one. */
static bool click(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *text = &list->items[i];
        if (text->kind != DRAW_TEXT || strncmp(text->text, words, strlen(words)) != 0)
            continue;
        struct app_event event = {
            .kind = APP_MOUSE_MOVE, .x = text->at.x + text->extent / 2, .y = text->at.y - text->size * 0.3f};
        enum app_event_kind const kinds[] = {APP_MOUSE_MOVE, APP_MOUSE_DOWN, APP_MOUSE_UP};
        for (int k = 0; k < 3; k++) {
            event.kind = kinds[k];
            app_event(app, &event);
            app_frame(app, 0.01);
        }
        return true;
    }
    return false;
}

static void use_row(struct app *app, const char *words)
{
    if (!app->help)
        assert_true(click(app, "?"));
    assert_true(app->help);
    for (int page = 0; page < 20 && !click(app, words); page++)
        assert_true(click(app, "More"));
}

static void a_click_in_the_list_of_keys_does_what_the_line_says(void **state)
{
    (void)state;
    struct app_options const options = app_options_of("banks", 1);
    struct app *app = app_opened(&options, NULL);
    use_row(app, "light or dark");
    assert_true(app->preferences.dark && app->help); /* it stays, to look and to turn back */
    use_row(app, "Ctrl + +");
    assert_int_equal(app->preferences.text_step, 1);
    use_row(app, "-");
    assert_int_equal(app->preferences.text_step, 0);
    use_row(app, "the glossary: all");
    assert_true(app->lookup.open && !app->help);
    app_free(app);
}

static void a_narrow_bar_keeps_a_way_to_its_switches(void **state)
{
    static const int sizes[][3] = {{1024, 600, 200}, {1152, 864, 150}, {1024, 768, 100}, {1024, 600, 150}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct app_options options = app_options_of("banks", 1);
        options.width = sizes[i][0];
        options.height = sizes[i][1];
        options.text_percent = sizes[i][2];
        struct app *app = app_opened(&options, NULL);
        assert_false(shows(app, "Dark"));
        assert_true(click(app, "…"));
        assert_true(click(app, "Dark"));
        assert_true(app->preferences.dark);
        assert_true(click(app, "한국어"));
        assert_true(click(app, "EN"));
        assert_true(click(app, "×"));
        assert_false(shows(app, "Light"));
        assert_true(click(app, "…"));
        assert_true(click(app, "Glossary"));
        assert_true(app->lookup.open);
        press(app, KEY_ESCAPE, 0);
        assert_true(click(app, "…"));
        assert_true(click(app, "Present"));
        assert_true(app->preferences.presenting);
        app_free(app);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_has_one_action_and_repeats_only_where_that_helps),
        cmocka_unit_test(no_two_actions_share_a_key),
        cmocka_unit_test(tooltips_name_the_key_of_their_action),
        cmocka_unit_test(a_key_puts_the_tip_of_a_resting_mouse_away),
        cmocka_unit_test(a_click_in_the_list_of_keys_does_what_the_line_says),
        cmocka_unit_test(a_narrow_bar_keeps_a_way_to_its_switches),
        cmocka_unit_test(a_frame_in_which_nothing_is_asked_for_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
