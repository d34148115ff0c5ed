/* What the window remembers: lessons open where they were left, two windows keep each other's progress, and whatever
 * the file holds, the window opens. The real home is never touched. */
#include "app/progress/progress.h"
#include "app/app.h"
#include "base/file.h"
#include "ui/keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../app_helper.h"

static char home[] = "/tmp/lanescope-progress-XXXXXX";
static struct arena arena;

static const char *kept_path(void)
{
    return arena_format(&arena, "%s/progress.json", folder_state());
}

static const char *kept(void)
{
    char *bytes = "";
    struct error error;
    return file_read(&arena, kept_path(), &bytes, NULL, &error) ? bytes : "";
}

static void keep(const char *bytes, size_t size)
{
    struct error error;
    assert_true(file_write(kept_path(), bytes, size, &error));
}

static int begin_empty(void **state)
{
    (void)state;
    char **names;
    setenv("XDG_STATE_HOME", home, 1);
    size_t const count = folder_list(&arena, folder_state(), &names);
    for (size_t i = 0; i < count; i++)
        unlink(arena_format(&arena, "%s/%s", folder_state(), names[i]));
    return 0;
}

/* A window: the app with its kept state. */
struct window {
    struct progress *progress;
    struct app *app;
};

static struct window open_window(struct app_options options)
{
    struct window window = {.progress = progress_open()};
    options.progress = window.progress;
    window.app = app_opened(&options, NULL);
    return window;
}

static struct window open_lesson(const char *lesson)
{
    struct app_options options = app_options_of(lesson, 0);
    options.language = options.theme = NULL;
    return open_window(options);
}

static void close_window(struct window *window)
{
    app_free(window->app);
    progress_close(window->progress);
}

static bool state_has(struct window *window, const char *words)
{
    app_frame(window->app, 1e6);
    return strstr(app_state_line(window->app), words) != NULL;
}

static void a_lesson_opens_where_it_was_left(void **state)
{
    (void)state;
    struct window window = open_lesson("banks");
    assert_true(state_has(&window, "--beat 1 "));
    assert_false(shows(window.app, "From the beginning"));
    press(window.app, KEY_PAGE_DOWN, 0);
    press(window.app, KEY_1 + 1, 0);
    press(window.app, KEY_ENTER, 0);
    press(window.app, KEY_RIGHT_BRACKET, 0);
    press(window.app, KEY_RIGHT_BRACKET, 0);
    app_frame(window.app, 1e6);
    const char *left = arena_text(&arena, app_state_line(window.app));
    close_window(&window);

    window = open_lesson("banks");
    app_frame(window.app, 1e6);
    assert_string_equal(app_state_line(window.app), left);
    assert_true(shows(window.app, "step 2 of"));
    assert_true(shows(window.app, "From the beginning"));
    press(window.app, KEY_R, MODIFIER_SHIFT);
    assert_true(state_has(&window, "--beat 1 "));
    press(window.app, KEY_PAGE_DOWN, 0);
    assert_false(state_has(&window, "--answered"));
    close_window(&window);
    window = open_lesson("banks");
    assert_true(state_has(&window, "--beat 2 "));
    assert_false(state_has(&window, "--answered"));
    close_window(&window);
}

/* Drops a file on the window. */
static void drop(struct app *app, const char *path)
{
    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = path});
}

static void progress_of_another_computer_is_taken_over(void **state)
{
    (void)state;
    struct error error;
    const char *elsewhere = arena_format(&arena, "%s/from-a-browser.json", home);
    struct window window = open_lesson("banks");
    press(window.app, KEY_PAGE_DOWN, 0);
    app_frame(window.app, 1e6);
    close_window(&window);
    const char *browser = kept();
    assert_true(file_write(elsewhere, browser, strlen(browser), &error));
    begin_empty(NULL);

    window = open_lesson("coalescing");
    drop(window.app, elsewhere);
    assert_true(shows(window.app, "1 lesson taken over from from-a-browser.json"));
    drop(window.app, elsewhere);
    assert_true(shows(window.app, "0 lessons taken over from from-a-browser.json"));
    close_window(&window);
    assert_non_null(strstr(kept(), "\"coalescing\""));
    unlink(elsewhere);
    window = open_lesson("banks");
    assert_true(state_has(&window, "--beat 2 "));
    close_window(&window);
}

