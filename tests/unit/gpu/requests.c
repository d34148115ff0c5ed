/* The GPU's live trace makes the requests that the profiler counted without probes: probes do not part lanes that the
 * unmodified kernel keeps together. The counts lie in tests/silicon/kernels.txt and, for the lessons, in
 * assets/recordings. Prints a table for docs/validation.md. */
#include "cuda/cuda.h"
#include "launches_helper.h"
#include "lesson/lesson_run.h"
#include "lesson/recording.h"
#include "lessons_helper.h"
#include "run/file.h"
#include "silicon_table.h"

/* Instructions of loads and stores of global and of shared memory: their places among the counters of a run and of
 * kernels.txt. */
enum { REQUESTS = 4 };
static const size_t places[REQUESTS] = {0, 2, 4, 5};

struct rows {
    char *text;
    struct silicon_row row; /* the profiler's counts of the launch that is taken */
    unsigned launches, same, as_written, parted;
};

/* Returns whether the lanes of the kernel are known to be parted: by the machine itself, or by the probes, which are no
 * help in a recursion (docs/validation.md#parted). */
static bool is_parted(const char *kernel)
{
    static const char *const kernels[] = {"_Z4callPii",   "recursion",       "fibonacci_meets", "fibonacci_groups",
                                          "ok_recursion", "recursion_meets", "returns_early"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i], kernel) == 0)
            return true;
    return false;
}

static bool count_requests(const struct run_file_request *given, enum executor executor, uint64_t counts[REQUESTS])
{
    struct run_file_request request = *given;
    struct error error = {0};
    struct run *run = NULL;
    struct counter *counters;
    char line[1024];
    request.options.executor = executor;
    request.options.recorded = LAUNCH_ALL_BLOCKS;
    if (!run_file(&request, &run, &error)) {
        print_message("%s\n", error_line(&error, line, sizeof line));
        return false;
    }
    counts_counters(&run->counts, run->trace->sites, &run->arena, &counters);
    for (size_t i = 0; i < REQUESTS; i++)
        counts[i] = counters[places[i]].value;
    run_free(run);
    return true;
}

static void print_counts(const char *who, const uint64_t counts[REQUESTS])
{
    print_message("    %s: %llu %llu global, %llu %llu shared\n", who, (unsigned long long)counts[0],
                  (unsigned long long)counts[1], (unsigned long long)counts[2], (unsigned long long)counts[3]);
}

/* ptxas may merge or unroll loads, which the test silicon_emulator explains; the live trace then has the requests as
 * the PTX writes them. */
static void take_row(void *context, const char *name, const struct run_file_request *request)
{
    struct rows *rows = context;
    uint64_t live[REQUESTS], written[REQUESTS], machine[REQUESTS];
    assert_true(silicon_next(&rows->text, &rows->row));
    assert_string_equal(rows->row.words[2], request->kernel);
    rows->launches++;
    if (!count_requests(request, EXECUTOR_GPU, live) || !count_requests(request, EXECUTOR_EMULATOR, written))
        return;
    for (size_t i = 0; i < REQUESTS; i++)
        machine[i] = rows->row.counts[places[i]];
    if (memcmp(live, machine, sizeof live) == 0) {
        rows->same++;
        return;
    }
    rows->as_written += memcmp(live, written, sizeof live) == 0 && !is_parted(request->kernel);
    rows->parted += is_parted(request->kernel);
    print_message("%s\n", name);
    print_counts("profiler", machine);
    print_counts("live", live);
    print_counts("emulator", written);
}

static void kernels_make_the_requests_that_were_counted_without_probes(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct rows rows = {.text = silicon_open(&arena, "kernels")};
    assert_non_null(rows.text);
    launches_of_silicon(take_row, &rows);
    print_message("| kernels of tests/silicon | %u | %u | %u | %u |\n", rows.launches, rows.same, rows.as_written,
                  rows.parted);
    assert_true(rows.launches > 100);
    assert_int_equal(rows.same + rows.as_written + rows.parted, rows.launches);
    arena_free(&arena);
}

/* How the live counts of a setting agree with the profiler's. AS_WRITTEN: ptxas merged loads, and the live counts are
 * those of the PTX, which the emulator runs. */
enum agreement { SAME, AS_WRITTEN, WRONG, AGREEMENTS };

static struct run *run_on(const struct lesson *lesson, const struct lesson_setting *setting, enum executor executor)
{
    struct error error = {0};
    struct run *run;
    char line[1024];
    if (!run_lesson(lesson, setting, executor, NULL, &run, &error)) {
        print_message("%s: %s\n", lesson->name, error_line(&error, line, sizeof line));
        return NULL;
    }
    return run;
}

static enum agreement check_setting(const struct lesson *lesson, const struct lesson_setting *setting)
{
    struct run *run = run_on(lesson, setting, EXECUTOR_GPU);
    struct run *emulated = run ? run_on(lesson, setting, EXECUTOR_EMULATOR) : NULL;
    if (!emulated)
        return WRONG;
    enum agreement agreement = run->sass_line_count && run->sass_line_count == emulated->sass_line_count ? SAME : WRONG;
    for (size_t i = 0; i < run->sass_line_count && agreement != WRONG; i++) {
        const struct sass_line *counted = &run->sass_lines[i];
        if (counted->verdict == SASS_SAME)
            continue;
        bool const as_written = counted->written == emulated->sass_lines[i].written;
        agreement = as_written ? AS_WRITTEN : WRONG;
        if (!as_written)
            print_message("%s, variant %d: line %zu of the counts differs: %llu requests, %llu counted\n", lesson->name,
                          setting->variant, i, (unsigned long long)counted->written, (unsigned long long)counted->ran);
    }
    run_free(emulated);
    run_free(run);
    return agreement;
}

/* Checks up to about MOST of the counted settings. */
static void check_lesson(const struct lesson *lesson)
{
    enum { MOST = 40 };
    struct lesson_setting *settings;
    size_t const count = lesson_counted_settings(lesson, &settings), step = count / MOST + 1;
    unsigned found[AGREEMENTS] = {0};
    for (size_t i = 0; i < count; i += step)
        found[check_setting(lesson, &settings[i])]++;
    print_message("| %s | %u | %u | %u | 0 |\n", lesson->name, found[SAME] + found[AS_WRITTEN] + found[WRONG],
                  found[SAME], found[AS_WRITTEN]);
    free(settings);
    assert_int_equal(found[WRONG], 0);
}

static void lessons_make_the_requests_that_were_counted_without_probes(void **state)
{
    (void)state;
    for_sampled_lessons(0, check_lesson);
}

int main(int argc, char **argv)
{
    if (cuda_serve(argc, argv)) /* a kernel that faults ends only the child */
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_make_the_requests_that_were_counted_without_probes),
        cmocka_unit_test(lessons_make_the_requests_that_were_counted_without_probes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
