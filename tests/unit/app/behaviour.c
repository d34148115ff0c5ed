/* The window's behaviour, through its events and state line: stepping is exact in both directions, a question covers
 * the run, every turn of a knob counts, a failure keeps the picture, and a still picture requests no frames. */
#include "../fake_metrics.h"
#include "app/app.h"
#include "base/file.h"
#include "ui/keys.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_helper.h"

static char copied[1024];
static bool copy(void *context, const char *text)
{
    (void)context;
    snprintf(copied, sizeof copied, "%s", text);
    return true;
}

static struct app *open_with(const struct app_options *options)
{
    return app_opened(options, &(struct app_host){.copy_text = copy});
}

static struct app *open_lesson(const char *lesson, int beat)
{
    struct app_options const options = app_options_of(lesson, beat);
    return open_with(&options);
}

static void click(struct app *app, float x, float y)
{
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = y});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = x, .y = y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = x, .y = y});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_LEAVE});
}

static bool find_text(struct app *app, const char *words, struct point *middle)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++) {
        const struct draw_command *command = &list->items[i];
        if (command->kind != DRAW_TEXT || strcmp(command->text, words) != 0)
            continue;
        *middle = (struct point){command->at.x + command->extent / 2, command->at.y - command->size * 0.3f};
        return true;
    }
    return false;
}

static void a_step_back_is_the_picture_before(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 5);
    press(app, KEY_HOME, 0);
    char *pictures[40];
    for (int i = 0; i < 40; i++) {
        pictures[i] = picture(app);
        press(app, KEY_RIGHT, MODIFIER_SHIFT);
    }
    for (int i = 39; i >= 0; i--) {
        press(app, KEY_LEFT, MODIFIER_SHIFT);
        char *again = picture(app);
        assert_string_equal(again, pictures[i]);
        free(again);
        free(pictures[i]);
    }
    app_free(app);
}

static void nothing_moves_and_no_frame_is_wanted(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 1);
    app_frame(app, 1e6);
    assert_true(isinf(app_wait(app)));
    press(app, KEY_LEFT, 0);
    press(app, KEY_RIGHT, 0);
    app_frame(app, 0.01);
    assert_true(app_wait(app) == 0);
    double seconds = 0;
    while (!isinf(app_wait(app)) && seconds < 20) {
        app_frame(app, 1.0 / 60);
        seconds += 1.0 / 60;
    }
    assert_true(isinf(app_wait(app)));
    assert_true(seconds > 0.4 && seconds < 2);
    press(app, KEY_M, 0); /* reduced motion: no animation */
    press(app, KEY_LEFT, 0);
    press(app, KEY_RIGHT, 0);
    app_frame(app, 0.001);
    assert_true(isinf(app_wait(app)));
    app_free(app);
}

static void a_key_completes_an_animation(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 5);
    press(app, KEY_LEFT, 0);
    press(app, KEY_RIGHT, 0);
    app_frame(app, 0.05);
    assert_true(app_wait(app) == 0);
    press(app, KEY_RIGHT_BRACKET, MODIFIER_SHIFT);
    app_frame(app, 0.001);
    assert_true(isinf(app_wait(app)));
    app_free(app);
}

static void a_question_covers_the_run(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 2);
    assert_false(shows(app, "2 passes"));
    assert_false(shows(app, "pass 2"));
    press(app, KEY_ENTER, 0); /* no answer was chosen, so the run stays covered */
    assert_false(shows(app, "pass 2"));
    press(app, KEY_1, 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "pass 2"));
    assert_true(shows(app, "YOU GUESSED 1"));
    assert_true(shows(app, "the run says 2"));
    press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_PAGE_UP, 0);
    assert_true(shows(app, "YOU GUESSED 1")); /* the guess is kept */
    app_free(app);
}

static void the_class_can_vote_and_a_question_can_be_skipped(void **state)
{
    (void)state;
    const char *const ways[] = {"The class voted", "Skip"};
    for (int i = 0; i < 2; i++) {
        struct app *app = open_lesson("banks", 3);
        struct point at = {0};
        if (i == 0) {
            assert_false(shows(app, ways[0])); /* a student alone has no class */
            press(app, KEY_F11, 0);
        }
        assert_true(find_text(app, ways[i], &at));
        click(app, at.x, at.y);
        assert_true(shows(app, "pass 8"));
        app_free(app);
    }
}