static void what_is_no_progress_is_named_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "[1]",
                                        "{\"version\": 1}",
                                        "{\"version\": 2, \"lessons\": {\"banks\": {}}}",
                                        "{{",
                                        "{\"version\": 1, \"lessons\": [3]}"};
    struct error error;
    const char *path = arena_format(&arena, "%s/other.json", home);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(file_write(path, texts[i], strlen(texts[i]), &error));
        struct window window = open_lesson("banks");
        drop(window.app, path);
        assert_true(shows(window.app, "other.json: is no kept progress of Lanescope"));
        assert_true(state_has(&window, "banks "));
        close_window(&window);
    }
    struct app_options const options = app_options_of("banks", 0);
    struct app *app = app_opened(&options, NULL);
    drop(app, path);
    assert_true(shows(app, "no progress is kept here"));
    app_free(app);
    unlink(path);
}

/* The command line names no executor. */
static struct window open_lesson_anywhere(const char *lesson)
{
    struct app_options options = app_options_of(lesson, 0);
    options.on = EXECUTOR_BEST;
    return open_window(options);
}

static void the_access_and_the_executor_are_kept(void **state)
{
    (void)state;
    struct window window = open_lesson_anywhere("banks");
    press(window.app, KEY_E, 0);
    press(window.app, KEY_RIGHT, 0);
    press(window.app, KEY_RIGHT, 0);
    app_frame(window.app, 1e6);
    const char *left = arena_text(&arena, app_state_line(window.app));
    assert_non_null(strstr(left, " --on "));
    assert_null(strstr(left, "--access 1 "));
    close_window(&window);
    window = open_lesson_anywhere("banks");
    app_frame(window.app, 1e6);
    assert_string_equal(app_state_line(window.app), left);
    press(window.app, KEY_PAGE_DOWN, 0); /* a question: its run is covered */
    press(window.app, KEY_RIGHT, 0);
    app_frame(window.app, 1e6);
    close_window(&window);
    assert_null(strstr(kept(), "\"access\""));
}

static void a_kept_access_or_executor_that_is_not_there_counts_as_none(void **state)
{
    (void)state;
    static const char *const places[] = {
        "\"block\":0,\"access\":2000000000",
        "\"block\":-1,\"access\":1",
        "\"block\":99999999,\"access\":2",
        "\"access\":3",
        "\"executor\":\"gpu\"",
        "\"executor\":\"none\"",
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        begin_empty(NULL);
        const char *text = arena_format(&arena,
                                        "{\"version\":1,\"lessons\":{\"banks\":{\"at\":{\"step\":\"banks\","
                                        "\"number\":1,%s}}}}",
                                        places[i]);
        keep(text, strlen(text));
        struct window window = open_lesson_anywhere("banks");
        assert_true(state_has(&window, "--beat 1 --access "));
        struct error error;
        assert_false(app_failed(window.app, &error));
        close_window(&window);
    }
}

static void r_takes_an_answer_out_of_the_file(void **state)
{
    (void)state;
    struct window window = open_lesson("banks");
    press(window.app, KEY_PAGE_DOWN, 0);
    press(window.app, KEY_1, 0);
    press(window.app, KEY_ENTER, 0);
    close_window(&window);
    assert_non_null(strstr(kept(), "\"answered\""));
    window = open_lesson("banks");
    press(window.app, KEY_R, 0);
    close_window(&window);
    assert_null(strstr(kept(), "\"answered\""));
}

