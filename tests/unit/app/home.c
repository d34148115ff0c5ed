/* The first screen: lessons in chapters with their progress, what is the user's own, and everything by mouse and by
 * key. */
#include "screen/home.h"
#include "app/app.h"
#include "app/progress/progress.h"
#include "base/file.h"
#include "screen/computer_facts.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../app_helper.h"
#include "lesson/chapters.h"

static char home[] = "/tmp/lanescope-home-XXXXXX";
static int looks;

static void see_computer(struct computer_facts *facts, const atomic_bool *cancel)
{
    (void)cancel;
    looks++;
    snprintf(facts->gpu, sizeof facts->gpu, "Great GPU");
}

static struct app *open_home(struct progress *progress)
{
    return app_opened(&(struct app_options){.on = EXECUTOR_EMULATOR,
                                            .language = "en",
                                            .theme = "light",
                                            .width = 1920,
                                            .height = 1080,
                                            .scale = 1,
                                            .computer = see_computer,
                                            .progress = progress},
                      NULL);
}

static bool find(struct app *app, const char *words, struct point *at)
{
    app_frame(app, 1e6);
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strstr(list->items[i].text, words)) {
            *at = (struct point){list->items[i].at.x + 3, list->items[i].at.y - 3};
            return true;
        }
    return false;
}

static void click(struct app *app, const char *words)
{
    struct point at = {0};
    if (!find(app, words, &at))
        fail_msg("\"%s\" is not on screen", words);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = at.x, .y = at.y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
    app_frame(app, 1e6);
    app_frame(app, 1e6);
}

static void every_lesson_has_a_chapter(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct chapter *chapters;
    const char **names;
    struct error *errors, error;
    size_t error_count;
    size_t const count = chapters_load(&arena, &chapters, &error);
    assert_true(count >= 3);
    size_t const lessons = lesson_names_installed(&arena, &names, &errors, &error_count);
    for (size_t i = 0, before = 0; i < lessons; i++) {
        size_t const chapter = chapter_of(chapters, count, names[i]);
        if (chapter == count)
            fail_msg("assets/chapters.yaml does not name %s", names[i]);
        assert_true(chapter >= before); /* the path and the order of lesson.yaml agree */
        before = chapter;
    }
    arena_free(&arena);
}

static void chapters_lessons_and_the_machine_are_shown(void **state)
{
    (void)state;
    struct app *app = open_home(NULL);
    assert_true(shows(app, "Threads and memory") && shows(app, "Shared memory") && shows(app, "The barrier"));
    assert_true(shows(app, "Begin: ") && shows(app, "12 steps · 16 min"));
    assert_true(shows(app, "This machine: Great GPU · no compiler"));
    assert_int_equal(looks, 1);
    app_free(app);
}

static void home_shows_progress_and_goes_on(void **state)
{
    (void)state;
    struct progress *progress = progress_open();
    struct app *app = open_home(progress);
    click(app, "Bank");
    press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_PAGE_DOWN, 0);
    app_free(app);
    progress_close(progress);
    progress = progress_open();
    app = open_home(progress);
    assert_true(shows(app, "Go on: Bank conflicts, step 3 of 12"));
    assert_true(shows(app, "step 3 of 12"));
    press(app, KEY_ENTER, 0); /* the lesson to go on with is the chosen one */
    app_frame(app, 1e6);
    assert_non_null(strstr(app_state_line(app), "lanescope banks"));
    assert_non_null(strstr(app_state_line(app), "--beat 3 "));
    for (int i = 0; i < 12; i++)
        press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_ESCAPE, 0);
    app_free(app);
    progress_close(progress);
    progress = progress_open();
    app = open_home(progress);
    assert_false(shows(app, "✓ all 12 steps")); /* it was only paged through */
    assert_true(shows(app, "7 questions open"));
    assert_true(shows(app, "Begin: Transpose")); /* the lesson after the finished one */
    press(app, KEY_ENTER, 0);
    app_frame(app, 1e6);
    assert_non_null(strstr(app_state_line(app), "lanescope transpose"));
    app_free(app);
    progress_close(progress);
}

static void samples_show_their_mistake_at_once(void **state)
{
    (void)state;
    struct app *app = open_home(NULL);
    click(app, "A race");
    assert_true(shows(app, "Read after write"));
    assert_true(shows(app, "tile[1]")); /* the place that both lanes access */
    press(app, KEY_ESCAPE, 0);
    click(app, "An uncoalesced copy");
    assert_true(shows(app, "32 sectors"));
    assert_non_null(strstr(app_state_line(app), "--access 1 "));
    press(app, KEY_ESCAPE, 0);
    click(app, "A bank conflict");
    assert_true(shows(app, "32 passes"));
    char *at_sample = strdup(app_state_line(app));
    press(app, KEY_RIGHT, 0);
    press(app, KEY_LEFT, MODIFIER_CONTROL); /* to the conflict before: the first one */
    app_frame(app, 1e6);
    assert_string_equal(app_state_line(app), at_sample);
    free(at_sample);
    app_free(app);
}

static void the_arrows_reach_everything(void **state)
{
    (void)state;
    static const char *const samples[] = {"race.cu", "copy.cu", "conflict.cu"};
    struct app *app = open_home(NULL);
    for (int i = 2; i >= 0; i--) {
        for (int k = 0; k < 3 - i; k++)
            press(app, KEY_LEFT, 0);
        press(app, KEY_ENTER, 0);
        app_frame(app, 1e6);
        app_frame(app, 1e6);
        if (!strstr(app_state_line(app), samples[i]))
            fail_msg("%s is not opened: %s", samples[i], app_state_line(app));
        app_free(app);
        app = open_home(NULL);
    }
    app_free(app);
}