/* A clicker has two keys, so it must not skip the run. */
static void a_clicker_shows_the_run_before_it_goes_on(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 2);
    press(app, KEY_F5, 0);
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "pass 2"));
    assert_true(shows(app, "step 2 of 12"));
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "step 3 of 12"));
    assert_false(shows(app, "pass 8"));
    press(app, KEY_1 + 2, 0); /* a chosen answer counts */
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "You guessed 8, and that is right."));
    press(app, KEY_F5, 0);
    assert_false(shows(app, "YOU GUESSED 8")); /* that was the class */
    press(app, KEY_PAGE_DOWN, 0);
    press(app, KEY_PAGE_DOWN, 0);
    assert_true(shows(app, "step 5 of 12"));
    press(app, KEY_PAGE_DOWN, 0); /* without a clicker it only goes to the next step */
    assert_true(shows(app, "step 6 of 12"));
    app_free(app);
}

static void a_card_to_remember_has_no_number_of_some_access(void **state)
{
    (void)state;
    struct app *app = open_lesson("transpose", 11);
    assert_true(shows(app, "REMEMBER"));
    assert_false(shows(app, "slots used"));
    app_free(app);
}

static void a_question_keeps_its_setting_until_the_answer(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 2);
    press(app, KEY_RIGHT_BRACKET, 0);
    assert_true(shows(app, "answer or skip the question first"));
    assert_non_null(strstr(app_state_line(app), "--set stride=2 "));
    press(app, KEY_1 + 1, 0);
    press(app, KEY_ENTER, 0);
    press(app, KEY_RIGHT_BRACKET, 0);
    assert_non_null(strstr(app_state_line(app), "--set stride=3 "));
    app_free(app);
}

static void a_turned_knob_leaves_a_later_question_its_right_choice(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 1);
    for (int i = 0; i < 4; i++)
        press(app, KEY_RIGHT_BRACKET, 0);
    press(app, KEY_PAGE_DOWN, 0);
    assert_non_null(strstr(app_state_line(app), "--set stride=2 "));
    press(app, KEY_1 + 1, 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "You guessed 2, and that is right."));
    app_free(app);
}

/* The choices of this step fit stride 2 and 3, but not 4. */
static void a_question_opened_without_a_right_choice_is_not_asked(void **state)
{
    (void)state;
    struct app_options options = app_options_of("banks", 2);
    static const char *const set[] = {"stride=4"};
    options.set = set;
    options.set_count = 1;
    struct app *app = app_opened(&options, NULL);
    assert_true(shows(app, "no choice fits this setting"));
    assert_non_null(strstr(app_state_line(app), " --answered"));
    press(app, KEY_R, 0);
    assert_null(strstr(app_state_line(app), " --answered"));
    app_free(app);
}

static void every_turn_of_a_knob_counts(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 1);
    app_frame(app, 1e6);
    for (int i = 0; i < 20; i++) {
        press(app, KEY_RIGHT_BRACKET, 0);
        app_frame(app, 1e6);
    }
    assert_non_null(strstr(app_state_line(app), "--set stride=21"));
    app_free(app);
}

static void tab_shows_the_setting_before_and_back(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 1);
    char *before = picture(app);
    press(app, KEY_RIGHT_BRACKET, 0);
    char *after = picture(app);
    assert_string_not_equal(before, after);
    press(app, KEY_TAB, 0);
    assert_non_null(strstr(app_state_line(app), "stride=1 "));
    press(app, KEY_TAB, 0);
    char *again = picture(app);
    assert_string_equal(after, again);
    free(before);
    free(after);
    free(again);
    app_free(app);
}

