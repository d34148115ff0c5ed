/* The origins of everything on screen: the emulator or a GPU, live or recorded; a profiler's counters; measured times;
 * the chosen model of DRAM. */
#include "app/state.h"
#include "platform/worker.h"
#include "ui/keys.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_helper.h"

static struct app *open_lesson(const char *lesson, int beat)
{
    struct app_options const options = app_options_of(lesson, beat);
    return app_opened(&options, NULL);
}

/* Ends the window, whose picture must be the one it had. before: is freed. */
static void end_as_begun(struct app *app, char *before)
{
    app_event(app, &(struct app_event){.kind = APP_MOUSE_MOVE, .x = -1, .y = -1});
    char *after = picture(app);
    assert_string_equal(after, before);
    free(before);
    free(after);
    app_free(app);
}

static void without_a_recorded_trace_the_gpus_counters_are_shown(void **state)
{
    (void)state;
    static const char *const set[] = {"stride=5", "element=8", "padding=3"};
    struct app *app = app_opened(&(struct app_options){.lesson = "banks",
                                                       .set = set,
                                                       .set_count = 3,
                                                       .on = EXECUTOR_EMULATOR,
                                                       .language = "en",
                                                       .width = 1280,
                                                       .height = 720,
                                                       .scale = 1},
                                 NULL);
    assert_true(shows(app, "EMULATOR · same counts as the H200"));
    app_free(app);
}

/* The H200's recorded trace has its warps in another order: the same access has another number there. */
static void a_flip_goes_to_the_same_access_of_the_other_run(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 6);
    assert_true(shows(app, "EMULATOR · same accesses as the H200"));
    assert_true(shows(app, "access 13 of 40"));
    press(app, KEY_E, 0);
    assert_true(shows(app, "RECORDED · NVIDIA H200"));
    assert_true(shows(app, "warp 0 of 8 is in focus"));
    assert_false(shows(app, "access 13 of 40"));
    assert_non_null(strstr(app_state_line(app), "--on recording"));
    press(app, KEY_RIGHT, 0);
    char *there = picture(app);
    press(app, KEY_E, 0);
    assert_true(shows(app, "EMULATOR"));
    press(app, KEY_E, 0);
    char *again = picture(app);
    assert_string_equal(again, there);
    free(there);
    free(again);
    press(app, KEY_TAB, 0); /* Tab goes back and forth between the two */
    assert_true(shows(app, "EMULATOR · same accesses as the H200"));
    app_free(app);
}

/* Data that fit into the L1 hit there as in the machine; of a little more than fits, the machine keeps more and asks
 * the L2 for less. */
static void the_badge_tells_whether_a_profiler_counted_the_same_of_the_caches(void **state)
{
    (void)state;
    static const struct {
        const char *size, *tip;
        bool same;
    } settings[] = {
        {"size=64",
         "Of 8,224 sectors of global loads the model finds 6,144 in the L1; on the H200 a profiler counted 6,144. "
         "Asked of "
         "the L2: 2,080 in the model, 2,080 counted. Found there: 0 in the model, 0 counted.",
         true},
        {"size=256",
         "Of 32,800 sectors of global loads the model finds 528 in the L1; on the H200 a profiler counted 9,924. Asked "
         "of "
         "the L2: 32,272 in the model, 22,868 counted. Found there: 24,048 in the model, 15,036 counted. From the "
         "DRAM: "
         "8,224 in the model, 8,360 counted.",
         false},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct app_options options = app_options_of("caches", 1);
        options.set = &settings[i].size;
        options.set_count = 1;
        options.notes = true;
        struct app *app = app_opened(&options, NULL);
        app_frame(app, 0);
        char *shown = app_shows(app);
        assert_non_null(strstr(shown, settings[i].tip));
        assert_int_equal(!strstr(shown, "EMULATOR · other cache counts than the H200"), settings[i].same);
        free(shown);
        app_free(app);
    }
}

/* Step 3 asks for the hits that a profiler counted. */
static void the_badge_keeps_what_a_question_asks(void **state)
{
    (void)state;
    struct app_options options = app_options_of("caches", 3);
    options.notes = true;
    struct app *app = app_opened(&options, NULL);
    app_frame(app, 0);
    char *shown = app_shows(app);
    assert_null(strstr(shown, "a profiler counted"));
    assert_null(strstr(shown, "other cache counts"));
    free(shown);
    press(app, KEY_1 + 1, 0);
    press(app, KEY_ENTER, 0);
    app_frame(app, 0);
    shown = app_shows(app);
    assert_non_null(strstr(shown, "a profiler counted"));
    assert_null(strstr(shown, ".. "));
    free(shown);
    app_free(app);
}

