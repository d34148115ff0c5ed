/* Runs: results against the host's, files with arguments given by hand, times, recordings. */
#include "base/file.h"
#include "lesson/lesson_run.h"
#include "lesson/plan.h"
#include "lesson/recording.h"
#include "recording/recordings.h"
#include "run/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct lesson *load(const char *folder)
{
    struct lesson *lesson;
    struct error error = {0};
    char text[1200];
    if (!lesson_load_folder(folder, &lesson, &error))
        fail_msg("%s", error_line(&error, text, sizeof text));
    return lesson;
}

static void a_wrong_result_is_reported(void **state)
{
    (void)state;
    struct lesson *lesson = load("lessons/broken");
    struct lesson_setting const setting = lesson_defaults(lesson);
    struct run *run;
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, NULL));
    assert_true(run->check.checked);
    assert_false(run->check.right);
    assert_int_equal(run->check.index, 64); /* the first thread of the second block */
    assert_int_equal(run->check.wrong_count, 1);
    assert_string_equal(run->check.name, "b");
    double wrong = 0;
    assert_true(run_evaluate(run, lesson, &setting, "wrong", &wrong, NULL));
    assert_true(wrong == 1);
    assert_true(run_evaluate(run, lesson, &setting, "wrong_count", &wrong, NULL));
    assert_true(wrong == 1);
    run_free(run);
    lesson_free(lesson);
}

static void a_launch_beyond_its_limit_is_an_error_that_names_it(void **state)
{
    (void)state;
    struct lesson *lesson = load("lessons/broken");
    struct lesson_setting const setting = lesson_defaults(lesson);
    struct run *run = NULL;
    struct error error = {0};
    lesson->plan->limits.launch = 1;
    assert_false(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error));
    assert_string_equal(error.message, "the launch takes more than 1 warp instructions, its lesson's limit");
    lesson_free(lesson);
}

static void a_result_is_held_against_the_expected_expression(void **state)
{
    (void)state;
    static const struct {
        const char *expect;
        bool runs, right;
    } cases[] = {{"in(i + shift)", true, true},
                 {"in(i + shift) + (i == 64 ? 1 : 0)", true, false},
                 {"in(i + shift + 1)", false, false}, /* the last element lies beyond the buffer */
                 {"im(i)", false, false}};
    struct lesson *lesson = load("lessons/shift");
    struct lesson_setting const setting = lesson_defaults(lesson);
    struct lesson_variant variant = lesson->variants[0];
    lesson->variants = &variant;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run *run = NULL;
        struct error error = {0};
        variant.expect = cases[i].expect;
        assert_int_equal(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &run, &error), cases[i].runs);
        if (!cases[i].runs) {
            assert_int_equal(error.kind, ERROR_INPUT);
            continue;
        }
        assert_true(run->check.checked);
        assert_int_equal(run->check.right, cases[i].right);
        assert_int_equal(run->check.wrong_count, !cases[i].right);
        run_free(run);
    }
    lesson_free(lesson);
}

static void chosen_blocks_narrow_the_counters(void **state)
{
    (void)state;
    struct lesson *lesson;
    struct run *all, *one;
    assert_true(lesson_load("adjdiff", &lesson, NULL));
    struct lesson_setting const setting = lesson_defaults(lesson);
    struct launch_blocks const blocks = {1, 1};
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &all, NULL));
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, &blocks, &one, NULL));
    assert_true(all->counts.totals.warp_instructions > one->counts.totals.warp_instructions);
    for (size_t i = 0; i < one->trace->events.count; i++)
        assert_int_equal(one->trace->events.items[i].block, 1);
    assert_false(one->check.checked);
    run_free(all);
    run_free(one);
    lesson_free(lesson);
}

static struct run_file_request adjdiff_request(const char *const *arguments, size_t count)
{
    static char path[4352];
    snprintf(path, sizeof path, "%s/kernels/adjdiff.cu", folder_data());
    return (struct run_file_request){.path = path,
                                     .kernel = "adjdiff_global",
                                     .grid = {2, 1, 1},
                                     .block = {64, 1, 1},
                                     .arguments = arguments,
                                     .argument_count = count,
                                     .options.recorded = LAUNCH_ALL_BLOCKS,
                                     .options.executor = EXECUTOR_EMULATOR};
}

