/* Kinds of steps beyond the question: a bug to find, cells to mark, the last card. Played with keys and mouse on the
 * lesson tests/lessons/kinds. */
#include "app/app.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "app_helper.h"
#include "lesson_folder.h"

enum {
    STEP_GUESS = 1,
    STEP_BUG = 2,
    STEP_LANES = 3,
    STEP_SECTORS = 4,
    STEP_BANKS = 5,
    STEP_ROWS = 6,
    STEP_THREADS = 7,
    STEP_ELEMENTS = 8,
    STEP_VARIABLES = 9,
    STEP_LAST = 10
};

static struct app *open_step(int step)
{
    struct app_options const options = app_options_of("kinds", step);
    return app_opened(&options, NULL);
}

static void click(struct app *app, struct point at)
{
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = at.x, .y = at.y});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
}

/* Clicks on the text that contains the words. */
static void click_words(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT || !strstr(command->text, words))
            continue;
        click(app, (struct point){command->at.x + 3, command->at.y - command->size * 0.3f});
        return;
    }
    fail_msg("nothing shows \"%s\"", words);
}

static void a_bug_shows_its_symptom_and_hides_its_line(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_BUG);
    assert_true(shows(app, "FIND THE BUG"));
    assert_true(shows(app, "the checks report: race"));
    assert_false(shows(app, "__syncthreads")); /* the mended kernel is in the same file */
    assert_false(shows(app, "must stand between"));
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "choose a line first"));
    assert_true(shows(app, "FIND THE BUG"));
    app_free(app);
}

static void a_line_is_picked_with_keys(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_BUG);
    for (int i = 0; i < 6; i++)
        press(app, KEY_DOWN, 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "You picked line 18, and that is the one."));
    assert_true(shows(app, "must stand between"));
    assert_false(shows(app, "That line only"));
    assert_true(shows(app, "Race"));
    press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_PAGE_UP, 0);
    assert_true(shows(app, "YOU PICKED LINE 18"));
    app_free(app);
}

static int times_shown(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    int count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words);
    return count;
}

static void a_wrong_line_has_its_reply_and_the_mended_kernel_is_shown(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_BUG);
    click_words(app, "out[i] = value;");
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "the bug is in line 18"));
    assert_int_equal(times_shown(app, "That line only"), 1); /* of the guess, not below the wrong line */
    assert_int_equal(times_shown(app, "The other warp may"), 2);
    assert_null(strstr(app_state_line(app), "--variant right"));
    click_words(app, "See the fixed kernel");
    assert_non_null(strstr(app_state_line(app), "--variant right"));
    press(app, KEY_TAB, 0);
    assert_non_null(strstr(app_state_line(app), "--variant early"));
    app_free(app);
}

static void a_clicker_sees_the_bug_then_the_mended_kernel_then_goes_on(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_BUG);
    press(app, KEY_F5, 0);
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "The fixed kernel ›"));
    assert_false(shows(app, "See the fixed kernel")); /* one button is enough, and the picture needs the room */
    press(app, KEY_PAGE_DOWN, 0);
    assert_non_null(strstr(app_state_line(app), "--variant right --set shift=0 --set stride=1 --beat 2"));
    press(app, KEY_PAGE_DOWN, 0);
    assert_non_null(strstr(app_state_line(app), "--variant right --set shift=0 --set stride=1 --beat 3"));
    app_free(app);
}

/* Presses a key for each letter: > < v ^ the arrows, a blank Space, - Backspace. */
static void keys(struct app *app, const char *letters)
{
    static const int of[256] = {['>'] = KEY_RIGHT, ['<'] = KEY_LEFT,  ['v'] = KEY_DOWN,
                                ['^'] = KEY_UP,    [' '] = KEY_SPACE, ['-'] = KEY_BACKSPACE};
    for (; *letters; letters++)
        press(app, of[(unsigned char)*letters], 0);
}