/* A lesson that does not follow the caches runs again when the user wants to see them, so that the badge can compare.
 */
static void the_hits_of_any_lesson_are_compared_once_its_caches_are_shown(void **state)
{
    (void)state;
    static const char tip[] =
        "Of 287 sectors of global loads the model finds 156 in the L1; on the H200 a profiler counted 156.";
    struct app_options options = app_options_of("adjdiff", 12);
    options.notes = true;
    struct app *app = app_opened(&options, NULL);
    for (int pressed = 0; pressed < 3; pressed++) {
        app_frame(app, 0);
        char *shown = app_shows(app);
        assert_int_equal(strstr(shown, tip) != NULL, pressed == 1);
        free(shown);
        press(app, KEY_C, 0);
    }
    app_free(app);
}

/* Where sectors are marked, the origins would give the answer away. */
static void a_step_shows_origins_once_its_sectors_are_marked(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 3);
    assert_false(shows(app, "from the L1: "));
    app_free(app);
    struct app_options options = app_options_of("adjdiff", 3);
    options.answered = true;
    app = app_opened(&options, NULL);
    assert_true(shows(app, "from the L1: 1"));
    assert_true(shows(app, "from the DRAM: 4"));
    app_free(app);
}

/* A GPU's trace has no instruction counts: the text takes them from the PTX as written instead of showing 0. */
static void a_recorded_run_shows_the_same_instruction_counts(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 11);
    assert_true(shows(app, "1,039 warp instructions instead of 768."));
    press(app, KEY_E, 0);
    assert_true(shows(app, "RECORDED"));
    assert_true(shows(app, "1,039 warp instructions instead of 768."));
    app_free(app);
}

static void an_unrecorded_setting_shows_the_emulators_run(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 5);
    press(app, KEY_E, 0);
    assert_true(shows(app, "RECORDED · NVIDIA H200"));
    press(app, KEY_RIGHT_BRACKET, MODIFIER_SHIFT);
    press(app, KEY_LEFT_BRACKET, 0); /* length 1023 */
    assert_false(shows(app, "RECORDED · NVIDIA H200 ·"));
    assert_true(shows(app, "this is the emulator's"));
    app_free(app);
}

static void equal_machine_counters_are_shown_as_equal(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 5);
    assert_true(shows(app, "A profiler counted the same"));
    app_free(app);
}

/* The host's loop is timed automatically once the setting rests, and only when a window waits for it. */
static void the_host_is_timed_automatically(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 1);
    app_frame(app, 0);
    assert_true(isinf(app_wait(app))); /* a picture without a window measures nothing */
    app_free(app);
    struct text_metrics const metrics = fake_metrics();
    struct app_host const host = {.attended = true, .worker = worker_of_threads()};
    struct app_options const options = {.lesson = "adjdiff",
                                        .on = EXECUTOR_EMULATOR,
                                        .language = "en",
                                        .beat = 1,
                                        .width = 1920,
                                        .height = 1400,
                                        .scale = 1};
    struct error error;
    assert_true(app_new(&options, &metrics, &host, &app, &error));
    app_frame(app, 0);
    app_frame(app, 0);
    assert_float_equal(app_wait(app), 0.5, 1e-6);
    press(app, KEY_RIGHT, 0);
    press(app, KEY_RIGHT, 0);
    app_frame(app, 0.3);
    assert_false(shows(app, "LIVE")); /* that frame starts the measurement */
    const char *line = strdup(app_state_line(app));
    bool live = false;
    for (int i = 0; i < 600 && !live; i++) {
        usleep(100000);
        live = shows(app, "LIVE");
    }
    assert_true(live);
    assert_string_equal(line, app_state_line(app)); /* and the reader's position stays */
    free((char *)line);
    for (int i = 0; i < 3; i++)
        app_frame(app, 1);
    assert_true(isinf(app_wait(app)));
    app_free(app);
}