static void a_file_runs_with_arguments_given_by_hand(void **state)
{
    (void)state;
    static const char *const arguments[] = {"f32[100]=const:-1", "f32[100]=mod:3", "i32=100"};
    struct run_file_request request = adjdiff_request(arguments, 3);
    struct launch_buffer *buffers;
    uint32_t count;
    struct run *run;
    request.buffers = &buffers;
    request.buffer_count = &count;
    assert_true(run_file(&request, &run, NULL));
    assert_int_equal(count, 2);
    const float *b = buffers[0].data;
    for (int i = 0; i < 100; i++)
        assert_true(b[i] == (float)(i % 3) - (i ? (float)((i - 1) % 3) : 0));
    assert_true(run->dram_requests > 0);
    assert_string_equal(run->source_name, "adjdiff.cu");
    run_free(run);
}

/* 512 blocks on several workers, none recorded: the DRAM counts equal those of one worker. */
static void dram_is_counted_in_block_order_by_any_number_of_workers(void **state)
{
    (void)state;
    static const char *const arguments[] = {"f32[32768]=zero", "f32[32768]=iota", "i32=32768"};
    struct run_file_request request = adjdiff_request(arguments, 3);
    struct run *one, *several;
    request.grid[0] = 512;
    request.options.no_recording = true;
    request.options.threads = 1;
    assert_true(run_file(&request, &one, NULL));
    request.options.threads = 4;
    assert_true(run_file(&request, &several, NULL));
    assert_int_equal(one->trace->events.count, 0);
    /* per warp: 4 sectors of b, 4 of a, and 5 of the shifted a, 4 where the array begins */
    assert_int_equal(one->dram_requests, 1024 * 13 - 1);
    assert_int_equal(one->dram_requests, one->dram_hits + one->dram_misses + one->dram_conflicts);
    assert_int_equal(one->dram_hits, several->dram_hits);
    assert_int_equal(one->dram_misses, several->dram_misses);
    assert_int_equal(one->dram_conflicts, several->dram_conflicts);
    run_free(one);
    run_free(several);
}