static void marked_sectors_are_answered_one_by_one(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_SECTORS);
    assert_true(shows(app, "PLAY THE MACHINE"));
    assert_false(shows(app, "5 sectors"));
    assert_true(shows(app, "in[64]")); /* a chunk that the access leaves alone */
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "mark the cells first"));
    press(app, KEY_END, 0); /* the access that is asked about stays on screen */
    assert_true(shows(app, "mark the cells of this access first"));
    assert_non_null(strstr(app_state_line(app), "--access 1 "));
    keys(app, "> > v "); /* sectors 0 and 1, and 1 of the next chunk */
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "2 right, 3 missing, 1 too many."));
    assert_true(shows(app, "missing"));
    assert_true(shows(app, "too many"));
    assert_true(shows(app, "5 sectors"));
    press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_PAGE_UP, 0);
    assert_true(shows(app, "2 right, 3 missing, 1 too many.")); /* the marks are kept */
    press(app, KEY_R, 0);
    assert_true(shows(app, "PLAY THE MACHINE"));
    assert_false(shows(app, "missing"));
    app_free(app);
}

static void right_marks_have_no_reply_for_wrong_ones(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_SECTORS);
    keys(app, "> > > > > ");
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "5 right, 0 missing, 0 too many."));
    assert_false(shows(app, "Begin with the sector"));
    app_free(app);
}

/* Sets the places of lanes 0 and 19. */
static void lanes_to_drag(struct app *app, struct point *first, struct point *last)
{
    const struct draw_list *list = app_frame(app, 1e6);
    *first = *last = (struct point){0};
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, "0") == 0 && first->x <= 0 &&
            list->items[i].at.x < 1300)
            *first = list->items[i].at;
        else if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, "19") == 0 && last->x <= 0 &&
                 list->items[i].at.x < 1300)
            *last = list->items[i].at;
    assert_true(last->x > first->x);
    first->x += 3;
    last->x += 3;
    first->y -= 4;
    last->y -= 4;
}

static void mouse(struct app *app, enum app_event_kind kind, struct point at)
{
    app_event(app, &(struct app_event){.kind = kind, .x = at.x, .y = at.y});
}

static void a_click_toggles_a_lane_and_a_drag_paints(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_LANES);
    struct point first, last;
    lanes_to_drag(app, &first, &last);
    mouse(app, APP_MOUSE_MOVE, first);
    mouse(app, APP_MOUSE_DOWN, first);
    app_frame(app, 0.01);
    for (int i = 1; i <= 200; i++) {
        mouse(app, APP_MOUSE_MOVE, (struct point){first.x + (last.x - first.x) * (float)i / 200, first.y});
        app_frame(app, 0.01);
    }
    mouse(app, APP_MOUSE_UP, last);
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "20 right, 0 missing, 0 too many."));
    app_free(app);
}

/* The mouse moves on before a frame is drawn at the cell where it was pressed, and jumps from there. */
static void a_quick_drag_marks_every_cell_on_its_way(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_LANES);
    struct point first, last;
    lanes_to_drag(app, &first, &last);
    struct point const near = {first.x + (last.x - first.x) * 3 / 19, first.y};
    mouse(app, APP_MOUSE_DOWN, first);
    mouse(app, APP_MOUSE_MOVE, near);
    app_frame(app, 0.01);
    mouse(app, APP_MOUSE_MOVE, last);
    app_frame(app, 0.01);
    mouse(app, APP_MOUSE_UP, last);
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "20 right, 0 missing, 0 too many."));
    app_free(app);
}

static void space_without_a_cell_says_what_to_do(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_LANES);
    press(app, KEY_SPACE, 0);
    assert_true(shows(app, "choose a cell first"));
    press(app, KEY_RIGHT, 0);
    press(app, KEY_SPACE, 0);
    assert_false(shows(app, "choose a cell first"));
    app_free(app);
}

static void words_are_stacked_on_banks(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_BANKS);
    keys(app, ">   -> "); /* three words on bank 0, one away; one on bank 1 */
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "2 right, 18 missing, 1 too many."));
    assert_true(shows(app, "3 passes"));
    app_free(app);
}