static void disagreeing_counts_and_clock_are_both_shown(void **state)
{
    (void)state;
    struct app *app = open_lesson("adjdiff", 11);
    assert_true(shows(app, "RECORDED"));
    assert_true(shows(app, "why?"));
    app_free(app);
    app = open_lesson("banks", 11); /* 32 times the passes take 24 times as long; both are shown */
    assert_true(shows(app, "RECORDED"));
    assert_false(shows(app, "why?"));
    app_free(app);
}

static int times_shown(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    int times = 0;
    for (size_t i = 0; i < list->count; i++)
        times += list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, words) == 0;
    return times;
}

/* Each name stands on the switch of the variants, and once more beside its bar. */
static void wrong_variants_have_no_bar_beside_the_right_ones(void **state)
{
    (void)state;
    struct app *app = open_lesson("barrier", 10);
    assert_int_equal(times_shown(app, "no shared memory"), 2);
    assert_int_equal(times_shown(app, "barrier first"), 1);
    app_free(app);
}

static struct point place_of(struct app *app, const char *words)
{
    const struct draw_list *list = app_frame(app, 1e6);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == DRAW_TEXT && strcmp(list->items[i].text, words) == 0)
            return list->items[i].at;
    fail_msg("nothing says \"%s\"", words);
    return (struct point){0, 0};
}

static void two_settings_are_compared_one_below_the_other(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 5);
    press(app, KEY_TAB, MODIFIER_SHIFT); /* there is nothing to compare with yet: the window says so */
    assert_true(shows(app, "turn a knob first"));
    press(app, KEY_RIGHT_BRACKET, 0);
    press(app, KEY_TAB, MODIFIER_SHIFT);
    assert_true(shows(app, "A · stride 32"));
    assert_true(shows(app, "B · stride 33"));
    assert_true(shows(app, "32 passes"));
    assert_true(shows(app, "1 pass"));
    press(app, KEY_TAB, 0); /* the run before has the screen: each keeps its letter and its place */
    assert_true(shows(app, "A · stride 32"));
    assert_true(shows(app, "B · stride 33"));
    assert_true(place_of(app, "A · stride 32").y < place_of(app, "B · stride 33").y);
    press(app, KEY_TAB, 0);
    press(app, KEY_HOME, 0); /* both settings follow the one timeline */
    assert_false(shows(app, "32 passes"));
    press(app, KEY_ESCAPE, 0);
    assert_false(shows(app, "A · stride 32"));
    app_free(app);
}

static void another_dram_is_part_of_the_copied_line(void **state)
{
    (void)state;
    struct app *app = open_lesson("banks", 1);
    assert_null(strstr(app_state_line(app), "--dram"));
    press(app, KEY_D, 0);
    assert_non_null(strstr(app_state_line(app), "--dram gddr6 "));
    press(app, KEY_D, MODIFIER_SHIFT);
    assert_non_null(strstr(app_state_line(app), "--dram gddr6:ChRaBaRoCo "));
    app_free(app);
}

static void the_caches_are_switched_by_a_key_and_by_a_click(void **state)
{
    (void)state;
    struct app *app = open_lesson("coalescing", 1);
    char *before = picture(app);
    assert_false(shows(app, "from the DRAM:"));
    press(app, KEY_C, 0);
    assert_true(shows(app, "from the DRAM: 4"));
    assert_non_null(strstr(app_state_line(app), "--caches model"));
    click_text(app, "caches: model");
    assert_null(strstr(app_state_line(app), "--caches"));
    end_as_begun(app, before);
}

/* A kernel of one's own shows in the DRAM what misses; a lesson that speaks of all sectors shows all of them. */
static void the_dram_is_fed_with_what_misses(void **state)
{
    (void)state;
    struct app *app = open_lesson("dram-rows", 1);
    char *before = picture(app);
    press(app, KEY_D, MODIFIER_ALT); /* nothing to choose while the caches are off */
    assert_true(shows(app, "switch the caches on (C)"));
    press(app, KEY_C, 0);
    assert_false(shows(app, "sectors that miss"));
    click_text(app, "without caches");
    assert_true(shows(app, "sectors that miss"));
    press(app, KEY_D, MODIFIER_ALT);
    assert_false(shows(app, "sectors that miss"));
    press(app, KEY_C, 0);
    end_as_begun(app, before);
}