static void wrong_arguments_list_the_kernels_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[4];
        size_t count;
        const char *kernel, *says;
    } cases[] = {{{"f32[100]=zero", "f32[100]=iota"},
                  2,
                  "adjdiff_global",
                  "2 arguments are given; kernel adjdiff_global takes 3 (0"},
                 {{"f32[100]=zero", "f32[100]=iota", "f64=3"}, 3, "adjdiff_global", "argument 2, f64=3, does not fit"},
                 {{"i32=1", "f32[100]=iota", "i32=3"}, 3, "adjdiff_global", "argument 0, i32=1, does not fit"},
                 {{"f32[100]=zero", "f32[100]=iota", "f32[1]=zero"}, 3, "adjdiff_global", "argument 2"},
                 {{"f32[100]=zero", "f32[100]=iota", "i32=x"}, 3, "adjdiff_global", "\"x\" is not a valid i32"},
                 {{"f32[100]=zero", "f23=1"}, 2, "adjdiff_global", "--arg f23=1 is neither"},
                 {{"f32[100]=zero"}, 1, NULL, "holds 2 kernels"},
                 {{"f32[100]=zero"}, 1, "adjdif", "holds no kernel \"adjdif\""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run_file_request request = adjdiff_request(cases[i].arguments, cases[i].count);
        struct error error = {0};
        struct run *run;
        request.kernel = cases[i].kernel;
        assert_false(run_file(&request, &run, &error));
        assert_null(run);
        assert_int_equal(error.kind, ERROR_INPUT);
        if (!strstr(error.message, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error.message, cases[i].says);
    }
}

static void the_host_loop_is_timed_on_this_processor(void **state)
{
    (void)state;
    struct lesson *lesson;
    assert_true(lesson_load("adjdiff", &lesson, NULL));
    struct lesson_setting setting = lesson_defaults(lesson);
    setting.variant = lesson_variant_index(lesson, "host");
    assert_int_equal(run_lesson_time(lesson, &setting).source, TIME_NONE);
    struct measured_time time;
    struct error error = {0};
    assert_true(run_lesson_measure(lesson, &setting, &time, &error));
    assert_int_equal(time.source, TIME_LIVE);
    assert_true(time.runs >= 30 && time.p25 > 0 && time.p25 <= time.median && time.median <= time.p75);
    assert_true(time.device[0] != '\0');
    assert_non_null(strstr(time.what[WORDS_ENGLISH], "16,777,216"));
    /* another length than the timed one still has the same time */
    setting.value[lesson_knob_index(lesson, "length")] = 0;
    assert_true(run_lesson_time(lesson, &setting).median == time.median);
    lesson_free(lesson);
}

static void step(void *context, const char *lesson, size_t done, size_t all)
{
    size_t *last = context;
    assert_string_equal(lesson, "adjdiff");
    assert_int_equal(done, *last);
    assert_true(done < all);
    ++*last;
}

static void recordings_come_back_as_they_went(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-recordings-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    struct lesson *lesson;
    assert_true(lesson_load("adjdiff", &lesson, NULL));
    size_t steps = 0;
    struct recording_options const options = {
        .executor = EXECUTOR_EMULATOR, .progress = step, .progress_context = &steps};
    struct recording_result result;
    struct error error = {0};
    char text[1200];
    if (!lesson_record(lesson, folder, &options, &result, &error))
        fail_msg("%s", error_line(&error, text, sizeof text));
    assert_true(result.traces == steps && steps > 10);
    assert_int_equal(result.timings, 0); /* the emulator measures nothing */

    struct lesson_setting setting = lesson_defaults(lesson);
    struct run *now, *recorded;
    assert_true(run_lesson(lesson, &setting, EXECUTOR_EMULATOR, NULL, &now, &error));
    assert_true(run_lesson(lesson, &setting, EXECUTOR_RECORDING, NULL, &recorded, &error));
    assert_int_equal(recorded->executor, EXECUTOR_RECORDING);
    double right;
    assert_true(run_evaluate(recorded, lesson, &setting, "right && wrong == 0", &right, &error));
    assert_true(right == 1); /* or no task that asks for it could be done on a recording */
    assert_int_equal(recorded->trace->executor, EXECUTOR_EMULATOR); /* not taken for a GPU's */
    struct trace_difference difference;
    trace_compare(now->trace, recorded->trace, &difference);
    if (difference.differ)
        fail_msg("%s", difference.text);
    assert_string_equal(now->source, recorded->source);
    for (uint32_t i = 0; i < now->counts.site_count; i++)
        assert_memory_equal(&now->counts.sites[i], &recorded->counts.sites[i], sizeof now->counts.sites[i]);
    run_free(now);
    run_free(recorded);

    setting.variant = lesson_variant_index(lesson, "host");
    assert_false(run_lesson(lesson, &setting, EXECUTOR_RECORDING, NULL, &recorded, &error));
    assert_int_equal(error.kind, ERROR_MISSING);
    assert_non_null(strstr(error.message, "no trace of adjdiff was recorded at host block=256"));
    lesson_free(lesson);
    static const char *const files[] = {"adjdiff.json", "adjdiff.traces"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/emulator/%s", folder, files[i]);
        assert_int_equal(unlink(path), 0);
    }
    snprintf(path, sizeof path, "%s/emulator", folder);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static const char times[] = "{\"lesson\": \"adjdiff\", \"device\": \"Some GPU\", \"driver\": \"1.2\", \"date\": "
                            "\"2026-01-02\", \"clock_mhz\": [1500, 1980], \"beyond_l2\": true, \"columns\": "
                            "[\"variant\", \"block\", \"median\", \"p25\", \"p75\", "
                            "\"runs\"], \"rows\": [[\"global\", 256, 65.5, 65.1, 66.0, 31]%s]}";

static void write_times(const char *path, const char *more)
{
    char text[1024];
    int const length = snprintf(text, sizeof text, times, more);
    assert_true(file_write(path, text, (size_t)length, NULL));
}

static void recorded_times_are_found_and_gaps_stay_gaps(void **state)
{
    (void)state;
    char folder[] = "/tmp/lanescope-times-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/adjdiff.json", folder);
    struct lesson *lesson;
    struct error error = {0};
    assert_true(lesson_load("adjdiff", &lesson, NULL));
    write_times(path, "");
    assert_true(lesson_use_recordings(lesson, folder, &error));
    struct lesson_setting setting = lesson_defaults(lesson);
    struct measured_time time = run_lesson_time(lesson, &setting);
    assert_int_equal(time.source, TIME_RECORDED);
    assert_true(time.median == 65.5 && time.runs == 31);
    assert_string_equal(time.device, "Some GPU");
    assert_string_equal(time.date, "2026-01-02");
    assert_non_null(strstr(time.what[WORDS_ENGLISH], "blocks of 256 threads"));
    assert_true(time.state.clock_mhz[0] == 1500 && time.state.clock_mhz[1] == 1980 && time.beyond_cache);
    assert_int_equal(time.state.temperature[0], 0);                      /* not given */
    assert_true(lesson_set_text(lesson, &setting, "length=4096", NULL)); /* timed at its own length */
    assert_int_equal(run_lesson_time(lesson, &setting).source, TIME_RECORDED);
    assert_true(lesson_set_text(lesson, &setting, "block=128", NULL));
    assert_int_equal(run_lesson_time(lesson, &setting).source, TIME_NONE);

    static const char *const damage[] = {", [\"global\", 64, -1, 1, 1, 3]", ", [\"local\", 64, 1, 1, 1, 3]", ", 5",
                                         ", [", ", [\"global\", \"64\", 1, 1, 1, 3]"};
    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        write_times(path, damage[i]);
        error = (struct error){0};
        assert_false(lesson_use_recordings(lesson, folder, &error));
        assert_string_equal(error.file, path);
        assert_true(strstr(error.message, "row 2") || error.line > 0);
        assert_int_equal(run_lesson_time(lesson, &setting).source, TIME_NONE);
        struct run *run;
        struct error again = {0};
        assert_false(run_lesson(lesson, &setting, EXECUTOR_RECORDING, NULL, &run, &again));
        assert_string_equal(again.message, error.message);
    }
    lesson_free(lesson);
    unlink(path);
    rmdir(folder);
}