/* Splits a line copied with Ctrl+C as a shell would (options only), and opens the app with it. */
static struct app *reopen(char *line)
{
    const char *sets[8];
    struct app_options options = {.set = sets, .width = 1920, .height = 1080, .scale = 1};
    char *words[64] = {0};
    int count = 0;
    for (char *word = strtok(line, " "); word && count < 64; word = strtok(NULL, " "))
        words[count++] = word;
    options.lesson = words[1];
    for (int i = 2; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : "";
        if (strcmp(words[i], "--set") == 0)
            sets[options.set_count++] = value;
        else if (strcmp(words[i], "--variant") == 0)
            options.variant = value;
        else if (strcmp(words[i], "--beat") == 0)
            options.beat = atoi(value);
        else if (strcmp(words[i], "--access") == 0)
            options.access = atoi(value);
        else if (strcmp(words[i], "--on") == 0)
            assert_true(executor_from_word(value, &options.on));
        else if (strcmp(words[i], "--lang") == 0)
            options.language = value;
        else if (strcmp(words[i], "--theme") == 0)
            options.theme = value;
        else if (strcmp(words[i], "--answered") == 0)
            options.answered = true;
    }
    return open_with(&options);
}

static void the_copied_line_gives_the_folder_of_a_lesson_outside(void **state)
{
    (void)state;
    struct app *app = open_with(&(struct app_options){
        .lesson = "lessons/shift", .on = EXECUTOR_EMULATOR, .width = 1920, .height = 1080, .scale = 1});
    press(app, KEY_C, MODIFIER_CONTROL);
    assert_int_equal(strncmp(copied, "lanescope /", 11), 0);
    assert_non_null(strstr(copied, "/lessons/shift "));
    app_free(app);
}

static void the_copied_line_reopens_the_same_picture(void **state)
{
    (void)state;
    const char *sets[] = {"block=128", "length=1000"};
    struct app *app = open_with(&(struct app_options){.lesson = "adjdiff",
                                                      .variant = "shared",
                                                      .set = sets,
                                                      .set_count = 2,
                                                      .on = EXECUTOR_EMULATOR,
                                                      .language = "ko",
                                                      .theme = "dark",
                                                      .beat = 6,
                                                      .answered = true,
                                                      .width = 1920,
                                                      .height = 1080,
                                                      .scale = 1});
    press(app, KEY_HOME, 0);
    for (int i = 0; i < 30; i++) { /* accesses, barriers, branches and exits */
        char *shown = picture(app);
        press(app, KEY_C, MODIFIER_CONTROL);
        struct app *twin = reopen(copied);
        char *reopened = picture(twin);
        assert_string_equal(shown, reopened);
        free(shown);
        free(reopened);
        app_free(twin);
        press(app, KEY_RIGHT, MODIFIER_SHIFT);
    }
    app_free(app);
}

static void keys_work_in_every_language_and_help_lists_them(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 1);
    press(app, KEY_SLASH, MODIFIER_SHIFT);
    assert_true(shows(app, "next, previous conflict"));
    press(app, KEY_ESCAPE, 0);
    press(app, KEY_L, 0);
    assert_non_null(strstr(app_state_line(app), "--lang ko"));
    assert_true(shows(app, "에뮬레이터")); /* without a Korean locale on the machine */
    press(app, KEY_L, 0);
    assert_true(shows(app, "EMULATOR"));
    assert_non_null(strstr(app_state_line(app), "--lang en"));
    press(app, KEY_T, 0);
    assert_non_null(strstr(app_state_line(app), "--theme dark"));
    press(app, KEY_F11, 0);
    assert_non_null(strstr(app_state_line(app), "--present"));
    press(app, KEY_ESCAPE, 0);
    assert_null(strstr(app_state_line(app), "--present"));
    assert_non_null(strstr(app_state_line(app), "banks"));
    app_free(app);
}

static void a_click_on_a_line_of_code_filters_the_timeline(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 5);
    struct point at = {0};
    assert_true(find_text(app, "b[i] = tile[threadIdx.x] - before;", &at) ||
                find_text(app, "tile[threadIdx.x] = a[i];", &at));
    click(app, at.x, at.y);
    assert_true(shows(app, "only line"));
    press(app, KEY_ESCAPE, 0);
    assert_false(shows(app, "only line"));
    app_free(app);
}