static void a_folder_is_listed_where_no_chooser_is(void **state)
{
    (void)state;
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir("faults/.."), 0);
    struct app *app = open_home(NULL);
    click(app, "Open a file");
    assert_true(shows(app, "‹ the folder above") && shows(app, "faults /"));
    click(app, "faults /");
    press(app, KEY_LEFT, 0);
    press(app, KEY_ENTER, 0); /* the folder above */
    assert_true(shows(app, "faults /"));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "Begin: "));
    press(app, KEY_O, MODIFIER_CONTROL);
    click(app, "faults /");
    click(app, "assertion.cu");
    assert_non_null(strstr(app_state_line(app), "assertion.cu"));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "Begin: "));
    app_free(app);
}

/* Types a path: a key for each character. */
static void type(struct app *app, const char *path)
{
    for (; *path; path++)
        press(app,
              *path == '/'                   ? KEY_SLASH
              : *path == '.'                 ? KEY_PERIOD
              : *path == '_' || *path == '-' ? KEY_MINUS
                                             : KEY_A + (*path - 'a'),
              *path == '_' ? MODIFIER_SHIFT : 0);
}

static void a_path_is_typed_into_the_list_of_a_folder(void **state)
{
    (void)state;
    struct app *app = open_home(NULL);
    char *before = strdup(app_state_line(app));
    press(app, KEY_O, MODIFIER_CONTROL);
    type(app, "faults/"); /* T, L and S have meanings of their own on other screens */
    assert_true(shows(app, "assertion.cu"));
    type(app, "bounds_read_n");
    assert_true(shows(app, "/faults/bounds_read_n_"));
    press(app, KEY_BACKSPACE, 0);
    type(app, "tl"); /* no entry: the list stays, and says so */
    assert_true(shows(app, "no entry begins with"));
    press(app, KEY_ESCAPE, 0); /* forgets what was typed, and a second one leaves */
    assert_true(shows(app, "assertion.cu"));
    type(app, "zzz/");
    assert_true(shows(app, "no folder begins with"));
    press(app, KEY_ESCAPE, 0);
    press(app, KEY_BACKSPACE, 0); /* the folder above */
    assert_true(shows(app, "faults /"));
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "Begin: "));
    char *after = strdup(app_state_line(app));
    assert_string_equal(before, after); /* no theme, no language, no help has changed */
    press(app, KEY_O, MODIFIER_CONTROL);
    type(app, "faults/assertion.cu");
    press(app, KEY_ENTER, 0);
    assert_non_null(strstr(app_state_line(app), "assertion.cu"));
    free(before);
    free(after);
    app_free(app);
}

/* In a small window, and in a large text, where the lessons need more than one page. */
static void a_file_can_be_opened_from_the_first_page_of_every_window(void **state)
{
    (void)state;
    static const int sizes[][3] = {
        {1024, 600, 100}, {1366, 768, 100}, {1366, 768, 180}, {700, 900, 100}, {1024, 600, 200}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int korean = 0; korean < 2; korean++) {
            struct app *app = app_opened(&(struct app_options){.on = EXECUTOR_EMULATOR,
                                                               .language = korean ? "ko" : "en",
                                                               .theme = "light",
                                                               .width = sizes[i][0],
                                                               .height = sizes[i][1],
                                                               .text_percent = sizes[i][2],
                                                               .scale = 1},
                                         NULL);
            click(app, korean ? "파일 열기" : "Open a file");
            if (!shows(app, korean ? "‹ 상위 폴더" : "‹ the folder above"))
                fail_msg("the button opens no list of files in %dx%d at %d %%", sizes[i][0], sizes[i][1], sizes[i][2]);
            app_free(app);
        }
}

static void files_opened_last_open_again(void **state)
{
    (void)state;
    struct progress *progress = progress_open();
    struct app *app = open_home(progress);
    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = "faults/race_neighbour.cu"});
    press(app, KEY_ESCAPE, 0);
    assert_true(shows(app, "Opened recently"));
    click(app, "race_neighbour.cu");
    assert_non_null(strstr(app_state_line(app), "race_neighbour.cu"));
    app_free(app);
    progress_close(progress);
}

int main(void)
{
    if (!mkdtemp(home))
        return 1;
    setenv("XDG_STATE_HOME", home, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lesson_has_a_chapter),
        cmocka_unit_test(chapters_lessons_and_the_machine_are_shown),
        cmocka_unit_test(home_shows_progress_and_goes_on),
        cmocka_unit_test(samples_show_their_mistake_at_once),
        cmocka_unit_test(the_arrows_reach_everything),
        cmocka_unit_test(a_folder_is_listed_where_no_chooser_is),
        cmocka_unit_test(a_path_is_typed_into_the_list_of_a_folder),
        cmocka_unit_test(a_file_can_be_opened_from_the_first_page_of_every_window),
        cmocka_unit_test(files_opened_last_open_again),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const files[] = {"/lanescope/progress.json", "/lanescope/progress.json.lock", "/lanescope", ""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", home, files[i]);
        remove(path);
    }
    return failed;
}