static void the_command_line_wins_and_is_not_kept(void **state)
{
    (void)state;
    struct window window = open_lesson("banks");
    press(window.app, KEY_T, 0);
    press(window.app, KEY_L, 0);
    press(window.app, KEY_EQUALS, MODIFIER_CONTROL);
    press(window.app, KEY_PAGE_DOWN, 0);
    close_window(&window);
    window = open_lesson("banks");
    assert_true(state_has(&window, "--theme dark") && state_has(&window, "--lang ko"));
    close_window(&window);

    struct app_options options = app_options_of("banks", 4);
    window = open_window(options);
    assert_true(state_has(&window, "--beat 4 ") && state_has(&window, "--lang en --theme light"));
    close_window(&window);
    window = open_lesson("banks");
    assert_true(state_has(&window, "--beat 2 ") && state_has(&window, "--lang ko --theme dark"));
    close_window(&window);
}

static void a_kept_language_holds_while_the_environment_is_the_same(void **state)
{
    (void)state;
    setenv("LC_ALL", "en_US.UTF-8", 1);
    struct window window = open_lesson(NULL);
    press(window.app, KEY_L, 0);
    close_window(&window);
    window = open_lesson("banks");
    assert_true(state_has(&window, "--lang ko"));
    press(window.app, KEY_L, 0);
    close_window(&window);
    setenv("LC_ALL", "ko_KR.UTF-8", 1);
    window = open_lesson("banks");
    assert_true(state_has(&window, "--lang ko"));
    close_window(&window);
    setenv("LC_ALL", "C", 1);
}

static void two_windows_keep_each_others_progress(void **state)
{
    (void)state;
    struct window first = open_lesson("banks"), second = open_lesson("warps"), third = open_lesson("banks");
    press(first.app, KEY_PAGE_DOWN, 0);
    press(first.app, KEY_1, 0);
    press(first.app, KEY_ENTER, 0);
    press(second.app, KEY_PAGE_DOWN, 0);
    press(second.app, KEY_PAGE_DOWN, 0);
    press(third.app, KEY_T, 0);
    close_window(&first);
    close_window(&second);
    close_window(&third);
    struct window window = open_lesson("banks");
    assert_true(state_has(&window, "--beat 2 ") && state_has(&window, "--answered"));
    assert_true(state_has(&window, "--theme dark"));
    close_window(&window);
    window = open_lesson("warps");
    assert_true(state_has(&window, "--beat 3 "));
    close_window(&window);
}

static void a_damaged_file_is_set_aside(void **state)
{
    (void)state;
    static const char *const damaged[] = {"", "{\"version\": 1, \"lessons\": {", "[]", "{}", "\xff\xfe\x00", "null"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        keep(damaged[i], strlen(damaged[i]));
        struct window window = open_lesson("banks");
        assert_true(shows(window.app, "was damaged"));
        press(window.app, KEY_PAGE_DOWN, 0);
        assert_false(shows(window.app, "was damaged"));
        close_window(&window);
        assert_true(file_exists(arena_format(&arena, "%s.damaged-%zu", kept_path(), i + 1)));
        window = open_lesson("banks");
        assert_true(state_has(&window, "--beat 2 "));
        close_window(&window);
    }
    char *large = calloc(1, 3 << 20);
    memset(large, ' ', 3 << 20);
    keep(large, 3 << 20);
    free(large);
    struct window window = open_lesson(NULL);
    assert_true(shows(window.app, "was damaged"));
    close_window(&window);
}