/* Returns false when no trace of this setting is shipped. */
static bool compare_with_shipped(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct trace *recorded;
    struct run *now;
    struct trace_difference difference;
    struct error error = {0};
    char text[1200];
    if (!lesson_recorded_trace(lesson, setting, &recorded, &error)) {
        assert_int_equal(error.kind, ERROR_MISSING);
        return false;
    }
    if (!run_lesson(lesson, setting, EXECUTOR_EMULATOR, NULL, &now, &error))
        fail_msg("%s", error_line(&error, text, sizeof text));
    assert_int_equal(recorded->executor, EXECUTOR_GPU);
    assert_int_equal(recorded->values.count, lesson->values ? recorded->addresses.count : 0);
    assert_int_equal(now->trace->values.count, lesson->values ? now->trace->addresses.count : 0);
    trace_compare(now->trace, recorded, &difference);
    if (difference.differ)
        fail_msg("%s: %s", lesson->name, difference.text);
    trace_free(recorded);
    run_free(now);
    return true;
}

static void recorded_traces_equal_the_emulators(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char **names;
    struct error *errors;
    size_t error_count = 0, valued = 0;
    size_t const count = lesson_names(&arena, &names, &errors, &error_count);
    for (size_t i = 0; i < count; i++) {
        struct lesson *lesson;
        struct lesson_setting *settings;
        assert_true(lesson_load(names[i], &lesson, NULL));
        lesson->plan->counted_count = 0; /* a setting that is only counted has no trace */
        size_t const setting_count = lesson_counted_settings(lesson, &settings);
        size_t compared = 0;
        for (size_t k = 0; k < setting_count; k++)
            compared += compare_with_shipped(lesson, &settings[k]);
        if (compared < setting_count)
            fail_msg("%s: only %zu of %zu settings have a recorded trace", names[i], compared, setting_count);
        valued += lesson->values;
        free(settings);
        lesson_free(lesson);
    }
    assert_true(valued > 0); /* some lesson records values */
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_wrong_result_is_reported),
                                       cmocka_unit_test(a_launch_beyond_its_limit_is_an_error_that_names_it),
                                       cmocka_unit_test(a_result_is_held_against_the_expected_expression),
                                       cmocka_unit_test(chosen_blocks_narrow_the_counters),
                                       cmocka_unit_test(a_file_runs_with_arguments_given_by_hand),
                                       cmocka_unit_test(dram_is_counted_in_block_order_by_any_number_of_workers),
                                       cmocka_unit_test(wrong_arguments_list_the_kernels_parameters),
                                       cmocka_unit_test(the_host_loop_is_timed_on_this_processor),
                                       cmocka_unit_test(recordings_come_back_as_they_went),
                                       cmocka_unit_test(recorded_times_are_found_and_gaps_stay_gaps),
                                       cmocka_unit_test(recorded_traces_equal_the_emulators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