/* The keys that do the same as a click on a warp, a block's arrow or a line. */
static void warps_blocks_and_lines_have_keys(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 5);
    assert_true(shows(app, "warp 0 of 8 is in focus"));
    char *start = strdup(app_state_line(app));
    press(app, KEY_W, 0);
    assert_true(shows(app, "warp 1 of 8 is in focus"));
    press(app, KEY_W, MODIFIER_SHIFT);
    press(app, KEY_W, MODIFIER_SHIFT);
    assert_true(shows(app, "warp 7 of 8 is in focus"));
    press(app, KEY_W, 0);
    press(app, KEY_N, MODIFIER_SHIFT);
    assert_true(shows(app, "Block 0"));
    assert_string_equal(app_state_line(app), start);
    press(app, KEY_N, 0);
    assert_true(shows(app, "Block 1"));
    assert_true(shows(app, "warp 0 of 8 is in focus"));
    press(app, KEY_F, 0);
    assert_true(shows(app, "only line 19"));
    press(app, KEY_F, 0);
    assert_false(shows(app, "only line"));
    free(start);
    app_free(app);
}

static void press_at(struct app *app, float x, float y)
{
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = x, .y = y});
    app_event(app, &(struct app_event){.kind = APP_MOUSE_DOWN, .x = x, .y = y});
    app_frame(app, 0.01);
}

static void dragging_the_scrubber_moves_through_the_run(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 1);
    press(app, KEY_HOME, 0);
    char *first = strdup(app_state_line(app));
    press(app, KEY_END, 0);
    char *last = strdup(app_state_line(app));
    press_at(app, 900, 1020);
    assert_string_not_equal(app_state_line(app), last);
    assert_string_not_equal(app_state_line(app), first);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = 0, .y = 500}); /* held, beyond the track's ends */
    app_frame(app, 0.01);
    assert_string_equal(app_state_line(app), first);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = 1919, .y = 500});
    app_frame(app, 0.01);
    assert_string_equal(app_state_line(app), last);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_UP, .x = 1919, .y = 500});
    app_frame(app, 0.01);
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = 0, .y = 500});
    app_frame(app, 0.01);
    assert_string_equal(app_state_line(app), last);
    free(first);
    free(last);
    app_free(app);
}

static void a_file_that_cannot_be_opened_gives_one_line(void **state)
{
    (void)state;
    struct text_metrics const metrics = fake_metrics();
    struct app_options options = {.lesson = "no-such-lesson", .width = 1280, .height = 720};
    struct app *app;
    struct error error = {0};
    assert_false(app_new(&options, &metrics, NULL, &app, &error));
    assert_null(app);
    assert_true(strlen(error.message) > 0);
    const char *bad[] = {"stride=1000"};
    options =
        (struct app_options){.lesson = "banks", .set = bad, .set_count = 1, .on = EXECUTOR_EMULATOR, .language = "en"};
    assert_false(app_new(&options, &metrics, NULL, &app, &error));
    assert_non_null(strstr(error.message, "stride"));
    app = open_lesson("banks", 1);
    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = "/nowhere/a.trace"});
    assert_true(shows(app, "/nowhere/a.trace"));
    assert_true(shows(app, "1 pass")); /* the picture stays */
    app_free(app);
}

/* These two values are never recorded together, so this run fails on every machine. */
static void a_failed_run_keeps_the_window_and_the_setting(void **state)
{
    (void)state;
    const char *sets[] = {"length=1777", "block=96"};
    struct app *app = open_with(&(struct app_options){.lesson = "adjdiff",
                                                      .set = sets,
                                                      .set_count = 2,
                                                      .on = EXECUTOR_RECORDING,
                                                      .language = "en",
                                                      .beat = 2,
                                                      .width = 1280,
                                                      .height = 720,
                                                      .scale = 1});
    assert_true(shows(app, "recorded"));
    assert_true(shows(app, "emulator")); /* the remedy */
    assert_non_null(strstr(app_state_line(app), "--set block=96 --set length=1777"));
    struct point at = {0};
    if (find_text(app, "Run it on the emulator", &at)) { /* nothing was shown before, so the remedy is a button */
        click(app, at.x, at.y);
        assert_non_null(strstr(app_state_line(app), "--on emulator"));
        assert_true(shows(app, "Block 0"));
    }
    app_free(app);
}

