/* PTX counts against machine counts, with the shipped files: at every counted setting the H200 ran the lessons' kernels
 * exactly as written, to the last wavefront. It merged loads of the tiled product, which the counts prove. Prints the
 * table of docs/validation.md. */
#include "base/file.h"
#include "lesson/lesson_run.h"
#include "lesson/recording.h"
#include "recording/counters.h"
#include "run/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above it */
#include <cmocka.h>

#include "sanitized.h"

enum { EVERY = SANITIZED ? 7 : 1 }; /* checked is one launch in so many */

/* Checks that each line of a setting's launch ran as written. Returns the number of lines; 0 when it was not
 * counted. */
static size_t compare_setting(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct error error = {0};
    struct run *run;
    assert_true(run_lesson(lesson, setting, EXECUTOR_EMULATOR, NULL, &run, &error));
    size_t const lines = run->sass_line_count;
    assert_true(!run->sass.counted || strcmp(run->sass.device, "NVIDIA H200") == 0);
    for (size_t k = 0; k < lines; k++)
        assert_int_equal(run->sass_lines[k].verdict, SASS_SAME);
    run_free(run);
    return lines;
}

/* Returns how many settings of the lesson have counts. */
static size_t compare_lesson(const char *name)
{
    struct error error = {0};
    struct lesson *lesson;
    struct lesson_setting *settings;
    assert_true(lesson_load(name, &lesson, &error));
    size_t const count = lesson_counted_settings(lesson, &settings);
    size_t all = 0;
    for (size_t i = 0; i < count; i += EVERY) {
        size_t const lines = compare_setting(lesson, &settings[i]);
        assert_true(lines > 0);
        all += lines;
    }
    for (int beat = 0; beat < lesson->beat_count; beat++) {
        struct lesson_setting setting = lesson_defaults(lesson);
        lesson_apply_sets(&setting, lesson->beats[beat].sets, lesson->beats[beat].set_count);
        if (lesson->variants[setting.variant].faulty)
            continue; /* a kernel that is wrong on purpose is not counted */
        if (compare_setting(lesson, &setting) == 0)
            fail_msg("%s: the step %s stands at a setting that was not counted", name, lesson->beats[beat].id);
    }
    print_message("| %s | %zu | %zu | %zu | 0 |\n", name, (count + EVERY - 1) / EVERY, all, all);
    free(settings);
    lesson_free(lesson);
    return count;
}

static void lessons_run_on_the_machine_as_they_are_written(void **state)
{
    (void)state;
    assert_int_equal(compare_lesson("banks"), 65 * 3 * 5 * 2); /* every setting */
    assert_int_equal(compare_lesson("adjdiff"), 232);
}

static void run_tiled(const char *fill, struct run **run)
{
    struct arena arena = {0};
    struct error error = {0};
    const char *const arguments[] = {"f32[4096]=zero", fill, "f32[4096]=mod:5", "i32=64"};
    struct run_file_request const request = {.path = data_path(&arena, "kernels/matmul.cu"),
                                             .kernel = "matmul_tiled",
                                             .grid = {4, 4, 1},
                                             .block = {16, 16, 1},
                                             .arguments = arguments,
                                             .argument_count = 4,
                                             .options.no_recording = true,
                                             .options.executor = EXECUTOR_EMULATOR};
    assert_true(run_file(&request, run, &error));
    counters_add(*run, &request);
    arena_free(&arena);
}

static void the_tiled_product_has_four_loads_merged_into_one(void **state)
{
    (void)state;
    struct run *run;
    run_tiled("f32[4096]=mod:7", &run);
    assert_true(run->sass.counted);
    unsigned merged = 0;
    for (size_t i = 0; i < run->sass_line_count; i++) {
        const struct sass_line *line = &run->sass_lines[i];
        if (line->verdict == SASS_SAME)
            continue;
        assert_int_equal(line->verdict, SASS_MERGED);
        assert_int_equal(line->space, PTX_SPACE_SHARED);
        assert_int_equal(line->operation, TRACE_LOAD);
        assert_int_equal(line->written, 16384);
        assert_int_equal(line->ran, 10240);
        assert_int_equal(line->ran_by_width[2], 8192);
        assert_int_equal(line->ran_by_width[4], 2048);
        assert_int_equal(line->written_units, 16384);
        assert_int_equal(line->ran_units, 12288);
        merged++;
    }
    assert_int_equal(merged, 1);
    run_free(run);
}

static void a_launch_with_other_data_has_no_counts(void **state)
{
    (void)state;
    struct run *run;
    run_tiled("f32[4096]=mod:8", &run);
    assert_false(run->sass.counted);
    assert_int_equal(run->sass_line_count, 0);
    run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_run_on_the_machine_as_they_are_written),
        cmocka_unit_test(the_tiled_product_has_four_loads_merged_into_one),
        cmocka_unit_test(a_launch_with_other_data_has_no_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