static void hostile_content_does_no_harm(void **state)
{
    (void)state;
    static const char *const files[] = {
        "{\"version\":1,\"preferences\":7,\"window\":[],\"lessons\":[1],\"recent\":{\"a\":1},\"last\":5}",
        "{\"version\":1,\"preferences\":{\"theme\":\"\\u001b[31m\",\"text\":1e9,\"language\":\"xx\",\"environment\":"
        "\"en\",\"speed\":-4,\"motion\":3}}",
        "{\"version\":1,\"window\":{\"width\":-1,\"height\":99999999999,\"x\":\"a\"},\"last\":\"../../etc/passwd\"}",
        "{\"version\":1,\"recent\":[\"\\u001b]0;x\\u0007\",\"/\\u202egnp.exe\",5,\"relative\",[[[[]]]]]}",
        "{\"version\":1,\"lessons\":{\"banks\":{\"at\":{\"step\":\"no such step\",\"number\":-7,\"setting\":{"
        "\"variant\":4,\"knobs\":{\"stride\":1e300,\"pad\":\"x\"}}},\"answers\":{\"x\":{\"state\":\"answered\"}}}}}",
        "{\"version\":1,\"lessons\":{\"banks\":{\"at\":{\"step\":\"eight\",\"number\":1000000,\"setting\":{"
        "\"variant\":\"none\",\"knobs\":{\"stride\":-1}}},\"answers\":{\"eight\":{\"state\":\"answered\","
        "\"choice\":99999,\"line\":-3,\"cells\":[[-1,5],[4096,1],[3,999],7],\"counts\":[-1,1e99],\"setting\":[]}}}}}",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        begin_empty(NULL);
        keep(files[i], strlen(files[i]));
        struct window window = open_lesson(i % 2 && i < 4 ? NULL : "banks");
        app_frame(window.app, 1e6);
        press(window.app, KEY_PAGE_DOWN, 0);
        press(window.app, KEY_T, 0);
        assert_false(shows(window.app, "\033") || shows(window.app, ".exe"));
        close_window(&window);
        assert_null(strchr(kept(), '\033'));
    }
    char *deep = malloc(1 << 18);
    size_t length = (size_t)sprintf(deep, "{\"version\":1,\"lessons\":");
    memset(deep + length, '[', 1500);
    memset(deep + length + 1500, ']', 1500);
    strcpy(deep + length + 3000, "}");
    keep(deep, strlen(deep));
    free(deep);
    struct window window = open_lesson(NULL);
    close_window(&window);
}

static void a_newer_file_is_left_alone(void **state)
{
    (void)state;
    static const char newer[] = "{\"version\": 99, \"lessons\": 5}";
    keep(newer, strlen(newer));
    struct window window = open_lesson("banks");
    assert_true(shows(window.app, "version 99"));
    press(window.app, KEY_PAGE_DOWN, 0);
    press(window.app, KEY_T, 0);
    close_window(&window);
    assert_string_equal(kept(), newer);
}

static void a_missing_or_barred_home_is_said_once(void **state)
{
    (void)state;
    setenv("XDG_STATE_HOME", "/proc/nothing/here", 1);
    struct window window = open_lesson("banks");
    press(window.app, KEY_T, 0);
    usleep(1100000); /* what has changed is saved a second later */
    app_frame(window.app, 1e6);
    assert_true(shows(window.app, "progress is not kept"));
    press(window.app, KEY_T, 0);
    usleep(1100000);
    app_frame(window.app, 1e6);
    assert_false(shows(window.app, "progress is not kept"));
    close_window(&window);
    const char *real = arena_text(&arena, getenv("HOME") ? getenv("HOME") : "");
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    window = open_lesson("banks");
    assert_true(shows(window.app, "there is no home folder"));
    close_window(&window);
    setenv("HOME", real, 1);
}

static void the_file_stays_small(void **state)
{
    (void)state;
    char *text = arena_format(&arena, "{\"version\":1,\"lessons\":{\"banks\":{\"used\":9}"), *more = text;
    for (int i = 0; i < 1000; i++)
        more =
            arena_format(&arena, "%s,\"/a/%d\":{\"used\":%d,\"step\":\"x\"}", i % 100 ? more : (text = more), i, i % 7);
    more = arena_format(&arena, "%s}}", more);
    keep(more, strlen(more));
    struct window window = open_lesson("warps");
    close_window(&window);
    size_t lessons = 0;
    for (const char *at = kept(); (at = strstr(at, "\"used\"")); at++)
        lessons++;
    assert_true(lessons <= 200);
    assert_non_null(strstr(kept(), "\"banks\""));
    assert_non_null(strstr(kept(), "\"warps\""));
}