static void the_right_button_takes_a_word_away(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_BANKS);
    keys(app, ">   ");
    struct point at = {0};
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) /* the number of the bank stands below its column */
        if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, "0") == 0)
            at = list->items[i].at;
    at.y -= 60;
    app_event(app, &(struct app_event){.kind = APP_MOUSE_SECOND, .x = at.x + 2, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "2 right, 18 missing, 0 too many."));
    app_free(app);
}

static void rows_of_dram_are_marked(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_ROWS);
    assert_true(shows(app, "row 0"));
    keys(app, "> v ");
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "1 right, 0 missing, 1 too many."));
    app_free(app);
}

static void rows_of_dram_are_marked_in_any_window(void **state)
{
    (void)state;
    static const struct {
        int width, height, key;
    } windows[] = {{1024, 600, 0}, {1280, 720, 0}, {1280, 720, KEY_F5}, {1920, 1080, KEY_F5}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        struct app *app = open_step(STEP_ROWS);
        app_event(app, &(struct app_event){
                           .kind = APP_RESIZE, .width = windows[i].width, .height = windows[i].height, .scale = 1});
        if (windows[i].key)
            press(app, windows[i].key, 0);
        assert_true(shows(app, "row 0") && shows(app, "bank 3"));
        app_free(app);
    }
}

static void threads_of_the_block_are_marked(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_THREADS);
    keys(app, "> > > > > ");
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "5 right, 15 missing, 0 too many."));
    app_free(app);
}

static void elements_of_a_matrix_are_marked(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_ELEMENTS);
    keys(app, "> >>>> > v "); /* elements 0, 4, 5 and 21 */
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "3 right, 29 missing, 1 too many."));
    app_free(app);
}

static void digits_put_variables_into_their_places(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_VARIABLES);
    assert_true(shows(app, "2  Shared memory"));
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "place a variable first"));
    for (const char *places = "66666442113"; *places; places++) /* `value` is in no local memory */
        press(app, KEY_1 + (*places - '1'), 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "10 right, 1 in a wrong place, 0 not placed."));
    assert_true(shows(app, "value: your place: Local memory. The compiler's place: Registers."));
    assert_true(shows(app, "A variable of one "));
    app_free(app);
}

/* Returns the place of a text that is these words. */
static struct point place_of(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, words) == 0 && list->items[i].at.x < 1300)
            return (struct point){list->items[i].at.x + 2, list->items[i].at.y - 4};
    fail_msg("nothing says \"%s\"", words);
    return (struct point){0, 0};
}

static void a_variable_is_dragged_to_its_place_or_clicked_there(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_VARIABLES);
    struct point const tile = place_of(app, "tile"), shared = place_of(app, "2  Shared memory");
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = tile.x, .y = tile.y});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = tile.x, .y = tile.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = shared.x, .y = shared.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = shared.x, .y = shared.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
    assert_true(place_of(app, "tile").y > shared.y);
    click(app, place_of(app, "value"));
    click(app, place_of(app, "1  Registers"));
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "2 right, 0 in a wrong place, 9 not placed."));
    app_free(app);
}

static void a_skipped_mark_shows_the_run(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_SECTORS);
    click_words(app, "Skip");
    assert_true(shows(app, "5 sectors"));
    assert_false(shows(app, "in[64]"));
    app_free(app);
}