/* The rows to mark are counted with all sectors, whatever was chosen; a choice made back is none. */
static void a_step_that_asks_for_rows_has_all_sectors(void **state)
{
    (void)state;
    struct app_options options = app_options_of("dram-rows", 3);
    options.answered = true;
    struct app *app = app_opened(&options, NULL);
    press(app, KEY_C, 0);
    press(app, KEY_D, MODIFIER_ALT);
    assert_true(shows(app, "sectors that miss"));
    press(app, KEY_PAGE_DOWN, 0);
    assert_non_null(strstr(app_state_line(app), "--beat 4 "));
    assert_true(document_wants_caches(&app->document));
    assert_false(document_dram_missed(&app->document));
    assert_false(shows(app, "sectors that miss"));
    press(app, KEY_D, MODIFIER_ALT);
    assert_true(shows(app, "this step asks about all sectors"));
    assert_int_equal(app->document.dram_feed, DRAM_MISSED);
    press(app, KEY_PAGE_UP, 0);
    assert_true(shows(app, "sectors that miss"));
    press(app, KEY_D, MODIFIER_ALT);
    assert_int_equal(app->document.dram_feed, DRAM_BY_DOCUMENT);
    app_free(app);
}

/* Opens a file with a launch, its caches shown. */
static struct app *open_with_caches(const char *path, uint32_t block, const char *const *arguments, size_t count)
{
    struct run_file_request const file = {
        .path = path, .block = {block, 1, 1}, .arguments = arguments, .argument_count = count};
    struct app_options options = app_options_of(NULL, 0);
    options.file = &file;
    options.caches = true;
    options.height = 1600; /* for all panels */
    return app_opened(&options, NULL);
}

/* What a kernel itself stored is in the L1. */
static void a_kernel_without_misses_keeps_its_panel_of_the_dram(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[32]=none", "i32[32]=zero"};
    struct app *app = open_with_caches("faults/ok_written_before_read.ptx", 32, arguments, 2);
    press(app, KEY_HOME, 0);
    assert_true(shows(app, "nothing now: the L2 writes it back later"));
    bool hits = false;
    for (int i = 0; i < 8 && !hits; i++, press(app, KEY_RIGHT, 0))
        hits = shows(app, "nothing: the caches have all");
    assert_true(hits);
    click_text(app, "sectors that miss");
    assert_true(shows(app, "open row"));
    press(app, KEY_D, MODIFIER_ALT);
    assert_false(shows(app, "open row"));
    assert_int_equal(app->document.dram_feed, DRAM_BY_DOCUMENT);
    app_free(app);
}

/* The L2 fetches what the atomic of one warp changes, and has it for the other warp's. */
static void an_atomic_fetches_what_no_cache_holds(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[64]=mod:3", "i32[1]=zero"};
    struct app *app = open_with_caches("faults/ok_warp_aggregated.ptx", 64, arguments, 2);
    int fetched = 0, held = 0;
    for (int i = 0; i < 40; i++, press(app, KEY_RIGHT, 0))
        if (shows(app, "an atomic works in the L2")) {
            fetched += shows(app, "read a burst");
            held += fetched && shows(app, "nothing: the caches have all");
        }
    assert_true(fetched && held);
    app_free(app);
}

/* The last block looks after a fence how many have come: the caches of such a kernel cannot be told. */
static void caches_that_cannot_be_told_say_why(void **state)
{
    (void)state;
    struct app *app = app_opened_file("faults/ok_last_block.ptx");
    press(app, KEY_C, 0);
    assert_true(shows(app, "caches: not known: a fence empties the L1"));
    assert_null(strstr(app_state_line(app), "--caches"));
    assert_false(shows(app, "from the DRAM:"));
    app_free(app);
    struct app_options options = app_options_of("caches", 4); /* blocks with 192 KB of shared memory */
    options.gpu = "a100";
    options.answered = true;
    app = app_opened(&options, NULL);
    assert_false(shows(app, "from the DRAM:"));
    assert_true(shows(app, "a block of this launch is too large for a"));
    assert_false(shows(app, "caches not measured"));
    app_free(app);
}