static void files_opened_last_are_kept_in_their_order(void **state)
{
    (void)state;
    struct app_options options = {.language = "en", .width = 1280, .height = 720, .scale = 1};
    struct window window = open_window(options);
    const char *files[] = {"faults/race_neighbour.cu", "faults/race_neighbour.ptx", "faults/race_neighbour.cu"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        app_event(window.app, &(struct app_event){.kind = APP_DROP_FILE, .text = files[i]});
    close_window(&window);
    struct progress *progress = progress_open();
    assert_string_equal(path_name(progress_recent(progress, 0)), "race_neighbour.cu");
    assert_string_equal(path_name(progress_recent(progress, 1)), "race_neighbour.ptx");
    assert_null(progress_recent(progress, 2));
    progress_close(progress);
}

/* Opens a window with the address of a page for links, and expects what Ctrl + L says there. */
static void expect_link(const char *links, const char *said)
{
    struct app_options options = app_options_of("banks", 3);
    options.links = links;
    struct window window = open_window(options);
    press(window.app, KEY_L, MODIFIER_CONTROL);
    if (!shows(window.app, said))
        fail_msg("with %s, nothing says %s", links ? links : "no address", said);
    close_window(&window);
}

static void the_address_for_links_is_kept(void **state)
{
    (void)state;
    expect_link(NULL, "to copy links, set LANESCOPE_LINKS");
    expect_link("https://school.example/lanescope/", "https://school.example/lanescope/#banks/3");
    expect_link(NULL, "https://school.example/lanescope/#banks/3");
    expect_link("https://other.example/", "https://other.example/#banks/3");
    expect_link(NULL, "https://other.example/#banks/3");
    expect_link("", "to copy links, set LANESCOPE_LINKS");
    expect_link(NULL, "to copy links, set LANESCOPE_LINKS");
}

static void without_a_kept_state_nothing_is_written(void **state)
{
    (void)state;
    struct app *app = app_opened(&(struct app_options){.lesson = "banks", .width = 1280, .height = 720}, NULL);
    press(app, KEY_PAGE_DOWN, 0);
    app_frame(app, 1e6);
    app_free(app);
    char **names;
    assert_int_equal(folder_list(&arena, folder_state(), &names), 0);
}

int main(void)
{
    setenv("LC_ALL", "C", 1);
    if (!mkdtemp(home))
        return 1;
#define EMPTY(test) cmocka_unit_test_setup(test, begin_empty)
    const struct CMUnitTest tests[] = {
        EMPTY(a_lesson_opens_where_it_was_left),
        EMPTY(the_access_and_the_executor_are_kept),
        EMPTY(a_kept_access_or_executor_that_is_not_there_counts_as_none),
        EMPTY(progress_of_another_computer_is_taken_over),
        EMPTY(what_is_no_progress_is_named_and_changes_nothing),
        EMPTY(r_takes_an_answer_out_of_the_file),
        EMPTY(the_command_line_wins_and_is_not_kept),
        EMPTY(a_kept_language_holds_while_the_environment_is_the_same),
        EMPTY(two_windows_keep_each_others_progress),
        EMPTY(a_damaged_file_is_set_aside),
        EMPTY(hostile_content_does_no_harm),
        EMPTY(a_newer_file_is_left_alone),
        EMPTY(a_missing_or_barred_home_is_said_once),
        EMPTY(the_file_stays_small),
        EMPTY(the_address_for_links_is_kept),
        EMPTY(files_opened_last_are_kept_in_their_order),
        EMPTY(without_a_kept_state_nothing_is_written),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    begin_empty(NULL);
    rmdir(folder_state());
    rmdir(home);
    arena_free(&arena);
    return failed;
}