static void the_last_card_keeps_the_guesses_and_leads_on(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_GUESS);
    press(app, KEY_1 + 1, 0);
    press(app, KEY_ENTER, 0);
    press(app, KEY_PAGE_DOWN, 0);
    click_words(app, "out[i] = value;");
    press(app, KEY_ENTER, 0);
    press(app, KEY_PAGE_DOWN, 0);
    keys(app, "> ");
    press(app, KEY_ENTER, 0); /* one lane of twenty */
    for (int step = STEP_LANES; step < STEP_LAST; step++)
        press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "REMEMBER"));
    assert_true(shows(app, "128 bytes in"));
    assert_true(shows(app, "1: ✓ right"));
    assert_true(shows(app, "2: × wrong"));
    assert_true(shows(app, "3: × wrong"));
    assert_true(shows(app, "4: – open"));
    assert_true(shows(app, "Your guesses: 1 right at first, 2 wrong, 6 open"));
    click_words(app, "Try: shift 1");
    assert_non_null(strstr(app_state_line(app), "shift=1"));
    assert_true(shows(app, "Try: stride 2"));
    click_words(app, "1: ✓ right");
    assert_true(shows(app, "YOU GUESSED 4"));
    press(app, KEY_END, 0);
    for (int step = STEP_GUESS; step < STEP_LAST; step++)
        press(app, KEY_PAGE_DOWN, 0);
    click_words(app, "All lessons"); /* a lesson of one's own stands behind the others */
    app_frame(app, 1e6);
    assert_string_equal(app_state_line(app), "lanescope");
    app_free(app);
}

static void the_last_card_counts_what_was_no_guess_apart(void **state)
{
    (void)state;
    struct app *app = open_step(STEP_GUESS);
    press(app, KEY_1, 0);
    press(app, KEY_ENTER, 0); /* wrong */
    press(app, KEY_R, 0);
    press(app, KEY_1 + 1, 0);
    press(app, KEY_ENTER, 0); /* and right, when the run was seen */
    press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_F11, 0);
    click_words(app, "The class voted"); /* in its own run */
    press(app, KEY_F11, 0);
    press(app, KEY_PAGE_DOWN, 0);
    click_words(app, "Skip");
    for (int step = STEP_LANES; step < STEP_LAST; step++)
        press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "Your guesses: 0 right at first, 1 right later, 1 voted or"));
    assert_true(shows(app, "skipped, 7 open"));
    assert_true(shows(app, "1: ✓ right later"));
    assert_true(shows(app, "2: – open"));
    assert_true(shows(app, "3: – skipped"));
    app_free(app);
}

static void page_down_opens_the_next_lesson_when_presenting(void **state)
{
    (void)state;
    struct app_options options = app_options_of("warps", 10);
    struct app *app = app_opened(&options, NULL);
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "this was the last step"));
    press(app, KEY_F5, 0);
    assert_true(shows(app, "Next lesson: Coalescing"));
    press(app, KEY_PAGE_DOWN, 0);
    assert_non_null(strstr(app_state_line(app), "lanescope coalescing"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bug_shows_its_symptom_and_hides_its_line),
        cmocka_unit_test(a_line_is_picked_with_keys),
        cmocka_unit_test(a_wrong_line_has_its_reply_and_the_mended_kernel_is_shown),
        cmocka_unit_test(a_clicker_sees_the_bug_then_the_mended_kernel_then_goes_on),
        cmocka_unit_test(marked_sectors_are_answered_one_by_one),
        cmocka_unit_test(right_marks_have_no_reply_for_wrong_ones),
        cmocka_unit_test(a_click_toggles_a_lane_and_a_drag_paints),
        cmocka_unit_test(a_quick_drag_marks_every_cell_on_its_way),
        cmocka_unit_test(space_without_a_cell_says_what_to_do),
        cmocka_unit_test(words_are_stacked_on_banks),
        cmocka_unit_test(the_right_button_takes_a_word_away),
        cmocka_unit_test(rows_of_dram_are_marked),
        cmocka_unit_test(rows_of_dram_are_marked_in_any_window),
        cmocka_unit_test(threads_of_the_block_are_marked),
        cmocka_unit_test(elements_of_a_matrix_are_marked),
        cmocka_unit_test(digits_put_variables_into_their_places),
        cmocka_unit_test(a_variable_is_dragged_to_its_place_or_clicked_there),
        cmocka_unit_test(a_skipped_mark_shows_the_run),
        cmocka_unit_test(the_last_card_keeps_the_guesses_and_leads_on),
        cmocka_unit_test(the_last_card_counts_what_was_no_guess_apart),
        cmocka_unit_test(page_down_opens_the_next_lesson_when_presenting),
    };
    return cmocka_run_group_tests(tests, lesson_folder_make, lesson_folder_remove);
}