static void caches_of_a_gpu_that_was_not_measured_say_so(void **state)
{
    (void)state;
    static const char *const gpus[] = {"nvidia-h200", "a100"};
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
        struct app_options options = app_options_of("coalescing", 1);
        options.gpu = gpus[i];
        options.notes = true;
        struct app *app = app_opened(&options, NULL);
        app_frame(app, 0);
        assert_false(shows(app, "not measured"));
        press(app, KEY_C, 0);
        assert_true(shows(app, "from the DRAM: 4"));
        assert_int_equal(shows(app, "EMULATOR · caches not measured"), i == 1);
        assert_int_equal(shows(app, "caches: model, not measured") || shows(app, "caches: not measured"), i == 1);
        app_frame(app, 0);
        char *shown = app_shows(app);
        assert_int_equal(
            strstr(shown, "The sizes of the caches of NVIDIA A100 (40 GB, SXM4) are from documents.") != NULL, i == 1);
        free(shown);
        press(app, KEY_C, 0);
        assert_false(shows(app, "not measured"));
        app_free(app);
        options = app_options_of("caches", 1);
        options.gpu = gpus[i];
        app = app_opened(&options, NULL);
        assert_true(shows(app, "this block alone"));
        assert_int_equal(shows(app, "not measured"), i == 1);
        app_free(app);
    }
}

/* The profiler counted on an H200. */
static void the_hits_of_another_gpu_are_not_compared_with_the_profilers(void **state)
{
    (void)state;
    static const char *const gpus[] = {"nvidia-h200", "nvidia-h100", "a100"};
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
        struct app_options options = app_options_of("caches", 1);
        options.gpu = gpus[i];
        options.notes = true;
        struct app *app = app_opened(&options, NULL);
        app_frame(app, 0);
        char *shown = app_shows(app);
        assert_int_equal(strstr(shown, "on the H200 a profiler counted") != NULL, i == 0);
        assert_null(strstr(shown, ".. "));
        free(shown);
        app_free(app);
    }
}

/* The lines of the slices are those of the bytes, and two more each; a name that has no room whole is a shorter one. */
static void the_panel_of_the_caches_agrees_with_the_lesson(void **state)
{
    (void)state;
    struct app_options options = app_options_of("caches", 4);
    options.answered = true;
    options.width = 1100;
    struct app *app = app_opened(&options, NULL);
    assert_true(shows(app, "52 KB"));
    assert_true(shows(app, "106 of 104 + 2")); /* 4 x 104 lines of 128 bytes */
    assert_true(shows(app, "set 79"));
    assert_true(shows(app, "a[27200]"));
    app_free(app);
}

/* The stage "Matrix" has no chunks, so that the key changes nothing in sight. */
static void a_step_without_chunks_says_that_it_has_no_picture_of_the_caches(void **state)
{
    (void)state;
    struct app *app = open_lesson("transpose", 1);
    press(app, KEY_C, 0);
    assert_true(shows(app, "this step has no picture of the caches"));
    app_free(app);
    app = open_lesson("coalescing", 1);
    press(app, KEY_C, 0);
    assert_false(shows(app, "no picture of the caches"));
    app_free(app);
}

static void the_key_of_the_caches_says_why_a_store_or_a_question_hides_them(void **state)
{
    (void)state;
    struct app *app = open_lesson("coalescing", 1);
    press(app, KEY_RIGHT, 0);
    press(app, KEY_RIGHT, 0);
    press(app, KEY_C, 0);
    assert_true(shows(app, "this access is a store, and only loads show"));
    press(app, KEY_C, 0);
    assert_false(shows(app, "this access is a store"));
    press(app, KEY_END, 0);
    press(app, KEY_C, 0);
    assert_true(shows(app, "only loads from global or local memory show"));
    press(app, KEY_C, 0);
    press(app, KEY_HOME, 0);
    press(app, KEY_C, 0);
    assert_true(shows(app, "from the DRAM: 4"));
    assert_false(shows(app, "caches: on"));
    app_free(app);
    app = open_lesson("coalescing", 3);
    press(app, KEY_C, 0);
    assert_true(shows(app, "the question covers the picture"));
    press(app, KEY_C, 0);
    assert_true(shows(app, "caches: off"));
    app_free(app);
}

/* Also beside the number of a lesson. */
static void sectors_that_came_along_are_explained(void **state)
{
    (void)state;
    struct app_options options = app_options_of("stencil", 3);
    options.answered = true;
    struct app *app = app_opened(&options, NULL);
    assert_true(shows(app, "from the L2: 1"));
    assert_true(says(app, "came along with a neighbour: DRAM delivers pairs"));
    app_free(app);
}

