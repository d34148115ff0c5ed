/* Files of measured times: they are written and read back, and a setting is found by its name. */
#include "recording/times.h"
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const variants[] = {"load", "store"}, *const knobs[] = {"stride", "padding", "length"};
static struct recording_names const
    all = {.name = "x", .variants = variants, .variant_count = 2, .knobs = knobs, .knob_count = 3},
    timed = {.name = "x", .variants = variants, .variant_count = 2, .knobs = knobs, .knob_count = 2};

static void times_come_back_by_the_names_of_settings(void **state)
{
    (void)state;
    static const struct recorded_time rows[] = {{"load stride=8 padding=-1", 2, 1.5, 2.5, 31},
                                                {"store stride=8 padding=0", 3, 3, 3, 40}};
    struct recorded_times const times = {.device = "Some GPU",
                                         .driver = "1.2",
                                         .date = "2026-01-02",
                                         .state = {.clock_mhz = {1500, 1980}},
                                         .beyond_cache = true,
                                         .rows = rows,
                                         .count = 2};
    struct arena arena = {0};
    struct recorded_times back;
    struct error error = {0};
    char folder[] = "/tmp/lanescope-times-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *path = arena_format(&arena, "%s/x.json", folder),
               *text = recorded_times_text(&times, &timed, "lanes", &arena);
    assert_true(file_write(path, text, strlen(text), &error));
    assert_true(recorded_times_read(&arena, path, &all, &back, &error));
    assert_int_equal(back.count, 2);
    assert_true(back.beyond_cache && back.state.clock_mhz[1] == 1980 && back.state.temperature[0] == 0);
    struct measured_time const found = recorded_times_find(&back, "load stride=8 padding=-1 length=4096");
    assert_int_equal(found.source, TIME_RECORDED);
    assert_true(found.median == 2 && found.p25 == 1.5 && found.p75 == 2.5 && found.runs == 31);
    assert_string_equal(found.device, "Some GPU");
    assert_int_equal(recorded_times_find(&back, "load stride=80 padding=-1 length=1").source, TIME_NONE);
    assert_int_equal(recorded_times_find(&back, "store stride=8 padding=-1 length=1").source, TIME_NONE);
    assert_int_equal(recorded_times_find(&back, "").source, TIME_NONE);
    unlink(path);
    rmdir(folder);
    arena_free(&arena);
}

static void times_differ_where_quartiles_do_not_overlap(void **state)
{
    (void)state;
    double runs[] = {5, 1, 4, 2, 3};
    struct measured_time near = {.p25 = 3.5, .p75 = 6}, far = {.p25 = 4.5, .p75 = 6}, time = {.source = TIME_LIVE};
    time_from_runs(&time, runs, 5);
    assert_true(time.median == 3 && time.p25 == 2 && time.p75 == 4 && time.runs == 5);
    assert_false(time_differs(&time, &near));
    assert_true(time_differs(&time, &far) && time_differs(&far, &time));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_come_back_by_the_names_of_settings),
                                       cmocka_unit_test(times_differ_where_quartiles_do_not_overlap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