static int frames, pictures;
static bool ended;
static bool save_picture(void *context, const struct draw_list *list, int width, int height, struct color background,
                         const char *path, struct error *error)
{
    (void)context, (void)background, (void)error;
    pictures += list->count > 100 && width == 1280 && height == 720 && strstr(path, "banks");
    return true;
}
static bool save_frame(void *context, const struct draw_list *list, int width, int height, struct color background,
                       int hundredths, const char *path, struct error *error)
{
    (void)context, (void)width, (void)height, (void)background, (void)hundredths, (void)path, (void)error;
    frames += list != NULL;
    ended = list == NULL;
    return true;
}

static void s_saves_a_picture_and_g_an_animation(void **state)
{
    (void)state;
    struct text_metrics const metrics = fake_metrics();
    struct app_host const host = {.save_picture = save_picture, .save_frame = save_frame};
    struct app_options const options = {.lesson = "banks",
                                        .on = EXECUTOR_EMULATOR,
                                        .language = "en",
                                        .beat = 5,
                                        .width = 1280,
                                        .height = 720,
                                        .scale = 1};
    struct app *app;
    struct error error;
    assert_true(app_new(&options, &metrics, &host, &app, &error));
    press(app, KEY_S, 0);
    assert_int_equal(pictures, 1);
    press(app, KEY_G, 0);
    assert_true(ended);
    assert_in_range(frames, 40, 50); /* the lines' way in 20 frames a second, then one frame a pass: 32 */
    app_free(app);
    app = open_lesson("banks", 1); /* a host without the feature: the window says so */
    press(app, KEY_S, 0);
    assert_true(shows(app, "lanescope render"));
    app_free(app);
}

static void write_file(const char *path, const char *text)
{
    struct error error;
    assert_true(file_write(path, text, strlen(text), &error));
}

static void a_dropped_kernel_runs_and_its_race_is_shown(void **state)
{
    (void)state;
    char path[] = "/tmp/lanescope-test-XXXXXX.cu";
    int const handle = mkstemps(path, 3);
    assert_true(handle >= 0);
    close(handle);
    write_file(path, "extern \"C\" __global__ void shift(float *out, const float *in)\n"
                     "{\n"
                     "    __shared__ float tile[256];\n"
                     "    tile[threadIdx.x] = in[threadIdx.x];\n"
                     "    out[threadIdx.x] = tile[(threadIdx.x + 1) % 256];\n"
                     "}\n");
    struct app *app = open_lesson("banks", 1);
    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = path});
    if (shows(app, "clang")) { /* without a compiler the window says so and the lesson stays */
        assert_true(shows(app, "1 pass"));
    } else {
        assert_true(shows(app, "race"));
        assert_true(shows(app, "line 4"));
        assert_true(shows(app, "line 5"));
        write_file(path, "extern \"C\" __global__ void broken( {\n");
        app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = path});
        assert_true(shows(app, "This kernel cannot run"));
        assert_true(shows(app, "void broken( {"));
    }
    app_free(app);
    unlink(path);
}

/* docs/screen.md lists the same keys as ?. */
static void the_document_names_every_key(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error;
    char *document;
    size_t size, rows = 0, names = 0;
    struct app *app = open_lesson("banks", 1);
    press(app, KEY_F1, 0);
    assert_true(file_read(&arena, LANESCOPE_SOURCE_FOLDER "/docs/screen.md", &document, &size, &error));
    for (char *row = strstr(document, "\n| PageDown"); row && row[1] == '|'; row = strchr(row + 1, '\n'), rows++) {
        char *keys = row + 3, *end = strstr(keys, " | ");
        char *words = end + 3, *stop = strstr(words, " |");
        assert_true(shows(app, arena_text_n(&arena, words, (size_t)(stop - words))));
        for (char *next; keys < end; keys = next + 2, names++) { /* two blanks part the keys */
            next = strstr(keys, "  ");
            next = next && next < end ? next : end;
            assert_true(shows(app, arena_text_n(&arena, keys, (size_t)(next - keys))));
        }
    }
    const struct draw_list *list = app_frame(app, 1e6);
    size_t texts = 0;
    for (size_t i = 0; i < list->count; i++)
        texts += list->items[i].kind == DRAW_TEXT;
    assert_true(rows > 20 && texts >= rows + names && texts <= rows + names + 6); /* and a title or two */
    arena_free(&arena);
    app_free(app);
}