/* A store to local memory has a sentence, and a low picture of the spaces denies no panel that stands below it. */
static void an_access_to_local_memory_has_a_sentence(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[64]=mod:8", "i32[64]=zero", "i32=1"};
    struct run_file_request const file = {
        .path = "faults/bounds_local.ptx", .block = {32, 1, 1}, .arguments = arguments, .argument_count = 3};
    struct app_options options = app_options_of(NULL, 0);
    options.file = &file;
    options.caches = true;
    struct app *app = app_opened(&options, NULL);
    bool stored = false;
    press(app, KEY_HOME, 0);
    for (int i = 0; i < 12 && !stored; i++, press(app, KEY_RIGHT, 0))
        stored = shows(app, "A store to local memory: 32 lanes write") &&
                 shows(app, "a larger window shows the others here") && shows(app, "4 put in");
    assert_true(stored);
    app_free(app);
}

/* In the smallest window, the caches of a file leave room for its block, its warps and its line. */
static void the_caches_leave_room_for_the_rows_of_a_file(void **state)
{
    (void)state;
    static const char *const arguments[] = {"i32[64]=iota", "i32[64]=zero", "i32=64"};
    struct run_file_request const file = {
        .path = "tests/faults/ok_guarded_tail.ptx", .block = {64, 1, 1}, .arguments = arguments, .argument_count = 3};
    struct app_options options = app_options_of(NULL, 0);
    options.file = &file;
    options.caches = true;
    options.width = 1024;
    options.height = 600;
    assert_int_equal(chdir(".."), 0); /* where the PTX names its source */
    struct app *app = app_opened(&options, NULL);
    static const char *const parts[] = {"Block 0", "warp 1", "Lanes", "Chunks", "Caches", "in[0]", "4 sectors"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_true(shows(app, parts[i]));
    assert_true(shows(app, "s[threadIdx.x] = in[i];"));
    app_free(app);
    assert_int_equal(chdir("tests"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_recorded_trace_the_gpus_counters_are_shown),
        cmocka_unit_test(a_flip_goes_to_the_same_access_of_the_other_run),
        cmocka_unit_test(the_badge_tells_whether_a_profiler_counted_the_same_of_the_caches),
        cmocka_unit_test(the_badge_keeps_what_a_question_asks),
        cmocka_unit_test(the_hits_of_any_lesson_are_compared_once_its_caches_are_shown),
        cmocka_unit_test(a_step_shows_origins_once_its_sectors_are_marked),
        cmocka_unit_test(a_recorded_run_shows_the_same_instruction_counts),
        cmocka_unit_test(an_unrecorded_setting_shows_the_emulators_run),
        cmocka_unit_test(equal_machine_counters_are_shown_as_equal),
        cmocka_unit_test(the_host_is_timed_automatically),
        cmocka_unit_test(disagreeing_counts_and_clock_are_both_shown),
        cmocka_unit_test(wrong_variants_have_no_bar_beside_the_right_ones),
        cmocka_unit_test(two_settings_are_compared_one_below_the_other),
        cmocka_unit_test(another_dram_is_part_of_the_copied_line),
        cmocka_unit_test(the_caches_are_switched_by_a_key_and_by_a_click),
        cmocka_unit_test(the_dram_is_fed_with_what_misses),
        cmocka_unit_test(a_step_that_asks_for_rows_has_all_sectors),
        cmocka_unit_test(a_kernel_without_misses_keeps_its_panel_of_the_dram),
        cmocka_unit_test(an_atomic_fetches_what_no_cache_holds),
        cmocka_unit_test(caches_that_cannot_be_told_say_why),
        cmocka_unit_test(caches_of_a_gpu_that_was_not_measured_say_so),
        cmocka_unit_test(the_hits_of_another_gpu_are_not_compared_with_the_profilers),
        cmocka_unit_test(the_panel_of_the_caches_agrees_with_the_lesson),
        cmocka_unit_test(a_step_without_chunks_says_that_it_has_no_picture_of_the_caches),
        cmocka_unit_test(the_key_of_the_caches_says_why_a_store_or_a_question_hides_them),
        cmocka_unit_test(sectors_that_came_along_are_explained),
        cmocka_unit_test(an_access_to_local_memory_has_a_sentence),
        cmocka_unit_test(the_caches_leave_room_for_the_rows_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