static void a_chosen_block_is_part_of_the_copied_line(void **state)
{
    (void)state;
    struct app_options options = {.lesson = "adjdiff",
                                  .on = EXECUTOR_EMULATOR,
                                  .language = "en",
                                  .theme = "light",
                                  .beat = 2,
                                  .answered = true,
                                  .width = 1920,
                                  .height = 1080,
                                  .scale = 1};
    struct app *app = open_with(&options);
    assert_null(strstr(app_state_line(app), "--show-block"));
    struct point arrow = {0};
    assert_true(find_text(app, "›", &arrow));
    click(app, arrow.x, arrow.y);
    click(app, arrow.x, arrow.y);
    assert_true(shows(app, "Block 2"));
    assert_non_null(strstr(app_state_line(app), "--show-block 2"));
    char *there = picture(app);
    app_free(app);
    options.block_chosen = true;
    options.block = 2;
    options.access = 9; /* the step's own access, in this block */
    app = open_with(&options);
    char *again = picture(app);
    assert_string_equal(there, again);
    free(there);
    free(again);
    app_free(app);
    options.block = 77;
    app = open_with(&options);
    assert_true(shows(app, "block 77 was not recorded"));
    app_free(app);
}

static void a_guess_is_not_held_against_another_setting(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 2);
    press(app, KEY_1 + 1, 0);
    press(app, KEY_ENTER, 0);
    assert_true(shows(app, "You guessed 2, and that is right."));
    press(app, KEY_RIGHT_BRACKET, 0);
    assert_false(shows(app, "YOU GUESSED 2") || shows(app, "You guessed 2"));
    assert_true(shows(app, "Try again"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_back_is_the_picture_before),
        cmocka_unit_test(nothing_moves_and_no_frame_is_wanted),
        cmocka_unit_test(a_key_completes_an_animation),
        cmocka_unit_test(a_question_covers_the_run),
        cmocka_unit_test(the_class_can_vote_and_a_question_can_be_skipped),
        cmocka_unit_test(a_clicker_shows_the_run_before_it_goes_on),
        cmocka_unit_test(a_card_to_remember_has_no_number_of_some_access),
        cmocka_unit_test(a_question_keeps_its_setting_until_the_answer),
        cmocka_unit_test(a_turned_knob_leaves_a_later_question_its_right_choice),
        cmocka_unit_test(a_question_opened_without_a_right_choice_is_not_asked),
        cmocka_unit_test(every_turn_of_a_knob_counts),
        cmocka_unit_test(tab_shows_the_setting_before_and_back),
        cmocka_unit_test(the_copied_line_gives_the_folder_of_a_lesson_outside),
        cmocka_unit_test(the_copied_line_reopens_the_same_picture),
        cmocka_unit_test(keys_work_in_every_language_and_help_lists_them),
        cmocka_unit_test(a_click_on_a_line_of_code_filters_the_timeline),
        cmocka_unit_test(warps_blocks_and_lines_have_keys),
        cmocka_unit_test(dragging_the_scrubber_moves_through_the_run),
        cmocka_unit_test(a_file_that_cannot_be_opened_gives_one_line),
        cmocka_unit_test(a_failed_run_keeps_the_window_and_the_setting),
        cmocka_unit_test(a_dropped_kernel_runs_and_its_race_is_shown),
        cmocka_unit_test(the_document_names_every_key),
        cmocka_unit_test(a_chosen_block_is_part_of_the_copied_line),
        cmocka_unit_test(a_guess_is_not_held_against_another_setting),
        cmocka_unit_test(s_saves_a_picture_and_g_an_animation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
